import type { TObject } from "typebox";
import type { Currency } from "../base/currency.ts";
import { boolean, enumOf, optional, strictObject, string } from "../base/schemaBuilders.ts";
import { Type } from "../base/schemaType.ts";
import { EuMarket } from "./eu/euMarket.ts";
import { type EuParameters, euParametersSchema } from "./eu/euParameters.ts";
import { JpMarket } from "./jp/jpMarket.ts";
import { chargedRates, type JpParameters, jpParametersSchema } from "./jp/jpParameters.ts";
import type { Market, RateUse } from "./settlement.ts";

/** Values of a parameter set by name, checked by the schema of their market. */
export type ParameterValues = Readonly<Record<string, unknown>>;

interface MarketEntry {
  readonly currency: Currency;
  /** Of months and invoices, as an IANA name. */
  readonly timezone: string;
  /** Parameters on which samples and assessed energies depend; a change of them requires a new run. */
  readonly samplingKeys: readonly string[];
  /** Parameter set that a scenario has by default. */
  readonly defaultSet: string;
  readonly parametersSchema: TObject;
  /** Whether it calls capacity, at a notice of the parameter `capacity_notice_hours`. */
  readonly hasCapacityCalls: boolean;
  /** Price of wear per discharged kWh, which `market.wear_per_kwh` of a scenario sets; absent: none. */
  readonly wearKey?: string;
  /** Names of the rates by area that a settlement may charge; absent: no rate differs by area. @param values  as of `create` */
  chargedRates?(values: ParameterValues, use: RateUse): readonly string[];
  /** @param values  all values, checked by `parametersSchema` */
  create(values: ParameterValues): Market;
}

const REGISTERED = {
  jp: {
    currency: "JPY",
    timezone: "Asia/Tokyo",
    samplingKeys: ["band_pct", "band_of", "sample_seconds", "grace_seconds"],
    defaultSet: "fy2026",
    parametersSchema: jpParametersSchema,
    hasCapacityCalls: true,
    wearKey: "degradation_kwh",
    chargedRates: (values, use) => chargedRates(values as JpParameters, use),
    create: (values) => new JpMarket(values as JpParameters),
  },
  eu: {
    currency: "EUR",
    timezone: "Europe/Berlin",
    samplingKeys: ["band_pct", "sample_seconds", "grace_seconds"],
    defaultSet: "plain",
    parametersSchema: euParametersSchema,
    hasCapacityCalls: false,
    create: (values) => new EuMarket(values as EuParameters),
  },
} satisfies Readonly<Record<string, MarketEntry>>;

export type MarketName = keyof typeof REGISTERED;

/** All markets with settlement rules. */
export const MARKETS: Readonly<Record<MarketName, MarketEntry>> = REGISTERED;

export const MARKET_NAMES = Object.keys(MARKETS) as MarketName[];

const valuesByArea = <T extends Parameters<typeof Type.Record>[1]>(value: T) =>
  Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_-]*$", title: "an area" }), value, { additionalProperties: false });

/** Schema of a parameter file of a market: each value with its marks. */
export function parameterFileSchema(market: MarketName) {
  const { properties } = MARKETS[market].parametersSchema;
  const marked = Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      strictObject({ value, by_area: optional(valuesByArea(value)), sure: boolean(), source: string() }),
    ]),
  );
  return strictObject({ market: enumOf([market]), title: string(), values: strictObject(marked) });
}

/** Schema of the values with which a scenario overrides its parameter set. */
export function overrideSchema(market: MarketName) {
  const { properties } = MARKETS[market].parametersSchema;
  const entries = Object.entries(properties).map(([name, value]) => [name, optional(value)]);
  return strictObject(Object.fromEntries(entries), { default: {} });
}
