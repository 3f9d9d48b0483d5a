import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { ResourceSite } from "../components/capabilities.ts";
import type { FcrSetpoint } from "../components/setpoint.ts";
import type { ComponentGroup } from "./componentGroup.ts";
import { availablePartsKw, reducibleLoadKw, uncontrolledMeterKw } from "./dispatchDelta.ts";

// What a site of several components can do as a whole (docs/model/capability.md#immediate-range, docs/model/capability.md#multi-component-headroom, docs/model/allocation.md#compatibility, docs/model/capability.md#capability-flags). All kW are magnitudes.

/**
 * kW by which the site can deviate from its baseline: the sum over its components, within the connection point; without reverse
 * flow down to a meter power of 0. Tracking batteries must compensate loads, PV and wind first. A component with a set-point of
 * its own adds nothing. Stores must be able to hold it for `hours`; 0: power alone.
 */
export function compositeHeadroomKw(
  group: ComponentGroup,
  site: ResourceSite,
  { baselineKw, up, atMs, hours }: { baselineKw: number; up: boolean; atMs: EpochMs; hours: number },
): number {
  const connectionHeadroomKw = up ? group.importMaxKw - baselineKw : group.exportMaxKw + baselineKw;
  const meterDeviationKw = group.isTracking ? uncontrolledMeterKw(group, atMs) - baselineKw : 0;
  const batteryKw =
    availablePartsKw(group, group.siteControlledBatteries, up, atMs, hours) +
    (up ? meterDeviationKw : -meterDeviationKw);
  const componentsKw =
    Math.max(0, batteryKw) +
    availablePartsKw(group, group.siteControlledPlants, up, atMs, hours) +
    (up ? 0 : compositeReductionKw(group, site, null, atMs));
  return Math.max(0, Math.min(connectionHeadroomKw, componentsKw));
}

/** kW that the site's batteries can charge together, beside their auxiliaries at the connection point. */
export function compositeImportKw(group: ComponentGroup, atMs: EpochMs): number {
  return Math.max(
    0,
    Math.min(group.importMaxKw - auxiliaryKw(group), availablePartsKw(group, group.batteries, true, atMs)),
  );
}

/** kW that the batteries, plants, PV and wind of the site can export together; auxiliaries at the connection point consume a part. */
export function compositeExportKw(group: ComponentGroup, atMs: EpochMs): number {
  let kw =
    availablePartsKw(group, group.batteries, false, atMs) +
    availablePartsKw(group, group.generatingPlants, false, atMs);
  for (const generator of group.generators) kw += generator.exportAvailableKw(atMs, group.outputLimitShare);
  return group.exportMaxKw === 0 ? 0 : Math.min(group.exportMaxKw + auxiliaryKw(group), kw);
}

function auxiliaryKw({ batteries }: ComponentGroup): number {
  let kw = 0;
  for (const { component } of batteries) kw += component.spec.auxiliaryKw;
  return kw;
}

/** kW of load that can be shed now; none of a consumer within its cooldown (docs/model/consumer.md#dr-capability). */
export function compositeReductionKw(
  group: ComponentGroup,
  { reduction }: ResourceSite,
  sku: Sku | null,
  atMs: EpochMs,
): number {
  const isContinuation = reduction.reducing && (sku === null || reduction.sku === sku);
  const endedMs = reduction.reducing ? atMs : reduction.endedMs;
  let inCooldownKw = 0;
  for (const { component: consumer } of group.siteControlledConsumers)
    if (!isContinuation && consumer.spec.drCapable && atMs - endedMs < consumer.spec.minDrCooldownMs)
      inCooldownKw += consumer.spec.maxDrReductionKw;
  return Math.max(0, reducibleLoadKw(group, group.siteControlledConsumers) - inCooldownKw);
}

/** Whether the site takes part: upward if it may import, downward if a component can export or shed. */
export function isCompositeCompatible(group: ComponentGroup, direction: number, sku: Sku | null): boolean {
  if (direction > 0) return group.importMaxKw > 0;
  if (direction === 0 || group.batteries.length > 0 || reducibleLoadKw(group) > 0) return true;
  return group.plants.some(({ component }) => !component.isOutsideMarkets(sku));
}

/** Whether a storage component is full (`up`) or empty and therefore limits the site. */
export const isStorageLimited = ({ batteries, plants }: ComponentGroup, up: boolean): boolean =>
  batteries.some(({ component }) => component.isAtBound(up)) || plants.some(({ component }) => component.isAtBound(up));

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
