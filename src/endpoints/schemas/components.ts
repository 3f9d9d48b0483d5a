/** Components of a multi-component site in answers: the blocks of a site, as subsets. */
import {
  COMPONENT_KINDS,
  irradiance,
  kwh,
  nullableKw,
  pct,
  someOf,
  status09,
  unsignedKw,
  wholePct,
} from "./figures.ts";
import { flag01, nullable, oneOf, optional, record, type Static, text } from "./words.ts";

const identity = {
  component_id: text({ maxLength: 64 }),
  component_type: oneOf(COMPONENT_KINDS),
};

export const resourceKeys = () => ({
  soc: pct(),
  dr_active: flag01(),
  dr_target_reduction_kw: nullableKw(),
  dr_actual_reduction_kw: nullableKw(),
  irradiance_w_m2: irradiance(),
});
/** Of a site or of a component: only the keys of its kind. */
export const resourceState = () => someOf(resourceKeys());
export type ResourceState = Static<ReturnType<typeof resourceState>>;

export const componentDetails = () =>
  record({
    ...identity,
    status: status09(),
    active_power: someOf({
      current_kw: nullableKw(),
      dispatched_delta_kw: nullableKw(),
      fcr_response_kw: nullableKw(),
      output_control_limit: nullable(wholePct()),
    }),
    capacity: someOf({
      import_energy_available: kwh(),
      export_energy_available: kwh(),
      import_power_available: unsignedKw(),
      export_power_available: unsignedKw(),
    }),
    resource_state: resourceState(),
  });
export type ComponentDetails = Static<ReturnType<typeof componentDetails>>;

export const componentPower = () =>
  record({
    ...identity,
    current_kw: nullableKw(),
    soc: optional(pct()),
    dr_active: optional(flag01()),
    irradiance_w_m2: optional(irradiance()),
  });
export type ComponentPower = Static<ReturnType<typeof componentPower>>;

/** Only the paths that its type has. */
export const componentEnergy = () =>
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
export type ComponentEnergy = Static<ReturnType<typeof componentEnergy>>;
