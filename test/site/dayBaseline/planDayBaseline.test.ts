import { expect, test } from "vitest";
import {
  type DayBaselineInput,
  type DayBaselineResult,
  planDayBaseline,
} from "../../../src/engine/site/baseline/dayBaseline/planDayBaseline.ts";
import { clockMs, HIGH_4_OF_5, loadHistoryOf, period, utcCalendar } from "./testDays.ts";

/** Day 7 is the day of the run; days 2 to 6 make its sample. */
const DAY = 7;
const RUN = { startMs: clockMs(DAY, "00:00"), endMs: clockMs(DAY + 1, "00:00") };
const EVENT = period(DAY, "14:00", "16:00");

function check(given: Partial<DayBaselineInput>): Extract<DayBaselineResult, { ok: true }> {
  const plans = planDayBaseline({
    calendar: utcCalendar(8),
    history: loadHistoryOf(8, () => 0),
    rule: HIGH_4_OF_5,
    events: [EVENT],
    ...RUN,
    ...given,
  });
  if (!plans.ok) throw new Error(`no plan: ${plans.failure.kind}`);
  return plans;
}

const isEvent = (slot: number) => 28 <= slot && slot < 32;
const isWindow = (slot: number) => 18 <= slot && slot < 24;

test("a workday by hand: four of five, slot by slot, and the adjustment in the slots of the event alone", () => {
  // In the event: 120, 200, 300, 400, 500 kW on days 2 to 6, 8 kW more in its last slot; 30 in the window before it,
  // 10 elsewhere; today 42, 36, 30, 30, 30, 30 in the window.
  const inEvent = [0, 0, 120, 200, 300, 400, 500, 999];
  const today = [42, 36, 30, 30, 30, 30];
  const history = loadHistoryOf(8, (day, slot) => {
    if (isEvent(slot)) return inEvent[day] + (slot === 31 ? 8 : 0);
    if (isWindow(slot)) return day === DAY ? today[slot - 18] : 30;
    return 10;
  });
  const { plan, days } = check({ history });
  // Day 2 is the lowest. (200 + 300 + 400 + 500) / 4 = 350; (42 + 36 + 4 × 30) / 6 − 30 = 3.
  expect(days[0].choice.usedDays).toEqual([6, 5, 4, 3]);
  expect(days[0].adjustment).toEqual({
    startMs: clockMs(DAY, "09:00"),
    endMs: clockMs(DAY, "12:00"),
    actualKw: 33,
    baselineKw: 30,
    adjustmentKw: 3,
  });
  const kwAt = (clock: string) => plan.valueAt(clockMs(DAY, clock));
  expect(["13:30", "14:00", "15:29", "15:30", "16:00"].map(kwAt)).toEqual([10, 353, 353, 361, 10]);
  expect(kwAt("09:00")).toBe(30);
});

test("without same-day adjustment the mean stands", () => {
  const history = loadHistoryOf(8, (day, slot) => (day === DAY ? 77 : isEvent(slot) ? 100 : 50));
  const { plan, days } = check({ history, rule: { ...HIGH_4_OF_5, sameDayAdjustment: false } });
  expect(plan.valueAt(EVENT.startMs)).toBe(100);
  expect(days[0].adjustment).toBeNull();
});

test("an adjustment never takes the baseline below 0", () => {
  // The load before the event is 500 in the sample and 0 today; the event's own slots have 200.
  const history = loadHistoryOf(8, (day, slot) => (isEvent(slot) ? 200 : day === DAY ? 0 : 500));
  const { plan, days } = check({ history });
  expect(days[0].adjustment?.adjustmentKw).toBe(-500);
  expect(plan.valueAt(EVENT.startMs)).toBe(0);
});

test("the days are chosen by the slots of the event, not by the day", () => {
  // Day 4 has the most over the day and nothing in the event.
  const history = loadHistoryOf(8, (day, slot) => (day === 4 ? (isEvent(slot) ? 90 : 1000) : 100));
  expect(check({ history }).days[0].choice.usedDays).toEqual([6, 5, 3, 2]);
});

test("without an event the whole day counts, and nothing is adjusted", () => {
  const history = loadHistoryOf(8, (day, slot) => (day === 4 ? (isEvent(slot) ? 90 : 1000) : 100));
  const { days } = check({ history, events: [] });
  expect(days[0].choice.usedDays).toEqual([6, 5, 4, 3]);
  expect(days[0].adjustment).toBeNull();
});

test("two events of a day choose by the slots of both and adjust by the load before the first", () => {
  // In the second event day 3 has 60 and day 2 has 50, all else 100: means 80 and 75, so day 2 is the lowest.
  const second = period(DAY, "18:00", "20:00");
  const history = loadHistoryOf(8, (day, slot) =>
    36 <= slot && slot < 40 ? (day === 3 ? 60 : day === 2 ? 50 : 100) : 100,
  );
  const { plan, days } = check({ history, events: [EVENT, second] });
  expect(days[0].choice.usedDays).toEqual([6, 5, 4, 3]);
  expect(days[0].adjustment?.startMs).toBe(clockMs(DAY, "09:00"));
  // (100 + 100 + 100 + 60) / 4
  expect(plan.valueAt(second.startMs)).toBe(90);
});

test("an earlier event of the same days makes them days with demand response", () => {
  const { days } = check({
    calendar: utcCalendar(8),
    history: loadHistoryOf(8, () => 100),
    events: [period(5, "10:00", "10:30"), EVENT],
  });
  expect(days[0].choice.usedDays).toEqual([6, 4, 3, 2]);
  expect(days[0].choice.consideredDays.map(({ verdict }) => verdict)).toEqual([
    "used",
    "dr_day",
    "used",
    "used",
    "used",
    "lowest",
  ]);
});

test("an event that starts within a slot counts with the whole of it", () => {
  const history = loadHistoryOf(8, (_day, slot) => (slot === 28 ? 200 : 100));
  const { plan, days } = check({ history, events: [period(DAY, "14:20", "14:40")] });
  // Slots 14:00 and 14:30, and the window before 14:00.
  expect(days[0].choice.sampleMeanKw).toBe(150);
  expect(days[0].adjustment?.startMs).toBe(clockMs(DAY, "09:00"));
  expect(plan.valueAt(clockMs(DAY, "14:00"))).toBe(200);
});

test("the slots before an event of the night lie in the evening before, on past days too", () => {
  // Event at 03:00: the window is 22:00 to 01:00. Evenings have 60, the evening before today 90; nights 20.
  const history = loadHistoryOf(8, (day, slot) => (slot < 44 ? 20 : day === DAY - 1 ? 90 : 60));
  const { days, plan } = check({ history, events: [period(DAY, "03:00", "04:00")] });
  // Used days 3 to 6 have the evenings of days 2 to 5: (4 × 60 + 2 × 20) / 6 against (4 × 90 + 2 × 20) / 6.
  expect(days[0].adjustment?.adjustmentKw).toBeCloseTo(20, 12);
  expect(plan.valueAt(clockMs(DAY, "03:30"))).toBeCloseTo(40, 12);
});

test("an event over midnight continues with the adjustment of its start", () => {
  const history = loadHistoryOf(9, (day, slot) => (day === DAY && 36 <= slot && slot < 42 ? 130 : 100));
  const { days, plan } = check({
    calendar: utcCalendar(9),
    history,
    events: [period(DAY, "23:00", "02:00", DAY + 1)],
    endMs: clockMs(DAY + 2, "00:00"),
  });
  expect(days.map(({ adjustment }) => adjustment?.adjustmentKw)).toEqual([30, 30]);
  expect(plan.valueAt(clockMs(DAY + 1, "01:30"))).toBe(130);
  expect(plan.valueAt(clockMs(DAY + 1, "02:00"))).toBe(100);
  // The night makes day 7 a day with demand response for day 8.
  expect(days[1].choice.consideredDays[0].verdict).toBe("dr_day");
});

test("an event that has run since before yesterday is not adjusted", () => {
  const history = loadHistoryOf(9, (day) => (day === 6 ? 130 : 100));
  const { days } = check({
    calendar: utcCalendar(9),
    history,
    events: [period(6, "14:00", "20:00", 8)],
    endMs: clockMs(9, "00:00"),
  });
  expect(days.map(({ adjustment }) => adjustment === null)).toEqual([false, true]);
});

test("too few days, and no load before the event, have reasons of their own", () => {
  const noData = (from: number, to: number) => [{ startMs: clockMs(from, "00:00"), endMs: clockMs(to, "00:00") }];
  const plansOf = (history: DayBaselineInput["history"], calendar = utcCalendar(8)) =>
    planDayBaseline({ calendar, history, rule: HIGH_4_OF_5, events: [EVENT], ...RUN });
  const few = plansOf(loadHistoryOf(8, () => 100, noData(0, 4)));
  expect(few).toMatchObject({ ok: false, failure: { kind: "too_few_days", day: DAY } });
  const before = plansOf(loadHistoryOf(8, () => 100, [period(DAY, "10:00", "10:10")]));
  expect(before).toMatchObject({ ok: false, failure: { kind: "no_load_before_event", day: DAY } });
});

test("a run that starts and ends within half hours has the slots that contain its ends", () => {
  const history = loadHistoryOf(8, () => 100);
  const { plan } = check({ history, events: [], startMs: clockMs(DAY, "10:10"), endMs: clockMs(DAY, "11:10") });
  expect([plan.startMs, plan.untilMs]).toEqual([clockMs(DAY, "10:00"), clockMs(DAY, "11:30")]);
});
