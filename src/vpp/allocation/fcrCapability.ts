import type { EpochMs } from "../../base/time.ts";
import { sustainableKw } from "../../device/battery/batteryCapability.ts";
import { oneSidedFcrCapacityKw, providersFcrCapacityKw } from "../../site/composite/compositeFcrCapacity.ts";
import type { Site } from "../../site/site.ts";
import { CAPABILITY_LIMIT } from "../instructions/instruction.ts";
import { exportAvailableKw } from "./capability.ts";
import { isStorageLimited } from "./compositeCapability.ts";

/** What a member is asked to hold a width around, and what of its room is taken already. */
export interface FcrCapabilityQuery {
  readonly baselineKw: number;
  readonly atMs: EpochMs;
  /** kW that other awards hold of the room up and of the room down, at least 0 (docs/model/capability.md#held-by-others). */
  readonly reservedUpKw: number;
  readonly reservedDownKw: number;
  /** How long a battery must be able to give all of the width to one side; 0: no such test. */
  readonly energyTestMinutes: number;
}

/**
 * kW by which a member can go up and down alike around its baseline, at least 0: what it can hold of frequency response.
 *
 * The site must have been advanced to the instant. @see docs/model/capability.md#fcr-capacity, docs/model/capability.md#fcr-energy-test
 */
export function fcrCapabilityKw(site: Site, question: FcrCapabilityQuery): number {
  const { resource: holder } = site;
  if (holder.kind === "multi_component") holder.outputLimit = site.outputLimit;
  const upKw = headroomUpKw(site, question) - question.reservedUpKw;
  const downKw = headroomDownKw(site, question) - question.reservedDownKw;
  return Math.max(0, Math.min(upKw, downKw, energyTestKw(site, question)));
}

function headroomUpKw({ resource: unit, spec }: Site, { baselineKw, atMs }: FcrCapabilityQuery): number {
  switch (unit.kind) {
    case "battery":
      return hasHeadroomBothWays(unit) ? unit.importAvailableKw() - baselineKw : 0;
    case "dispatchable":
      return -baselineKw - unit.spec.minOutputKw;
    case "consumer":
      return Math.min(unit.spec.contractKw, spec.constraints.siteImportMaxKw) - baselineKw;
    case "multi_component":
      return oneSidedFcrCapacityKw(unit, baselineKw, true, atMs);
    case "generator":
      return 0;
  }
}

function headroomDownKw(site: Site, { baselineKw, atMs }: FcrCapabilityQuery): number {
  const { resource: unit } = site;
  switch (unit.kind) {
    case "battery":
      return hasHeadroomBothWays(unit) ? exportAvailableKw(site, atMs) + baselineKw : 0;
    case "dispatchable":
      return exportAvailableKw(site, atMs) + baselineKw;
    case "consumer":
      return Math.min(unit.spec.maxDrReductionKw, baselineKw);
    case "multi_component":
      return oneSidedFcrCapacityKw(unit, baselineKw, false, atMs);
    case "generator":
      return 0;
  }
}

/** A full battery cannot respond to one side, an empty one to the other: neither holds any width (docs/model/capability.md#fcr-capacity). */
const hasHeadroomBothWays = (unit: { isAtBound(up: boolean): boolean }): boolean =>
  !unit.isAtBound(true) && !unit.isAtBound(false);

function energyTestKw({ resource: unit }: Site, { energyTestMinutes: testMinutes, atMs }: FcrCapabilityQuery): number {
  if (unit.kind === "multi_component")
    return unit.isTracking && testMinutes === 0
      ? Number.POSITIVE_INFINITY
      : providersFcrCapacityKw(unit, testMinutes, atMs);
  if (unit.kind !== "battery" || testMinutes === 0) return Number.POSITIVE_INFINITY;
  return sustainableKw(unit.spec, unit.storedKwh, testMinutes / 60);
}

/** What keeps a member from holding more than its width capability (docs/model/accounting.md#attribution, the layer at dispatch). */
export function fcrCapabilityLimit(site: Site, question: FcrCapabilityQuery): number {
  const { resource: unit, advancedToMs: advancedMs, outputLimit } = site;
  const upKw = headroomUpKw(site, question) - question.reservedUpKw;
  const downKw = headroomDownKw(site, question) - question.reservedDownKw;
  if (unit.kind === "battery") {
    const testKw = energyTestKw(site, question);
    if (!hasHeadroomBothWays(unit) || testKw < Math.min(upKw, downKw)) return CAPABILITY_LIMIT.energy;
  }
  if (unit.kind === "dispatchable" && unit.isAtBound(false)) return CAPABILITY_LIMIT.energy;
  if (unit.kind === "multi_component") {
    if (isStorageLimited(unit, true) || isStorageLimited(unit, false)) return CAPABILITY_LIMIT.energy;
    const { energyTestMinutes: testMinutes, atMs } = question;
    const testedKw = providersFcrCapacityKw(unit, testMinutes, atMs);
    if (testedKw < Math.min(upKw, downKw, providersFcrCapacityKw(unit, 0, atMs))) return CAPABILITY_LIMIT.energy;
  }
  if ((upKw < downKw ? question.reservedUpKw : question.reservedDownKw) > 0) return CAPABILITY_LIMIT.otherAward;
  if (unit.kind !== "battery" && unit.kind !== "dispatchable") return CAPABILITY_LIMIT.power;
  if (upKw < downKw) return CAPABILITY_LIMIT.power;
  return unit.isOutputControlled(advancedMs, outputLimit) ? CAPABILITY_LIMIT.outputControl : CAPABILITY_LIMIT.power;
}
