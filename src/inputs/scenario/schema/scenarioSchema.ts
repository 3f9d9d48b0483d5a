import { CURRENCIES } from "../../../base/currency.ts";
import { LANGUAGES } from "../../../base/language.ts";
import {
  arrayOf,
  enumOf,
  folderName,
  identifier,
  instant,
  integer,
  nonNegativeNumber,
  number,
  numberOrSchema,
  optional,
  positiveDuration,
  positiveNumber,
  type Static,
  seriesReference,
  strictObject,
  string,
} from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";
import { SKUS } from "../../../base/sku.ts";
import { SERIES_FORMAT_IDS } from "../../formats/registry.ts";
import { ENCODING_NAMES } from "../../formats/text/decodeBytes.ts";
import { DELIMITERS } from "../../formats/text/textTable.ts";
import { DATE_ORDERS } from "../../formats/time/parseDate.ts";
import { awardSchema, bidSchema, commandFileSchema, instructionSchema } from "./awardSchema.ts";
import { eventFileSchema, eventSchema } from "./eventSchema.ts";
import { sessionSchema } from "./injectSchema.ts";
import { settlementSchema } from "./settlementSchema.ts";
import { siteSchema } from "./siteSchema.ts";
import { vppSchema } from "./vppSchema.ts";

/**
 * Keys of series from published files; `options` of each format lists those that it takes
 * (docs/model/formats.md#options).
 */
const formatKeys = {
  format: optional(enumOf(SERIES_FORMAT_IDS, { description: "Reads a published file as it is" })),
  area: optional(string({ minLength: 1, description: "Area of a market or grid operator, as in tokyo" })),
  section: optional(string({ minLength: 1, description: "Part of a file of market results" })),
  sequence: optional(string({ minLength: 1, description: "Auction, as printed" })),
  point: optional(string({ minLength: 1, description: "Supply point of a meter file" })),
  year: optional(integer(1900, 2200, { description: "Year of a typical year" })),
  timezone: optional(string({ description: "Of local times; absent: that of the scenario" })),
  encoding: optional(enumOf(ENCODING_NAMES, { description: "Absent: detected" })),
  delimiter: optional(enumOf(DELIMITERS)),
  decimal: optional(enumOf([".", ","])),
  date_order: optional(enumOf(DATE_ORDERS, { description: "Of dates whose year is not first" })),
  units: optional(Type.Record(Type.String(), Type.String(), { description: "Role: unit, as in kWh" })),
  negate: optional(arrayOf(string(), { description: "Roles whose sign is turned" })),
  missing: optional(arrayOf(string(), { description: "Further marks of a missing value" })),
  registers: optional(arrayOf(string(), { description: "Roles whose columns are counters; none: no column is" })),
  where: optional(Type.Record(Type.String(), Type.String(), { description: "Header: cell of the rows that are read" })),
  header_row: optional(integer(1, 1_000_000, { description: "Line of the file with the names of the columns" })),
  time_columns: optional(
    arrayOf(string({ minLength: 1 }), {
      minItems: 1,
      maxItems: 3,
      description: "Date or time stamp, time of day or slot code, end",
    }),
  ),
  slot_minutes: optional(integer(1, 1440, { description: "Length of a slot code" })),
};

const STAMP_LABELS = ["instant", "start", "middle", "end"] as const;

const seriesSchema = strictObject({
  file: string({ minLength: 1, description: ".csv or .csv.gz, relative to the scenario file" }),
  ...formatKeys,
  time: string({ minLength: 1, default: "timestamp", description: "Column of instants; an offset or Z is needed" }),
  columns: optional(
    Type.Record(Type.String(), Type.String(), { description: "Role: column. Absent: columns by their own names" }),
  ),
  scale: optional(
    Type.Record(Type.String(), number(), {
      description: "Role: factor of its values. Absent: 1, or that of a known unit",
    }),
  ),
  interpolation: optional(
    enumOf(["step", "linear"], { description: "Absent: by use (linear for weather, else step)" }),
  ),
  on_gap: enumOf(["error", "hold", "zero"], { default: "error" }),
  max_gap: optional(positiveDuration({ description: "Absent: 3 × the median spacing" })),
  shift: Type.Unsafe<number>({
    type: "string",
    format: "signed-duration",
    default: "P0D",
    description: "Moves the data in time",
  }),
  repeat: enumOf(["none", "day", "week", "year"], { default: "none" }),
  label: enumOf(STAMP_LABELS, {
    default: "instant",
    description: "Which part of its interval a stamp marks",
  }),
  labels: optional(
    Type.Record(Type.String(), enumOf(STAMP_LABELS), { description: "Role: label, where it is another one" }),
  ),
});

const frequency = strictObject(
  {
    series: optional(identifier({ description: "A series with role frequency_hz" })),
    constant_hz: optional(number({ minimum: 40, maximum: 70 })),
    generator: optional(
      strictObject({
        mean_hz: number({ minimum: 40, maximum: 70, default: 50 }),
        sigma_hz: nonNegativeNumber({ default: 0.02 }),
        time_constant_s: positiveNumber({ default: 120 }),
      }),
    ),
  },
  { minProperties: 1, maxProperties: 1, default: { constant_hz: 50 } },
);

export const REPORT_FORMATS = ["csv", "json", "html", "parquet", "xlsx"] as const;
export const TABLE_TIMES = ["utc", "local"] as const;
export const CSV_DIALECTS = ["plain", "excel"] as const;

/** Files of a report that may be left out; summary.json and run.json are always written. */
const REPORT_STEMS = [
  "awards",
  "bids",
  "dispatch",
  "energy",
  "vpp_energy",
  "components",
  "power",
  "sites",
  "ev_sessions",
  "battery_ageing",
  "events",
  "settlement_awards",
  "settlement_energy",
  "settlement_calls",
  "invoice",
  "report",
] as const;

const report = strictObject(
  {
    interval: positiveDuration({ default: "PT30M", description: "Of energy records" }),
    power_interval: optional(positiveDuration({ description: "Of the power series; absent: none" })),
    formats: arrayOf(enumOf(REPORT_FORMATS), {
      uniqueItems: true,
      default: ["csv", "json", "html"],
    }),
    times: optional(
      enumOf(TABLE_TIMES, { description: "Instants of csv, json and xlsx; absent: UTC, local for spreadsheets" }),
    ),
    csv: enumOf(CSV_DIALECTS, { default: "plain", description: "excel: CSV files that a spreadsheet opens" }),
    omit: arrayOf(enumOf(REPORT_STEMS), { default: [], description: "Files not to write, by their stem" }),
  },
  { default: {} },
);

/** Flags of the commands override them (docs/model/money.md#investment). */
export const INVESTMENT_DEFAULTS = { capex_per_kw: 0, opex_per_kwh_year: 0, lifetime_years: 20, discount_pct: 3 };

const investment = strictObject({
  capex_per_kwh: nonNegativeNumber({ description: "Per rated kWh of the batteries" }),
  capex_per_kw: nonNegativeNumber({
    default: INVESTMENT_DEFAULTS.capex_per_kw,
    description: "Per kW of the larger of import and export power",
  }),
  opex_per_kwh_year: nonNegativeNumber({
    default: INVESTMENT_DEFAULTS.opex_per_kwh_year,
    description: "Per rated kWh and year",
  }),
  lifetime_years: integer(1, 50, { default: INVESTMENT_DEFAULTS.lifetime_years }),
  discount_pct: number({ minimum: 0, maximum: 50, default: INVESTMENT_DEFAULTS.discount_pct }),
});

export const scenarioSchema = strictObject({
  version: Type.Unsafe<1>({ const: 1 }),
  name: folderName({ description: "Names the report folder" }),
  description: string({ default: "" }),
  timezone: string({ default: "UTC", description: "IANA name; for market days and printing, data stays UTC" }),
  language: enumOf(LANGUAGES, { default: "en", description: "Of pages and printed texts; files stay English" }),
  start: instant(),
  end: instant(),
  seed: integer(0, Number.MAX_SAFE_INTEGER, { default: 1, description: "Every random stream derives from it" }),
  series: Type.Record(identifier(), seriesSchema, { additionalProperties: false, default: {} }),
  frequency,
  market: strictObject(
    {
      currency: optional(
        enumOf(CURRENCIES, {
          description: "Of all prices and amounts; default: that of the settlement's market, else JPY",
        }),
      ),
      energy_price: optional(seriesReference({ description: "Per kWh, as in JPY/kWh" })),
      fee_per_kwh: optional(number({ minimum: 0, description: "Of import and of export of the aggregator's sites" })),
      wear_per_kwh: optional(
        number({ minimum: 0, description: "Of batteries of the aggregator's sites, per discharged kWh (AC)" }),
      ),
      price_forecast: optional(seriesReference({ description: "Expected price per kWh, for plans" })),
      reserve_price_per_kw_30min: Type.Record(
        Type.String({ pattern: `^(${SKUS.join("|")})$`, title: "a product" }),
        numberOrSchema({}, seriesReference()),
        { additionalProperties: false, default: {}, description: "Reserve prices by product, for plans" },
      ),
    },
    { default: {} },
  ),
  settlement: optional(settlementSchema),
  investment: optional(investment),
  sites: arrayOf(Type.Union([strictObject({ file: string({ minLength: 1 }) }), siteSchema]), { minItems: 1 }),
  vpps: arrayOf(vppSchema, { default: [] }),
  awards: arrayOf(Type.Union([commandFileSchema, awardSchema]), { default: [] }),
  bids: arrayOf(Type.Union([commandFileSchema, bidSchema]), { default: [] }),
  instructions: arrayOf(Type.Union([commandFileSchema, instructionSchema]), { default: [] }),
  events: arrayOf(Type.Union([eventFileSchema, eventSchema]), { default: [] }),
  report,
  session: optional(sessionSchema),
});

export type ScenarioConfig = Static<typeof scenarioSchema>;
export type InvestmentConfig = Static<typeof investment>;
export type SeriesConfig = Static<typeof seriesSchema>;
