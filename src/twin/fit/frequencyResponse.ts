import { meanOf, sumOf } from "../../base/lists.ts";
import { MS_PER_SECOND } from "../../base/time.ts";
import { clampSymmetric, droopResponsePerKw, type FcrConfig } from "../../engine/device/frequency/frequencyResponse.ts";
import { eventSamples } from "./blockBootstrap.ts";
import {
  type Estimate,
  type FitResult,
  figureOf,
  notBelowZero,
  nothingIdentifiable,
  notIdentifiable,
  type ParameterName,
} from "./estimate.ts";
import { DELAYS_S, type ResponseRows, type ResponseSource, responseRows } from "./responseRows.ts";
import type { FitOptions } from "./siteInput.ts";
import { smallestIndex } from "./steps.ts";

const METHOD = "droop_grid";
const NO_RESPONSE = "the power does not follow the frequency";
const ROWS_MIN = 600;
const DEADBAND_STEP_HZ = 0.0005;
const DEADBANDS_HZ = Array.from({ length: 61 }, (_, k) => k * DEADBAND_STEP_HZ);
const FORMS = ["subtract", "full"] as const;
type Form = (typeof FORMS)[number];
/** The error of a form must be this much smaller than the other's, on so many of the resamples. */
const FORM_GAIN = 0.8;
const FORM_SHARE = 0.95;

const SIDES = ["low", "up"] as const;
type Side = (typeof SIDES)[number];

/** What a line explains the response of one side by. */
interface Shape {
  readonly side: Side;
  readonly form: Form;
  readonly delayS: number;
  readonly deadbandHz: number;
}

/** A shape with the sums by block of what its line explains. */
interface Candidate extends Shape {
  readonly xx: Float64Array;
  readonly xy: Float64Array;
  readonly error: Float64Array;
}

type Candidates = Readonly<Record<Side, readonly Candidate[]>>;

const namesOf = (config: FcrConfig) => {
  const name = (key: string, unit: string, before: number | string, parameter = key): ParameterName => {
    return { parameter, scope: "site", key: `fcr_config.${key}`, unit, before };
  };
  return {
    lowDeadband: name("low_deadband", "Hz", config.lowDeadbandHz),
    upDeadband: name("up_deadband", "Hz", config.upDeadbandHz),
    lowDroop: name("low_droop", "%", config.lowDroopPct),
    upDroop: name("up_droop", "%", config.upDroopPct),
    form: name("deadband_form", "word", config.deadbandForm ?? "subtract"),
    delay: name("response_delay_s", "s", (config.responseDelayMs ?? 0) / MS_PER_SECOND, "fcr_response_delay_s"),
  };
};

/** Dead bands, droops, form and delay of a frequency response (docs/model/twin.md#frequency-response). */
export function fitFrequencyResponse(source: ResponseSource, options: FitOptions): FitResult {
  const none = (why: string, samples = 0): FitResult =>
    nothingIdentifiable(Object.values(namesOf(source.config)), why, METHOD, samples);
  const rows = responseRows(source);
  if (typeof rows === "string") return none(rows);
  const candidates: Candidates = { low: candidatesOf(rows, "low"), up: candidatesOf(rows, "up") };
  const all = [...rows.blocks.keys()];
  const best = bestPair(candidates, all, FORMS);
  if (SIDES.some((side) => !(slopeOf(best[side], all) > 0))) return none(NO_RESPONSE, rows.count);
  const [below, above] = [beyondRows(rows, best.low), beyondRows(rows, best.up)];
  if (Math.min(below, above) < ROWS_MIN) {
    const side = below < above ? `${below} rows below` : `${above} rows above`;
    return none(`${side} the dead band; ${ROWS_MIN} are needed on each side`, rows.count);
  }
  return fitCandidates(source, rows, candidates, best.form, options);
}

/** By the least error of candidates, on all blocks and on resamples of them. */
function fitCandidates(
  { config, ratedKw, isRamped }: ResponseSource,
  rows: ResponseRows,
  candidates: Candidates,
  bestForm: Form,
  options: FitOptions,
): FitResult {
  const all = [...rows.blocks.keys()];
  const { samples, note } = eventSamples(all, "frequency response", options);
  const undecided = whyUndecided(candidates, samples, bestForm);
  const form = undecided === null ? bestForm : (config.deadbandForm ?? "subtract");
  const fitOn = (sample: readonly number[]): FcrConfig =>
    fittedConfig(config, bestPair(candidates, sample, [form]), sample, ratedKw);
  const fitted = fitOn(all);
  const draws = samples.map(fitOn);
  const against = draws.filter(({ lowDroopPct, upDroopPct }) => !(lowDroopPct > 0 && upDroopPct > 0));
  if (against.length > ((1 - options.level) / 2) * draws.length) {
    const why = `${NO_RESPONSE} on ${Math.ceil((100 * against.length) / draws.length)} % of the resamples`;
    return nothingIdentifiable(Object.values(namesOf(config)), why, METHOD, rows.count);
  }
  const resampled = { found: fitted, draws, level: options.level, note, method: METHOD, samples: rows.count };
  const names = namesOf(config);
  const deadband = (name: ParameterName, of: (fit: FcrConfig) => number): Estimate => {
    const row = notBelowZero(figureOf(name, of, Math.max(DEADBAND_STEP_HZ, rows.digitHz) / 2, resampled));
    const isAtEdge = of(fitted) === DEADBANDS_HZ[DEADBANDS_HZ.length - 1];
    return isAtEdge ? { ...row, status: "at_bound", why: "no response within 30 mHz of the reference" } : row;
  };
  const ownDelayS = ({ responseDelayMs = 0 }: FcrConfig): number =>
    Math.max(0, responseDelayMs / MS_PER_SECOND - (isRamped ? 1 : 0));
  const word = notIdentifiable(names.form, undecided ?? "", METHOD, rows.count);
  const [maeBefore, maeAfter] = [config, fitted].map((each) => responseError(rows, each, ratedKw));
  return {
    estimates: [
      deadband(names.lowDeadband, ({ lowDeadbandHz }) => lowDeadbandHz),
      figureOf(names.lowDroop, ({ lowDroopPct }) => lowDroopPct, 0, resampled),
      deadband(names.upDeadband, ({ upDeadbandHz }) => upDeadbandHz),
      figureOf(names.upDroop, ({ upDroopPct }) => upDroopPct, 0, resampled),
      undecided === null ? { ...word, status: "identified", value: form, why: null, draws: [form] } : word,
      notBelowZero(figureOf(names.delay, ownDelayS, 0.5, resampled)),
    ],
    fits: [{ quantity: "current_kw in FCR", unit: "kW", maeBefore, maeAfter, rows: rows.count }],
  };
}

function fittedConfig(
  config: FcrConfig,
  { low, up, form, delayS }: Pair,
  sample: readonly number[],
  ratedKw: number,
): FcrConfig {
  const droopPctOf = (side: Candidate): number => (100 * ratedKw) / (config.freqRefHz * slopeOf(side, sample));
  return {
    ...config,
    lowDeadbandHz: low.deadbandHz,
    upDeadbandHz: up.deadbandHz,
    lowDroopPct: droopPctOf(low),
    upDroopPct: droopPctOf(up),
    deadbandForm: form === "full" ? "full" : undefined,
    responseDelayMs: delayS * MS_PER_SECOND,
  };
}

function candidatesOf(rows: ResponseRows, side: Side): Candidate[] {
  return DELAYS_S.flatMap((delayS) =>
    FORMS.flatMap((form) => DEADBANDS_HZ.map((deadbandHz) => candidate(rows, { side, form, delayS, deadbandHz }))),
  );
}

/** Sums of decimal numbers are inexact (docs/model/frequency-response.md#deadband-form). */
const EDGE_TOLERANCE_HZ = 1e-9;

/** Deviation that a line responds to: 0 within the dead band. */
function explained(deviationHz: number, { form, deadbandHz }: Shape): number {
  const beyondHz = Math.abs(deviationHz) - deadbandHz;
  if (beyondHz <= EDGE_TOLERANCE_HZ) return 0;
  return Math.sign(deviationHz) * (form === "full" ? Math.abs(deviationHz) : beyondHz);
}

function candidate(rows: ResponseRows, shape: Shape): Candidate {
  const { blocks, responseKw, digitHz } = rows;
  const deviationHz = rows.deviationHz[shape.delayS];
  const [xx, xy, error] = [0, 1, 2].map(() => new Float64Array(blocks.length));
  const isOfSide = (hz: number): boolean => (shape.side === "up" ? 0 < hz : hz < 0);
  // On which side of the edge it was, the digits of a frequency do not tell.
  const isAtEdge = (hz: number): boolean =>
    Math.abs(Math.abs(hz) - shape.deadbandHz) <= digitHz / 2 + EDGE_TOLERANCE_HZ;
  for (const [block, { from, to }] of blocks.entries())
    for (let row = from; row < to; row++) {
      if (!isOfSide(deviationHz[row]) || isAtEdge(deviationHz[row])) continue;
      const x = explained(deviationHz[row], shape);
      xx[block] += x * x;
      xy[block] += x * responseKw[row];
    }
  const slope = sumOf(xy) / sumOf(xx) || 0;
  for (const [block, { from, to }] of blocks.entries())
    for (let row = from; row < to; row++)
      if (isOfSide(deviationHz[row]))
        error[block] += Math.abs(responseKw[row] - slope * explained(deviationHz[row], shape));
  return { ...shape, xx, xy, error };
}

const slopeOf = ({ xx, xy }: Candidate, sample: readonly number[]): number =>
  sumOf(sample, (k) => xy[k]) / sumOf(sample, (k) => xx[k]);

interface Pair {
  readonly form: Form;
  readonly delayS: number;
  readonly low: Candidate;
  readonly up: Candidate;
  readonly error: number;
}

/** The delay and the form that both sides have, and the dead band of each, by the least error of the blocks of a sample. */
function bestPair(candidates: Candidates, sample: readonly number[], forms: readonly Form[]): Pair {
  const perDelay = FORMS.length * DEADBANDS_HZ.length;
  const bestOf = (side: Side, delayS: number, form: Form): { readonly best: Candidate; readonly error: number } => {
    const start = delayS * perDelay + FORMS.indexOf(form) * DEADBANDS_HZ.length;
    const among = candidates[side].slice(start, start + DEADBANDS_HZ.length);
    const errors = among.map(({ error }) => sumOf(sample, (k) => error[k]));
    const at = smallestIndex(errors);
    return { best: among[at], error: errors[at] };
  };
  const pairs = DELAYS_S.flatMap((delayS) =>
    forms.map((form): Pair => {
      const [low, up] = [bestOf("low", delayS, form), bestOf("up", delayS, form)];
      return { form, delayS, low: low.best, up: up.best, error: low.error + up.error };
    }),
  );
  return pairs[smallestIndex(pairs.map(({ error }) => error))];
}

/** `null`: the better form is clearly so. */
function whyUndecided(candidates: Candidates, samples: readonly (readonly number[])[], better: Form): string | null {
  const other: Form = better === "full" ? "subtract" : "full";
  const gains = samples.map(
    (sample) => bestPair(candidates, sample, [better]).error / bestPair(candidates, sample, [other]).error,
  );
  const share = gains.filter((gain) => gain <= FORM_GAIN).length / gains.length;
  if (share >= FORM_SHARE) return null;
  const percent = (value: number) => `${Math.round(Math.max(0, 100 * value))} %`;
  return `the error of ${better} is ${percent(1 - meanOf(gains))} smaller, by ${percent(1 - FORM_GAIN)} on ${percent(share)} of the resamples; ${percent(FORM_SHARE)} are needed`;
}

function beyondRows({ deviationHz }: ResponseRows, { side, delayS, deadbandHz }: Candidate): number {
  return deviationHz[delayS].filter((hz) => (side === "up" ? deadbandHz < hz : hz < -deadbandHz)).length;
}

/** Mean error of the response of a configuration, with the capacity as its limit. */
function responseError(
  { frequencyHz, capacityKw, responseKw }: ResponseRows,
  config: FcrConfig,
  ratedKw: number,
): number {
  const hz = frequencyHz[Math.min(DELAYS_S.length - 1, Math.round((config.responseDelayMs ?? 0) / MS_PER_SECOND))];
  return meanOf(
    responseKw.map((kw, row) =>
      Math.abs(kw - clampSymmetric(ratedKw * droopResponsePerKw(config, hz[row]), capacityKw[row])),
    ),
  );
}
