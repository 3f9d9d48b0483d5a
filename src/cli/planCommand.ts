import { join, resolve } from "node:path";
import { SKUS, type Sku } from "../base/sku.ts";
import { planFiles } from "../plan/planFiles.ts";
import { type Forecast, type PlanOptions, planScenario, type SitePlan } from "../plan/planScenario.ts";
import { planTotals } from "../plan/planTotals.ts";
import { formatFixed } from "../report/html/page/format.ts";
import { writeFolder } from "../report/writeFolder.ts";
import { loadScenario } from "../scenario/loadScenario.ts";
import { inputRefusal } from "../scenario/parse/inputError.ts";
import { colourOutput } from "./colourText.ts";
import { NO_PROGRESS, openProgress } from "./openProgress.ts";

interface PlanFlags {
  readonly site?: readonly string[];
  readonly forecast: string;
  readonly cyclesPerDay?: number;
  readonly fee: number;
  readonly wear: number;
  readonly reserve?: string;
  readonly reservePrice?: number;
  readonly reserveHours: number;
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `vppsim plan`: plans batteries against a price and writes the scenario that runs by the plan. */
export async function planCommand(file: string, flags: PlanFlags): Promise<void> {
  const options = optionsOf(flags);
  const scenario = loadScenario(file);
  const progress = flags.quiet === true || flags.json === true ? NO_PROGRESS : await openProgress(scenario.name);
  let plans: readonly SitePlan[];
  try {
    plans = await planScenario(scenario, options, progress.setFraction);
  } finally {
    progress.close();
  }
  const out = flags.out ?? join("reports", `${scenario.name}-plan`);
  const folder = writeFolder(out, planFiles(scenario, plans, options), scenario.inputFiles);
  const totals = planTotals(plans);
  process.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ scenario: scenario.name, folder: resolve(folder), options, totals })}\n`
      : colourOutput(planText(scenario.name, { plans, options, out })),
  );
}

interface PlanResult {
  readonly plans: readonly SitePlan[];
  readonly options: PlanOptions;
  readonly out: string;
}

function planText(name: string, { plans, options, out }: PlanResult): string {
  const totals = planTotals(plans);
  const { forecast, cyclesPerDay, feePerKwh, wearPerKwh, reserve } = options;
  const foresight =
    forecast === "perfect" ? "prices of the day and the next one are known" : "prices of the day before";
  const lines: readonly (readonly [string, string])[] = [
    ["sites", plans.map(({ site }) => site).join(", ")],
    ["foresight", foresight],
    [
      "limits",
      `${cyclesPerDay === null ? "no limit of cycles" : `${cyclesPerDay} cycles a day`}, fee ${feePerKwh} and wear ${wearPerKwh} per kWh`,
    ],
    ["reserve", reserve === null ? "none" : `${reserve.sku} at ${reserve.pricePerKw} per kW and slot`],
    ["energy", formatFixed(totals.energy_cash, 0)],
    ["fees", formatFixed(totals.fee_cash, 0)],
    ...(reserve === null ? [] : [["reserve income", formatFixed(totals.reserve_cash, 0)] as const]),
    ["cash", `${formatFixed(totals.cash, 0)} at the prices that came`],
    ["discharged", `${formatFixed(totals.discharged_kwh, 1)} kWh, ${formatFixed(totals.full_cycles, 1)} full cycles`],
  ];
  const width = 2 + Math.max(...lines.map(([label]) => label.length));
  const text = lines.map(([label, value]) => `  ${label.padEnd(width)}${value}`);
  return `${[`${name}: plan of ${plans[0].days.length} days`, "", ...text, "", `  run it with: vppsim run ${join(out, "scenario.yaml")}`].join("\n")}\n`;
}

function optionsOf(flags: PlanFlags): PlanOptions {
  if (flags.forecast !== "perfect" && flags.forecast !== "previous_day")
    throw inputRefusal("--forecast", JSON.stringify(flags.forecast), "perfect or previous_day");
  const sku = SKUS.find((name) => name === flags.reserve);
  if (flags.reserve !== undefined && sku === undefined)
    throw inputRefusal("--reserve", JSON.stringify(flags.reserve), SKUS.join(", "));
  if ((sku === undefined) !== (flags.reservePrice === undefined))
    throw inputRefusal(
      "--reserve",
      JSON.stringify(flags.reserve ?? "nothing"),
      "--reserve and --reserve-price together",
    );
  return {
    sites: flags.site ?? [],
    forecast: flags.forecast satisfies Forecast,
    cyclesPerDay: flags.cyclesPerDay ?? null,
    feePerKwh: flags.fee,
    wearPerKwh: flags.wear,
    reserve: reserveOf(sku, flags),
  };
}

const reserveOf = (sku: Sku | undefined, { reservePrice, reserveHours }: PlanFlags): PlanOptions["reserve"] =>
  sku === undefined || reservePrice === undefined
    ? null
    : { sku, pricePerKw: reservePrice, sustainedHours: reserveHours };
