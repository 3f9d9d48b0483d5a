import { flag, hexId, keys, listOf, name, number, oneOf, optional, type Static, text } from "./shapes.ts";

export const resourceType = oneOf(["battery", "generator", "consumer", "multi_component"]);
export const label = text({ maxLength: 64, default: "", title: "text of at most 64 characters" });
export const weight = (options: object = {}) => number({ minimum: 0, maximum: 999_999.9, ...options });
/** Length limits keep a glob's match linear; `*` is the only wildcard. */
const glob = text({
  pattern: "^[A-Za-z0-9_*-]{1,200}$",
  title: "a site's name; * stands for any characters",
});

const memberSchema = keys({
  site: glob,
  label,
  resource_type: resourceType,
  allocation_weight: weight({ default: 100 }),
});

export const vppSchema = keys({
  name: name(),
  vpp_id: optional(hexId({ description: "Default: from the name" })),
  members: listOf(memberSchema, { default: [] }),
  delta_excess: oneOf(["uncovered", "redistribute"], { default: "uncovered" }),
  strict_availability_check: flag({ default: false }),
  immediate_overrides_schedule: flag({ default: false }),
  fcr_energy_test_minutes: number({ minimum: 0, default: 0 }),
  pv_setpoint: oneOf(["hold", "follow"], { default: "hold" }),
});

export type MemberKeys = Static<typeof memberSchema>;
export type VppKeys = Static<typeof vppSchema>;
