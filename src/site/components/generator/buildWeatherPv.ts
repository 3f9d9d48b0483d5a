import { canonicalJson } from "../../../base/canonicalJson.ts";
import { floorToHalfHour, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import { type PvSeries, pvFromWeather, type WeatherSeries } from "../../../device/pv/pvFromWeather.ts";
import type { PvSystem } from "../../../device/pv/pvModelChain.ts";
import { defaultPvLosses, type PvLosses } from "../../../device/pv/pvwattsLosses.ts";
import type { Series } from "../../../series/model/series.ts";
import type { SeriesRequirement } from "../../../series/model/seriesOptions.ts";
import { sliceSeries } from "../../../series/model/sliceSeries.ts";
import type { ComponentBuildPort } from "../scenarioFacet.ts";
import type { PvKeys, PvWeatherModelKeys } from "./generatorKeys.ts";

/** Roles of a weather series. The limits let instruments' offsets pass and catch kelvins and kilojoules. */
const IRRADIANCE: SeriesRequirement = { interpolation: "linear", minimum: -50, maximum: 2000 };
const WEATHER_ROLES = {
  ghi_w_m2: IRRADIANCE,
  dni_w_m2: IRRADIANCE,
  dhi_w_m2: IRRADIANCE,
  temp_air_c: { interpolation: "linear", minimum: -90, maximum: 70 },
  wind_m_s: { interpolation: "linear", minimum: 0, maximum: 120 },
} as const satisfies Record<string, SeriesRequirement>;
type WeatherRole = keyof typeof WEATHER_ROLES;

/** What the weather model of a plant may ask of its series, as `series.role`. */
export function weatherSeriesReferences({ model }: PvKeys): string[] {
  if (model === undefined || !("weather" in model) || model.weather === undefined) return [];
  return Object.keys(WEATHER_ROLES).map((role) => `${model.weather}.${role}`);
}

/**
 * Generation of an array from its weather: worked out once for all arrays that are alike under one weather.
 *
 * @param simulatesOutages  whether the site has outages of its own
 * @returns `null` where the file is wrong (reported elsewhere)
 * @see docs/model/pv.md#chain, docs/model/pv.md#chain
 */
export function buildWeatherPv(
  building: ComponentBuildPort,
  keys: PvKeys,
  model: PvWeatherModelKeys,
  simulatesOutages: boolean,
): PvSeries | null {
  const { series, startMs, endMs } = building;
  const array = pvSystemOf(keys, model, simulatesOutages);
  const role = (name: WeatherRole) =>
    series.resolveRole(model, "weather", { name: model.weather, role: name }, WEATHER_ROLES[name]);
  const optional = (name: WeatherRole) => (series.hasRole(model.weather, name) ? role(name) : null);
  if (model.weather === undefined) return null;
  const ghiWm2 = role("ghi_w_m2");
  const others = {
    dniWm2: optional("dni_w_m2"),
    dhiWm2: optional("dhi_w_m2"),
    airTemperatureC: optional("temp_air_c"),
    windSpeedMPerS: optional("wind_m_s"),
  };
  if (array === null) return null;
  let made: PvSeries | null = null;
  const chain = (): PvSeries => {
    // Slots of a `perfect` baseline are means over whole half hours, which may reach beyond the run.
    const fromMs = floorToHalfHour(startMs);
    const weather: WeatherSeries = { ghiWm2: sliceSeries(ghiWm2, fromMs, endMs + MS_PER_HALF_HOUR), ...others };
    made ??= pvFromWeather(weather, series.stampLabelOf(model.weather), array, `PV from ${model.weather}`);
    return made;
  };
  const how = canonicalJson(array);
  const part = (key: keyof PvSeries): Series => series.deriveOnce(ghiWm2, `${key} ${how}`, () => chain()[key]);
  return { generationKw: part("generationKw"), irradianceWm2: part("irradianceWm2") };
}

/** `null` where a number is missing. */
function pvSystemOf(keys: PvKeys, model: PvWeatherModelKeys, simulatesOutages: boolean): PvSystem | null {
  const array = {
    latitudeDeg: model.latitude,
    longitudeDeg: model.longitude,
    altitudeM: model.altitude_m,
    tiltDeg: model.tilt_deg,
    azimuthDeg: model.azimuth_deg,
    albedo: model.albedo,
    dcCapacityKw: keys.pv_capacity_kw,
    gammaPerC: model.gamma_pct_per_c / 100,
    ratedOutputKw: keys.rated_output_kw,
    nominalEfficiency: model.inverter_efficiency,
    losses: lossesOf(model, simulatesOutages),
  };
  const isKnown = (value: unknown): boolean => typeof value !== "number" || Number.isFinite(value);
  const numbers = [...Object.values(array), ...Object.values(array.losses)];
  return numbers.every((value) => value !== undefined && isKnown(value)) ? array : null;
}

function lossesOf({ losses }: PvWeatherModelKeys, simulatesOutages: boolean): PvLosses {
  const usual = defaultPvLosses(simulatesOutages);
  if (losses === undefined) return usual;
  return {
    soilingPct: losses.soiling,
    shadingPct: losses.shading,
    mismatchPct: losses.mismatch,
    wiringPct: losses.wiring,
    connectionsPct: losses.connections,
    lightInducedDegradationPct: losses.light_induced_degradation,
    nameplatePct: losses.nameplate,
    availabilityPct: losses.availability ?? usual.availabilityPct,
  };
}
