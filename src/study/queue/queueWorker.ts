import type { Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { withAbort } from "../withAbort.ts";
import type { Outcome } from "../workers/evaluator.ts";
import type { Executor, OnRunResults } from "../workers/executor.ts";
import { poolExecutor } from "../workers/poolExecutor.ts";
import { openRedis } from "./openRedis.ts";
import {
  filesKey,
  isQueuedJob,
  LOCK_MS,
  QUEUE_TIMINGS,
  type QueuedJob,
  type QueueTimings,
  RUN_QUEUE,
  STALLED_CHECK_MS,
} from "./queueNames.ts";
import { redactRedisUrl } from "./redactRedisUrl.ts";
import { RedisWatch } from "./redisWatch.ts";

interface QueueWorker {
  /** Aborted with a `QueueError` once the server is gone. */
  readonly lost: AbortSignal;
  /** Stops taking jobs and terminates active ones. */
  readonly close: () => Promise<void>;
}

/** A job may stall on any number of dying workers: stalling is not the job's failure. */
const STALLED_MAX = 1_000;

/** First and longest delay, in ms, of a job that this worker cannot run now. */
const DELAY_MS = 1_000;
const DELAY_MAX_MS = 60_000;

/**
 * Takes jobs of other processes' studies from the queue. They run in threads, so that this thread can renew its locks.
 *
 * @throws InputErrors when the server is unreachable; QueueError when it stops answering
 */
export async function startQueueWorker(
  url: string,
  concurrency: number,
  warn: (text: string) => void,
  timings: QueueTimings = QUEUE_TIMINGS,
): Promise<QueueWorker> {
  const { bullmq, redis, close: disconnect } = await openRedis(url);
  const address = redactRedisUrl(url);
  const watch = new RedisWatch(redis, { address, timings, consequence: "the worker ends", warn });
  const pools = new StudyPools(redis, watch.lost, concurrency);

  /** A job of somebody else stays in the queue, and so does one whose files are not there yet. */
  const run = async (job: Job<QueuedJob, Outcome[]>, token: string | undefined): Promise<Outcome[]> => {
    const outcomes = isQueuedJob(job.data) ? await pools.run(job.data) : null;
    if (outcomes !== null) return outcomes;
    const delayMs = Math.min(DELAY_MAX_MS, DELAY_MS * 2 ** Math.min(job.attemptsStarted, 6));
    // not simulated: the time at which the job is offered again.
    await job.moveToDelayed(Date.now() + delayMs, token);
    throw new bullmq.DelayedError();
  };

  const worker: Worker<QueuedJob, Outcome[]> = new bullmq.Worker(RUN_QUEUE, run, {
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
    // Without the server nothing can be handed back, and an orderly end would wait for ever.
    await withAbort(worker.close(watch.lost.aborted), watch.lost).catch(() => {});
    watch.close();
    await pools.close();
    disconnect();
  };
  try {
    await withAbort(worker.waitUntilReady(), watch.lost);
  } catch (error) {
    await close();
    throw error;
  }
  return { lost: watch.lost, close };
}

interface StudyPool {
  /** `null` where the server does not have all files of the study. */
  readonly opening: Promise<Executor | null>;
  /** Jobs that use the pool or wait for it. */
  jobCount: number;
  /** Whether no further job may use the pool. */
  isDropped: boolean;
}

/** Threads with the files of a study, one pool for each study. */
class StudyPools {
  readonly #redis: Redis;
  readonly #lost: AbortSignal;
  readonly #concurrency: number;
  readonly #pools = new Map<string, StudyPool>();

  constructor(redis: Redis, lost: AbortSignal, concurrency: number) {
    this.#redis = redis;
    this.#lost = lost;
    this.#concurrency = concurrency;
  }

  /** @returns `null` while the server does not have all files of the study */
  async run(job: QueuedJob): Promise<Outcome[] | null> {
    const { studyKey } = job;
    const study = this.#pools.get(studyKey) ?? { opening: this.#open(job), jobCount: 0, isDropped: false };
    this.#pools.set(studyKey, study);
    study.jobCount++;
    try {
      const executor = await study.opening;
      if (executor === null) this.#drop(studyKey, study);
      this.#dropIdle();
      return executor === null ? null : await runJob(executor, job);
    } catch (error) {
      // Threads that could not start stay unusable: the next job gets new ones, with the files as they are then.
      this.#drop(studyKey, study);
      throw error;
    } finally {
      study.jobCount--;
      if (study.isDropped && study.jobCount === 0) void closePool(study);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map(closePool));
  }

  async #open({ studyKey, scenarioFile, forkAtMs, fileCount }: QueuedJob): Promise<Executor | null> {
    // A server that dies here never answers, and the client waits for ever.
    const stored = await withAbort(this.#redis.hgetallBuffer(filesKey(studyKey)), this.#lost);
    const files = new Map(Object.entries(stored));
    if (files.size < fileCount) return null;
    return poolExecutor({ scenarioFile, forkAtMs, files }, this.#concurrency, 1);
  }

  /** A new study takes the threads of studies without a job. */
  #dropIdle(): void {
    for (const [key, study] of [...this.#pools]) {
      if (study.jobCount > 0) continue;
      this.#drop(key, study);
      void closePool(study);
    }
  }

  #drop(studyKey: string, study: StudyPool): void {
    study.isDropped = true;
    if (this.#pools.get(studyKey) === study) this.#pools.delete(studyKey);
  }
}

async function runJob(executor: Executor, { jobs }: QueuedJob): Promise<Outcome[]> {
  const outcomes = jobs.map((): Outcome[] => []);
  const collect: OnRunResults = (pieces) => {
    for (const { jobIndex: k, seedIndex, outcome } of pieces) outcomes[k][seedIndex] = outcome;
  };
  await executor.run(jobs, collect, new AbortController().signal);
  return outcomes.flat();
}

/** What could not be opened needs no closing. */
async function closePool({ opening }: StudyPool): Promise<void> {
  const executor = await opening.catch(() => null);
  await executor?.close().catch(() => {});
}
