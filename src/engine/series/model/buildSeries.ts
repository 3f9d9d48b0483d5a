import { type EpochMs, MS_PER_DAY } from "../../../base/time.ts";
import {
  alignStamps,
  dropEmptySamples,
  firstIntervalStartMs,
  medianSpacingMs,
  startsInMidInterval,
  withFirstRepeated,
} from "./alignStamps.ts";
import { repeatRecord } from "./repeatRecord.ts";
import { evenSpacing, Series } from "./series.ts";
import type { RawSamples, RepeatPeriod, SeriesGap, SeriesOptions, TimeWindow } from "./seriesOptions.ts";

export interface SeriesBuild {
  /** `null` when not one cell holds a value. */
  readonly series: Series | null;
  /** Missing data in the window that is not filled; the series' values there are undefined. */
  readonly gaps: readonly SeriesGap[];
  /** Missing data in the window that was filled by `onGap`. */
  readonly filledGaps: readonly SeriesGap[];
  /** Stamps in the window with missing rows between them, but not further apart than `maxGap`. */
  readonly bridged: BridgedRows;
}

export interface BridgedRows {
  readonly rowCount: number;
  /** The first place, and the line of the row before it; `null` where no row is missing. */
  readonly first: SeriesGap | null;
}

const NOTHING_BRIDGED: BridgedRows = { rowCount: 0, first: null };

const MAX_GAP_SPACINGS = 3;
const ONE_PERIOD_MS: Record<RepeatPeriod, number> = {
  none: 0,
  day: MS_PER_DAY,
  week: 7 * MS_PER_DAY,
  year: 365 * MS_PER_DAY,
};

/**
 * Makes a series of raw samples: empty cells dropped, stamps labelled and shifted, the record repeated, gaps filled.
 *
 * The last sample holds for one median spacing; what follows is missing data, as is what comes before the interval of the
 * first one (docs/model/series.md#last-sample). A record of a single sample has no spacing: it holds for one period when repeated, else for no time.
 *
 * @param window the period in use: gaps are looked for, and repeated records laid out, over it
 */
export function buildSeries(raw: RawSamples, recipe: SeriesOptions, window: TimeWindow): SeriesBuild {
  const known = dropEmptySamples(raw);
  if (known.timesMs.length === 0) {
    return { series: null, gaps: [{ ...window, line: raw.lines[0] ?? 1 }], filledGaps: [], bridged: NOTHING_BRIDGED };
  }
  const spacingMs = medianSpacingMs(known.timesMs) || ONE_PERIOD_MS[recipe.repeat];
  const maxGapMs = recipe.maxGapMs ?? MAX_GAP_SPACINGS * spacingMs;
  const aligned = { ...known, timesMs: alignStamps(known.timesMs, spacingMs, recipe) };
  const isFirstRepeated = startsInMidInterval(recipe) && spacingMs > 0;
  const record = isFirstRepeated
    ? withFirstRepeated(aligned, firstIntervalStartMs(known.timesMs, spacingMs, recipe))
    : aligned;
  const untilMs = record.timesMs[record.timesMs.length - 1] + spacingMs;
  const reachMs = Math.max(maxGapMs, spacingMs);
  const samples = repeatRecord(record, { repeat: recipe.repeat, untilMs, reachMs, window });
  return filledSeries(samples, recipe, { spacingMs, maxGapMs, window, isFirstRepeated });
}

interface GapRule {
  readonly spacingMs: number;
  readonly maxGapMs: number;
  readonly window: TimeWindow;
  readonly isFirstRepeated: boolean;
}

function filledSeries(samples: RawSamples, recipe: SeriesOptions, rule: GapRule): SeriesBuild {
  const { window } = rule;
  const found = findGaps(samples, rule);
  const last = samples.timesMs.length - 1;
  // Before the first sample there is no value to hold.
  const isFilled = ({ fromMs }: SeriesGap) =>
    recipe.onGap === "zero" || (recipe.onGap === "hold" && samples.timesMs[0] <= fromMs);
  const filled = found.filter(isFilled);
  const { timesMs, values } = filled.length === 0 ? samples : fill(samples, recipe, filled);
  const untilMs = samples.timesMs[last] + rule.spacingMs;
  const reachesOn = filled.some((gap) => untilMs <= gap.fromMs);
  const ends = {
    untilMs: reachesOn ? window.toMs : untilMs,
    isFirstRepeated: rule.isFirstRepeated && timesMs[0] === samples.timesMs[0],
  };
  const meetsWindow = ({ fromMs, toMs }: SeriesGap) => fromMs < window.toMs && window.fromMs < toMs;
  return {
    series: new Series(recipe.name, timesMs, values, recipe.interpolation, ends),
    gaps: found.filter((gap) => !isFilled(gap) && meetsWindow(gap)),
    filledGaps: filled.filter(meetsWindow),
    bridged: findBridgedRows(samples, rule),
  };
}

/** From two spacings on a row is missing, as for labels (docs/model/series.md#labels). */
const MISSING_ROW_SPACINGS = 2;

function findBridgedRows({ timesMs, lines }: RawSamples, { spacingMs, maxGapMs, window }: GapRule): BridgedRows {
  const evenMs = evenSpacing(timesMs);
  if (0 < evenMs && evenMs < MISSING_ROW_SPACINGS * spacingMs) return NOTHING_BRIDGED;
  let rowCount = 0;
  let first: SeriesGap | null = null;
  for (let k = 0; k + 1 < timesMs.length && timesMs[k] < window.toMs; k++) {
    const distanceMs = timesMs[k + 1] - timesMs[k];
    if (distanceMs < MISSING_ROW_SPACINGS * spacingMs || maxGapMs < distanceMs || timesMs[k + 1] <= window.fromMs)
      continue;
    rowCount += Math.round(distanceMs / spacingMs) - 1;
    first ??= { fromMs: timesMs[k] + spacingMs, toMs: timesMs[k + 1], line: lines[k] };
  }
  return rowCount === 0 ? NOTHING_BRIDGED : { rowCount, first };
}

/** In order of time: before the record as far as the window goes, inside it, and after it. */
function findGaps({ timesMs, lines }: RawSamples, { spacingMs, maxGapMs, window }: GapRule): SeriesGap[] {
  const gaps: SeriesGap[] = [];
  const last = timesMs.length - 1;
  const validMs = Math.min(spacingMs, maxGapMs);
  if (window.fromMs < timesMs[0]) gaps.push({ fromMs: window.fromMs, toMs: timesMs[0], line: lines[0] });
  const evenMs = evenSpacing(timesMs);
  const isUnbroken = 0 < evenMs && evenMs <= maxGapMs;
  for (let k = 0; k < last && !isUnbroken; k++) {
    if (timesMs[k + 1] - timesMs[k] <= maxGapMs) continue;
    gaps.push({ fromMs: timesMs[k] + validMs, toMs: timesMs[k + 1], line: lines[k] });
  }
  const untilMs = timesMs[last] + spacingMs;
  if (untilMs < window.toMs) gaps.push({ fromMs: untilMs, toMs: window.toMs, line: lines[last] });
  return gaps;
}

/** Samples with those added that make the series hold its last value, or be 0, over each gap. */
function fill(
  samples: RawSamples,
  recipe: SeriesOptions,
  gaps: readonly SeriesGap[],
): Pick<RawSamples, "timesMs" | "values"> {
  const timesMs: number[] = [];
  const values: number[] = [];
  // A sample of the record at the same instant as an added one has precedence.
  const add = (atMs: EpochMs, value: number): void => {
    if (timesMs.length > 0 && atMs <= timesMs[timesMs.length - 1]) return;
    timesMs.push(atMs);
    values.push(value);
  };
  let next = 0;
  for (const gap of gaps) {
    for (; next < samples.timesMs.length && samples.timesMs[next] <= gap.fromMs; next++) {
      add(samples.timesMs[next], samples.values[next]);
    }
    const lastValue = values[values.length - 1];
    const isLinear = recipe.interpolation === "linear";
    const value = recipe.onGap === "hold" ? lastValue : 0;
    // A linear series cannot jump: the change takes the last millisecond before each end of the gap.
    if (isLinear && next > 0) add(gap.fromMs - 1, lastValue);
    if (isLinear || recipe.onGap === "zero") add(gap.fromMs, value);
    if (isLinear) add(gap.toMs - 1, value);
  }
  for (; next < samples.timesMs.length; next++) add(samples.timesMs[next], samples.values[next]);
  return { timesMs: Float64Array.from(timesMs), values: Float64Array.from(values) };
}
