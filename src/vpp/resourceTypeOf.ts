import type { ComponentSpec } from "../site/components/registry.ts";
import type { ResourceType } from "./vppSpec.ts";

/** What a VPP may register a site as: one component's own type, or multi_component (docs/model/members.md#resource-type). */
export function resourceTypeOf(components: readonly ComponentSpec[]): ResourceType {
  if (components.length > 1) return "multi_component";
  const { kind } = components[0];
  return kind === "dispatchable" ? "generator" : kind;
}
