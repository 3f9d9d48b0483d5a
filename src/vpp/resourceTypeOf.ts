import { type ComponentSpec, kindOf } from "../site/components/registry.ts";
import type { ResourceType } from "./vppSpec.ts";

/** The resource type of a site in a VPP: the type of its only component, or multi_component (docs/model/members.md#resource-type). */
export function resourceTypeOf(components: readonly ComponentSpec[]): ResourceType {
  if (components.length > 1) return "multi_component";
  return kindOf(components[0]).componentType;
}
