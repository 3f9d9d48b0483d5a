import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { canonicalJson } from "../base/canonicalJson.ts";
import { sha256Hex } from "../base/ids.ts";
import { InputErrors, inputError } from "../scenario/inputError.ts";
import type { Patch } from "./candidates.ts";
import type { Outcome } from "./evaluate.ts";

/** What results belong to: others must not be mixed with them. */
export interface StudyDigests {
  /** Of the effective scenario with all its data. */
  readonly scenario: string;
  /** Of the text of the scenario file, to tell a changed file from changed data. */
  readonly scenario_file: string;
  readonly study: string;
  readonly version: string;
}

export const RESULTS_FILE = "results.jsonl";

interface Line {
  readonly patch: Patch;
  readonly seed: number;
  readonly kpis?: readonly (number | null)[];
  readonly refusal?: string;
}

/** Equal values give one key, whatever the order of the paths. */
export const runKey = (patch: Patch, seed: number): string => `${canonicalJson(patch)} ${seed}`;

/**
 * An append-only file of finished runs: a header with digests, then a line per candidate and seed. A line that was cut
 * off in the middle, by a crash, is taken away when the file is opened again.
 */
export class ResultStore {
  readonly #descriptor: number;
  /** What earlier runs of the study have finished, by `runKey`. */
  readonly known: ReadonlyMap<string, Outcome>;

  private constructor(descriptor: number, known: ReadonlyMap<string, Outcome>) {
    this.#descriptor = descriptor;
    this.known = known;
  }

  /** A new file, in place of an older one. */
  static create(path: string, digests: StudyDigests): ResultStore {
    const descriptor = openSync(path, "w");
    writeSync(descriptor, `${JSON.stringify({ format: 1, ...digests })}\n`);
    return new ResultStore(descriptor, new Map());
  }

  /**
   * Goes on with a file of earlier results; where there is none, with a new one.
   *
   * @throws InputErrors when what they belong to has changed
   */
  static resume(path: string, digests: StudyDigests): ResultStore {
    if (!existsSync(path)) return ResultStore.create(path, digests);
    const content = readFileSync(path, "utf8");
    const end = content.lastIndexOf("\n") + 1;
    const [head, ...lines] = content
      .slice(0, end)
      .split("\n")
      .filter((line) => line !== "");
    if (head === undefined) return ResultStore.create(path, digests);
    refuseOthers(path, JSON.parse(head) as Partial<StudyDigests>, digests);
    const known = new Map<string, Outcome>();
    for (const text of lines) {
      const { patch, seed, kpis, refusal } = JSON.parse(text) as Line;
      known.set(
        runKey(patch, seed),
        kpis === undefined ? { kpis: null, refusal: refusal ?? "" } : { kpis, refusal: null },
      );
    }
    truncateSync(path, Buffer.byteLength(content.slice(0, end)));
    return new ResultStore(openSync(path, "a"), known);
  }

  /** Adds the outcomes of one candidate, one per seed, in one write. */
  add(patch: Patch, seeds: readonly number[], outcomes: readonly Outcome[]): void {
    const lines = outcomes.map((outcome, k) => {
      const line: Line = {
        patch,
        seed: seeds[k],
        ...(outcome.kpis === null ? { refusal: outcome.refusal } : { kpis: outcome.kpis }),
      };
      return `${JSON.stringify(line)}\n`;
    });
    writeSync(this.#descriptor, lines.join(""));
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function refuseOthers(path: string, found: Partial<StudyDigests>, wanted: StudyDigests): void {
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
      found: `results from before a change of ${changed.join(" and of ")}`,
      allowed: "--resume with everything as it was; leave it out to begin anew",
    }),
  ]);
}

export const textDigest = (text: string | Buffer): string => sha256Hex(text);
