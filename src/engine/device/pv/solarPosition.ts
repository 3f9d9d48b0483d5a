import { atan2, cos, sin, tan } from "../../../base/elementary.ts";
import { type EpochMs, MS_PER_DAY } from "../../../base/time.ts";
import { pressureHpaAt } from "./atmosphere.ts";
import { geocentricSun, meanSiderealDeg, RAD_PER_DEG, wrapDeg } from "./sunEphemeris.ts";

/** Latitude north positive (±90), longitude east positive (±180), metres above the sea. */
export interface GeoLocation {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
  readonly altitudeM: number;
}

/** Inputs of the refraction, and the time scale. */
interface SolarPositionOptions {
  /** Annual mean; default: the standard atmosphere at the place's altitude. */
  readonly pressureHpa?: number;
  /** Annual mean; default 12. */
  readonly temperatureC?: number;
  /** Terrestrial minus universal time, seconds; default: by year (`deltaTSecondsAt`). */
  readonly deltaTSeconds?: number;
}

/** Topocentric solar position: one value per instant, same order. */
export interface SolarPositionSeries {
  /** Without refraction, 0 overhead to 180. */
  readonly zenithDeg: Float64Array;
  /** With refraction, which lifts the sun by up to 0.6° at the horizon. */
  readonly apparentZenithDeg: Float64Array;
  /** From north over east, [0, 360). */
  readonly azimuthDeg: Float64Array;
  /** From the earth's centre, astronomical units. */
  readonly distanceAu: Float64Array;
}

/** Polar over equatorial radius of the earth. */
const FLATTENING = 0.99664719;
const EQUATOR_M = 6_378_140;
/** Radius of the sun's disc plus refraction at the horizon; below, the sun has set and refraction is omitted. */
const SET_DEG = -(0.26667 + 0.5667);

/**
 * Topocentric solar position: steps 3.11 to 3.15 of the solar position algorithm (NREL/TP-560-34302,
 * DOI 10.2172/15003974).
 *
 * Slowly varying quantities (right ascension, declination, nutation, distance) are computed at each UTC midnight and
 * interpolated by a cubic; the error is less than 1e-6°. The parallax, in the paper a rotation by two angles, is computed
 * by subtracting the observer's position vector from the sun's, which is equivalent and needs no arc functions.
 */
export function solarPosition(
  timesMs: Float64Array,
  place: GeoLocation,
  options: SolarPositionOptions = {},
): SolarPositionSeries {
  const count = timesMs.length;
  const zenithDeg = new Float64Array(count);
  const apparentZenithDeg = new Float64Array(count);
  const azimuthDeg = new Float64Array(count);
  const distanceAu = new Float64Array(count);
  const sun = new InterpolatedSun(options.deltaTSeconds);
  const observer = observerAt(place);
  const { sinLatitude, cosLatitude } = observer;
  const refraction = refractionFactor(place, options);
  for (let k = 0; k < count; k++) {
    const atMs = timesMs[k];
    sun.moveTo(atMs);
    const declination = sun.declinationDeg * RAD_PER_DEG;
    const hourAngle = (meanSiderealDeg(atMs) + place.longitudeDeg - sun.rightAscensionDeg) * RAD_PER_DEG;
    const parallax = (8.794 / 3600 / sun.distanceAu) * RAD_PER_DEG;
    const cosDeclination = cos(declination);
    const toMeridian = cosDeclination * cos(hourAngle) - observer.fromAxis * parallax;
    const toWest = cosDeclination * sin(hourAngle);
    const toPole = sin(declination) - observer.aboveEquator * parallax;
    const up = cosLatitude * toMeridian + sinLatitude * toPole;
    const toSouth = sinLatitude * toMeridian - cosLatitude * toPole;
    const elevationDeg = atan2(up, Math.sqrt(toSouth * toSouth + toWest * toWest)) / RAD_PER_DEG;
    zenithDeg[k] = 90 - elevationDeg;
    apparentZenithDeg[k] = 90 - elevationDeg - (elevationDeg < SET_DEG ? 0 : refraction * refractionDeg(elevationDeg));
    azimuthDeg[k] = wrapDeg(atan2(toWest, toSouth) / RAD_PER_DEG + 180);
    distanceAu[k] = sun.distanceAu;
  }
  return { zenithDeg, apparentZenithDeg, azimuthDeg, distanceAu };
}

/** The observer's place in equatorial radii, and the direction of the vertical. */
function observerAt({ latitudeDeg, altitudeM }: GeoLocation) {
  const latitude = latitudeDeg * RAD_PER_DEG;
  const reduced = atan2(FLATTENING * sin(latitude), cos(latitude));
  return {
    sinLatitude: sin(latitude),
    cosLatitude: cos(latitude),
    fromAxis: cos(reduced) + (altitudeM / EQUATOR_M) * cos(latitude),
    aboveEquator: FLATTENING * sin(reduced) + (altitudeM / EQUATOR_M) * sin(latitude),
  };
}

function refractionFactor({ altitudeM }: GeoLocation, { pressureHpa, temperatureC }: SolarPositionOptions): number {
  return ((pressureHpa ?? pressureHpaAt(altitudeM)) / 1010) * (283 / (273 + (temperatureC ?? 12)));
}

/** At 1010 hPa and 10 °C. */
function refractionDeg(elevationDeg: number): number {
  return 1.02 / (60 * tan((elevationDeg + 10.3 / (elevationDeg + 5.11)) * RAD_PER_DEG));
}

interface SunNode {
  /** Without the nutation's contribution to the sidereal time, so that the hour angle needs the mean sidereal time alone. */
  readonly rightAscensionDeg: number;
  readonly declinationDeg: number;
  readonly distanceAu: number;
}

/** The geocentric sun between daily nodes, by cubics through four of them. */
class InterpolatedSun {
  rightAscensionDeg = 0;
  declinationDeg = 0;
  distanceAu = 1;
  private readonly deltaTS: number | undefined;
  private readonly nodes = new Map<number, SunNode>();
  private day = Number.NaN;
  private rightAscension = new Float64Array(4);
  private declination = new Float64Array(4);
  private distance = new Float64Array(4);

  constructor(deltaTS: number | undefined) {
    this.deltaTS = deltaTS;
  }

  moveTo(atMs: EpochMs): void {
    const day = Math.floor(atMs / MS_PER_DAY);
    if (day !== this.day) this.enter(day);
    const s = atMs / MS_PER_DAY - day;
    const w0 = (-s * (s - 1) * (s - 2)) / 6;
    const w1 = ((s + 1) * (s - 1) * (s - 2)) / 2;
    const w2 = (-(s + 1) * s * (s - 2)) / 2;
    const w3 = ((s + 1) * s * (s - 1)) / 6;
    const a = this.rightAscension;
    const d = this.declination;
    const r = this.distance;
    this.rightAscensionDeg = w0 * a[0] + w1 * a[1] + w2 * a[2] + w3 * a[3];
    this.declinationDeg = w0 * d[0] + w1 * d[1] + w2 * d[2] + w3 * d[3];
    this.distanceAu = w0 * r[0] + w1 * r[1] + w2 * r[2] + w3 * r[3];
  }

  private enter(day: number): void {
    this.day = day;
    for (let j = 0; j < 4; j++) {
      const node = this.nodeAt(day - 1 + j);
      // Right ascension wraps once a year and otherwise increases from day to day.
      const before = this.rightAscension[j - 1];
      const hasWrapped = 0 < j && node.rightAscensionDeg < before - 180;
      this.rightAscension[j] = node.rightAscensionDeg + (hasWrapped ? 360 : 0);
      this.declination[j] = node.declinationDeg;
      this.distance[j] = node.distanceAu;
    }
  }

  private nodeAt(day: number): SunNode {
    const cached = this.nodes.get(day);
    if (cached !== undefined) return cached;
    const { rightAscensionDeg, declinationDeg, distanceAu, nutationLongitudeDeg, obliquityDeg } = geocentricSun(
      day * MS_PER_DAY,
      this.deltaTS,
    );
    const nutationOfTimeDeg = nutationLongitudeDeg * cos(obliquityDeg * RAD_PER_DEG);
    const node = { rightAscensionDeg: rightAscensionDeg - nutationOfTimeDeg, declinationDeg, distanceAu };
    this.nodes.set(day, node);
    return node;
  }
}
