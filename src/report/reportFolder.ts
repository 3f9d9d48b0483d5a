import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputErrors, inputError } from "../scenario/parse/inputError.ts";
import { createFolder } from "./createFolder.ts";

/** Names of report files. A folder with any other file is not replaced. */
const REPORT_FILE = /^(summary|run)\.json$|^report\.html$|^best\.patch\.yaml$|^[a-z_]+\.(csv|jsonl|parquet)$/;

/** Error codes of a path that is wrong or not writable. */
const UNWRITABLE_CODES: ReadonlySet<string> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "EROFS",
  "ENAMETOOLONG",
  "ELOOP",
]);

/**
 * A report folder being written. Files go into a staging folder beside the target; `publish` replaces the target.
 *
 * Until then the target is unchanged: an older report, or nothing.
 */
export class ReportFolder {
  readonly target: string;
  readonly staging: string;

  /**
   * @param staging  name of the staging folder; `keep`: with its existing files
   * @throws InputErrors if the target exists and is not a report, or if the folder cannot be created
   */
  constructor(target: string, staging: { readonly name?: string; readonly keep?: boolean } = {}) {
    this.target = resolve(target);
    const name = staging.name ?? `.${basename(this.target)}.partial`;
    this.staging = join(dirname(this.target), name);
    refuseForeignFolder(this.target);
    try {
      if (staging.keep !== true) rmSync(this.staging, { recursive: true, force: true });
      createFolder(this.staging);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Other codes, such as a full disk, are not input errors.
      if (code === undefined || !UNWRITABLE_CODES.has(code)) throw error;
      throw refusal(this.target, `a path where no folder can be created (${code})`);
    }
  }

  /** Replaces the target by the staging folder. */
  publish(): void {
    const old = `${this.staging}.old`;
    rmSync(old, { recursive: true, force: true });
    if (existsSync(this.target)) renameSync(this.target, old);
    renameSync(this.staging, this.target);
    rmSync(old, { recursive: true, force: true });
  }

  /** Removes the staging folder. */
  discard(): void {
    rmSync(this.staging, { recursive: true, force: true });
  }
}

function refuseForeignFolder(target: string): void {
  if (!existsSync(target)) return;
  let names: string[];
  try {
    names = readdirSync(target);
  } catch {
    throw refusal(target, "a file");
  }
  const foreign = names.find((name) => !REPORT_FILE.test(name));
  if (foreign !== undefined) throw refusal(target, `a folder that contains ${JSON.stringify(foreign)}`);
}

const refusal = (target: string, found: string) =>
  new InputErrors([
    inputError({
      file: target,
      line: 0,
      column: 0,
      keyPath: "",
      found,
      allowed: "a new or empty folder, or an older report (it is replaced)",
    }),
  ]);
