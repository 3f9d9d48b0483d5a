import type { Site } from "../../site/site.ts";
import type { DispatchTable, Instruction } from "../../vpp/instructions/instruction.ts";
import type { AwardAccount } from "./awardAccount.ts";
import { addInProportion, CAUSE_INDEX } from "./causeIndex.ts";
import { causeOfAbsence, causeOfCut } from "./shortfallCause.ts";

/** One requested product of an instruction (delta or FCR capacity), as its execution left it. */
interface RequestedAmount {
  readonly requestedKw: number;
  readonly uncoveredKw: number;
  /** Dispatched kW of member `i`, unsigned. */
  readonly setpointKw: (i: number) => number;
  readonly status: (i: number) => number;
  readonly cutBy: Uint8Array;
}

/**
 * Attributes the kW that the execution left uncovered to causes, in proportion to each member's shortfall against its
 * share by weight. FCR capacity is attributed separately (docs/model/accounting.md#attribution, step 5).
 */
export function attributeUncovered(account: AwardAccount, sites: readonly Site[]): void {
  const { instruction } = account;
  const table = instruction.table as DispatchTable;
  const { fcrCapacities } = table;
  if (instruction.uncoveredAtStartTenths !== 0)
    attribute(instruction, sites, account.uncoveredByCauseKw, {
      requestedKw: Math.abs(instruction.deltaTenths) / 10,
      uncoveredKw: Math.abs(instruction.uncoveredAtStartTenths) / 10,
      setpointKw: (i) => Math.abs(table.deltaTenths[i]) / 10,
      status: (i) => table.deltaStatus(i),
      cutBy: table.capabilityLimit,
    });
  if (fcrCapacities === null || instruction.fcrUncoveredAtStartTenths === 0) return;
  attribute(instruction, sites, account.fcrUncoveredByCauseKw, {
    requestedKw: (instruction.fcrCapacityTenths ?? 0) / 10,
    uncoveredKw: instruction.fcrUncoveredAtStartTenths / 10,
    setpointKw: (i) => fcrCapacities.capacityTenths[i] / 10,
    status: (i) => table.fcrStatus(i),
    cutBy: fcrCapacities.capabilityLimit,
  });
}

function attribute(
  { membership }: Instruction,
  sites: readonly Site[],
  byCause: Float64Array,
  requested: RequestedAmount,
): void {
  const shortfallByCause = new Float64Array(byCause.length);
  const { weights, weightSum } = membership;
  let shortfallSum = 0;
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue;
    const shortfallKw = (requested.requestedKw * weights[i]) / weightSum - requested.setpointKw(i);
    if (shortfallKw <= 0) continue;
    const absenceCause = causeOfAbsence(sites[membership.siteIndices[i]], requested.status(i), true);
    shortfallByCause[absenceCause >= 0 ? absenceCause : causeOfCut(requested.cutBy[i])] += shortfallKw;
    shortfallSum += shortfallKw;
  }
  if (shortfallSum === 0) shortfallByCause[CAUSE_INDEX.no_member] = 1;
  addInProportion(requested.uncoveredKw, shortfallByCause, byCause);
}
