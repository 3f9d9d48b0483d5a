import { sumOf } from "../../../base/lists.ts";
import { type ComponentSpec, kindOf } from "./registry.ts";

/** The larger of what components can take in and can give together, in kW. */
export function ratedKwOf(components: readonly ComponentSpec[]): number {
  const importKw = sumOf(components, (component) => kindOf(component).operation.ratedImportKw(component));
  const exportKw = sumOf(components, (component) => kindOf(component).operation.ratedExportKw(component));
  return Math.max(importKw, exportKw);
}
