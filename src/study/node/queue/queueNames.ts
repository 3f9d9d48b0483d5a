import { deserialize, serialize } from "node:v8";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { InvestmentFlags } from "../../../inputs/scenario/build/buildInvestment.ts";
import type { LoadOptions } from "../../../inputs/scenario/loadScenario.ts";
import type { DeferredBlock } from "../../../report/parts/mergedTable.ts";
import type { BulkTable, PartRows, PartsOptions } from "../../../report/parts/partsRun.ts";
import type { PartBlock } from "../../../report/parts/partTable.ts";
import { VERSION } from "../../../version.ts";
import type { StudyJob } from "../../workers/executor.ts";

/** Format of jobs and their results. */
const JOB_FORMAT = 6;

/**
 * One queue for all studies and runs of a version: a worker serves any of them. Workers of another version never see its jobs,
 * since they could give other results.
 */
export const RUN_QUEUE = `vppsim-runs-${VERSION}-${JOB_FORMAT}`;

/** The Redis server of a study or run is gone or has lost data, or a worker has failed. The message is for people. */
export class QueueError extends Error {
  override name = "QueueError";
}

/** What a job reads: the files of its study or run, which are in a Redis hash. */
export interface JobFiles {
  /** Identifies the hash with the scenario's files. */
  readonly studyKey: string;
  /** Number of files in the hash. */
  readonly fileCount: number;
  readonly scenarioFile: string;
  /** Keys of the command line. */
  readonly investment?: InvestmentFlags;
}

/** One chunk of a study; its result is a list of `Outcome`. */
export interface QueuedJob extends JobFiles {
  readonly jobs: readonly StudyJob[];
  readonly forkAtMs: number | null;
}

/** One part of the world of a run (docs/model/parts.md); its result is the number of pieces in the list of the part. */
export interface QueuedPart extends JobFiles {
  readonly part: number;
  /** Number of parts of the world. */
  readonly partCount: number;
  readonly load: LoadOptions;
  readonly options: PartsOptions;
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
  /** Interval of polls for pending jobs: a lost event then loses no job. */
  readonly pollMs: number;
  /** A server that has not answered for this time counts as gone. */
  readonly giveUpMs: number;
}

export const QUEUE_TIMINGS: QueueTimings = { pollMs: 2_000, giveUpMs: 60_000 };

/** What a part returns, compressed: its record with the tables of its blocks, then each block. */
export type PackedPart = readonly Uint8Array[];

interface PartHead extends Pick<PartRows, "ended"> {
  /** One for each block. */
  readonly tables: readonly BulkTable[];
}

/** Rows of energy records compress to a tenth, at any level. */
const LEVEL = 1;

const pack = (value: unknown): Uint8Array => deflateRawSync(serialize(value), { level: LEVEL });

const unpack = (bytes: Uint8Array): unknown => deserialize(inflateRawSync(bytes));

export function packPart({ blocks, ended }: PartRows): PackedPart {
  const head: PartHead = { ended, tables: blocks.map(([table]) => table) };
  return [pack(head), ...blocks.map(([, block]) => pack(block))];
}

/**
 * Blocks stay compressed until their rows are written.
 *
 * @throws QueueError when it is not what a worker of this version returns
 */
export function readPackedPart(part: number, [head, ...blocks]: PackedPart): PartRows<DeferredBlock> {
  const { ended, tables } = readHead(head);
  return {
    part,
    ended,
    blocks: blocks.map((bytes, k) => [tables[k], () => unpack(bytes) as PartBlock]),
  };
}

function readHead(bytes: Uint8Array): PartHead {
  try {
    return unpack(bytes) as PartHead;
  } catch (error) {
    const reason = (error as Error).message;
    throw new QueueError(`a part of the run cannot be read (${reason}); a worker is broken or runs on a newer Node.js`);
  }
}
