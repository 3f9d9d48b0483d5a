import { roundTo } from "../../../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";
import type { Storage } from "../../../engine/site/components/capabilities.ts";
import type { Component } from "../../../engine/site/components/registry.ts";
import { componentsOf, type SiteResource } from "../../../engine/site/siteResource.ts";

/** The only component with a storage; `null`: the site has none, or several. */
export function storageOf(resource: SiteResource): { readonly component: Component; readonly storage: Storage } | null {
  let found: { readonly component: Component; readonly storage: Storage } | null = null;
  for (const component of componentsOf(resource)) {
    const { storage } = component;
    if (storage === null) continue;
    if (found !== null) return null;
    found = { component, storage };
  }
  return found;
}

/** Minutes until a storage is empty or full at its mean power of the next second; `null`: it does not go that way. */
export function minutesToEnd(
  { trajectory, emptyKwh, fullKwh }: Storage,
  end: "empty" | "full",
  nowMs: EpochMs,
): number | null {
  const storedKwh = trajectory.storedKwhAt(nowMs);
  const kwhPerMinute = ((trajectory.storedKwhAt(nowMs + MS_PER_SECOND) - storedKwh) * MS_PER_MINUTE) / MS_PER_SECOND;
  // Less than a hundredth of a kWh in an hour is self-discharge or rounding.
  if (Math.abs(kwhPerMinute) < 0.01 / 60 || kwhPerMinute < 0 !== (end === "empty")) return null;
  return roundTo(Math.max(0, ((end === "empty" ? emptyKwh : fullKwh) - storedKwh) / kwhPerMinute), 1);
}
