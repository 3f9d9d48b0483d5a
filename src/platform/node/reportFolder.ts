import {
  chmodSync,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { errorCode } from "../../base/errorCode.ts";
import { formatNameList, type InputErrors, inputRefusal } from "../../base/inputError.ts";
import { listedDigests } from "../../base/listedDigests.ts";
import { RESULTS_FILE, type ReportSink, RUN_FILE, type SinkFile, STUDY_FILE } from "../files.ts";
import { FolderSink } from "./folderSink.ts";
import { realPath } from "./realPath.ts";
import { isStillRunning, machineTag, processStart } from "./runningProcess.ts";

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
export class ReportFolder implements ReportSink {
  readonly target: string;
  readonly staging: string;
  private readonly inputs: readonly string[];

  /** @throws InputErrors if the target must not be replaced, or if the folder cannot be created */
  constructor(target: string, { inputs, staging }: ReportFolderOptions) {
    this.inputs = [...inputs].map(realPath);
    this.target = realPath(resolve(target));
    restoreInterrupted(this.target);
    refuseTarget(this.target, this.inputs);
    this.staging = staging ?? this.createStaging();
  }

  open(name: string): SinkFile {
    return new FolderSink(this.staging).open(name);
  }

  private createStaging(): string {
    const parent = dirname(this.target);
    return withUnwritableRefused(this.target, () => {
      createFolder(parent);
      for (const folder of abandonedSiblings(this.target, STAGING)) rmSync(folder, { recursive: true, force: true });
      const staging = mkdtempSync(siblingPath(this.target, STAGING));
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
      refuseTarget(this.target, this.inputs);
      const replaced = siblingPath(this.target, REPLACED);
      const hasMoved = withUnwritableRefused(this.target, () => renameIfPresent(this.target, replaced));
      const isPlaced = this.moveStagingIntoPlace(hasMoved ? replaced : null);
      // Otherwise another writer has published, whose report is replaced in the next round.
      rmSync(replaced, { recursive: true, force: true });
      if (isPlaced) return;
    }
    throw new Error(`cannot replace ${this.target}: other processes write to it all the time`);
  }

  /** @param replaced  the old report, which is restored if the new one cannot take its place */
  private moveStagingIntoPlace(replaced: string | null): boolean {
    try {
      renameSync(this.staging, this.target);
      return true;
    } catch (error) {
      if (["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) return false;
      if (replaced !== null) restore(replaced, this.target);
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
const siblingPrefix = (target: string, role: SiblingRole): string => `.${basename(target)}.${role}-`;

const siblingPath = (target: string, role: SiblingRole): string =>
  join(dirname(target), `${siblingPrefix(target, role)}${processTag()}-`);

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

/** Restores a report whose replacement was interrupted between its two renames, and removes replaced reports. */
function restoreInterrupted(target: string): void {
  for (const folder of abandonedSiblings(target, REPLACED)) {
    if (existsSync(target)) rmSync(folder, { recursive: true, force: true });
    else restore(folder, target);
  }
}

/** Restores a report that is read, if the replacement of it was interrupted. */
export function restoreReport(folder: string): void {
  if (!existsSync(folder)) restoreInterrupted(realPath(resolve(folder)));
}

/** Another process may restore or publish at the same time. */
function restore(folder: string, target: string): void {
  try {
    renameSync(folder, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
}

function renameIfPresent(folder: string, name: string): boolean {
  try {
    renameSync(folder, name);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/**
 * Names in a folder that are not files of a report written by vppsim: all names, unless run.json lists them.
 *
 * @throws the system error if the folder cannot be read for another reason than that it does not exist
 */
export function foreignNames(folder: string): string[] {
  const entries = entriesOf(folder);
  const run = readRun(folder);
  // Another writer has moved the report aside between the two reads.
  if (run === null && entries.some(({ name }) => name === RUN_FILE)) return foreignNames(folder);
  const digests = run === null ? null : listedDigests(run);
  const listed = new Set(Object.keys(digests ?? {}));
  if (listed.has(STUDY_FILE)) listed.add(RESULTS_FILE);
  if (digests !== null) listed.add(RUN_FILE);
  const foreign = entries.filter((entry) => !entry.isFile() || !listed.has(entry.name));
  return foreign.map(({ name }) => name).sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** The bytes of run.json; `null` where it is missing, none where it cannot be of vppsim. */
function readRun(folder: string): Uint8Array | null {
  try {
    const file = join(folder, RUN_FILE);
    // vppsim writes no links, and reading a named pipe may never end.
    return lstatSync(file).isFile() ? readFileSync(file) : new Uint8Array(0);
  } catch (error) {
    return errorCode(error) === "ENOENT" ? null : new Uint8Array(0);
  }
}

function refuseTarget(target: string, inputs: readonly string[]): void {
  const found = withUnwritableRefused(target, () => lstatSync(target, { throwIfNoEntry: false }));
  // The target is a real path, so a link in it could not be followed.
  if (found?.isSymbolicLink() === true) throw targetRefusal(target, "a link that leads nowhere");
  const input = inputs.find((path) => path.startsWith(join(target, sep)));
  if (input !== undefined) throw targetRefusal(target, `a folder that contains the input ${relative(target, input)}`);
  const names = withUnwritableRefused(target, () => foreignNames(target));
  if (names.length > 0)
    throw targetRefusal(target, `a folder with files that no run.json of vppsim lists (${formatNameList(names, 5)})`);
  if (found !== undefined && isMountPoint(target, found))
    throw targetRefusal(target, "a mounted folder, which cannot be replaced", BELOW_MOUNT);
}

/** A mounted folder can be written to, but not renamed. */
const isMountPoint = (folder: string, { dev }: Stats): boolean =>
  folder === dirname(folder) || dev !== statSync(dirname(folder)).dev;

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

const BELOW_MOUNT = "a folder in it, as in --out <folder>/report";

export const targetRefusal = (
  target: string,
  found: string,
  allowed = "a new or empty folder, or an older report (it is replaced)",
): InputErrors => inputRefusal(target, found, allowed);

/**
 * Creates a folder and its missing parents.
 *
 * One level at a time: Node's `recursive` option never returns on a file system that reports a new folder as missing,
 * such as /proc.
 *
 * @param path absolute
 * @throws InputErrors for a link that leads nowhere, otherwise the system error of the first folder that cannot be created
 */
export function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (existsSync(path)) return;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw inputRefusal(path, "a link that leads nowhere", "a folder, or a name that is free");
    throw error;
  }
}

/**
 * Identifies this process in names of temporary folders: `<machine>-<process number>-<its start>`.
 *
 * A process number alone is ambiguous: numbers are reused, and containers that share a folder have their own numbers.
 */
export const processTag = (): string => `${machineTag()}-${process.pid}-${processStart(process.pid)}`;

/** Whether a text begins with the tag of a process of this machine that no longer runs. */
export function isOfEndedProcess(text: string): boolean {
  const [, machine, pid, start] = /^([0-9a-f]{8})-(\d+)-(\d*)-/.exec(text) ?? [];
  if (machine !== machineTag()) return false;
  return !isStillRunning(Number(pid), start);
}
