/**
 * Total solar irradiance at one astronomical unit, W/m².
 *
 * @see docs/model/pv.md#extraterrestrial
 */
export const SOLAR_CONSTANT_WM2 = 1366.1;

/**
 * Beam irradiance above the atmosphere, W/m², by the inverse square of the distance.
 *
 * @param distanceAu  earth to sun, astronomical units, 0.983 to 1.017
 */
export function extraterrestrialWm2(distanceAu: Float64Array): Float64Array {
  return distanceAu.map((au) => SOLAR_CONSTANT_WM2 / (au * au));
}
