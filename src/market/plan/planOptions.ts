import type { Sku } from "../../base/sku.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";

/** The price forecast of the planner for a day and the next one (docs/model/planning.md#assumptions). */
export const FORECASTS = ["perfect", "previous_day", "file"] as const;
type Forecast = (typeof FORECASTS)[number];

/** Options of a plan (docs/model/planning.md#assumptions). */
export interface PlanOptions {
  /** Names of the sites to plan; empty: every site that can be planned. */
  readonly sites: readonly string[];
  readonly forecast: Forecast;
  readonly cyclesPerDay: number | null;
  /** Fee per kWh bought or sold, in the currency of the price. */
  readonly feePerKwh: number;
  /** Wear per kWh discharged, in the currency of the price. */
  readonly wearPerKwh: number;
  /** `null`: none is offered. */
  readonly reserve: ReserveOption | null;
}

/** What the planned scenario charges: the fee and the wear of the plan. Without either the scenario keeps having none. */
export function plannedCharges(
  { charges }: Pick<WorldSpec, "charges">,
  { feePerKwh, wearPerKwh }: Pick<PlanOptions, "feePerKwh" | "wearPerKwh">,
): NonNullable<WorldSpec["charges"]> {
  const charge = (planned: number, own: number | null = null): number | null =>
    planned === 0 && own === null ? null : planned;
  return { feePerKwh: charge(feePerKwh, charges?.feePerKwh), wearPerKwh: charge(wearPerKwh, charges?.wearPerKwh) };
}

/** Reserve of a product that is offered beside the energy. */
export interface ReserveOption {
  readonly sku: Sku;
  /** Per kW and slot; `null`: the price that the scenario gives for the product. */
  readonly pricePerKw: number | null;
  readonly sustainedHours: number;
}
