import { meanOf, sumOf } from "../../base/lists.ts";
import { MS_PER_SECOND } from "../../base/time.ts";
import { clampSymmetric, droopResponsePerKw, type FcrConfig } from "../../engine/device/frequency/frequencyResponse.ts";
import { groupSamples } from "./blockBootstrap.ts";
import { type Estimate, type FitResult, identified, notIdentifiable, type ParameterName } from "./estimate.ts";
import { DELAYS_S, type ResponseRows, type ResponseSource, responseRows } from "./responseRows.ts";
import type { FitOptions } from "./siteInput.ts";
import { smallestIndex } from "./steps.ts";

const METHOD = "droop_grid";
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

/** One candidate of a side: sums by block of what its line explains. */
interface Candidate {
  readonly form: Form;
  readonly delayS: number;
  readonly deadbandHz: number;
  readonly xx: Float64Array;
  readonly xy: Float64Array;
  readonly error: Float64Array;
}

const namesOf = ({
  lowDeadbandHz,
  upDeadbandHz,
  lowDroopPct,
  upDroopPct,
  deadbandForm,
  responseDelayMs,
}: FcrConfig) => {
  const name = (parameter: string, key: string, unit: string, before: number | string): ParameterName => {
    return { parameter, scope: "site", key: `fcr_config.${key}`, unit, before };
  };
  return {
    deadband: {
      low: name("low_deadband", "low_deadband", "Hz", lowDeadbandHz),
      up: name("up_deadband", "up_deadband", "Hz", upDeadbandHz),
    },
    droop: {
      low: name("low_droop", "low_droop", "%", lowDroopPct),
      up: name("up_droop", "up_droop", "%", upDroopPct),
    },
    form: name("deadband_form", "deadband_form", "word", deadbandForm ?? "subtract"),
    delay: name("fcr_response_delay_s", "response_delay_s", "s", (responseDelayMs ?? 0) / MS_PER_SECOND),
  };
};

const noResponse = (config: FcrConfig, why: string, samples = 0): FitResult => {
  const { deadband, droop, form, delay } = namesOf(config);
  const names = [deadband.low, deadband.up, droop.low, droop.up, form, delay];
  return { estimates: names.map((name) => notIdentifiable(name, why, METHOD, samples)), fits: [] };
};

/** Dead bands, droops, form and delay of a frequency response (docs/model/twin.md#frequency-response). */
export function fitFrequencyResponse(source: ResponseSource, options: FitOptions): FitResult {
  const { config, ratedKw, isRamped } = source;
  const rows = responseRows(source);
  if (typeof rows === "string") return noResponse(config, rows);
  const candidates = { low: candidatesOf(rows, "low"), up: candidatesOf(rows, "up") };
  const all = [...rows.blocks.keys()];
  const chosen = bestPair(candidates, all, FORMS);
  if (SIDES.some((side) => !(slopeOf(chosen[side], all) > 0)))
    return noResponse(config, "the power does not follow the frequency", rows.count);
  const beyond = { low: beyondRows(rows, "low", chosen.low), up: beyondRows(rows, "up", chosen.up) };
  const less = beyond.low < beyond.up ? "low" : "up";
  if (beyond[less] < ROWS_MIN) {
    const side = less === "low" ? "below" : "above";
    return noResponse(
      config,
      `${beyond[less]} rows ${side} the dead band; ${ROWS_MIN} are needed on each side`,
      rows.count,
    );
  }
  const { samples, note } = groupSamples(
    rows.blocks.map((_, k) => [k]),
    {
      count: options.resamples,
      stream: options.streamOf("frequency response"),
    },
  );
  const form = decideForm(candidates, samples, chosen.form);
  const before = config.deadbandForm ?? "subtract";
  const used: Form = form.isDecided ? chosen.form : before;
  const best = form.isDecided ? chosen : bestPair(candidates, all, [used]);
  const draws = samples.map((sample) => ({ sample, pair: bestPair(candidates, sample, [used]) }));
  const names = namesOf(config);
  const by = { method: METHOD, samples: rows.count };
  const { level } = options;
  const sides = SIDES.flatMap((side) => sideEstimates(side, best, draws, { rows, config, ratedKw, level, note }));
  const ownDelayS = ({ delayS }: Pair): number => Math.max(0, delayS - (isRamped ? 1 : 0));
  const delays = draws.map(({ pair }) => ownDelayS(pair));
  const delay = identified(names.delay, ownDelayS(best), delays, { level, resolution: 0.5, note }, by);
  const words: Estimate = form.isDecided
    ? {
        ...notIdentifiable(names.form, "", METHOD, rows.count),
        status: "identified",
        value: used,
        why: null,
        draws: [used],
      }
    : notIdentifiable(names.form, form.why, METHOD, rows.count);
  const [maeBefore, maeAfter] = [config, fittedConfig(config, best, ratedKw)].map((each) =>
    responseError(rows, each, ratedKw),
  );
  return {
    estimates: [...sides, words, { ...delay, low: Math.max(0, delay.low ?? 0) }],
    fits: [{ quantity: "current_kw in FCR", unit: "kW", maeBefore, maeAfter, rows: rows.count }],
  };
}

interface SideContext {
  readonly rows: ResponseRows;
  readonly config: FcrConfig;
  readonly ratedKw: number;
  readonly level: number;
  readonly note: string | undefined;
}

interface PairDraw {
  readonly sample: readonly number[];
  readonly pair: Pair;
}

const droopPctOf = (slope: number, { freqRefHz }: FcrConfig, ratedKw: number): number =>
  (100 * ratedKw) / (freqRefHz * slope);

/** Dead band and droop of one side. */
function sideEstimates(
  side: Side,
  best: Pair,
  draws: readonly PairDraw[],
  { rows, config, ratedKw, level, note }: SideContext,
): Estimate[] {
  const names = namesOf(config);
  const by = { method: METHOD, samples: rows.count };
  const droopOf = (pair: Pair, sample: readonly number[]): number =>
    droopPctOf(slopeOf(pair[side], sample), config, ratedKw);
  const droops = draws.map(({ sample, pair }) => droopOf(pair, sample));
  const bands = draws.map(({ pair }) => pair[side].deadbandHz);
  const { deadbandHz } = best[side];
  const resolution = Math.max(DEADBAND_STEP_HZ, rows.digitHz) / 2;
  const row = identified(names.deadband[side], deadbandHz, bands, { level, resolution, note }, by);
  const isAtEdge = deadbandHz === DEADBANDS_HZ[DEADBANDS_HZ.length - 1];
  const edge = { status: "at_bound", why: "no response within 30 mHz of the reference" } as const;
  const droop = droopOf(best, [...rows.blocks.keys()]);
  return [
    { ...row, low: Math.max(0, row.low ?? 0), ...(isAtEdge ? edge : {}) },
    identified(names.droop[side], droop, droops, { level, resolution: 0, note }, by),
  ];
}

function fittedConfig(config: FcrConfig, { low, up, form, delayS }: Pair, ratedKw: number): FcrConfig {
  const slope = (candidate: Candidate): number => slopeOf(candidate, [...candidate.xx.keys()]);
  return {
    ...config,
    lowDeadbandHz: low.deadbandHz,
    upDeadbandHz: up.deadbandHz,
    lowDroopPct: droopPctOf(slope(low), config, ratedKw),
    upDroopPct: droopPctOf(slope(up), config, ratedKw),
    deadbandForm: form === "full" ? "full" : undefined,
    responseDelayMs: delayS * MS_PER_SECOND,
  };
}

function candidatesOf(rows: ResponseRows, side: Side): Candidate[] {
  return DELAYS_S.flatMap((delayS) =>
    FORMS.flatMap((form) => DEADBANDS_HZ.map((deadbandHz) => candidate(rows, { side, form, delayS, deadbandHz }))),
  );
}

interface Shape {
  readonly side: Side;
  readonly form: Form;
  readonly delayS: number;
  readonly deadbandHz: number;
}

/** Sums of decimal numbers are inexact (docs/model/frequency-response.md#deadband-form). */
const EDGE_TOLERANCE_HZ = 1e-9;

/** Deviation that a line responds to: 0 within the dead band. */
function explained(deviationHz: number, { form, deadbandHz }: Pick<Shape, "form" | "deadbandHz">): number {
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
  return { form: shape.form, delayS: shape.delayS, deadbandHz: shape.deadbandHz, xx, xy, error };
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
function bestPair(
  candidates: Readonly<Record<Side, readonly Candidate[]>>,
  sample: readonly number[],
  forms: readonly Form[],
): Pair {
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

function decideForm(
  candidates: Readonly<Record<Side, readonly Candidate[]>>,
  samples: readonly (readonly number[])[],
  better: Form,
): { readonly isDecided: boolean; readonly why: string } {
  const other: Form = better === "full" ? "subtract" : "full";
  const gains = samples.map(
    (sample) => bestPair(candidates, sample, [better]).error / bestPair(candidates, sample, [other]).error,
  );
  const share = gains.filter((gain) => gain <= FORM_GAIN).length / gains.length;
  const percent = (value: number) => `${Math.round(Math.max(0, 100 * value))} %`;
  const why = `the error of ${better} is ${percent(1 - meanOf(gains))} smaller, by ${percent(1 - FORM_GAIN)} on ${percent(share)} of the resamples; ${percent(FORM_SHARE)} are needed`;
  return { isDecided: share >= FORM_SHARE, why };
}

function beyondRows({ deviationHz }: ResponseRows, side: Side, { delayS, deadbandHz }: Candidate): number {
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
