import { Type } from "../../base/schemaType.ts";
import {
  aboveZeroKw,
  atLeastZero,
  capacityKwh,
  efficiency,
  flag,
  fraction,
  keys,
  listOf,
  name,
  number,
  oneOf,
  optional,
  percent,
  ramp,
  ratingKw,
  type Static,
  seriesRole,
  text,
  word,
} from "./shapes.ts";

const common = {
  component_id: text({
    minLength: 1,
    maxLength: 64,
    title: "text of 1 to 64 characters",
    description: "Unique within the site",
  }),
  fcr_capable: flag({ default: false, description: "Whether it can answer grid frequency" }),
};

const battery = keys({
  ...common,
  component_type: word("battery"),
  rated_cap: capacityKwh({ description: "kWh between 0 % and 100 %" }),
  import_pwr_max: ratingKw({ description: "kW, AC" }),
  export_pwr_max: ratingKw({ description: "kW, AC" }),
  soc_op_min: percent({ description: "%" }),
  soc_op_max: percent({ description: "%" }),
  model: keys(
    {
      initial_soc: percent({ default: 50, description: "%" }),
      charge_efficiency: efficiency({ default: 0.95 }),
      discharge_efficiency: efficiency({ default: 0.95 }),
      self_discharge_pct_per_day: percent({ default: 0, description: "% of what is stored" }),
      auxiliary_kw: atLeastZero({
        maximum: 999_999.9,
        default: 0,
        description: "Constant import on top of the set-point",
      }),
      response_delay_s: atLeastZero({ maximum: 86_400, default: 0 }),
      ramp_kw_per_s: optional(ramp()),
      power_taper: optional(
        listOf(keys({ soc: percent(), import_fraction: fraction(), export_fraction: fraction() }), {
          minItems: 1,
          description: "By rising soc; linear between points, flat outside",
        }),
      ),
    },
    { default: {} },
  ),
});

const unit = oneOf(["kw", "per_unit"], {
  default: "kw",
  description: "per_unit: of pv_capacity_kw, for wind of rated_output_kw",
});
const lossPct = (byDefault: number) => percent({ default: byDefault });

const pvWeatherModel = keys({
  weather: name({ description: "A series with ghi_w_m2 and, where known, dni_w_m2, dhi_w_m2, temp_air_c, wind_m_s" }),
  latitude: number({ minimum: -90, maximum: 90 }),
  longitude: number({ minimum: -180, maximum: 180 }),
  altitude_m: number({ minimum: -500, maximum: 9000, default: 0 }),
  tilt_deg: number({ minimum: 0, maximum: 90 }),
  azimuth_deg: number({ minimum: 0, maximum: 360, default: 180, description: "180 is south" }),
  albedo: fraction({ default: 0.25 }),
  gamma_pct_per_c: number({ minimum: -2, maximum: 0, default: -0.37 }),
  losses: optional(
    keys({
      soiling: lossPct(2),
      shading: lossPct(3),
      mismatch: lossPct(2),
      wiring: lossPct(2),
      connections: lossPct(0.5),
      light_induced_degradation: lossPct(1.5),
      nameplate: lossPct(1),
      availability: optional(percent({ description: "Default 3; 0 where the site has outages" })),
    }),
  ),
  inverter_efficiency: efficiency({ default: 0.96 }),
  irradiance_sensor: flag({ default: true }),
});

const generation = keys({
  generation: seriesRole({ description: "AC kW that the plant could send, at least 0" }),
  unit,
});

const generator = {
  ...common,
  component_type: word("generator"),
  subsidy: oneOf(["fit", "fip", "none"], { default: "none" }),
  rated_output_kw: aboveZeroKw(),
};

const pv = keys({
  ...generator,
  generator_kind: word("pv"),
  pv_capacity_kw: aboveZeroKw({ description: "DC kW of the modules" }),
  model: Type.Union([pvWeatherModel, generation]),
});

const wind = keys({ ...generator, generator_kind: word("wind"), model: generation });

const dispatchable = {
  ...generator,
  min_output_kw: ratingKw({ default: 0 }),
  ramp_rate_kw_per_min: optional(ramp()),
  fuel_type: optional(text({ maxLength: 64 })),
};

const plant = keys({ ...dispatchable, generator_kind: oneOf(["thermal", "biomass", "hydro", "other"]) });

const pumpedStorage = keys({
  ...dispatchable,
  generator_kind: word("pumped_storage"),
  pump_input_max_kw: ratingKw(),
  upper_reservoir_capacity_kwh: capacityKwh(),
  model: keys(
    {
      initial_fill_pct: percent({ default: 50 }),
      pumping_efficiency: efficiency({ default: 0.87 }),
      generating_efficiency: efficiency({ default: 0.87 }),
    },
    { default: {} },
  ),
});

const consumer = keys({
  ...common,
  component_type: word("consumer"),
  consumer_kind: oneOf(
    ["factory", "commercial", "residential_aggregate", "data_center", "cold_storage", "ev_charging", "other"],
    { default: "other" },
  ),
  contract_kw: aboveZeroKw(),
  max_demand_kw: aboveZeroKw({ description: "The load is cut here" }),
  dr_capable: flag({ default: false }),
  min_dr_reduction_kw: ratingKw({ default: 0 }),
  max_dr_reduction_kw: ratingKw({ default: 0, description: "Needed when dr_capable" }),
  min_dr_duration_minutes: atLeastZero({ maximum: 10_080, default: 0 }),
  min_dr_cooldown_minutes: atLeastZero({ maximum: 525_600, default: 0 }),
  model: keys({
    load: seriesRole({ description: "Undisturbed demand in kW, at least 0" }),
    response_delay_s: atLeastZero({ maximum: 86_400, default: 0 }),
    ramp_kw_per_s: optional(ramp()),
    rebound_fraction: atLeastZero({ maximum: 10, default: 0 }),
    rebound_minutes: atLeastZero({ maximum: 10_080, default: 0 }),
    control: oneOf(["drop_by", "track"], { default: "drop_by" }),
  }),
});

export const componentSchema = Type.Union([battery, consumer, pv, wind, plant, pumpedStorage]);

export type BatteryKeys = Static<typeof battery>;
export type ConsumerKeys = Static<typeof consumer>;
export type PvKeys = Static<typeof pv>;
export type PvWeatherModelKeys = Static<typeof pvWeatherModel>;
export type WindKeys = Static<typeof wind>;
export type PlantKeys = Static<typeof plant>;
export type PumpedStorageKeys = Static<typeof pumpedStorage>;
export type ComponentKeys = Static<typeof componentSchema>;
