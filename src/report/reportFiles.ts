import { type Dirent, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../base/errorCode.ts";

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
export function foreignNames(folder: string): string[] {
  const entries = entriesOf(folder);
  const run = readRun(folder);
  // Another writer has moved the report aside between the two reads.
  if (run === null && entries.some(({ name }) => name === RUN_FILE)) return foreignNames(folder);
  const listed = new Set(Object.keys(digestsIn(run) ?? {}));
  if (listed.has(STUDY_FILE)) listed.add(RESULTS_FILE);
  if (digestsIn(run) !== null) listed.add(RUN_FILE);
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

type Json = Readonly<Record<string, unknown>>;

/** Digests of the files of a report by name, as run.json has them; `null` without a run.json of vppsim. */
export const listedDigests = (folder: string): Json | null => digestsIn(readRun(folder));

function digestsIn(run: Json | null): Json | null {
  const { version, files } = run ?? {};
  return typeof version === "string" && typeof files === "object" ? (files as Json | null) : null;
}

/** The content of run.json; `null` where it is missing, no keys where it is not of vppsim. */
function readRun(folder: string): Json | null {
  try {
    const file = join(folder, RUN_FILE);
    // vppsim writes no links, and reading a named pipe may never end.
    return lstatSync(file).isFile() ? (JSON.parse(readFileSync(file, "utf8")) ?? {}) : {};
  } catch (error) {
    return errorCode(error) === "ENOENT" ? null : {};
  }
}
