import { erbs } from "./erbs.ts";
import { extraterrestrialWm2 } from "./extraterrestrial.ts";
import { faiman } from "./faiman.ts";
import { hayDavies, type PlaneOfArray } from "./hayDavies.ts";
import { cosIncidenceAngle, transmittedIrradianceWm2 } from "./incidenceAngle.ts";
import { daylight, type Irradiance, splitByBeam, splitByDiffuse } from "./irradiance.ts";
import { type PvwattsModule, pvwattsDc } from "./pvwattsDc.ts";
import { type PvwattsInverter, pvwattsInverter } from "./pvwattsInverter.ts";
import { type PvLosses, pvwattsLossFactor } from "./pvwattsLosses.ts";
import type { GeoLocation, SolarPositionSeries } from "./solarPosition.ts";

/** Location, orientation and equipment of a PV array. */
export interface PvSystem extends GeoLocation, PlaneOfArray, PvEquipment {}

/** Modules, losses and inverter. */
export interface PvEquipment extends PvwattsModule, PvwattsInverter {
  readonly losses: PvLosses;
  /** Share of the power that is left after losses, in place of theirs. */
  readonly lossFactor?: number | undefined;
}

/** One value per instant, same order; `null` for a quantity without data. */
export interface WeatherSamples {
  readonly ghiWm2: Float64Array;
  readonly dniWm2: Float64Array | null;
  readonly dhiWm2: Float64Array | null;
  readonly airTemperatureC: Float64Array | null;
  readonly windSpeedMPerS: Float64Array | null;
}

/** One value per instant, same order. */
interface PvOutput {
  /** On the plane, in front of the glass. */
  readonly poaWm2: Float64Array;
  readonly cellTemperatureC: Float64Array;
  /** After losses, at the inverter's input. */
  readonly dcKw: Float64Array;
  /** At least 0, at most the rated output. */
  readonly acKw: Float64Array;
}

/** Defaults for missing weather columns (docs/model/pv.md#chain). */
const DEFAULT_AIR_TEMPERATURE_C = 20;
const DEFAULT_WIND_SPEED_M_PER_S = 1;

/**
 * PV model chain from weather to AC power: missing irradiance, transposition, glass, cell temperature, DC power, losses,
 * inverter.
 *
 * @param sun  solar position for each value, from `sunOverIntervals`
 * @see docs/model/pv.md
 */
export function pvModelChain(sun: SolarPositionSeries, weather: WeatherSamples, array: PvSystem): PvOutput {
  const extraterrestrial = extraterrestrialWm2(sun.distanceAu);
  const irradiance = irradianceOf(weather, sun, extraterrestrial);
  const cosIncidence = cosIncidenceAngle(sun, array);
  const plane = hayDavies(irradiance, sun.apparentZenithDeg, cosIncidence, extraterrestrial, array);
  return pvFromPlane(plane.totalWm2, transmittedIrradianceWm2(plane, cosIncidence), weather, array);
}

/**
 * The stages behind the glass: cell temperature, DC power, losses, inverter.
 *
 * @param poaWm2  on the plane, in front of the glass, at least 0
 * @param cellsWm2  that reaches the cells
 */
export function pvFromPlane(
  poaWm2: Float64Array,
  cellsWm2: Float64Array,
  weather: Pick<WeatherSamples, "airTemperatureC" | "windSpeedMPerS">,
  equipment: PvEquipment,
): PvOutput {
  const count = poaWm2.length;
  const airC = weather.airTemperatureC ?? new Float64Array(count).fill(DEFAULT_AIR_TEMPERATURE_C);
  const windMS = weather.windSpeedMPerS ?? new Float64Array(count).fill(DEFAULT_WIND_SPEED_M_PER_S);
  const cellTemperatureC = faiman(poaWm2, airC, windMS);
  const left = equipment.lossFactor ?? pvwattsLossFactor(equipment.losses);
  const dcKw = pvwattsDc(cellsWm2, cellTemperatureC, equipment).map((kw) => kw * left);
  return { poaWm2, cellTemperatureC, dcKw, acKw: pvwattsInverter(dcKw, equipment) };
}

/** Uses measured components; computes missing ones by closure, or by the Erbs decomposition from the global one alone. */
function irradianceOf(
  measured: WeatherSamples,
  { zenithDeg, apparentZenithDeg }: SolarPositionSeries,
  extraterrestrial: Float64Array,
): Irradiance {
  const ghiWm2 = daylight(measured.ghiWm2, apparentZenithDeg);
  const dniWm2 = measured.dniWm2 === null ? null : daylight(measured.dniWm2, apparentZenithDeg);
  const dhiWm2 = measured.dhiWm2 === null ? null : daylight(measured.dhiWm2, apparentZenithDeg);
  if (dniWm2 !== null && dhiWm2 !== null) return { ghiWm2, dniWm2, dhiWm2 };
  if (dhiWm2 !== null) return splitByDiffuse(ghiWm2, dhiWm2, apparentZenithDeg, extraterrestrial);
  if (dniWm2 !== null) return splitByBeam(ghiWm2, dniWm2, apparentZenithDeg);
  return erbs(ghiWm2, zenithDeg, extraterrestrial);
}
