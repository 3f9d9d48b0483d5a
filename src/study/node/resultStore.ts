import { closeSync, existsSync, openSync, readSync, truncateSync } from "node:fs";
import { crc32 } from "node:zlib";
import { inputRefusal } from "../../base/inputError.ts";
import type { Patch } from "../../inputs/scenario/patch/patchValue.ts";
import { decodeLine, encodeLine, JSON_FRAME } from "../../platform/node/checkedLine.ts";
import { writeAll } from "../../platform/node/writeAll.ts";
import { type RunStore, runKey, type StudyDigests } from "../studyOutput.ts";
import type { Outcome } from "../workers/evaluator.ts";

/** Format 1 had no checksums, those of format 2 fitted any study (docs/model/studies.md#result-checksums). */
const RESULTS_FORMAT = 3;

interface ResultLine {
  readonly patch: Patch;
  readonly seed: number;
  readonly kpis?: readonly (number | null)[];
  readonly refusal?: string;
}

/**
 * An append-only file of finished runs: a header with digests, then one line per candidate and seed, each with a
 * checksum that fits this file alone. Opening the file truncates a last line that a crash left incomplete.
 */
export class ResultStore implements RunStore {
  private readonly descriptor: number;
  /** Of the first line; the checksums of the others include it. */
  private readonly headerCrc: number;
  private lineCount: number;
  /** Outcomes of earlier runs of the study, by `runKey`. */
  readonly knownOutcomes: ReadonlyMap<string, Outcome>;

  private constructor(
    descriptor: number,
    { headerCrc, lineCount, known }: { headerCrc: number; lineCount: number; known: ReadonlyMap<string, Outcome> },
  ) {
    this.descriptor = descriptor;
    this.headerCrc = headerCrc;
    this.lineCount = lineCount;
    this.knownOutcomes = known;
  }

  /** Creates a file, replacing an existing one. */
  static create(path: string, digests: StudyDigests): ResultStore {
    const descriptor = openSync(path, "w");
    const header = encodeRecord(0, { format: RESULTS_FORMAT, ...digests });
    writeAll(descriptor, header);
    return new ResultStore(descriptor, { headerCrc: crc32(header.subarray(0, -1)), lineCount: 1, known: new Map() });
  }

  /**
   * Opens a file of earlier results, or creates one.
   *
   * @throws InputErrors when the inputs of its results have changed, or the file is damaged
   */
  static resume(path: string, digests: StudyDigests): ResultStore {
    if (!existsSync(path)) return ResultStore.create(path, digests);
    const known = new Map<string, Outcome>();
    let headerCrc = 0;
    let lineCount = 0;
    let keptBytes = 0;
    for (const line of wholeLines(path)) {
      if (lineCount === 0) {
        checkHeader(path, line, digests);
        headerCrc = crc32(line);
      } else {
        const { patch, seed, kpis, refusal } = decodeResult(path, line, { lineIndex: lineCount, headerCrc });
        known.set(
          runKey(patch, seed),
          kpis === undefined ? { kpis: null, refusal: refusal ?? "" } : { kpis, refusal: null },
        );
      }
      lineCount++;
      keptBytes += line.length + 1;
    }
    if (lineCount === 0) return ResultStore.create(path, digests);
    truncateSync(path, keptBytes);
    return new ResultStore(openSync(path, "a"), { headerCrc, lineCount, known });
  }

  /** Appends finished runs in one write, so that the file consists of whole lines whenever the process ends. */
  append(runs: readonly (readonly [Patch, seed: number, Outcome])[]): void {
    const lines = runs.map(([patch, seed, { kpis, refusal }]) => {
      const line: ResultLine = { patch, seed, ...(kpis === null ? { refusal } : { kpis }) };
      return encodeRecord(this.lineCount++, line, this.headerCrc);
    });
    writeAll(this.descriptor, Buffer.concat(lines));
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

const encodeRecord = (number: number, record: object, headerCrc = 0): Buffer =>
  encodeLine(JSON_FRAME, number, Buffer.from(JSON.stringify(record).slice(1)), headerCrc);

const NEWLINE = 10;

/** Complete lines without their ends; an incomplete last line is left out. The file may exceed the memory. */
function* wholeLines(path: string): Generator<Buffer> {
  const descriptor = openSync(path, "r");
  try {
    const block = Buffer.alloc(1 << 20);
    let rest: Buffer[] = [];
    for (let size = readSync(descriptor, block); size > 0; size = readSync(descriptor, block)) {
      let start = 0;
      for (let end = block.indexOf(NEWLINE); 0 <= end && end < size; end = block.indexOf(NEWLINE, start)) {
        yield Buffer.concat([...rest, block.subarray(start, end)]);
        rest = [];
        start = end + 1;
      }
      if (start < size) rest.push(Buffer.from(block.subarray(start, size)));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Refuses results of other inputs or formats, and other files. */
function checkHeader(path: string, line: Buffer, digests: StudyDigests): void {
  const decoded = decodeLine(JSON_FRAME, line, 0);
  if ("wrong" in decoded) {
    const isFormat1 = line.toString("latin1", 0, FORMAT_1_START.length) === FORMAT_1_START;
    throw inputRefusal(
      { file: path, line: 1 },
      isFormat1 ? "results of format 1, which has no checksums" : damage(decoded.wrong),
      RESTART,
    );
  }
  const found: { readonly format?: unknown } & Partial<StudyDigests> = parseContent(decoded.content) ?? {};
  if (found.format !== RESULTS_FORMAT)
    throw inputRefusal({ file: path, line: 1 }, `results of format ${found.format}`, RESTART);
  rejectOtherDigests(path, found, digests);
}

const FORMAT_1_START = '{"format":1,';
const RESTART = `results of format ${RESULTS_FORMAT}; leave out --resume to start again`;

function decodeResult(
  path: string,
  line: Buffer,
  { lineIndex, headerCrc }: { readonly lineIndex: number; readonly headerCrc: number },
): ResultLine {
  const decoded = decodeLine(JSON_FRAME, line, lineIndex, headerCrc);
  const result = "wrong" in decoded ? null : parseContent<ResultLine>(decoded.content);
  if (result !== null && isResult(result)) return result;
  const wrong = "wrong" in decoded ? decoded.wrong : "it is not the result of a run";
  const remedy = `results that were not changed: keep the lines before it (head -n ${lineIndex}), or leave out --resume to start again`;
  throw inputRefusal({ file: path, line: lineIndex + 1 }, damage(wrong), remedy);
}

const damage = (wrong: string): string => `a damaged line (${wrong})`;

const isResult = ({ patch, seed, kpis, refusal }: ResultLine): boolean =>
  typeof patch === "object" &&
  patch !== null &&
  typeof seed === "number" &&
  (kpis === undefined
    ? typeof refusal === "string"
    : Array.isArray(kpis) && kpis.every((kpi) => kpi === null || typeof kpi === "number"));

/** @returns `null` for what is not JSON */
function parseContent<Content>(content: Buffer): Content | null {
  try {
    return JSON.parse(`{${content.toString()}`);
  } catch {
    return null;
  }
}

function rejectOtherDigests(path: string, found: Partial<StudyDigests>, wanted: StudyDigests): void {
  const changed: string[] = [];
  if (found.scenario !== wanted.scenario)
    changed.push(found.scenario_file === wanted.scenario_file ? "data that the scenario names" : "the scenario");
  if (found.study !== wanted.study) changed.push("the study file");
  if (found.version !== wanted.version) changed.push(`vppsim (${found.version}, now ${wanted.version})`);
  if (changed.length === 0) return;
  const allowed = "--resume with unchanged inputs; leave it out to start again";
  throw inputRefusal({ file: path, line: 1 }, `results that predate a change of ${changed.join(" and of ")}`, allowed);
}
