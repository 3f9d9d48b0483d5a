import {
  boolean,
  efficiency,
  enumOf,
  fraction,
  identifier,
  literal,
  number,
  optional,
  percentage,
  positiveNumber,
  positiveRatingKw,
  type Static,
  seriesReference,
  strictObject,
} from "../../../../base/schemaBuilders.ts";
import { Type } from "../../../../base/schemaType.ts";
import { generatorProperties } from "../scenarioFacet.ts";

const unit = enumOf(["kw", "per_unit"], {
  default: "kw",
  description: "per_unit: of pv_capacity_kw, for wind of rated_output_kw",
});
const lossPct = (byDefault: number) => percentage({ default: byDefault });

const losses = optional(
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
);
const lossFactor = optional(
  positiveNumber({ maximum: 1.2, description: "Share of the power that is left, in place of losses" }),
);

const equipment = {
  gamma_pct_per_c: number({ minimum: -2, maximum: 0, default: -0.37 }),
  losses,
  loss_factor: lossFactor,
  inverter_efficiency: efficiency({ default: 0.96 }),
};

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
  ...equipment,
  irradiance_sensor: boolean({ default: true }),
});

const pvIrradianceModel = strictObject({
  irradiance: seriesReference({
    description:
      "W/m² in the plane of the modules; temp_air_c and wind_m_s of the same series are used where it has them",
  }),
  ...equipment,
});

const generationModel = strictObject({
  generation: seriesReference({ description: "AC kW that the plant could send, at least 0" }),
  unit,
});

export const pv = strictObject({
  ...generatorProperties,
  generator_kind: literal("pv"),
  pv_capacity_kw: positiveRatingKw({ description: "DC kW of the modules" }),
  model: Type.Union([pvWeatherModel, pvIrradianceModel, generationModel]),
});

export const wind = strictObject({ ...generatorProperties, generator_kind: literal("wind"), model: generationModel });

export type PvKeys = Static<typeof pv>;
export type PvWeatherModelKeys = Static<typeof pvWeatherModel>;
export type PvIrradianceModelKeys = Static<typeof pvIrradianceModel>;
export type WindKeys = Static<typeof wind>;
