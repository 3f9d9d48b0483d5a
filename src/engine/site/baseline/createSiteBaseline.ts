import { type EpochMs, MS_PER_DAY } from "../../../base/time.ts";
import { capSeries } from "../../series/model/capSeries.ts";
import { halfHourMeans } from "../../series/model/halfHourMeans.ts";
import { scaleSeries } from "../../series/model/scaleSeries.ts";
import { Series } from "../../series/model/series.ts";
import { sumSeries } from "../../series/model/sumSeries.ts";
import { kindOf } from "../components/registry.ts";
import type { SiteSpec } from "../siteSpec.ts";
import type { SiteBaseline } from "./siteBaseline.ts";

/** A site's baseline over the run. @see docs/model/baselines.md, docs/model/baselines.md#registered-slots, docs/model/baselines.md#half-hour-slots */
export function createSiteBaseline(spec: SiteSpec, startMs: EpochMs, endMs: EpochMs): SiteBaseline {
  const { baseline } = spec;
  if (baseline.method === "zero") return { planKw: 0, slotsKw: 0, hasRegisteredSlots: !isConsumer(spec) };
  if (baseline.method === "constant") return { planKw: baseline.kw, slotsKw: baseline.kw, hasRegisteredSlots: true };
  const plan = "plan" in baseline ? baseline.plan : uncontrolledPlan(spec);
  if (typeof plan === "number") return { planKw: plan, slotsKw: plan, hasRegisteredSlots: true };
  return { planKw: plan, slotsKw: halfHourMeans(plan, startMs, slotsUntilMs(plan, endMs)), hasRegisteredSlots: true };
}

/** An award registered during the run starts at most this long after the end of the run (docs/model/time.md#command-times). */
const REGISTRATION_HORIZON_MS = 90 * MS_PER_DAY;

/**
 * Slots continue after the run as far as the data do. Awards registered during the run may start after it, and the half hour
 * in which the run ends gets the same mean as in a longer run.
 */
const slotsUntilMs = (plan: Series, endMs: EpochMs): EpochMs =>
  Math.max(endMs, Math.min(plan.untilMs, endMs + REGISTRATION_HORIZON_MS));

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
