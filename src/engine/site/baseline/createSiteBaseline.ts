import { type EpochMs, MS_PER_DAY } from "../../../base/time.ts";
import { capSeries } from "../../series/model/capSeries.ts";
import { halfHourMeans } from "../../series/model/halfHourMeans.ts";
import { scaleSeries } from "../../series/model/scaleSeries.ts";
import { Series } from "../../series/model/series.ts";
import { sumSeries } from "../../series/model/sumSeries.ts";
import { kindOf } from "../components/registry.ts";
import type { RunPeriod, SiteSpec } from "../siteSpec.ts";
import type { SiteBaseline } from "./siteBaseline.ts";
import { slotsWithError } from "./slotsWithError.ts";

/** A site's baseline over the run. @see docs/model/baselines.md, docs/model/baselines.md#registered-slots, docs/model/baselines.md#half-hour-slots */
export function createSiteBaseline(spec: SiteSpec, run: RunPeriod): SiteBaseline {
  const planKw = planOf(spec);
  const untilMs = slotsUntilMs(planKw, run.endMs);
  const exactKw = planKw instanceof Series ? halfHourMeans(planKw, run.startMs, untilMs) : planKw;
  const { baselineError: error, name: site } = spec;
  return {
    planKw,
    slotsKw: error === undefined ? exactKw : slotsWithError(exactKw, error, { site, run, untilMs }),
    hasRegisteredSlots: spec.baseline.method !== "zero" || !isConsumer(spec),
  };
}

function planOf(spec: SiteSpec): Series | number {
  const { baseline } = spec;
  if (baseline.method === "zero") return 0;
  if (baseline.method === "constant") return baseline.kw;
  return "plan" in baseline ? baseline.plan : uncontrolledPlan(spec);
}

/** An award registered during the run starts at most this long after the end of the run (docs/model/time.md#command-times). */
const REGISTRATION_HORIZON_MS = 90 * MS_PER_DAY;

/**
 * Slots continue after the run as far as the data do. Awards registered during the run may start after it, and the half hour
 * in which the run ends gets the same mean as in a longer run.
 */
function slotsUntilMs(planKw: Series | number, endMs: EpochMs): EpochMs {
  const horizonMs = endMs + REGISTRATION_HORIZON_MS;
  return planKw instanceof Series ? Math.max(endMs, Math.min(planKw.untilMs, horizonMs)) : horizonMs;
}

const isConsumer = (spec: SiteSpec) =>
  spec.components.some((component) => kindOf(component).operation.loadTerms(component) !== null);

/** The site's power without any order. */
function uncontrolledPlan(spec: SiteSpec): Series | number {
  if (spec.components.length > 1) return uncontrolledCompositePlan(spec);
  const component = spec.components[0];
  return kindOf(component).operation.uncontrolledKw(component, spec.constraints.siteExportMaxKw);
}

/** Loads and auxiliaries minus PV and wind output, within the export limit; batteries and plants idle. */
function uncontrolledCompositePlan({ components, constraints, capability }: SiteSpec): Series | number {
  const series: Series[] = [];
  let constantKw = 0;
  for (const component of components) {
    const { operation } = kindOf(component);
    const powerKw = operation.uncontrolledKw(component, Number.POSITIVE_INFINITY);
    if (typeof powerKw === "number") constantKw += powerKw;
    else series.push(powerKw);
    constantKw += operation.auxiliaryKw(component);
  }
  if (series.length === 0) return constantKw;
  const sum = shiftSeries(sumSeries(series), constantKw);
  const exportMaxKw = capability.reverseFlowAllowed ? constraints.siteExportMaxKw : 0;
  return exportMaxKw === Number.POSITIVE_INFINITY ? sum : scaleSeries(capSeries(scaleSeries(sum, -1), exportMaxKw), -1);
}

function shiftSeries(series: Series, offsetKw: number): Series {
  if (offsetKw === 0) return series;
  const values = series.values.map((value) => value + offsetKw);
  return new Series(series.name, series.timesMs, values, series.interpolation, series.untilMs);
}
