import {
  arrayOf,
  boolean,
  enumOf,
  hexId,
  identifier,
  number,
  optional,
  plainText,
  type Static,
  strictObject,
  string,
} from "../../../base/schemaBuilders.ts";
import { RESOURCE_TYPES } from "../../../engine/vpp/vppSpec.ts";

export const resourceTypeSchema = enumOf(RESOURCE_TYPES);
export const labelSchema = plainText(0, 64, { default: "" });
export const allocationWeight = (options: object = {}) => number({ minimum: 0, maximum: 999_999.9, ...options });
/** Length limits keep a glob's match linear; `*` is the only wildcard. */
const siteGlob = string({
  pattern: "^[\\p{L}\\p{M}\\p{N}_*-]{1,200}$",
  title: "a site's name; * stands for any characters",
});

const memberSchema = strictObject({
  site: siteGlob,
  label: labelSchema,
  resource_type: resourceTypeSchema,
  allocation_weight: allocationWeight({ default: 100 }),
});

export const vppSchema = strictObject({
  name: identifier(),
  vpp_id: optional(hexId({ description: "Default: from the name" })),
  members: arrayOf(memberSchema, { default: [] }),
  delta_excess: enumOf(["uncovered", "redistribute"], { default: "uncovered" }),
  strict_availability_check: boolean({ default: false }),
  immediate_overrides_schedule: boolean({ default: false }),
  fcr_energy_test_minutes: number({ minimum: 0, default: 0 }),
  pv_setpoint: enumOf(["hold", "follow"], { default: "hold" }),
  dispatch: optional(
    strictObject({
      aware_of_energy: boolean({
        default: false,
        description: "Cuts shares to what the stores can hold for the rest of the award, and gives the rest to others",
      }),
    }),
  ),
});

export type MemberConfig = Static<typeof memberSchema>;
export type VppConfig = Static<typeof vppSchema>;
