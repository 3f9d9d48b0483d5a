import type { EpochMs } from "../../base/time.ts";
import type { Component } from "./components/registry.ts";
import type { SiteMalfunctions } from "./siteMalfunctions.ts";

interface SensedSite {
  readonly malfunctions: SiteMalfunctions;
  kwAt(atMs: EpochMs): number;
}

/** The power of a site as its sensor shows it, in kW, import positive. */
export function shownKw(site: SensedSite, atMs: EpochMs): number {
  const { sensorFaults } = site.malfunctions;
  let kw = site.kwAt(atMs);
  for (const { sensor, offset, stuckKw } of sensorFaults)
    if (sensor === "power") kw = offset === null ? stuckKw : kw + offset;
  return kw;
}

/** The SOC of a component as its sensor shows it, in %, 0 to 100; `null` without a store. @param k  index of the component */
export function shownSocPct(
  { malfunctions: { sensorFaults } }: Pick<SensedSite, "malfunctions">,
  k: number,
  socPct: number | null,
): number | null {
  if (socPct === null || sensorFaults.length === 0) return socPct;
  let pct = socPct;
  for (const { sensor, offset, stuckSocPct } of sensorFaults)
    if (sensor === "soc") pct = Math.min(100, Math.max(0, offset === null ? stuckSocPct[k] : pct + offset));
  return pct;
}

/** By how much the stored energy that a component's SOC sensor shows exceeds the true one, in kWh. @param k  index of the component */
export function shownExcessKwh(
  site: Pick<SensedSite, "malfunctions">,
  k: number,
  component: Pick<Component, "socPctAt" | "storage">,
  atMs: EpochMs,
): number {
  const { storage } = component;
  if (storage === null || site.malfunctions.sensorFaults.length === 0) return 0;
  const socPct = component.socPctAt(atMs);
  const shownPct = shownSocPct(site, k, socPct);
  if (socPct === null || shownPct === null || socPct <= 0) return 0;
  return (storage.trajectory.storedKwhAt(atMs) / socPct) * (shownPct - socPct);
}
