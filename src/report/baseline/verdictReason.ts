import { roundTo } from "../../base/rounding.ts";
import type { DayBaseline } from "../../scenario/build/dayBaselineBuilder.ts";
import type { DayChoice, DayVerdict } from "../../site/baseline/dayBaseline/chooseDays.ts";

/** Three decimals, without -0. */
export const formatThreeDecimals = (value: number): string => roundTo(value, 3).toFixed(3);

/** Whether a past day was used, and the reason. */
export function verdictReason(
  verdict: DayVerdict,
  choice: DayChoice,
  { calendar, rule }: DayBaseline,
  day: number,
): string {
  const { holidayName } = calendar.days[day];
  switch (verdict) {
    case "used":
      return "used";
    case "lowest":
      return "left out: the lowest mean, of equal ones the farthest day";
    case "other_type":
      return `left out: ${holidayName === "" ? "a workday" : `a holiday (${holidayName})`}`;
    case "dr_day":
      return "left out: a day with demand response";
    case "dr_day_used":
      return `used although a day with demand response: fewer than ${choice.requiredSample.keep} others`;
    case "low_load":
      return `left out: below ${rule.excludeBelowPct} % of the mean of its sample`;
    case "no_data":
      return "left out: no load data";
  }
}
