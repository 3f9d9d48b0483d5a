import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { errorCode } from "../base/errorCode.ts";
import { sha256Hex } from "../base/ids.ts";
import { realPath } from "../base/realPath.ts";
import { formatNameList, type InputErrors, inputRefusal } from "../scenario/parse/inputError.ts";
import { changedNames } from "./changedFile.ts";
import { createFolder } from "./createFolder.ts";
import { containsFile, isMountPoint } from "./folderIdentity.ts";
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
  "EBUSY",
  "EXDEV",
]);

/** Another writer can publish between the two renames of `publish`. It cannot do so forever. */
const PUBLISH_ATTEMPTS_MAX = 1_000;

/** Longest part of the target's name in the names of the folders beside it, in bytes; file systems allow 255. */
const NAME_BYTES_MAX = 100;

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
      const staging = mkdtempSync(join(parent, `${siblingPrefix(this.target, STAGING)}${processTag()}-`));
      // A temporary folder is private; a report has the permissions of a new folder.
      chmodSync(staging, 0o777 & ~process.umask());
      return staging;
    });
  }

  /**
   * Replaces the target by the staging folder.
   *
   * @throws InputErrors if the target has got foreign files in the meantime, or the system refuses to rename it; it is
   *   then unchanged
   */
  publish(): void {
    for (let attempt = 0; attempt < PUBLISH_ATTEMPTS_MAX; attempt++) {
      refuseTarget(this.target, this.#inputs);
      const replaced = withUnwritableRefused(this.target, () => this.#moveTargetAside());
      const isPlaced = this.#moveStagingIntoPlace(replaced);
      // Otherwise another writer has published, whose report is replaced in the next round.
      if (replaced !== null) removeReport(replaced);
      if (isPlaced) return;
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
      if (errorCode(error) === "ENOENT") return null;
      throw error;
    }
  }

  /** @param replaced  the old report, which is restored if the new one cannot take its place */
  #moveStagingIntoPlace(replaced: string | null): boolean {
    try {
      renameSync(this.staging, this.target);
      return true;
    } catch (error) {
      if (["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) return false;
      if (replaced !== null) renameIfAbsent(replaced, this.target);
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
const siblingPrefix = (target: string, role: SiblingRole): string => `.${shortName(basename(target))}.${role}-`;

/** A long name is cut, and made unique by its digest: two targets never share the folders beside them. */
function shortName(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= NAME_BYTES_MAX) return name;
  const start = bytes.toString("utf8", 0, NAME_BYTES_MAX).replace(/\uFFFD$/u, "");
  return `${start}~${sha256Hex(name).slice(0, 16)}`;
}

/** Folders beside a target whose processes have ended. */
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

/** Restores a report that is read, if the replacement of it was interrupted. */
export function restoreReport(folder: string): void {
  if (!existsSync(folder)) restoreInterrupted(realPath(resolve(folder)));
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
  const found = withUnwritableRefused(target, () => lstatSync(target, { throwIfNoEntry: false }));
  // The target is a real path, so a link in it could not be followed.
  if (found?.isSymbolicLink() === true) throw targetRefusal(target, "a link that leads nowhere");
  const input = inputs.find((path) => containsFile(target, path));
  if (input !== undefined) throw targetRefusal(target, `a folder that contains the input ${shownInput(target, input)}`);
  const names = withUnwritableRefused(target, () => foreignNames(target));
  if (names.length > 0)
    throw targetRefusal(target, `a folder with files that no run.json of vppsim lists (${formatNameList(names, 5)})`);
  const changed = withUnwritableRefused(target, () => changedNames(target));
  if (changed.length > 0)
    throw targetRefusal(
      target,
      `a report with files that were changed after the run (${formatNameList(changed, 5)})`,
      WITHOUT_CHANGES,
    );
  if (isMountPoint(target)) throw targetRefusal(target, "a mounted folder, which cannot be replaced", BELOW_MOUNT);
}

/** Relative to the target, unless the folder has another name in the path of the input. */
const shownInput = (target: string, input: string): string =>
  input.startsWith(`${target}${sep}`) ? relative(target, input) : input;

/** Reports the system's refusal of a path as an input error. Other errors, such as a full disk, are not input errors. */
function withUnwritableRefused<Result>(target: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || !UNWRITABLE_CODES.has(code)) throw error;
    throw targetRefusal(target, `a path where no folder can be created (${code})`);
  }
}

const WITHOUT_CHANGES = "another folder, or this one without the changed files: move them away, or delete them";

const BELOW_MOUNT = "a folder in it, as in --out <folder>/report";

export const targetRefusal = (
  target: string,
  found: string,
  allowed = "a new or empty folder, or an older report (it is replaced)",
): InputErrors => inputRefusal(target, found, allowed);
