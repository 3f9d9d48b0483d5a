import { type EpochMs, floorToHalfHour, MS_PER_MINUTE } from "../../base/time.ts";
import type { SiteSamples } from "./siteSamples.ts";

/** Values from their instants on; the instants rise. */
export interface Column {
  readonly atMs: readonly EpochMs[];
  readonly values: readonly number[];
}

/** Replaces NaN by the line between its neighbours; at an end by the nearest value; without any value by 0. */
function fillByLine(atMs: readonly EpochMs[], values: readonly number[]): number[] {
  const filled = [...values];
  let last = -1;
  for (let row = 0; row <= filled.length; row++) {
    if (row < filled.length && Number.isNaN(filled[row])) continue;
    const next = row < filled.length ? row : -1;
    for (let gap = last + 1; gap < row; gap++) filled[gap] = lineAt(atMs, filled, { last, next }, gap);
    last = row;
  }
  return filled;
}

function lineAt(
  atMs: readonly EpochMs[],
  values: readonly number[],
  { last, next }: { readonly last: number; readonly next: number },
  row: number,
): number {
  if (last < 0) return next < 0 ? 0 : values[next];
  if (next < 0) return values[last];
  const part = (atMs[row] - atMs[last]) / (atMs[next] - atMs[last]);
  return roundToTenth(values[last] + part * (values[next] - values[last]));
}

export const roundToTenth = (value: number): number => Math.round(10 * value) / 10 || 0;

/** Adds rows of NaN each minute where samples are more than a minute apart, so that a step series does not hold through a gap. */
export function withMinutes({ atMs, values }: Column, endMs: EpochMs): Column {
  const times: EpochMs[] = [];
  const filled: number[] = [];
  for (let row = 0; row < atMs.length; row++) {
    times.push(atMs[row]);
    filled.push(values[row]);
    const nextMs = row + 1 < atMs.length ? atMs[row + 1] : endMs;
    for (let each = atMs[row] + MS_PER_MINUTE; each < nextMs && row + 1 < atMs.length; each += MS_PER_MINUTE) {
      times.push(each);
      filled.push(Number.NaN);
    }
  }
  return { atMs: times, values: filled };
}

/** Samples each minute: the line between their neighbours where there is none. */
export function filledMinutes({ atMs }: SiteSamples, values: readonly number[], endMs: EpochMs): Column {
  const column = withMinutes({ atMs, values }, endMs);
  return { atMs: column.atMs, values: fillByLine(column.atMs, column.values) };
}

/** Removes rows that repeat the value before them; the last row stays, so that a record does not end early. */
export function changesOf({ atMs, values }: Column): Column {
  const rows = atMs
    .map((_, row) => row)
    .filter((row) => row === 0 || row === atMs.length - 1 || values[row] !== values[row - 1]);
  return { atMs: rows.map((row) => atMs[row]), values: rows.map((row) => values[row]) };
}

/** The reported baseline by half hours: of each the first value without an instruction, else the first one. */
export function baselineSlots(samples: SiteSamples): Column {
  const slots = new Map<EpochMs, { value: number; isInOrder: boolean }>();
  samples.atMs.forEach((atMs, row) => {
    const value = samples.values.baseline_kw[row];
    const isInOrder = samples.isInOrder(row);
    const slotMs = floorToHalfHour(atMs);
    const known = slots.get(slotMs);
    if (Number.isNaN(value) || (known !== undefined && (isInOrder || !known.isInOrder))) return;
    slots.set(slotMs, { value, isInOrder });
  });
  return { atMs: [...slots.keys()], values: [...slots.values()].map(({ value }) => value) };
}
