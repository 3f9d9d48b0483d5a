import type { SiteBatch } from "../../site/batch/siteBatch.ts";
import { PARTICIPATION, type ParticipantLists } from "../allocation/participantLists.ts";
import { DISPATCH_OUTCOME, type DispatchTable, type Instruction } from "../instructions/instruction.ts";

/**
 * Tells the first `count` sharers with batteries in a bank their amounts: they refuse nothing, and one that has its amount
 * already hears nothing. The loop calls nothing: it runs for every battery of every award.
 */
export function dispatchBatteries(
  bank: SiteBatch,
  instruction: Instruction,
  table: DispatchTable,
  lists: ParticipantLists,
  count: number,
): void {
  const { orderNumber: number, membership } = instruction;
  const { siteIndices: sites } = membership;
  const { orderNumbers: orders, deltaKw, baselineKw } = bank;
  const { status, deltaTenths, capabilityTenths, baselineKw: baselinesKw } = table;
  const { participants: sharers, participation: marks, sharesTenths, capabilityTenths: capsTenths } = lists;
  const { direction } = instruction;
  let carriedTenths = 0;
  for (let k = 0; k < count; k++) {
    const i = sharers[k];
    if (marks[i] !== PARTICIPATION.batchedBattery) continue;
    const index = sites[i];
    const capTenths = capsTenths[k];
    const tenths = Math.imul(direction, Math.min(sharesTenths[k], capTenths));
    capabilityTenths[i] = capTenths;
    const before = deltaTenths[i];
    if (orders[index] === number && before === tenths) continue;
    orders[index] = number;
    deltaKw[index] = tenths / 10;
    baselineKw[index] = baselinesKw[i];
    status[i] = DISPATCH_OUTCOME.dispatched;
    deltaTenths[i] = tenths;
    carriedTenths += tenths - before;
  }
  instruction.uncoveredTenths -= carriedTenths;
}
