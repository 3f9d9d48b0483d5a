import { Type } from "../../base/schemaType.ts";
import {
  instant,
  keys,
  number,
  oneOf,
  optional,
  percent,
  positiveDuration,
  type Static,
  text,
  word,
} from "./shapes.ts";
import { label, resourceType, weight } from "./vppSchema.ts";

const common = {
  at: instant(),
  order: optional(word("settled")),
};
const site = text({ description: "Name of the site" });
const vpp = text({ description: "Name of the VPP" });
const duration = optional(positiveDuration({ description: "Absent: to the end of the run" }));

const lasting = keys({
  ...common,
  kind: oneOf(["outage", "maintenance", "warning", "link_down", "fcr_fault"]),
  site,
  duration,
});
const outputControl = keys({
  ...common,
  kind: word("output_control"),
  site,
  duration,
  limit_pct: percent({ description: "Of the rated output" }),
  reason: oneOf(["fit_curtailment", "non_firm_congestion", "manual", "other"], { default: "other" }),
});
const setWeight = keys({ ...common, kind: word("set_weight"), vpp, site, allocation_weight: weight() });
const addMember = keys({
  ...common,
  kind: word("add_member"),
  vpp,
  site,
  resource_type: resourceType,
  allocation_weight: weight({ default: 100 }),
  label,
});
const removeMember = keys({ ...common, kind: word("remove_member"), vpp, site });
const directSchedule = keys({
  ...common,
  kind: word("direct_schedule"),
  site,
  start: instant(),
  end: instant(),
  delta_kw: number({ minimum: -999_999.9, maximum: 999_999.9 }),
});
const faultEnd = keys({
  ...common,
  kind: word("fault_end"),
  fault_id: text({
    pattern: "^fault-[1-9][0-9]*$",
    title: "fault-1 for the first event with a duration that begins in the run, and so on",
  }),
});
const request = keys({
  ...common,
  kind: word("request"),
  api: oneOf(["vpp-v1", "site-v2", "site-v1"]),
  id: text({ minLength: 1, description: "Name of the VPP or site" }),
  method: oneOf(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: text({ pattern: "^/", title: "a path below the id's own prefix, starting with /" }),
  headers: optional(Type.Record(Type.String(), Type.String())),
  body: optional(Type.Unknown()),
});

export const eventSchema = Type.Union([
  lasting,
  outputControl,
  setWeight,
  addMember,
  removeMember,
  directSchedule,
  faultEnd,
  request,
]);
export const eventFileSchema = keys({ file: text({ minLength: 1 }) });

export type EventKeys = Static<typeof eventSchema>;
