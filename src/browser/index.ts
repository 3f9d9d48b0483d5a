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
import type { Patch } from "../inputs/scenario/patch/patchValue.ts";
import type { AwardExplanation } from "../report/explain/explainAward.ts";
import { RunStopped } from "../report/runStopped.ts";
import type { Certificate } from "../verify/verifyReport.ts";
import { VERSION } from "../version.ts";
import { type LinkedProject, packLink, unpackLink } from "./link.ts";
import type { LiveStep } from "./liveScenario.ts";
import type { Project, ProjectRun, ProjectRunOptions, Report } from "./project.ts";
import type { FromWorker, JobCall, JobFailure, ToWorker } from "./protocol.ts";

export type { Certificate, InputError, LinkedProject, LiveStep, Project, ProjectRun, ProjectRunOptions, Report };
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

/** A scenario that was read once, for any number of whole runs without a report, each with its patch. */
export interface Live {
  /** @throws InputErrors of the patch */
  readonly run: (patch?: Patch) => Promise<LiveStep>;
  readonly close: () => void;
}

let liveCount = 0;

/** Reads a scenario for steps of a what-if, which follow each other in the order of their calls. @throws InputErrors */
export async function openLive(project: Project): Promise<Live> {
  const live = liveCount++;
  await worker().call({ name: "openLive", live, project });
  return {
    run: (patch = {}) => worker().call({ name: "runLive", live, patch }),
    close: () => void worker().call({ name: "closeLive", live }),
  };
}

interface WaitingJob {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: (done: number) => void;
}

interface JobOptions {
  readonly onProgress?: ((done: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The worker of this page, which starts with the first job. */
class JobWorker {
  private readonly worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  private readonly waiting = new Map<number, WaitingJob>();
  private jobCount = 0;

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    this.worker.onerror = ({ message }) => {
      for (const { reject } of this.waiting.values()) reject(new Error(message));
      this.waiting.clear();
      shared = null;
    };
  }

  call<Result>(call: JobCall, { onProgress = () => {}, signal }: JobOptions = {}): Promise<Result> {
    const job = this.jobCount++;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new RunStopped());
      this.waiting.set(job, { resolve, reject, onProgress });
      this.send({ job, call });
      signal?.addEventListener("abort", () => this.send({ cancel: job }));
    });
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private receive(message: FromWorker): void {
    const job = this.waiting.get(message.job);
    if (job === undefined) return;
    if ("progress" in message) return job.onProgress(message.progress);
    this.waiting.delete(message.job);
    if ("failure" in message) job.reject(errorOf(message.failure));
    // The caller names the type of the result.
    else job.resolve(message.result as never);
  }
}

let shared: JobWorker | null = null;

function worker(): JobWorker {
  shared ??= new JobWorker();
  return shared;
}

function errorOf({ name, message, errors, kinds }: JobFailure): Error {
  if (errors !== undefined) return new InputErrors(errors, kinds);
  if (name === "RunStopped") return new RunStopped();
  return Object.assign(new Error(message), { name });
}
