import { roundKw } from "../../../base/rounding.ts";
import type { World } from "../../../engine/simulation/world.ts";
import { memberBreakdowns } from "../../../engine/vpp/allocation/memberBreakdowns.ts";
import {
  DISPATCH_OUTCOME,
  DISPATCH_STATUS,
  type DispatchTable,
  type Instruction,
  type Membership,
  SERVICE,
} from "../../../engine/vpp/instructions/instruction.ts";
import type { VppScheduleMember } from "../schemas/vppSchemas.ts";

/** The amounts of an instruction in the API: as requested, rounded. */
export function instructionAmounts(instruction: Instruction) {
  const { deltaTenths, fcrCapacityTenths, compoundBreakdown, hasDelta } = instruction;
  return {
    delta_kw: hasDelta ? deltaTenths / 10 : null,
    fcr_response_kw: fcrCapacityTenths === null ? null : fcrCapacityTenths / 10,
    compound_breakdown: compoundBreakdown === null ? null : roundedBreakdown(compoundBreakdown),
    uncovered_kw: uncoveredKw(instruction),
    sku: instruction.sku,
  };
}

const roundedBreakdown = (breakdown: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(breakdown).map(([key, kw]) => [key, roundKw(kw)]));

/**
 * Uncovered power: planned until the start, then that of the execution; of a void instruction the whole request
 * (docs/model/apis.md#schedule-list, docs/model/overlap.md#immediate).
 */
export function uncoveredKw(instruction: Instruction): number {
  const { plan, table, hasDelta } = instruction;
  if (table !== null)
    return (hasDelta ? instruction.uncoveredAtStartTenths : instruction.fcrUncoveredAtStartTenths) / 10 || 0;
  if (plan !== null) return (hasDelta ? plan.uncoveredTenths : plan.fcrUncoveredTenths) / 10 || 0;
  return (hasDelta ? instruction.deltaTenths : (instruction.fcrCapacityTenths ?? 0)) / 10 || 0;
}

/** The members of an instruction: planned until its start, then as dispatched (docs/model/apis.md#schedule-list). */
export function instructionMembers(world: World, instruction: Instruction): VppScheduleMember[] {
  const { plan, table, membership } = instruction;
  if (table !== null)
    return memberEntries(world, instruction, membership, table, DISPATCH_STATUS[DISPATCH_OUTCOME.dispatched]);
  if (plan !== null) return memberEntries(world, instruction, plan.membership, plan.table, "pending");
  return unplannedMembers(world, instruction);
}

function memberEntries(
  world: World,
  instruction: Instruction,
  { siteIndices: sites, weights, labels }: Membership,
  table: DispatchTable,
  participantStatus: VppScheduleMember["dispatch_status"],
): VppScheduleMember[] {
  const breakdowns = memberBreakdowns(instruction, table.deltaTenths);
  return Array.from(sites, (index, i) => {
    const status = table.status[i];
    const takesPart = status === DISPATCH_OUTCOME.dispatched;
    const services = table.fcrCapacities?.services[i] ?? SERVICE.delta;
    const takesDelta = takesPart && instruction.hasDelta && (services & SERVICE.delta) !== 0;
    const takesFcr = takesPart && table.fcrCapacities !== null && (services & SERVICE.fcr) !== 0;
    return {
      ems_id: world.sites[index].spec.emsId,
      label: labels[i],
      allocation_weight: weights[i],
      fcr_response_kw: takesFcr ? (table.fcrCapacities?.capacityTenths[i] ?? 0) / 10 : null,
      baseline_kw: Number.isNaN(table.baselineKw[i]) ? null : table.baselineKw[i],
      delta_kw: takesDelta ? table.deltaTenths[i] / 10 : null,
      compound_breakdown: takesPart ? (breakdowns?.[i] ?? null) : null,
      dispatch_status: takesPart ? participantStatus : DISPATCH_STATUS[status],
      skip_reason: skipReason(table, i),
    };
  });
}

function skipReason({ status, refusals }: DispatchTable, i: number): string | null {
  if (status[i] === DISPATCH_OUTCOME.failed) return "delivery_failed";
  return status[i] === DISPATCH_OUTCOME.refused ? refusals[i] : null;
}

/** Members of a void immediate instruction, or of a schedule that has no plan. */
function unplannedMembers(world: World, instruction: Instruction): VppScheduleMember[] {
  const { siteIndices: sites, weights, labels } = world.vpps[instruction.vpp].membership;
  return Array.from(sites, (index, i) => {
    const baselineKw = instruction.baselinesKw[index];
    return {
      ems_id: world.sites[index].spec.emsId,
      label: labels[i],
      allocation_weight: weights[i],
      fcr_response_kw: null,
      baseline_kw: Number.isNaN(baselineKw) ? null : baselineKw,
      delta_kw: null,
      compound_breakdown: null,
      dispatch_status: instruction.kind === "immediate" ? DISPATCH_STATUS[DISPATCH_OUTCOME.incompatible] : "pending",
      skip_reason: null,
    };
  });
}
