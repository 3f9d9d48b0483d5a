import { roundKw } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { Series } from "../../series/model/series.ts";
import type { SiteBaseline } from "../../site/baseline/siteBaseline.ts";
import type { ComponentSpec } from "../../site/components/registry.ts";
import type { Period, SiteSpec } from "../../site/siteSpec.ts";
import type { AwardSpec } from "../../vpp/instructions/instructionSpec.ts";

/**
 * The most energy that a site could deliver to an award, whatever it is told and whatever it stores, in kWh: the time
 * integral of the distance from its baseline to the farthest power that its ratings, its weather and its load leave it.
 * Ramps, delays, tapers, reservoirs and refusals can only make it less.
 *
 * @param isInService the parts of the award in which the site is in service
 */
export function deliverableKwh(
  site: SiteSpec,
  baseline: SiteBaseline,
  award: AwardSpec,
  inService: readonly Period[],
): number {
  if (!canParticipate(site, award)) return 0;
  const up = (award.deltaKw ?? 0) > 0;
  const baselineKw = farthestBaselineKw(baseline, award, inService, up);
  let kwh = 0;
  for (const { startMs, endMs } of inService)
    for (let fromMs = startMs; fromMs < endMs; ) {
      const toMs = Math.min(endMs, nextStampMs(site.components, fromMs));
      const edgeKw = up
        ? Math.min(
            Math.max(
              site.constraints.siteImportMaxKw,
              sum(site.components, (component) => uncontrolledKw(component, fromMs, toMs)),
            ),
            sum(site.components, highestKw),
          )
        : sum(site.components, (component) => lowestKw(component, fromMs, toMs));
      kwh += (Math.max(0, up ? edgeKw - baselineKw : baselineKw - edgeKw) * (toMs - fromMs)) / MS_PER_HOUR;
      fromMs = toMs;
    }
  return kwh;
}

/** Whether ratings and products let the site be told anything by such an award (docs/model/allocation.md#exclusion, docs/model/allocation.md#compatibility, docs/model/apis.md#site-refusals, docs/model/scenario-format.md#capability-flags). */
export function canParticipate({ capability, components }: SiteSpec, { sku, deltaKw }: AwardSpec): boolean {
  if (sku !== null && !capability.marketable.includes(sku)) return false;
  if (components.length !== 1) return true;
  const [component] = components;
  const up = (deltaKw ?? 0) > 0;
  if (component.kind === "battery") return true;
  if (component.kind === "consumer")
    return !up && capability.drCapable && sku !== "exchange-da" && sku !== "exchange-ttv";
  if (component.subsidy === "fit" && sku !== null) return false;
  return component.kind === "dispatchable" || !up;
}

/** The baseline that makes most of the site's power: as sent at the start, or of any slot within the award. */
function farthestBaselineKw(
  { slotsKw: slots }: SiteBaseline,
  { startMs }: AwardSpec,
  inService: readonly Period[],
  up: boolean,
): number {
  const farther = up ? Math.min : Math.max;
  if (!(slots instanceof Series)) return farther(slots, roundKw(slots));
  let kw = roundKw(slots.valueAt(startMs));
  for (const period of inService)
    for (let atMs = period.startMs; atMs < period.endMs; atMs = slots.nextChangeMs(atMs))
      kw = farther(kw, slots.valueAt(atMs));
  return kw;
}

const sum = (components: readonly ComponentSpec[], of: (component: ComponentSpec) => number): number => {
  let kw = 0;
  for (const component of components) kw += of(component);
  return kw;
};

/** The most that a component could draw, in kW. */
function highestKw(component: ComponentSpec): number {
  switch (component.kind) {
    case "battery":
      return component.importMaxKw + component.auxiliaryKw;
    case "generator":
      return 0;
    case "dispatchable":
      return component.reservoir?.pumpMaxKw ?? 0;
    case "consumer":
      return component.maxDemandKw;
  }
}

/** The most that a component could draw whatever the site's limit: nobody cuts a load, or what a battery needs itself. */
function uncontrolledKw(component: ComponentSpec, fromMs: EpochMs, toMs: EpochMs): number {
  if (component.kind === "battery") return component.auxiliaryKw;
  if (component.kind !== "consumer") return 0;
  const { loadKw, maxDemandKw, reboundFraction } = component;
  return 0 < reboundFraction ? maxDemandKw : Math.min(maxDemandKw, largest(loadKw, fromMs, toMs));
}

/** The least that a component could draw, or the most it could send as a negative number, anywhere in a time. */
function lowestKw(component: ComponentSpec, fromMs: EpochMs, toMs: EpochMs): number {
  switch (component.kind) {
    case "battery":
      return -component.exportMaxKw;
    case "generator":
      return -Math.min(component.ratedOutputKw, largest(component.generationKw, fromMs, toMs));
    case "dispatchable":
      return -component.ratedOutputKw;
    case "consumer":
      return Math.max(
        0,
        Math.min(component.maxDemandKw, smallest(component.loadKw, fromMs, toMs)) - component.maxDrReductionKw,
      );
  }
}

/** Between two stamps a series is flat or straight: its extremes are at the ends. */
const largest = (series: Series, fromMs: EpochMs, toMs: EpochMs): number =>
  series.interpolation === "step" ? series.valueAt(fromMs) : Math.max(series.valueAt(fromMs), series.valueAt(toMs));
const smallest = (series: Series, fromMs: EpochMs, toMs: EpochMs): number =>
  series.interpolation === "step" ? series.valueAt(fromMs) : Math.min(series.valueAt(fromMs), series.valueAt(toMs));

/** When generation or load next take another course. */
function nextStampMs(components: readonly ComponentSpec[], atMs: EpochMs): EpochMs {
  let nextMs = Number.POSITIVE_INFINITY;
  for (const component of components) {
    const series =
      component.kind === "generator" ? component.generationKw : component.kind === "consumer" ? component.loadKw : null;
    if (series === null) continue;
    const k = series.indexAt(atMs) + 1;
    if (k < series.timesMs.length) nextMs = Math.min(nextMs, series.timesMs[k]);
  }
  return nextMs;
}
