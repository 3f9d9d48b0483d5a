import { DateTime } from "luxon";
import { roundKw, roundTo } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import type { DayChoice, DayVerdict } from "../../engine/site/baseline/dayBaseline/chooseDays.ts";
import {
  type BaselineDay,
  isEventSlot,
  type SameDayAdjustment,
} from "../../engine/site/baseline/dayBaseline/planDayBaseline.ts";
import type { BaselineSpec, Period } from "../../engine/site/siteSpec.ts";
import type { DayBaseline } from "../../inputs/scenario/build/dayBaselineBuilder.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";

/** Explains a site's baseline: each day with demand response, or the first day if there is none. */
export function baselineText({ name, timezone, world, dayBaselines }: Scenario, site: number): string {
  const spec = world.sites[site];
  const explained = dayBaselines.get(spec.name);
  const head = `${name}, ${spec.name}: baseline ${spec.baseline.method}`;
  if (explained === undefined) return `${head}\n${methodText(spec.baseline.method)}\n`;
  const eventDays = explained.days.filter(({ events }) => events.length > 0);
  const shown = eventDays.length > 0 ? eventDays : explained.days.slice(0, 1);
  const otherCount = explained.days.length - shown.length;
  const lines = [
    `${head} (${ruleText(explained)}), times in ${timezone}`,
    ...shown.flatMap((plan) => ["", ...dayLines(plan, explained, timezone)]),
  ];
  if (otherCount > 0)
    lines.push("", `${otherCount} ${otherCount === 1 ? "day" : "days"} without demand response: see audit.csv`);
  return `${lines.join("\n")}\n`;
}

const METHOD_TEXT: Partial<Record<string, string>> = {
  zero: "  A consumer registers no slots; other sites have a baseline of 0 kW.",
  constant: "  The same value in every slot.",
  series: "  The mean of the series over each half hour.",
  perfect: "  The power of the site without any instruction, as the mean over each half hour.",
  capacity_factor: "  The day's energy from the capacity factor, distributed by clear-sky irradiance.",
};
const methodText = (method: string): string => METHOD_TEXT[method] ?? "";

function ruleText({ rule }: DayBaseline): string {
  if (!rule.sameTypeOnly) return `the mean of ${rule.workday.keep} days`;
  const adjustment = rule.sameDayAdjustment ? "with same-day adjustment" : "without same-day adjustment";
  const { workday, holiday } = rule;
  return `${workday.keep} of ${workday.size} workdays, ${holiday.keep} of ${holiday.size} holidays within ${rule.lookBackDays} days, ${adjustment}`;
}

function dayLines(plan: BaselineDay, explained: DayBaseline, timezone: string): string[] {
  const { calendar, rule } = explained;
  const { date, isHoliday, holidayName } = calendar.days[plan.day];
  const type = isHoliday ? `holiday (${holidayName})` : "workday";
  const periods = plan.events.map((event) => periodText(event, timezone)).join(", ");
  const { consideredDays: considered, usedDays: used, sampleMeanKw } = plan.choice;
  const lines = [`${date}, ${type}, ${periods === "" ? "no demand response" : `demand response ${periods}`}`];
  for (const { day, verdict, meanKw } of considered) {
    const mean = Number.isNaN(meanKw) ? "" : `${meanKw.toFixed(1)} kW`;
    lines.push(
      `  ${calendar.days[day].date} ${mean.padStart(12)}  ${verdictReason(verdict, plan.choice, explained, day)}`,
    );
  }
  if (rule.excludeBelowPct > 0 && !Number.isNaN(sampleMeanKw))
    lines.push(`  low load: below ${rule.excludeBelowPct} % of ${sampleMeanKw.toFixed(1)} kW`);
  lines.push(`  baseline: mean of ${used.length} days, slot by slot`);
  if (plan.adjustment !== null) lines.push(`  ${adjustmentText(plan.adjustment, timezone)}`);
  return lines;
}

function adjustmentText(adjustment: SameDayAdjustment, timezone: string): string {
  const { actualKw, baselineKw, adjustmentKw } = adjustment;
  const window = periodText(adjustment, timezone);
  const sum = `load ${actualKw.toFixed(1)} kW - baseline ${baselineKw.toFixed(1)} kW`;
  return `adjustment from ${window}: ${sum} = ${formatSignedKw(adjustmentKw)} kW in the slots of the demand response`;
}

/** `2026-05-07 13:00-16:00`; with the date of the end if it is another day. */
function periodText({ startMs, endMs }: Period, timezone: string): string {
  const [startDate, startTime] = localText(startMs, timezone);
  const [endDate, endTime] = localText(endMs, timezone);
  return `${startDate} ${startTime}-${endDate === startDate ? "" : `${endDate} `}${endTime}`;
}

function localText(atMs: EpochMs, timezone: string): readonly [date: string, time: string] {
  const iso = DateTime.fromMillis(atMs, { zone: timezone }).toISO({ includeOffset: false }) ?? "";
  const isWholeMinute = atMs % MS_PER_MINUTE === 0;
  return [iso.slice(0, 10), iso.slice(11, isWholeMinute ? 16 : 19)];
}

/** The method behind one slot, in the at most 64 characters that the site API accepts as `method_note`. */
export function methodNote(
  baseline: BaselineSpec,
  explained: DayBaseline | undefined,
  plan: BaselineDay | undefined,
  slotMs: EpochMs,
): string {
  if (baseline.method === "series") return `Series ${baseline.plan.name}`.slice(0, 64);
  if (baseline.method === "perfect") return "Undisturbed load or generation";
  if (baseline.method === "capacity_factor") return "Capacity factor by clear-sky shape";
  if (baseline.method === "zero") return "Zero";
  if (baseline.method === "constant") return "Constant";
  if (explained === undefined || plan === undefined) return baseline.method;
  const { size, keep } = plan.choice.requiredSample;
  const name = explained.rule.sameTypeOnly ? `High ${keep} of ${size}` : `Average of ${keep} days`;
  if (plan.adjustment === null || !isEventSlot(plan, slotMs)) return name;
  return `${name}, same-day adjustment ${formatSignedKw(plan.adjustment.adjustmentKw)} kW`;
}

/** One decimal with its sign. */
function formatSignedKw(kw: number): string {
  const rounded = roundKw(kw);
  return `${rounded > 0 ? "+" : ""}${rounded.toFixed(1)}`;
}

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
