import { groupBy } from "../../base/lists.ts";
import { MS_PER_MINUTE, MS_PER_SECOND } from "../../base/time.ts";
import type { FcrConfig } from "../../engine/device/frequency/frequencyResponse.ts";
import type { MeasuredTable } from "../measured/measuredSeries.ts";
import { digitOf, valuesOf } from "./siteInput.ts";

export interface ResponseSource {
  readonly table: MeasuredTable;
  /** What the site would do without FCR, by row. */
  readonly targetKw: Float64Array;
  /** Auxiliaries apart. */
  readonly powerKw: Float64Array;
  readonly config: FcrConfig;
  /** P of the droop. */
  readonly ratedKw: number;
  /** A ramp has done nothing at the instant at which it begins, so that samples show it a second late. */
  readonly isRamped: boolean;
}

/** Seconds in FCR, and the response in them. Arrays by delay have whole seconds from 0 on. */
export interface ResponseRows {
  readonly count: number;
  readonly frequencyHz: readonly Float64Array[];
  readonly deviationHz: readonly Float64Array[];
  readonly responseKw: Float64Array;
  readonly capacityKw: Float64Array;
  readonly digitHz: number;
  /** Half-open ranges of rows of ten minutes each. */
  readonly blocks: readonly { readonly from: number; readonly to: number }[];
}

/** Whole seconds of delay that are tried. */
export const DELAYS_S = Array.from({ length: 11 }, (_, k) => k);

const SPACING_MAX_MS = MS_PER_SECOND;
const BLOCK_MS = 10 * MS_PER_MINUTE;
/** Ten hours determine the response as well as a month. */
const BLOCKS_MAX = 60;
/** Of the capacity, from which on the response may be cut. */
const SATURATED_SHARE = 0.95;

/** @returns what is missing, as a text, where there are no such rows */
export function responseRows({ table, targetKw, powerKw, config, ratedKw }: ResponseSource): ResponseRows | string {
  if (ratedKw === 0) return "no component is fcr_capable";
  if (!table.columns.has("actual_frequency") || !table.columns.has("fcr_response_kw"))
    return "no actual_frequency with fcr_response_kw and current_kw by the second is measured";
  if (table.spacingMs > SPACING_MAX_MS) return `rows are ${table.spacingMs / MS_PER_SECOND} s apart; 1 s is needed`;
  const { timesMs } = table;
  const frequency = valuesOf(table, "actual_frequency");
  const capacity = valuesOf(table, "fcr_response_kw");
  const hasTarget = targetKw.some((kw) => !Number.isNaN(kw));
  const response = powerKw.map((kw, row) => kw - (hasTarget ? targetKw[row] : 0));
  const delayed = DELAYS_S.map((delayS) => delayedValues(timesMs, frequency, delayS * MS_PER_SECOND));
  const isUsed = (row: number): boolean =>
    0 < capacity[row] &&
    Math.abs(response[row]) < SATURATED_SHARE * capacity[row] &&
    delayed.every((hz) => hz[row] > 0);
  const blocks = thinnedBlocks([...timesMs.keys()].filter(isUsed), timesMs);
  const rows = blocks.flat();
  const pick = (values: Float64Array): Float64Array => Float64Array.from(rows, (row) => values[row]);
  const frequencyHz = delayed.map(pick);
  return {
    count: rows.length,
    frequencyHz,
    deviationHz: frequencyHz.map((hz) => hz.map((value) => value - config.freqRefHz)),
    responseKw: pick(response),
    capacityKw: pick(capacity),
    digitHz: digitOf(frequencyHz[0]),
    blocks: rangesOf(blocks),
  };
}

/** The value of a delay before; NaN where there is no row. */
function delayedValues(timesMs: Float64Array, values: Float64Array, delayMs: number): Float64Array {
  let from = 0;
  return values.map((_, row) => {
    while (timesMs[from] < timesMs[row] - delayMs) from++;
    return timesMs[from] === timesMs[row] - delayMs ? values[from] : Number.NaN;
  });
}

/** Rows by ten minutes, of evenly many of them. */
function thinnedBlocks(rows: readonly number[], timesMs: Float64Array): number[][] {
  const blocks = [...groupBy(rows, (row) => Math.floor(timesMs[row] / BLOCK_MS)).values()];
  return blocks.filter((_, k) => k % Math.ceil(blocks.length / BLOCKS_MAX) === 0);
}

/** Of blocks that follow each other. */
function rangesOf(blocks: readonly (readonly number[])[]): { from: number; to: number }[] {
  let to = 0;
  return blocks.map(({ length }) => {
    to += length;
    return { from: to - length, to };
  });
}
