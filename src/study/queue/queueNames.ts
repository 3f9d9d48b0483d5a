import { VERSION } from "../../version.ts";
import type { Outcome } from "../workers/evaluator.ts";
import type { StudyJob } from "../workers/executor.ts";

/** Format of jobs and their results. */
const JOB_FORMAT = 2;

/** Start of the queue names of all versions. */
export const RUN_QUEUE_PREFIX = "vppsim-runs";

/**
 * One queue for all studies of a version: a worker serves any of them. Workers of another version never see its jobs,
 * since they could give other results.
 */
export const RUN_QUEUE = `${RUN_QUEUE_PREFIX}-${VERSION}-${JOB_FORMAT}`;

/** One chunk of a study. The files of the study are in its Redis hash. */
export interface QueuedJob {
  readonly jobs: readonly StudyJob[];
  /** Identifies the hash with the scenario's files. */
  readonly studyKey: string;
  /** Number of files in the hash: with fewer, the server has lost some. */
  readonly fileCount: number;
  readonly scenarioFile: string;
  readonly forkAtMs: number | null;
}

/** Whether the data of a job is that of a study: anyone can write to a queue. */
export function isQueuedJob(data: unknown): data is QueuedJob {
  const { jobs, studyKey, fileCount, scenarioFile, forkAtMs } = (data ?? {}) as Partial<QueuedJob>;
  return (
    typeof studyKey === "string" &&
    typeof scenarioFile === "string" &&
    Number.isInteger(fileCount) &&
    (forkAtMs === null || typeof forkAtMs === "number") &&
    Array.isArray(jobs) &&
    jobs.every(isStudyJob)
  );
}

function isStudyJob(job: unknown): boolean {
  const { patch, seeds } = (job ?? {}) as Partial<StudyJob>;
  return typeof patch === "object" && patch !== null && Array.isArray(seeds) && seeds.every(Number.isInteger);
}

/** Whether the result of a job is that of its runs. */
export function areOutcomesOf({ jobs }: QueuedJob, result: unknown): result is readonly Outcome[] {
  const runs = jobs.reduce((sum, { seeds }) => sum + seeds.length, 0);
  return Array.isArray(result) && result.length === runs && result.every(isOutcome);
}

function isOutcome(outcome: unknown): boolean {
  const { kpis, refusal } = (outcome ?? {}) as Partial<Outcome>;
  return Array.isArray(kpis) ? refusal === null : kpis === null && typeof refusal === "string";
}

/** Redis hash: absolute path to content. */
export const filesKey = (studyKey: string): string => `vppsim-study:${studyKey}:files`;

/** Files of an abandoned study expire after a week, in seconds. */
export const FILES_TTL_S = 7 * 86_400;

/** A worker that does not renew its lock for this time, in ms, loses its job to another one. */
export const LOCK_MS = 15_000;
export const STALLED_CHECK_MS = 3_000;

/** Intervals of studies and workers, in ms; tests shorten them. */
export interface QueueTimings {
  /** Interval of polls for pending jobs and lost data: a lost event then loses no job. */
  readonly pollMs: number;
  /** A server that has not answered for this time counts as gone. */
  readonly giveUpMs: number;
}

export const QUEUE_TIMINGS: QueueTimings = { pollMs: 2_000, giveUpMs: 60_000 };
