import type { Sku } from "../../base/sku.ts";
import type { Site } from "../../site/site.ts";
import { DISPATCH_OUTCOME, SERVICE } from "../instructions/instruction.ts";

/** What of a request decides who can take part in it. `direction` is its delta's sign; 0 has none (docs/model/allocation.md#zero-delta). */
export interface DispatchRequest {
  readonly direction: number;
  readonly sku: Sku | null;
  readonly hasDelta: boolean;
  /** `null`: no frequency response. */
  readonly fcrCapacityTenths: number | null;
}

/** Why a member is left out for the whole of an instruction, or `null`: the first test that hits (docs/model/allocation.md#exclusion). */
export function ineligibilityOutcome(
  site: Site,
  weight: number,
  baselineKw: number,
  request: DispatchRequest,
): number | null {
  return exclusionOutcome(weight, baselineKw, isCompatible(site, baselineKw, request));
}

/** The same where it is known whether the member is compatible. */
export function exclusionOutcome(weight: number, baselineKw: number, isCompatible: boolean): number | null {
  if (weight === 0) return DISPATCH_OUTCOME.weightZero;
  if (Number.isNaN(baselineKw)) return DISPATCH_OUTCOME.baselineMissing;
  return isCompatible ? null : DISPATCH_OUTCOME.incompatible;
}

/**
 * 1 for each site that is compatible with a request for a delta alone, whatever its baseline; of dispatchable plants it says
 * nothing.
 */
export const flagCompatibleSites = (sites: readonly Site[], request: DispatchRequest): Uint8Array =>
  Uint8Array.from(sites, (site) => (isCompatible(site, 0, request) ? 1 : 0));

/** Dispatch status of a member before anything is sent: `DISPATCH.dispatched` for a sharer. */
export function eligibilityOutcome(site: Site, weight: number, baselineKw: number, request: DispatchRequest): number {
  if (!site.isInService) return DISPATCH_OUTCOME.outOfService;
  return ineligibilityOutcome(site, weight, baselineKw, request) ?? DISPATCH_OUTCOME.dispatched;
}

function isCompatible(site: Site, baselineKw: number, request: DispatchRequest): boolean {
  if (request.fcrCapacityTenths === null) return takesDelta(site, baselineKw, request);
  return servicesOf(site, baselineKw, request) !== 0;
}

/** The parts of an instruction that a member can take part in, each for itself, as bits of `PART` (docs/model/allocation.md#compound). */
export function servicesOf(site: Site, baselineKw: number, request: DispatchRequest): number {
  const delta = request.hasDelta && takesDelta(site, baselineKw, request) ? SERVICE.delta : 0;
  const takesFcr = request.fcrCapacityTenths !== null && isFcrCapable(site) && !isOutsideMarkets(site, request);
  return takesFcr ? delta | SERVICE.fcr : delta;
}

/**
 * Whether a site may hold frequency response: site and component say so, and sun and wind cannot; of several
 * components batteries and plants do it (docs/model/capability.md#capability-flags).
 */
export const isFcrCapable = ({ resource, spec }: Site): boolean => spec.capability.fcrCapable && resource.canRespond;

/** A plant under a feed-in tariff takes no market product (docs/model/allocation.md#compatibility). */
const isOutsideMarkets = ({ resource }: Site, { sku }: DispatchRequest): boolean => resource.isOutsideMarkets(sku);

const takesDelta = (site: Site, baselineKw: number, request: DispatchRequest): boolean =>
  site.resource.takesDelta(site, baselineKw, request);
