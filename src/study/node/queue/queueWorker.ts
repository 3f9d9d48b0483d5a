import type { Worker } from "bullmq";
import type { Redis } from "ioredis";
import { openThreadPool } from "../../../platform/node/openThreadPool.ts";
import { withAbort } from "../../withAbort.ts";
import type { Outcome } from "../../workers/evaluator.ts";
import type { Executor, OnRunResults } from "../../workers/executor.ts";
import { poolExecutor } from "../poolExecutor.ts";
import { openRedis, RedisWatch } from "./openRedis.ts";
import type { PartTask, PartThreadData } from "./partThread.ts";
import {
  filesKey,
  LOCK_MS,
  PART_TTL_S,
  type PackedPart,
  partKey,
  QUEUE_TIMINGS,
  type QueuedJob,
  type QueuedPart,
  QueueError,
  type QueueTimings,
  RUN_QUEUE,
  STALLED_CHECK_MS,
} from "./queueNames.ts";

interface QueueWorker {
  /** Aborted with a `QueueError` once the server is gone. */
  readonly disconnected: AbortSignal;
  /** Stops taking jobs and terminates active ones. */
  readonly close: () => Promise<void>;
}

/** A job may stall on any number of dying workers: stalling is not the job's failure. */
const STALLED_MAX = 1_000;

/**
 * Takes jobs of other processes' studies and runs from the queue. They run in threads, so that this thread can renew its locks.
 *
 * @throws InputErrors when the server is unreachable; QueueError when it stops answering
 */
export async function startQueueWorker(
  url: string,
  concurrency: number,
  warn: (text: string) => void,
  timings: QueueTimings = QUEUE_TIMINGS,
): Promise<QueueWorker> {
  const { bullmq, redis, address, close: disconnect } = await openRedis(url);
  const watch = new RedisWatch(redis, { address, timings, consequence: "the worker ends", warn });
  const pools = new ThreadPools(redis, watch.disconnected, concurrency);

  const worker: Worker = new bullmq.Worker<AnyJob>(RUN_QUEUE, ({ data }) => pools.run(data), {
    connection: redis,
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: STALLED_MAX,
  });
  worker.on("error", () => {
    // The client reconnects, or the process ends. Active jobs are not affected.
  });
  const close = async (): Promise<void> => {
    // Without the server nothing can be handed back, and an orderly end would wait forever.
    await withAbort(worker.close(watch.disconnected.aborted), watch.disconnected).catch(() => {});
    watch.close();
    await pools.close();
    disconnect();
  };
  try {
    await withAbort(worker.waitUntilReady(), watch.disconnected);
  } catch (error) {
    await close();
    throw error;
  }
  return { disconnected: watch.disconnected, close };
}

/** Threads with the files of one study or run. */
interface JobRunner {
  /** @returns the value of the finished job */
  run(job: AnyJob): Promise<unknown>;
  close(): Promise<void>;
}

type AnyJob = QueuedJob | QueuedPart;

interface ThreadPoolEntry {
  readonly opening: Promise<JobRunner>;
  /** Jobs that use the pool or wait for it. */
  jobCount: number;
  /** Whether no further job may use the pool. */
  isDropped: boolean;
}

/** One pool of threads for each study or run. */
class ThreadPools {
  private readonly redis: Redis;
  private readonly disconnected: AbortSignal;
  private readonly concurrency: number;
  private readonly pools = new Map<string, ThreadPoolEntry>();

  constructor(redis: Redis, disconnected: AbortSignal, concurrency: number) {
    this.redis = redis;
    this.disconnected = disconnected;
    this.concurrency = concurrency;
  }

  async run(job: AnyJob): Promise<unknown> {
    const { studyKey } = job;
    const pool = this.pools.get(studyKey) ?? { opening: this.open(job), jobCount: 0, isDropped: false };
    this.pools.set(studyKey, pool);
    pool.jobCount++;
    try {
      const runner = await pool.opening;
      this.dropIdle();
      return await runner.run(job);
    } catch (error) {
      // Threads that could not start stay unusable: the next job gets new ones, with the files as they are then.
      this.drop(studyKey, pool);
      throw error;
    } finally {
      pool.jobCount--;
      if (pool.isDropped && pool.jobCount === 0) void closePool(pool);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map(closePool));
  }

  private async open(job: AnyJob): Promise<JobRunner> {
    // A server that dies here never answers, and the client waits forever.
    const stored = await withAbort(this.redis.hgetallBuffer(filesKey(job.studyKey)), this.disconnected);
    const files = new Map(Object.entries(stored));
    if (files.size < job.fileCount) throw new QueueError("the Redis server has lost files of the scenario");
    return "part" in job
      ? openPartRunner(job, files, this.concurrency, (part, packed) => this.storePart(part, packed))
      : openStudyRunner(job, files, this.concurrency);
  }

  /** In place of what another worker may have stored, which has the same bytes. */
  private async storePart({ studyKey, part }: QueuedPart, packed: PackedPart): Promise<number> {
    const key = partKey(studyKey, part);
    const pieces = packed.map((piece) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    const storing = this.redis
      .multi()
      .del(key)
      .rpush(key, ...pieces)
      .expire(key, PART_TTL_S)
      .exec();
    for (const [error] of (await withAbort(storing, this.disconnected)) ?? []) if (error !== null) throw error;
    return pieces.length;
  }

  /** A new study or run takes the threads of those without a job. */
  private dropIdle(): void {
    for (const [key, pool] of [...this.pools]) {
      if (pool.jobCount > 0) continue;
      this.drop(key, pool);
      void closePool(pool);
    }
  }

  private drop(studyKey: string, pool: ThreadPoolEntry): void {
    pool.isDropped = true;
    if (this.pools.get(studyKey) === pool) this.pools.delete(studyKey);
  }
}

type Files = ReadonlyMap<string, Uint8Array>;

function openStudyRunner(
  { scenarioFile, forkAtMs, investment }: QueuedJob,
  files: Files,
  concurrency: number,
): JobRunner {
  const executor = poolExecutor(
    { scenarioFile, forkAtMs, ...(investment === undefined ? {} : { investment }), files },
    concurrency,
    1,
  );
  return { run: (job) => runCandidates(executor, job as QueuedJob), close: () => executor.close() };
}

async function runCandidates(executor: Executor, { jobs }: QueuedJob): Promise<readonly Outcome[]> {
  const outcomes = jobs.map((): Outcome[] => []);
  const collect: OnRunResults = (pieces) => {
    for (const { jobIndex: k, seedIndex, outcome } of pieces) outcomes[k][seedIndex] = outcome;
  };
  await executor.run(jobs, collect, new AbortController().signal);
  return outcomes.flat();
}

function openPartRunner(
  { scenarioFile, load }: QueuedPart,
  files: Files,
  concurrency: number,
  store: (job: QueuedPart, packed: PackedPart) => Promise<number>,
): JobRunner {
  const workerData: PartThreadData = { scenarioFile, load, files };
  const url = new URL("./partThread.ts", import.meta.url);
  const { run, close } = openThreadPool({ url, workerData, minThreads: 1, maxThreads: concurrency });
  return {
    run: async (job) => {
      const { part, partCount, options } = job as QueuedPart;
      const task: PartTask = { part, partCount, options };
      return store(job as QueuedPart, await run<PackedPart>(task));
    },
    close,
  };
}

/** What could not be opened needs no closing. */
async function closePool({ opening }: ThreadPoolEntry): Promise<void> {
  const runner = await opening.catch(() => null);
  await runner?.close().catch(() => {});
}
