import type { EpochMs } from "../base/time.ts";
import type { Site } from "../engine/site/site.ts";
import { componentsOf } from "../engine/site/siteResource.ts";
import type { DispatchTable, Instruction } from "../engine/vpp/instructions/instruction.ts";

/**
 * Power that the members of an award could supply against the plan at an instant, in kW, at least 0: their capabilities
 * at the last dispatch, without members that are out of service or whose store is at its bound
 * (docs/model/settlement.md#available-power).
 */
export function availablePowerKw(instruction: Instruction, sites: readonly Site[], atMs: EpochMs): number {
  const { siteIndices } = instruction.membership;
  const table = instruction.table as DispatchTable;
  const capabilityTenths = instruction.hasDelta ? table.capabilityTenths : table.fcrCapacities?.capabilityTenths;
  let tenths = 0;
  for (let i = 0; i < siteIndices.length; i++) {
    const site = sites[siteIndices[i]];
    if (!site.isInService || isAtBound(site, instruction.direction, atMs)) continue;
    tenths += capabilityTenths?.[i] ?? 0;
  }
  return tenths / 10;
}

/** kWh from a bound at which a store counts as empty or full. */
const BOUND_KWH = 1e-6;

/** Whether every store of a site that only stores is at the bound towards which the award moves it. */
function isAtBound({ resource }: Site, direction: number, atMs: EpochMs): boolean {
  if (direction === 0) return false;
  return componentsOf(resource).every((component) => {
    const { storage } = component;
    if (storage === null || component.role !== "storage") return false;
    const storedKwh = storage.trajectory.storedKwhAt(atMs);
    return direction < 0 ? storedKwh <= storage.emptyKwh + BOUND_KWH : storedKwh >= storage.fullKwh - BOUND_KWH;
  });
}
