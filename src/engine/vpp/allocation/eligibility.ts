import type { Sku } from "../../../base/sku.ts";
import type { Site } from "../../site/site.ts";
import { DISPATCH_OUTCOME, SERVICE } from "../instructions/instruction.ts";

/** Properties of a request that determine which members can take part. `direction` is the sign of the delta; 0: none (docs/model/allocation.md#zero-delta). */
interface DispatchRequest {
  readonly direction: number;
  readonly sku: Sku | null;
  readonly hasDelta: boolean;
  /** `null`: no frequency response. */
  readonly fcrCapacityTenths: number | null;
}

/** Why a member is excluded for a whole instruction, by the first test that applies; `null` where it is eligible (docs/model/allocation.md#exclusion). */
export function ineligibilityOutcome(
  site: Site,
  weight: number,
  baselineKw: number,
  request: DispatchRequest,
): number | null {
  if (weight === 0) return DISPATCH_OUTCOME.weightZero;
  if (Number.isNaN(baselineKw)) return DISPATCH_OUTCOME.baselineMissing;
  return isCompatible(site, baselineKw, request) ? null : DISPATCH_OUTCOME.incompatible;
}

/** Dispatch outcome of a member before set-points are sent: `DISPATCH_OUTCOME.dispatched` for a participant. */
export function eligibilityOutcome(site: Site, weight: number, baselineKw: number, request: DispatchRequest): number {
  if (!site.isInService) return DISPATCH_OUTCOME.outOfService;
  return ineligibilityOutcome(site, weight, baselineKw, request) ?? DISPATCH_OUTCOME.dispatched;
}

function isCompatible(site: Site, baselineKw: number, request: DispatchRequest): boolean {
  if (request.fcrCapacityTenths === null) return takesDelta(site, baselineKw, request);
  return servicesOf(site, baselineKw, request) !== 0;
}

/** The services of an instruction in which a member can take part, as bits of `SERVICE` (docs/model/allocation.md#compound). */
export function servicesOf(site: Site, baselineKw: number, request: DispatchRequest): number {
  const delta = request.hasDelta && takesDelta(site, baselineKw, request) ? SERVICE.delta : 0;
  const takesFcr = request.fcrCapacityTenths !== null && isFcrCapable(site) && !isOutsideMarkets(site, request);
  return takesFcr ? delta | SERVICE.fcr : delta;
}

/**
 * Whether a site may provide frequency response: the site is FCR-capable and its resource can respond. Variable
 * generation cannot (docs/model/capability.md#capability-flags).
 */
export const isFcrCapable = ({ resource, spec }: Site): boolean => spec.capability.fcrCapable && resource.canRespond;

/** A plant under a feed-in tariff takes no market product (docs/model/allocation.md#compatibility). */
const isOutsideMarkets = ({ resource }: Site, { sku }: DispatchRequest): boolean => resource.isOutsideMarkets(sku);

const takesDelta = (site: Site, baselineKw: number, request: DispatchRequest): boolean =>
  site.resource.takesDelta(site, baselineKw, request);
