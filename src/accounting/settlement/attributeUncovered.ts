import type { Site } from "../../site/site.ts";
import type { DispatchTable, Instruction } from "../../vpp/instructions/instruction.ts";
import type { AwardAccount } from "./awardAccount.ts";
import { addInProportion, CAUSE_INDEX } from "./causeIndex.ts";
import { causeOfAbsence, causeOfCut } from "./shortfallCause.ts";

/** One part of what an instruction asks, as its execution left it. */
interface RequestedAmount {
  readonly requestedKw: number;
  readonly uncoveredKw: number;
  /** By member. */
  readonly setpointKw: (i: number) => number;
  readonly status: (i: number) => number;
  readonly cutBy: Uint8Array;
}

/**
 * The kW that the execution left uncovered, by cause: in proportion to what each member lacks of its part by weight. The
 * width of frequency response has an account of its own (docs/model/accounting.md#attribution, step 5).
 */
export function attributeUncovered(account: AwardAccount, sites: readonly Site[]): void {
  const { instruction } = account;
  const table = instruction.table as DispatchTable;
  const { fcrCapacities: widths } = table;
  if (instruction.uncoveredAtStartTenths !== 0)
    attribute(instruction, sites, account.uncoveredByCauseKw, {
      requestedKw: Math.abs(instruction.deltaTenths) / 10,
      uncoveredKw: Math.abs(instruction.uncoveredAtStartTenths) / 10,
      setpointKw: (i) => Math.abs(table.deltaTenths[i]) / 10,
      status: (i) => table.deltaStatus(i),
      cutBy: table.capabilityLimit,
    });
  if (widths === null || instruction.fcrUncoveredAtStartTenths === 0) return;
  attribute(instruction, sites, account.fcrUncoveredByCauseKw, {
    requestedKw: (instruction.fcrCapacityTenths ?? 0) / 10,
    uncoveredKw: instruction.fcrUncoveredAtStartTenths / 10,
    setpointKw: (i) => widths.capacityTenths[i] / 10,
    status: (i) => table.fcrStatus(i),
    cutBy: widths.capabilityLimit,
  });
}

function attribute(
  { membership }: Instruction,
  sites: readonly Site[],
  byCause: Float64Array,
  part: RequestedAmount,
): void {
  const lacks = new Float64Array(byCause.length);
  const { weights, weightSum } = membership;
  let lacked = 0;
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue;
    const lackKw = (part.requestedKw * weights[i]) / weightSum - part.setpointKw(i);
    if (lackKw <= 0) continue;
    const absence = causeOfAbsence(sites[membership.siteIndices[i]], part.status(i), true);
    lacks[absence >= 0 ? absence : causeOfCut(part.cutBy[i])] += lackKw;
    lacked += lackKw;
  }
  if (lacked === 0) lacks[CAUSE_INDEX.no_member] = 1;
  addInProportion(part.uncoveredKw, lacks, byCause);
}
