import { type EpochMs, floorToHalfHour, MS_PER_MINUTE } from "../../base/time.ts";
import type { SiteSamples } from "./siteSamples.ts";

/** Values from their instants on; the instants rise. */
export interface Column {
  readonly atMs: readonly EpochMs[];
  readonly values: readonly number[];
}

export const roundToTenth = (value: number): number => Math.round(10 * value) / 10 || 0;

/**
 * A value at each sample, and at each minute where samples are further apart, so that a step series does not hold through a gap. NaN becomes
 * the line between its neighbours, at an end the nearest value, and 0 without any value.
 */
export function filledMinutes({ atMs }: SiteSamples, values: readonly number[]): Column {
  const times = atMs.flatMap((fromMs, row) => {
    const count = row + 1 < atMs.length ? Math.ceil((atMs[row + 1] - fromMs) / MS_PER_MINUTE) : 1;
    return Array.from({ length: count }, (_, k) => fromMs + k * MS_PER_MINUTE);
  });
  const known = [...atMs.keys()].filter((row) => !Number.isNaN(values[row]));
  let next = 0;
  const filled = times.map((each) => {
    while (next < known.length && atMs[known[next]] < each) next++;
    const [before, after] = [known[next - 1] ?? known[next], known[next] ?? known[next - 1]];
    if (before === undefined) return 0;
    if (before === after || atMs[after] === each) return values[after];
    const part = (each - atMs[before]) / (atMs[after] - atMs[before]);
    return roundToTenth(values[before] + part * (values[after] - values[before]));
  });
  return { atMs: times, values: filled };
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
