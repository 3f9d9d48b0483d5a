import type { Job as BullJob, Queue, QueueEvents } from "bullmq";
import { hexId } from "../../base/ids.ts";
import type { ScenarioSource } from "../../scenario/scenarioSource.ts";
import { VERSION } from "../../version.ts";
import type { Outcome } from "../workers/evaluator.ts";
import type { Executor } from "../workers/executor.ts";
import { JobSplitter } from "./jobSplitter.ts";
import { openRedis, type RedisConnection } from "./openRedis.ts";
import { FILES_TTL_S, filesKey, type QueuedJob, RUN_QUEUE } from "./queueNames.ts";

/** Parcels handed out at one time: enough for many workers, few enough to be taken back soon. */
const CHUNKS_IN_FLIGHT = 64;
/** How often jobs that nobody has told of are asked for, in ms: a message that got lost loses no job. */
const POLL_INTERVAL_MS = 2_000;

/** What came of a parcel, and how long its worker took, in ms. */
interface ChunkResult {
  readonly outcomes: readonly Outcome[];
  readonly tookMs: number;
}

interface PendingChunk {
  readonly settle: (answer: ChunkResult) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Hands jobs to `vppsim worker` processes through a Redis server. The scenario's files travel with the study, so that
 * workers need none of them; a job of a worker that dies is given to another one, and a job counts once, however often
 * it was run.
 *
 * @throws InputErrors when there is no such server
 */
export async function queueExecutor(
  url: string,
  source: ScenarioSource,
  forkAtMs: number | null,
): Promise<Executor & { readonly workerCount: () => Promise<number> }> {
  const open = await openRedis(url);
  const { bullmq, redis } = open;
  // not simulated: the name of this study among those of other processes; no result depends on it.
  const studyKey = hexId(`${process.pid} ${performance.timeOrigin} ${performance.now()}`);
  await publishFiles(open, studyKey, source);
  const queue: Queue<QueuedJob, Outcome[]> = new bullmq.Queue(RUN_QUEUE, { connection: redis });
  const connection = redis.duplicate();
  const events: QueueEvents = new bullmq.QueueEvents(RUN_QUEUE, { connection });
  await events.waitUntilReady();
  const waiting = new Map<string, PendingChunk>();
  const asking = collectResults(queue, waiting);
  events.on("completed", ({ jobId }) => void asking.one(jobId));
  events.on("failed", ({ jobId, failedReason }) => asking.failed(jobId, failedReason));
  let count = 0;
  const runOne = async (job: QueuedJob): Promise<ChunkResult> => {
    const jobId = `${studyKey}-${count++}`;
    const answer = new Promise<ChunkResult>((settle, fail) => waiting.set(jobId, { settle, fail }));
    await queue.add("run", job, { jobId, attempts: 1, removeOnComplete: { age: FILES_TTL_S }, removeOnFail: true });
    return answer;
  };
  return {
    concurrency: CHUNKS_IN_FLIGHT,
    workerCount: async () => (await queue.getWorkers()).length,
    async run(jobs, report, signal) {
      const parcels = new JobSplitter(jobs, (await queue.getWorkers()).length);
      const take = async (): Promise<void> => {
        for (let parcel = parcels.nextChunk(); parcel !== null; parcel = parcels.nextChunk()) {
          signal.throwIfAborted();
          const { runs } = parcel;
          const sent = { jobs: parcel.jobs, studyKey, scenarioFile: source.file, forkAtMs, version: VERSION };
          const { outcomes, tookMs } = await runOne(sent);
          parcels.recordDuration(runs.length, tookMs);
          report(
            runs.map(({ jobIndex, seedIndex }, k) => ({
              jobIndex,
              seedIndex,
              outcome: outcomes[k],
            })),
          );
        }
      };
      const stop = () => {
        for (const { fail } of waiting.values()) fail(signal.reason as Error);
      };
      signal.addEventListener("abort", stop, { once: true });
      try {
        await Promise.all(Array.from({ length: CHUNKS_IN_FLIGHT }, take));
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    async close() {
      asking.stop();
      // What was handed out and not run is taken back; what runs ends by itself.
      for (const jobId of waiting.keys()) await queue.remove(jobId).catch(() => 0);
      await redis.del(filesKey(studyKey));
      await events.close();
      await queue.close();
      connection.disconnect();
      redis.disconnect();
    },
  };
}

/** Everything that a build of the scenario reads. */
async function publishFiles({ redis }: RedisConnection, studyKey: string, source: ScenarioSource): Promise<void> {
  const key = filesKey(studyKey);
  for (const path of source.readPaths) {
    const content = source.files.read(path);
    if (content !== null) await redis.hset(key, path, content);
  }
  await redis.expire(key, FILES_TTL_S);
}

/** Takes in what workers have finished: when told, and every now and then unasked. */
function collectResults(queue: Queue<QueuedJob, Outcome[]>, waiting: Map<string, PendingChunk>) {
  const one = async (jobId: string): Promise<void> => {
    if (!waiting.has(jobId)) return;
    // The state first: a job read before it was completed has no outcome yet.
    const state = await queue.getJobState(jobId);
    if (state !== "completed" && state !== "failed") return;
    const job: BullJob<QueuedJob, Outcome[]> | undefined = await queue.getJob(jobId);
    if (job === undefined) return;
    if (state === "failed") return failed(jobId, job.failedReason);
    // Told twice, a job counts once: whoever takes it from the list first settles it.
    const answer = waiting.get(jobId);
    if (answer === undefined || !waiting.delete(jobId)) return;
    answer.settle({ outcomes: job.returnvalue, tookMs: (job.finishedOn ?? 0) - (job.processedOn ?? 0) });
    await job.remove().catch(() => {});
  };
  const failed = (jobId: string, reason: string): void => {
    const answer = waiting.get(jobId);
    if (answer === undefined) return;
    waiting.delete(jobId);
    answer.fail(new Error(`a worker could not run a candidate: ${reason}`));
  };
  // not simulated: asks the server, not the simulated world.
  const timer = setInterval(() => {
    for (const jobId of waiting.keys()) one(jobId).catch(() => {});
  }, POLL_INTERVAL_MS);
  return { one: (jobId: string) => one(jobId).catch(() => {}), failed, stop: () => clearInterval(timer) };
}
