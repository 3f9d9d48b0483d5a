// What a site would do and report without any instruction, read straight off its series.
import { roundTo } from "../../../src/base/rounding.ts";
import { RandomStreams } from "../../../src/engine/kernel/randomStreams.ts";
import type { Series } from "../../../src/engine/series/model/series.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";

const SECONDS_PER_SLOT = 1800;

/** Half-hour means are read repeatedly: one cache per site, slot start to kW. */
const slotCaches = new WeakMap<SiteSpec, Map<number, number>>();

/**
 * The site's own plan at an instant, kW, import positive: a battery's or generator's value at that instant, a consumer's
 * registered half hour (docs/model/baselines.md, docs/model/baselines.md#reported-baseline, docs/model/baselines.md#registered-slots, docs/model/series.md#half-hour-means).
 */
export function planKw(site: SiteSpec, atMs: number): number {
  const { baseline } = site;
  if (baseline.method === "zero") return 0;
  if (baseline.method === "constant") return baseline.kw;
  const consumer = site.components.find((component) => component.kind === "consumer");
  if (consumer === undefined) return baseline.method === "series" ? baseline.plan.valueAt(atMs) : 0;
  const slotMs = slotOf(atMs);
  return cached(site, slotMs, () =>
    baseline.method === "series"
      ? slotMean(baseline.plan, slotMs, Number.POSITIVE_INFINITY)
      : slotMean(consumer.loadKw, slotMs, consumer.maxDemandKw),
  );
}

/** A site with the errors of its slots, by start of the half hour. */
interface ReportingSite {
  readonly site: SiteSpec;
  readonly slotErrorsKw: ReadonlyMap<number, number>;
}

/** Errors of the half hours of a world, one after the other (docs/model/baselines.md#error). */
export function slotErrorsKw(site: SiteSpec, { seed, startMs, endMs }: WorldSpec): ReadonlyMap<number, number> {
  const errors = new Map<number, number>();
  if (site.baselineError === undefined) return errors;
  const { biasKw, spreadKw, correlationMs } = site.baselineError;
  const random = new RandomStreams(seed).getStream("baseline_error", site.name);
  const rho = Math.exp((-SECONDS_PER_SLOT * 1000) / correlationMs);
  let errorKw = spreadKw * random.nextNormal();
  for (let slotMs = slotOf(startMs); slotMs < endMs; slotMs += SECONDS_PER_SLOT * 1000) {
    errors.set(slotMs, biasKw + errorKw);
    errorKw = rho * errorKw + Math.sqrt(1 - rho * rho) * spreadKw * random.nextNormal();
  }
  return errors;
}

const slotOf = (atMs: number): number => Math.floor(atMs / (SECONDS_PER_SLOT * 1000)) * SECONDS_PER_SLOT * 1000;

/** The baseline that a client sends with an instruction: the first slot, to 0.1 kW (docs/model/time.md#rounding, docs/model/connection-point.md#instructed). */
export const requestBaselineKw = (reporting: ReportingSite, startMs: number): number =>
  roundTo(slotKw(reporting, startMs), 1);

/** The slot that any kind of site reports. */
export function slotKw({ site, slotErrorsKw }: ReportingSite, atMs: number): number {
  const { baseline } = site;
  const slotMs = slotOf(atMs);
  const exactKw =
    baseline.method === "series"
      ? cached(site, slotMs, () => slotMean(baseline.plan, slotMs, Number.POSITIVE_INFINITY))
      : planKw(site, atMs);
  return exactKw + (slotErrorsKw.get(slotMs) ?? 0);
}

/** Whether a consumer has registered slots (docs/model/baselines.md#registered-slots). */
export const hasSlots = (site: SiteSpec): boolean => site.baseline.method !== "zero";

/** Mean over one half hour, second by second; exact for stamps on whole seconds. */
function slotMean(series: Series, slotMs: number, ceilingKw: number): number {
  let sum = 0;
  for (let k = 0; k < SECONDS_PER_SLOT; k++) sum += Math.min(ceilingKw, series.valueAt(slotMs + k * 1000 + 500));
  return sum / SECONDS_PER_SLOT;
}

function cached(site: SiteSpec, slotMs: number, compute: () => number): number {
  let cache = slotCaches.get(site);
  if (cache === undefined) slotCaches.set(site, (cache = new Map()));
  let kw = cache.get(slotMs);
  if (kw === undefined) cache.set(slotMs, (kw = compute()));
  return kw;
}
