import { closeSync, existsSync, openSync, readSync, truncateSync, writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { canonicalJson } from "../base/canonicalJson.ts";
import { sha256Hex } from "../base/ids.ts";
import { InputErrors, inputError } from "../scenario/parse/inputError.ts";
import type { ParameterPatch } from "./search/candidateDesign.ts";
import type { Outcome } from "./workers/evaluator.ts";

/** Inputs that results depend on. Results of other inputs must not be mixed in. */
export interface StudyDigests {
  /** Of the effective scenario with all its data. */
  readonly scenario: string;
  /** Of the scenario file's text, to distinguish a changed file from changed data. */
  readonly scenario_file: string;
  readonly study: string;
  readonly version: string;
}

export const RESULTS_FILE = "results.jsonl";

interface ResultLine {
  readonly patch: ParameterPatch;
  readonly seed: number;
  readonly kpis?: readonly (number | null)[];
  readonly refusal?: string;
}

/** Independent of the order of the paths. */
export const runKey = (patch: ParameterPatch, seed: number): string => `${canonicalJson(patch)} ${seed}`;

/**
 * An append-only file of finished runs: a header with digests, then one line per candidate and seed. Opening the file
 * truncates a last line that a crash left incomplete.
 */
export class ResultStore {
  readonly #descriptor: number;
  /** Outcomes of earlier runs of the study, by `runKey`. */
  readonly knownOutcomes: ReadonlyMap<string, Outcome>;

  private constructor(descriptor: number, known: ReadonlyMap<string, Outcome>) {
    this.#descriptor = descriptor;
    this.knownOutcomes = known;
  }

  /** Creates a file, replacing an existing one. */
  static create(path: string, digests: StudyDigests): ResultStore {
    const descriptor = openSync(path, "w");
    writeSync(descriptor, `${JSON.stringify({ format: 1, ...digests })}\n`);
    return new ResultStore(descriptor, new Map());
  }

  /**
   * Opens a file of earlier results, or creates one.
   *
   * @throws InputErrors when the inputs of its results have changed
   */
  static resume(path: string, digests: StudyDigests): ResultStore {
    if (!existsSync(path)) return ResultStore.create(path, digests);
    const known = new Map<string, Outcome>();
    let head: string | null = null;
    let keptBytes = 0;
    for (const text of wholeLines(path)) {
      keptBytes += Buffer.byteLength(text) + 1;
      if (head === null) {
        head = text;
        rejectOtherDigests(path, parsed<Partial<StudyDigests>>(path, text, 1), digests);
        continue;
      }
      const { patch, seed, kpis, refusal } = parsed<ResultLine>(path, text, known.size + 2);
      known.set(
        runKey(patch, seed),
        kpis === undefined ? { kpis: null, refusal: refusal ?? "" } : { kpis, refusal: null },
      );
    }
    if (head === null) return ResultStore.create(path, digests);
    truncateSync(path, keptBytes);
    return new ResultStore(openSync(path, "a"), known);
  }

  /** Appends finished runs in one write, so that the file consists of whole lines whenever the process ends. */
  append(runs: readonly (readonly [ParameterPatch, seed: number, Outcome])[]): void {
    const lines = runs.map(([patch, seed, { kpis, refusal }]) => {
      const line: ResultLine = { patch, seed, ...(kpis === null ? { refusal } : { kpis }) };
      return `${JSON.stringify(line)}\n`;
    });
    writeSync(this.#descriptor, lines.join(""));
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Complete lines; an incomplete last line is left out. The file may exceed the maximum string length. */
function* wholeLines(path: string): Generator<string> {
  const descriptor = openSync(path, "r");
  try {
    const decoder = new StringDecoder("utf8");
    const buffer = Buffer.alloc(1 << 20);
    let rest = "";
    for (let size = readSync(descriptor, buffer); size > 0; size = readSync(descriptor, buffer)) {
      const parts = (rest + decoder.write(buffer.subarray(0, size))).split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
    }
  } finally {
    closeSync(descriptor);
  }
}

function parsed<Content>(path: string, text: string, line: number): Content {
  try {
    return JSON.parse(text);
  } catch {
    const place = { file: path, line, column: 1, keyPath: "" };
    const allowed = "results of a study; leave out --resume to start again";
    throw new InputErrors([inputError({ ...place, found: "not JSON", allowed })]);
  }
}

function rejectOtherDigests(path: string, found: Partial<StudyDigests>, wanted: StudyDigests): void {
  const changed: string[] = [];
  if (found.scenario !== wanted.scenario)
    changed.push(found.scenario_file === wanted.scenario_file ? "data that the scenario names" : "the scenario");
  if (found.study !== wanted.study) changed.push("the study file");
  if (found.version !== wanted.version) changed.push(`vppsim (${found.version}, now ${wanted.version})`);
  if (changed.length === 0) return;
  throw new InputErrors([
    inputError({
      file: path,
      line: 1,
      column: 1,
      keyPath: "",
      found: `results that predate a change of ${changed.join(" and of ")}`,
      allowed: "--resume with unchanged inputs; leave it out to start again",
    }),
  ]);
}

export const textDigest = (text: string | Buffer): string => sha256Hex(text);
