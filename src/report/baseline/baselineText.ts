import { DateTime } from "luxon";
import { roundKw, roundTo } from "../../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import type { DayChoice, DayVerdict } from "../../engine/site/baseline/dayBaseline/chooseDays.ts";
import {
  type BaselineDay,
  isEventSlot,
  type SameDayAdjustment,
} from "../../engine/site/baseline/dayBaseline/planDayBaseline.ts";
import type { BaselineErrorSpec, BaselineSpec, Period } from "../../engine/site/siteSpec.ts";
import type { DayBaseline } from "../../inputs/scenario/build/dayBaselineBuilder.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { knownKey } from "../../texts/catalogue.ts";
import type { PageTexts, Translate } from "../html/page/pageLocale.ts";

/** Explains a site's baseline: each day with demand response, or the first day if there is none. */
export function baselineText(
  { name: scenario, timezone: zone, world, dayBaselines }: Scenario,
  site: number,
  texts: PageTexts,
): string {
  const { t } = texts;
  const { name, baseline, baselineError } = world.sites[site];
  const error = baselineError === undefined ? [] : [errorText(baselineError, world.seed, t)];
  const explained = dayBaselines.get(name);
  const head = { scenario, site: name, method: baseline.method };
  if (explained === undefined) {
    const key = knownKey(`baseline.${baseline.method}`);
    return `${[t("baseline.head", head), key === null ? "" : t(key), ...error].join("\n")}\n`;
  }
  const eventDays = explained.days.filter(({ events }) => events.length > 0);
  const shown = eventDays.length > 0 ? eventDays : explained.days.slice(0, 1);
  const otherCount = explained.days.length - shown.length;
  const lines = [
    t("baseline.head_rule", { ...head, rule: ruleText(explained, t), zone }),
    ...error,
    ...shown.flatMap((plan) => ["", ...dayLines(plan, explained, { zone, t })]),
  ];
  if (otherCount > 0) lines.push("", t("baseline.other_days", { count: otherCount }));
  return `${lines.join("\n")}\n`;
}

const errorText = ({ biasKw, spreadKw, correlationMs }: BaselineErrorSpec, seed: number, t: Translate): string =>
  t("baseline.error", {
    bias: String(biasKw),
    spread: String(spreadKw),
    minutes: String(correlationMs / MS_PER_MINUTE),
    seed: String(seed),
  });

function ruleText({ rule }: DayBaseline, t: Translate): string {
  const { workday, holiday } = rule;
  if (!rule.sameTypeOnly) return t("baseline.rule_mean", { days: workday.keep });
  return t(rule.sameDayAdjustment ? "baseline.rule_adjusted" : "baseline.rule_plain", {
    workdays: workday.keep,
    workday_size: workday.size,
    holidays: holiday.keep,
    holiday_size: holiday.size,
    days: rule.lookBackDays,
  });
}

interface DayTexts {
  /** IANA name. */
  readonly zone: string;
  readonly t: Translate;
}

function dayLines(plan: BaselineDay, explained: DayBaseline, { zone, t }: DayTexts): string[] {
  const { calendar, rule } = explained;
  const { date, isHoliday, holidayName } = calendar.days[plan.day];
  const type = isHoliday ? t("baseline.holiday", { name: holidayName }) : t("baseline.workday");
  const periods = plan.events.map((event) => periodText(event, zone)).join(t("list.separator"));
  const { consideredDays: considered, usedDays: used, sampleMeanKw } = plan.choice;
  const events = periods === "" ? t("baseline.no_events") : t("baseline.events", { periods });
  const lines = [t("baseline.day", { date, type, events })];
  for (const { day, verdict, meanKw } of considered) {
    const mean = Number.isNaN(meanKw) ? "" : `${meanKw.toFixed(1)} kW`;
    const reason = verdictReason(verdict, explained, { choice: plan.choice, day, t });
    lines.push(`  ${calendar.days[day].date} ${mean.padStart(12)}  ${reason}`);
  }
  if (rule.excludeBelowPct > 0 && !Number.isNaN(sampleMeanKw))
    lines.push(t("baseline.low_load", { pct: String(rule.excludeBelowPct), kw: sampleMeanKw.toFixed(1) }));
  lines.push(t("baseline.mean_of", { count: used.length }));
  if (plan.adjustment !== null) lines.push(adjustmentText(plan.adjustment, { zone, t }));
  return lines;
}

function adjustmentText(adjustment: SameDayAdjustment, { zone, t }: DayTexts): string {
  const { actualKw, baselineKw, adjustmentKw } = adjustment;
  return t("baseline.adjustment", {
    window: periodText(adjustment, zone),
    load: actualKw.toFixed(1),
    baseline: baselineKw.toFixed(1),
    kw: formatSignedKw(adjustmentKw),
  });
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

interface VerdictContext {
  readonly choice: DayChoice;
  /** Index in the calendar. */
  readonly day: number;
  readonly t: Translate;
}

/** Whether a past day was used, and the reason. */
export function verdictReason(
  verdict: DayVerdict,
  { calendar, rule }: DayBaseline,
  { choice, day, t }: VerdictContext,
): string {
  const { holidayName } = calendar.days[day];
  switch (verdict) {
    case "other_type":
      return holidayName === "" ? t("baseline.is_workday") : t("baseline.is_holiday", { name: holidayName });
    case "dr_day_used":
      return t("baseline.dr_day_used", { days: choice.requiredSample.keep });
    case "low_load":
      return t("baseline.below", { pct: String(rule.excludeBelowPct) });
    default:
      return t(`baseline.${verdict}`);
  }
}
