/**
 * Position of the sun and irradiance of a cloudless sky by simple formulas, for generated series: an error of a quarter of
 * a degree does not matter there.
 */
import { cos, exp, sin } from "../../base/elementary.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR } from "../../base/time.ts";
import { dayOfYear } from "./timeGrid.ts";

export interface GeoLocation {
  readonly latitudeDeg: number;
  /** East positive. */
  readonly longitudeDeg: number;
}

/** A plane at a place; azimuth 180 faces south. */
export interface TiltedPlane extends GeoLocation {
  readonly tiltDeg: number;
  readonly azimuthDeg: number;
}

const RADIANS = Math.PI / 180;

/** The sun's height over one place and its angle to one plane; constants of the UTC day are kept between calls. */
export class SolarGeometry {
  /** Cosine of the sun's angle to the zenith; not above 0 at night. */
  cosZenith = 0;
  /** Cosine of the sun's angle to the plane's normal; below 0 behind it. */
  cosIncidence = 0;
  private readonly plane: TiltedPlane;
  private day = Number.NaN;
  private equationOfTimeHours = 0;
  private zenith: Coefficients = { constant: 0, cos: 0, sin: 0 };
  private incidence: Coefficients = { constant: 0, cos: 0, sin: 0 };

  constructor(plane: TiltedPlane) {
    this.plane = plane;
  }

  setTime(atMs: EpochMs): void {
    const day = Math.floor(atMs / MS_PER_DAY);
    if (day !== this.day) this.beginDay(day);
    const solarHour = (atMs - day * MS_PER_DAY) / MS_PER_HOUR + this.plane.longitudeDeg / 15 + this.equationOfTimeHours;
    const hourAngle = (solarHour - 12) * 15 * RADIANS;
    const cosHour = cos(hourAngle);
    const sinHour = sin(hourAngle);
    this.cosZenith = this.zenith.constant + this.zenith.cos * cosHour;
    this.cosIncidence = this.incidence.constant + this.incidence.cos * cosHour + this.incidence.sin * sinHour;
  }

  private beginDay(day: number): void {
    const { latitudeDeg, tiltDeg, azimuthDeg } = this.plane;
    const declination = declinationDeg(dayOfYear(day)) * RADIANS;
    this.day = day;
    this.equationOfTimeHours = equationOfTimeMinutes(dayOfYear(day)) / 60;
    this.zenith = angleTo({ declination, latitude: latitudeDeg * RADIANS, tilt: 0, azimuthFromSouth: 0 });
    this.incidence = angleTo({
      declination,
      latitude: latitudeDeg * RADIANS,
      tilt: tiltDeg * RADIANS,
      azimuthFromSouth: (azimuthDeg - 180) * RADIANS,
    });
  }
}

/** cos(angle) = constant + cos · cos(hour angle) + sin · sin(hour angle). */
interface Coefficients {
  readonly constant: number;
  readonly cos: number;
  readonly sin: number;
}

/** Angle between sun and a plane's normal. @see Duffie and Beckman, Solar Engineering of Thermal Processes, §1.6 */
function angleTo(angles: {
  readonly declination: number;
  readonly latitude: number;
  readonly tilt: number;
  readonly azimuthFromSouth: number;
}): Coefficients {
  const { declination, latitude, tilt, azimuthFromSouth } = angles;
  const south = sin(tilt) * cos(azimuthFromSouth);
  return {
    constant: sin(declination) * (sin(latitude) * cos(tilt) - cos(latitude) * south),
    cos: cos(declination) * (cos(latitude) * cos(tilt) + sin(latitude) * south),
    sin: cos(declination) * sin(tilt) * sin(azimuthFromSouth),
  };
}

/** Within half a degree. @see Cooper 1969, doi:10.1016/0038-092X(69)90047-4 */
export const declinationDeg = (dayOfYear: number): number => 23.45 * sin(2 * Math.PI * ((284 + dayOfYear) / 365));

/** Solar time minus mean time, within a minute. @see Duffie and Beckman §1.5 (two-term form) */
export function equationOfTimeMinutes(dayOfYear: number): number {
  const angle = (2 * Math.PI * (dayOfYear - 81)) / 364;
  return 9.87 * sin(2 * angle) - 7.53 * cos(angle) - 1.5 * sin(angle);
}

/**
 * Global horizontal irradiance under a cloudless sky, W/m².
 *
 * @see Haurwitz 1945 in SI units, as in Reno, Hansen and Stein, SAND2012-2389
 */
export const clearSkyGhiWm2 = (cosZenith: number): number =>
  cosZenith <= 0 ? 0 : 1098 * cosZenith * exp(-0.059 / cosZenith);

/** Of a cloudless sky's light on the ground; the rest comes straight from the sun. */
const DIFFUSE_FRACTION = 0.15;
const ALBEDO = 0.25;
/** Below about five degrees the straight light on a tilted plane is not blown up further. */
const COS_ZENITH_MIN = 0.09;

/** Irradiance on the plane under a cloudless sky, W/m²: sky and ground taken as equally bright all over. */
export function clearSkyPlaneWm2(sun: SolarGeometry, tiltDeg: number): number {
  const ghi = clearSkyGhiWm2(sun.cosZenith);
  if (ghi <= 0) return 0;
  const skySeen = (1 + cos(tiltDeg * RADIANS)) / 2;
  const straight = Math.max(0, sun.cosIncidence) / Math.max(COS_ZENITH_MIN, sun.cosZenith);
  return ghi * ((1 - DIFFUSE_FRACTION) * straight + DIFFUSE_FRACTION * skySeen + ALBEDO * (1 - skySeen));
}
