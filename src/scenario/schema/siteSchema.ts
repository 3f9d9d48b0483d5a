import { Type } from "../../base/schemaType.ts";
import { SKUS } from "../../base/sku.ts";
import { componentSchema } from "./componentSchema.ts";
import {
  atLeastZero,
  flag,
  fraction,
  hexId,
  instant,
  keys,
  listOf,
  number,
  oneOf,
  optional,
  percent,
  positiveDuration,
  type Static,
  seriesRole,
  text,
  whole,
  word,
} from "./shapes.ts";

const capability = keys(
  {
    fcr_capable: optional(flag({ description: "Absent: whether a component is" })),
    dr_capable: optional(flag({ description: "Absent: whether a component is" })),
    reverse_flow_allowed: optional(flag({ description: "Absent: true unless the site has a consumer" })),
    marketable: optional(listOf(oneOf(SKUS), { uniqueItems: true, description: "Absent: every product" })),
    balancing_responsible: flag({ default: false }),
    non_firm_connection: flag({ default: false }),
  },
  { default: {} },
);

const constraints = keys(
  {
    voltage_class: optional(oneOf(["low", "high", "extra_high"])),
    measurement_point: optional(oneOf(["grid", "device"])),
    site_import_max_kw: optional(atLeastZero({ description: "Absent: no limit" })),
    site_export_max_kw: optional(atLeastZero({ description: "Absent: no limit" })),
  },
  { default: {} },
);

const baseline = Type.Union(
  [
    keys({ method: word("zero") }),
    keys({ method: word("constant"), kw: number({ description: "Import positive" }) }),
    keys({ method: word("series"), series: seriesRole({ description: "kW, import positive" }) }),
    keys({ method: word("perfect") }),
    keys({
      method: word("high_4_of_5"),
      same_day_adjustment: flag({ default: true }),
      look_back_days: whole(5, 365, { default: 30 }),
      exclude_below_pct: percent({ default: 25 }),
      holidays: oneOf(["JP", "none"], { default: "JP", description: "Beside Saturdays and Sundays" }),
    }),
    keys({ method: word("average_of_days"), days: whole(1, 365, { default: 5 }) }),
    keys({ method: word("capacity_factor"), pct: percent({ description: "Of the rated output, by clear-sky shape" }) }),
  ],
  { default: { method: "zero" } },
);

const fcrConfig = keys(
  {
    freq_ref: number({ minimum: 49.5, maximum: 60.5, default: 50, description: "Hz" }),
    up_deadband: number({ minimum: 0, maximum: 0.2, default: 0.01, description: "Hz" }),
    low_deadband: number({ minimum: 0, maximum: 0.2, default: 0.01, description: "Hz" }),
    up_droop: number({ minimum: 0.2, maximum: 10, default: 5, description: "%" }),
    low_droop: number({ minimum: 0.2, maximum: 10, default: 5, description: "%" }),
  },
  { default: {} },
);

export const siteSchema = keys({
  name: text({
    pattern: "^([A-Za-z0-9]|\\{n(:0?[1-9])?\\})([A-Za-z0-9_-]|\\{n(:0?[1-9])?\\})*$",
    title: "letters, digits, - and _, starting with a letter or digit; {n} or {n:03} for the number",
  }),
  count: whole(1, 100_000, { default: 1 }),
  ems_id: optional(hexId({ description: "Default: from the name" })),
  capability,
  constraints,
  components: listOf(componentSchema, { minItems: 1, maxItems: 50 }),
  baseline,
  fcr_config: fcrConfig,
  outages: optional(keys({ mtbf: positiveDuration({ description: "Mean up time" }), mttr: positiveDuration() })),
  link: keys(
    { loss_probability: fraction({ default: 0 }), latency_ms: whole(0, 3_600_000, { default: 0 }) },
    { default: {} },
  ),
  control: oneOf(["open", "track"], { default: "open" }),
  maintenance: listOf(keys({ start: instant(), end: instant() }), { default: [] }),
});

export type SiteKeys = Static<typeof siteSchema>;
export type BaselineKeys = Static<typeof baseline>;
