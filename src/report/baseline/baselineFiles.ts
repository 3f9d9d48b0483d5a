import { stringify } from "csv-stringify/sync";
import { isoUtc, MS_PER_HALF_HOUR } from "../../base/time.ts";
import { createSiteBaseline } from "../../engine/site/baseline/createSiteBaseline.ts";
import type { BaselineDay } from "../../engine/site/baseline/dayBaseline/planDayBaseline.ts";
import { planKwAt } from "../../engine/site/baseline/siteBaseline.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { textsIn } from "../html/page/pageLocale.ts";
import { formatThreeDecimals, methodNote, verdictReason } from "./baselineText.ts";

/** Of files. */
const ENGLISH = textsIn("en");

/**
 * Files of a site's baseline with its audit trail, by file name.
 *
 * `baseline.csv` has a row per registered UTC half hour of the run; `audit.csv` a row per day of the run and considered
 * past day; `audit.json` the same with the rule and the adjustments.
 */
export function baselineFiles(scenario: Scenario, site: number): ReadonlyMap<string, string> {
  return new Map([
    ["baseline.csv", slotRows(scenario, site)],
    ["audit.csv", auditRows(scenario, site)],
    ["audit.json", `${JSON.stringify(auditJson(scenario, site), null, 2)}\n`],
  ]);
}

function slotRows({ world, dayBaselines }: Scenario, site: number): string {
  const spec = world.sites[site];
  const { startMs, endMs } = world;
  const { slotsKw, hasRegisteredSlots } = createSiteBaseline(spec, world);
  const explained = dayBaselines.get(spec.name);
  const records: string[][] = [["start", "end", "baseline_kw", "method_note"]];
  const firstMs = Math.floor(startMs / MS_PER_HALF_HOUR) * MS_PER_HALF_HOUR;
  for (let slotMs = firstMs, k = 0; hasRegisteredSlots && slotMs < endMs; slotMs += MS_PER_HALF_HOUR) {
    const days = explained?.days ?? [];
    while (explained !== undefined && explained.calendar.days[days[k].day].endMs <= slotMs) k++;
    const note = methodNote(spec.baseline, explained, days[k], slotMs);
    records.push([
      isoUtc(slotMs),
      isoUtc(slotMs + MS_PER_HALF_HOUR),
      formatThreeDecimals(planKwAt(slotsKw, slotMs)),
      note,
    ]);
  }
  return stringify(records);
}

const AUDIT_COLUMNS = [
  "day",
  "day_type",
  "dr_periods",
  "considered_day",
  "considered_type",
  "mean_kw",
  "verdict",
  "reason",
  "adjustment_kw",
];

function auditRows({ world, dayBaselines }: Scenario, site: number): string {
  const explained = dayBaselines.get(world.sites[site].name);
  const records: string[][] = [AUDIT_COLUMNS];
  if (explained === undefined) return stringify(records);
  const { days } = explained.calendar;
  for (const plan of explained.days) {
    const eventDay = days[plan.day];
    const periods = plan.events.map(({ startMs, endMs }) => `${isoUtc(startMs)}/${isoUtc(endMs)}`).join(" ");
    const adjustment = plan.adjustment === null ? "" : formatThreeDecimals(plan.adjustment.adjustmentKw);
    for (const { day, verdict, meanKw } of plan.choice.consideredDays) {
      const mean = Number.isNaN(meanKw) ? "" : formatThreeDecimals(meanKw);
      const reason = verdictReason(verdict, explained, { choice: plan.choice, day, t: ENGLISH.t });
      const past = days[day];
      const types = [typeOf(eventDay), periods, past.date, typeOf(past)];
      records.push([eventDay.date, ...types, mean, verdict, reason, adjustment]);
    }
  }
  return stringify(records);
}

const typeOf = ({ isHoliday }: { readonly isHoliday: boolean }): string => (isHoliday ? "holiday" : "workday");

function auditJson({ name, timezone, hash, world, dayBaselines }: Scenario, site: number) {
  const spec = world.sites[site];
  const explained = dayBaselines.get(spec.name);
  const { method } = spec.baseline;
  const head = { scenario: name, hash, site: spec.name, ems_id: spec.emsId, method, timezone };
  if (explained === undefined) return { ...head, rule: null, days: [] };
  const { calendar, rule, days } = explained;
  return {
    ...head,
    rule: {
      workday: rule.workday,
      holiday: rule.holiday,
      same_type_only: rule.sameTypeOnly,
      look_back_days: rule.lookBackDays,
      exclude_below_pct: rule.excludeBelowPct,
      same_day_adjustment: rule.sameDayAdjustment,
    },
    days: days.map((plan) => dayJson(plan, calendar.days)),
  };
}

type Days = readonly { readonly date: string; readonly isHoliday: boolean; readonly holidayName: string }[];

function dayJson({ day, events, choice, adjustment }: BaselineDay, days: Days) {
  const kw = (value: number) => (Number.isNaN(value) ? null : Number(formatThreeDecimals(value)));
  const calendarDay = (place: number) => ({
    day: days[place].date,
    day_type: typeOf(days[place]),
    holiday: days[place].holidayName || null,
  });
  const period = ({ startMs, endMs }: { startMs: number; endMs: number }) => ({
    start: isoUtc(startMs),
    end: isoUtc(endMs),
  });
  return {
    ...calendarDay(day),
    dr_periods: events.map(period),
    sample_mean_kw: kw(choice.sampleMeanKw),
    considered: choice.consideredDays.map(({ day: past, verdict, meanKw }) => ({
      ...calendarDay(past),
      mean_kw: kw(meanKw),
      verdict,
    })),
    used: choice.usedDays.map((past) => days[past].date),
    adjustment:
      adjustment === null
        ? null
        : {
            ...period(adjustment),
            actual_kw: kw(adjustment.actualKw),
            baseline_kw: kw(adjustment.baselineKw),
            adjustment_kw: kw(adjustment.adjustmentKw),
          },
  };
}
