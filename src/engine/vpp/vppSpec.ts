import { type ComponentSpec, kindOf } from "../site/components/registry.ts";

export const RESOURCE_TYPES = ["battery", "generator", "consumer", "multi_component"] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

export const MEMBERS_MAX = 100;

export interface VppSpec {
  readonly name: string;
  /** 32 lowercase hex digits. */
  readonly vppId: string;
  readonly members: readonly MemberSpec[];
  readonly options: VppOptions;
}

export interface MemberSpec {
  /** Index into the world's sites. */
  readonly site: number;
  readonly label: string;
  readonly resourceType: ResourceType;
  /** 0..999999.9; a member with weight 0 gets no share. */
  readonly allocationWeight: number;
}

/**
 * What-if switches; the defaults are the documented behaviour.
 *
 * @see docs/model/capability.md#immediate-range, docs/model/allocation.md#delta-excess, docs/model/overlap.md#immediate,
 *   docs/model/allocation.md#set-point, docs/model/capability.md#fcr-energy-test, docs/model/allocation.md#energy-aware
 */
export interface VppOptions {
  readonly deltaExcess: "uncovered" | "redistribute";
  readonly strictAvailabilityCheck: boolean;
  readonly immediateOverridesSchedule: boolean;
  readonly fcrEnergyTestMinutes: number;
  readonly pvSetpoint: "hold" | "follow";
  /** Shares are cut to what the stores can hold for the rest of the award, and the rest goes to others; absent: no. */
  readonly isEnergyAware?: boolean;
}

/** What a VPP may register a site as: one component's own type, or multi_component (docs/model/members.md#resource-type). */
export function resourceTypeOf(components: readonly ComponentSpec[]): ResourceType {
  if (components.length > 1) return "multi_component";
  return kindOf(components[0]).wire.componentType(components[0]);
}
