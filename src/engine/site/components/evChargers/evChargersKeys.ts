import {
  arrayOf,
  boolean,
  efficiency,
  enumOf,
  fraction,
  instant,
  integer,
  literal,
  nonNegativeNumber,
  number,
  optional,
  percentage,
  plainText,
  positiveRatingKw,
  ratingKw,
  type Static,
  strictObject,
  string,
} from "../../../../base/schemaBuilders.ts";
import { Type } from "../../../../base/schemaType.ts";
import { componentProperties } from "../scenarioFacet.ts";

const powers = {
  max_kw: positiveRatingKw({ description: "kW, AC" }),
  discharge_max_kw: ratingKw({ default: 0, description: "kW, AC; 0: one-way" }),
};

const connectors = Type.Union([
  strictObject({ count: integer(1, 1000), ...powers }),
  arrayOf(strictObject({ connector_id: plainText(1, 64), ...powers }), {
    minItems: 1,
    maxItems: 1000,
  }),
]);

const hourOfDay = () => optional(number({ minimum: 0, maximum: 24, description: "Local time of day" }));
const deviation = () => optional(nonNegativeNumber());

const generated = strictObject({
  generator: enumOf(["home", "workplace"], { description: "Gives the defaults of the other keys" }),
  workday_probability: optional(fraction({ description: "Of an arrival at a connector" })),
  other_day_probability: optional(fraction()),
  arrival_hour: hourOfDay(),
  arrival_deviation_h: deviation(),
  departure_hour: hourOfDay(),
  departure_deviation_h: deviation(),
  energy_used_kwh: optional(nonNegativeNumber()),
  energy_used_deviation_kwh: deviation(),
  capacity_kwh: optional(number({ exclusiveMinimum: 0, maximum: 10_000 })),
  soc_wanted: optional(percentage({ description: "%" })),
  soc_on_arrival_min: optional(percentage({ description: "%" })),
  max_kw: optional(positiveRatingKw({ description: "Of a car" })),
  two_way_share: optional(fraction({ description: "Of the cars" })),
  holidays: enumOf(["JP", "none"], { default: "JP", description: "Beside Saturdays and Sundays" }),
});

export const evChargers = strictObject({
  ...componentProperties,
  component_type: literal("ev_chargers"),
  connectors,
  charge_efficiency: efficiency({ default: 0.9 }),
  discharge_efficiency: efficiency({ default: 0.9 }),
  soc_min: percentage({ default: 20, description: "% of a car's capacity that discharging leaves" }),
  model: strictObject({
    sessions: Type.Union([
      strictObject({ file: string({ minLength: 1, description: ".csv, relative to the scenario file" }) }),
      generated,
    ]),
    plan: enumOf(["on_arrival", "spread"], { default: "on_arrival" }),
    departure: enumOf(["protected", "best_effort"], { default: "protected" }),
  }),
});

/** A row of a file of sessions. What depends on several columns is checked with the other rows. */
export const sessionRow = strictObject({
  connector: plainText(1, 64),
  arrival: instant(),
  departure: instant(),
  energy_on_arrival_kwh: number(),
  energy_wanted_kwh: number(),
  capacity_kwh: number(),
  max_kw: number(),
  two_way: boolean({ default: false }),
});

export type EvChargersKeys = Static<typeof evChargers>;
export type GeneratorKeys = Static<typeof generated>;
export type SessionRowKeys = Static<typeof sessionRow>;
