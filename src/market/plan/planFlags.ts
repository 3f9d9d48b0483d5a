import { inputRefusal } from "../../base/inputError.ts";
import { SKUS } from "../../base/sku.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { FORECASTS, type PlanOptions } from "./planOptions.ts";

/** Flags of `vppsim plan` that choose the plan, with their texts. */
export interface PlanFlags {
  /** Names of the sites to plan; by default every battery that can be planned. */
  readonly site?: readonly string[];
  /** Default previous_day. */
  readonly forecast?: string;
  readonly cyclesPerDay?: number;
  /** Per kWh; by default those of the market of the scenario. */
  readonly fee?: number;
  readonly wear?: number;
  /** A product, upward reserve of which is offered. */
  readonly reserve?: string;
  /** Per kW and 30 minutes; by default that of the scenario. */
  readonly reservePrice?: number;
  /** For which the reserve must be sustained. Default 0.5. */
  readonly reserveHours?: number;
}

const RESERVE_HOURS = 0.5;

/** @throws InputErrors that name the flag */
export function planOptions(
  { forecast = "previous_day", ...flags }: PlanFlags,
  { charges }: Pick<WorldSpec, "charges">,
): PlanOptions {
  const found = FORECASTS.find((name) => name === forecast);
  if (found === undefined) throw inputRefusal("--forecast", JSON.stringify(forecast), FORECASTS.join(", "));
  const sku = SKUS.find((name) => name === flags.reserve);
  if (flags.reserve !== undefined && sku === undefined)
    throw inputRefusal("--reserve", JSON.stringify(flags.reserve), SKUS.join(", "));
  if (sku === undefined && flags.reservePrice !== undefined)
    throw inputRefusal("--reserve-price", "no --reserve", "the product that the price is of (--reserve)");
  const { reservePrice = null, reserveHours = RESERVE_HOURS } = flags;
  return {
    sites: flags.site ?? [],
    forecast: found,
    cyclesPerDay: flags.cyclesPerDay ?? null,
    feePerKwh: flags.fee ?? charges?.feePerKwh ?? 0,
    wearPerKwh: flags.wear ?? charges?.wearPerKwh ?? 0,
    reserve: sku === undefined ? null : { sku, pricePerKw: reservePrice, sustainedHours: reserveHours },
  };
}
