import { canonicalJson } from "../../../../base/canonicalJson.ts";
import { floorToHalfHour, MS_PER_HALF_HOUR } from "../../../../base/time.ts";
import {
  type PvSeries,
  pvFromIrradiance,
  pvFromWeather,
  type WeatherSeries,
} from "../../../device/pv/pvFromWeather.ts";
import type { PvEquipment, PvSystem } from "../../../device/pv/pvModelChain.ts";
import { defaultPvLosses, type PvLosses } from "../../../device/pv/pvwattsLosses.ts";
import type { Series } from "../../../series/model/series.ts";
import type { SeriesRequirement } from "../../../series/model/seriesOptions.ts";
import { sliceSeries } from "../../../series/model/sliceSeries.ts";
import type { ComponentBuildPort } from "../scenarioFacet.ts";
import type { PvIrradianceModelKeys, PvKeys, PvWeatherModelKeys } from "./generatorKeys.ts";

/** Requirements on weather series. The limits accept sensor offsets and reject values in kelvin or kJ. */
const IRRADIANCE: SeriesRequirement = { interpolation: "linear", minimum: -50, maximum: 2000 };
const WEATHER_ROLES = {
  ghi_w_m2: IRRADIANCE,
  dni_w_m2: IRRADIANCE,
  dhi_w_m2: IRRADIANCE,
  temp_air_c: { interpolation: "linear", minimum: -90, maximum: 70 },
  wind_m_s: { interpolation: "linear", minimum: 0, maximum: 120 },
} as const satisfies Record<string, SeriesRequirement>;
const AIR_ROLES = ["temp_air_c", "wind_m_s"] as const;
/** Name of the series in a reference `series.role`. */
const seriesName = (reference: string): string => reference.slice(0, reference.lastIndexOf("."));
type WeatherRole = keyof typeof WEATHER_ROLES;

/** Series that the weather model of a plant may use, as `series.role`. */
export function weatherSeriesReferences({ model }: PvKeys): string[] {
  if (model !== undefined && "irradiance" in model && model.irradiance !== undefined)
    return AIR_ROLES.map((role) => `${seriesName(model.irradiance)}.${role}`);
  if (model === undefined || !("weather" in model) || model.weather === undefined) return [];
  return Object.keys(WEATHER_ROLES).map((role) => `${model.weather}.${role}`);
}

/**
 * Generation of a PV plant from a weather series, computed once for all plants with equal parameters and weather.
 *
 * @param simulatesOutages  whether the site has simulated outages, which replace the availability loss
 * @returns `null` where the scenario has errors; those are reported through the checker
 * @see docs/model/pv.md#chain
 */
export function buildWeatherPv(
  context: ComponentBuildPort,
  keys: PvKeys,
  model: PvWeatherModelKeys,
  simulatesOutages: boolean,
): PvSeries | null {
  const { series, startMs, endMs } = context;
  const pvSystem = pvSystemOf(context, keys, model, simulatesOutages);
  const role = (name: WeatherRole) =>
    series.resolveRole(model, "weather", { name: model.weather, role: name }, WEATHER_ROLES[name]);
  const optional = (name: WeatherRole) => (series.hasRole(model.weather, name) ? role(name) : null);
  if (model.weather === undefined) return null;
  const ghiWm2 = role("ghi_w_m2");
  const optionalSeries = {
    dniWm2: optional("dni_w_m2"),
    dhiWm2: optional("dhi_w_m2"),
    airTemperatureC: optional("temp_air_c"),
    windSpeedMPerS: optional("wind_m_s"),
  };
  if (pvSystem === null) return null;
  let generated: PvSeries | null = null;
  const chain = (): PvSeries => {
    // Slots of a `perfect` baseline are means over whole half hours, which may reach beyond the run.
    const fromMs = floorToHalfHour(startMs);
    const weather: WeatherSeries = { ghiWm2: sliceSeries(ghiWm2, fromMs, endMs + MS_PER_HALF_HOUR), ...optionalSeries };
    generated ??= pvFromWeather(
      weather,
      series.stampLabelOf(model.weather, "ghi_w_m2"),
      pvSystem,
      `PV from ${model.weather}`,
    );
    return generated;
  };
  const derivationKey = canonicalJson(pvSystem);
  const derived = (key: keyof PvSeries): Series =>
    series.deriveOnce(ghiWm2, `${key} ${derivationKey}`, () => chain()[key]);
  return { generationKw: derived("generationKw"), irradianceWm2: derived("irradianceWm2") };
}

/**
 * Generation of a PV plant from irradiance in its plane, computed once for all plants with equal parameters and irradiance.
 *
 * @returns `null` where the scenario has errors; those are reported through the checker
 */
export function buildIrradiancePv(
  context: ComponentBuildPort,
  keys: PvKeys,
  model: PvIrradianceModelKeys,
  simulatesOutages: boolean,
): PvSeries | null {
  const { series, startMs, endMs } = context;
  if (model.irradiance === undefined) return null;
  const poaWm2 = series.resolve(model, "irradiance", IRRADIANCE);
  const name = seriesName(model.irradiance);
  const optional = (role: (typeof AIR_ROLES)[number]) =>
    series.hasRole(name, role) ? series.resolveRole(model, "irradiance", { name, role }, WEATHER_ROLES[role]) : null;
  const air = { airTemperatureC: optional("temp_air_c"), windSpeedMPerS: optional("wind_m_s") };
  const equipment = equipmentOf(context, keys, model, simulatesOutages);
  if (!isComplete(equipment)) return null;
  let generated: PvSeries | null = null;
  const chain = (): PvSeries => {
    const plane = sliceSeries(poaWm2, floorToHalfHour(startMs), endMs + MS_PER_HALF_HOUR);
    const label = series.stampLabelOf(name, model.irradiance.slice(name.length + 1));
    generated ??= pvFromIrradiance({ poaWm2: plane, ...air }, label, equipment, `PV from ${model.irradiance}`);
    return generated;
  };
  const derivationKey = canonicalJson(equipment);
  const derived = (key: keyof PvSeries): Series =>
    series.deriveOnce(poaWm2, `${key} ${derivationKey}`, () => chain()[key]);
  return { generationKw: derived("generationKw"), irradianceWm2: derived("irradianceWm2") };
}

/** `null` where a number is missing or not finite. */
function pvSystemOf(
  context: ComponentBuildPort,
  keys: PvKeys,
  model: PvWeatherModelKeys,
  simulatesOutages: boolean,
): PvSystem | null {
  const pvSystem = {
    latitudeDeg: model.latitude,
    longitudeDeg: model.longitude,
    altitudeM: model.altitude_m,
    tiltDeg: model.tilt_deg,
    azimuthDeg: model.azimuth_deg,
    albedo: model.albedo,
    ...equipmentOf(context, keys, model, simulatesOutages),
  };
  return isComplete(pvSystem) ? pvSystem : null;
}

function isComplete(system: PvEquipment): boolean {
  const isKnown = (value: unknown): boolean => typeof value !== "number" || Number.isFinite(value);
  const numbers = [...Object.values(system), ...Object.values(system.losses)];
  return numbers.every((value) => value !== undefined && isKnown(value));
}

function equipmentOf(
  { checker }: ComponentBuildPort,
  keys: PvKeys,
  model: PvWeatherModelKeys | PvIrradianceModelKeys,
  simulatesOutages: boolean,
): PvEquipment {
  if (model.losses !== undefined && model.loss_factor !== undefined)
    checker.reportError(model, "loss_factor", "loss_factor beside losses", "one of the two");
  return {
    dcCapacityKw: keys.pv_capacity_kw,
    gammaPerC: model.gamma_pct_per_c / 100,
    ratedOutputKw: keys.rated_output_kw,
    nominalEfficiency: model.inverter_efficiency,
    losses: lossesOf(model.losses, simulatesOutages),
    ...(model.loss_factor === undefined ? {} : { lossFactor: model.loss_factor }),
  };
}

export function lossesOf(losses: PvWeatherModelKeys["losses"], simulatesOutages: boolean): PvLosses {
  const defaults = defaultPvLosses(simulatesOutages);
  if (losses === undefined) return defaults;
  return {
    soilingPct: losses.soiling,
    shadingPct: losses.shading,
    mismatchPct: losses.mismatch,
    wiringPct: losses.wiring,
    connectionsPct: losses.connections,
    lightInducedDegradationPct: losses.light_induced_degradation,
    nameplatePct: losses.nameplate,
    availabilityPct: losses.availability ?? defaults.availabilityPct,
  };
}
