import { atan2, cos, sin } from "../../../base/elementary.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR } from "../../../base/time.ts";
import { type GeoLocation, type SolarPositionSeries, solarPosition } from "./solarPosition.ts";

/** Periods that values stand for, in order of time. */
export interface Intervals {
  readonly middlesMs: Float64Array;
  readonly lengthsMs: Float64Array;
}

/** A part of the interval of one value. Within it the sun only rises or only sets. */
interface IntervalPart {
  readonly index: number;
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
}

/** A little more than the elevation of the sun changes in one hour, and than refraction lifts it, in degrees. */
const MAX_RISE_DEG_PER_HOUR = 15.1;
const MAX_REFRACTION_DEG = 1;
const MS_PER_HALF_DAY = MS_PER_DAY / 2;
const RAD_PER_DEG = Math.PI / 180;

/**
 * Solar position for each interval: in its middle; where the sun is down there but up in a part of the interval, in the
 * middle of that part, of several parts the longest (docs/model/pv.md#sun-instant).
 */
export function sunOverIntervals(intervals: Intervals, place: GeoLocation): SolarPositionSeries {
  const sun = solarPosition(intervals.middlesMs, place);
  const parts = daylightParts(partsToSearch(sun, intervals, place), place);
  if (parts.length === 0) return sun;
  const middlesMs = Float64Array.from(parts, ({ fromMs, toMs }) => (fromMs + toMs) / 2);
  const sunInParts = solarPosition(middlesMs, place);
  parts.forEach(({ index }, n) => {
    sun.zenithDeg[index] = sunInParts.zenithDeg[n];
    sun.apparentZenithDeg[index] = sunInParts.apparentZenithDeg[n];
    sun.azimuthDeg[index] = sunInParts.azimuthDeg[n];
    sun.distanceAu[index] = sunInParts.distanceAu[n];
  });
  return sun;
}

/** Parts of the intervals with the sun down in the middle, unless it is too low to come up in them. */
function partsToSearch(
  sun: SolarPositionSeries,
  { middlesMs, lengthsMs }: Intervals,
  { latitudeDeg }: GeoLocation,
): IntervalPart[] {
  const parts: IntervalPart[] = [];
  for (let index = 0; index < middlesMs.length; index++) {
    const middleMs = middlesMs[index];
    const halfMs = lengthsMs[index] / 2;
    const depthDeg = sun.apparentZenithDeg[index] - 90;
    if (depthDeg < 0 || MAX_REFRACTION_DEG + (MAX_RISE_DEG_PER_HOUR * halfMs) / MS_PER_HOUR < depthDeg) continue;
    // The sun turns at its highest and at its lowest instant, by turns every 12 hours.
    const hourAngleDeg = hourAngleDegOf(sun.zenithDeg[index], sun.azimuthDeg[index], latitudeDeg);
    const turnMs = middleMs - (hourAngleDeg / 360) * MS_PER_DAY;
    let fromMs = middleMs - halfMs;
    for (let n = Math.ceil((fromMs - turnMs) / MS_PER_HALF_DAY); ; n++) {
      const toMs = Math.min(turnMs + n * MS_PER_HALF_DAY, middleMs + halfMs);
      if (fromMs < toMs) parts.push({ index, fromMs, toMs });
      if (toMs === middleMs + halfMs) break;
      fromMs = toMs;
    }
  }
  return parts;
}

/** From the position over the horizon; 0 in the meridian, positive in the afternoon. */
function hourAngleDegOf(zenithDeg: number, azimuthDeg: number, latitudeDeg: number): number {
  const zenith = zenithDeg * RAD_PER_DEG;
  const azimuth = azimuthDeg * RAD_PER_DEG;
  const latitude = latitudeDeg * RAD_PER_DEG;
  const toWest = -sin(zenith) * sin(azimuth);
  const toMeridian = cos(zenith) * cos(latitude) - sin(zenith) * cos(azimuth) * sin(latitude);
  return atan2(toWest, toMeridian) / RAD_PER_DEG;
}

/** The longest period with the sun up of each interval that has any. */
function daylightParts(parts: readonly IntervalPart[], place: GeoLocation): IntervalPart[] {
  const fromsMs = parts.map(({ fromMs }) => fromMs);
  const tosMs = parts.map(({ toMs }) => toMs);
  const isUpAtStart = isSunUp(fromsMs, place);
  const isUpAtEnd = isSunUp(tosMs, place);
  const crossingsMs = horizonCrossingsMs(fromsMs, tosMs, isUpAtStart, place);
  const longest = new Map<number, IntervalPart>();
  let last: IntervalPart = { index: -1, fromMs: 0, toMs: 0 };
  for (let n = 0; n < parts.length; n++) {
    if (!isUpAtStart[n] && !isUpAtEnd[n]) continue;
    const { index } = parts[n];
    const fromMs = isUpAtStart[n] ? fromsMs[n] : crossingsMs[n];
    const toMs = isUpAtEnd[n] ? tosMs[n] : crossingsMs[n];
    const continues = last.index === index && last.toMs === fromMs;
    last = { index, fromMs: continues ? last.fromMs : fromMs, toMs };
    const best = longest.get(index);
    if (best === undefined || best.toMs - best.fromMs < last.toMs - last.fromMs) longest.set(index, last);
  }
  return [...longest.values()];
}

const isSunUp = (timesMs: readonly EpochMs[], place: GeoLocation): boolean[] =>
  Array.from(solarPosition(Float64Array.from(timesMs), place).apparentZenithDeg, (zenithDeg) => zenithDeg < 90);

/** Instants to the millisecond at which the sun crosses the horizon; of no meaning where both ends are alike. */
function horizonCrossingsMs(
  fromsMs: readonly EpochMs[],
  tosMs: readonly EpochMs[],
  isUpAtStart: readonly boolean[],
  place: GeoLocation,
): number[] {
  const before = [...fromsMs];
  const after = [...tosMs];
  while (before.some((atMs, n) => 1 < after[n] - atMs)) {
    const middlesMs = before.map((atMs, n) => (atMs + after[n]) / 2);
    const isUp = isSunUp(middlesMs, place);
    middlesMs.forEach((middleMs, n) => {
      if (isUp[n] === isUpAtStart[n]) before[n] = middleMs;
      else after[n] = middleMs;
    });
  }
  return before.map((atMs, n) => (atMs + after[n]) / 2);
}
