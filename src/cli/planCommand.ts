import { join, resolve } from "node:path";
import { inputRefusal } from "../base/inputError.ts";
import { SKUS } from "../base/sku.ts";
import { buildScenario } from "../inputs/scenario/loadScenario.ts";
import { readPatch } from "../inputs/scenario/patch/applyPatch.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";
import { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { withoutPlans } from "../market/plan/awardUse.ts";
import { type CashDifference, cashDifference } from "../market/plan/cashDifference.ts";
import { planFiles, planResultJson } from "../market/plan/planFiles.ts";
import { FORECASTS, type PlanOptions, plannedCharges } from "../market/plan/planOptions.ts";
import { PLAN_PAGE, renderPlanHtml } from "../market/plan/planPage.ts";
import { type PlanPlace, planPlace } from "../market/plan/planPlace.ts";
import { planScenario, type SitePlan } from "../market/plan/planScenario.ts";
import { differenceText, planText } from "../market/plan/planText.ts";
import { planTotals } from "../market/plan/planTotals.ts";
import { diskFiles } from "../platform/node/diskFiles.ts";
import { createPageLocale } from "../report/html/page/pageLocale.ts";
import { inputDigests } from "../report/runJson.ts";
import { runScenario } from "../report/runScenario.ts";
import { writeFolder } from "../report/writeFolder.ts";
import { colourOutput } from "./colourText.ts";
import { type InvestmentOptions, investmentFlags } from "./investmentFlags.ts";
import { languageOf } from "./languageFlag.ts";
import { NO_PROGRESS, openProgress } from "./openProgress.ts";
import { runCommand } from "./runCommand.ts";

interface PlanFlags extends InvestmentOptions {
  readonly patch?: readonly string[];
  readonly site?: readonly string[];
  readonly forecast: string;
  readonly cyclesPerDay?: number;
  readonly fee?: number;
  readonly wear?: number;
  readonly reserve?: string;
  readonly reservePrice?: number;
  readonly reserveHours: number;
  readonly out?: string;
  readonly run?: boolean;
  readonly open?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly lang?: string;
}

/** `vppsim plan`: plans batteries against a price and writes the scenario that runs by the plan. */
export async function planCommand(file: string, flags: PlanFlags): Promise<void> {
  const lang = languageOf(flags.lang);
  const { patch: patches = [] } = flags;
  const source = new ScenarioSource(file, diskFiles, investmentFlags(flags));
  const loaded = buildScenario(source, { patch: patches.map((path) => readPatch(path, source.files)) });
  const scenario = lang === undefined ? loaded : { ...loaded, language: lang };
  const options = optionsOf(flags, scenario.world);
  const progress = flags.quiet === true || flags.json === true ? NO_PROGRESS : await openProgress(scenario.name);
  let plans: readonly SitePlan[];
  let energyAlone: readonly SitePlan[] | null = null;
  try {
    const share = options.reserve === null ? 1 : 0.5;
    plans = await planScenario(scenario, options, (done) => progress.setFraction(share * done));
    if (options.reserve !== null)
      energyAlone = await planScenario(scenario, { ...options, reserve: null }, (done) =>
        progress.setFraction(0.5 + share * done),
      );
  } finally {
    progress.close();
  }
  const place = planPlace(scenario, options, diskFiles, { out: flags.out, patches });
  const locale = createPageLocale(scenario.language, scenario.timezone, scenario.world);
  const found = { scenario, options, plans, energyAlone };
  const files = planFiles(scenario, plans, options, place);
  const write = (difference: CashDifference | null): string =>
    writeFolder(
      place.folder,
      new Map([...files, [PLAN_PAGE, renderPlanHtml({ ...found, place, difference }, locale)]]),
      scenario.inputFiles.keys(),
      { inputs: inputDigests(scenario) },
    );
  const folder = write(null);
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
  const isPlanned = (name: string): boolean => plans.some(({ site }) => site === name);
  const charged = { ...scenario.world, charges: plannedCharges(scenario.world, options) };
  const without = await runScenario({ ...scenario, world: withoutPlans(charged, isPlanned) });
  const totals = planTotals(plans);
  const difference = cashDifference(totals, run.record.kpis, without.record.kpis);
  write(difference);
  process.stdout.write(colourOutput(differenceText(totals, difference, locale)));
}

/** The planned scenario is the file with the plan; its patches apply again. */
const nextCommand = ({ folder, patches }: PlanPlace): string =>
  [`vppsim run ${join(folder, "scenario.yaml")}`, ...patches.map((path) => `--patch ${path}`)].join(" ");

function optionsOf(flags: PlanFlags, { charges }: Scenario["world"]): PlanOptions {
  const forecast = FORECASTS.find((name) => name === flags.forecast);
  if (forecast === undefined) throw inputRefusal("--forecast", JSON.stringify(flags.forecast), FORECASTS.join(", "));
  if (flags.run === true && flags.json === true) throw inputRefusal("--run", "--run with --json", "one of them");
  const sku = SKUS.find((name) => name === flags.reserve);
  if (flags.reserve !== undefined && sku === undefined)
    throw inputRefusal("--reserve", JSON.stringify(flags.reserve), SKUS.join(", "));
  if (sku === undefined && flags.reservePrice !== undefined)
    throw inputRefusal("--reserve-price", "no --reserve", "the product that the price is of (--reserve)");
  return {
    sites: flags.site ?? [],
    forecast,
    cyclesPerDay: flags.cyclesPerDay ?? null,
    feePerKwh: flags.fee ?? charges?.feePerKwh ?? 0,
    wearPerKwh: flags.wear ?? charges?.wearPerKwh ?? 0,
    reserve:
      sku === undefined ? null : { sku, pricePerKw: flags.reservePrice ?? null, sustainedHours: flags.reserveHours },
  };
}
