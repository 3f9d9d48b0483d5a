/**
 * Which past days a baseline is the mean of, and why the others are not.
 */

/** How many days are looked at, and how many of those, with the highest mean load, are kept. */
export interface SampleSize {
  readonly size: number;
  readonly keep: number;
}

export interface DayRule {
  readonly workday: SampleSize;
  readonly holiday: SampleSize;
  /** Whether a workday looks at workdays only, and a holiday at holidays. */
  readonly sameTypeOnly: boolean;
  /** How many calendar days back a day may lie. */
  readonly lookBackDays: number;
  /** Days with a mean below this share of the sample's mean give way to earlier ones; 0..100. */
  readonly excludeBelowPct: number;
  readonly sameDayAdjustment: boolean;
}

/**
 * What became of a past day: in the mean; in the sample but lowest; left out as a holiday among workdays (or the
 * reverse), for its demand response, its low load, its missing data; or a day with demand response that is in the mean
 * for want of others.
 */
export type DayVerdict = "used" | "lowest" | "other_type" | "dr_day" | "low_load" | "no_data" | "dr_day_used";

export interface ConsideredDay {
  /** Place in the calendar. */
  readonly day: number;
  readonly verdict: DayVerdict;
  /** Over the slots that count; NaN where it was not needed. */
  readonly meanKw: number;
}

export interface DayChoice {
  readonly requiredSample: SampleSize;
  /** Nearest first, back to the farthest day that had a say. */
  readonly consideredDays: readonly ConsideredDay[];
  /** Days of the mean, nearest first; fewer than `wanted.keep` when there are not enough. */
  readonly usedDays: readonly number[];
  /** Mean of the sample's means in kW, which `excludeBelowPct` is a share of. */
  readonly sampleMeanKw: number;
}

/** What the choice asks about the days. */
export interface DayLookup {
  readonly isHoliday: (day: number) => boolean;
  readonly hasData: (day: number) => boolean;
  readonly hasDemandResponse: (day: number) => boolean;
  /** Mean load in kW over the slots that count. */
  readonly meanKw: (day: number) => number;
}

interface Candidate {
  readonly day: number;
  readonly meanKw: number;
  verdict: DayVerdict;
}

/**
 * The days that make the baseline of one day.
 *
 * The nearest days without demand response form the sample. While some of it lie below the stated share of its mean they
 * leave, and earlier days take their places. The days with the highest means are kept; of equal ones the farther leaves.
 * Where fewer are left than are to be kept, days with demand response join, the highest mean first.
 *
 * @see ERAB guideline (Agency for Natural Resources and Energy, 2020-06-01), standard baseline
 */
export function chooseDays(day: number, rule: DayRule, ask: DayLookup): DayChoice {
  const isHoliday = ask.isHoliday(day);
  const wanted = isHoliday ? rule.holiday : rule.workday;
  const candidates: Candidate[] = [];
  for (let past = day - 1; past >= Math.max(0, day - rule.lookBackDays); past--) {
    candidates.push(initialVerdict(past, rule.sameTypeOnly && ask.isHoliday(past) !== isHoliday, ask));
  }
  const { sample, meanKw } = takeSample(candidates, wanted.size, rule.excludeBelowPct);
  for (const lowest of sortByMean(sample).slice(wanted.keep)) lowest.verdict = "lowest";
  const spare = candidates.filter(({ verdict }) => verdict === "dr_day");
  const lacking = Math.max(0, wanted.keep - sample.length);
  for (const added of sortByMean(spare).slice(0, lacking)) added.verdict = "dr_day_used";
  const end = sample.length < wanted.size ? candidates.length : candidates.indexOf(sample[sample.length - 1]) + 1;
  const isUsed = ({ verdict }: Candidate) => verdict === "used" || verdict === "dr_day_used";
  return {
    requiredSample: wanted,
    consideredDays: candidates.slice(0, end).map(({ day, verdict, meanKw }) => ({ day, verdict, meanKw })),
    usedDays: candidates.filter((candidate, k) => k < end && isUsed(candidate)).map(({ day }) => day),
    sampleMeanKw: meanKw,
  };
}

/** As if every day that can be used were used. */
function initialVerdict(day: number, isOtherType: boolean, ask: DayLookup): Candidate {
  if (isOtherType) return { day, verdict: "other_type", meanKw: Number.NaN };
  if (!ask.hasData(day)) return { day, verdict: "no_data", meanKw: Number.NaN };
  return { day, verdict: ask.hasDemandResponse(day) ? "dr_day" : "used", meanKw: ask.meanKw(day) };
}

/** The sample, nearest first; days that had to leave it are marked, and so are those it did not reach. */
function takeSample(candidates: readonly Candidate[], size: number, excludeBelowPct: number) {
  for (;;) {
    const sample = candidates.filter(({ verdict }) => verdict === "used").slice(0, size);
    const meanKw = sample.reduce((sum, day) => sum + day.meanKw, 0) / sample.length;
    const low = sample.filter((day) => toMilliwatts(day.meanKw) < toMilliwatts((excludeBelowPct / 100) * meanKw));
    if (low.length === 0) return { sample, meanKw };
    for (const day of low) day.verdict = "low_load";
  }
}

/** Highest first; of equal means the nearer. */
const sortByMean = (days: readonly Candidate[]): Candidate[] =>
  [...days].sort((a, b) => toMilliwatts(b.meanKw) - toMilliwatts(a.meanKw) || b.day - a.day);

/** Means that differ by rounding only are equal. */
const toMilliwatts = (kw: number): number => Math.round(kw * 1e6);
