import { type ComponentSpec, kindOf } from "../site/components/registry.ts";
import type { ResourceType } from "./vppSpec.ts";

/** What a VPP may register a site as: one component's own type, or multi_component (docs/model/members.md#resource-type). */
export function resourceTypeOf(components: readonly ComponentSpec[]): ResourceType {
  if (components.length > 1) return "multi_component";
  return kindOf(components[0]).wire.componentType(components[0]);
}
