// What the worker does for a page: the same as the commands, with files in memory.
import { currencyOf } from "../base/currency.ts";
import { type InputError, InputErrors } from "../base/inputError.ts";
import { resolve } from "../base/paths.ts";
import { buildScenario, loadScenario } from "../inputs/scenario/loadScenario.ts";
import type { Patch } from "../inputs/scenario/patch/patchValue.ts";
import { loadOptions } from "../inputs/scenario/runFlags.ts";
import { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { MemoryDisk } from "../platform/browser/memoryDisk.ts";
import { disk, filesOn, platform } from "../platform/browser/platform.ts";
import { compareReports } from "../report/compare/compareReports.ts";
import { explainAward } from "../report/explain/explainAward.ts";
import { kpiJson } from "../report/kpiJson.ts";
import { runScenario } from "../report/runScenario.ts";
import { type Certificate, verifyReport } from "../verify/verifyReport.ts";
import type { LiveParameter } from "./liveParameters.ts";
import { LiveScenario, type LiveStep } from "./liveScenario.ts";
import { openProject } from "./openProject.ts";
import { bytesByPath, type Project, type ProjectRun, type Report, type RunJobOptions } from "./project.ts";

/** Folder of the report of a job. */
const OUT = "/\0report";
/** Folder of a report that is compared with it. */
const REPORT = "/\0given";

export interface JobHost {
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

export async function run(project: Project, options: RunJobOptions, host: JobHost): Promise<ProjectRun> {
  const entry = openProject(project);
  const { formats, patch, seed, from, to, timezone } = options;
  const source = new ScenarioSource(entry, platform.files);
  const flags = { seed, from, to, ...(formats === undefined ? {} : { format: formats.join(",") }) };
  const load = loadOptions(flags, platform.files);
  const scenario = buildScenario(source, { ...load, ...(patch === undefined ? {} : { patch }) });
  const { record, wallSeconds } = await runScenario(scenario, {
    out: OUT,
    ...host,
    ...(timezone === undefined ? {} : { timezone }),
  });
  const files = Object.fromEntries(disk.takeFilesIn(OUT));
  return { files, hash: scenario.hash, kpis: kpiJson(record.kpis, currencyOf(record)), wallSeconds };
}

/** Open scenarios, by the number that their page gave them. */
const lives = new Map<number, LiveScenario>();

/** @throws InputErrors of the scenario */
export function openLive(live: number, project: Project): readonly LiveParameter[] {
  // Other jobs replace the files of their disk.
  const own = new MemoryDisk();
  const entry = openProject(project, own);
  const scenario = new LiveScenario(new ScenarioSource(entry, filesOn(own)));
  lives.set(live, scenario);
  return scenario.parameters;
}

/** @throws InputErrors of the patch */
export function runLive(live: number, patch: Patch): Promise<LiveStep> {
  const scenario = lives.get(live);
  if (scenario === undefined) throw new Error("the scenario is closed");
  return scenario.run(patch);
}

export function closeLive(live: number): void {
  lives.delete(live);
}

/** The errors of `vppsim validate`; none for a scenario that can run. */
export function check(project: Project): readonly InputError[] {
  const entry = openProject(project);
  try {
    loadScenario(entry);
    return [];
  } catch (error) {
    if (error instanceof InputErrors) return error.errors;
    throw error;
  }
}

/** The files that `vppsim compare --out` writes. */
export async function compare(reports: readonly Report[]): Promise<Report> {
  const folders = reports.map((_, k) => `/run ${k + 1}`);
  disk.fill(new Map(reports.flatMap(({ files }, k) => [...bytesByPath(files, `${folders[k]}/`)])));
  const comparison = compareReports(folders);
  const { comparisonFiles } = await import("../report/compare/comparisonPage.ts");
  return { files: Object.fromEntries(bytesByPath(Object.fromEntries(comparisonFiles(comparison)))) };
}

/** What `vppsim verify --json` prints. */
export function verify({ files }: Report, { entry, files: inputs }: Project): Promise<Certificate> {
  disk.fill(new Map([...bytesByPath(inputs), ...bytesByPath(files, `${REPORT}/`)]));
  return verifyReport(REPORT, resolve("/", entry), { out: OUT });
}

/** The text of `vppsim explain`, and what `--json` prints. */
export function explain({ files }: Report, awardId: string): ReturnType<typeof explainAward> {
  disk.fill(bytesByPath(files, "/report/"));
  return explainAward("/report", awardId);
}
