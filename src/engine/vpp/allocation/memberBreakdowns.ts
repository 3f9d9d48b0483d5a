import { roundByLargestRemainder } from "../../../base/roundByLargestRemainder.ts";
import { toTenths } from "../../../base/rounding.ts";
import type { Instruction } from "../instructions/instruction.ts";

/**
 * Divides each product leg of a compound among the members in proportion to their deltas, rounded by largest remainder
 * (docs/model/allocation.md#compound).
 *
 * @param deltaTenths one per member
 * @returns kW by product leg, one record per member, same order; `null` for an instruction without a breakdown
 */
export function memberBreakdowns(
  { compoundBreakdown, deltaTenths: totalTenths }: Instruction,
  deltaTenths: Int32Array,
): readonly Readonly<Record<string, number>>[] | null {
  if (compoundBreakdown === null) return null;
  const records = Array.from(deltaTenths, (): Record<string, number> => ({}));
  let coveredTenths = 0;
  for (const tenths of deltaTenths) coveredTenths += tenths;
  const legTenths = new Float64Array(deltaTenths.length);
  for (const [key, kw] of Object.entries(compoundBreakdown)) {
    const tenths = toTenths(kw);
    const share = totalTenths === 0 ? 0 : Math.abs(tenths / totalTenths);
    for (let i = 0; i < legTenths.length; i++) legTenths[i] = Math.abs(deltaTenths[i]) * share;
    roundByLargestRemainder(Math.round(Math.abs(coveredTenths) * share), legTenths, legTenths);
    for (let i = 0; i < legTenths.length; i++) records[i][key] = (Math.sign(tenths) * legTenths[i]) / 10 || 0;
  }
  return records;
}
