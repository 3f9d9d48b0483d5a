import { type EpochMs, isoUtc, MS_PER_DAY } from "../../../base/time.ts";
import type { GeoLocation } from "../../../engine/device/pv/solarPosition.ts";
import { clipSeries } from "../../../engine/series/model/clipSeries.ts";
import type { TimeWindow } from "../../../engine/series/model/seriesOptions.ts";
import { capacityFactorPlan } from "../../../engine/site/baseline/dayBaseline/capacityFactor.ts";
import type { DayRule, DayVerdict } from "../../../engine/site/baseline/dayBaseline/chooseDays.ts";
import {
  type BaselineDay,
  type BaselineDayFailure,
  type KnownLoad,
  LoadHistory,
  planDayBaseline,
} from "../../../engine/site/baseline/dayBaseline/planDayBaseline.ts";
import { kindOfKeys } from "../../../engine/site/components/registry.ts";
import type { LoadKeys } from "../../../engine/site/components/scenarioFacet.ts";
import type { BaselineSpec, Period } from "../../../engine/site/siteSpec.ts";
import type { BaselineConfig, SiteConfig } from "../schema/siteSchema.ts";
import type { BuildContext } from "./buildContext.ts";
import { type HolidayCalendar, MarketDays } from "./marketDays.ts";
import type { ReductionCalls } from "./reductionCalls.ts";

/** Derivation of a site's baseline, day by day. */
export interface DayBaseline {
  readonly calendar: MarketDays;
  readonly rule: DayRule;
  readonly days: readonly BaselineDay[];
}

interface BuiltBaseline {
  readonly spec: BaselineSpec;
  readonly dayBaseline: DayBaseline | null;
}

type DayMethodConfig = Extract<BaselineConfig, { method: "high_4_of_5" | "average_of_days" }>;
type CapacityFactorConfig = Extract<BaselineConfig, { method: "capacity_factor" }>;

/** Tokyo: the default location of a plant. */
const DEFAULT_LOCATION: GeoLocation = { latitudeDeg: 35.68, longitudeDeg: 139.77, altitudeM: 0 };
/** Covers the evening before the earliest day, and the day before that for slots before an event at night. */
const EXTRA_LOOK_BACK_DAYS = 2;
/** Days with demand response or without data may shift the days of a plain average back by up to this number. */
const AVERAGE_EXTRA_DAYS = 30;

/**
 * Computes the baselines that depend on the calendar, once for all sites of one entry with equal demand-response
 * events.
 */
export class DayBaselineBuilder {
  /** By site name. */
  readonly bySiteName = new Map<string, DayBaseline>();
  private readonly context: BuildContext;
  private readonly timezone: string;
  private readonly callsOf: () => ReductionCalls;
  private calls: ReductionCalls | null = null;
  private readonly builtByConfig: Map<SiteConfig, Map<string, BuiltBaseline | null>>;
  private readonly calendars = new Map<string, MarketDays>();

  /**
   * @param callsOf called at most once, when a site needs it
   * @param known another build under the same awards; its baselines are reused
   */
  constructor(buildContext: BuildContext, timezone: string, callsOf: () => ReductionCalls, known?: DayBaselineBuilder) {
    this.builtByConfig = new Map(
      known === undefined ? [] : [...known.builtByConfig].map(([keys, groups]) => [keys, new Map(groups)]),
    );
    this.context = buildContext;
    this.timezone = timezone;
    this.callsOf = callsOf;
  }

  /** @returns `null` for the other methods, and after reporting errors */
  build(place: number, name: string, keys: SiteConfig): BaselineSpec | null {
    const { baseline } = keys;
    if (baseline === undefined || !(this.context.startMs < this.context.endMs)) return null;
    const { method } = baseline;
    if (method !== "high_4_of_5" && method !== "average_of_days" && method !== "capacity_factor") return null;
    this.calls ??= this.callsOf();
    const group = this.calls.groupKeyOf(place);
    const groups = this.builtByConfig.get(keys) ?? new Map<string, BuiltBaseline | null>();
    this.builtByConfig.set(keys, groups);
    if (!groups.has(group)) {
      const calls = this.calls;
      groups.set(
        group,
        method === "capacity_factor"
          ? this.buildFromCapacityFactor(keys, baseline)
          : this.buildFromDays(keys, baseline, () => calls.periodsOf(place)),
      );
    }
    const made = groups.get(group) ?? null;
    if (made !== null && made.dayBaseline !== null) this.bySiteName.set(name, made.dayBaseline);
    return made?.spec ?? null;
  }

  private buildFromDays(keys: SiteConfig, baseline: DayMethodConfig, callsOf: () => Period[]): BuiltBaseline | null {
    const { checker, startMs, endMs } = this.context;
    const components = keys.components ?? [];
    const consumers = components.flatMap((component) => kindOfKeys(component)?.scenario.loadKeys(component) ?? []);
    if (consumers.length === 0) return this.reportWrongComponents(keys, baseline, "a consumer");
    const rule = ruleOf(baseline);
    const fromMs = startMs - (rule.lookBackDays + EXTRA_LOOK_BACK_DAYS) * MS_PER_DAY;
    // Faulty keys are absent, and reported.
    if (Number.isNaN(fromMs) || Object.values(rule).includes(undefined)) return null;
    const calendar = this.calendar("holidays" in baseline ? baseline.holidays : "none", fromMs);
    // The last day is adjusted as a whole, with its load after the end of the run where that is known.
    const lastMs = Math.max(endMs, calendar.days[calendar.days.length - 1].endMs);
    const loads = this.readLoads(consumers, { fromMs, toMs: lastMs });
    if (loads === null) return null;
    const knownUntilMs = Math.min(lastMs, ...loads.map(({ series }) => series.untilMs));
    const history = new LoadHistory(loads, calendar.days[0].startMs, Math.max(endMs, knownUntilMs));
    const needsEvents = consumers.length < components.length || isDrCapable(keys, consumers);
    const events = needsEvents ? callsOf() : [];
    const plans = planDayBaseline({ calendar, history, rule, events, startMs, endMs });
    if (plans.ok) {
      const spec: BaselineSpec = { method: baseline.method, plan: plans.plan };
      return { spec, dayBaseline: { calendar, rule, days: plans.days } };
    }
    const { found, allowed } = failureText(plans.failure, calendar, rule, baseline.method);
    checker.reportError(baseline, "method", found, allowed);
    return null;
  }

  private readLoads(consumers: readonly LoadKeys[], window: TimeWindow): KnownLoad[] | null {
    const loads: KnownLoad[] = [];
    for (const { history } of consumers) {
      if (history === null) return null;
      const { owner, key, maximumKw } = history;
      const use = { interpolation: "step", unit: "kW", minimum: 0 } as const;
      const known = owner === undefined ? null : this.context.series.resolveHistory(owner, key, use, window);
      if (known === null || maximumKw === undefined) return null;
      loads.push({ series: clipSeries(known.series, maximumKw), gaps: known.gaps });
    }
    return loads;
  }

  private buildFromCapacityFactor(keys: SiteConfig, baseline: CapacityFactorConfig): BuiltBaseline | null {
    const { startMs, endMs, remarks } = this.context;
    const components = keys.components ?? [];
    const plants = components.flatMap((component) => kindOfKeys(component)?.scenario.pvPlantKeys(component) ?? []);
    if (plants.length === 0) return this.reportWrongComponents(keys, baseline, "a pv generator");
    const ratedOutputKw = plants.reduce((sum, plant) => sum + plant.ratedOutputKw, 0);
    if (Number.isNaN(ratedOutputKw) || baseline.pct === undefined) return null;
    const stated = plants.find(({ location }) => location !== null)?.location ?? null;
    const place = stated ?? DEFAULT_LOCATION;
    if (Object.values(place).includes(undefined as never)) return null;
    if (stated === null)
      remarks.add("no-pv-location", () => ({
        message: `No place for the PV of ${keys.name}: its baseline capacity_factor takes the sun of Tokyo, ${DEFAULT_LOCATION.latitudeDeg} N ${DEFAULT_LOCATION.longitudeDeg} E`,
      }));
    const calendar = this.calendar("none", startMs);
    const plan = capacityFactorPlan({ pct: baseline.pct, ratedOutputKw, place }, { calendar, startMs, endMs });
    return { spec: { method: "capacity_factor", plan }, dayBaseline: null };
  }

  private reportWrongComponents({ components = [] }: SiteConfig, baseline: BaselineConfig, needed: string): null {
    // A component whose type is wrong may be the required one.
    const isKnown = components.length > 0 && components.every((component) => component.component_type !== undefined);
    const allowed = `zero, constant, series or perfect for a site without ${needed}`;
    if (isKnown) this.context.checker.reportError(baseline, "method", baseline.method, allowed);
    return null;
  }

  private calendar(holidays: HolidayCalendar, fromMs: EpochMs): MarketDays {
    const key = `${holidays} ${fromMs}`;
    let calendar = this.calendars.get(key);
    if (calendar === undefined) {
      calendar = new MarketDays(this.timezone, holidays, fromMs, this.context.endMs);
      this.calendars.set(key, calendar);
    }
    return calendar;
  }
}

/** A site that has consumers only and none that can reduce is skipped by kind (docs/model/scenario-format.md#capability-flags). */
const isDrCapable = ({ capability }: SiteConfig, consumers: readonly LoadKeys[]): boolean =>
  capability?.dr_capable !== false && consumers.some(({ isReducible }) => isReducible);

/** The ERAB standard takes 4 of 5 workdays and 2 of 3 holidays; a plain average, days of any type. */
function ruleOf(baseline: DayMethodConfig): DayRule {
  if (baseline.method === "average_of_days") {
    const size = { size: baseline.days, keep: baseline.days };
    const lookBackDays = baseline.days + AVERAGE_EXTRA_DAYS;
    const plain = { sameTypeOnly: false, excludeBelowPct: 0, sameDayAdjustment: false };
    return { workday: size, holiday: size, lookBackDays, ...plain };
  }
  return {
    workday: { size: 5, keep: 4 },
    holiday: { size: 3, keep: 2 },
    sameTypeOnly: true,
    lookBackDays: baseline.look_back_days,
    excludeBelowPct: baseline.exclude_below_pct,
    sameDayAdjustment: baseline.same_day_adjustment,
  };
}

const VERDICT_TEXT: Partial<Record<DayVerdict, string>> = {
  no_data: "without load data",
  low_load: "with low load",
  other_type: "of the other day type",
};

function failureText(failure: BaselineDayFailure, { days }: MarketDays, rule: DayRule, method: string) {
  const { date, isHoliday } = days[failure.day];
  if (failure.kind === "no_load_before_event") {
    const { startMs, endMs } = failure.window;
    const found = `no load from ${isoUtc(startMs)} to ${isoUtc(endMs)}, before the demand response of ${date}`;
    return { found, allowed: "load data there, or same_day_adjustment: false" };
  }
  const { choice } = failure;
  const type = !rule.sameTypeOnly ? "days" : isHoliday ? "holidays" : "workdays";
  const counts = Object.entries(VERDICT_TEXT).map(([verdict, why]) => {
    const count = choice.consideredDays.filter((day) => day.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${why}`];
  });
  const found = `${choice.usedDays.length} ${type} to average for ${date} in the ${rule.lookBackDays} days before (${counts.flat().join(", ")})`;
  const allowed = `at least ${choice.requiredSample.keep} ${type} for ${method}: a load series that starts earlier, or repeat`;
  return { found, allowed };
}
