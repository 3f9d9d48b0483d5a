import { type EpochMs, floorToHalfHour, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../../base/time.ts";
import { Series } from "../../../series/model/series.ts";
import type { Period } from "../../siteSpec.ts";
import { chooseDays, type DayChoice, type DayRule } from "./chooseDays.ts";
import type { DayCalendar } from "./dayCalendar.ts";
import type { LoadHistory } from "./loadHistory.ts";

export interface DayBaselineInput {
  /** From two days before the look-back of the run's first day to the run's last day. */
  readonly calendar: DayCalendar;
  readonly history: LoadHistory;
  readonly rule: DayRule;
  /** Periods in which a reduction was asked of the site, by start, apart from each other; also those before the run. */
  readonly events: readonly Period[];
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** What the load before the event was against the same slots of the baseline. */
export interface SameDayAdjustment extends Period {
  /** Means over the slots. */
  readonly actualKw: number;
  readonly baselineKw: number;
  /** What is added to the slots of the events, which stay at 0 or above. */
  readonly adjustmentKw: number;
}

/** One day of the run and how its baseline came about. */
export interface BaselineDay {
  readonly day: number;
  /** Reductions asked for that reach into the day, by start. */
  readonly events: readonly Period[];
  readonly choice: DayChoice;
  /** `null` without events, where the rule has none, and in an event that began before the day before. */
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
 * The baseline in every UTC half hour of the run, by the mean of past days slot by slot.
 *
 * The slots that count in the choice of days are those of the day's events, all together; on a day without any, all its
 * slots. A slot belongs to the day in which it starts.
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

/** Whether an event reaches into a slot. */
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
    meanKw: (past) => mean(counted.map((slotMs) => history.slotMeanKw(sameTimeOnDay(calendar, slotMs, day, past)))),
  });
  if (choice.usedDays.length < choice.requiredSample.keep) return { kind: "too_few_days", day, choice };
  if (window === null) return { day, events, choice, adjustment: null };
  if (!history.covers(window.startMs, window.endMs)) return { kind: "no_load_before_event", day, window };
  const slots = slotsOf(window);
  const actualKw = mean(slots.map((slotMs) => history.slotMeanKw(slotMs)));
  const baselineKw = mean(slots.map((slotMs) => meanOfDays(input, { day, choice }, slotMs)));
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
  return mean(
    choice.usedDays.map((past) => input.history.slotMeanKw(sameTimeOnDay(input.calendar, slotMs, day, past))),
  );
}

/** The same clock time around a past day; an instant of the evening before `day` goes to the evening before `past`. */
function sameTimeOnDay(calendar: DayCalendar, atMs: EpochMs, day: number, past: number): EpochMs {
  const own = calendar.dayIndexAt(atMs);
  return calendar.sameClockTimeMs(atMs, own, own + past - day);
}

/** Places of the calendar's days that a period reaches into. */
function daysOf({ days }: DayCalendar, { startMs, endMs }: Period): number[] {
  const places: number[] = [];
  for (let day = 0; day < days.length; day++)
    if (startMs < days[day].endMs && days[day].startMs < endMs) places.push(day);
  return places;
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
 * The slots before the first event; `null` without one, and in an event that has been running since before yesterday:
 * what came before it says nothing about today.
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

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
