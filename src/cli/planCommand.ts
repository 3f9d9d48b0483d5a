import { join, resolve } from "node:path";
import { inputRefusal } from "../base/inputError.ts";
import { buildScenario } from "../inputs/scenario/loadScenario.ts";
import { readPatch } from "../inputs/scenario/patch/applyPatch.ts";
import { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { withoutPlans } from "../market/plan/awardUse.ts";
import { cashDifference } from "../market/plan/cashDifference.ts";
import { findPlan, writePlan } from "../market/plan/findPlan.ts";
import { type FoundPlan, planResultJson } from "../market/plan/planFiles.ts";
import { type PlanFlags, planOptions } from "../market/plan/planFlags.ts";
import { plannedCharges } from "../market/plan/planOptions.ts";
import { type PlanPlace, planPlace } from "../market/plan/planPlace.ts";
import { differenceText, planText } from "../market/plan/planText.ts";
import { planTotals } from "../market/plan/planTotals.ts";
import { diskFiles } from "../platform/node/diskFiles.ts";
import { createPageLocale } from "../report/html/page/pageLocale.ts";
import { runScenario } from "../report/runScenario.ts";
import { colourOutput } from "./colourText.ts";
import { type InvestmentOptions, investmentFlags } from "./investmentFlags.ts";
import { languageOf } from "./languageFlag.ts";
import { NO_PROGRESS, openProgress } from "./openProgress.ts";
import { runCommand } from "./runCommand.ts";

interface PlanCommandFlags extends PlanFlags, InvestmentOptions {
  readonly patch?: readonly string[];
  readonly out?: string;
  readonly run?: boolean;
  readonly open?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly lang?: string;
}

/** `vppsim plan`: plans batteries against a price and writes the scenario that runs by the plan. */
export async function planCommand(file: string, flags: PlanCommandFlags): Promise<void> {
  const lang = languageOf(flags.lang);
  const { patch: patches = [] } = flags;
  const source = new ScenarioSource(file, diskFiles, investmentFlags(flags));
  const loaded = buildScenario(source, { patch: patches.map((path) => readPatch(path, source.files)) });
  const scenario = lang === undefined ? loaded : { ...loaded, language: lang };
  if (flags.run === true && flags.json === true) throw inputRefusal("--run", "--run with --json", "one of them");
  const options = planOptions(flags, scenario.world);
  const progress = flags.quiet === true || flags.json === true ? NO_PROGRESS : await openProgress(scenario.name);
  let found: FoundPlan;
  try {
    found = await findPlan(scenario, options, (done) => progress.setFraction(done));
  } finally {
    progress.close();
  }
  const place = planPlace(scenario, options, diskFiles, { out: flags.out, patches });
  const locale = createPageLocale(scenario.language, scenario.timezone, scenario.world);
  const folder = writePlan(found, place, null);
  process.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ folder: resolve(folder), ...planResultJson(found) })}\n`
      : colourOutput(planText(found, flags.run === true ? null : nextCommand(place), locale)),
  );
  if (flags.run !== true) return;
  const run = await runCommand(join(place.folder, "scenario.yaml"), {
    ...flags,
    out: undefined,
    json: undefined,
    lang: scenario.language,
    ...(patches.length === 0 ? {} : { patch: patches }),
  });
  const { plans } = found;
  const isPlanned = (name: string): boolean => plans.some(({ site }) => site === name);
  const charged = { ...scenario.world, charges: plannedCharges(scenario.world, options) };
  const without = await runScenario({ ...scenario, world: withoutPlans(charged, isPlanned) });
  const totals = planTotals(plans);
  const difference = cashDifference(totals, run.record.kpis, without.record.kpis);
  writePlan(found, place, difference);
  process.stdout.write(colourOutput(differenceText(totals, difference, locale)));
}

/** The planned scenario is the file with the plan; its patches apply again. */
const nextCommand = ({ folder, patches }: PlanPlace): string =>
  [`vppsim run ${join(folder, "scenario.yaml")}`, ...patches.map((path) => `--patch ${path}`)].join(" ");
