import { inputRefusal } from "../../base/inputError.ts";
import { basename, join, resolve } from "../../base/paths.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { priceSlots } from "../../market/priceSlots.ts";
import type { Settlement } from "../../market/settlement.ts";
import type { SettlementSpec } from "../../market/settlementSpec.ts";
import type { StagingFiles } from "../../platform/files.ts";
import { VERSION } from "../../version.ts";
import { inputDigests, writeText } from "../runJson.ts";
import { createTableOpener } from "../tables/createTableOpener.ts";
import { settlementTables } from "../tables/settlementTables.ts";
import { tableLayout } from "../tables/tableLayout.ts";
import { publishFolder } from "../writeFolder.ts";
import { settledRunOf } from "./settledRun.ts";
import { readSlots, SLOTS_FILE } from "./settlementSlots.ts";

/** The settlement of a report by other prices and parameters. */
export interface SettledReport {
  readonly spec: SettlementSpec;
  readonly settlement: Settlement;
  /** File of the report with the assessed slots: path, name below the folder of reports, SHA-256 in hex. */
  readonly slots: { readonly file: string; readonly name: string; readonly digest: string };
}

/**
 * Settles a report again by the prices and parameters of a scenario, without a run. The scenario has the awards of the
 * report (docs/model/settlement.md#again).
 *
 * @throws InputErrors, MarketError
 */
export function settleReport(folder: string, scenario: Scenario): SettledReport {
  const { settlement: spec, world, file } = scenario;
  if (spec === null) throw inputRefusal(file, "no key settlement", "a scenario that says how to settle");
  const { slots, file: slotsFile, digest } = readSlots(folder, spec);
  const known = new Set(world.awards.map(({ awardId }) => awardId));
  const missing = slots.awardSlots.find(({ awardId }) => !known.has(awardId));
  if (missing !== undefined)
    throw inputRefusal(
      file,
      `no award ${missing.awardId}`,
      `the awards of the report ${folder}, whose prices it gives`,
    );
  return {
    spec,
    settlement: spec.market.settle(priceSlots(slots, spec, world.awards)),
    slots: {
      file: slotsFile,
      name: join(basename(resolve(folder)), SLOTS_FILE),
      digest,
    },
  };
}

/**
 * Writes the tables of a settlement as CSV, its page, and run.json with what it was made of.
 *
 * @param scenario  whose prices and parameters it has
 * @returns the absolute path of the folder
 * @throws InputErrors if the folder must not be replaced
 */
export async function writeSettlement(target: string, settled: SettledReport, scenario: Scenario): Promise<string> {
  const { spec, settlement, slots } = settled;
  const { name, description, timezone, language, hash, world } = scenario;
  const open = await createTableOpener(["csv"], tableLayout(scenario));
  const { renderSettlementHtml, SETTLEMENT_PAGE } = await import("../html/page/settlementPage.ts");
  const page = renderSettlementHtml({
    scenario: {
      name,
      description,
      timezone,
      language,
      hash,
      seed: world.seed,
      startMs: world.startMs,
      endMs: world.endMs,
    },
    version: VERSION,
    settled: settledRunOf(spec, settlement, null),
    awards: [],
  });
  const write = (staging: StagingFiles) => {
    const tables = settlementTables(settlement, spec.currency, spec.area).flatMap(({ stem, block }) => {
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
