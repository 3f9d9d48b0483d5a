import { toTenths } from "../../../base/rounding.ts";
import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import { curveValue } from "../../../device/curve/curve.ts";
import { BINDS, newStretch } from "../../../site/components/stretch.ts";
import type { HeldOrder } from "../../../site/orders/siteOrder.ts";
import type { Site } from "../../../site/site.ts";
import type { OutputControl } from "../../../site/siteMoment.ts";

/** What the documents call a site by what is behind its connection point. */
export type ResourceKind = "battery" | "generator" | "consumer" | "multi_component";

export function kindOf({ unit }: Site): ResourceKind {
  return unit.kind === "dispatchable" ? "generator" : unit.kind;
}

/** Whether irradiance is one of its figures; without a sensor it is null. */
export const isPv = ({ unit }: Site): boolean => unit.kind === "generator" && unit.spec.generatorKind === "pv";

/** Whether demand response is one of its figures. */
export const hasConsumer = ({ unit }: Site): boolean =>
  unit.kind === "consumer" || (unit.kind === "multi_component" && unit.consumers.length > 0);

/** A product, or what stands for several. */
export type ActiveSku = Sku | "mixed" | null;

/**
 * What a site's meter and its orders show at one instant: whole tenths of kW, of %, of W/m²; NaN where the documents say
 * null. Sums of these are exact in print.
 */
export interface SiteReading {
  inService: boolean;
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
  reducing: boolean;
  drTargetTenths: number;
  drActualTenths: number;
  irradianceTenths: number;
}

export const newReading = (): SiteReading => ({
  inService: true,
  currentTenths: 0,
  baselineTenths: 0,
  deltaTenths: 0,
  dispatchedTenths: Number.NaN,
  fcrTenths: Number.NaN,
  activeSku: null,
  socTenths: Number.NaN,
  outputLimitPct: Number.NaN,
  hasLoad: false,
  reducing: false,
  drTargetTenths: Number.NaN,
  drActualTenths: Number.NaN,
  irradianceTenths: Number.NaN,
});

/** Tenths as the number that is printed; NaN as null. */
export const fromTenths = (tenths: number): number | null => (Number.isNaN(tenths) ? null : tenths / 10);

const stretch = newStretch();

/** Power by the law in force, without changing anything: reading moves no state. */
export function currentKw(site: Site, atMs: EpochMs): number {
  site.unit.stretchAt(atMs, stretch);
  return curveValue(stretch.kw, stretch.kwPerMs, stretch.kwPerMs2, stretch.ratePerMs, atMs - stretch.originMs);
}

/** Reads a site, living or past, at an instant of its present law (right-continuous). */
export function readSite(site: Site, atMs: EpochMs, out: SiteReading): SiteReading {
  const isIn = site.inService;
  out.inService = isIn;
  out.baselineTenths = toTenths(site.reportedBaselineKw(atMs));
  out.currentTenths = isIn ? toTenths(currentKw(site, atMs)) : Number.NaN;
  out.deltaTenths = out.currentTenths - out.baselineTenths;
  readOrders(site, out);
  readState(site, atMs, out);
  return out;
}

/** What the law alone decides: the same at every instant of it. */
export function readOrders(site: Site, out: SiteReading): void {
  const { ruling } = site;
  const isIn = site.inService;
  out.dispatchedTenths = Number.NaN;
  out.fcrTenths = Number.NaN;
  out.activeSku = null;
  out.hasLoad = hasConsumer(site);
  out.reducing = isIn && site.reduction.reducing;
  out.drTargetTenths = Number.NaN;
  out.outputLimitPct = limitOf(site);
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
    if (holdsFcr(held)) {
      fcrKw += held.fcrKw;
      widths++;
    }
  }
  if (deltas > 0) out.dispatchedTenths = toTenths(deltaKw);
  if (widths > 0) out.fcrTenths = toTenths(fcrKw);
  const { unit } = site;
  if (out.reducing) out.drTargetTenths = toTenths(unit.kind === "multi_component" ? unit.reductionKw : -deltaKw);
}

/** What the unit measures besides power; `readOrders` and the powers come first. Components tell of themselves. */
export function readState(site: Site, atMs: EpochMs, out: SiteReading): void {
  const { unit } = site;
  out.socTenths = Number.NaN;
  out.irradianceTenths = Number.NaN;
  out.drActualTenths = Number.NaN;
  if (unit.kind === "battery") out.socTenths = toTenths((100 * unit.law.storedKwhAt(atMs)) / unit.spec.ratedCapKwh);
  else if (unit.kind === "generator" && unit.spec.irradianceWm2 !== null)
    out.irradianceTenths = toTenths(unit.spec.irradianceWm2.valueAt(atMs));
  if (out.hasLoad && out.reducing) out.drActualTenths = out.baselineTenths - out.currentTenths;
}

/** Whether an order holds a width of frequency response, be it one of 0. */
export const holdsFcr = ({ order, fcrKw }: HeldOrder): boolean => order.sku === "fcr" || fcrKw > 0;

/** The share of its rating that a site may export, in whole %; NaN where nothing limits it, and for a consumer. */
function limitOf(site: Site): number {
  return site.unit.kind === "consumer" || site.outputControls.length === 0
    ? Number.NaN
    : Math.round(100 * site.outputLimit);
}

/** The output control that binds: the lowest limit, the oldest of equals. */
export function bindingControl({ outputControls }: Site): OutputControl | null {
  let binding: OutputControl | null = null;
  for (const control of outputControls) if (binding === null || control.limitPct < binding.limitPct) binding = control;
  return binding;
}

/** Whether autonomous frequency response is in force and the device responds (decisions.md 58). */
export const fcrActive = (site: Site): boolean =>
  site.inService && site.fcrFaultCount === 0 && site.ruling.some(holdsFcr);

/**
 * Whether a site asks for attention: a fault was announced, it is out, or it has been instructed and a bound of its
 * store keeps it from following (decisions.md 9, 53).
 */
export function hasWarning(site: Site, atMs: EpochMs): boolean {
  if (!site.inService || site.warningCount > 0) return true;
  if (site.ruling.length === 0) return false;
  site.unit.stretchAt(atMs, stretch);
  return stretch.binds === BINDS.socBound;
}
