import type { Sku } from "../base/sku.ts";
import { headroomUpKw } from "../device/dispatchableCapability.ts";
import type { Site } from "../site/site.ts";
import { DISPATCH } from "./instruction.ts";

/** What of a request decides who can take part in it. `direction` is its sign; 0 has none (decisions.md 8). */
export interface Request {
  readonly direction: number;
  readonly sku: Sku | null;
}

/** Why a member is left out for the whole of an instruction, or `null`: the first test that hits (decisions.md 15). */
export function ineligibility(site: Site, weight: number, baselineKw: number, request: Request): number | null {
  if (weight === 0) return DISPATCH.weightZero;
  if (Number.isNaN(baselineKw)) return DISPATCH.baselineMissing;
  return isCompatible(site, baselineKw, request) ? null : DISPATCH.incompatible;
}

/** Dispatch status of a member before anything is sent: `DISPATCH.dispatched` for a sharer. */
export function eligibility(site: Site, weight: number, baselineKw: number, request: Request): number {
  if (!site.inService) return DISPATCH.outOfService;
  return ineligibility(site, weight, baselineKw, request) ?? DISPATCH.dispatched;
}

function isCompatible(site: Site, baselineKw: number, { direction, sku }: Request): boolean {
  const { unit } = site;
  if (unit.kind === "battery") return true;
  if (unit.kind !== "consumer" && sku !== null && unit.spec.subsidy === "fit") return false;
  if (unit.kind === "generator") return direction <= 0;
  // Ratings alone decide: a reservoir that is full now must not leave the plant out for good (decisions.md 6, 106).
  if (unit.kind === "dispatchable") return direction <= 0 || headroomUpKw(unit.spec, baselineKw) > 0;
  if (sku === "exchange-da" || sku === "exchange-ttv") return false;
  return direction === 0 || (direction < 0 && site.spec.capability.drCapable);
}
