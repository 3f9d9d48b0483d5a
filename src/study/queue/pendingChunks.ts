import type { Queue } from "bullmq";
import type { Outcome } from "../workers/evaluator.ts";
import { QueueError } from "./queueError.ts";
import { areOutcomesOf, FILES_TTL_S, type QueuedJob } from "./queueNames.ts";

/** How often the server may lose one job before the study stops. */
const LOSSES_MAX = 10;

/** Outcomes of a chunk, and its duration on the worker, in ms. */
interface ChunkResult {
  readonly outcomes: readonly Outcome[];
  readonly tookMs: number;
}

interface PendingChunk {
  readonly job: QueuedJob;
  readonly settle: (result: ChunkResult) => void;
  readonly fail: (error: Error) => void;
  /** Whether the server has answered the addition; before that it does not know the job. */
  isAdded: boolean;
  losses: number;
}

/**
 * Jobs of a study that are in the queue. Each one is collected once, by an event of the server or by a poll, and added
 * again where the server has lost it (docs/model/studies.md#lost-data).
 */
export class PendingChunks {
  readonly #queue: Queue<QueuedJob, Outcome[]>;
  readonly #address: string;
  readonly #chunks = new Map<string, PendingChunk>();
  /** Why the last addition failed; empty where it did not. */
  #additionFailure = "";

  /** @param address  of the server, for messages */
  constructor(queue: Queue<QueuedJob, Outcome[]>, address: string) {
    this.#queue = queue;
    this.#address = address;
  }

  get count(): number {
    return this.#chunks.size;
  }

  get jobIds(): string[] {
    return [...this.#chunks.keys()];
  }

  /** Adds a job to the queue. @returns its result, from whichever worker finishes it first */
  run(jobId: string, job: QueuedJob): Promise<ChunkResult> {
    return new Promise((settle, fail) => {
      const chunk = { job, settle, fail, isAdded: false, losses: 0 };
      this.#chunks.set(jobId, chunk);
      this.#add(jobId, chunk);
    });
  }

  /** Collects a job if it is finished. */
  async collect(jobId: string): Promise<void> {
    if (!this.#chunks.has(jobId)) return;
    // The state is read first: a job read before its completion has no outcome yet.
    const state = await this.#queue.getJobState(jobId);
    const chunk = this.#chunks.get(jobId);
    if (chunk === undefined) return;
    if (state === "unknown" && chunk.isAdded) return this.#addAgain(jobId, chunk);
    if (state !== "completed" && state !== "failed") return;
    const job = await this.#queue.getJob(jobId);
    // Event and poll may both see a job: only the first to remove it settles it.
    if (job === undefined || !this.#chunks.delete(jobId)) return;
    const { returnvalue: outcomes, failedReason } = job;
    if (state === "failed") chunk.fail(new QueueError(`a worker could not run a candidate: ${failedReason}`));
    else if (areOutcomesOf(chunk.job, outcomes))
      chunk.settle({ outcomes, tookMs: (job.finishedOn ?? 0) - (job.processedOn ?? 0) });
    else chunk.fail(new QueueError("a job of the study has a result that is not that of its runs; a worker is broken"));
    await job.remove().catch(() => {});
  }

  /** Collects everything that is finished, and adds again what the server has lost. */
  async poll(): Promise<void> {
    for (const jobId of this.jobIds) await this.collect(jobId);
  }

  failAll(error: Error): void {
    for (const { fail } of this.#chunks.values()) fail(error);
  }

  #add(jobId: string, chunk: PendingChunk): void {
    const keep = { age: FILES_TTL_S };
    const options = { jobId, attempts: 1, removeOnComplete: keep, removeOnFail: keep };
    this.#queue
      .add("run", chunk.job, options)
      .then(() => "")
      .catch((error: Error) => error.message)
      .then((failure) => {
        chunk.isAdded = true;
        this.#additionFailure = failure;
      });
  }

  /** A job that was never added, because the server refused it, is unknown too. */
  #addAgain(jobId: string, chunk: PendingChunk): void {
    chunk.losses++;
    if (chunk.losses > LOSSES_MAX) {
      this.#chunks.delete(jobId);
      const refusal = this.#additionFailure === "" ? "" : ` (${this.#additionFailure})`;
      const found = `the Redis server ${this.#address} has lost or refused runs of this study ${LOSSES_MAX} times${refusal}`;
      chunk.fail(
        new QueueError(`${found}; give it memory and maxmemory-policy noeviction, then continue with --resume`),
      );
      return;
    }
    chunk.isAdded = false;
    this.#add(jobId, chunk);
  }
}
