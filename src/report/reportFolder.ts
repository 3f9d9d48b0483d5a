import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { realPath } from "../base/realPath.ts";
import { formatNameList, type InputErrors, inputRefusal } from "../scenario/parse/inputError.ts";
import { createFolder } from "./createFolder.ts";
import { isOfEndedProcess, processTag } from "./processTag.ts";
import { foreignNames, isPublished, removeReport } from "./reportFiles.ts";

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

/** Another writer can publish between the two renames of `publish`. It cannot do so forever. */
const PUBLISH_ATTEMPTS_MAX = 1_000;

/** Longest part of the target's name in the names of the folders beside it. */
const NAME_CHARS_MAX = 100;

interface ReportFolderOptions {
  /** Files that the report is computed from. A folder that contains one of them is never a target. */
  readonly inputs: Iterable<string>;
  /** An existing folder beside the target to write into; by default a new one. */
  readonly staging?: string;
}

/**
 * A report folder being written. Files go into a staging folder beside the target; `publish` replaces the target whole.
 *
 * Until then the target is unchanged: an older report, an empty folder, or nothing. Each writer has a staging folder of
 * its own. Of several writers to one target, the last one to publish wins (docs/model/report-files.md#replacement).
 */
export class ReportFolder {
  readonly target: string;
  readonly staging: string;
  readonly #inputs: readonly string[];

  /** @throws InputErrors if the target must not be replaced, or if the folder cannot be created */
  constructor(target: string, { inputs, staging }: ReportFolderOptions) {
    this.#inputs = [...inputs].map(realPath);
    this.target = realPath(resolve(target));
    restoreInterrupted(this.target);
    refuseTarget(this.target, this.#inputs);
    this.staging = staging ?? this.#createStaging();
  }

  #createStaging(): string {
    const parent = dirname(this.target);
    return withUnwritableRefused(this.target, () => {
      createFolder(parent);
      for (const folder of abandonedSiblings(this.target, STAGING)) rmSync(folder, { recursive: true, force: true });
      return mkdtempSync(join(parent, `${siblingPrefix(this.target, STAGING)}${processTag()}-`));
    });
  }

  /**
   * Replaces the target by the staging folder.
   *
   * @throws InputErrors if the target has got foreign files in the meantime; it is then unchanged
   */
  publish(): void {
    for (let attempt = 0; attempt < PUBLISH_ATTEMPTS_MAX; attempt++) {
      refuseTarget(this.target, this.#inputs);
      const replaced = this.#moveTargetAside();
      if (this.#moveStagingIntoPlace()) {
        if (replaced !== null) removeReport(replaced);
        return;
      }
      // Another writer has published; its report is replaced in the next round.
      if (replaced !== null) removeReport(replaced);
    }
    throw new Error(`cannot replace ${this.target}: other processes write to it all the time`);
  }

  /** @returns the new path; `null` without a target */
  #moveTargetAside(): string | null {
    const parent = dirname(this.target);
    const replaced = mkdtempSync(join(parent, `${siblingPrefix(this.target, REPLACED)}${processTag()}-`));
    try {
      // A folder can be renamed to an empty one.
      renameSync(this.target, replaced);
      return replaced;
    } catch (error) {
      rmSync(replaced, { recursive: true, force: true });
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  #moveStagingIntoPlace(): boolean {
    try {
      renameSync(this.staging, this.target);
      return true;
    } catch (error) {
      if (["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
      throw error;
    }
  }

  /** Removes the staging folder. */
  discard(): void {
    rmSync(this.staging, { recursive: true, force: true });
  }
}

const STAGING = "partial";
const REPLACED = "replaced";
type SiblingRole = typeof STAGING | typeof REPLACED;

/** Names of folders beside a target: hidden, with the role and then the process that created them. */
const siblingPrefix = (target: string, role: SiblingRole): string =>
  `.${basename(target).slice(0, NAME_CHARS_MAX)}.${role}-`;

/** Folders beside a target that processes created which have ended. */
function abandonedSiblings(target: string, role: SiblingRole): string[] {
  const parent = dirname(target);
  const prefix = siblingPrefix(target, role);
  try {
    const names = readdirSync(parent).filter((name) => name.startsWith(prefix));
    return names.filter((name) => isOfEndedProcess(name.slice(prefix.length))).map((name) => join(parent, name));
  } catch {
    return [];
  }
}

/**
 * Restores a report whose replacement was interrupted between its two renames, and removes replaced reports that an
 * interrupted process left. Folders of running processes, and those with other files, are not touched.
 */
function restoreInterrupted(target: string): void {
  for (const folder of abandonedSiblings(target, REPLACED)) {
    if (isPublished(target)) removeReport(folder);
    else if (isPublished(folder) && !existsSync(target)) renameIfAbsent(folder, target);
  }
}

/** Another process may restore or publish at the same time. */
function renameIfAbsent(folder: string, target: string): void {
  try {
    renameSync(folder, target);
  } catch (error) {
    if (!isPublished(target)) throw error;
  }
}

function refuseTarget(target: string, inputs: readonly string[]): void {
  const input = inputs.find((path) => isInside(path, target));
  if (input !== undefined) throw targetRefusal(target, `a folder that contains the input ${relative(target, input)}`);
  const names = withUnwritableRefused(target, () => foreignNames(target));
  if (names.length > 0)
    throw targetRefusal(target, `a folder with files that no run.json of vppsim lists (${formatNameList(names, 5)})`);
}

/** Reports the system's refusal of a path as an input error. Other errors, such as a full disk, are not input errors. */
function withUnwritableRefused<Result>(target: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !UNWRITABLE_CODES.has(code)) throw error;
    throw targetRefusal(target, `a path where no folder can be created (${code})`);
  }
}

function isInside(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner !== "" && inner.split(sep)[0] !== ".." && !isAbsolute(inner);
}

export const targetRefusal = (target: string, found: string): InputErrors =>
  inputRefusal(target, found, "a new or empty folder, or an older report (it is replaced)");
