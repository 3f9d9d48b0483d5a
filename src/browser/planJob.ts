import { buildScenario } from "../inputs/scenario/loadScenario.ts";
import { readPatch } from "../inputs/scenario/patch/applyPatch.ts";
import { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { findPlan, writePlan } from "../market/plan/findPlan.ts";
import { planOptions } from "../market/plan/planFlags.ts";
import { planPlace } from "../market/plan/planPlace.ts";
import { disk, platform } from "../platform/browser/platform.ts";
import type { JobHost } from "./jobs.ts";
import { openProject } from "./openProject.ts";
import type { PlanJobOptions, Project, Report } from "./project.ts";

/** The files of the folder that `vppsim plan` writes. @throws InputErrors */
export async function plan(project: Project, options: PlanJobOptions, { onProgress }: JobHost): Promise<Report> {
  const source = new ScenarioSource(openProject(project), platform.files);
  const { out, language, patch: patches = [], ...flags } = options;
  const loaded = buildScenario(source, { patch: patches.map((path) => readPatch(path, source.files)) });
  const scenario = language === undefined ? loaded : { ...loaded, language };
  const chosen = planOptions(flags, scenario.world);
  const found = await findPlan(scenario, chosen, onProgress);
  const place = planPlace(scenario, chosen, platform.files, { out, patches });
  return { files: Object.fromEntries(disk.takeFilesIn(writePlan(found, place, null))) };
}
