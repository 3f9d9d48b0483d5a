import {
  enumOf,
  instant,
  literal,
  number,
  optional,
  percentage,
  positiveDuration,
  type Static,
  strictObject,
  string,
} from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";
import { OUTPUT_CONTROL_REASONS } from "../../../engine/site/siteSnapshot.ts";
import { faultKeys, SENSORS } from "./faultSchema.ts";
import { allocationWeight, labelSchema, resourceTypeSchema } from "./vppSchema.ts";

const commonProperties = {
  at: instant(),
  order: optional(literal("settled")),
  derived_from: optional(
    string({ minLength: 1, description: "In the export of a session: the inject or owner call that caused the event" }),
  ),
};
const site = string({ description: "Name of the site" });
const vpp = string({ description: "Name of the VPP" });
const duration = optional(positiveDuration({ description: "Absent: to the end of the run" }));

const conditionEvent = strictObject({
  ...commonProperties,
  kind: enumOf(["outage", "maintenance", "warning", "link_down", "fcr_fault"]),
  site,
  duration,
});
const outputControl = strictObject({
  ...commonProperties,
  kind: literal("output_control"),
  site,
  duration,
  limit_pct: percentage({ description: "Of the rated output" }),
  reason: enumOf(OUTPUT_CONTROL_REASONS, { default: "other" }),
});
const derate = strictObject({
  ...commonProperties,
  kind: literal("derate"),
  site,
  duration,
  limit_pct: percentage({ description: "Of the rated power" }),
  ramp_in: faultKeys.ramp_in,
  ramp_out: faultKeys.ramp_out,
});
const sensor = enumOf(SENSORS);
const sensorOffset = strictObject({
  ...commonProperties,
  kind: literal("sensor_offset"),
  site,
  duration,
  sensor,
  offset: number({ minimum: -1e6, maximum: 1e6, description: "% points of the SOC, or kW" }),
});
const sensorStuck = strictObject({ ...commonProperties, kind: literal("sensor_stuck"), site, duration, sensor });
const irradianceShortfall = strictObject({
  ...commonProperties,
  kind: literal("irradiance_shortfall"),
  site,
  duration,
  limit_pct: percentage({ description: "Of the generation" }),
});
const setWeight = strictObject({
  ...commonProperties,
  kind: literal("set_weight"),
  vpp,
  site,
  allocation_weight: allocationWeight(),
});
const addMember = strictObject({
  ...commonProperties,
  kind: literal("add_member"),
  vpp,
  site,
  resource_type: resourceTypeSchema,
  allocation_weight: allocationWeight({ default: 100 }),
  label: labelSchema,
});
const removeMember = strictObject({ ...commonProperties, kind: literal("remove_member"), vpp, site });
const directSchedule = strictObject({
  ...commonProperties,
  kind: literal("direct_schedule"),
  site,
  start: instant(),
  end: instant(),
  delta_kw: number({ minimum: -999_999.9, maximum: 999_999.9 }),
});
const faultEnd = strictObject({
  ...commonProperties,
  kind: literal("fault_end"),
  fault_id: string({
    pattern: "^fault-[1-9][0-9]*$",
    title: "fault-1 for the first event with a duration that begins in the run, and so on",
  }),
});
const request = strictObject({
  ...commonProperties,
  kind: literal("request"),
  api: enumOf(["vpp-v1", "site-v2", "site-v1"]),
  id: string({ minLength: 1, description: "Name of the VPP or site" }),
  method: enumOf(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: string({ pattern: "^/", title: "a path below the id's own prefix, starting with /" }),
  headers: optional(Type.Record(Type.String(), Type.String())),
  body: optional(Type.Unknown()),
});

export const eventSchema = Type.Union([
  conditionEvent,
  outputControl,
  derate,
  sensorOffset,
  sensorStuck,
  irradianceShortfall,
  setWeight,
  addMember,
  removeMember,
  directSchedule,
  faultEnd,
  request,
]);
export const eventFileSchema = strictObject({ file: string({ minLength: 1 }) });

export type EventConfig = Static<typeof eventSchema>;
