import { basename, join, resolve } from "node:path";
import { priceSlots } from "../../market/priceSlots.ts";
import type { Settlement } from "../../market/settlement.ts";
import type { SettlementSpec } from "../../market/settlementSpec.ts";
import { inputRefusal } from "../../scenario/parse/inputError.ts";
import type { Scenario } from "../../scenario/scenario.ts";
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
