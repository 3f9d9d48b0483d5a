import type { StudyJob } from "../workers/executor.ts";

/** One queue for all studies: a worker serves whoever asks. */
export const RUN_QUEUE = "vppsim-runs";

/** What is handed out at one time; everything else of its study stands in the study's hash. */
export interface QueuedJob {
  readonly jobs: readonly StudyJob[];
  /** Names the hash with the scenario's files. */
  readonly studyKey: string;
  readonly scenarioFile: string;
  readonly forkAtMs: number | null;
  /** Of the vppsim that asks; another one could give other figures. */
  readonly version: string;
}

/** Field: absolute path; value: content. */
export const filesKey = (studyKey: string): string => `vppsim-study:${studyKey}:files`;

/** Files of a study that nobody came back for are forgotten after a week, in seconds. */
export const FILES_TTL_S = 7 * 86_400;

/** How long a worker that says nothing keeps a job, in ms: then it is given to another one. */
export const LOCK_MS = 15_000;
export const STALLED_CHECK_MS = 3_000;
