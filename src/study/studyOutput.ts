import { canonicalJson } from "../base/canonicalJson.ts";
import type { Patch } from "../inputs/scenario/patch/patchValue.ts";
import type { ReportSink } from "../platform/files.ts";
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

/** Finished runs of a study, while it lasts and beyond. */
export interface RunStore {
  /** Outcomes of earlier runs of the study, by `runKey`. */
  readonly knownOutcomes: ReadonlyMap<string, Outcome>;
  append(runs: readonly (readonly [Patch, seed: number, Outcome])[]): void;
  close(): void;
}

/** Independent of the order of the paths. */
export const runKey = (patch: Patch, seed: number): string => `${canonicalJson(patch)} ${seed}`;

/** Where a study writes. */
export interface StudyOutput {
  readonly sink: ReportSink;
  /** Files of the report that run.json does not list. */
  readonly unlisted: readonly string[];
  /** What becomes of the finished runs of a study that is stopped, as the end of a sentence. */
  readonly storedText: string;
  /** @throws InputErrors when the results to resume belong to other inputs */
  openStore(digests: StudyDigests): RunStore;
  /** Lets others write there. */
  close(): void;
}
