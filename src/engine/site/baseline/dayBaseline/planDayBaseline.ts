import { meanOf, sumOf } from "../../../../base/lists.ts";
import { type EpochMs, floorToHalfHour, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../../../base/time.ts";
import { halfHourMeans } from "../../../series/model/halfHourMeans.ts";
import { Series } from "../../../series/model/series.ts";
import type { Period } from "../../siteSpec.ts";
import { chooseDays, type DayChoice, type DayRule } from "./chooseDays.ts";
import type { DayCalendar } from "./dayCalendar.ts";

/** A load before and during the run in kW, at least 0, with the periods without data. */
export interface KnownLoad {
  readonly series: Series;
  readonly gaps: readonly Period[];
}

/** Mean load of a site in each UTC half hour, summed over its consumers. */
export class LoadHistory {
  private readonly startMs: EpochMs;
  private readonly untilMs: EpochMs;
  private readonly slotsKw: Float64Array;
  private readonly gaps: readonly Period[];

  /** From `fromMs`, or from the latest start of the loads, to `untilMs`. All loads must reach `untilMs`. */
  constructor(loads: readonly KnownLoad[], fromMs: EpochMs, untilMs: EpochMs) {
    const startMs = Math.max(fromMs, ...loads.map(({ series }) => series.startMs));
    this.startMs = floorToHalfHour(startMs);
    const means = loads.map(({ series }) => halfHourMeans(series, startMs, untilMs).values);
    this.slotsKw = means[0].map((_, slot) => sumOf(means, (values) => values[slot]));
    this.untilMs = this.startMs + this.slotsKw.length * MS_PER_HALF_HOUR;
    this.gaps = loads.flatMap(({ gaps }) => gaps);
  }

  /** Whether a whole period has data. */
  covers(fromMs: EpochMs, toMs: EpochMs): boolean {
    if (fromMs < this.startMs || this.untilMs < toMs) return false;
    return this.gaps.every(({ startMs, endMs }) => toMs <= startMs || endMs <= fromMs);
  }

  /** Mean load of a covered half hour in kW. */
  slotMeanKw(slotMs: EpochMs): number {
    return this.slotsKw[(slotMs - this.startMs) / MS_PER_HALF_HOUR];
  }
}

export interface DayBaselineInput {
  /** Starts two days before the look-back of the run's first day and ends with the run's last day. */
  readonly calendar: DayCalendar;
  readonly history: LoadHistory;
  readonly rule: DayRule;
  /** Periods of requested reductions by start, without overlaps, including those before the run. */
  readonly events: readonly Period[];
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** Comparison of the load before an event with the baseline of the same slots. */
export interface SameDayAdjustment extends Period {
  /** Means over the slots. */
  readonly actualKw: number;
  readonly baselineKw: number;
  /** Added to the event slots; the result is at least 0. */
  readonly adjustmentKw: number;
}

/** A day of the run with the derivation of its baseline. */
export interface BaselineDay {
  readonly day: number;
  /** Requested reductions that overlap the day, by start. */
  readonly events: readonly Period[];
  readonly choice: DayChoice;
  /** `null` without events, without adjustment in the rule, and in an event that began before the previous day. */
  readonly adjustment: SameDayAdjustment | null;
}

export type BaselineDayFailure =
  | { readonly kind: "too_few_days"; readonly day: number; readonly choice: DayChoice }
  | { readonly kind: "no_load_before_event"; readonly day: number; readonly window: Period };

export type DayBaselineResult =
  | { readonly ok: true; readonly plan: Series; readonly days: readonly BaselineDay[] }
  | { readonly ok: false; readonly failure: BaselineDayFailure };

/** The six slots from 5 h to 2 h before the start of the day's first event. */
const ADJUSTMENT_WINDOW_START_MS = 5 * MS_PER_HOUR;
const ADJUSTMENT_WINDOW_END_MS = 2 * MS_PER_HOUR;

/**
 * The baseline in every UTC half hour of the run: the mean of the same slot on selected past days.
 *
 * The days are selected by their means over the slots of the day's events; on a day without events, over all slots. A slot
 * belongs to the day in which it starts.
 */
export function planDayBaseline(input: DayBaselineInput): DayBaselineResult {
  const { calendar, startMs, endMs } = input;
  const firstMs = floorToHalfHour(startMs);
  const count = Math.ceil((endMs - firstMs) / MS_PER_HALF_HOUR);
  const timesMs = Float64Array.from({ length: count }, (_, k) => firstMs + k * MS_PER_HALF_HOUR);
  const values = new Float64Array(count);
  const days: BaselineDay[] = [];
  const eventsByDay = calendar.days.map((): Period[] => []);
  for (const event of input.events) for (const day of daysOf(calendar, event)) eventsByDay[day].push(event);
  for (let k = 0; k < count; ) {
    const day = calendar.dayIndexAt(timesMs[k]);
    const plan = planOneDay(input, eventsByDay, day);
    if ("kind" in plan) return { ok: false, failure: plan };
    days.push(plan);
    for (; k < count && timesMs[k] < calendar.days[day].endMs; k++) values[k] = slotBaselineKw(input, plan, timesMs[k]);
  }
  return { ok: true, plan: new Series("baseline", timesMs, values, "step", firstMs + count * MS_PER_HALF_HOUR), days };
}

/** Whether an event overlaps a slot. */
export const isEventSlot = ({ events }: BaselineDay, slotMs: EpochMs): boolean =>
  events.some(({ startMs, endMs }) => startMs < slotMs + MS_PER_HALF_HOUR && slotMs < endMs);

function planOneDay(
  input: DayBaselineInput,
  eventsByDay: readonly (readonly Period[])[],
  day: number,
): BaselineDay | BaselineDayFailure {
  const { calendar, history, rule } = input;
  const events = eventsByDay[day];
  const window = rule.sameDayAdjustment ? adjustmentWindow(calendar, day, events) : null;
  const counted = countedSlots(calendar, day, events);
  const fromMs = Math.min(calendar.days[day].startMs, window?.startMs ?? Number.POSITIVE_INFINITY);
  const choice = chooseDays(day, rule, {
    isHoliday: (past) => calendar.days[past].isHoliday,
    hasDemandResponse: (past) => eventsByDay[past].length > 0,
    hasData: (past) => history.covers(sameTimeOnDay(calendar, fromMs, day, past), calendar.days[past].endMs),
    meanKw: (past) => meanOf(counted.map((slotMs) => history.slotMeanKw(sameTimeOnDay(calendar, slotMs, day, past)))),
  });
  if (choice.usedDays.length < choice.requiredSample.keep) return { kind: "too_few_days", day, choice };
  if (window === null) return { day, events, choice, adjustment: null };
  if (!history.covers(window.startMs, window.endMs)) return { kind: "no_load_before_event", day, window };
  const slots = slotsOf(window);
  const actualKw = meanOf(slots.map((slotMs) => history.slotMeanKw(slotMs)));
  const baselineKw = meanOf(slots.map((slotMs) => meanOfDays(input, { day, choice }, slotMs)));
  return { day, events, choice, adjustment: { ...window, actualKw, baselineKw, adjustmentKw: actualKw - baselineKw } };
}

function slotBaselineKw(input: DayBaselineInput, plan: BaselineDay, slotMs: EpochMs): number {
  const kw = meanOfDays(input, plan, slotMs);
  if (plan.adjustment === null || !isEventSlot(plan, slotMs)) return kw;
  return Math.max(0, kw + plan.adjustment.adjustmentKw);
}

function meanOfDays(
  input: DayBaselineInput,
  { day, choice }: Pick<BaselineDay, "day" | "choice">,
  slotMs: EpochMs,
): number {
  return meanOf(
    choice.usedDays.map((past) => input.history.slotMeanKw(sameTimeOnDay(input.calendar, slotMs, day, past))),
  );
}

/** The same clock time relative to a past day; an instant of the evening before `day` maps to the evening before `past`. */
function sameTimeOnDay(calendar: DayCalendar, atMs: EpochMs, day: number, past: number): EpochMs {
  const fromDay = calendar.dayIndexAt(atMs);
  return calendar.sameClockTimeMs(atMs, fromDay, fromDay + past - day);
}

/** Indices of the days that a period overlaps. */
function daysOf({ days }: DayCalendar, { startMs, endMs }: Period): number[] {
  const indices: number[] = [];
  for (let day = 0; day < days.length; day++)
    if (startMs < days[day].endMs && days[day].startMs < endMs) indices.push(day);
  return indices;
}

function countedSlots(calendar: DayCalendar, day: number, events: readonly Period[]): EpochMs[] {
  const { startMs, endMs } = calendar.days[day];
  const all = slotsOf({ startMs: Math.ceil(startMs / MS_PER_HALF_HOUR) * MS_PER_HALF_HOUR, endMs });
  if (events.length === 0) return all;
  return all.filter((slotMs) =>
    events.some((event) => event.startMs < slotMs + MS_PER_HALF_HOUR && slotMs < event.endMs),
  );
}

/**
 * The adjustment window before the first event. `null` without events, and in an event that began before the previous day,
 * because the load before it is too old.
 */
function adjustmentWindow(calendar: DayCalendar, day: number, events: readonly Period[]): Period | null {
  if (events.length === 0 || calendar.dayIndexAt(events[0].startMs) < day - 1) return null;
  const slotMs = floorToHalfHour(events[0].startMs);
  return { startMs: slotMs - ADJUSTMENT_WINDOW_START_MS, endMs: slotMs - ADJUSTMENT_WINDOW_END_MS };
}

function slotsOf({ startMs, endMs }: Period): EpochMs[] {
  const slots: EpochMs[] = [];
  for (let slotMs = startMs; slotMs < endMs; slotMs += MS_PER_HALF_HOUR) slots.push(slotMs);
  return slots;
}
