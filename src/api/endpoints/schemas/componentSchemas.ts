/** Components of a multi-component site in answers; each block is a subset of the site's. */

import { COMPONENT_TYPES } from "../../../engine/site/components/wireFacet.ts";
import {
  binaryFlag,
  integerPct,
  irradianceWm2,
  kwh,
  nonNegativeKw,
  nullableKw,
  oneOf,
  optional,
  partialRecord,
  pct,
  record,
  type Static,
  serviceStatus,
  text,
} from "./baseSchemas.ts";

const identity = {
  component_id: text({ maxLength: 64 }),
  component_type: oneOf(COMPONENT_TYPES),
};

export const resourceStateKeys = () => ({
  soc: pct(),
  dr_active: binaryFlag(),
  dr_target_reduction_kw: nullableKw(),
  dr_actual_reduction_kw: nullableKw(),
  irradiance_w_m2: irradianceWm2(),
});
/** State of a site or of a component, with the keys of its kind only. */
export const resourceStateSchema = () => partialRecord(resourceStateKeys());
export type ResourceState = Static<ReturnType<typeof resourceStateSchema>>;

export const componentDetailsSchema = () =>
  record({
    ...identity,
    status: serviceStatus(),
    active_power: partialRecord({
      current_kw: nullableKw(),
      dispatched_delta_kw: nullableKw(),
      fcr_response_kw: nullableKw(),
      output_control_limit: integerPct(),
    }),
    capacity: partialRecord({
      import_energy_available: kwh(),
      export_energy_available: kwh(),
      import_power_available: nonNegativeKw(),
      export_power_available: nonNegativeKw(),
    }),
    resource_state: resourceStateSchema(),
  });
export type ComponentDetails = Static<ReturnType<typeof componentDetailsSchema>>;

export const componentPowerSchema = () =>
  record({
    ...identity,
    current_kw: nullableKw(),
    soc: optional(pct()),
    dr_active: optional(binaryFlag()),
    irradiance_w_m2: optional(irradianceWm2()),
  });
export type ComponentPower = Static<ReturnType<typeof componentPowerSchema>>;

/** Only the energy paths of the component's type. */
export const componentEnergySchema = () =>
  record({
    ...identity,
    from_generator_kwh: optional(kwh()),
    from_grid_kwh: optional(kwh()),
    to_grid_kwh: optional(kwh()),
    to_load_kwh: optional(kwh()),
    to_battery_kwh: optional(kwh()),
    fit_export_kwh: optional(kwh()),
    fip_export_kwh: optional(kwh()),
    non_subsidized_export_kwh: optional(kwh()),
    curtailed_kwh: optional(kwh()),
  });
export type ComponentEnergy = Static<ReturnType<typeof componentEnergySchema>>;
