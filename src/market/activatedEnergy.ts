import type { GroupSlot } from "./awardSlot.ts";
import type { AwardLine } from "./settlement.ts";

/** Activated energy of all awards of a VPP in a slot, in kWh, import positive; 0 without any. */
type ActivatedKwhOf = (slot: Pick<GroupSlot, "group" | "slotStartMs">) => number;

/** Sums the activated energy of awards by VPP and slot, in the order of the lines. */
export function sumActivatedEnergy(
  lines: readonly Pick<AwardLine, "vpp" | "slotStartMs" | "activatedKwh">[],
): ActivatedKwhOf {
  const sums = new Map<string, number>();
  for (const { vpp, slotStartMs, activatedKwh } of lines) {
    const key = `${slotStartMs} ${vpp}`;
    sums.set(key, (sums.get(key) ?? 0) + activatedKwh);
  }
  return ({ group, slotStartMs }) => sums.get(`${slotStartMs} ${group}`) ?? 0;
}
