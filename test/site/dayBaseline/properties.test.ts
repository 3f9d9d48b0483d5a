import fc from "fast-check";
import { expect, test } from "vitest";
import { planDayBaseline } from "../../../src/engine/site/baseline/dayBaseline/planDayBaseline.ts";
import { clockMs, HIGH_4_OF_5, loadHistoryOf, period, utcCalendar } from "./testDays.ts";

const DAYS = 12;
const DAY = DAYS - 1;
const RUN = { startMs: clockMs(DAY, "00:00"), endMs: clockMs(DAYS, "00:00") };

/** Whole kW, one of four shapes a day, so that ties and low days are common. */
const loads = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 3 })), {
  minLength: DAYS,
  maxLength: DAYS,
});
const holidays = fc.uniqueArray(fc.integer({ min: 0, max: DAY }), { maxLength: 5 });

function planOf(given: readonly (readonly [number, number])[], off: readonly number[], factor: number) {
  const history = loadHistoryOf(DAYS, (day, slot) => factor * (given[day][0] + ((slot * given[day][1]) % 7)));
  const rule = { ...HIGH_4_OF_5, lookBackDays: DAYS - 3 };
  return planDayBaseline({
    calendar: utcCalendar(DAYS, off),
    history,
    rule,
    events: [period(DAY, "14:00", "16:30")],
    ...RUN,
  });
}

test("twice the load has twice the baseline, from the same days", () => {
  fc.assert(
    fc.property(loads, holidays, (given, off) => {
      const once = planOf(given, off, 1);
      const twice = planOf(given, off, 2);
      expect(twice.ok).toBe(once.ok);
      if (!once.ok || !twice.ok) return;
      expect(twice.days[0].choice.usedDays).toEqual(once.days[0].choice.usedDays);
      // Doubling is exact in binary, so the values are too.
      expect([...twice.plan.values]).toEqual([...once.plan.values].map((kw) => 2 * kw));
    }),
  );
});

test("the days of the mean are of the day's type, at most as many as wanted, none of them above a better one left out", () => {
  fc.assert(
    fc.property(loads, holidays, (given, off) => {
      const plans = planOf(given, off, 1);
      if (!plans.ok) {
        // Ten days back there may be too few; of eight or more workdays none is missing unless its load is low.
        expect(plans.failure.kind).toBe("too_few_days");
        return;
      }
      const { choice } = plans.days[0];
      const isHoliday = off.includes(DAY);
      expect(choice.usedDays).toHaveLength(isHoliday ? 2 : 4);
      for (const day of choice.usedDays) expect(off.includes(day)).toBe(isHoliday);
      const meanOf = new Map(choice.consideredDays.map(({ day, meanKw }) => [day, meanKw]));
      const worst = Math.min(...choice.usedDays.map((day) => meanOf.get(day)!));
      for (const { day, verdict, meanKw } of choice.consideredDays) {
        if (verdict === "lowest") expect(meanKw).toBeLessThanOrEqual(worst);
        if (verdict === "lowest" && meanKw === worst)
          expect(day).toBeLessThan(Math.min(...choice.usedDays.filter((used) => meanOf.get(used) === worst)));
      }
    }),
  );
});
