import { asin, atan2, cos, sin, tan } from "../../../base/elementary.ts";
import { type EpochMs, MS_PER_DAY } from "../../../base/time.ts";
import { DISTANCE_TERMS, LATITUDE_TERMS, LONGITUDE_TERMS, NUTATION_TERMS } from "./solarTerms.ts";

// Geocentric position of the sun: steps 3.1 to 3.10 of I. Reda and A. Andreas, "Solar
// position algorithm for solar radiation applications", NREL/TP-560-34302, DOI 10.2172/15003974.

export const RAD_PER_DEG = Math.PI / 180;

/** Angles in degrees, [0, 360) for full-circle angles. Names in brackets are those of the paper. */
interface GeocentricSun {
  /** Of the earth as seen from the sun [L, B]. */
  readonly heliocentricLongitudeDeg: number;
  readonly heliocentricLatitudeDeg: number;
  /** Astronomical units [R]. */
  readonly distanceAu: number;
  /** Δψ, Δε. */
  readonly nutationLongitudeDeg: number;
  readonly nutationObliquityDeg: number;
  /** True obliquity of the ecliptic [ε]. */
  readonly obliquityDeg: number;
  /** Nutation and aberration included [λ]. */
  readonly apparentLongitudeDeg: number;
  /** Apparent, geocentric [α, δ]. */
  readonly rightAscensionDeg: number;
  readonly declinationDeg: number;
}

const JULIAN_DAY_1970 = 2_440_587.5;
const JULIAN_DAY_2000 = 2_451_545;
const DAYS_PER_CENTURY = 36_525;

/** Days of universal time since 2000-01-01T12:00. */
const daysSince2000 = (atMs: EpochMs): number => atMs / MS_PER_DAY + (JULIAN_DAY_1970 - JULIAN_DAY_2000);

/**
 * Geocentric position of the sun at an instant of universal time.
 *
 * @param deltaTSeconds  terrestrial minus universal time, seconds
 * @returns valid from −2000 to 6000, to 0.0003°
 */
export function geocentricSun(atMs: EpochMs, deltaTS: number = deltaTSecondsAt(atMs)): GeocentricSun {
  const centuries = (daysSince2000(atMs) + deltaTS / 86_400) / DAYS_PER_CENTURY;
  const millennia = centuries / 10;
  const longitudeDeg = wrapDeg(periodicSum(LONGITUDE_TERMS, millennia) / RAD_PER_DEG);
  const latitudeDeg = periodicSum(LATITUDE_TERMS, millennia) / RAD_PER_DEG;
  const distanceAu = periodicSum(DISTANCE_TERMS, millennia);
  const nutation = nutationDeg(centuries);
  const obliquityDeg = meanObliquityArcsec(centuries) / 3600 + nutation.obliquity;
  const aberrationDeg = -20.4898 / (3600 * distanceAu);
  const apparentLongitudeDeg = wrapDeg(longitudeDeg + 180 + nutation.longitude + aberrationDeg);
  return {
    heliocentricLongitudeDeg: longitudeDeg,
    heliocentricLatitudeDeg: latitudeDeg,
    distanceAu,
    nutationLongitudeDeg: nutation.longitude,
    nutationObliquityDeg: nutation.obliquity,
    obliquityDeg,
    apparentLongitudeDeg,
    ...equatorial(apparentLongitudeDeg, -latitudeDeg, obliquityDeg),
  };
}

/** Greenwich mean sidereal time, degrees, not wrapped. */
export function meanSiderealDeg(atMs: EpochMs): number {
  const days = daysSince2000(atMs);
  const centuries = days / DAYS_PER_CENTURY;
  return 280.46061837 + 360.98564736629 * days + centuries * centuries * (0.000387933 - centuries / 38_710_000);
}

/**
 * Terrestrial minus universal time, seconds: the polynomials of F. Espenak and J. Meeus, "Five millennium canon of solar
 * eclipses", NASA/TP-2006-214141, for 1961 to 2050. An error of 30 s moves the sun by 0.0003°.
 */
export function deltaTSecondsAt(atMs: EpochMs): number {
  const date = new Date(atMs);
  const year = date.getUTCFullYear() + (date.getUTCMonth() + 0.5) / 12;
  if (year < 1986) {
    const t = year - 1975;
    return 45.45 + t * (1.067 - t * (1 / 260 + t / 718));
  }
  const t = year - 2000;
  if (2005 <= year) return 62.92 + t * (0.32217 + t * 0.005589);
  return 63.86 + t * (0.3345 + t * (-0.060374 + t * (0.0017275 + t * (0.000651814 + t * 0.00002373599))));
}

export function wrapDeg(deg: number): number {
  return deg - 360 * Math.floor(deg / 360);
}

/** Σ over n of tⁿ · Σ A·cos(B + C·t), of terms in units of 1e-8. */
function periodicSum(series: readonly (readonly number[])[], millennia: number): number {
  let sum = 0;
  for (let power = series.length - 1; 0 <= power; power--) {
    const terms = series[power];
    let part = 0;
    for (let k = 0; k < terms.length; k += 3) part += terms[k] * cos(terms[k + 1] + terms[k + 2] * millennia);
    sum = sum * millennia + part;
  }
  return sum * 1e-8;
}

function nutationDeg(t: number): { longitude: number; obliquity: number } {
  const elongation = 297.85036 + t * (445267.11148 + t * (-0.0019142 + t / 189_474));
  const sunAnomaly = 357.52772 + t * (35999.05034 + t * (-0.0001603 - t / 300_000));
  const moonAnomaly = 134.96298 + t * (477198.867398 + t * (0.0086972 + t / 56_250));
  const moonLatitude = 93.27191 + t * (483202.017538 + t * (-0.0036825 + t / 327_270));
  const node = 125.04452 + t * (-1934.136261 + t * (0.0020708 + t / 450_000));
  let longitude = 0;
  let obliquity = 0;
  const n = NUTATION_TERMS;
  for (let k = 0; k < n.length; k += 9) {
    const argument =
      RAD_PER_DEG *
      (n[k] * elongation + n[k + 1] * sunAnomaly + n[k + 2] * moonAnomaly + n[k + 3] * moonLatitude + n[k + 4] * node);
    longitude += (n[k + 5] + n[k + 6] * t) * sin(argument);
    obliquity += (n[k + 7] + n[k + 8] * t) * cos(argument);
  }
  return { longitude: longitude / 36e6, obliquity: obliquity / 36e6 };
}

/** Powers of 10 000 years from 2000, from the constant up; arcseconds. */
const OBLIQUITY_POWERS = [84381.448, -4680.93, -1.55, 1999.25, -51.38, -249.67, -39.05, 7.12, 27.87, 5.79, 2.45];

function meanObliquityArcsec(centuries: number): number {
  return OBLIQUITY_POWERS.reduceRight((sum, factor) => sum * (centuries / 100) + factor, 0);
}

function equatorial(longitudeDeg: number, latitudeDeg: number, obliquityDeg: number) {
  const longitude = longitudeDeg * RAD_PER_DEG;
  const latitude = latitudeDeg * RAD_PER_DEG;
  const sinE = sin(obliquityDeg * RAD_PER_DEG);
  const cosE = cos(obliquityDeg * RAD_PER_DEG);
  const rightAscension = atan2(sin(longitude) * cosE - tan(latitude) * sinE, cos(longitude));
  const declination = asin(sin(latitude) * cosE + cos(latitude) * sinE * sin(longitude));
  return { rightAscensionDeg: wrapDeg(rightAscension / RAD_PER_DEG), declinationDeg: declination / RAD_PER_DEG };
}
