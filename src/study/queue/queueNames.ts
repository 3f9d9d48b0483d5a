import { NUMERIC_KPI_NAMES } from "../../accounting/kpis/kpiRegistry.ts";
import type { PartsOptions } from "../../accounting/partsRun.ts";
import { sha256Hex } from "../../base/ids.ts";
import { sumOf } from "../../base/sums.ts";
import type { LoadOptions } from "../../scenario/loadScenario.ts";
import { VERSION } from "../../version.ts";
import type { Outcome } from "../workers/evaluator.ts";
import type { StudyJob } from "../workers/executor.ts";

/** Format of jobs and their results. */
const JOB_FORMAT = 4;

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
  /** From `filesDigestOf`: with another one, somebody has changed them. */
  readonly filesDigest: string;
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
  const { studyKey, fileCount, filesDigest, scenarioFile } = (data ?? {}) as Partial<JobFiles>;
  const texts = [studyKey, filesDigest, scenarioFile];
  return texts.every((text) => typeof text === "string") && Number.isInteger(fileCount);
}

/** SHA-256 of files by path, in whatever order they come (docs/model/studies.md#queue-digests). */
export function filesDigestOf(files: ReadonlyMap<string, Uint8Array>): string {
  const lines = [...files].map(([path, content]) => JSON.stringify([path, sha256Hex(content)]));
  return sha256Hex(lines.sort().join("\n"));
}

function isStudyJob(job: unknown): boolean {
  const { patch, seeds } = (job ?? {}) as Partial<StudyJob>;
  return typeof patch === "object" && patch !== null && Array.isArray(seeds) && seeds.every(Number.isInteger);
}

/** Result of a `QueuedJob`. */
export interface QueuedOutcomes {
  readonly outcomes: readonly Outcome[];
  /** SHA-256 of their JSON text. */
  readonly sha256: string;
}

/** Result of a `QueuedPart`: what the list of the part has. */
export interface StoredPart {
  readonly pieces: number;
  /** From `piecesDigestOf`. */
  readonly sha256: string;
}

const outcomesDigestOf = (outcomes: unknown): string => sha256Hex(JSON.stringify(outcomes));

export const withDigest = (outcomes: readonly Outcome[]): QueuedOutcomes => ({
  outcomes,
  sha256: outcomesDigestOf(outcomes),
});

/** SHA-256 of the pieces of a part, in order. */
export const piecesDigestOf = (pieces: readonly Uint8Array[]): string =>
  sha256Hex(pieces.map((piece) => sha256Hex(piece)).join("\n"));

/** The result of a job; `null` where it is not that of its runs, or not as the worker has sent it. */
export function outcomesOf({ jobs }: QueuedJob, result: unknown): readonly Outcome[] | null {
  const { outcomes, sha256 } = (result ?? {}) as Partial<QueuedOutcomes>;
  const runs = sumOf(jobs, ({ seeds }) => seeds.length);
  const isResult = Array.isArray(outcomes) && outcomes.length === runs && outcomes.every(isOutcome);
  return isResult && sha256 === outcomesDigestOf(outcomes) ? outcomes : null;
}

/** Whether the result of a job is that of a part. */
export function isStoredPart(result: unknown): result is StoredPart {
  const { pieces, sha256 } = (result ?? {}) as Partial<StoredPart>;
  return Number.isInteger(pieces) && (pieces as number) >= 1 && typeof sha256 === "string";
}

function isOutcome(outcome: unknown): boolean {
  const { kpis, refusal } = (outcome ?? {}) as Partial<Outcome>;
  if (!Array.isArray(kpis)) return kpis === null && typeof refusal === "string";
  const isFigure = (value: unknown): boolean => value === null || typeof value === "number";
  return refusal === null && kpis.length === NUMERIC_KPI_NAMES.length && kpis.every(isFigure);
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
