import type { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { hexId } from "../../base/ids.ts";
import type { ScenarioSource } from "../../scenario/scenarioSource.ts";
import { withAbort } from "../withAbort.ts";
import type { Outcome } from "../workers/evaluator.ts";
import type { Executor, OnRunResults, StudyJob } from "../workers/executor.ts";
import { JobSplitter } from "./jobSplitter.ts";
import { openRedis, type RedisConnection } from "./openRedis.ts";
import { PendingChunks } from "./pendingChunks.ts";
import { FILES_TTL_S, filesKey, QUEUE_TIMINGS, type QueuedJob, type QueueTimings, RUN_QUEUE } from "./queueNames.ts";
import { redactRedisUrl } from "./redactRedisUrl.ts";
import { RedisWatch } from "./redisWatch.ts";
import { WorkerCensus } from "./workerCensus.ts";

/** Concurrent chunks: enough for many workers, few enough to remove quickly. */
const CHUNKS_IN_FLIGHT = 64;
/** Longest time for removing a study from the server, in ms. */
const CLOSE_MS = 5_000;

interface QueueExecutorOptions {
  /** May contain a password, which no message shows. */
  readonly url: string;
  readonly source: ScenarioSource;
  readonly forkAtMs: number | null;
  /** Called with warnings about the server and the workers. */
  readonly warn: (text: string) => void;
  readonly timings?: QueueTimings;
}

/** What all chunks of a study have in common. */
type StudyOfJob = Omit<QueuedJob, "jobs">;

/**
 * Dispatches jobs to `vppsim worker` processes through a Redis server. The scenario's files are stored with the study,
 * so workers need no copy. Another worker repeats the job of a worker that dies. A job counts once, however often it
 * ran. What the server loses is stored again (docs/model/studies.md#lost-data).
 */
export class QueueExecutor implements Executor {
  readonly concurrency = CHUNKS_IN_FLIGHT;
  readonly #redis: Redis;
  readonly #queue: Queue<QueuedJob, Outcome[]>;
  readonly #events: QueueEvents;
  readonly #disconnect: () => void;
  readonly #watch: RedisWatch;
  readonly #census: WorkerCensus;
  readonly #chunks: PendingChunks;
  readonly #study: StudyOfJob;
  readonly #files: ReadonlyMap<string, Buffer>;
  readonly #timer: NodeJS.Timeout;
  #isPolling = false;
  #jobCount = 0;

  /** @throws InputErrors when the server is unreachable; QueueError when it stops answering */
  static async open(options: QueueExecutorOptions): Promise<QueueExecutor> {
    const executor = new QueueExecutor(await openRedis(options.url), options);
    try {
      await executor.#guard(executor.#publishFiles());
      await executor.#guard(executor.#events.waitUntilReady());
      await executor.#guard(executor.#census.begin());
      return executor;
    } catch (error) {
      await executor.close();
      throw error;
    }
  }

  private constructor({ bullmq, redis, close }: RedisConnection, options: QueueExecutorOptions) {
    const { source, forkAtMs, url, warn, timings = QUEUE_TIMINGS } = options;
    const address = redactRedisUrl(url);
    this.#files = filesOf(source);
    // not simulated: identifies this study among those of other processes; no result depends on it.
    const studyKey = hexId(`${process.pid} ${performance.timeOrigin} ${performance.now()}`);
    this.#study = { studyKey, fileCount: this.#files.size, scenarioFile: source.file, forkAtMs };
    this.#redis = redis;
    this.#disconnect = close;
    this.#queue = new bullmq.Queue(RUN_QUEUE, { connection: redis });
    this.#events = new bullmq.QueueEvents(RUN_QUEUE, { connection: redis });
    // The client reconnects; the watch says when it cannot.
    const ignore = (): void => {};
    this.#queue.on("error", ignore);
    this.#events.on("error", ignore);
    const consequence = "finished runs are stored, and --resume continues from them";
    this.#watch = new RedisWatch(redis, { address, timings, consequence, warn });
    this.#census = new WorkerCensus(this.#queue, redis, { address, warn });
    this.#chunks = new PendingChunks(this.#queue, address);
    this.#watch.lost.addEventListener("abort", () => this.#chunks.failAll(this.#watch.lost.reason as Error));
    const collect = ({ jobId }: { readonly jobId: string }) => void this.#chunks.collect(jobId).catch(() => {});
    this.#events.on("completed", collect);
    this.#events.on("failed", collect);
    // not simulated: polls the server, not the simulated world.
    this.#timer = setInterval(() => this.#poll(), timings.pollMs);
  }

  /** Connected workers of this version. */
  workerCount(): Promise<number> {
    return this.#guard(this.#census.count());
  }

  async run(jobs: readonly StudyJob[], report: OnRunResults, signal: AbortSignal): Promise<void> {
    const splitter = new JobSplitter(jobs, await this.workerCount());
    const dispatchChunks = async (): Promise<void> => {
      for (let chunk = splitter.nextChunk(); chunk !== null; chunk = splitter.nextChunk()) {
        signal.throwIfAborted();
        this.#watch.lost.throwIfAborted();
        const { runs } = chunk;
        const jobId = `${this.#study.studyKey}-${this.#jobCount++}`;
        const { outcomes, tookMs } = await this.#chunks.run(jobId, { ...this.#study, jobs: chunk.jobs });
        splitter.recordDuration(runs.length, tookMs);
        report(runs.map(({ jobIndex, seedIndex }, k) => ({ jobIndex, seedIndex, outcome: outcomes[k] })));
      }
    };
    const stop = () => this.#chunks.failAll(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    try {
      await Promise.all(Array.from({ length: CHUNKS_IN_FLIGHT }, dispatchChunks));
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Removes what is left of the study from the server, if it answers. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const limit = AbortSignal.any([this.#watch.lost, AbortSignal.timeout(CLOSE_MS)]);
    await withAbort(this.#removeStudy(), limit).catch(() => {});
    this.#watch.close();
    void Promise.allSettled([this.#events.close(), this.#queue.close()]);
    this.#disconnect();
  }

  async #removeStudy(): Promise<void> {
    // Pending jobs are removed; active jobs run to their end.
    for (const jobId of this.#chunks.jobIds) await this.#queue.remove(jobId).catch(() => 0);
    await this.#redis.del(filesKey(this.#study.studyKey));
  }

  /** @throws QueueError when the server is gone, where the work would wait for ever */
  #guard<Result>(work: Promise<Result>): Promise<Result> {
    return withAbort(work, this.#watch.lost);
  }

  #poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const poll = async (): Promise<void> => {
      if (this.#chunks.count > 0 && (await this.#hasLostFiles())) await this.#publishFiles();
      await this.#chunks.poll();
      await this.#census.poll(this.#chunks.count);
    };
    // What fails here fails again at the next poll, or when a job is added.
    poll()
      .catch(() => {})
      .finally(() => {
        this.#isPolling = false;
      });
  }

  async #hasLostFiles(): Promise<boolean> {
    return (await this.#redis.hlen(filesKey(this.#study.studyKey))) !== this.#files.size;
  }

  /** Stores every file that a build of the scenario reads, all at once: no worker sees a part of them. */
  async #publishFiles(): Promise<void> {
    const key = filesKey(this.#study.studyKey);
    await this.#redis.multi().hset(key, new Map(this.#files)).expire(key, FILES_TTL_S).exec();
  }
}

function filesOf({ files, readFiles }: ScenarioSource): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  for (const path of readFiles.keys()) {
    const content = files.read(path);
    if (content !== null) contents.set(path, content);
  }
  return contents;
}
