import { existsSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { utf8Text } from "../base/bytes.ts";
import { inputRefusal } from "../base/inputError.ts";
import { buildScenario } from "../inputs/scenario/loadScenario.ts";
import { readPatch } from "../inputs/scenario/patch/applyPatch.ts";
import { instantOf } from "../inputs/scenario/runFlags.ts";
import { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../platform/node/diskFiles.ts";
import { foreignNames } from "../platform/node/reportFolder.ts";
import { createPageLocale } from "../report/html/page/pageLocale.ts";
import { runScenario } from "../report/runScenario.ts";
import { writeFolder } from "../report/writeFolder.ts";
import { checkJson } from "../twin/check/checkJson.ts";
import { renderCheckPage } from "../twin/check/checkPage.ts";
import { checkTwin, PERIOD_SCENARIO } from "../twin/check/checkTwin.ts";
import { checkSentence } from "../twin/check/checkVerdict.ts";
import { readCalibration } from "../twin/check/readCalibration.ts";
import { fittedPeriodOf } from "../twin/fit/calibrationFiles.ts";
import { colourOutput } from "./colourText.ts";
import { languageOf } from "./languageFlag.ts";
import { type MeasuredFlags, measuredOf } from "./measuredFlags.ts";
import { NO_PROGRESS, openProgress } from "./openProgress.ts";
import { printWarning } from "./printWarning.ts";

interface TwinCheckFlags extends MeasuredFlags {
  readonly patch?: string;
  readonly from: string;
  readonly to: string;
  readonly seeds?: number;
  readonly out: string;
  readonly lang?: string;
  readonly json?: boolean;
}

/** Folder of the report of the run in that of a check. */
const RUN_FOLDER = "run";

/** `vppsim twin check`: runs the twin over a measured period and writes how far it is from the plant. */
export async function twinCheckCommand(file: string, flags: TwinCheckFlags): Promise<void> {
  const period = { fromMs: instantOf("--from", flags.from), toMs: instantOf("--to", flags.to) };
  const { seeds: seedCount = 1 } = flags;
  if (seedCount < 1) throw inputRefusal("--seeds", `${seedCount}`, "a whole number of at least 1");
  const source = new ScenarioSource(file, diskFiles);
  const patch = flags.patch === undefined ? {} : readPatch(flags.patch, source.files);
  const { sites: measured } = await measuredOf(buildScenario(source, { patch }), flags);
  const calibration = flags.patch === undefined ? null : readCalibration(dirname(flags.patch), diskFiles);
  const draws = calibration?.draws ?? [];
  const folder = resolve(flags.out);
  const progress = flags.json === true ? NO_PROGRESS : await openProgress("twin check");
  const check = await checkTwin({
    ...{ source, measured, patch, draws, folder, seedCount, ...period },
    onProgress: (done) => progress.setFraction(done),
  }).finally(() => progress.close());
  const { scenario } = check;
  const language = languageOf(flags.lang) ?? scenario.language;
  const locale = createPageLocale(language, scenario.timezone, scenario.world);
  const notes = [
    ...(isFitted(flags.patch, period) ? [locale.t("twin_check.fitted_period")] : []),
    ...(check.awards.length > 0 && draws.length === 0 ? [locale.t("twin_check.no_draws")] : []),
  ];
  for (const note of notes) printWarning(note);
  const json = checkJson(check, flags.patch ?? null, locale);
  releaseRun(folder);
  const documents = new Map([
    ["check.json", `${JSON.stringify(json, null, 2)}\n`],
    ["check.html", renderCheckPage(check, calibration?.parameters ?? [], notes, locale)],
    [PERIOD_SCENARIO, check.scenarioText],
  ]);
  writeFolder(folder, documents, source.readFiles.keys());
  await runScenario(scenario, { out: join(folder, RUN_FOLDER), language });
  const text = `${checkSentence(check, locale)}\n${join(flags.out, "check.html")}\n`;
  process.stdout.write(flags.json === true ? `${JSON.stringify(json)}\n` : colourOutput(text));
}

/** Whether the patch was fitted to a part of the period. */
function isFitted(
  patch: string | undefined,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): boolean {
  const bytes = patch === undefined ? null : diskFiles.read(patch);
  const fitted = bytes === null ? null : fittedPeriodOf(utf8Text(bytes));
  return fitted !== null && fitted.fromMs < toMs && fromMs < fitted.toMs;
}

/** Removes the report of the run of an older check, so that the folder can be replaced. */
function releaseRun(folder: string): void {
  const run = join(folder, RUN_FOLDER);
  if (existsSync(join(folder, "check.json")) && foreignNames(run).length === 0)
    rmSync(run, { recursive: true, force: true });
}
