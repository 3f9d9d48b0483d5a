import type { Queue } from "bullmq";
import { QueueError } from "./queueError.ts";
import { FILES_TTL_S } from "./queueNames.ts";

/** How often the server may lose one job before its owner stops. */
const LOSSES_MAX = 10;

/** Result of a job, and how long a worker took for it, in ms. */
export interface JobResult<Result> {
  readonly result: Result;
  readonly tookMs: number;
}

interface PendingJob<Job, Result> {
  readonly job: Job;
  readonly settle: (result: JobResult<Result>) => void;
  readonly fail: (error: Error) => void;
  /** Whether the server has answered the addition; before that it does not know the job. */
  isAdded: boolean;
  isCollected: boolean;
  losses: number;
}

interface PendingJobsOptions<Job, Result> {
  /** Of the server, for messages. */
  readonly address: string;
  /** What a message calls a job, as `a candidate`, and all jobs, as `runs of this study`. */
  readonly one: string;
  readonly what: string;
  /** What can be done where the server loses jobs, for a message. */
  readonly remedy: string;
  /**
   * The result of a finished job from the value that its worker returned; `null` where the server has lost it.
   *
   * @throws QueueError when the value is not that of the job
   */
  readonly read: (job: Job, returned: unknown) => Promise<Result | null>;
}

/**
 * Jobs that are in the queue. Each one is collected once, by an event of the server or by a poll, and added again where the
 * server has lost it (docs/model/studies.md#lost-data).
 */
export class PendingJobs<Job, Result> {
  readonly #queue: Queue;
  readonly #options: PendingJobsOptions<Job, Result>;
  readonly #jobs = new Map<string, PendingJob<Job, Result>>();
  /** Why the last addition failed; empty where it did not. */
  #additionFailure = "";

  constructor(queue: Queue, options: PendingJobsOptions<Job, Result>) {
    this.#queue = queue;
    this.#options = options;
  }

  get count(): number {
    return this.#jobs.size;
  }

  get jobIds(): string[] {
    return [...this.#jobs.keys()];
  }

  /** Adds a job to the queue. @returns its result, from whichever worker finishes it first */
  run(jobId: string, job: Job): Promise<JobResult<Result>> {
    return new Promise((settle, fail) => {
      const pending = { job, settle, fail, isAdded: false, isCollected: false, losses: 0 };
      this.#jobs.set(jobId, pending);
      this.#add(jobId, pending);
    });
  }

  /** Collects a job if it is finished. */
  async collect(jobId: string): Promise<void> {
    if (!this.#jobs.has(jobId)) return;
    // The state is read first: a job read before its completion has no result yet.
    const state = await this.#queue.getJobState(jobId);
    const pending = this.#jobs.get(jobId);
    if (pending === undefined || pending.isCollected) return;
    if (state === "unknown" && pending.isAdded) return this.#addAgain(jobId, pending);
    if (state !== "completed" && state !== "failed") return;
    const found = await this.#queue.getJob(jobId);
    // Event and poll may both see a job: only the first one collects it.
    if (found === undefined || pending.isCollected) return;
    pending.isCollected = true;
    const { returnvalue, failedReason, finishedOn = 0, processedOn = 0 } = found;
    try {
      if (state === "failed") throw new QueueError(`a worker could not run ${this.#options.one}: ${failedReason}`);
      const result = await this.#options.read(pending.job, returnvalue);
      await found.remove().catch(() => {});
      if (result === null) return this.#addAgain(jobId, pending);
      this.#jobs.delete(jobId);
      pending.settle({ result, tookMs: finishedOn - processedOn });
    } catch (error) {
      if (error instanceof QueueError) {
        this.#jobs.delete(jobId);
        pending.fail(error);
        await found.remove().catch(() => {});
      } else pending.isCollected = false;
    }
  }

  /** Collects everything that is finished, and adds again what the server has lost. */
  async poll(): Promise<void> {
    for (const jobId of this.jobIds) await this.collect(jobId);
  }

  failAll(error: Error): void {
    for (const { fail } of this.#jobs.values()) fail(error);
  }

  #add(jobId: string, pending: PendingJob<Job, Result>): void {
    const keep = { age: FILES_TTL_S };
    const options = { jobId, attempts: 1, removeOnComplete: keep, removeOnFail: keep };
    this.#queue
      .add("run", pending.job, options)
      .then(() => "")
      .catch((error: Error) => error.message)
      .then((failure) => {
        pending.isAdded = true;
        this.#additionFailure = failure;
      });
  }

  /** A job that was never added, because the server refused it, is unknown too. */
  #addAgain(jobId: string, pending: PendingJob<Job, Result>): void {
    pending.losses++;
    if (pending.losses > LOSSES_MAX) {
      this.#jobs.delete(jobId);
      const { address, what, remedy } = this.#options;
      const refusal = this.#additionFailure === "" ? "" : ` (${this.#additionFailure})`;
      const found = `the Redis server ${address} has lost or refused ${what} ${LOSSES_MAX} times${refusal}`;
      pending.fail(new QueueError(`${found}; give it memory and maxmemory-policy noeviction, then ${remedy}`));
      return;
    }
    pending.isAdded = false;
    pending.isCollected = false;
    this.#add(jobId, pending);
  }
}
