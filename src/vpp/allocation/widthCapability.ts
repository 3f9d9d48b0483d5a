import type { EpochMs } from "../../base/time.ts";
import { energyTestedKw } from "../../device/battery/batteryCapability.ts";
import { holdersWidthKw, widthRoomKw } from "../../site/composite/compositeWidth.ts";
import type { Site } from "../../site/site.ts";
import { CUT_BY } from "../instructions/instruction.ts";
import { exportAvailableKw } from "./capability.ts";
import { isEmptied } from "./compositeCapability.ts";

/** What a member is asked to hold a width around, and what of its room is taken already. */
export interface WidthQuestion {
  readonly baselineKw: number;
  readonly atMs: EpochMs;
  /** kW that other awards hold of the room up and of the room down, at least 0 (decisions.md 121). */
  readonly heldUpKw: number;
  readonly heldDownKw: number;
  /** How long a battery must be able to give all of the width to one side; 0: no such test. */
  readonly testMinutes: number;
}

/**
 * kW by which a member can go up and down alike around its baseline, at least 0: what it can hold of frequency response.
 *
 * The site must have been advanced to the instant. @see decisions.md 3, 90, 123
 */
export function widthCapabilityKw(site: Site, question: WidthQuestion): number {
  const { unit: holder } = site;
  if (holder.kind === "multi_component") holder.outputLimit = site.outputLimit;
  const upKw = roomUpKw(site, question) - question.heldUpKw;
  const downKw = roomDownKw(site, question) - question.heldDownKw;
  return Math.max(0, Math.min(upKw, downKw, energyTestKw(site, question)));
}

function roomUpKw({ unit, spec }: Site, { baselineKw, atMs }: WidthQuestion): number {
  switch (unit.kind) {
    case "battery":
      return hasRoom(unit) ? unit.importAvailableKw() - baselineKw : 0;
    case "dispatchable":
      return -baselineKw - unit.spec.minOutputKw;
    case "consumer":
      return Math.min(unit.spec.contractKw, spec.constraints.siteImportMaxKw) - baselineKw;
    case "multi_component":
      return widthRoomKw(unit, baselineKw, true, atMs);
    case "generator":
      return 0;
  }
}

function roomDownKw(site: Site, { baselineKw, atMs }: WidthQuestion): number {
  const { unit } = site;
  switch (unit.kind) {
    case "battery":
      return hasRoom(unit) ? exportAvailableKw(site, atMs) + baselineKw : 0;
    case "dispatchable":
      return exportAvailableKw(site, atMs) + baselineKw;
    case "consumer":
      return Math.min(unit.spec.maxDrReductionKw, baselineKw);
    case "multi_component":
      return widthRoomKw(unit, baselineKw, false, atMs);
    case "generator":
      return 0;
  }
}

/** A full battery cannot respond to one side, an empty one to the other: neither holds any width (decisions.md 90). */
const hasRoom = (unit: { isAtBound(up: boolean): boolean }): boolean => !unit.isAtBound(true) && !unit.isAtBound(false);

function energyTestKw({ unit }: Site, { testMinutes, atMs }: WidthQuestion): number {
  if (unit.kind === "multi_component")
    return unit.isTracking && testMinutes === 0 ? Number.POSITIVE_INFINITY : holdersWidthKw(unit, testMinutes, atMs);
  if (unit.kind !== "battery" || testMinutes === 0) return Number.POSITIVE_INFINITY;
  return energyTestedKw(unit.spec, unit.storedKwh, testMinutes / 60);
}

/** What keeps a member from holding more than its width capability (accounting.md §1, the layer at dispatch). */
export function widthCutBy(site: Site, question: WidthQuestion): number {
  const { unit, advancedMs, outputLimit } = site;
  const upKw = roomUpKw(site, question) - question.heldUpKw;
  const downKw = roomDownKw(site, question) - question.heldDownKw;
  if (unit.kind === "battery") {
    const testKw = energyTestKw(site, question);
    if (!hasRoom(unit) || testKw < Math.min(upKw, downKw)) return CUT_BY.energy;
  }
  if (unit.kind === "dispatchable" && unit.isAtBound(false)) return CUT_BY.energy;
  if (unit.kind === "multi_component") {
    if (isEmptied(unit, true) || isEmptied(unit, false)) return CUT_BY.energy;
    const { testMinutes, atMs } = question;
    const testedKw = holdersWidthKw(unit, testMinutes, atMs);
    if (testedKw < Math.min(upKw, downKw, holdersWidthKw(unit, 0, atMs))) return CUT_BY.energy;
  }
  if ((upKw < downKw ? question.heldUpKw : question.heldDownKw) > 0) return CUT_BY.otherAward;
  if (unit.kind !== "battery" && unit.kind !== "dispatchable") return CUT_BY.power;
  if (upKw < downKw) return CUT_BY.power;
  return unit.isOutputControlled(advancedMs, outputLimit) ? CUT_BY.outputControl : CUT_BY.power;
}
