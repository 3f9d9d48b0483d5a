import { median } from "simple-statistics";
import { MS_PER_MINUTE } from "../../base/time.ts";
import type { DispatchableSpec } from "../../engine/device/dispatchable/dispatchableSpec.ts";
import { isGapAfter, type MeasuredTable } from "../measured/measuredSeries.ts";
import { eventSamples } from "./blockBootstrap.ts";
import { componentParameter, type FitResult, figureOf, nothingIdentifiable } from "./estimate.ts";
import { digitOf, NO_ROWS, type SiteInput, tableWith, valuesOf } from "./siteInput.ts";

const METHOD = "inner_minutes";
const RAMPS_MIN = 5;
const SPACING_MAX_MS = MS_PER_MINUTE;
/** Slower changes than this share of the rating a minute are no ramp. */
const LEAST_SHARE = 0.005;

/** The ramp of a dispatchable plant alone at its site (docs/model/twin.md#plant). */
export function fitPlant({ spec, measured, options }: SiteInput<DispatchableSpec>): FitResult {
  const name = componentParameter("ramp_rate_kw_per_min", "ramp_rate_kw_per_min", "kW/min", spec.rampKwPerMin);
  const table = tableWith(measured, "current_kw") ?? NO_ROWS;
  const ramps = table.spacingMs > SPACING_MAX_MS ? [] : rampsOf(table, spec.ratedOutputKw);
  if (ramps.length < RAMPS_MIN) {
    const why = `${ramps.length} ramps over several rows of at most a minute; ${RAMPS_MIN} are needed`;
    return nothingIdentifiable([name], why, METHOD, ramps.length);
  }
  const { samples, note } = eventSamples(ramps, "ramps", options);
  const digitKw = digitOf(valuesOf(table, "current_kw"));
  const resolution = (digitKw / 2) * (MS_PER_MINUTE / table.spacingMs);
  const { level } = options;
  const resampled = { found: ramps, draws: samples, level, note, method: METHOD, samples: ramps.length };
  return { estimates: [figureOf(name, (slopes) => median([...slopes]), resolution, resampled)], fits: [] };
}

/** Median slope of the inner rows of each ramp, in kW a minute. The first and the last row of a ramp have a part of it. */
function rampsOf(table: MeasuredTable, ratedKw: number): number[] {
  const { timesMs } = table;
  const current = valuesOf(table, "current_kw");
  const slopes = [...current.subarray(1)].map((kw, k) => {
    const minutes = (timesMs[k + 1] - timesMs[k]) / MS_PER_MINUTE;
    return isGapAfter(table, k) ? Number.NaN : (kw - current[k]) / minutes;
  });
  const ramps: number[] = [];
  let run: number[] = [];
  for (const slope of [...slopes, Number.NaN]) {
    const isRamp = LEAST_SHARE * ratedKw < Math.abs(slope);
    if (isRamp && (run.length === 0 || Math.sign(slope) === Math.sign(run[0]))) run.push(slope);
    else {
      if (run.length > 2) ramps.push(median(run.slice(1, -1).map(Math.abs)));
      run = isRamp ? [slope] : [];
    }
  }
  return ramps;
}
