import type { PartsOptions } from "../../accounting/partsRun.ts";
import type { LoadOptions } from "../../scenario/loadScenario.ts";
import { VERSION } from "../../version.ts";
import type { Outcome } from "../workers/evaluator.ts";
import type { StudyJob } from "../workers/executor.ts";

/** Format of jobs and their results. */
const JOB_FORMAT = 3;

/** Start of the queue names of all versions. */
export const RUN_QUEUE_PREFIX = "vppsim-runs";

/**
 * One queue for all studies and runs of a version: a worker serves any of them. Workers of another version never see its jobs,
 * since they could give other results.
 */
export const RUN_QUEUE = `${RUN_QUEUE_PREFIX}-${VERSION}-${JOB_FORMAT}`;

/** What a job reads: the files of its study or run, which are in a Redis hash. */
export interface JobFiles {
  /** Identifies the hash with the scenario's files. */
  readonly studyKey: string;
  /** Number of files in the hash: with fewer, the server has lost some. */
  readonly fileCount: number;
  readonly scenarioFile: string;
}

/** One chunk of a study. */
export interface QueuedJob extends JobFiles {
  readonly jobs: readonly StudyJob[];
  readonly forkAtMs: number | null;
}

/** One part of the world of a run (docs/model/parts.md). */
export interface QueuedPart extends JobFiles {
  readonly part: number;
  /** Number of parts of the world. */
  readonly partCount: number;
  readonly load: LoadOptions;
  readonly options: PartsOptions;
}

/** Whether the data of a job is that of a study: anyone can write to a queue. */
export function isQueuedJob(data: unknown): data is QueuedJob {
  const { jobs, forkAtMs } = (data ?? {}) as Partial<QueuedJob>;
  return (
    hasJobFiles(data) &&
    (forkAtMs === null || typeof forkAtMs === "number") &&
    Array.isArray(jobs) &&
    jobs.every(isStudyJob)
  );
}

/** Whether the data of a job is that of a part of a run. */
export function isQueuedPart(data: unknown): data is QueuedPart {
  const { part, partCount, load, options } = (data ?? {}) as Partial<QueuedPart>;
  return (
    hasJobFiles(data) &&
    Number.isInteger(part) &&
    Number.isInteger(partCount) &&
    typeof load === "object" &&
    load !== null &&
    typeof options === "object" &&
    options !== null &&
    Array.isArray(options.tables)
  );
}

function hasJobFiles(data: unknown): data is JobFiles {
  const { studyKey, fileCount, scenarioFile } = (data ?? {}) as Partial<JobFiles>;
  return typeof studyKey === "string" && typeof scenarioFile === "string" && Number.isInteger(fileCount);
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

/** Redis list: what a part of a run has returned, in pieces. */
export const partKey = (studyKey: string, part: number): string => `vppsim-study:${studyKey}:part:${part}`;

/** Files of an abandoned study expire after a week, in seconds. */
export const FILES_TTL_S = 7 * 86_400;

/** Seconds after which uncollected returned parts expire: they are large, and collected within a few seconds. */
export const PART_TTL_S = 3_600;

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
