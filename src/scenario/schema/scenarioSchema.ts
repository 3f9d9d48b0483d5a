import { Type } from "../../base/schemaType.ts";
import { awardSchema, instructionSchema, vppFileSchema } from "./awardSchema.ts";
import { eventFileSchema, eventSchema } from "./eventSchema.ts";
import {
  aboveZero,
  atLeastZero,
  instant,
  keys,
  listOf,
  NAME_PATTERN,
  name,
  number,
  oneOf,
  optional,
  positiveDuration,
  type Static,
  seriesRole,
  text,
  whole,
} from "./shapes.ts";
import { siteSchema } from "./siteSchema.ts";
import { vppSchema } from "./vppSchema.ts";

const seriesSchema = keys({
  file: text({ minLength: 1, description: ".csv or .csv.gz, relative to the scenario file" }),
  time: text({ minLength: 1, default: "timestamp", description: "Column of instants; an offset or Z is needed" }),
  columns: optional(
    Type.Record(Type.String(), Type.String(), { description: "Role: column. Absent: columns by their own names" }),
  ),
  interpolation: optional(oneOf(["step", "linear"], { description: "Absent: by use (linear for weather, else step)" })),
  on_gap: oneOf(["error", "hold", "zero"], { default: "error" }),
  max_gap: optional(positiveDuration({ description: "Absent: 3 × the median spacing" })),
  shift: Type.Unsafe<number>({
    type: "string",
    format: "signed-duration",
    default: "P0D",
    description: "Moves the data in time",
  }),
  repeat: oneOf(["none", "day", "week", "year"], { default: "none" }),
  label: oneOf(["instant", "start", "middle", "end"], {
    default: "instant",
    description: "Which part of its interval a stamp marks",
  }),
});

const frequency = keys(
  {
    series: optional(name({ description: "A series with role frequency_hz" })),
    constant_hz: optional(number({ minimum: 40, maximum: 70 })),
    generator: optional(
      keys({
        mean_hz: number({ minimum: 40, maximum: 70, default: 50 }),
        sigma_hz: atLeastZero({ default: 0.02 }),
        time_constant_s: aboveZero({ default: 120 }),
      }),
    ),
  },
  { minProperties: 1, maxProperties: 1, default: { constant_hz: 50 } },
);

/** Files of a report that may be left out; summary.json and run.json are always written. */
const REPORT_STEMS = [
  "awards",
  "dispatch",
  "energy",
  "vpp_energy",
  "components",
  "power",
  "sites",
  "events",
  "report",
] as const;

const report = keys(
  {
    interval: positiveDuration({ default: "PT30M", description: "Of energy records" }),
    power_interval: optional(positiveDuration({ description: "Of the power series; absent: none" })),
    formats: listOf(oneOf(["csv", "json", "html", "parquet"]), { uniqueItems: true, default: ["csv", "json", "html"] }),
    omit: listOf(oneOf(REPORT_STEMS), { default: [], description: "Files not to write, by their stem" }),
  },
  { default: {} },
);

export const scenarioSchema = keys({
  version: Type.Unsafe<1>({ const: 1 }),
  name: text({
    pattern: "^[a-z0-9][a-z0-9-]*$",
    title: "lowercase letters, digits and -, starting with a letter or digit",
    description: "Names the report folder",
  }),
  description: text({ default: "" }),
  timezone: text({ default: "UTC", description: "IANA name; for market days and printing, data stays UTC" }),
  start: instant(),
  end: instant(),
  seed: whole(0, Number.MAX_SAFE_INTEGER, { default: 1, description: "Every random stream derives from it" }),
  series: Type.Record(
    Type.String({ pattern: NAME_PATTERN, title: "letters, digits, - and _, starting with a letter or digit" }),
    seriesSchema,
    { additionalProperties: false, default: {} },
  ),
  frequency,
  market: keys({ energy_price: optional(seriesRole({ description: "JPY/kWh" })) }, { default: {} }),
  sites: listOf(Type.Union([keys({ file: text({ minLength: 1 }) }), siteSchema]), { minItems: 1 }),
  vpps: listOf(vppSchema, { default: [] }),
  awards: listOf(Type.Union([vppFileSchema, awardSchema]), { default: [] }),
  instructions: listOf(Type.Union([vppFileSchema, instructionSchema]), { default: [] }),
  events: listOf(Type.Union([eventFileSchema, eventSchema]), { default: [] }),
  report,
});

export type ScenarioKeys = Static<typeof scenarioSchema>;
export type SeriesKeys = Static<typeof seriesSchema>;
