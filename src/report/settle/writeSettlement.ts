import { createTableOpener } from "../tables/createTableOpener.ts";
import { settlementTables } from "../tables/settlementTables.ts";
import { publishFolder } from "../writeFolder.ts";
import type { SettledReport } from "./settleReport.ts";

/**
 * Writes the tables of a settlement as CSV, with their run.json.
 *
 * @param inputs  files that the settlement was computed from
 * @returns the absolute path of the folder
 * @throws InputErrors if the folder must not be replaced
 */
export async function writeSettlement(
  target: string,
  { spec, settlement }: SettledReport,
  inputs: Iterable<string>,
): Promise<string> {
  const open = await createTableOpener(["csv"]);
  return publishFolder(target, inputs, (staging) =>
    settlementTables(settlement, spec.market.currency, spec.area).flatMap(({ stem, block }) => {
      const table = open(staging, stem);
      table.write(block);
      table.close();
      return table.digests;
    }),
  );
}
