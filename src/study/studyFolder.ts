import { createHash } from "node:crypto";
import { closeSync, copyFileSync, existsSync, openSync, writeFileSync, writeSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ReportFolder } from "../report/reportFolder.ts";
import { RESULTS_FILE, ResultStore, type StudyDigests } from "./resultStore.ts";

/** Written at once, in characters. */
const BLOCK_CHARS = 1 << 20;

/**
 * Where a study writes: results line by line into a folder beside the report, which takes the report's place when the
 * study is finished. Until then an older report stays as it is, and what was run can be gone on with.
 */
export class StudyFolder {
  readonly #folder: ReportFolder;
  readonly #isResumed: boolean;
  readonly #digests = new Map<string, string>();

  /** @throws InputErrors when something that is no report stands in the report's place */
  constructor(target: string, resume: boolean) {
    this.#folder = new ReportFolder(target, { name: `${basename(resolve(target))}.unfinished`, keep: resume });
    this.#isResumed = resume;
  }

  /** Absolute: of the report, and of what is not one yet. */
  get target(): string {
    return this.#folder.target;
  }
  get staging(): string {
    return this.#folder.staging;
  }

  /** @throws InputErrors when the results to go on with belong to something else */
  openResultStore(digests: StudyDigests): ResultStore {
    const path = join(this.staging, RESULTS_FILE);
    if (!this.#isResumed) return ResultStore.create(path, digests);
    const finished = join(this.target, RESULTS_FILE);
    if (!existsSync(path) && existsSync(finished)) copyFileSync(finished, path);
    return ResultStore.resume(path, digests);
  }

  /** @param parts of the text, in order; a table of many candidates is longer than a string may be */
  write(file: string, parts: Iterable<string>): void {
    const digest = createHash("sha256");
    const descriptor = openSync(join(this.staging, file), "w");
    let block = "";
    const flush = () => {
      writeSync(descriptor, block);
      digest.update(block);
      block = "";
    };
    for (const part of parts) {
      block += part;
      if (BLOCK_CHARS <= block.length) flush();
    }
    flush();
    closeSync(descriptor);
    this.#digests.set(file, digest.digest("hex"));
  }

  /** Digests of what was written, by file name, sorted. */
  get digests(): readonly (readonly [string, string])[] {
    return [...this.#digests].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Writes the last file and puts all in the report's place. @returns names of the files, sorted */
  publish(runJson: string): string[] {
    writeFileSync(join(this.staging, "run.json"), runJson);
    this.#folder.publish();
    return [...this.#digests.keys(), RESULTS_FILE, "run.json"].sort();
  }
}
