import type { Site } from "../../engine/site/site.ts";
import { servicesOf } from "../../engine/vpp/allocation/eligibility.ts";
import { DISPATCH_OUTCOME, type Instruction } from "../../engine/vpp/instructions/instruction.ts";
import { CAUSE_INDEX } from "./causes.ts";

/** How a request would be split by weight over all members that can serve it (docs/model/accounting.md#reference-split). */
export interface ReferenceSplit {
  /** Fraction of the request of each member; 0 of a member without a weight or that cannot serve it. */
  readonly fractions: Float64Array;
  /** Cause of the whole allocation gap if no member can serve the request, else -1. */
  readonly soleCause: number;
}

/** @param service one of `SERVICE`: the delta or the FCR capacity */
export function referenceSplit(instruction: Instruction, sites: readonly Site[], service: number): ReferenceSplit {
  const { siteIndices, weights, weightSum } = instruction.membership;
  const fractions = new Float64Array(weights.length);
  let compatibleWeight = 0;
  for (let i = 0; i < weights.length; i++) {
    const site = sites[siteIndices[i]];
    const baselineKw = instruction.baselinesKw[siteIndices[i]] || 0;
    if (weights[i] === 0 || (servicesOf(site, baselineKw, instruction) & service) === 0) continue;
    fractions[i] = weights[i];
    compatibleWeight += weights[i];
  }
  if (compatibleWeight === 0)
    return { fractions, soleCause: weightSum === 0 ? CAUSE_INDEX.no_member : CAUSE_INDEX.incompatible };
  for (let i = 0; i < fractions.length; i++) fractions[i] /= compatibleWeight;
  return { fractions, soleCause: -1 };
}

/**
 * Splits an allocation gap over the members in proportion to what each has less than its reference share.
 *
 * @param allocatedTenths signed tenths of kW in force, one per member
 * @param gapKw output: one per member; it sums to the gap
 */
export function splitAllocationGap(
  { fractions }: ReferenceSplit,
  { requestedKw, uncoveredKw }: { readonly requestedKw: number; readonly uncoveredKw: number },
  allocatedTenths: Int32Array,
  gapKw: Float64Array,
): void {
  let sumKw = 0;
  for (let i = 0; i < fractions.length; i++) {
    gapKw[i] = Math.max(0, requestedKw * fractions[i] - Math.abs(allocatedTenths[i]) / 10);
    sumKw += gapKw[i];
  }
  const share = sumKw > 0 ? uncoveredKw / sumKw : 0;
  for (let i = 0; i < fractions.length; i++) gapKw[i] *= share;
}

/**
 * What kept a member from its share at the last dispatch, apart from direct control and its capability; -1: none of
 * these (docs/model/accounting.md#allocation-causes).
 *
 * @param outcome what became of its last set-point
 */
export function dispatchCauseOf(status: number, outcome: number): number {
  if (status === DISPATCH_OUTCOME.outOfService) return CAUSE_INDEX.out_of_service;
  if (status === DISPATCH_OUTCOME.baselineMissing) return CAUSE_INDEX.baseline_missing;
  if (outcome === DISPATCH_OUTCOME.refused) return CAUSE_INDEX.refused;
  return outcome === DISPATCH_OUTCOME.failed ? CAUSE_INDEX.delivery_failed : -1;
}
