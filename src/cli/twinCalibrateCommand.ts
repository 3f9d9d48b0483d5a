import { resolve } from "node:path";
import { inputRefusal } from "../base/inputError.ts";
import { largestOf, smallestOf } from "../base/lists.ts";
import { buildScenario } from "../inputs/scenario/loadScenario.ts";
import { createGlobMatcher } from "../inputs/scenario/parse/createGlobMatcher.ts";
import { instantOf } from "../inputs/scenario/runFlags.ts";
import { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../platform/node/diskFiles.ts";
import { createPageLocale } from "../report/html/page/pageLocale.ts";
import { writeFolder } from "../report/writeFolder.ts";
import { calibrate, patched } from "../twin/fit/calibrate.ts";
import { calibrationJson, calibrationPatch } from "../twin/fit/calibrationFiles.ts";
import { renderCalibrationHtml } from "../twin/fit/calibrationPage.ts";
import { pvPlantsOf } from "../twin/fit/pvPlants.ts";
import { type MeasuredSite, siteWithin } from "../twin/measured/measuredSeries.ts";
import { colourOutput } from "./colourText.ts";
import { languageOf } from "./languageFlag.ts";
import { type MeasuredFlags, measuredOf } from "./measuredFlags.ts";

interface CalibrateFlags extends MeasuredFlags {
  readonly from?: string;
  readonly to?: string;
  readonly site?: string;
  readonly level?: number;
  readonly resamples?: number;
  readonly seed?: number;
  readonly lang?: string;
  readonly json?: boolean;
  readonly out: string;
}

/** `vppsim twin calibrate`: parameters with intervals from measured series. */
export async function twinCalibrateCommand(file: string, flags: CalibrateFlags): Promise<void> {
  const language = languageOf(flags.lang);
  const source = new ScenarioSource(file, diskFiles);
  const scenario = buildScenario(source);
  const { sites: all, files } = await measuredOf(scenario, flags);
  const sites = chosenSites(all, flags);
  const options = { level: flags.level ?? 0.95, resamples: flags.resamples ?? 500, seed: flags.seed ?? 1 };
  const calibration = calibrate(scenario.world.sites, sites, options, pvPlantsOf(source));
  const tables = [...sites.values()].flatMap((site) => site.tables);
  const period = {
    fromMs: smallestOf(tables.map(({ timesMs }) => timesMs[0])),
    toMs: largestOf(tables.map(({ timesMs, spacingMs }) => timesMs[timesMs.length - 1] + spacingMs)),
  };
  const origin = { ...options, scenarioHash: scenario.hash, files, period };
  const locale = createPageLocale(language ?? scenario.language, scenario.timezone, scenario.world);
  const documents = new Map([
    ["calibration.json", calibrationJson(calibration, origin)],
    ["calibration.patch.yaml", calibrationPatch(calibration, origin)],
    ["calibration.html", renderCalibrationHtml(calibration, origin, scenario, locale)],
  ]);
  const inputs = [...scenario.inputFiles.keys(), ...files.map((each) => resolve(each.file))];
  const folder = writeFolder(flags.out, documents, inputs);
  const counts = {
    sites: sites.size,
    all: calibration.parameters.length,
    identified: calibration.parameters.filter(({ status }) => status === "identified").length,
    patched: patched(calibration).length,
  };
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ folder, files: [...documents.keys()], ...counts })}\n`);
    return;
  }
  const { t } = locale;
  const place = `${flags.out} (${[...documents.keys()].join(", ")})`;
  process.stdout.write(colourOutput(`${t("calibration.count", counts)}\n${t("calibration.written", { place })}\n`));
}

/** Sites of `--site` with their rows of the period. @throws InputErrors where none is left */
function chosenSites(
  sites: ReadonlyMap<string, MeasuredSite>,
  { from, to, site: glob }: CalibrateFlags,
): ReadonlyMap<string, MeasuredSite> {
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : instantOf("--from", from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : instantOf("--to", to);
  const isChosen = createGlobMatcher(glob ?? "*");
  const chosen = [...sites.values()].filter(({ site }) => isChosen(site));
  if (chosen.length === 0)
    throw inputRefusal(
      "--site",
      JSON.stringify(glob ?? "*"),
      `a site that was measured (${[...sites.keys()].join(", ")})`,
    );
  const within = chosen.flatMap((site) => siteWithin(site, fromMs, toMs) ?? []);
  if (within.length === 0)
    throw inputRefusal("--from", "a period without a row", "a period in which there are measurements");
  return new Map(within.map((site) => [site.site, site]));
}
