import { type Dirent, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../base/errorCode.ts";
import { sha256Hex } from "../base/ids.ts";

/** Lists the other files of a folder by name, with their digests. */
export const RUN_FILE = "run.json";

/** The table of a study, whose report also has `RESULTS_FILE`. */
export const STUDY_FILE = "study.csv";

/** Finished runs of a study. run.json does not list it, because it differs between equal studies. */
export const RESULTS_FILE = "results.jsonl";

/**
 * Names in a folder that are not files of a report written by vppsim: all names, unless run.json lists them.
 *
 * @throws the system error if the folder cannot be read for another reason than that it does not exist
 */
export const foreignNames = (folder: string): string[] =>
  namesOfOneState(folder, () => {
    const listed = listedFiles(folder);
    const foreign = entriesOf(folder).filter((entry) => !entry.isFile() || !listed.has(entry.name));
    return foreign.map(({ name }) => name).sort();
  });

/**
 * Names that `find` reads in a folder. Another process can replace the folder between two reads of `find`, and a new folder can have the
 * inode and the coarse time of a removed one. Names count only after two results of the same state.
 */
export function namesOfOneState(folder: string, find: () => string[]): string[] {
  let seen = "";
  for (;;) {
    const before = stateOf(folder);
    const names = find();
    if (names.length === 0) return [];
    const state = `${before} ${names.join("/")}`;
    if (stateOf(folder) === before && state === seen) return names;
    seen = state;
  }
}

/** Changes when the folder is replaced, and when a file in it is created or removed. */
function stateOf(folder: string): string {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.ctimeNs}`;
}

/** Whether a folder is a complete report and contains nothing else. */
export function isPublished(folder: string): boolean {
  try {
    return entriesOf(folder).some(({ name }) => name === RUN_FILE) && foreignNames(folder).length === 0;
  } catch {
    return false;
  }
}

/** Removes the files of a report, and its folder unless it contains others. */
export function removeReport(folder: string): void {
  for (const name of listedFiles(folder)) if (name !== RUN_FILE) rmSync(join(folder, name), { force: true });
  // Last, so that an interrupted removal can be continued.
  rmSync(join(folder, RUN_FILE), { force: true });
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(errorCode(error) ?? "")) throw error;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

function listedFiles(folder: string): ReadonlySet<string> {
  const listed = listedDigests(folder);
  if (listed === null) return new Set();
  const names = new Set(Object.keys(listed).filter(isPlainName)).add(RUN_FILE);
  return names.has(STUDY_FILE) ? names.add(RESULTS_FILE) : names;
}

/** Digests of the files of a report by name, as run.json has them; `null` without a run.json of vppsim. */
export function listedDigests(folder: string): Readonly<Record<string, unknown>> | null {
  const { version, files } = readRun(folder);
  return typeof version === "string" && typeof files === "object"
    ? (files as Readonly<Record<string, unknown>> | null)
    : null;
}

/** Digest of the content of run.json without the digest itself. White space does not count. */
export const runDigest = (run: Readonly<Record<string, unknown>>): string => `sha256:${sha256Hex(JSON.stringify(run))}`;

/** Whether somebody has added a key to run.json or changed a value (docs/model/report-files.md#replacement). */
export function isRunChanged(folder: string): boolean {
  const { digest, ...run } = readRun(folder);
  return digest !== undefined && digest !== runDigest(run);
}

/** The content of run.json; no keys where it is missing or not of vppsim. */
function readRun(folder: string): Readonly<Record<string, unknown>> {
  try {
    const file = join(folder, RUN_FILE);
    // vppsim writes no links, and reading a named pipe may never end.
    return lstatSync(file).isFile() ? (JSON.parse(readFileSync(file, "utf8")) ?? {}) : {};
  } catch {
    return {};
  }
}

/** Excludes paths to other folders. */
const isPlainName = (name: string): boolean => !/[/\\]/.test(name) && name !== "." && name !== "..";
