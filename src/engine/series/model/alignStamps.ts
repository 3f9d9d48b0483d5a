import type { EpochMs } from "../../../base/time.ts";
import { intervalLengths, lengthsOfEnds } from "./intervalLengths.ts";
import { evenSpacing } from "./series.ts";
import type { RawSamples, SeriesOptions } from "./seriesOptions.ts";

/** The samples that have a value. */
export function dropEmptySamples(raw: RawSamples): RawSamples {
  if (!hasEmpty(raw.values)) return raw;
  const kept = raw.values.map((value, k) => (Number.isNaN(value) ? -1 : k)).filter((k) => k >= 0);
  return pickSamples(raw, kept);
}

// Plain loops here and below: a function call per sample of a year of minutes takes longer than reading the file.
function hasEmpty(values: Float64Array): boolean {
  for (let k = 0; k < values.length; k++) if (Number.isNaN(values[k])) return true;
  return false;
}

/** Some samples of a record, by index, in the order given. */
function pickSamples(raw: RawSamples, indexes: ArrayLike<number>): RawSamples {
  return {
    timesMs: Float64Array.from(indexes, (k) => raw.timesMs[k]),
    values: Float64Array.from(indexes, (k) => raw.values[k]),
    lines: Int32Array.from(indexes, (k) => raw.lines[k]),
  };
}

/** The middle one of the spacings, the lower of two; 0 for fewer than two stamps. */
export function medianSpacingMs(timesMs: Float64Array): number {
  const count = timesMs.length - 1;
  if (count < 1) return 0;
  const evenMs = evenSpacing(timesMs);
  if (evenMs > 0) return evenMs;
  const spacings = new Float64Array(count);
  for (let k = 0; k < count; k++) spacings[k] = timesMs[k + 1] - timesMs[k];
  return spacings.sort()[(count - 1) >> 1];
}

/** Stamps in the sense of `Series`, from stamps in the sense of the file; rises strictly, as the input does. */
export function alignStamps(timesMs: Float64Array, spacingMs: number, recipe: SeriesOptions): Float64Array {
  const { before, after } = shareOfInterval(recipe);
  const { shiftMs } = recipe;
  if (before === 0 && after === 0 && shiftMs === 0) return timesMs;
  const isSingle = timesMs.length === 1;
  const lengthsMs = isSingle ? Float64Array.of(spacingMs) : (before > 0 ? lengthsOfEnds : intervalLengths)(timesMs);
  return timesMs.map((atMs, k) => Math.floor(atMs + (after - before) * lengthsMs[k]) + shiftMs);
}

/** Whether the first stamp is in the middle of its interval, with no sample that covers the first half of it. */
export const startsInMidInterval = ({ interpolation, label, repeat }: SeriesOptions): boolean =>
  interpolation === "linear" && label !== "instant" && repeat === "none";

/** Start of the first stamp's interval: where `step` interpolation would put the stamp. */
export const firstIntervalStartMs = (timesMs: Float64Array, spacingMs: number, recipe: SeriesOptions): EpochMs =>
  alignStamps(timesMs, spacingMs, { ...recipe, interpolation: "step" })[0];

/** A record whose first value holds from an instant before its first stamp (docs/model/series.md#labels). */
export function withFirstRepeated({ timesMs, values, lines }: RawSamples, fromMs: EpochMs): RawSamples {
  const samples = pickSamples({ timesMs, values, lines }, [0, ...timesMs.keys()]);
  samples.timesMs[0] = fromMs;
  return samples;
}

/** How far a stamp moves back into the interval before it, or on into the one after it, as a share of that interval. */
function shareOfInterval({ interpolation, label }: SeriesOptions): { before: number; after: number } {
  if (label === "instant") return { before: 0, after: 0 };
  if (interpolation === "linear") return { before: label === "end" ? 0.5 : 0, after: label === "start" ? 0.5 : 0 };
  return { before: label === "end" ? 1 : label === "middle" ? 0.5 : 0, after: 0 };
}
