import { exp } from "../../base/elementary.ts";
import { largestOf, meanOf, sumOf } from "../../base/lists.ts";
import { MS_PER_SECOND } from "../../base/time.ts";
import { RampLimitedProfile } from "../../engine/device/curve/rampLimitedProfile.ts";
import { isGapAfter, type MeasuredTable } from "../measured/measuredSeries.ts";
import { eventSamples } from "./blockBootstrap.ts";
import {
  componentParameter,
  type Estimate,
  type Fit,
  type FitResult,
  figureOf,
  notBelowZero,
  nothingIdentifiable,
  notIdentifiable,
  type ParameterName,
} from "./estimate.ts";
import type { FitOptions } from "./siteInput.ts";

/** A change of the set-point, and the power from it on. */
export interface PowerStep {
  readonly fromKw: number;
  readonly toKw: number;
  /** Since the change, in ms. */
  readonly afterMs: Float64Array;
  readonly kw: Float64Array;
}

/** How a device follows its set-point, link included. */
export interface Response {
  readonly delayMs: number;
  /** `Infinity`: at once. */
  readonly rampKwPerS: number;
}

interface StepSource {
  readonly table: MeasuredTable;
  readonly targetKw: Float64Array;
  /** Auxiliaries apart. */
  readonly powerKw: Float64Array;
  readonly noiseKw: number;
  /** Whether the power may follow something else at a row, as in FCR. */
  readonly isExcluded: (row: number) => boolean;
}

const METHOD = "steps";
const STEPS_MIN = 3;
/** Steps of a power are this much larger than its noise. */
export const STEP_SIGMAS = 20;
const STEP_MIN_KW = 0.5;
const ROWS_BEFORE = 5;
export const WINDOW_MS = 240 * MS_PER_SECOND;
/** A step that ends further from its set-point was stopped by a bound or a limit. */
const END_SHARE = 0.03;
const DELAY_MAX_MS = 60 * MS_PER_SECOND;
const DELAY_STEP_MS = 250;
const RAMP_STEP = 0.05;
/** Steps of the grid around the best response, on each side. */
const GRID_REACH = 8;

/** Windows around changes of the set-point that were followed to their end. */
export function stepsOf({ table, targetKw, powerKw, noiseKw, isExcluded }: StepSource): PowerStep[] {
  const { timesMs } = table;
  const steps: PowerStep[] = [];
  const least = Math.max(STEP_MIN_KW, STEP_SIGMAS * noiseKw);
  const isSteady = (row: number): boolean =>
    targetKw[row] === targetKw[row - 1] && !isGapAfter(table, row - 1) && !isExcluded(row);
  for (let row = ROWS_BEFORE; row < timesMs.length; row++) {
    if (!(least <= Math.abs(targetKw[row] - targetKw[row - 1])) || isGapAfter(table, row - 1)) continue;
    const before = Array.from({ length: ROWS_BEFORE }, (_, k) => row - ROWS_BEFORE + k);
    if (!before.slice(1).every(isSteady) || isExcluded(row)) continue;
    let end = row + 1;
    while (end < timesMs.length && isSteady(end) && timesMs[end] - timesMs[row] <= WINDOW_MS) end++;
    const within = powerKw.subarray(row, end);
    const levels = before.map((at) => powerKw[at]);
    const fromKw = meanOf(levels);
    const toKw = targetKw[row];
    const lastKw = meanOf(within.subarray(-Math.min(ROWS_BEFORE, within.length)));
    const tolerance = Math.max(5 * noiseKw, END_SHARE * Math.abs(toKw - fromKw));
    const isFollowed =
      Math.abs(lastKw - toKw) <= tolerance && Math.abs(levels[0] - levels[ROWS_BEFORE - 1]) <= tolerance;
    if (!isFollowed || within.length < 2 * ROWS_BEFORE || within.some(Number.isNaN)) continue;
    if (Math.abs(toKw - fromKw) < least) continue;
    steps.push({ fromKw, toKw, afterMs: timesMs.subarray(row, end).map((atMs) => atMs - timesMs[row]), kw: within });
  }
  return steps;
}

/** Sum of the absolute errors of a ramp that begins after a delay. */
function errorOf({ fromKw, toKw, afterMs, kw }: PowerStep, { delayMs, rampKwPerS }: Response): number {
  const profile = new RampLimitedProfile();
  profile.begin(0, rampKwPerS / MS_PER_SECOND);
  profile.addRampTowards(delayMs, Number.POSITIVE_INFINITY, fromKw, toKw, 0);
  let sum = 0;
  for (let k = 0; k < kw.length; k++)
    sum += Math.abs(kw[k] - (afterMs[k] < delayMs ? fromKw : profile.kwAt(afterMs[k])));
  return sum;
}

const totalError = (steps: readonly PowerStep[], response: Response): number =>
  sumOf(steps, (step) => errorOf(step, response));

interface ResponseNames {
  readonly delay: ParameterName;
  readonly ramp: ParameterName;
  /** Of the link, which is part of the delay. */
  readonly latencyMs: number;
  readonly before: Response;
}

/** Of a device and the link to its site. */
export const responseNames = (
  { responseDelayMs, rampKwPerS }: { readonly responseDelayMs: number; readonly rampKwPerS: number | null },
  latencyMs: number,
): ResponseNames => ({
  delay: componentParameter("response_delay_s", "model.response_delay_s", "s", responseDelayMs / MS_PER_SECOND),
  ramp: componentParameter("ramp_kw_per_s", "model.ramp_kw_per_s", "kW/s", rampKwPerS),
  latencyMs,
  before: { delayMs: responseDelayMs + latencyMs, rampKwPerS: rampKwPerS ?? Number.POSITIVE_INFINITY },
});

/** Delay and ramp of the steps of one device (docs/model/twin.md#steps). */
export function fitSteps(
  steps: readonly PowerStep[],
  spacingMs: number,
  { delay, ramp, latencyMs, before }: ResponseNames,
  options: FitOptions,
): FitResult {
  if (steps.length < STEPS_MIN) {
    const why = `${steps.length} steps of ${STEP_SIGMAS} times the noise by the second that reach their set-point; ${STEPS_MIN} are needed`;
    return nothingIdentifiable([delay, ramp], why, METHOD, steps.length);
  }
  const largestKw = largestOf(steps.map(({ fromKw, toKw }) => Math.abs(toKw - fromKw)));
  const best = bestResponse(steps, largestKw);
  const isRamp = largestKw / best.rampKwPerS >= (2 * spacingMs) / MS_PER_SECOND;
  const grid = gridAround(isRamp ? best : { ...best, rampKwPerS: Number.POSITIVE_INFINITY });
  const errors = steps.map((step) => grid.map((response) => errorOf(step, response)));
  const bestOf = (sample: readonly (readonly number[])[]): Response =>
    middleOfBest(
      grid,
      grid.map((_, k) => sumOf(sample, (ofStep) => ofStep[k])),
    );
  const { samples, note } = eventSamples(errors, "steps", options);
  const found = bestOf(errors);
  const draws = samples.map(bestOf);
  const resampled = { found, draws, level: options.level, note, method: METHOD, samples: steps.length };
  const own = ({ delayMs }: Response): number => Math.max(0, delayMs - latencyMs) / MS_PER_SECOND;
  const resolution = Math.max(DELAY_STEP_MS, isRamp ? 0 : spacingMs) / 2 / MS_PER_SECOND;
  const rampRow = isRamp
    ? figureOf(ramp, ({ rampKwPerS }) => rampKwPerS, (RAMP_STEP / 2) * found.rampKwPerS, resampled)
    : notIdentifiable(
        ramp,
        `reached within one sample: ${largestKw.toFixed(1)} kW in less than ${(2 * spacingMs) / MS_PER_SECOND} s`,
        METHOD,
        steps.length,
      );
  return {
    estimates: [notBelowZero(figureOf(delay, own, resolution, resampled)), rampRow],
    fits: [fitOf(steps, before, found)],
  };
}

/** Delays between two samples have the same error where there is no ramp: the middle of them. */
function middleOfBest(grid: readonly Response[], errors: readonly number[]): Response {
  const best = grid[smallestIndex(errors)];
  const least = errors[smallestIndex(errors)] * (1 + SAME_ERROR);
  const equal = grid.filter(({ rampKwPerS }, k) => errors[k] <= least && rampKwPerS === best.rampKwPerS);
  return { ...best, delayMs: meanOf(equal.map(({ delayMs }) => delayMs)) };
}

const SAME_ERROR = 1e-9;

/** The response that estimates have, and that of the scenario where they have none. */
export function responseOf(
  estimates: readonly Estimate[],
  { delay, ramp, latencyMs, before }: ResponseNames,
): Response {
  const [delayS, rampKwPerS] = [delay, ramp].map(({ parameter }) => {
    const value = estimates.find((row) => row.parameter === parameter)?.value;
    return typeof value === "number" ? value : null;
  });
  if (delayS === null) return before;
  return { delayMs: MS_PER_SECOND * delayS + latencyMs, rampKwPerS: rampKwPerS ?? Number.POSITIVE_INFINITY };
}

export const noSteps = ({ delay, ramp }: ResponseNames, why: string): FitResult =>
  nothingIdentifiable([delay, ramp], why, METHOD);

function fitOf(steps: readonly PowerStep[], before: Response, after: Response): Fit {
  const rows = sumOf(steps, ({ kw }) => kw.length);
  const [maeBefore, maeAfter] = [before, after].map((response) => totalError(steps, response) / rows);
  return { quantity: "current_kw in steps", unit: "kW", maeBefore, maeAfter, rows };
}

/** By a coarse grid over all delays and ramps, then finer ones around the best of the last. */
function bestResponse(steps: readonly PowerStep[], largestKw: number): Response {
  const least = largestKw / (WINDOW_MS / MS_PER_SECOND);
  const delays = Array.from({ length: DELAY_MAX_MS / 1_000 + 1 }, (_, k) => k * 1_000);
  const ramps = [...Array.from({ length: 32 }, (_, k) => least * exp(0.2 * k)), Number.POSITIVE_INFINITY];
  let best = bestAmong(
    steps,
    delays.flatMap((delayMs) => ramps.map((rampKwPerS) => ({ delayMs, rampKwPerS }))),
  );
  for (const [delayStepMs, rampStep] of [
    [DELAY_STEP_MS, RAMP_STEP],
    [DELAY_STEP_MS / 5, RAMP_STEP / 5],
  ])
    best = bestAmong(steps, gridAround(best, delayStepMs, rampStep));
  return best;
}

function gridAround({ delayMs, rampKwPerS }: Response, delayStepMs = DELAY_STEP_MS, rampStep = RAMP_STEP): Response[] {
  const reach = Array.from({ length: 2 * GRID_REACH + 1 }, (_, k) => k - GRID_REACH);
  const delays = reach.map((k) => delayMs + k * delayStepMs).filter((ms) => 0 <= ms);
  const ramps = Number.isFinite(rampKwPerS) ? reach.map((k) => rampKwPerS * exp(k * rampStep)) : [rampKwPerS];
  return delays.flatMap((ms) => ramps.map((kwPerS) => ({ delayMs: ms, rampKwPerS: kwPerS })));
}

const bestAmong = (steps: readonly PowerStep[], responses: readonly Response[]): Response =>
  responses[smallestIndex(responses.map((response) => totalError(steps, response)))];

/** The first of equal ones. */
export const smallestIndex = (values: readonly number[]): number =>
  values.reduce((best, value, k) => (value < values[best] ? k : best), 0);
