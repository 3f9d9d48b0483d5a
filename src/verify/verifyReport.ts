// Runs the scenario of a report again, and compares the files of the two by their digests.
import { platform } from "#platform";
import { utf8Text } from "../base/bytes.ts";
import { sha256OfPieces } from "../base/ids.ts";
import { inputRefusal } from "../base/inputError.ts";
import { dirname, join, relative } from "../base/paths.ts";
import { buildScenario } from "../inputs/scenario/loadScenario.ts";
import { loadOptions } from "../inputs/scenario/runFlags.ts";
import type { Overrides, ReportFormat } from "../inputs/scenario/scenario.ts";
import { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { RUN_FILE } from "../platform/files.ts";
import { type RunScenarioOptions, runScenario } from "../report/runScenario.ts";
import { VERSION } from "../version.ts";

/** What was compared. Digests are `sha256:` and 64 hex digits. */
export interface Certificate {
  readonly verified: boolean;
  readonly version: string;
  readonly reported_version: string;
  /** Of this run, and of the report: "node v20.20.2", "Chromium 156". */
  readonly engine: string;
  readonly reported_engine: string;
  readonly scenario_hash: string;
  /** IANA name; its rules are those of the engine. */
  readonly timezone: string;
  /** Files that the scenario reads, by path from its folder. */
  readonly inputs: readonly { readonly file: string; readonly same: boolean }[];
  readonly files: readonly FileCheck[];
}

export interface FileCheck {
  readonly file: string;
  /** In run.json. */
  readonly reported: string;
  /** Of the file in the report if that is not as run.json says, else of the new run; `null`: there is no such file. */
  readonly found: string | null;
  readonly same: boolean;
}

/** What run.json says of a run. */
interface ReportedRun {
  readonly version: string;
  readonly node: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly options: Overrides & Pick<RunScenarioOptions, "timezone" | "language">;
  readonly files: Readonly<Record<string, string>>;
}

interface VerifyOptions extends Pick<RunScenarioOptions, "alarmsOf" | "onProgress" | "signal"> {
  /** Folder of the new report, which the caller removes. */
  readonly out: string;
}

/**
 * @param report    its folder
 * @param scenario  the scenario file
 * @throws InputErrors if the folder has no report of a run, or the scenario cannot be run
 */
export async function verifyReport(report: string, scenario: string, options: VerifyOptions): Promise<Certificate> {
  const run = reportedRun(report);
  const { timezone, language, investment, ...flags } = run.options;
  const source = new ScenarioSource(scenario, platform.files, investment);
  const { patch, seed, from, to, times, csv } = flags;
  const load = loadOptions({ seed, from, to, times, csv }, platform.files);
  const formats = formatsOf(Object.keys(run.files));
  const again = buildScenario(source, { ...load, formats, ...(patch === undefined ? {} : { patch }) });
  await runScenario(again, {
    ...options,
    ...(timezone === undefined ? {} : { timezone }),
    ...(language === undefined ? {} : { language }),
  });
  const files = Object.entries(run.files).map(([file, reported]) => checkFile(file, reported, report, options.out));
  const inputs = [...again.inputFiles].map(([path, digest]) => {
    const file = relative(dirname(again.file), path);
    return { file, same: run.inputs[file] === `sha256:${digest}` };
  });
  return {
    verified: [...files, ...inputs].every(({ same }) => same),
    version: VERSION,
    reported_version: run.version,
    engine: engineText(platform.engine),
    reported_engine: engineText(run.node),
    scenario_hash: again.hash,
    timezone: again.timezone,
    inputs,
    files,
  };
}

/** Name of the scenario's file in its folder, by the digests of a report. @throws InputErrors as `verifyReport` does */
export const scenarioFileOf = (report: string): string => Object.keys(reportedRun(report).inputs)[0];

function reportedRun(report: string): ReportedRun {
  platform.restoreReport(report);
  const path = join(report, RUN_FILE);
  const content = platform.files.read(path);
  const allowed = "the folder or zip of a report of vppsim run";
  if (content === null) throw inputRefusal(report, `no ${RUN_FILE} in it`, allowed);
  let run: Partial<ReportedRun> | null;
  try {
    run = JSON.parse(utf8Text(content)) as Partial<ReportedRun> | null;
  } catch {
    throw inputRefusal(path, "text that is not JSON", allowed);
  }
  const { version, node, inputs, files, options = {} } = run ?? {};
  if (version === undefined || node === undefined || inputs === undefined || files?.["scenario.json"] === undefined)
    throw inputRefusal(path, "no run of a scenario", allowed);
  return { version, node, inputs, files, options };
}

const ENDINGS: readonly (readonly [string, ReportFormat])[] = [
  [".csv", "csv"],
  [".jsonl", "json"],
  [".parquet", "parquet"],
  [".xlsx", "xlsx"],
  [".html", "html"],
];

/** The formats whose files a report has; slots of a settlement are no table. */
const formatsOf = (files: readonly string[]): ReportFormat[] =>
  ENDINGS.filter(([ending]) => files.some((file) => file.endsWith(ending) && file !== "settlement_slots.jsonl")).map(
    ([, format]) => format,
  );

function checkFile(file: string, reported: string, report: string, again: string): FileCheck {
  const inReport = digestOf(join(report, file));
  if (inReport !== reported) return { file, reported, found: inReport, same: false };
  const found = digestOf(join(again, file));
  return { file, reported, found, same: found === reported };
}

const digestOf = (path: string): string | null =>
  platform.exists(path) ? `sha256:${sha256OfPieces(platform.readPieces(path))}` : null;

const engineText = (engine: string): string => (/^v\d/.test(engine) ? `node ${engine}` : engine);
