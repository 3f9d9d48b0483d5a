import { type ComponentSpec, kindOf } from "../components/registry.ts";

/**
 * P of the droop formula: the larger of what the components that respond to the frequency can take in and can give, in kW.
 * Loads beside others do not respond.
 *
 * A battery has both ratings, a plant its output and its pump, a consumer its contract (docs/model/frequency-response.md#rated-power).
 */
export function ratedPowerKw(components: readonly ComponentSpec[]): number {
  let importKw = 0;
  let exportKw = 0;
  for (const component of components) {
    const { operation } = kindOf(component);
    if (!component.fcrCapable || (components.length > 1 && !operation.respondsAsPart)) continue;
    importKw += operation.ratedImportKw(component);
    exportKw += operation.ratedExportKw(component);
  }
  return Math.max(importKw, exportKw);
}
