import { sumOf } from "../../../../base/lists.ts";

/**
 * Selection of the past days whose mean is a baseline, with the reason for each excluded day.
 */

/** Number of days in the sample, and number of days with the highest mean load that are kept of it. */
interface SampleSize {
  readonly size: number;
  readonly keep: number;
}

export interface DayRule {
  readonly workday: SampleSize;
  readonly holiday: SampleSize;
  /** Whether the sample of a workday has workdays only, and that of a holiday holidays only. */
  readonly sameTypeOnly: boolean;
  /** Maximum age of a day, in calendar days. */
  readonly lookBackDays: number;
  /** Days with a mean below this percentage of the sample's mean are replaced by earlier ones; 0..100. */
  readonly excludeBelowPct: number;
  readonly sameDayAdjustment: boolean;
}

/**
 * Result of the selection for a past day: used in the mean; in the sample but among the lowest; excluded because of its day
 * type, demand response, low load or missing data; or a day with demand response that is used because too few others exist.
 */
export type DayVerdict = "used" | "lowest" | "other_type" | "dr_day" | "low_load" | "no_data" | "dr_day_used";

interface ConsideredDay {
  /** Index in the calendar. */
  readonly day: number;
  readonly verdict: DayVerdict;
  /** Mean over the counted slots; NaN if it was not needed. */
  readonly meanKw: number;
}

export interface DayChoice {
  readonly requiredSample: SampleSize;
  /** Latest first, back to the earliest day that influenced the result. */
  readonly consideredDays: readonly ConsideredDay[];
  /** Days of the mean, latest first; fewer than `requiredSample.keep` if there are not enough. */
  readonly usedDays: readonly number[];
  /** Mean of the sample's means in kW; the reference of `excludeBelowPct`. */
  readonly sampleMeanKw: number;
}

/** Properties of the days, by index in the calendar. */
interface DayLookup {
  readonly isHoliday: (day: number) => boolean;
  readonly hasData: (day: number) => boolean;
  readonly hasDemandResponse: (day: number) => boolean;
  /** Mean load in kW over the counted slots. */
  readonly meanKw: (day: number) => number;
}

interface Candidate {
  readonly day: number;
  readonly meanKw: number;
  verdict: DayVerdict;
}

/**
 * Selects the days of one day's baseline.
 *
 * The latest days without demand response form the sample. Days below the given percentage of the sample's mean are replaced
 * by earlier days until there are none. The days with the highest means are kept; of equal means the later day is kept. If
 * fewer days remain than are required, days with demand response are added, the highest mean first.
 *
 * @see ERAB guideline (Agency for Natural Resources and Energy, 2020-06-01), standard baseline
 */
export function chooseDays(day: number, rule: DayRule, lookup: DayLookup): DayChoice {
  const isHoliday = lookup.isHoliday(day);
  const requiredSample = isHoliday ? rule.holiday : rule.workday;
  const candidates: Candidate[] = [];
  for (let past = day - 1; past >= Math.max(0, day - rule.lookBackDays); past--) {
    candidates.push(initialVerdict(past, rule.sameTypeOnly && lookup.isHoliday(past) !== isHoliday, lookup));
  }
  const { sample, meanKw } = takeSample(candidates, requiredSample.size, rule.excludeBelowPct);
  for (const lowest of sortByMean(sample).slice(requiredSample.keep)) lowest.verdict = "lowest";
  const demandResponseDays = candidates.filter(({ verdict }) => verdict === "dr_day");
  const missingCount = Math.max(0, requiredSample.keep - sample.length);
  for (const added of sortByMean(demandResponseDays).slice(0, missingCount)) added.verdict = "dr_day_used";
  const end =
    sample.length < requiredSample.size ? candidates.length : candidates.indexOf(sample[sample.length - 1]) + 1;
  const isUsed = ({ verdict }: Candidate) => verdict === "used" || verdict === "dr_day_used";
  return {
    requiredSample,
    consideredDays: candidates.slice(0, end).map(({ day, verdict, meanKw }) => ({ day, verdict, meanKw })),
    usedDays: candidates.filter((candidate, k) => k < end && isUsed(candidate)).map(({ day }) => day),
    sampleMeanKw: meanKw,
  };
}

/** The verdict before the selection; every usable day is "used". */
function initialVerdict(day: number, isOtherType: boolean, lookup: DayLookup): Candidate {
  if (isOtherType) return { day, verdict: "other_type", meanKw: Number.NaN };
  if (!lookup.hasData(day)) return { day, verdict: "no_data", meanKw: Number.NaN };
  return { day, verdict: lookup.hasDemandResponse(day) ? "dr_day" : "used", meanKw: lookup.meanKw(day) };
}

/** The sample, latest first; excluded days get the verdict "low_load". */
function takeSample(candidates: readonly Candidate[], size: number, excludeBelowPct: number) {
  for (;;) {
    const sample = candidates.filter(({ verdict }) => verdict === "used").slice(0, size);
    const meanKw = sumOf(sample, (day) => day.meanKw) / sample.length;
    const low = sample.filter((day) => toMilliwatts(day.meanKw) < toMilliwatts((excludeBelowPct / 100) * meanKw));
    if (low.length === 0) return { sample, meanKw };
    for (const day of low) day.verdict = "low_load";
  }
}

/** Highest first; of equal means the later day. */
const sortByMean = (days: readonly Candidate[]): Candidate[] =>
  [...days].sort((a, b) => toMilliwatts(b.meanKw) - toMilliwatts(a.meanKw) || b.day - a.day);

/** Makes means that differ by rounding only equal. */
const toMilliwatts = (kw: number): number => Math.round(kw * 1e6);
