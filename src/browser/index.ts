/**
 * vppsim in a browser: the commands with files in memory, in a thread beside the page.
 *
 * ```ts
 * import { runProject } from "vppsim/browser";
 *
 * const { files, kpis } = await runProject({ entry: "scenario.yaml", files: { "scenario.yaml": text } });
 * ```
 * @module vppsim/browser
 */
import { type InputError, InputErrors } from "../base/inputError.ts";
import type { AwardExplanation } from "../report/explain/explainAward.ts";
import { RunStopped } from "../report/runStopped.ts";
import type { Certificate } from "../verify/verifyReport.ts";
import { VERSION } from "../version.ts";
import { JobWorker, type Live } from "./jobWorker.ts";
import { type LinkedProject, packLink, unpackLink } from "./link.ts";
import type { LiveParameter } from "./liveParameters.ts";
import type { LiveStep } from "./liveScenario.ts";
import type {
  Project,
  ProjectPlanOptions,
  ProjectRun,
  ProjectRunOptions,
  ProjectStudyOptions,
  Report,
} from "./project.ts";

export type {
  Certificate,
  InputError,
  LinkedProject,
  Live,
  LiveParameter,
  LiveStep,
  Project,
  ProjectPlanOptions,
  ProjectRun,
  ProjectRunOptions,
  ProjectStudyOptions,
  Report,
};
export { InputErrors, packLink, RunStopped, unpackLink, VERSION };

/**
 * Runs a scenario as `vppsim run --out` does: the same files and flags give the same bytes.
 *
 * @throws InputErrors, RunStopped
 */
export function runProject(project: Project, options: ProjectRunOptions = {}): Promise<ProjectRun> {
  const { onProgress, signal, ...rest } = options;
  return worker().call({ name: "run", project, options: rest }, { onProgress, signal });
}

/**
 * Plans batteries against a price as `vppsim plan` does: the same files, with the scenario that runs by the plan.
 *
 * @throws InputErrors, RunStopped
 */
export function planProject(project: Project, options: ProjectPlanOptions = {}): Promise<Report> {
  const { onProgress, signal, ...rest } = options;
  return worker().call({ name: "plan", project, options: rest }, { onProgress, signal });
}

/**
 * Runs the study that is the entry of a project, as `vppsim study` does: the same files, without the finished runs.
 *
 * @throws InputErrors, RunStopped
 */
export function runStudyProject(project: Project, options: ProjectStudyOptions = {}): Promise<Report> {
  const { onProgress, signal, workers: _, ...rest } = options;
  return worker().call({ name: "study", project, options: rest }, { onProgress, signal });
}

/** The errors that `vppsim validate` reports; paths are relative to the folder of the entry. */
export const checkProject = (project: Project): Promise<readonly InputError[]> =>
  worker().call({ name: "check", project });

/** The files that `vppsim compare --out` writes of two to twelve reports. @throws InputErrors */
export const compareRuns = (...reports: readonly Report[]): Promise<Report> =>
  worker().call({ name: "compare", reports: reports.map(({ files }) => ({ files })) });

/** Why an award of a report was not covered or not delivered. @throws InputErrors */
export const explainAward = (
  { files }: Report,
  awardId: string,
): Promise<{ readonly text: string; readonly json: AwardExplanation }> =>
  worker().call({ name: "explain", report: { files }, awardId });

/** Runs the scenario of a report again and compares all files, as `vppsim verify` does. @throws InputErrors */
export const verifyProject = ({ files }: Report, project: Project): Promise<Certificate> =>
  worker().call({ name: "verify", report: { files }, project });

/** Reads a scenario for steps of a what-if, which follow each other in the order of their calls. @throws InputErrors */
export const openLive = (project: Project): Promise<Live> => (lives ??= new JobWorker(startWorker)).openLive(project);

const startWorker = (): Worker => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/** The worker of this page. */
let jobs: JobWorker | null = null;
/** Of what-ifs: a cancelled job ends its worker, with all that is open there. */
let lives: JobWorker | null = null;

const worker = (): JobWorker => (jobs ??= new JobWorker(startWorker));
