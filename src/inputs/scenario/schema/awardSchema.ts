import {
  boolean,
  enumOf,
  instant,
  number,
  numberOrSchema,
  optional,
  positiveDuration,
  type Static,
  seriesReference,
  strictObject,
  string,
} from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";
import { SKUS } from "../../../base/sku.ts";

const sku = Type.Union([enumOf(SKUS), Type.Null()], {
  default: null,
  description: "null: operation outside any market",
});
const deltaKw = optional(number({ minimum: -999_999.9, maximum: 999_999.9, description: "Not for sku fcr" }));
const fcrResponseKw = optional(
  number({ minimum: 0, maximum: 999_999.9, description: "Only for sku fcr and compound" }),
);
const compoundBreakdown = optional(
  Type.Record(Type.String({ pattern: "^[a-z_-]+$" }), Type.Number(), {
    description: "kW by product; only for sku compound",
  }),
);
/** Id of an award, instruction or bid. */
const commandId = (maxLength: number, options: { readonly description: string }) =>
  string({
    pattern: `^[^\\s,"\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]{1,${maxLength}}$`,
    title: `text of 1 to ${maxLength} characters without spaces, commas, quotes and control characters`,
    ...options,
  });
const price = optional(numberOrSchema({}, seriesReference()));
/** Prices by their keys in the currency of the scenario, with those that name JPY (docs/model/money.md#currency). */
export const JPY_PRICE_KEYS = {
  price_per_kw_h: "price_jpy_per_kw_h",
  price_per_kw_30min: "price_jpy_per_kw_30min",
  price_per_kwh: "price_jpy_per_kwh",
  penalty_per_kwh: "penalty_jpy_per_kwh",
} as const;
export type PriceKey = keyof typeof JPY_PRICE_KEYS;
/** May be left out only where the file entry sets it for all rows. */
const vpp = string({ description: "Name of the VPP" });

export const awardSchema = strictObject({
  vpp,
  sku,
  start: instant(),
  end: instant(),
  delta_kw: deltaKw,
  fcr_response_kw: fcrResponseKw,
  compound_breakdown: compoundBreakdown,
  registered_at: optional(instant({ description: "Default: the scenario's start or start − 1 h, whichever is later" })),
  activation: numberOrSchema({ minimum: 0, maximum: 1 }, seriesReference(), { default: 1 }),
  price_jpy_per_kw_h: price,
  price_jpy_per_kw_30min: price,
  price_jpy_per_kwh: price,
  penalty_jpy_per_kwh: price,
  price_per_kw_h: price,
  price_per_kw_30min: price,
  price_per_kwh: price,
  penalty_per_kwh: price,
  v1_price_per_kwh: price,
  v2_price_per_kwh: price,
  award_id: optional(commandId(64, { description: "Default: A-<n>, counted over all awards" })),
});

export const instructionSchema = strictObject({
  vpp,
  at: instant(),
  sku,
  delta_kw: deltaKw,
  fcr_response_kw: fcrResponseKw,
  compound_breakdown: compoundBreakdown,
  duration_minutes: number({ exclusiveMinimum: 0, maximum: 1440 }),
  award_id: optional(commandId(64, { description: "Default: I-<n>, counted over all instructions" })),
});

/** Awards or instructions in a CSV file, same names as columns. */
export const commandFileSchema = strictObject({
  file: string({ minLength: 1 }),
  vpp: optional(string({ description: "For rows without a vpp of their own" })),
});

export type AwardConfig = Static<typeof awardSchema>;
export type InstructionConfig = Static<typeof instructionSchema>;

const {
  award_id: _awardId,
  price_jpy_per_kw_h: _perHour,
  price_jpy_per_kw_30min: _perHalfHour,
  price_per_kw_h: _anyPerHour,
  price_per_kw_30min: _anyPerHalfHour,
  ...awardKeys
} = awardSchema.properties;

/** A bid has the keys of the award that it becomes when it is accepted, and its prices. */
export const bidSchema = strictObject({
  ...awardKeys,
  bid_jpy_per_kw_30min: price,
  bid_jpy_per_kw_h: price,
  bid_jpy_per_kwh: price,
  bid_per_kw_30min: price,
  bid_per_kw_h: price,
  bid_per_kwh: price,
  cleared_price: numberOrSchema({}, seriesReference(), { description: "Of the market, in the unit of the bid" }),
  paid: optional(
    enumOf(["bid", "cleared"], { description: "Price that is paid; default: bid for capacity, cleared for energy" }),
  ),
  reservation_price: optional(
    numberOrSchema({}, seriesReference(), { description: "In the unit of the bid; default: the bid" }),
  ),
  slot: optional(positiveDuration({ description: "Each slot is cleared on its own; default: PT30M" })),
  all_or_none: boolean({ default: false, description: "Taken as a whole, by its mean prices" }),
  bid_id: optional(commandId(56, { description: "Default: B-<n>, counted over all bids" })),
});

export type BidConfig = Static<typeof bidSchema>;
