import type { BatterySpec } from "../../device/battery/batterySpec.ts";
import type { SiteSpec } from "../../site/siteSpec.ts";

/** A battery of which the bound knows exactly how its energy moves: by what it delivers, and by nothing else. */
export interface IdealStorage {
  readonly site: number;
  readonly storedMinKwh: number;
  readonly storedMaxKwh: number;
  readonly initialKwh: number;
  readonly importMaxKw: number;
  readonly exportMaxKw: number;
  readonly chargeEfficiency: number;
  readonly dischargeEfficiency: number;
  readonly auxiliaryKw: number;
}

/**
 * `null` for other sites: whatever moves energy outside its awards (a plan of its own, delays and ramps that outlast an
 * award, self-discharge, other components) makes the store one of which only the power is taken into account.
 */
export function idealStorageOf(site: SiteSpec, index: number): IdealStorage | null {
  const [component] = site.components;
  if (site.components.length !== 1 || component.kind !== "battery") return null;
  if (site.baseline.method !== "zero" || site.link.latencyMs > 0 || hasOwnDynamics(component)) return null;
  const { ratedCapKwh, socOpMinPct, socOpMaxPct, initialSocPct } = component;
  const initialKwh = (initialSocPct * ratedCapKwh) / 100;
  const { siteImportMaxKw, siteExportMaxKw } = site.constraints;
  return {
    site: index,
    // A battery that begins outside its window stays where it is until it is told to move inwards.
    storedMinKwh: Math.min((socOpMinPct * ratedCapKwh) / 100, initialKwh),
    storedMaxKwh: Math.max((socOpMaxPct * ratedCapKwh) / 100, initialKwh),
    initialKwh,
    importMaxKw: Math.min(component.importMaxKw, siteImportMaxKw),
    // Of what the cells give, the auxiliaries may take their part before the site's limit.
    exportMaxKw: site.capability.reverseFlowAllowed
      ? Math.min(component.exportMaxKw, siteExportMaxKw + component.auxiliaryKw)
      : 0,
    chargeEfficiency: component.chargeEfficiency,
    dischargeEfficiency: component.dischargeEfficiency,
    auxiliaryKw: component.auxiliaryKw,
  };
}

const hasOwnDynamics = ({ responseDelayMs, rampKwPerS, selfDischargePctPerDay }: BatterySpec): boolean =>
  responseDelayMs > 0 || rampKwPerS !== null || selfDischargePctPerDay > 0;
