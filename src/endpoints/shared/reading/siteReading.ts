import { toTenths } from "../../../base/rounding.ts";
import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import { curveValue } from "../../../device/curve/curve.ts";
import { kindOf } from "../../../site/components/registry.ts";
import { LIMITING_FACTOR, newSegment } from "../../../site/components/segment.ts";
import type { OrderBookEntry } from "../../../site/orders/siteOrder.ts";
import type { Site } from "../../../site/site.ts";
import type { OutputControl } from "../../../site/siteSnapshot.ts";
import { figuresOf } from "./resourceFigures.ts";

/** Whether irradiance is one of its figures; without a sensor it is null. */
export const isPvPlant = ({ resource }: Site): boolean =>
  resource.composite === null && kindOf(resource).wire.hasIrradiance(resource.spec);

/** A product, or what stands for several. */
export type ActiveSku = Sku | "mixed" | null;

/**
 * What a site's meter and its orders show at one instant: whole tenths of kW, of %, of W/m²; NaN where the documents say
 * null. Sums of these are exact in print.
 */
export interface SiteReading {
  isInService: boolean;
  currentTenths: number;
  baselineTenths: number;
  deltaTenths: number;
  dispatchedTenths: number;
  /** Width allocated to the site. */
  fcrTenths: number;
  activeSku: ActiveSku;
  /** Of a battery. */
  socTenths: number;
  /** In force, 0 to 100 %. */
  outputLimitPct: number;
  /** Whether demand response is one of its figures. */
  hasLoad: boolean;
  /** Demand response in force. */
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

/** Tenths as the number that is printed; NaN as null. */
export const fromTenths = (tenths: number): number | null => (Number.isNaN(tenths) ? null : tenths / 10);

const segment = newSegment();

/** Power by the law in force, without changing anything: reading moves no state. */
export function currentKw(site: Site, atMs: EpochMs): number {
  site.resource.segmentAt(atMs, segment);
  return curveValue(segment.kw, segment.kwPerMs, segment.kwPerMs2, segment.ratePerMs, atMs - segment.originMs);
}

/** Reads a site, living or past, at an instant of its present law (right-continuous). */
export function readSite(site: Site, atMs: EpochMs, out: SiteReading): SiteReading {
  const isIn = site.isInService;
  out.isInService = isIn;
  out.baselineTenths = toTenths(site.reportedBaselineKw(atMs));
  out.currentTenths = isIn ? toTenths(currentKw(site, atMs)) : Number.NaN;
  out.deltaTenths = out.currentTenths - out.baselineTenths;
  readOrders(site, out);
  readState(site, atMs, out);
  return out;
}

/** What the law alone decides: the same at every instant of it. */
export function readOrders(site: Site, out: SiteReading): void {
  const { activeOrders: ruling } = site;
  const isIn = site.isInService;
  out.dispatchedTenths = Number.NaN;
  out.fcrTenths = Number.NaN;
  out.activeSku = null;
  out.hasLoad = site.resource.hasLoad;
  out.isReducing = isIn && site.reduction.reducing;
  out.drTargetTenths = Number.NaN;
  out.outputLimitPct = outputLimitPctOf(site);
  if (!isIn || ruling.length === 0) return;
  out.activeSku = ruling.length === 1 ? ruling[0].order.sku : "mixed";
  let deltaKw = 0;
  let fcrKw = 0;
  let deltas = 0;
  let widths = 0;
  for (const held of ruling) {
    if (held.order.sku !== "fcr") {
      deltaKw += held.deltaKw;
      deltas++;
    }
    if (isFcrOrder(held)) {
      fcrKw += held.fcrCapacityKw;
      widths++;
    }
  }
  if (deltas > 0) out.dispatchedTenths = toTenths(deltaKw);
  if (widths > 0) out.fcrTenths = toTenths(fcrKw);
  if (out.isReducing) out.drTargetTenths = toTenths(site.resource.composite?.reductionKw ?? -deltaKw);
}

/** What the unit measures besides power; `readOrders` and the powers come first. Components tell of themselves. */
export function readState(site: Site, atMs: EpochMs, out: SiteReading): void {
  const { resource } = site;
  const isSingle = resource.composite === null;
  const socPct = isSingle ? resource.socPctAt(atMs) : null;
  const irradiance = isSingle ? resource.irradiance : null;
  out.socTenths = socPct === null ? Number.NaN : toTenths(socPct);
  out.irradianceTenths = irradiance === null ? Number.NaN : toTenths(irradiance.valueAt(atMs));
  out.drActualTenths = Number.NaN;
  if (out.hasLoad && out.isReducing) out.drActualTenths = out.baselineTenths - out.currentTenths;
}

/** Whether an order holds a width of frequency response, be it one of 0. */
export const isFcrOrder = ({ order, fcrCapacityKw: fcrKw }: OrderBookEntry): boolean =>
  order.sku === "fcr" || fcrKw > 0;

/** The share of its rating that a site may export, in whole %; NaN where nothing limits it, and for a consumer. */
function outputLimitPctOf(site: Site): number {
  return site.outputControls.length === 0 || !figuresOf(site).hasOutputControl
    ? Number.NaN
    : Math.round(100 * site.outputLimit);
}

/** The output control that binds: the lowest limit, the oldest of equals. */
export function limitingOutputControl({ outputControls }: Site): OutputControl | null {
  let binding: OutputControl | null = null;
  for (const control of outputControls) if (binding === null || control.limitPct < binding.limitPct) binding = control;
  return binding;
}

/** Whether autonomous frequency response is in force and the device responds (docs/model/members.md#fcr-fields). */
export const isFcrActive = (site: Site): boolean =>
  site.isInService && site.activeFcrFaultCount === 0 && site.activeOrders.some(isFcrOrder);

/**
 * Whether a site asks for attention: a fault was announced, it is out, or it has been instructed and a bound of its
 * store keeps it from following (docs/model/capability.md#power-only, docs/model/members.md#sums).
 */
export function hasWarning(site: Site, atMs: EpochMs): boolean {
  if (!site.isInService || site.activeWarningCount > 0) return true;
  if (site.activeOrders.length === 0) return false;
  site.resource.segmentAt(atMs, segment);
  return segment.limitedBy === LIMITING_FACTOR.socBound;
}
