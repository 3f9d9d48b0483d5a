import { toTenths } from "../../../../base/rounding.ts";
import type { Sku } from "../../../../base/sku.ts";
import type { EpochMs } from "../../../../base/time.ts";
import { LIMITING_FACTOR } from "../../../../engine/device/curve/limitingFactor.ts";
import { kindOf } from "../../../../engine/site/components/registry.ts";
import type { OrderBookEntry } from "../../../../engine/site/orders/siteOrder.ts";
import { shownKw, shownSocPct } from "../../../../engine/site/shownReadings.ts";
import type { Site } from "../../../../engine/site/site.ts";
import type { OutputControl } from "../../../../engine/site/siteSnapshot.ts";
import { figuresOf } from "./resourceFigures.ts";

/** Whether the API gives an irradiance for the site; the value is null without a sensor. */
export const isPvPlant = ({ resource }: Site): boolean =>
  resource.composite === null && kindOf(resource).wire.hasIrradiance(resource.spec);

/** The active product; `mixed` for several. */
export type ActiveSku = Sku | "mixed" | null;

/**
 * Measurements and active orders of a site at one instant, in whole tenths of kW, % and W/m². NaN where the API documents
 * specify null. Integers make printed sums exact.
 */
export interface SiteReading {
  isInService: boolean;
  currentTenths: number;
  baselineTenths: number;
  deltaTenths: number;
  dispatchedTenths: number;
  /** FCR capacity allocated to the site. */
  fcrTenths: number;
  activeSku: ActiveSku;
  /** State of charge; NaN without a battery. */
  socTenths: number;
  /** Output ceiling, 0 to 100 %; NaN for a consumer. */
  outputLimitPct: number;
  /** Whether the site has demand-response figures. */
  hasLoad: boolean;
  /** Whether demand response is active. */
  isReducing: boolean;
  drTargetTenths: number;
  drActualTenths: number;
  irradianceTenths: number;
}

export const newSiteReading = (): SiteReading => ({
  isInService: true,
  currentTenths: 0,
  baselineTenths: 0,
  deltaTenths: 0,
  dispatchedTenths: Number.NaN,
  fcrTenths: Number.NaN,
  activeSku: null,
  socTenths: Number.NaN,
  outputLimitPct: Number.NaN,
  hasLoad: false,
  isReducing: false,
  drTargetTenths: Number.NaN,
  drActualTenths: Number.NaN,
  irradianceTenths: Number.NaN,
});

/** Tenths as the number of the response; NaN as null. */
export const fromTenths = (tenths: number): number | null => (Number.isNaN(tenths) ? null : tenths / 10);

/** Reads a running or past site at an instant of its present trajectory (right-continuous). */
export function readSite(site: Site, atMs: EpochMs, out: SiteReading): SiteReading {
  const isIn = site.isInService;
  out.isInService = isIn;
  out.baselineTenths = toTenths(site.reportedBaselineKw(atMs));
  out.currentTenths = isIn ? toTenths(shownKw(site, atMs)) : Number.NaN;
  out.deltaTenths = out.currentTenths - out.baselineTenths;
  readOrders(site, out);
  readState(site, atMs, out);
  return out;
}

/** Reads the fields that are constant within a trajectory. */
export function readOrders(site: Site, out: SiteReading): void {
  const { activeOrders } = site;
  const isIn = site.isInService;
  out.dispatchedTenths = Number.NaN;
  out.fcrTenths = Number.NaN;
  out.activeSku = null;
  out.hasLoad = site.resource.hasLoad;
  out.isReducing = isIn && site.reduction.reducing;
  out.drTargetTenths = Number.NaN;
  out.outputLimitPct = outputLimitPctOf(site);
  if (!isIn || activeOrders.length === 0) return;
  out.activeSku = activeOrders.length === 1 ? activeOrders[0].order.sku : "mixed";
  let deltaKw = 0;
  let fcrKw = 0;
  let deltaCount = 0;
  let fcrCount = 0;
  for (const entry of activeOrders) {
    if (entry.order.sku !== "fcr") {
      deltaKw += entry.deltaKw;
      deltaCount++;
    }
    if (isFcrOrder(entry)) {
      fcrKw += entry.fcrCapacityKw;
      fcrCount++;
    }
  }
  if (deltaCount > 0) out.dispatchedTenths = toTenths(deltaKw);
  if (fcrCount > 0) out.fcrTenths = toTenths(fcrKw);
  if (out.isReducing) out.drTargetTenths = toTenths(site.resource.composite?.reductionKw ?? -deltaKw);
}

/** Reads the measurements besides power of a site of one component. `readOrders` and the powers must be read before. */
export function readState(site: Site, atMs: EpochMs, out: SiteReading): void {
  const { resource } = site;
  const isSingle = resource.composite === null;
  const socPct = isSingle ? shownSocPct(site, 0, resource.socPctAt(atMs)) : null;
  const irradiance = isSingle ? resource.irradiance : null;
  out.socTenths = socPct === null ? Number.NaN : toTenths(socPct);
  out.irradianceTenths = irradiance === null ? Number.NaN : toTenths(irradiance.valueAt(atMs));
  out.drActualTenths = Number.NaN;
  if (out.hasLoad && out.isReducing) out.drActualTenths = out.baselineTenths - out.currentTenths;
}

/** Whether an order includes frequency response; an FCR order counts even with a capacity of 0. */
const isFcrOrder = ({ order, fcrCapacityKw: fcrKw }: OrderBookEntry): boolean => order.sku === "fcr" || fcrKw > 0;

/** Output ceiling in whole % of the rating, 100 without output control; NaN for a consumer (docs/model/apis.md#output-limit). */
const outputLimitPctOf = (site: Site): number =>
  figuresOf(site).hasOutputControl ? Math.round(100 * site.outputLimitShare) : Number.NaN;

/** The limiting output control: the lowest limit; of equal limits, the oldest. */
export function limitingOutputControl({ outputControls }: Site): OutputControl | null {
  let limiting: OutputControl | null = null;
  for (const control of outputControls)
    if (limiting === null || control.limitPct < limiting.limitPct) limiting = control;
  return limiting;
}

/** Whether autonomous frequency response is in force and the device responds (docs/model/members.md#fcr-fields). */
export const isFcrActive = (site: Site): boolean =>
  site.isInService && site.activeFcrFaultCount === 0 && site.activeOrders.some(isFcrOrder);

/**
 * Whether a site has a warning: an announced fault, an outage, or an instruction that it cannot follow because its
 * storage is at a bound (docs/model/capability.md#power-only, docs/model/members.md#sums).
 */
export function hasWarning(site: Site, atMs: EpochMs): boolean {
  if (!site.isInService || site.activeWarningCount > 0) return true;
  if (site.activeOrders.length === 0) return false;
  return site.segmentAt(atMs).limitedBy === LIMITING_FACTOR.socBound;
}
