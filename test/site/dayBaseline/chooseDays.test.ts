import { expect, test } from "vitest";
import { chooseDays, type DayRule } from "../../../src/engine/site/baseline/dayBaseline/chooseDays.ts";

const HIGH_4_OF_5: DayRule = {
  workday: { size: 5, keep: 4 },
  holiday: { size: 3, keep: 2 },
  sameTypeOnly: true,
  lookBackDays: 30,
  excludeBelowPct: 25,
  sameDayAdjustment: true,
};
const averageOfDays = (days: number): DayRule => ({
  ...HIGH_4_OF_5,
  workday: { size: days, keep: days },
  holiday: { size: days, keep: days },
  sameTypeOnly: false,
  excludeBelowPct: 0,
});

/**
 * @param past nearest day first: `W` workday or `H` holiday, its mean in kW, `dr`, and `-` for no data
 * @param expected a verdict per considered day, nearest first
 */
function checkChoice(own: "W" | "H", past: string, expected: string, rule = HIGH_4_OF_5) {
  const rows = past
    .trim()
    .split(/\s*,\s*/)
    .map((cell) => cell.split(" "));
  const day = rows.length;
  const row = (place: number) => rows[day - 1 - place];
  const choice = chooseDays(day, rule, {
    isHoliday: (place) => (place === day ? own : row(place)[0]) === "H",
    hasData: (place) => row(place)[1] !== "-",
    hasDemandResponse: (place) => row(place)[2] === "dr",
    meanKw: (place) => Number(row(place)[1]),
  });
  expect(choice.consideredDays.map(({ verdict }) => verdict).join(" ")).toBe(expected.trim().replace(/\s+/g, " "));
  expect(choice.consideredDays.map(({ day: place }) => place)).toEqual(
    choice.consideredDays.map((_, k) => day - 1 - k),
  );
  const kept = choice.consideredDays.filter(({ verdict }) => verdict === "used" || verdict === "dr_day_used");
  expect(choice.usedDays).toEqual(kept.map(({ day: place }) => place));
  return choice;
}

const CASES: readonly (readonly [why: string, own: "W" | "H", past: string, expected: string, rule?: DayRule])[] = [
  [
    "a workday: the lowest of the five nearest leaves, a sixth has no say",
    "W",
    "W 500, W 400, W 100, W 300, W 200, W 900",
    "used used lowest used used",
  ],
  [
    "a workday passes over a weekend",
    "W",
    "W 500, H 900, H 900, W 400, W 300, W 200, W 100",
    "used other_type other_type used used used lowest",
  ],
  [
    "a holiday: the lowest of the three nearest holidays leaves",
    "H",
    "H 50, W 500, W 500, W 500, W 500, W 500, H 70, H 60",
    "lowest other_type other_type other_type other_type other_type used used",
  ],
  ["of equal lowest days the farthest leaves", "W", "W 200, W 300, W 200, W 300, W 200", "used used used used lowest"],
  [
    "of equal means everywhere the farthest leaves",
    "W",
    "W 200, W 200, W 200, W 200, W 200",
    "used used used used lowest",
  ],
  [
    "means that differ by rounding alone are equal",
    "W",
    "W 199.99999999999997, W 300, W 300, W 300, W 200",
    "used used used used lowest",
  ],
  [
    "a day with demand response gives way to an earlier one",
    "W",
    "W 500, W 50 dr, W 400, W 300, W 200, W 350",
    "used dr_day used used lowest used",
  ],
  // Mean of 400, 400, 400, 400, 99 is 339.8, a quarter of it 84.95: 99 stays, and is the lowest.
  ["a load above the share stays", "W", "W 400, W 400, W 99, W 400, W 400, W 50", "used used lowest used used"],
  // Mean of 400, 400, 60, 400, 400 is 332, a quarter of it 83: 60 goes, 300 comes.
  [
    "a day with low load gives way to an earlier one",
    "W",
    "W 400, W 400, W 60, W 400, W 400, W 300",
    "used used low_load used used lowest",
  ],
  // Mean of 380, 380, 80, 380, 380 is 320, a quarter of it 80: not below.
  ["a load of exactly the share stays", "W", "W 380, W 380, W 80, W 380, W 380, W 380", "used used lowest used used"],
  ["four days are enough, and all are used", "W", "W 500, W 400, H 10, W 300, W 200", "used used other_type used used"],
  [
    "for want of others a day with demand response joins, the highest mean first",
    "W",
    "W 500, W 120 dr, W 400, W 130 dr, W 300",
    "used dr_day used dr_day_used used",
  ],
  ["three workdays without others are not enough", "W", "W 500, W -, W 400, W 300", "used no_data used used"],
  ["one holiday is not enough", "H", "W 500, H 30, W 500", "other_type used other_type"],
  [
    "a plain average takes days of any type and no lowest leaves",
    "W",
    "W 500, H 10, W 70 dr, W 400, W 300",
    "used used dr_day used",
    averageOfDays(3),
  ],
];

for (const [why, own, past, expected, rule] of CASES) {
  test(why, () => {
    checkChoice(own, past, expected, rule);
  });
}

test("the percentage is applied again after a day is replaced", () => {
  // 100 × 4 and 10 have the mean 82 and the limit 20.5: 10 goes, 1000 comes. The mean is 280, the limit 70: all stay.
  // Of the four days at 100 the farthest is the lowest.
  const past = "W 100, W 100, W 100, W 100, W 10, W 1000";
  expect(checkChoice("W", past, "used used used lowest low_load used").sampleMeanKw).toBe(280);
});

test("days that raise the mean exclude others", () => {
  // 30, 30, 30, 30, 5: mean 25, limit 6.25: 5 goes. With 1000: mean 224, limit 56: the four at 30 go, one day is left.
  const choice = checkChoice(
    "W",
    "W 30, W 30, W 30, W 30, W 5, W 1000",
    "low_load low_load low_load low_load low_load used",
  );
  expect(choice.usedDays).toHaveLength(1);
});

test("no day lies beyond the look-back", () => {
  const past = "W 1, W 2, W 3, W 4, W 5";
  expect(checkChoice("W", past, "used used used", { ...HIGH_4_OF_5, lookBackDays: 3 }).usedDays).toHaveLength(3);
});
