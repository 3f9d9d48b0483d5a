import type { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { hexId } from "../../../base/ids.ts";
import { inputRefusal } from "../../../base/inputError.ts";
import type { ScenarioSource } from "../../../inputs/scenario/scenarioSource.ts";
import { VERSION } from "../../../version.ts";
import { withAbort } from "../../withAbort.ts";
import { openRedis, type RedisConnection, RedisWatch } from "./openRedis.ts";
import {
  FILES_TTL_S,
  filesKey,
  type JobFiles,
  QUEUE_TIMINGS,
  QueueError,
  type QueueTimings,
  RUN_QUEUE,
} from "./queueNames.ts";

/** Concurrent jobs: enough for many workers, few enough to remove quickly. */
export const JOBS_IN_FLIGHT = 64;
/** Longest time for removing everything from the server, in ms. */
const CLOSE_MS = 5_000;

export interface QueueClientOptions {
  /** May contain a password, which no message shows. */
  readonly url: string;
  readonly source: ScenarioSource;
  /** Called with warnings about the server and the workers. */
  readonly warn: (text: string) => void;
  readonly timings?: QueueTimings;
}

/** Value that a worker returned for a job, and how long it took, in ms. */
interface JobResult<Result> {
  readonly result: Result;
  readonly tookMs: number;
}

interface PendingJob<Result> {
  readonly settle: (result: JobResult<Result>) => void;
  readonly fail: (error: Error) => void;
  /** Whether the server has answered the addition; before that it does not know the job. */
  isAdded: boolean;
}

/**
 * Hands jobs of one study or run to `vppsim worker` processes through a Redis server. The scenario's files are stored beside
 * them, so workers need no copy. Another worker repeats the job of a worker that dies. A server that loses a job ends the study or
 * run (docs/model/studies.md#lost-data).
 */
export class QueueClient<Job extends object, Result> {
  readonly redis: Redis;
  readonly jobFiles: JobFiles;
  private readonly address: string;
  private readonly consequence: string;
  private readonly queue: Queue;
  private readonly events: QueueEvents;
  private readonly disconnect: () => void;
  private readonly watch: RedisWatch;
  /** By id. */
  private readonly pending = new Map<string, PendingJob<Result>>();
  private readonly timer: NodeJS.Timeout;
  private jobCount = 0;

  /**
   * @param consequence  of an error of the server, for its message
   * @throws InputErrors when the server is unreachable or a file has changed; QueueError when it stops answering
   */
  static async open<Job extends object, Result>(
    options: QueueClientOptions,
    consequence: string,
  ): Promise<QueueClient<Job, Result>> {
    const files = filesOf(options.source);
    const connection = await openRedis(options.url);
    const client = new QueueClient<Job, Result>(connection, files.size, options, consequence);
    try {
      const key = filesKey(client.jobFiles.studyKey);
      // All at once: no worker sees a part of them.
      await client.guard(connection.redis.multi().hset(key, files).expire(key, FILES_TTL_S).exec());
      await client.guard(client.events.waitUntilReady());
      if ((await client.workerCount()) === 0)
        options.warn(
          `no worker of vppsim ${VERSION} is connected; start one with vppsim worker --redis ${connection.address}`,
        );
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  private constructor(
    { bullmq, redis, address, close }: RedisConnection,
    fileCount: number,
    { source, warn, timings = QUEUE_TIMINGS }: QueueClientOptions,
    consequence: string,
  ) {
    // not simulated: identifies this study or run among those of other processes; no result depends on it.
    const studyKey = hexId(`${process.pid} ${performance.timeOrigin} ${performance.now()}`);
    this.jobFiles = { studyKey, fileCount, scenarioFile: source.file, investment: source.investment };
    this.redis = redis;
    this.address = address;
    this.consequence = consequence;
    this.disconnect = close;
    this.queue = new bullmq.Queue(RUN_QUEUE, { connection: redis });
    this.events = new bullmq.QueueEvents(RUN_QUEUE, { connection: redis });
    // The client reconnects; the watch says when it cannot.
    const ignore = (): void => {};
    this.queue.on("error", ignore);
    this.events.on("error", ignore);
    this.watch = new RedisWatch(redis, { address, timings, consequence, warn });
    this.watch.disconnected.addEventListener("abort", () => this.failAll(this.watch.disconnected.reason as Error));
    const collect = (jobId: string): void => void this.collect(jobId).catch(ignore);
    this.events.on("completed", ({ jobId }) => collect(jobId));
    this.events.on("failed", ({ jobId }) => collect(jobId));
    // not simulated: polls the server, not the simulated world. An event may be lost while the client reconnects.
    this.timer = setInterval(() => [...this.pending.keys()].forEach(collect), timings.pollMs);
  }

  /** Connected workers of this version. */
  async workerCount(): Promise<number> {
    return (await this.guard(this.queue.getWorkers())).length;
  }

  /** @throws QueueError when a worker could not run the job, or the server refuses it, has lost it or is gone */
  async run(job: Job): Promise<JobResult<Result>> {
    this.watch.disconnected.throwIfAborted();
    const jobId = `${this.jobFiles.studyKey}-${this.jobCount++}`;
    const keep = { age: FILES_TTL_S };
    const options = { jobId, attempts: 1, removeOnComplete: keep, removeOnFail: keep };
    return new Promise((settle, fail) => {
      const pending = { settle, fail, isAdded: false };
      this.pending.set(jobId, pending);
      this.queue.add("run", { ...job, ...this.jobFiles }, options).then(
        () => {
          pending.isAdded = true;
        },
        (error: Error) => {
          this.pending.delete(jobId);
          fail(this.error(`refuses a job (${error.message}); give it memory and maxmemory-policy noeviction`));
        },
      );
    });
  }

  /** @param found  what the server does, after its name */
  error(found: string): QueueError {
    return new QueueError(`the Redis server ${this.address} ${found}; ${this.consequence}`);
  }

  /** Fails all pending jobs. */
  failAll(error: Error): void {
    for (const { fail } of this.pending.values()) fail(error);
  }

  /** Removes what is left from the server, if it answers. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    const limit = AbortSignal.any([this.watch.disconnected, AbortSignal.timeout(CLOSE_MS)]);
    await withAbort(this.remove(), limit).catch(() => {});
    this.watch.close();
    void Promise.allSettled([this.events.close(), this.queue.close()]);
    this.disconnect();
  }

  private async remove(): Promise<void> {
    // Active jobs run to their end.
    for (const jobId of this.pending.keys()) await this.queue.remove(jobId).catch(() => 0);
    await this.redis.del(filesKey(this.jobFiles.studyKey));
  }

  /** Settles a job that is finished, and fails one that the server has lost. */
  private async collect(jobId: string): Promise<void> {
    const pending = this.pending.get(jobId);
    if (pending?.isAdded !== true) return;
    const state = await this.queue.getJobState(jobId);
    if (!["completed", "failed", "unknown"].includes(state)) return;
    const found = await this.queue.getJob(jobId);
    // Event and poll may both find a job.
    if (!this.pending.delete(jobId)) return;
    if (found === undefined)
      return pending.fail(this.error("has lost data; give it memory and maxmemory-policy noeviction"));
    const { returnvalue, failedReason, finishedOn = 0, processedOn = 0 } = found;
    if (state === "failed") pending.fail(new QueueError(`a worker failed: ${failedReason}; ${this.consequence}`));
    else pending.settle({ result: returnvalue, tookMs: finishedOn - processedOn });
    await found.remove();
  }

  /** @throws QueueError when the server is gone, where the work would wait forever */
  private guard<Answer>(work: Promise<Answer>): Promise<Answer> {
    return withAbort(work, this.watch.disconnected);
  }
}

/** @throws InputErrors when a file is not as it was when the scenario was read */
function filesOf({ files, readFiles }: ScenarioSource): Map<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>();
  for (const [path, digest] of [...readFiles]) {
    const content = files.read(path);
    if (content === null || readFiles.get(path) !== digest)
      throw inputRefusal(
        path,
        "another content than when the scenario was read",
        "a file that nobody changes meanwhile",
      );
    contents.set(path, content);
  }
  return contents;
}
