// What a site would do and report without any instruction, read straight off its series.
import { roundTo } from "../../../src/base/rounding.ts";
import type { Series } from "../../../src/engine/series/model/series.ts";
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
  const slotMs = Math.floor(atMs / (SECONDS_PER_SLOT * 1000)) * SECONDS_PER_SLOT * 1000;
  return cached(site, slotMs, () =>
    baseline.method === "series"
      ? slotMean(baseline.plan, slotMs, Number.POSITIVE_INFINITY)
      : slotMean(consumer.loadKw, slotMs, consumer.maxDemandKw),
  );
}

/** The baseline that a client sends with an instruction: the plan at its first slot, to 0.1 kW (docs/model/time.md#rounding, docs/model/connection-point.md#instructed). */
export const requestBaselineKw = (site: SiteSpec, startMs: number): number => roundTo(slotKw(site, startMs), 1);

/** The registered half hour of any kind of site. */
function slotKw(site: SiteSpec, atMs: number): number {
  const { baseline } = site;
  if (baseline.method !== "series") return planKw(site, atMs);
  const slotMs = Math.floor(atMs / (SECONDS_PER_SLOT * 1000)) * SECONDS_PER_SLOT * 1000;
  return cached(site, slotMs, () => slotMean(baseline.plan, slotMs, Number.POSITIVE_INFINITY));
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
