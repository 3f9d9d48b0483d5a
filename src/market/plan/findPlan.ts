import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { createPageLocale } from "../../report/html/page/pageLocale.ts";
import { inputDigests } from "../../report/runJson.ts";
import { writeFolder } from "../../report/writeFolder.ts";
import type { CashDifference } from "./cashDifference.ts";
import { type FoundPlan, planFiles } from "./planFiles.ts";
import type { PlanOptions } from "./planOptions.ts";
import { PLAN_PAGE, renderPlanHtml } from "./planPage.ts";
import type { PlanPlace } from "./planPlace.ts";
import { planScenario } from "./planScenario.ts";

/**
 * The plan of a scenario, beside reserve that without it too.
 *
 * @param onProgress  called with the planned fraction, 0..1
 * @throws InputErrors as `planScenario` does
 */
export async function findPlan(
  scenario: Scenario,
  options: PlanOptions,
  onProgress: (done: number) => void,
): Promise<FoundPlan> {
  const { reserve } = options;
  const share = reserve === null ? 1 : 0.5;
  const plans = await planScenario(scenario, options, (done) => onProgress(share * done));
  const energyAlone =
    reserve === null
      ? null
      : await planScenario(scenario, { ...options, reserve: null }, (done) => onProgress(0.5 + share * done));
  return { scenario, options, plans, energyAlone };
}

/**
 * Writes the folder of a plan.
 *
 * @param difference  of the run of the plan; `null` before it
 * @returns its absolute path
 * @throws InputErrors if the folder must not be replaced
 */
export function writePlan(found: FoundPlan, place: PlanPlace, difference: CashDifference | null): string {
  const { scenario, plans, options } = found;
  const locale = createPageLocale(scenario.language, scenario.timezone, scenario.world);
  const page = renderPlanHtml({ ...found, place, difference }, locale);
  const files = new Map([...planFiles(scenario, plans, options, place), [PLAN_PAGE, page]]);
  return writeFolder(place.folder, files, scenario.inputFiles.keys(), { inputs: inputDigests(scenario) });
}
