import type { EpochMs } from "../../base/time.ts";
import { CAUSES, type Cause } from "../settlement/causes.ts";
import type { Polyline } from "./polyline.ts";

/** Power that is missing for one cause, between two lines from the request towards 0: signed kW at the start and at the end. */
export interface MissingArea {
  readonly cause: Cause;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly fromKw: readonly [number, number];
  readonly toKw: readonly [number, number];
}

export const AREAS_MAX = 400;

/**
 * What is missing from the request of a VPP, one cause beside the other: the largest areas, in the order of causes and time.
 *
 * @param missing  kW by index into CAUSES, signed as the request
 */
export function missingAreas(requestedKw: Polyline, missing: ReadonlyMap<number, Polyline>): MissingArea[] {
  const causes = [...missing].sort(([a], [b]) => a - b);
  const areas = causes.flatMap(([cause, { atMs, values }], c) => {
    const above = [requestedKw, ...causes.slice(0, c).map(([, curve]) => curve)];
    const topAt = (instantMs: number): number =>
      above.map((curve) => valueAt(curve, instantMs)).reduce((top, value) => top - value);
    return Array.from(atMs.subarray(1), (endMs, n): MissingArea | null => {
      const startMs = atMs[n];
      if (startMs === endMs || (values[n] === 0 && values[n + 1] === 0)) return null;
      const fromKw = [topAt(startMs), topAt(endMs - Math.min(JUST_BEFORE_MS, 0.5 * (endMs - startMs)))] as const;
      const toKw = [fromKw[0] - values[n], fromKw[1] - values[n + 1]] as const;
      return { cause: CAUSES[cause], startMs, endMs, fromKw, toKw };
    }).filter((area) => area !== null);
  });
  return largest(areas);
}

/** Curves may jump at the end of an area. */
const JUST_BEFORE_MS = 0.01;

function largest(areas: readonly MissingArea[]): MissingArea[] {
  const sizeOf = ({ startMs, endMs, fromKw, toKw }: MissingArea) =>
    (endMs - startMs) * (Math.abs(toKw[0] - fromKw[0]) + Math.abs(toKw[1] - fromKw[1]));
  return areas
    .map((area, k) => ({ area, k, size: sizeOf(area) }))
    .sort((a, b) => b.size - a.size || a.k - b.k)
    .slice(0, AREAS_MAX)
    .sort((a, b) => a.k - b.k)
    .map(({ area }) => area);
}

/** Value on the line between two points; of a jump the value after it. */
function valueAt({ atMs, values }: Polyline, instantMs: number): number {
  let [low, high] = [0, atMs.length - 1];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (atMs[middle] <= instantMs) low = middle;
    else high = middle;
  }
  const spanMs = atMs[high] - atMs[low];
  return spanMs === 0 ? values[high] : values[low] + ((values[high] - values[low]) * (instantMs - atMs[low])) / spanMs;
}
