import type { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { hexId } from "../../base/ids.ts";
import { inputRefusal } from "../../scenario/parse/inputError.ts";
import type { ScenarioSource } from "../../scenario/scenarioSource.ts";
import { withAbort } from "../withAbort.ts";
import { openRedis, type RedisConnection } from "./openRedis.ts";
import { type JobResult, PendingJobs } from "./pendingJobs.ts";
import {
  FILES_TTL_S,
  filesDigestOf,
  filesKey,
  type JobFiles,
  QUEUE_TIMINGS,
  type QueueTimings,
  RUN_QUEUE,
} from "./queueNames.ts";
import { redactRedisUrl } from "./redactRedisUrl.ts";
import { RedisWatch } from "./redisWatch.ts";
import { WorkerCensus } from "./workerCensus.ts";

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

/** How the jobs of one kind are described and read. */
interface JobKind<Job, Result> {
  /** What a message calls a job, as `a candidate`, and all jobs, as `runs of this study`. */
  readonly one: string;
  readonly what: string;
  /** What can be done where the server loses jobs, for a message. */
  readonly remedy: string;
  /** What happens when the server is gone, for a message. */
  readonly consequence: string;
  /** As in `PendingJobs`. */
  readonly read: (redis: Redis, job: Job & JobFiles, returned: unknown) => Promise<Result | null>;
}

/**
 * Hands jobs of one study or run to `vppsim worker` processes through a Redis server. The scenario's files are stored beside
 * them, so workers need no copy. Another worker repeats the job of a worker that dies. A job counts once, however often it
 * ran. What the server loses is stored again (docs/model/studies.md#lost-data).
 */
export class QueueClient<Job extends object, Result> {
  readonly #redis: Redis;
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #disconnect: () => void;
  readonly #watch: RedisWatch;
  readonly #census: WorkerCensus;
  readonly #pending: PendingJobs<Job & JobFiles, Result>;
  readonly #jobFiles: JobFiles;
  readonly #files: ReadonlyMap<string, Buffer>;
  readonly #timer: NodeJS.Timeout;
  #isPolling = false;
  #jobCount = 0;

  /** @throws InputErrors when the server is unreachable or a file has changed; QueueError when it stops answering */
  static async open<Job extends object, Result>(
    options: QueueClientOptions,
    kind: JobKind<Job, Result>,
  ): Promise<QueueClient<Job, Result>> {
    const files = filesOf(options.source);
    const client = new QueueClient(await openRedis(options.url), files, options, kind);
    try {
      await client.#guard(client.#publishFiles());
      await client.#guard(client.#events.waitUntilReady());
      await client.#guard(client.#census.begin());
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  private constructor(
    { bullmq, redis, close }: RedisConnection,
    files: ReadonlyMap<string, Buffer>,
    { source, url, warn, timings = QUEUE_TIMINGS }: QueueClientOptions,
    { consequence, read, ...words }: JobKind<Job, Result>,
  ) {
    const address = redactRedisUrl(url);
    this.#files = files;
    // not simulated: identifies this study or run among those of other processes; no result depends on it.
    const studyKey = hexId(`${process.pid} ${performance.timeOrigin} ${performance.now()}`);
    const filesDigest = filesDigestOf(files);
    this.#jobFiles = { studyKey, fileCount: files.size, filesDigest, scenarioFile: source.file };
    this.#redis = redis;
    this.#disconnect = close;
    this.#queue = new bullmq.Queue(RUN_QUEUE, { connection: redis });
    this.#events = new bullmq.QueueEvents(RUN_QUEUE, { connection: redis });
    // The client reconnects; the watch says when it cannot.
    const ignore = (): void => {};
    this.#queue.on("error", ignore);
    this.#events.on("error", ignore);
    this.#watch = new RedisWatch(redis, { address, timings, consequence, warn });
    this.#census = new WorkerCensus(this.#queue, redis, { address, warn });
    const readResult = (job: Job & JobFiles, returned: unknown) => read(redis, job, returned);
    this.#pending = new PendingJobs(this.#queue, { address, ...words, read: readResult });
    this.#watch.lost.addEventListener("abort", () => this.failAll(this.#watch.lost.reason as Error));
    const collect = ({ jobId }: { readonly jobId: string }) => void this.#pending.collect(jobId).catch(() => {});
    this.#events.on("completed", collect);
    this.#events.on("failed", collect);
    // not simulated: polls the server, not the simulated world.
    this.#timer = setInterval(() => this.#poll(), timings.pollMs);
  }

  /** Connected workers of this version. */
  workerCount(): Promise<number> {
    return this.#guard(this.#census.count());
  }

  /** @throws QueueError when a worker could not run the job, or the server has lost it too often or is gone */
  async run(job: Job): Promise<JobResult<Result>> {
    this.#watch.lost.throwIfAborted();
    return this.#pending.run(`${this.#jobFiles.studyKey}-${this.#jobCount++}`, { ...job, ...this.#jobFiles });
  }

  /** Fails all pending jobs. */
  failAll(error: Error): void {
    this.#pending.failAll(error);
  }

  /** Removes what is left from the server, if it answers. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const limit = AbortSignal.any([this.#watch.lost, AbortSignal.timeout(CLOSE_MS)]);
    await withAbort(this.#remove(), limit).catch(() => {});
    this.#watch.close();
    void Promise.allSettled([this.#events.close(), this.#queue.close()]);
    this.#disconnect();
  }

  async #remove(): Promise<void> {
    // Pending jobs are removed; active jobs run to their end.
    for (const jobId of this.#pending.jobIds) await this.#queue.remove(jobId).catch(() => 0);
    await this.#redis.del(filesKey(this.#jobFiles.studyKey));
  }

  /** @throws QueueError when the server is gone, where the work would wait forever */
  #guard<Answer>(work: Promise<Answer>): Promise<Answer> {
    return withAbort(work, this.#watch.lost);
  }

  #poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const poll = async (): Promise<void> => {
      if (this.#pending.count > 0 && (await this.#hasLostFiles())) await this.#publishFiles();
      await this.#pending.poll();
      await this.#census.poll(this.#pending.count);
    };
    // What fails here fails again at the next poll, or when a job is added.
    poll()
      .catch(() => {})
      .finally(() => {
        this.#isPolling = false;
      });
  }

  async #hasLostFiles(): Promise<boolean> {
    return (await this.#redis.hlen(filesKey(this.#jobFiles.studyKey))) !== this.#files.size;
  }

  /** Stores every file that a build of the scenario reads, all at once: no worker sees a part of them. */
  async #publishFiles(): Promise<void> {
    const key = filesKey(this.#jobFiles.studyKey);
    await this.#redis.multi().hset(key, new Map(this.#files)).expire(key, FILES_TTL_S).exec();
  }
}

/** @throws InputErrors when a file is not as it was when the scenario was read */
function filesOf({ files, readFiles }: ScenarioSource): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
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
