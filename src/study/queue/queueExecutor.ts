import type { Job as BullJob, Queue, QueueEvents } from "bullmq";
import { hexId } from "../../base/ids.ts";
import type { ScenarioSource } from "../../scenario/scenarioSource.ts";
import { VERSION } from "../../version.ts";
import type { Outcome } from "../workers/evaluator.ts";
import type { Executor } from "../workers/executor.ts";
import { JobSplitter } from "./jobSplitter.ts";
import { openRedis, type RedisConnection } from "./openRedis.ts";
import { FILES_TTL_S, filesKey, type QueuedJob, RUN_QUEUE } from "./queueNames.ts";

/** Concurrent chunks: enough for many workers, few enough to remove quickly. */
const CHUNKS_IN_FLIGHT = 64;
/** Polling interval for pending jobs, in ms: a lost event then loses no job. */
const POLL_INTERVAL_MS = 2_000;

/** Outcomes of a chunk, and its duration on the worker, in ms. */
interface ChunkResult {
  readonly outcomes: readonly Outcome[];
  readonly tookMs: number;
}

interface PendingChunk {
  readonly settle: (result: ChunkResult) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Dispatches jobs to `vppsim worker` processes through a Redis server. The scenario's files are stored with the study,
 * so workers need no copy. Another worker repeats the job of a worker that dies. A job counts once, however often it
 * ran.
 *
 * @throws InputErrors when the server is unreachable
 */
export async function queueExecutor(
  url: string,
  source: ScenarioSource,
  forkAtMs: number | null,
): Promise<Executor & { readonly workerCount: () => Promise<number> }> {
  const redisConnection = await openRedis(url);
  const { bullmq, redis } = redisConnection;
  // not simulated: identifies this study among those of other processes; no result depends on it.
  const studyKey = hexId(`${process.pid} ${performance.timeOrigin} ${performance.now()}`);
  await publishFiles(redisConnection, studyKey, source);
  const queue: Queue<QueuedJob, Outcome[]> = new bullmq.Queue(RUN_QUEUE, { connection: redis });
  const connection = redis.duplicate();
  const events: QueueEvents = new bullmq.QueueEvents(RUN_QUEUE, { connection });
  await events.waitUntilReady();
  const pending = new Map<string, PendingChunk>();
  const collector = collectResults(queue, pending);
  events.on("completed", ({ jobId }) => void collector.one(jobId));
  events.on("failed", ({ jobId, failedReason }) => collector.failed(jobId, failedReason));
  let count = 0;
  const runChunk = async (jobs: QueuedJob["jobs"]): Promise<ChunkResult> => {
    const job = { jobs, studyKey, scenarioFile: source.file, forkAtMs, version: VERSION };
    const jobId = `${studyKey}-${count++}`;
    const result = new Promise<ChunkResult>((settle, fail) => pending.set(jobId, { settle, fail }));
    await queue.add("run", job, { jobId, attempts: 1, removeOnComplete: { age: FILES_TTL_S }, removeOnFail: true });
    return result;
  };
  return {
    concurrency: CHUNKS_IN_FLIGHT,
    workerCount: async () => (await queue.getWorkers()).length,
    async run(jobs, report, signal) {
      const splitter = new JobSplitter(jobs, (await queue.getWorkers()).length);
      const dispatchChunks = async (): Promise<void> => {
        for (let chunk = splitter.nextChunk(); chunk !== null; chunk = splitter.nextChunk()) {
          signal.throwIfAborted();
          const { runs } = chunk;
          const { outcomes, tookMs } = await runChunk(chunk.jobs);
          splitter.recordDuration(runs.length, tookMs);
          report(runs.map(({ jobIndex, seedIndex }, k) => ({ jobIndex, seedIndex, outcome: outcomes[k] })));
        }
      };
      const stop = () => collector.failAll(signal.reason as Error);
      signal.addEventListener("abort", stop, { once: true });
      try {
        await Promise.all(Array.from({ length: CHUNKS_IN_FLIGHT }, dispatchChunks));
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    async close() {
      collector.stop();
      // Pending jobs are removed; active jobs run to their end.
      for (const jobId of pending.keys()) await queue.remove(jobId).catch(() => 0);
      await redis.del(filesKey(studyKey));
      await events.close();
      await queue.close();
      connection.disconnect();
      redis.disconnect();
    },
  };
}

/** Stores every file that a build of the scenario reads. */
async function publishFiles({ redis }: RedisConnection, studyKey: string, source: ScenarioSource): Promise<void> {
  const key = filesKey(studyKey);
  for (const path of source.readPaths) {
    const content = source.files.read(path);
    if (content !== null) await redis.hset(key, path, content);
  }
  await redis.expire(key, FILES_TTL_S);
}

/** Collects finished jobs: on an event, and by polling. */
function collectResults(queue: Queue<QueuedJob, Outcome[]>, pending: Map<string, PendingChunk>) {
  const collect = async (jobId: string): Promise<void> => {
    if (!pending.has(jobId)) return;
    // The state is read first: a job read before its completion has no outcome yet.
    const state = await queue.getJobState(jobId);
    if (state !== "completed" && state !== "failed") return;
    const job: BullJob<QueuedJob, Outcome[]> | undefined = await queue.getJob(jobId);
    if (job === undefined) return;
    if (state === "failed") return failed(jobId, job.failedReason);
    // Event and poll may both see a job: only the first to remove it from `pending` settles it.
    const result = pending.get(jobId);
    if (result === undefined || !pending.delete(jobId)) return;
    result.settle({ outcomes: job.returnvalue, tookMs: (job.finishedOn ?? 0) - (job.processedOn ?? 0) });
    await job.remove().catch(() => {});
  };
  const failed = (jobId: string, reason: string): void => {
    const result = pending.get(jobId);
    if (result === undefined) return;
    pending.delete(jobId);
    result.fail(new Error(`a worker could not run a candidate: ${reason}`));
  };
  const failAll = (error: Error): void => {
    for (const { fail } of pending.values()) fail(error);
  };
  // not simulated: polls the server, not the simulated world.
  const timer = setInterval(() => {
    for (const jobId of pending.keys()) collect(jobId).catch(() => {});
  }, POLL_INTERVAL_MS);
  return { one: (jobId: string) => collect(jobId).catch(() => {}), failed, failAll, stop: () => clearInterval(timer) };
}
