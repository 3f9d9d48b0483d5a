import { meanOver } from "../accounting/settlement/awardPrices.ts";
import type { Sku } from "../base/sku.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_HALF_HOUR } from "../base/time.ts";
import { formatNameList, inputRefusal } from "../scenario/parse/inputError.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { Series } from "../series/model/series.ts";
import { kindOf } from "../site/components/registry.ts";
import type { SiteSpec } from "../site/siteSpec.ts";
import type { NumberOrSeries } from "../vpp/instructions/instructionSpec.ts";
import { type DayPlan, type PlanDay, planDays } from "./rollingPlan.ts";
import type { PlannedStorage } from "./storageProgramme.ts";

/** What the planner expects of the prices of a day and the next one (docs/model/planning.md#assumptions). */
export const FORECASTS = ["perfect", "previous_day", "file"] as const;
export type Forecast = (typeof FORECASTS)[number];

/** Options of a plan (docs/model/planning.md#assumptions). */
export interface PlanOptions {
  /** Names of the sites to plan; empty: every site that can be planned. */
  readonly sites: readonly string[];
  readonly forecast: Forecast;
  readonly cyclesPerDay: number | null;
  /** Per kWh bought or sold, and per kWh discharged. */
  readonly feePerKwh: number;
  readonly wearPerKwh: number;
  /** Reserve of a product at a price per kW and slot; `null`: none is offered. */
  readonly reserve: { readonly sku: Sku; readonly pricePerKw: number; readonly sustainedHours: number } | null;
}

/** The plan of one site. */
export interface SitePlan {
  readonly site: string;
  readonly storage: PlannedStorage;
  readonly days: readonly DayPlan[];
}

const SLOT_MS = MS_PER_HALF_HOUR;

/**
 * Plans the batteries of a scenario against its price, day by day (docs/model/planning.md).
 *
 * @param onProgress  called with the planned fraction, 0..1
 * @throws InputErrors if the scenario has no price, or no forecast series where the forecast is one, or if a site cannot be planned
 */
export async function planScenario(
  scenario: Scenario,
  options: PlanOptions,
  onProgress: (done: number) => void,
): Promise<readonly SitePlan[]> {
  const price = scenario.settlement?.prices.spot ?? scenario.world.energyPriceJpyPerKwh;
  if (price === null)
    throw inputRefusal(scenario.file, "no price", "market.energy_price, or settlement.prices.spot, to plan against");
  if (options.forecast === "file" && scenario.priceForecast === null)
    throw inputRefusal(
      scenario.file,
      "no market.price_forecast",
      "a series with the expected prices, or another --forecast",
    );
  const days = daysOf(scenario, price, options);
  const sites = plannedSites(scenario, options.sites);
  const plans: SitePlan[] = [];
  for (const [n, { site, storage, initialKwh }] of sites.entries()) {
    const rules = { ...options, slotMs: SLOT_MS, initialKwh, sustainedHours: options.reserve?.sustainedHours ?? 0 };
    const progress = (done: number): void => onProgress((n + done) / sites.length);
    plans.push({ site: site.name, storage, days: await planDays(storage, days, rules, progress) });
  }
  return plans;
}

/** Days of 24 hours from the start of the run; the last one may be shorter. */
function daysOf({ world, priceForecast }: Scenario, price: NumberOrSeries, options: PlanOptions): PlanDay[] {
  const { forecast, reserve } = options;
  const starts: EpochMs[] = [];
  for (let startMs = world.startMs; startMs < world.endMs; startMs += MS_PER_DAY) starts.push(startMs);
  const pricesOf = (of: NumberOrSeries): number[][] =>
    starts.map((startMs) => meansOver(of, startMs, Math.min(startMs + MS_PER_DAY, world.endMs)));
  const actual = pricesOf(price);
  const known = forecast === "file" && priceForecast !== null ? pricesOf(priceForecast) : actual;
  // The day before stands for both days; the first day is known.
  const expectedOf = (day: number, plannedOn: number): number[] =>
    forecast === "previous_day" ? actual[day].map((_, k) => actual[Math.max(0, plannedOn - 1)][k]) : known[day];
  return starts.map((startMs, n) => ({
    startMs,
    actual: actual[n],
    expected: expectedOf(n, n),
    expectedNext: n + 1 < starts.length ? expectedOf(n + 1, n) : [],
    reserve: reserve === null ? null : actual[n].map(() => reserve.pricePerKw),
  }));
}

/** Mean price of each slot of a period. */
function meansOver(price: NumberOrSeries, fromMs: EpochMs, toMs: EpochMs): number[] {
  const prices: number[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += SLOT_MS)
    prices.push(meanOver(price, atMs, Math.min(atMs + SLOT_MS, toMs)));
  return prices;
}

interface PlannedSite {
  readonly site: SiteSpec;
  readonly storage: PlannedStorage;
  readonly initialKwh: number;
}

function plannedSites({ file, world }: Scenario, names: readonly string[]): PlannedSite[] {
  const possible = world.sites.flatMap((site) => {
    const planned = plannedSite(site);
    return planned === null ? [] : [planned];
  });
  const possibleNames = possible.map(({ site }) => site.name);
  const allowed = `a site that only has a battery without ramp, delay, self-discharge and auxiliaries, with constant connection limits: ${formatNameList(possibleNames) || "there is none"}`;
  for (const name of names)
    if (!possibleNames.includes(name)) throw inputRefusal("--site", JSON.stringify(name), allowed);
  const chosen = names.length === 0 ? possible : possible.filter(({ site }) => names.includes(site.name));
  if (chosen.length === 0) throw inputRefusal(file, "no site to plan", allowed);
  return chosen;
}

/** `null` for a site that the planner has no model of. */
function plannedSite(site: SiteSpec): PlannedSite | null {
  const [component] = site.components;
  if (site.components.length !== 1) return null;
  const ratings = kindOf(component).study.idealStorage(component);
  if (ratings === null || ratings.auxiliaryKw > 0) return null;
  const { siteImportMaxKw, siteExportMaxKw } = site.constraints;
  if (siteImportMaxKw instanceof Series || siteExportMaxKw instanceof Series) return null;
  const storage: PlannedStorage = {
    importMaxKw: Math.min(ratings.importMaxKw, siteImportMaxKw),
    exportMaxKw: site.capability.reverseFlowAllowed ? Math.min(ratings.exportMaxKw, siteExportMaxKw) : 0,
    storedMinKwh: ratings.storedMinKwh,
    storedMaxKwh: ratings.storedMaxKwh,
    chargeEfficiency: ratings.chargeEfficiency,
    dischargeEfficiency: ratings.dischargeEfficiency,
  };
  return { site, storage, initialKwh: ratings.initialKwh };
}
