import {
  arrayOf,
  identifier,
  instant,
  numberOrSchema,
  optional,
  ratingKw,
  type Static,
  seriesReference,
  strictObject,
  string,
} from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";
import { NO_AREA } from "../../../market/marketParameters.ts";
import { MARKET_NAMES, MARKETS, type MarketName, overrideSchema } from "../../../market/marketRegistry.ts";

const price = optional(numberOrSchema({}, seriesReference()));
const power = numberOrSchema({}, seriesReference(), { default: 0 });
const siteNames = arrayOf(string({ minLength: 1 }), { default: [], description: "Names; * stands for any text" });

const CALLING_MARKETS = `market ${MARKET_NAMES.filter((name) => MARKETS[name].hasCapacityCalls).join(", ")}`;

/** The keys that all markets have; prices per kWh in the currency of the market. */
const settlementOf = (market: MarketName) =>
  strictObject({
    market: Type.Unsafe<MarketName>({ const: market }),
    parameters: string({
      minLength: 1,
      default: MARKETS[market].defaultSet,
      description: "A parameter set of data/markets, or a file (.yaml) relative to the scenario file",
    }),
    values: overrideSchema(market),
    area: identifier({ default: NO_AREA, description: "Price area, of rates that differ by area and for the record" }),
    prices: strictObject(
      {
        spot: price,
        intraday: price,
        imbalance: price,
        imbalance_surplus: price,
        imbalance_shortage: price,
        retail: price,
        premium_reference: price,
      },
      { default: {} },
    ),
    plan: optional(
      strictObject({ spot_kw: power, intraday_kw: power }, { description: "Net purchases; absent: the baselines" }),
    ),
    connection: strictObject(
      {
        wheeling_kw: ratingKw({ default: 0 }),
        wheeling_basic_kw: ratingKw({ default: 0 }),
        receiving_kw: ratingKw({ default: 0 }),
        capacity_kw: ratingKw({ default: 0 }),
        retail_kw: ratingKw({ default: 0 }),
      },
      { default: {}, description: "Contracted powers of all settled sites together" },
    ),
    capacity_calls: arrayOf(
      strictObject({
        start: instant(),
        notified_at: optional(instant({ description: "Default: the start less the notice of the parameter set" })),
      }),
      { default: [], description: `Calls of the capacity market; ${CALLING_MARKETS} only` },
    ),
    retail_sites: siteNames,
    premium_sites: siteNames,
  });

/** One branch a market. */
export const settlementSchema = Type.Union(MARKET_NAMES.map(settlementOf));

export type SettlementConfig = Static<ReturnType<typeof settlementOf>>;
