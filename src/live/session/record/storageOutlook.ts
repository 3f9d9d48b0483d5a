import { roundTo } from "../../../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";
import type { Storage } from "../../../engine/site/components/capabilities.ts";
import { shownExcessKwh, shownSocPct } from "../../../engine/site/shownReadings.ts";
import type { Site } from "../../../engine/site/site.ts";
import { componentsOf } from "../../../engine/site/siteResource.ts";

/** A store as its SOC sensor shows it. */
export interface ShownStore {
  readonly storage: Storage;
  readonly storedKwh: number;
  readonly socPct: number | null;
}

/** The stores of a site, in the order of its components. */
export function storesOf(site: Site, nowMs: EpochMs): readonly ShownStore[] {
  return componentsOf(site.resource).flatMap((component, k) => {
    const { storage } = component;
    if (storage === null) return [];
    const storedKwh = storage.trajectory.storedKwhAt(nowMs) + shownExcessKwh(site, k, component, nowMs);
    return [{ storage, storedKwh, socPct: shownSocPct(site, k, component.socPctAt(nowMs)) }];
  });
}

/** The only store of a site; `null`: it has none, or several. */
export function storeOf(site: Site, nowMs: EpochMs): ShownStore | null {
  const stores = storesOf(site, nowMs);
  return stores.length === 1 ? stores[0] : null;
}

/** Minutes until a store is empty or full at its mean power of the next second; `null`: it does not go that way. */
export function minutesToEnd(
  { storage: { trajectory, emptyKwh, fullKwh }, storedKwh }: ShownStore,
  end: "empty" | "full",
  nowMs: EpochMs,
): number | null {
  const changeKwh = trajectory.storedKwhAt(nowMs + MS_PER_SECOND) - trajectory.storedKwhAt(nowMs);
  const kwhPerMinute = (changeKwh * MS_PER_MINUTE) / MS_PER_SECOND;
  // Less than a hundredth of a kWh in an hour is self-discharge or rounding.
  if (Math.abs(kwhPerMinute) < 0.01 / 60 || kwhPerMinute < 0 !== (end === "empty")) return null;
  return roundTo(Math.max(0, ((end === "empty" ? emptyKwh : fullKwh) - storedKwh) / kwhPerMinute), 1);
}
