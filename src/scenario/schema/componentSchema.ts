import { Type } from "../../base/schemaType.ts";
import {
  arrayOf,
  boolean,
  capacityKwh,
  efficiency,
  enumOf,
  fraction,
  identifier,
  literal,
  nonNegativeNumber,
  number,
  optional,
  percentage,
  positiveRatingKw,
  rampRate,
  ratingKw,
  type Static,
  seriesReference,
  strictObject,
  string,
} from "./schemaBuilders.ts";

const commonProperties = {
  component_id: string({
    minLength: 1,
    maxLength: 64,
    title: "text of 1 to 64 characters",
    description: "Unique within the site",
  }),
  fcr_capable: boolean({ default: false, description: "Whether it can answer grid frequency" }),
};

const battery = strictObject({
  ...commonProperties,
  component_type: literal("battery"),
  rated_cap: capacityKwh({ description: "kWh between 0 % and 100 %" }),
  import_pwr_max: ratingKw({ description: "kW, AC" }),
  export_pwr_max: ratingKw({ description: "kW, AC" }),
  soc_op_min: percentage({ description: "%" }),
  soc_op_max: percentage({ description: "%" }),
  model: strictObject(
    {
      initial_soc: percentage({ default: 50, description: "%" }),
      charge_efficiency: efficiency({ default: 0.95 }),
      discharge_efficiency: efficiency({ default: 0.95 }),
      self_discharge_pct_per_day: percentage({ default: 0, description: "% of what is stored" }),
      auxiliary_kw: nonNegativeNumber({
        maximum: 999_999.9,
        default: 0,
        description: "Constant import on top of the set-point",
      }),
      response_delay_s: nonNegativeNumber({ maximum: 86_400, default: 0 }),
      ramp_kw_per_s: optional(rampRate()),
      power_taper: optional(
        arrayOf(strictObject({ soc: percentage(), import_fraction: fraction(), export_fraction: fraction() }), {
          minItems: 1,
          description: "By rising soc; linear between points, flat outside",
        }),
      ),
    },
    { default: {} },
  ),
});

const unit = enumOf(["kw", "per_unit"], {
  default: "kw",
  description: "per_unit: of pv_capacity_kw, for wind of rated_output_kw",
});
const lossPct = (byDefault: number) => percentage({ default: byDefault });

const pvWeatherModel = strictObject({
  weather: identifier({
    description: "A series with ghi_w_m2 and, where known, dni_w_m2, dhi_w_m2, temp_air_c, wind_m_s",
  }),
  latitude: number({ minimum: -90, maximum: 90 }),
  longitude: number({ minimum: -180, maximum: 180 }),
  altitude_m: number({ minimum: -500, maximum: 9000, default: 0 }),
  tilt_deg: number({ minimum: 0, maximum: 90 }),
  azimuth_deg: number({ minimum: 0, maximum: 360, default: 180, description: "180 is south" }),
  albedo: fraction({ default: 0.25 }),
  gamma_pct_per_c: number({ minimum: -2, maximum: 0, default: -0.37 }),
  losses: optional(
    strictObject({
      soiling: lossPct(2),
      shading: lossPct(3),
      mismatch: lossPct(2),
      wiring: lossPct(2),
      connections: lossPct(0.5),
      light_induced_degradation: lossPct(1.5),
      nameplate: lossPct(1),
      availability: optional(percentage({ description: "Default 3; 0 where the site has outages" })),
    }),
  ),
  inverter_efficiency: efficiency({ default: 0.96 }),
  irradiance_sensor: boolean({ default: true }),
});

const generationModel = strictObject({
  generation: seriesReference({ description: "AC kW that the plant could send, at least 0" }),
  unit,
});

const generatorProperties = {
  ...commonProperties,
  component_type: literal("generator"),
  subsidy: enumOf(["fit", "fip", "none"], { default: "none" }),
  rated_output_kw: positiveRatingKw(),
};

const pv = strictObject({
  ...generatorProperties,
  generator_kind: literal("pv"),
  pv_capacity_kw: positiveRatingKw({ description: "DC kW of the modules" }),
  model: Type.Union([pvWeatherModel, generationModel]),
});

const wind = strictObject({ ...generatorProperties, generator_kind: literal("wind"), model: generationModel });

const dispatchableProperties = {
  ...generatorProperties,
  min_output_kw: ratingKw({ default: 0 }),
  ramp_rate_kw_per_min: optional(rampRate()),
  fuel_type: optional(string({ maxLength: 64 })),
};

const plant = strictObject({
  ...dispatchableProperties,
  generator_kind: enumOf(["thermal", "biomass", "hydro", "other"]),
});

const pumpedStorage = strictObject({
  ...dispatchableProperties,
  generator_kind: literal("pumped_storage"),
  pump_input_max_kw: ratingKw(),
  upper_reservoir_capacity_kwh: capacityKwh(),
  model: strictObject(
    {
      initial_fill_pct: percentage({ default: 50 }),
      pumping_efficiency: efficiency({ default: 0.87 }),
      generating_efficiency: efficiency({ default: 0.87 }),
    },
    { default: {} },
  ),
});

const consumer = strictObject({
  ...commonProperties,
  component_type: literal("consumer"),
  consumer_kind: enumOf(
    ["factory", "commercial", "residential_aggregate", "data_center", "cold_storage", "ev_charging", "other"],
    { default: "other" },
  ),
  contract_kw: positiveRatingKw(),
  max_demand_kw: positiveRatingKw({ description: "The load is cut here" }),
  dr_capable: boolean({ default: false }),
  min_dr_reduction_kw: ratingKw({ default: 0 }),
  max_dr_reduction_kw: ratingKw({ default: 0, description: "Needed when dr_capable" }),
  min_dr_duration_minutes: nonNegativeNumber({ maximum: 10_080, default: 0 }),
  min_dr_cooldown_minutes: nonNegativeNumber({ maximum: 525_600, default: 0 }),
  model: strictObject({
    load: seriesReference({ description: "Undisturbed demand in kW, at least 0" }),
    response_delay_s: nonNegativeNumber({ maximum: 86_400, default: 0 }),
    ramp_kw_per_s: optional(rampRate()),
    rebound_fraction: nonNegativeNumber({ maximum: 10, default: 0 }),
    rebound_minutes: nonNegativeNumber({ maximum: 10_080, default: 0 }),
    control: enumOf(["drop_by", "track"], { default: "drop_by" }),
  }),
});

export const componentSchema = Type.Union([battery, consumer, pv, wind, plant, pumpedStorage]);

export type BatteryConfig = Static<typeof battery>;
export type ConsumerConfig = Static<typeof consumer>;
export type PvConfig = Static<typeof pv>;
export type PvWeatherModelConfig = Static<typeof pvWeatherModel>;
export type WindConfig = Static<typeof wind>;
export type DispatchablePlantConfig = Static<typeof plant>;
export type PumpedStorageConfig = Static<typeof pumpedStorage>;
export type ComponentConfig = Static<typeof componentSchema>;
