import { median, medianAbsoluteDeviation } from "simple-statistics";
import { groupBy, sumOf } from "../../base/lists.ts";
import type { BatterySpec } from "../../engine/device/battery/batterySpec.ts";
import { isGapAfter, type MeasuredTable } from "../measured/measuredSeries.ts";
import { eventSamples, groupSamples } from "./blockBootstrap.ts";
import { componentParameter, type Estimate, identified, notIdentifiable } from "./estimate.ts";
import { digitOf, type FitOptions, NO_ROWS, type SiteInput, tableWith, valuesOf } from "./siteInput.ts";

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
export const sigmaOf = (values: number[]): number => SIGMA_BY_MAD * medianAbsoluteDeviation(values);
/** Powers within so many standard deviations of rest are rest. */
export const NOISE_SIGMAS = 3;
/** Rows that are drawn; more make a median no better. */
const ROWS_MAX = 2_000;
const HALF_DAY_MS = 43_200_000;

/** Auxiliaries and noise at rest: target 0, settled, state of charge off its bounds (docs/model/twin.md#rest). */
export function restOf({ spec, measured, options }: SiteInput<BatterySpec>): Rest {
  const name = componentParameter("auxiliary_kw", "model.auxiliary_kw", "kW", spec.auxiliaryKw);
  const table = tableWith(measured, "current_kw") ?? NO_ROWS;
  const power = valuesOf(table, "current_kw");
  const rows = restRows(table, spec);
  if (rows.length < ROWS_MIN) {
    const why = `${rows.length} samples at rest; ${ROWS_MIN} are needed, with a set-point of 0 for more than ${SETTLED_ROWS} samples`;
    return {
      auxiliaryKw: spec.auxiliaryKw,
      errorsKw: [],
      noiseKw: noiseNear(power, spec),
      estimate: notIdentifiable(name, why, "median_at_rest", rows.length),
    };
  }
  const restKw = rows.map((row) => power[row]);
  const noiseKw = sigmaOf(restKw);
  const auxiliaryKw = Math.max(0, median(restKw));
  const thinned = rows.filter((_, k) => k % Math.ceil(rows.length / ROWS_MAX) === 0);
  const blocks = halfDays(thinned, table);
  const { samples, note } = groupSamples(blocks, { count: options.resamples, stream: options.streamOf("rest") });
  const draws = samples.map((sample) => Math.max(0, median(sample.map((row) => power[row]))));
  const estimate = identified(
    name,
    auxiliaryKw,
    draws,
    { level: options.level, resolution: digitOf(power) / 2, note },
    { method: "median_at_rest", samples: rows.length },
  );
  return { ...meanAtRest(rows, table, { auxiliaryKw, noiseKw }, options), noiseKw, estimate };
}

const halfDays = (rows: readonly number[], { timesMs }: MeasuredTable): number[][] => [
  ...groupBy(rows, (row) => Math.floor(timesMs[row] / HALF_DAY_MS)).values(),
];

/** A median has the digits of the meter; noise lets a mean see more. With its errors in resamples of half days. */
function meanAtRest(
  rows: readonly number[],
  table: MeasuredTable,
  { auxiliaryKw, noiseKw }: Pick<Rest, "auxiliaryKw" | "noiseKw">,
  options: FitOptions,
): Pick<Rest, "auxiliaryKw" | "errorsKw"> {
  const power = valuesOf(table, "current_kw");
  const near = rows.filter((row) => Math.abs(power[row] - auxiliaryKw) <= NOISE_SIGMAS * noiseKw);
  const blocks = halfDays(near, table).map((block) => ({
    count: block.length,
    sumKw: sumOf(block, (row) => power[row]),
  }));
  const meanOfBlocks = (chosen: readonly (typeof blocks)[number][]): number =>
    sumOf(chosen, ({ sumKw }) => sumKw) / sumOf(chosen, ({ count }) => count);
  const meanKw = Math.max(0, meanOfBlocks(blocks));
  const { samples } = eventSamples(blocks, "mean at rest", options);
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
  return near.length < ROWS_MIN ? 0 : sigmaOf(near);
}
