import { roundKw } from "../../base/rounding.ts";
import { sumOf } from "../../base/sums.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { Series } from "../../series/model/series.ts";
import type { SiteBaseline } from "../../site/baseline/siteBaseline.ts";
import { type ComponentSpec, kindOf } from "../../site/components/registry.ts";
import { limitKwAt } from "../../site/limitsInForce.ts";
import type { Period, SiteSpec } from "../../site/siteSpec.ts";
import type { AwardSpec } from "../../vpp/instructions/instructionSpec.ts";

/**
 * Upper bound of the energy that a site could deliver to an award, for any set-points and any stored energy, in kWh. It
 * is the time integral of the distance from the baseline to the farthest power that ratings, weather and load allow.
 * Ramps, delays, tapers, reservoirs and refusals can only reduce it.
 *
 * @param inService the periods of the award in which the site is in service
 */
export function deliverableKwh(
  site: SiteSpec,
  baseline: SiteBaseline,
  award: AwardSpec,
  inService: readonly Period[],
): number {
  if (!canParticipate(site, award)) return 0;
  const isUpward = (award.deltaKw ?? 0) > 0;
  const baselineKw = farthestBaselineKw(baseline, award, inService, isUpward ? Math.min : Math.max);
  let kwh = 0;
  for (const { startMs, endMs } of inService)
    for (let fromMs = startMs; fromMs < endMs; ) {
      const toMs = Math.min(endMs, Math.min(nextStampMs(site.components, fromMs), nextLimitMs(site, fromMs)));
      const limitKw = isUpward
        ? Math.min(
            Math.max(
              limitKwAt(site.constraints.siteImportMaxKw, fromMs),
              sumOf(site.components, (component) =>
                kindOf(component).study.highestUncontrolledKw(component, fromMs, toMs),
              ),
            ),
            sumOf(site.components, (component) => kindOf(component).study.highestKw(component)),
          )
        : sumOf(site.components, (component) => kindOf(component).study.lowestKw(component, fromMs, toMs));
      kwh += (Math.max(0, isUpward ? limitKw - baselineKw : baselineKw - limitKw) * (toMs - fromMs)) / MS_PER_HOUR;
      fromMs = toMs;
    }
  return kwh;
}

/**
 * Whether the site may be dispatched for such an award, by its ratings and products
 * (docs/model/allocation.md#exclusion, docs/model/allocation.md#compatibility, docs/model/apis.md#site-refusals,
 * docs/model/scenario-format.md#capability-flags).
 */
export function canParticipate({ capability, components }: SiteSpec, { sku, deltaKw }: AwardSpec): boolean {
  if (sku !== null && !capability.marketable.includes(sku)) return false;
  if (components.length !== 1) return true;
  const [component] = components;
  const terms = { sku, isUp: (deltaKw ?? 0) > 0, isDrCapable: capability.drCapable };
  return kindOf(component).study.canParticipate(component, terms);
}

/**
 * The lowest or highest baseline: the value sent at the start, or that of any slot within the award.
 */
function farthestBaselineKw(
  { slotsKw }: SiteBaseline,
  { startMs }: AwardSpec,
  inService: readonly Period[],
  select: typeof Math.min,
): number {
  if (!(slotsKw instanceof Series)) return select(slotsKw, roundKw(slotsKw));
  let kw = roundKw(slotsKw.valueAt(startMs));
  for (const period of inService)
    for (let atMs = period.startMs; atMs < period.endMs; atMs = slotsKw.nextChangeMs(atMs))
      kw = select(kw, slotsKw.valueAt(atMs));
  return kw;
}

/** The next stamp of a limit of the connection point. */
const nextLimitMs = ({ constraints: { siteImportMaxKw } }: SiteSpec, atMs: EpochMs): EpochMs =>
  typeof siteImportMaxKw === "number" ? Number.POSITIVE_INFINITY : siteImportMaxKw.nextChangeMs(atMs);

/** The next stamp of a generation or load series. */
function nextStampMs(components: readonly ComponentSpec[], atMs: EpochMs): EpochMs {
  let nextMs = Number.POSITIVE_INFINITY;
  for (const component of components) {
    const series = kindOf(component).study.drivingSeries(component);
    if (series === null) continue;
    const k = series.indexAt(atMs) + 1;
    if (k < series.timesMs.length) nextMs = Math.min(nextMs, series.timesMs[k]);
  }
  return nextMs;
}
