import type { Site } from "../../site/site.ts";
import type { DispatchTable, Instruction } from "../../vpp/instructions/instruction.ts";
import type { AwardAccount } from "./awardAccount.ts";
import { causeOfAbsence, causeOfCut } from "./lack.ts";
import { addInProportion, CAUSE } from "./shortfall.ts";

/** One part of what an instruction asks, as its execution left it. */
interface Part {
  readonly askedKw: number;
  readonly uncoveredKw: number;
  /** By member. */
  readonly toldKw: (i: number) => number;
  readonly status: (i: number) => number;
  readonly cutBy: Uint8Array;
}

/**
 * The kW that the execution left uncovered, by cause: in proportion to what each member lacks of its part by weight. The
 * width of frequency response has an account of its own (accounting.md §1, step 5).
 */
export function attributeUncovered(account: AwardAccount, sites: readonly Site[]): void {
  const { instruction } = account;
  const table = instruction.table as DispatchTable;
  const { widths } = table;
  if (instruction.uncoveredAtStartTenths !== 0)
    attribute(instruction, sites, account.uncoveredByCause, {
      askedKw: Math.abs(instruction.deltaTenths) / 10,
      uncoveredKw: Math.abs(instruction.uncoveredAtStartTenths) / 10,
      toldKw: (i) => Math.abs(table.deltaTenths[i]) / 10,
      status: (i) => table.deltaStatus(i),
      cutBy: table.cutBy,
    });
  if (widths === null || instruction.fcrUncoveredAtStartTenths === 0) return;
  attribute(instruction, sites, account.fcrUncoveredByCause, {
    askedKw: (instruction.fcrTenths ?? 0) / 10,
    uncoveredKw: instruction.fcrUncoveredAtStartTenths / 10,
    toldKw: (i) => widths.tenths[i] / 10,
    status: (i) => table.fcrStatus(i),
    cutBy: widths.cutBy,
  });
}

function attribute({ membership }: Instruction, sites: readonly Site[], byCause: Float64Array, part: Part): void {
  const lacks = new Float64Array(byCause.length);
  const { weights, weightSum } = membership;
  let lacked = 0;
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue;
    const lackKw = (part.askedKw * weights[i]) / weightSum - part.toldKw(i);
    if (lackKw <= 0) continue;
    const absence = causeOfAbsence(sites[membership.sites[i]], part.status(i), true);
    lacks[absence >= 0 ? absence : causeOfCut(part.cutBy[i])] += lackKw;
    lacked += lackKw;
  }
  if (lacked === 0) lacks[CAUSE.no_member] = 1;
  addInProportion(part.uncoveredKw, lacks, byCause);
}
