import { createHash } from "node:crypto";
import { closeSync, copyFileSync, existsSync, openSync, writeFileSync, writeSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ReportFolder } from "../report/reportFolder.ts";
import { RESULTS_FILE, ResultStore, type StudyDigests } from "./resultStore.ts";

/** Size of a write, in characters. */
const BLOCK_CHARS = 1 << 20;

/**
 * Output folder of a study. Files are written into a staging folder, which replaces the report when the study is
 * finished. Until then an older report is unchanged, and the results can be resumed.
 */
export class StudyFolder {
  readonly #folder: ReportFolder;
  readonly #isResumed: boolean;
  readonly #digests = new Map<string, string>();

  /** @throws InputErrors when the target exists and is not a report */
  constructor(target: string, resume: boolean) {
    this.#folder = new ReportFolder(target, { name: `${basename(resolve(target))}.unfinished`, keep: resume });
    this.#isResumed = resume;
  }

  /** Absolute paths of the report and of the staging folder. */
  get target(): string {
    return this.#folder.target;
  }
  get staging(): string {
    return this.#folder.staging;
  }

  /** @throws InputErrors when the results to resume belong to other inputs */
  openResultStore(digests: StudyDigests): ResultStore {
    const path = join(this.staging, RESULTS_FILE);
    if (!this.#isResumed) return ResultStore.create(path, digests);
    const finished = join(this.target, RESULTS_FILE);
    if (!existsSync(path) && existsSync(finished)) copyFileSync(finished, path);
    return ResultStore.resume(path, digests);
  }

  /** @param parts of the text, in order; a large table exceeds the maximum string length */
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

  /** Digests of the files written, by file name, sorted. */
  get digests(): readonly (readonly [string, string])[] {
    return [...this.#digests].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Writes run.json and replaces the report with the staging folder. @returns names of the files, sorted */
  publish(runJson: string): string[] {
    writeFileSync(join(this.staging, "run.json"), runJson);
    this.#folder.publish();
    return [...this.#digests.keys(), RESULTS_FILE, "run.json"].sort();
  }
}
