import type { EpochMs } from "../../base/time.ts";
import type { FcrSetpoint } from "../components/setpoint.ts";
import type { ComponentGroup } from "./componentGroup.ts";
import { uncontrolledMeterKw } from "./dispatchDelta.ts";

// Allocation of a site's FCR capacity to its components. All kW are magnitudes.

type FcrProvider = ComponentGroup["fcrProviders"][number];

/** kW that one provider can go up or down from rest; batteries and plants idle at 0. */
const providerHeadroomKw = (
  { outputLimitShare }: ComponentGroup,
  { component, isIndividuallyControlled }: FcrProvider,
  up: boolean,
  atMs: EpochMs,
): number => (isIndividuallyControlled ? 0 : component.fcrHeadroomAsPartKw(up, outputLimitShare, atMs));

const providerFcrCapacityKw = (group: ComponentGroup, controller: FcrProvider, atMs: EpochMs): number =>
  Math.min(providerHeadroomKw(group, controller, true, atMs), providerHeadroomKw(group, controller, false, atMs));

/** Share of each provider in the site's FCR capacity, 0..1, in proportion to its two-sided capability; all 0 if none has any. */
export function fcrCapacityShares(group: ComponentGroup, atMs: EpochMs): readonly number[] {
  const capacitiesKw = group.fcrProviders.map((controller) => providerFcrCapacityKw(group, controller, atMs));
  let sum = 0;
  for (const kw of capacitiesKw) sum += kw;
  return capacitiesKw.map((kw) => (sum > 0 ? kw / sum : 0));
}

/**
 * kW that the site can respond in one direction from its baseline: the sum of its providers within the limits of the connection
 * point. Tracking batteries must compensate loads, PV and wind first.
 */
export function oneSidedFcrCapacityKw(group: ComponentGroup, baselineKw: number, up: boolean, atMs: EpochMs): number {
  const gridKw = up ? group.importMaxKw - baselineKw : group.exportMaxKw + baselineKw;
  let providersKw = group.isTracking ? (up ? 1 : -1) * (uncontrolledMeterKw(group, atMs) - baselineKw) : 0;
  for (const controller of group.fcrProviders) providersKw += providerHeadroomKw(group, controller, up, atMs);
  return Math.min(gridKw, providersKw);
}

/** Sum of the providers' two-sided capabilities in kW; with an energy test, limited such that every battery's share passes it. */
export function providersFcrCapacityKw(group: ComponentGroup, testMinutes: number, atMs: EpochMs): number {
  let sum = 0;
  for (const controller of group.fcrProviders) sum += providerFcrCapacityKw(group, controller, atMs);
  if (testMinutes === 0 || sum === 0) return sum;
  const shares = fcrCapacityShares(group, atMs);
  group.fcrProviders.forEach(({ component }, k) => {
    if (shares[k] > 0) sum = Math.min(sum, component.sustainableKw(testMinutes / 60) / shares[k]);
  });
  return sum;
}

/** Sends each provider its share of the site's FCR set-point. @param shares  from `fcrCapacityShares` */
export function allocateFcr(
  group: ComponentGroup,
  fcr: FcrSetpoint | null,
  shares: readonly number[],
  atMs: EpochMs,
): void {
  group.fcrProviders.forEach((controller, k) => {
    const share = shares[k];
    if (!controller.isIndividuallyControlled)
      controller.applyFcrAllocation(
        fcr === null || share === 0 ? null : { share, fcr: scaleFcrSetpoint(fcr, share) },
        atMs,
      );
  });
}

/** Whether two FCR set-points have the same capacities, whatever their deltas. */
export const hasSameFcrCapacities = (a: FcrSetpoint | null, b: FcrSetpoint | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.orderResponses.length === b.orderResponses.length &&
    a.orderResponses.every(
      ({ order, fcrCapacityKw }, k) =>
        order === b.orderResponses[k].order && fcrCapacityKw === b.orderResponses[k].fcrCapacityKw,
    ));

/** The FCR set-point of one provider: all capacities, deltas and limits in proportion, so that the providers add up to the site. */
function scaleFcrSetpoint({ orderResponses, downDeltaKw, upDeltaKw }: FcrSetpoint, share: number): FcrSetpoint {
  return {
    orderResponses: orderResponses.map(({ order, fcrCapacityKw, deltaKw, limitKw }) => ({
      order,
      fcrCapacityKw: share * fcrCapacityKw,
      deltaKw: share * deltaKw,
      limitKw: share * limitKw,
    })),
    downDeltaKw: share * downDeltaKw,
    upDeltaKw: share * upDeltaKw,
  };
}
