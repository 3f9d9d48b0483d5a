import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputErrors, inputError } from "../scenario/parse/inputError.ts";
import { createFolder } from "./createFolder.ts";

/** Files of a report carry these names; a folder with anything else in it is not ours to replace. */
const REPORT_FILE = /^(summary|run)\.json$|^report\.html$|^best\.patch\.yaml$|^[a-z_]+\.(csv|jsonl|parquet)$/;

/** What the system says of a path that is wrong or not ours to write to. */
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
 * A report folder on its way: files are written beside the target, which they replace whole when the report is finished.
 *
 * Whatever happens before that, the target is as it was: an older report, or nothing.
 */
export class ReportFolder {
  readonly target: string;
  readonly staging: string;

  /**
   * @param staging where the files stand until then, beside the target; `keep`: with what an earlier run left there
   * @throws InputErrors when something that is no report stands where the report is to go, or nothing can
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
      // A full disk is no mistake of the user's.
      if (code === undefined || !UNWRITABLE_CODES.has(code)) throw error;
      throw refusal(this.target, `a place where no folder can be made (${code})`);
    }
  }

  /** The staged files become the report. */
  publish(): void {
    const old = `${this.staging}.old`;
    rmSync(old, { recursive: true, force: true });
    if (existsSync(this.target)) renameSync(this.target, old);
    renameSync(this.staging, this.target);
    rmSync(old, { recursive: true, force: true });
  }

  /** Nothing becomes of it. */
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
  if (foreign !== undefined) throw refusal(target, `a folder that holds ${JSON.stringify(foreign)}`);
}

const refusal = (target: string, found: string) =>
  new InputErrors([
    inputError({
      file: target,
      line: 0,
      column: 0,
      keyPath: "",
      found,
      allowed: "a new or empty folder, or an older report, which is replaced",
    }),
  ]);
