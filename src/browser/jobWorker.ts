import { InputErrors } from "../base/inputError.ts";
import type { Patch } from "../inputs/scenario/patch/patchValue.ts";
import { RunStopped } from "../report/runStopped.ts";
import type { LiveParameter } from "./liveParameters.ts";
import type { LiveStep } from "./liveScenario.ts";
import type { Project } from "./project.ts";
import type { FromWorker, JobCall, JobFailure, ToWorker } from "./protocol.ts";

/** How long a cancelled job may take to its next check, in real ms; then its worker is replaced. */
const ANSWER_MS = 150;

interface JobOptions {
  readonly onProgress?: ((done: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface WaitingJob {
  readonly call: JobCall;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: (done: number) => void;
}

/** A scenario that was read once, for any number of whole runs without a report, each with its patch. */
export interface Live {
  /** What the paths of a patch may name, beside all others of a study. */
  readonly parameters: readonly LiveParameter[];
  /** @throws InputErrors of the patch */
  readonly run: (patch?: Patch) => Promise<LiveStep>;
  readonly close: () => void;
}

/** A worker that does jobs one after another. It starts with the first one, and again after it failed or was ended. */
export class JobWorker {
  private readonly startWorker: () => Worker;
  private readonly waiting = new Map<number, WaitingJob>();
  private worker: Worker | null = null;
  private jobCount = 0;
  private liveCount = 0;

  /** @param startWorker  starts what src/browser/worker.ts is built to */
  constructor(startWorker: () => Worker) {
    this.startWorker = startWorker;
  }

  /** Starts the worker before its first job. */
  start(): Worker {
    if (this.worker !== null) return this.worker;
    const worker = this.startWorker();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    worker.onerror = ({ message }) => {
      this.end();
      for (const { reject } of this.waiting.values()) reject(new Error(message));
      this.waiting.clear();
    };
    this.worker = worker;
    return worker;
  }

  call<Result>(call: JobCall, { onProgress = () => {}, signal }: JobOptions = {}): Promise<Result> {
    const job = this.jobCount++;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new RunStopped());
      this.waiting.set(job, { call, resolve, reject, onProgress });
      this.send({ job, call });
      signal?.addEventListener("abort", () => this.cancel(job));
    });
  }

  /** @throws InputErrors */
  async openLive(project: Project): Promise<Live> {
    const live = this.liveCount++;
    const parameters = await this.call<readonly LiveParameter[]>({ name: "openLive", live, project });
    return {
      parameters,
      run: (patch = {}) => this.call({ name: "runLive", live, patch }),
      close: () => void this.call({ name: "closeLive", live }),
    };
  }

  /** Only the first of the waiting jobs can be the one that computes. */
  private cancel(job: number): void {
    if (!this.waiting.has(job)) return;
    this.send({ cancel: job });
    if (job !== Math.min(...this.waiting.keys())) this.stop(job);
    // not simulated: a job that computes without a pause cannot take the message
    else setTimeout(() => this.waiting.has(job) && this.replace(job), ANSWER_MS);
  }

  private replace(job: number): void {
    this.end();
    this.stop(job);
    for (const [other, { call }] of this.waiting) this.send({ job: other, call });
  }

  private stop(job: number): void {
    this.waiting.get(job)?.reject(new RunStopped());
    this.waiting.delete(job);
  }

  private end(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  private send(message: ToWorker): void {
    this.start().postMessage(message);
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

function errorOf({ name, message, errors, kinds }: JobFailure): Error {
  if (errors !== undefined) return new InputErrors(errors, kinds);
  if (name === "RunStopped") return new RunStopped();
  return Object.assign(new Error(message), { name });
}
