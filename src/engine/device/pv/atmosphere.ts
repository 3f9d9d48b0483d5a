import { cos, pow } from "../../../base/elementary.ts";

/**
 * Pressure of the standard atmosphere, hPa; altitudes −500 to 9000 m above the sea.
 *
 * @see U.S. Standard Atmosphere 1976, NASA-TM-X-74335: 288.15 K and 1013.25 hPa at the sea, 6.5 K less per km
 */
export function pressureHpaAt(altitudeM: number): number {
  return 1013.25 * pow(1 - (0.0065 * altitudeM) / 288.15, 5.25588);
}

/**
 * Relative air mass at sea-level pressure: the path length of the beam through the air, relative to the zenith; 1 to 38.
 * 0 with the sun below the horizon, where there is no beam.
 *
 * @param apparentZenithDeg  with refraction
 * @see F. Kasten and A. T. Young, Applied Optics 28 (1989) 4735, DOI 10.1364/AO.28.004735
 */
export function relativeAirMass(apparentZenithDeg: number): number {
  if (90 < apparentZenithDeg) return 0;
  const cosZenith = cos((apparentZenithDeg * Math.PI) / 180);
  return 1 / (cosZenith + 0.50572 * pow(96.07995 - apparentZenithDeg, -1.6364));
}
