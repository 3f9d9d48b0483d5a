import {
  boolean,
  enumOf,
  numberOrSchema,
  optional,
  positiveDuration,
  type Static,
  seriesReference,
  strictObject,
} from "../../../base/schemaBuilders.ts";
import { awardSchema, commandId } from "./awardSchema.ts";

const {
  award_id: _awardId,
  price_jpy_per_kw_h: _perHour,
  price_jpy_per_kw_30min: _perHalfHour,
  ...awardKeys
} = awardSchema.properties;
const price = optional(numberOrSchema({}, seriesReference()));

/** A bid has the keys of the award that it becomes when it is accepted, and its prices. */
export const bidSchema = strictObject({
  ...awardKeys,
  bid_jpy_per_kw_30min: price,
  bid_jpy_per_kw_h: price,
  bid_jpy_per_kwh: price,
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
