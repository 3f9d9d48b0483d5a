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

/** What the planner knows of the prices of the day that it plans. */
export type Forecast = "perfect" | "previous_day";

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
 * @throws InputErrors if the scenario has no price, or if a site cannot be planned
 */
export async function planScenario(
  scenario: Scenario,
  options: PlanOptions,
  onProgress: (done: number) => void,
): Promise<readonly SitePlan[]> {
  const price = scenario.settlement?.prices.spot ?? scenario.world.energyPriceJpyPerKwh;
  if (price === null)
    throw inputRefusal(scenario.file, "no price", "market.energy_price, or settlement.prices.spot, to plan against");
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
function daysOf({ world }: Scenario, price: NumberOrSeries, { forecast, reserve }: PlanOptions): PlanDay[] {
  const pricesOf = (fromMs: EpochMs, toMs: EpochMs): number[] => {
    const prices: number[] = [];
    for (let atMs = fromMs; atMs < toMs; atMs += SLOT_MS)
      prices.push(meanOver(price, atMs, Math.min(atMs + SLOT_MS, toMs)));
    return prices;
  };
  const days: PlanDay[] = [];
  for (let startMs = world.startMs; startMs < world.endMs; startMs += MS_PER_DAY) {
    const actual = pricesOf(startMs, Math.min(startMs + MS_PER_DAY, world.endMs));
    const before = days.at(-1)?.actual ?? actual;
    const expected = forecast === "perfect" ? actual : actual.map((_, k) => before[k]);
    days.push({ startMs, actual, expected, reserve: reserve === null ? null : actual.map(() => reserve.pricePerKw) });
  }
  return days;
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
