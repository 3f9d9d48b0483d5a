import { NUMERIC_KPI_NAMES } from "../../src/accounting/kpis/kpiRegistry.ts";
import type { Patch } from "../../src/inputs/scenario/patch/patchValue.ts";
import type { ScenarioSource } from "../../src/inputs/scenario/scenarioSource.ts";
import { Evaluator } from "../../src/study/workers/evaluator.ts";

/** The effect on the shortfall of halving the weight of each of some members of a VPP, in kWh. */
export async function halvingEffects(source: ScenarioSource, vpp: string, sites: readonly string[]): Promise<number[]> {
  const evaluator = await Evaluator.open(source, null);
  const shortfallKwh = (patch: Patch): number =>
    evaluator.run(patch, 1).kpis?.[NUMERIC_KPI_NAMES.indexOf("shortfall_kwh")] ?? Number.NaN;
  const asItIsKwh = shortfallKwh({});
  return sites.map((site) => shortfallKwh({ [`weights.${vpp}.${site}`]: "*0.5" }) - asItIsKwh);
}
