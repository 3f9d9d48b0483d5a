import { median, medianAbsoluteDeviation } from "simple-statistics";
import { groupBy, sumOf } from "../../base/lists.ts";
import type { BatterySpec } from "../../engine/device/battery/batterySpec.ts";
import { isGapAfter, type MeasuredTable } from "../measured/measuredSeries.ts";
import { groupSamples } from "./blockBootstrap.ts";
import { componentParameter, type Estimate, identified, notIdentifiable } from "./estimate.ts";
import { digitOf, type FitOptions, type SiteInput, tableWith, valuesOf } from "./siteInput.ts";

/** Power of a battery whose cells do nothing. */
export interface Rest {
  /** What powers are less by. */
  readonly auxiliaryKw: number;
  /** Of `auxiliaryKw` in resamples; empty: not known. */
  readonly errorsKw: readonly number[];
  /** Standard deviation of the noise of a sample. */
  readonly noiseKw: number;
  readonly estimate: Estimate;
}

const ROWS_MIN = 60;
/** Rows since the last change of the target, so that delay and ramp have ended. */
const SETTLED_ROWS = 10;
/** Set-points have one decimal. */
const SAME_KW = 0.051;
/** A battery this near to a bound of its window may be held there. */
export const BOUND_POINTS = 0.5;
/** Standard deviation of a normal distribution by its median absolute deviation. */
export const SIGMA_BY_MAD = 1.4826;
/** Powers within so many standard deviations of rest are rest. */
export const NOISE_SIGMAS = 3;
/** Rows that are drawn; more make a median no better. */
const ROWS_MAX = 2_000;
const HALF_DAY_MS = 43_200_000;

/** Auxiliaries and noise at rest: target 0, settled, state of charge off its bounds (docs/model/twin.md#rest). */
export function restOf({ spec, measured, options }: SiteInput<BatterySpec>): Rest {
  const name = componentParameter("auxiliary_kw", "model.auxiliary_kw", "kW", spec.auxiliaryKw);
  const table = tableWith(measured, "current_kw");
  const rows = table === null ? [] : restRows(table, spec);
  if (table === null || rows.length < ROWS_MIN) {
    const why = `${rows.length} samples at rest; ${ROWS_MIN} are needed, with a set-point of 0 for more than ${SETTLED_ROWS} samples`;
    const noiseKw = table === null ? 0 : noiseNear(valuesOf(table, "current_kw"), spec);
    return {
      auxiliaryKw: spec.auxiliaryKw,
      errorsKw: [],
      noiseKw,
      estimate: notIdentifiable(name, why, "median_at_rest", rows.length),
    };
  }
  const power = valuesOf(table, "current_kw");
  const restKw = rows.map((row) => power[row]);
  const noiseKw = SIGMA_BY_MAD * medianAbsoluteDeviation(restKw);
  const auxiliaryKw = Math.max(0, median(restKw));
  const thinned = rows.filter((_, k) => k % Math.ceil(rows.length / ROWS_MAX) === 0);
  const kw = thinned.map((row) => power[row]);
  const blocks = [...groupBy(thinned.keys(), (k) => Math.floor(table.timesMs[thinned[k]] / HALF_DAY_MS)).values()];
  const { samples, note } = groupSamples(blocks, { count: options.resamples, stream: options.streamOf("rest") });
  const draws = samples.map((sample) => Math.max(0, median(sample.map((k) => kw[k]))));
  const estimate = identified(
    name,
    auxiliaryKw,
    draws,
    { level: options.level, resolution: digitOf(power) / 2, note },
    { method: "median_at_rest", samples: rows.length },
  );
  return { ...meanAtRest(rows, table, { auxiliaryKw, noiseKw }, options), noiseKw, estimate };
}

/** A median has the digits of the meter; noise lets a mean see more. With its errors in resamples of half days. */
function meanAtRest(
  rows: readonly number[],
  table: MeasuredTable,
  { auxiliaryKw, noiseKw }: Pick<Rest, "auxiliaryKw" | "noiseKw">,
  { resamples: count, streamOf }: FitOptions,
): Pick<Rest, "auxiliaryKw" | "errorsKw"> {
  const power = valuesOf(table, "current_kw");
  const near = rows.filter((row) => Math.abs(power[row] - auxiliaryKw) <= NOISE_SIGMAS * noiseKw);
  const blocks = [...groupBy(near, (row) => Math.floor(table.timesMs[row] / HALF_DAY_MS)).values()];
  const sums = blocks.map((block) => sumOf(block, (row) => power[row]));
  const meanOfBlocks = (chosen: readonly number[]): number =>
    sumOf(chosen, (k) => sums[k]) / sumOf(chosen, (k) => blocks[k].length);
  const all = [...blocks.keys()];
  const meanKw = Math.max(0, meanOfBlocks(all));
  const { samples } = groupSamples(
    all.map((k) => [k]),
    { count, stream: streamOf("mean at rest") },
  );
  return { auxiliaryKw: meanKw, errorsKw: samples.map((chosen) => meanOfBlocks(chosen) - meanKw) };
}

/** What the battery is to do, auxiliaries apart: the set-point, or the baseline where no delta is dispatched. */
export function targetsOf(table: MeasuredTable): Float64Array {
  const baseline = valuesOf(table, "baseline_kw");
  const delta = valuesOf(table, "dispatched_delta_kw");
  return valuesOf(table, "setpoint_kw").map((kw, row) =>
    Number.isNaN(kw) && Number.isNaN(delta[row]) ? baseline[row] : kw,
  );
}

/** Whether no bound of the window may hold a battery. @param socPct  NaN: not measured */
export const isOffBounds = (socPct: number, { socOpMinPct, socOpMaxPct }: BatterySpec): boolean =>
  !(socPct < socOpMinPct + BOUND_POINTS || socOpMaxPct - BOUND_POINTS < socPct);

function restRows(table: MeasuredTable, spec: BatterySpec): number[] {
  const targets = targetsOf(table);
  const power = valuesOf(table, "current_kw");
  const capacity = valuesOf(table, "fcr_response_kw");
  const soc = valuesOf(table, "soc");
  const rows: number[] = [];
  let settled = 0;
  for (let row = 0; row < power.length; row++) {
    const isAtRest = Math.abs(targets[row]) < SAME_KW && !(0 < capacity[row]);
    settled = isAtRest ? settled + 1 : 0;
    if (row > 0 && isGapAfter(table, row - 1)) settled = Math.min(settled, 1);
    if (settled > SETTLED_ROWS && isOffBounds(soc[row], spec) && !Number.isNaN(power[row])) rows.push(row);
  }
  return rows;
}

/** Noise where no set-point shows rest: of the powers below a hundredth of the rating. */
function noiseNear(power: Float64Array, { importMaxKw, exportMaxKw, auxiliaryKw }: BatterySpec): number {
  const limitKw = Math.max(importMaxKw, exportMaxKw) / 100;
  const near = [...power].filter((kw) => Math.abs(kw - auxiliaryKw) < limitKw);
  return near.length < ROWS_MIN ? 0 : SIGMA_BY_MAD * medianAbsoluteDeviation(near);
}
