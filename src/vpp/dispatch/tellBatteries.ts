import type { PlainBank } from "../../site/batch/plainBank.ts";
import { MARK, type ShareLists } from "../allocation/shareLists.ts";
import { DISPATCH, type DispatchTable, type Instruction } from "../instructions/instruction.ts";

/**
 * Tells the first `count` sharers with batteries in a bank their amounts: they refuse nothing, and one that has its amount
 * already hears nothing. The loop calls nothing: it runs for every battery of every award.
 */
export function tellBatteries(
  bank: PlainBank,
  instruction: Instruction,
  table: DispatchTable,
  lists: ShareLists,
  count: number,
): void {
  const { number, membership } = instruction;
  const { sites } = membership;
  const { orders, deltaKw, baselineKw } = bank;
  const { status, deltaTenths, capabilityTenths, baselineKw: baselinesKw } = table;
  const { sharers, marks, sharesTenths, capsTenths } = lists;
  const { direction } = instruction;
  let carriedTenths = 0;
  for (let k = 0; k < count; k++) {
    const i = sharers[k];
    if (marks[i] !== MARK.battery) continue;
    const index = sites[i];
    const capTenths = capsTenths[k];
    const tenths = Math.imul(direction, Math.min(sharesTenths[k], capTenths));
    capabilityTenths[i] = capTenths;
    const before = deltaTenths[i];
    if (orders[index] === number && before === tenths) continue;
    orders[index] = number;
    deltaKw[index] = tenths / 10;
    baselineKw[index] = baselinesKw[i];
    status[i] = DISPATCH.dispatched;
    deltaTenths[i] = tenths;
    carriedTenths += tenths - before;
  }
  instruction.uncoveredTenths -= carriedTenths;
}
