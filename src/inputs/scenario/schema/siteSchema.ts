import {
  arrayOf,
  boolean,
  enumOf,
  fraction,
  hexId,
  IDENTIFIER_TITLE,
  instant,
  integer,
  literal,
  nonNegativeNumber,
  number,
  numberOrSchema,
  optional,
  percentage,
  positiveDuration,
  type Static,
  seriesReference,
  strictObject,
  string,
} from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";
import { SKUS } from "../../../base/sku.ts";
import { COMPONENT_KINDS, type ComponentConfig } from "../../../engine/site/components/registry.ts";

const componentSchema = Type.Unsafe<ComponentConfig>(
  Type.Union(Object.values(COMPONENT_KINDS).flatMap(({ scenario }) => scenario.schemas)),
);

const capability = strictObject(
  {
    fcr_capable: optional(boolean({ description: "Absent: whether a component is" })),
    dr_capable: optional(boolean({ description: "Absent: whether a component is" })),
    reverse_flow_allowed: optional(boolean({ description: "Absent: true unless the site has a consumer" })),
    marketable: optional(arrayOf(enumOf(SKUS), { uniqueItems: true, description: "Absent: every product" })),
    balancing_responsible: boolean({ default: false }),
    non_firm_connection: boolean({ default: false }),
  },
  { default: {} },
);

const powerLimit = optional(
  numberOrSchema({ minimum: 0 }, seriesReference(), {
    description: "kW; a series for limits by time. Absent: no limit",
  }),
);

const constraints = strictObject(
  {
    voltage_class: optional(enumOf(["low", "high", "extra_high"])),
    measurement_point: optional(enumOf(["grid", "device"])),
    site_import_max_kw: powerLimit,
    site_export_max_kw: powerLimit,
  },
  { default: {} },
);

/** For every method. Its keys have defaults, so that a patch may set one where the mapping is absent. */
const error = optional(
  strictObject(
    {
      bias_kw: number({ default: 0, description: "Mean" }),
      spread_kw: nonNegativeNumber({ default: 0, description: "Standard deviation" }),
      correlation_minutes: nonNegativeNumber({
        maximum: 10_080,
        default: 0,
        description: "Errors so far apart have the correlation 1/e; 0: each half hour is independent",
      }),
    },
    { description: "Random error of the slots that the site reports. Absent: none" },
  ),
);

/** The default depends on the components (`baselineOf`). */
const baseline = Type.Union(
  [
    strictObject({ method: literal("zero"), error }),
    strictObject({ method: literal("constant"), kw: number({ description: "Import positive" }), error }),
    strictObject({ method: literal("series"), series: seriesReference({ description: "kW, import positive" }), error }),
    strictObject({ method: literal("perfect"), error }),
    strictObject({
      method: literal("high_4_of_5"),
      same_day_adjustment: boolean({ default: true }),
      look_back_days: integer(5, 365, { default: 30 }),
      exclude_below_pct: percentage({ default: 25 }),
      holidays: enumOf(["JP", "none"], { default: "JP", description: "Beside Saturdays and Sundays" }),
      error,
    }),
    strictObject({ method: literal("average_of_days"), days: integer(1, 365, { default: 5 }), error }),
    strictObject({
      method: literal("capacity_factor"),
      pct: percentage({ description: "Of the rated output, by clear-sky shape" }),
      error,
    }),
  ],
  { description: "Absent: zero, or what its kind of component has by default" },
);

const fcrConfig = strictObject(
  {
    freq_ref: number({ minimum: 49.5, maximum: 60.5, default: 50, description: "Hz" }),
    up_deadband: number({ minimum: 0, maximum: 0.2, default: 0.01, description: "Hz" }),
    low_deadband: number({ minimum: 0, maximum: 0.2, default: 0.01, description: "Hz" }),
    up_droop: number({ minimum: 0.2, maximum: 10, default: 5, description: "%" }),
    low_droop: number({ minimum: 0.2, maximum: 10, default: 5, description: "%" }),
    deadband_form: enumOf(["subtract", "full"], {
      default: "subtract",
      description: "full: outside the dead band the whole deviation counts",
    }),
    response_delay_s: number({ minimum: 0, maximum: 60, default: 0, description: "From frequency to response" }),
  },
  { default: {} },
);

export const siteSchema = strictObject({
  name: string({
    pattern: "^([\\p{L}\\p{N}]|\\{n(:0?[1-9])?\\})([\\p{L}\\p{M}\\p{N}_-]|\\{n(:0?[1-9])?\\})*$",
    maxLength: 200,
    title: `${IDENTIFIER_TITLE}; {n} or {n:03} for the number`,
  }),
  count: integer(1, 100_000, { default: 1 }),
  ems_id: optional(hexId({ description: "Default: from the name" })),
  capability,
  constraints,
  components: arrayOf(componentSchema, { minItems: 1, maxItems: 50 }),
  baseline: optional(baseline),
  fcr_config: fcrConfig,
  outages: optional(
    strictObject({ mtbf: positiveDuration({ description: "Mean up time" }), mttr: positiveDuration() }),
  ),
  link: strictObject(
    { loss_probability: fraction({ default: 0 }), latency_ms: integer(0, 3_600_000, { default: 0 }) },
    { default: {} },
  ),
  control: enumOf(["open", "track"], { default: "open" }),
  owner: optional(
    enumOf(["aggregator", "customer"], { description: "Absent: aggregator if it has nothing but batteries" }),
  ),
  maintenance: arrayOf(strictObject({ start: instant(), end: instant() }), { default: [] }),
});

export type SiteConfig = Static<typeof siteSchema>;
export type BaselineConfig = Static<typeof baseline>;
