import type { StudyJob } from "../workers/executor.ts";

/** One queue for all studies: a worker serves any of them. */
export const RUN_QUEUE = "vppsim-runs";

/** One chunk of a study. The files of the study are in its Redis hash. */
export interface QueuedJob {
  readonly jobs: readonly StudyJob[];
  /** Identifies the hash with the scenario's files. */
  readonly studyKey: string;
  readonly scenarioFile: string;
  readonly forkAtMs: number | null;
  /** Version of the client: another version could give other results. */
  readonly version: string;
}

/** Redis hash: absolute path to content. */
export const filesKey = (studyKey: string): string => `vppsim-study:${studyKey}:files`;

/** Files of an abandoned study expire after a week, in seconds. */
export const FILES_TTL_S = 7 * 86_400;

/** A worker that does not renew its lock for this time, in ms, loses its job to another one. */
export const LOCK_MS = 15_000;
export const STALLED_CHECK_MS = 3_000;
