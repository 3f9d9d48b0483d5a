import type { EpochMs } from "../../base/time.ts";
import { energyTestedKw } from "../../device/battery/batteryCapability.ts";
import type { FcrTarget } from "../components/target.ts";
import { availableKw, naturalKw, outputKw, pumpKw } from "./compositeDelta.ts";
import type { Composition } from "./composition.ts";

// Which components of a site hold its width of frequency response, and how much of it. All kW are magnitudes.

type Holder = Composition["holders"][number];

/** kW that one holder can go up or down from rest: batteries idle at 0, and so do plants. */
function roomKw(unit: Composition, { unit: holder, isOwn }: Holder, up: boolean, atMs: EpochMs): number {
  if (isOwn) return 0;
  if (holder.kind === "battery")
    return holder.isAtBound(true) || holder.isAtBound(false) ? 0 : availableKw(unit, holder, up, atMs);
  // A plant with a least output cannot leave rest by a little.
  if (holder.spec.minOutputKw > 0) return 0;
  return up ? pumpKw(holder, atMs) : outputKw(holder, unit.outputLimit, atMs);
}

const widthKw = (unit: Composition, lane: Holder, atMs: EpochMs): number =>
  Math.min(roomKw(unit, lane, true, atMs), roomKw(unit, lane, false, atMs));

/** Each holder's share of the site's width, 0..1: pro rata to what it can do to both sides; none where nobody can. */
export function widthShares(unit: Composition, atMs: EpochMs): readonly number[] {
  const widths = unit.holders.map((lane) => widthKw(unit, lane, atMs));
  let sum = 0;
  for (const kw of widths) sum += kw;
  return widths.map((kw) => (sum > 0 ? kw / sum : 0));
}

/**
 * kW that the site can go to one side of its baseline for the frequency: what its holders can, within the connection
 * point. Batteries that track have load and sun to make up for first.
 */
export function widthRoomKw(unit: Composition, baselineKw: number, up: boolean, atMs: EpochMs): number {
  const gridKw = up ? unit.importMaxKw - baselineKw : unit.exportMaxKw + baselineKw;
  let holdersKw = unit.isTracking ? (up ? 1 : -1) * (naturalKw(unit, atMs) - baselineKw) : 0;
  for (const lane of unit.holders) holdersKw += roomKw(unit, lane, up, atMs);
  return Math.min(gridKw, holdersKw);
}

/** kW that the holders can do to both sides, each for itself; with a test of energy no battery's share fails it. */
export function holdersWidthKw(unit: Composition, testMinutes: number, atMs: EpochMs): number {
  let sum = 0;
  for (const lane of unit.holders) sum += widthKw(unit, lane, atMs);
  if (testMinutes === 0 || sum === 0) return sum;
  const shares = widthShares(unit, atMs);
  unit.holders.forEach(({ unit: holder }, k) => {
    if (holder.kind === "battery" && shares[k] > 0)
      sum = Math.min(sum, energyTestedKw(holder.spec, holder.storedKwh, testMinutes / 60) / shares[k]);
  });
  return sum;
}

/** Tells each holder its share of what the site is to respond. @param shares  as they were made for these widths */
export function divideWidth(unit: Composition, fcr: FcrTarget | null, shares: readonly number[], atMs: EpochMs): void {
  unit.holders.forEach((lane, k) => {
    const share = shares[k];
    if (!lane.isOwn) lane.tellResponse(fcr === null || share === 0 ? null : { share, fcr: partOf(fcr, share) }, atMs);
  });
}

/** Whether nothing about the widths has changed, whatever deltas are called beside them. */
export const sameWidths = (a: FcrTarget | null, b: FcrTarget | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.parts.length === b.parts.length &&
    a.parts.every(({ order, widthKw: kw }, k) => order === b.parts[k].order && kw === b.parts[k].widthKw));

/** The response of one holder: every width, delta and limit in proportion, so that the parts add up to the whole. */
function partOf({ parts, downKw, upKw }: FcrTarget, share: number): FcrTarget {
  return {
    parts: parts.map(({ order, widthKw, deltaKw, limitKw }) => ({
      order,
      widthKw: share * widthKw,
      deltaKw: share * deltaKw,
      limitKw: share * limitKw,
    })),
    downKw: share * downKw,
    upKw: share * upKw,
  };
}
