import { sumOf } from "../../base/lists.ts";
import { roundTo } from "../../base/rounding.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import type { AwardUse } from "./awardUse.ts";
import type { Forecast, PlanOptions, ReserveOption } from "./planOptions.ts";
import type { SitePlan } from "./planScenario.ts";

const FORESIGHT: Readonly<Record<Forecast, string>> = {
  perfect: "prices of the day and of the next one are known",
  previous_day: "prices of the day before stand for the day and the next one; the first 24 hours are known",
  file: "prices of the day and of the next one as in market.price_forecast, those of reserve are known",
};

/** Currency of the prices that a plan is made for. */
export const planCurrency = ({ settlement }: Scenario): string => settlement?.market.currency.toUpperCase() ?? "JPY";

/** The assumptions of a plan as texts, by name (docs/model/planning.md#assumptions). */
export function planAssumptions(
  plans: readonly SitePlan[],
  { forecast, cyclesPerDay, feePerKwh, wearPerKwh, reserve }: PlanOptions,
  scenario: Scenario,
): readonly (readonly [string, string])[] {
  const currency = planCurrency(scenario);
  const efficiencies = plans.map(
    ({ storage: { chargeEfficiency, dischargeEfficiency } }) =>
      `${roundTo(100 * chargeEfficiency, 2)} % charging, ${roundTo(100 * dischargeEfficiency, 2)} % discharging`,
  );
  return [
    ["foresight", FORESIGHT[forecast]],
    ["cycles", cyclesPerDay === null ? "no limit" : `at most ${cyclesPerDay} a day`],
    ["efficiency", [...new Set(efficiencies)].join("; ")],
    ["fees", `${feePerKwh} ${currency} per kWh bought or sold, wear ${wearPerKwh} ${currency} per kWh discharged`],
    ["ageing", ageingText(plans)],
    ["awards", awardsText(plans)],
    ["reserve", reserve === null ? "none" : `${reserveText(reserve, currency)}${sharersText(plans, scenario)}`],
    ["market", "price taker, everything offered is taken; no network charges and taxes"],
  ];
}

const ageingText = (plans: readonly SitePlan[]): string =>
  plans.some(({ storage }) => storage.isAgeing)
    ? "usable capacity at the start of each day after the ageing of the scenario"
    : "none, the capacity stays as it is";

/** What the plan leaves to awards of the scenario (docs/model/planning.md#awards). */
export function awardsText(plans: readonly SitePlan[]): string {
  const uses = plans.flatMap(({ awards }) => awards ?? []);
  const hours = Math.max(0, ...uses.map((use) => use.hours));
  if (hours === 0) return "none";
  const sum = (read: (use: AwardUse) => number): string => formatFixed(sumOf(uses, read), 1);
  const exported = `up to ${sum((use) => use.exportKw)} kW of export (${sum((use) => use.exportKwh)} kWh)`;
  const imported = `${sum((use) => use.importKw)} kW of import (${sum((use) => use.importKwh)} kWh)`;
  return `those of the scenario are not planned for; ${formatFixed(hours, 1)} h of them keep ${exported} and ${imported}, as in a run without the plan`;
}

/** Members of the VPPs that sell the reserve and are not planned: dispatch allocates it to all members by weight. */
function sharersText(plans: readonly SitePlan[], { world: { sites, vpps } }: Scenario): string {
  const isPlanned = (site: number): boolean => plans.some((plan) => plan.site === sites[site].name);
  const others = vpps
    .map(({ members }) => members.map(({ site }) => site))
    .filter((members) => members.some(isPlanned))
    .flatMap((members) => members.filter((site) => !isPlanned(site)))
    .map((site) => sites[site].name);
  if (others.length === 0) return "";
  return `; it is the plan of the planned sites alone, but dispatch allocates it by weight to ${[...new Set(others)].join(", ")} too, whose energy and shortfall the plan does not have`;
}

const reserveText = ({ sku, pricePerKw, sustainedHours }: ReserveOption, currency: string): string => {
  const price = pricePerKw === null ? "the prices of the scenario" : `${pricePerKw} ${currency} per kW and 30 minutes`;
  return `${sku} at ${price}, never called, sustained for ${sustainedHours} h`;
};
