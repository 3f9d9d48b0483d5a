import {
  boolean,
  enumOf,
  integer,
  nonNegativeNumber,
  number,
  percentage,
  positiveNumber,
  type Static,
  strictObject,
} from "../../base/schemaBuilders.ts";
import { Type } from "../../base/schemaType.ts";
import { SKUS, type Sku } from "../../base/sku.ts";

/** Keys of a table by product: a product, `none` for operation without one, `default` for those not named. */
const SKU_PATTERN = `^(${[...SKUS, "none", "default"].join("|")})$`;

const bySku = <T extends ReturnType<typeof number> | ReturnType<typeof boolean>>(value: T) =>
  Type.Record(Type.String({ pattern: SKU_PATTERN, title: `a product, "none" or "default"` }), value, {
    additionalProperties: false,
  });

/**
 * Parameters of a settlement in Japan, as a parameter file has them (docs/model/settlement.md#parameters). Prices are JPY
 * without tax; `_30min`: per kW and 30 minutes, `_kwh`: per kWh.
 */
export const jpParametersSchema = strictObject({
  dkw_cap_30min: Type.Record(
    Type.String({ pattern: SKU_PATTERN, title: `a product, "none" or "default"` }),
    Type.Union([nonNegativeNumber(), Type.Null()]),
    { additionalProperties: false, description: "Highest price that is settled; null: no cap" },
  ),
  eprx_fee_30min: nonNegativeNumber(),
  jepx_fee_kwh: nonNegativeNumber(),
  band_pct: nonNegativeNumber(),
  band_of: enumOf(["award", "request"]),
  sample_seconds: bySku(positiveNumber()),
  grace_seconds: bySku(nonNegativeNumber()),
  slot_rule: enumOf(["all", "share", "energy"]),
  share_pct: percentage(),
  tolerance_1_pct: percentage(),
  penalty_multiplier_1: nonNegativeNumber(),
  penalty_multiplier_2: nonNegativeNumber(),
  penalty_base_2: enumOf(["whole_award", "failed_samples", "missing_kw"]),
  penalty_combination: enumOf(["max", "sum"]),
  dkw_paid_on: enumOf(["awarded", "available"]),
  strike_limit: Type.Union([integer(0, 100_000), Type.Null()]),
  strike_window_months: integer(1, 120),
  suspend_months: integer(1, 120),
  activated_kwh: enumOf(["delivered_capped", "requested"]),
  kwh_settled: bySku(boolean()),
  wheeling_charging: enumOf(["by_site", "full", "loss_only", "none"]),
  wheeling_basic_kw_month: nonNegativeNumber(),
  wheeling_energy_kwh: nonNegativeNumber(),
  generator_charge: boolean(),
  generator_basic_kw_month: nonNegativeNumber(),
  generator_energy_kwh: nonNegativeNumber(),
  battery_energy_exempt: boolean(),
  capacity_price_kw_year: nonNegativeNumber(),
  premium_base_kwh: nonNegativeNumber(),
  zero_price_threshold_kwh: number(),
  levy_kwh: nonNegativeNumber(),
  degradation_kwh: nonNegativeNumber(),
  price_gap: enumOf(["error", "zero", "previous_day"]),
  tax_pct: percentage(),
  rounding: enumOf(["floor", "half_up"]),
});

export type JpParameters = Static<typeof jpParametersSchema>;

/** Value of a table by product. */
export const ofSku = <T>(table: Readonly<Record<string, T>>, sku: Sku | null): T =>
  table[sku ?? "none"] ?? table.default;
