import type { SiteBatch } from "../../site/batch/siteBatch.ts";
import { PARTICIPATION, type ParticipantLists } from "../allocation/participantLists.ts";
import { DISPATCH_OUTCOME, type DispatchTable, type Instruction } from "../instructions/instruction.ts";

/**
 * Dispatches the batched batteries among the first `count` participants. A batched battery accepts any amount, and one whose
 * amount has not changed is skipped. The loop makes no function calls because it runs for every battery of every award.
 */
export function dispatchBatteries(
  batch: SiteBatch,
  instruction: Instruction,
  table: DispatchTable,
  lists: ParticipantLists,
  count: number,
): void {
  const { orderNumber, direction } = instruction;
  const { siteIndices } = instruction.membership;
  const { orderNumbers, deltaKw, baselineKw } = batch;
  const { status, deltaTenths, capabilityTenths, baselineKw: baselinesKw } = table;
  const { participants, participation, sharesTenths, capabilityTenths: capsTenths } = lists;
  let changeTenths = 0;
  for (let k = 0; k < count; k++) {
    const i = participants[k];
    if (participation[i] !== PARTICIPATION.batchedBattery) continue;
    const index = siteIndices[i];
    const capTenths = capsTenths[k];
    const tenths = Math.imul(direction, Math.min(sharesTenths[k], capTenths));
    capabilityTenths[i] = capTenths;
    const previousTenths = deltaTenths[i];
    if (orderNumbers[index] === orderNumber && previousTenths === tenths) continue;
    orderNumbers[index] = orderNumber;
    deltaKw[index] = tenths / 10;
    baselineKw[index] = baselinesKw[i];
    status[i] = DISPATCH_OUTCOME.dispatched;
    deltaTenths[i] = tenths;
    changeTenths += tenths - previousTenths;
  }
  instruction.uncoveredTenths -= changeTenths;
}
