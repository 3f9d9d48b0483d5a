import type { EpochMs } from "../../base/time.ts";
import type { FcrSetpoint } from "../components/setpoint.ts";
import type { ComponentGroup } from "./componentGroup.ts";
import { uncontrolledMeterKw } from "./dispatchDelta.ts";

// Which components of a site hold its width of frequency response, and how much of it. All kW are magnitudes.

type FcrProvider = ComponentGroup["fcrProviders"][number];

/** kW that one provider can go up or down from rest: batteries idle at 0, and so do plants. */
const providerHeadroomKw = (
  { outputLimit }: ComponentGroup,
  { component, isIndividuallyControlled }: FcrProvider,
  up: boolean,
  atMs: EpochMs,
): number => (isIndividuallyControlled ? 0 : component.fcrHeadroomAsPartKw(up, outputLimit, atMs));

const providerFcrCapacityKw = (unit: ComponentGroup, lane: FcrProvider, atMs: EpochMs): number =>
  Math.min(providerHeadroomKw(unit, lane, true, atMs), providerHeadroomKw(unit, lane, false, atMs));

/** Each holder's share of the site's width, 0..1: pro rata to what it can do to both sides; none where nobody can. */
export function fcrCapacityShares(unit: ComponentGroup, atMs: EpochMs): readonly number[] {
  const widths = unit.fcrProviders.map((lane) => providerFcrCapacityKw(unit, lane, atMs));
  let sum = 0;
  for (const kw of widths) sum += kw;
  return widths.map((kw) => (sum > 0 ? kw / sum : 0));
}

/**
 * kW that the site can go to one side of its baseline for the frequency: what its holders can, within the connection
 * point. Batteries that track have load and sun to make up for first.
 */
export function oneSidedFcrCapacityKw(unit: ComponentGroup, baselineKw: number, up: boolean, atMs: EpochMs): number {
  const gridKw = up ? unit.importMaxKw - baselineKw : unit.exportMaxKw + baselineKw;
  let holdersKw = unit.isTracking ? (up ? 1 : -1) * (uncontrolledMeterKw(unit, atMs) - baselineKw) : 0;
  for (const lane of unit.fcrProviders) holdersKw += providerHeadroomKw(unit, lane, up, atMs);
  return Math.min(gridKw, holdersKw);
}

/** kW that the holders can do to both sides, each for itself; with a test of energy no battery's share fails it. */
export function providersFcrCapacityKw(unit: ComponentGroup, testMinutes: number, atMs: EpochMs): number {
  let sum = 0;
  for (const lane of unit.fcrProviders) sum += providerFcrCapacityKw(unit, lane, atMs);
  if (testMinutes === 0 || sum === 0) return sum;
  const shares = fcrCapacityShares(unit, atMs);
  unit.fcrProviders.forEach(({ component: holder }, k) => {
    if (shares[k] > 0) sum = Math.min(sum, holder.sustainableKw(testMinutes / 60) / shares[k]);
  });
  return sum;
}

/** Tells each holder its share of what the site is to respond. @param shares  as they were made for these widths */
export function allocateFcr(
  unit: ComponentGroup,
  fcr: FcrSetpoint | null,
  shares: readonly number[],
  atMs: EpochMs,
): void {
  unit.fcrProviders.forEach((lane, k) => {
    const share = shares[k];
    if (!lane.isIndividuallyControlled)
      lane.applyFcrAllocation(fcr === null || share === 0 ? null : { share, fcr: scaleFcrSetpoint(fcr, share) }, atMs);
  });
}

/** Whether nothing about the widths has changed, whatever deltas are called beside them. */
export const hasSameFcrCapacities = (a: FcrSetpoint | null, b: FcrSetpoint | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.orderResponses.length === b.orderResponses.length &&
    a.orderResponses.every(
      ({ order, fcrCapacityKw: kw }, k) =>
        order === b.orderResponses[k].order && kw === b.orderResponses[k].fcrCapacityKw,
    ));

/** The response of one holder: every width, delta and limit in proportion, so that the parts add up to the whole. */
function scaleFcrSetpoint(
  { orderResponses: parts, downDeltaKw: downKw, upDeltaKw: upKw }: FcrSetpoint,
  share: number,
): FcrSetpoint {
  return {
    orderResponses: parts.map(({ order, fcrCapacityKw: widthKw, deltaKw, limitKw }) => ({
      order,
      fcrCapacityKw: share * widthKw,
      deltaKw: share * deltaKw,
      limitKw: share * limitKw,
    })),
    downDeltaKw: share * downKw,
    upDeltaKw: share * upKw,
  };
}
