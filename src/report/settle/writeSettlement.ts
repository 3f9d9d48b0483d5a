import type { Scenario } from "../../scenario/scenario.ts";
import { VERSION } from "../../version.ts";
import { inputDigests, writeText } from "../runJson.ts";
import { createTableOpener } from "../tables/createTableOpener.ts";
import { settlementTables } from "../tables/settlementTables.ts";
import { publishFolder } from "../writeFolder.ts";
import { settledRunOf } from "./settledRun.ts";
import type { SettledReport } from "./settleReport.ts";

/**
 * Writes the tables of a settlement as CSV, its page, and run.json with what it was made of.
 *
 * @param scenario  whose prices and parameters it has
 * @returns the absolute path of the folder
 * @throws InputErrors if the folder must not be replaced
 */
export async function writeSettlement(target: string, settled: SettledReport, scenario: Scenario): Promise<string> {
  const { spec, settlement, slots } = settled;
  const { name, description, timezone, hash, world } = scenario;
  const open = await createTableOpener(["csv"]);
  const { renderSettlementHtml, SETTLEMENT_PAGE } = await import("../html/page/settlementPage.ts");
  const page = renderSettlementHtml({
    scenario: { name, description, timezone, hash, seed: world.seed, startMs: world.startMs, endMs: world.endMs },
    version: VERSION,
    settled: settledRunOf(spec, settlement),
    awards: [],
  });
  const write = (staging: string) => {
    const tables = settlementTables(settlement, spec.market.currency, spec.area).flatMap(({ stem, block }) => {
      const table = open(staging, stem);
      table.write(block);
      table.close();
      return table.digests;
    });
    return [...tables, writeText(staging, SETTLEMENT_PAGE, page)];
  };
  const statistics = {
    scenario: { name, hash },
    parameters: spec.parameterSet,
    area: spec.area,
    unsure: spec.unsure,
    inputs: { ...inputDigests(scenario), [slots.name]: `sha256:${slots.digest}` },
  };
  return publishFolder(target, [...scenario.inputFiles.keys(), slots.file], write, statistics);
}
