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
import type { RateUse } from "../settlement.ts";

/** Keys of a table by product: a product, `none` for operation without one, `default` for those not named. */
const SKU_PATTERN = `^(${[...SKUS, "none", "default"].join("|")})$`;

const bySku = <T extends ReturnType<typeof number> | ReturnType<typeof boolean>>(value: T) =>
  Type.Record(Type.String({ pattern: SKU_PATTERN, title: `a product, "none" or "default"` }), value, {
    additionalProperties: false,
  });

/** A rate, or rates by their first month (YYYY-MM); the first rate also applies before its month. */
const monthlyRate = () =>
  Type.Union([
    nonNegativeNumber(),
    Type.Record(Type.String({ pattern: "^\\d{4}-(0[1-9]|1[0-2])$", title: "a month (YYYY-MM)" }), nonNegativeNumber(), {
      additionalProperties: false,
      minProperties: 1,
    }),
  ]);

export type MonthlyRate = number | Readonly<Record<string, number>>;

/** Items whose rates may contain the tax. */
const TAXABLE_ITEMS = [
  "wheeling_basic",
  "wheeling_energy",
  "generator_basic",
  "generator_energy",
  "retail_basic",
  "retail",
] as const;

export type TaxableItem = (typeof TAXABLE_ITEMS)[number];

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
  wheeling_basic_kw_month: monthlyRate(),
  wheeling_energy_kwh: monthlyRate(),
  at_loss: boolean({
    description: "Whether demand is settled at the grid side, with the loss between it and the meter",
  }),
  loss_pct: percentage(),
  generator_charge: boolean(),
  generator_basic_kw_month: monthlyRate(),
  generator_energy_kwh: monthlyRate(),
  battery_energy_exempt: boolean(),
  capacity_price_kw_year: nonNegativeNumber(),
  capacity_notice_hours: nonNegativeNumber(),
  capacity_duration_hours: positiveNumber(),
  capacity_max_calls: integer(1, 1000),
  capacity_penalty_factor: nonNegativeNumber(),
  capacity_month_cap_pct: nonNegativeNumber(),
  capacity_year_cap_pct: nonNegativeNumber(),
  premium_base_kwh: nonNegativeNumber(),
  premium_min_kwh: Type.Union([number(), Type.Null()], { description: "Least premium; null: none" }),
  zero_price_threshold_kwh: number(),
  retail_basic_kw_month: monthlyRate(),
  levy_kwh: nonNegativeNumber(),
  negawatt_compensation_kwh: nonNegativeNumber({ description: "Paid to the retailer per kWh of a sold reduction" }),
  degradation_kwh: nonNegativeNumber(),
  price_gap: enumOf(["error", "zero", "previous_day"]),
  tax_pct: percentage(),
  tax_included: Type.Array(enumOf(TAXABLE_ITEMS), { description: "Items whose rates contain the tax" }),
  rounding: enumOf(["floor", "half_up"]),
});

export type JpParameters = Static<typeof jpParametersSchema>;

/** Value of a table by product. */
export const ofSku = <T>(table: Readonly<Record<string, T>>, sku: Sku | null): T =>
  table[sku ?? "none"] ?? table.default;

/** Rate of a month. @param month  YYYY-MM */
export function rateIn(rate: MonthlyRate, month: string): number {
  if (typeof rate === "number") return rate;
  const months = Object.keys(rate).sort();
  return rate[months.findLast((from) => from <= month) ?? months[0]];
}

/** A price or rate of an item without the tax. */
export const withoutTax = (
  price: number,
  item: TaxableItem,
  { tax_included, tax_pct }: Pick<JpParameters, "tax_included" | "tax_pct">,
): number => (tax_included.includes(item) ? price / (1 + tax_pct / 100) : price);

/** Names of the rates by area that a settlement may charge. */
export function chargedRates(values: JpParameters, { connection, isStorageOnly }: RateUse): string[] {
  const { wheelingKw, wheelingBasicKw, receivingKw, capacityKw } = connection;
  const { generator_charge: hasGeneratorCharge } = values;
  const rates: readonly (readonly [string, boolean])[] = [
    ["wheeling_basic_kw_month", wheelingBasicKw > 0],
    ["wheeling_energy_kwh", values.wheeling_charging !== "none"],
    ["loss_pct", values.at_loss],
    ["generator_basic_kw_month", hasGeneratorCharge && receivingKw > wheelingKw],
    ["generator_energy_kwh", hasGeneratorCharge && !(isStorageOnly && values.battery_energy_exempt)],
    ["capacity_price_kw_year", capacityKw > 0],
  ];
  return rates.filter(([, isCharged]) => isCharged).map(([name]) => name);
}
