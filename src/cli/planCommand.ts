import { join, resolve } from "node:path";
import { SKUS } from "../base/sku.ts";
import { diskFiles } from "../inputs/scenario/disk/diskFiles.ts";
import { buildScenario } from "../inputs/scenario/loadScenario.ts";
import { formatNameList, inputRefusal } from "../inputs/scenario/parse/inputError.ts";
import { readPatch } from "../inputs/scenario/patch/applyPatch.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";
import { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { withoutPlans } from "../market/plan/awardUse.ts";
import { type CashDifference, cashDifference } from "../market/plan/cashDifference.ts";
import { planAssumptions, planCurrency } from "../market/plan/planAssumptions.ts";
import { assumptionsJson, planFiles } from "../market/plan/planFiles.ts";
import { FORECASTS, type PlanOptions, plannedCharges } from "../market/plan/planOptions.ts";
import { type PlanPlace, planPlace } from "../market/plan/planPlace.ts";
import { type LeftOutSite, leftOutSites, planScenario, type SitePlan } from "../market/plan/planScenario.ts";
import { type PlanTotals, planTotals } from "../market/plan/planTotals.ts";
import { formatCount, formatFixed } from "../report/html/page/format.ts";
import { writeFolder } from "../report/reportFolder.ts";
import { inputDigests } from "../report/runJson.ts";
import { runScenario } from "../report/runScenario.ts";
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
  const folder = writeFolder(place.folder, planFiles(scenario, plans, options, place), scenario.inputFiles.keys(), {
    inputs: inputDigests(scenario),
  });
  const totals = planTotals(plans);
  const leftOut = leftOutSites(scenario, options.sites);
  const alone = energyAlone === null ? {} : { energy_alone: planTotals(energyAlone) };
  process.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ scenario: scenario.name, folder: resolve(folder), assumptions: assumptionsJson(plans, options), totals, ...alone, left_out: leftOut })}\n`
      : colourOutput(
          planText(scenario, { plans, energyAlone, options, next: flags.run === true ? null : nextCommand(place) }),
        ),
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
  const difference = cashDifference(totals, run.record.kpis, without.record.kpis);
  process.stdout.write(colourOutput(differenceText(totals, difference, planCurrency(scenario))));
}

function differenceText({ cash: planned }: PlanTotals, { cash, causes }: CashDifference, currency: string): string {
  const shown = causes.filter(([, amount]) => 0.5 <= Math.abs(amount));
  const lines: readonly Line[] = [
    ["cash as planned", money(planned, currency)],
    ["cash as run", money(cash, currency)],
    ["difference", `${money(cash - planned, currency)}${shown.length === 0 ? "" : ", of which"}`],
    ...shown.map(([cause, amount]) => [`  ${cause}`, money(amount, currency)] as const),
  ];
  return ["", ...alignedLines(lines), "", ""].join("\n");
}

const money = (amount: number, currency: string): string => `${formatFixed(amount, 0)} ${currency}`;

function alignedLines(lines: readonly Line[]): string[] {
  const width = 2 + Math.max(...lines.map(([label]) => label.length));
  return lines.map(([label, value]) => `  ${label.padEnd(width)}${value}`.trimEnd());
}

interface PlanResult {
  readonly plans: readonly SitePlan[];
  /** The plan without reserve; `null` where none is offered. */
  readonly energyAlone: readonly SitePlan[] | null;
  readonly options: PlanOptions;
  /** The command that runs the plan; `null`: it is run at once. */
  readonly next: string | null;
}

type Line = readonly [string, string];

/** The planned scenario is the file with the plan; its patches apply again. */
const nextCommand = ({ folder, patches }: PlanPlace): string =>
  [`vppsim run ${join(folder, "scenario.yaml")}`, ...patches.map((path) => `--patch ${path}`)].join(" ");

function planText(scenario: Scenario, { plans, energyAlone, options, next }: PlanResult): string {
  const currency = planCurrency(scenario);
  const assumptions: readonly Line[] = [
    ["sites", plans.map(({ site }) => site).join(", ")],
    ...leftOutLines(leftOutSites(scenario, options.sites)),
    ...planAssumptions(plans, options, scenario),
  ];
  const results =
    energyAlone === null
      ? totalLines(plans, currency)
      : [
          ["energy alone", ""] as const,
          ...totalLines(energyAlone, currency),
          ["with reserve", ""] as const,
          ...totalLines(plans, currency),
        ];
  const lines = alignedLines([...assumptions, ["", ""], ...results]);
  const title = `${scenario.name}: plan of ${formatCount(plans[0].days.length, "day").replace("\u00a0", " ")}`;
  const hint = next === null ? [] : [`  run it with: ${next}`, ""];
  return [title, "", ...lines, "", ...hint].join("\n");
}

/** The sites that are not planned, by reason. */
function leftOutLines(sites: readonly LeftOutSite[]): readonly Line[] {
  const reasons = [...new Set(sites.map(({ reason }) => reason))];
  return reasons.map((reason, k) => {
    const names = sites.filter((site) => site.reason === reason).map(({ site }) => site);
    return [k === 0 ? "left out" : "", `${formatNameList(names, 10)} (${reason})`];
  });
}

function totalLines(plans: readonly SitePlan[], currency: string): readonly Line[] {
  const totals = planTotals(plans);
  return [
    ["energy", money(totals.energy_cash, currency)],
    ["fees", money(totals.fee_cash, currency)],
    ...(totals.reserve_cash === 0 ? [] : [["reserve", money(totals.reserve_cash, currency)] as const]),
    ["cash", `${money(totals.cash, currency)} at the prices that came`],
    ["discharged", `${formatFixed(totals.discharged_kwh, 1)} kWh, ${formatFixed(totals.full_cycles, 1)} full cycles`],
  ];
}

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
