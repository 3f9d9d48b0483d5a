import { roundTo } from "../base/rounding.ts";
import type { Forecast, PlanOptions, SitePlan } from "./planScenario.ts";

const FORESIGHT: Readonly<Record<Forecast, string>> = {
  perfect: "prices of the day and of the next one are known",
  previous_day: "prices of the day before stand for the day and the next one",
  file: "prices of the day and of the next one as in market.price_forecast",
};

/** What a plan assumes, by name, in words (docs/model/planning.md#assumptions). */
export function planAssumptions(
  plans: readonly SitePlan[],
  { forecast, cyclesPerDay, feePerKwh, wearPerKwh, reserve }: PlanOptions,
): readonly (readonly [string, string])[] {
  const efficiencies = plans.map(
    ({ storage: { chargeEfficiency, dischargeEfficiency } }) =>
      `${roundTo(100 * chargeEfficiency, 2)} % charging, ${roundTo(100 * dischargeEfficiency, 2)} % discharging`,
  );
  return [
    ["foresight", FORESIGHT[forecast]],
    ["cycles", cyclesPerDay === null ? "no limit" : `at most ${cyclesPerDay} a day`],
    ["efficiency", [...new Set(efficiencies)].join("; ")],
    ["fees", `${feePerKwh} per kWh bought or sold, wear ${wearPerKwh} per kWh discharged`],
    [
      "reserve",
      reserve === null
        ? "none"
        : `${reserve.sku} at ${reserve.pricePerKw} per kW and 30 minutes, never called, sustained for ${reserve.sustainedHours} h`,
    ],
    ["market", "price taker, everything offered is taken"],
  ];
}
