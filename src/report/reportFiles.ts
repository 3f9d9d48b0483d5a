import { createHash } from "node:crypto";
import { closeSync, type Dirent, lstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../base/errorCode.ts";
import { sha256Hex } from "../base/ids.ts";
import { inputRefusal } from "../base/inputError.ts";

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
const listedDigests = (folder: string): Json | null => digestsIn(readRun(folder));

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

const PIECE_BYTES = 1 << 20;

/** Refuses the content of a file of a report that was changed after the run. @throws InputErrors as `checkedPieces` does */
export function refuseChangedContent(file: string, content: Buffer): void {
  const listed = listedDigest(file);
  if (listed !== undefined) refuseOtherDigest(file, listed, sha256Hex(content));
}

/**
 * The bytes of a file of a report in pieces, which are valid until the next one. A reader that stops early has the rest read for
 * the digest. A file that no run.json lists is not checked (docs/model/report-files.md#changed-files).
 *
 * @throws InputErrors after the last piece, if the file was changed after the run had written it
 */
export function* checkedPieces(file: string): Generator<Buffer, void> {
  const listed = listedDigest(file);
  const hash = createHash("sha256");
  const descriptor = openSync(file, "r");
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    const next = (): Buffer => {
      const piece = buffer.subarray(0, readSync(descriptor, buffer));
      if (listed !== undefined) hash.update(piece);
      return piece;
    };
    try {
      for (let piece = next(); piece.length > 0; piece = next()) yield piece;
    } finally {
      if (listed !== undefined) while (next().length > 0);
    }
  } finally {
    closeSync(descriptor);
    if (listed !== undefined) refuseOtherDigest(file, listed, hash.digest("hex"));
  }
}

/** As in run.json: `sha256:` and the hexadecimal digest; `undefined`: no run.json lists the file. */
const listedDigest = (file: string): unknown => listedDigests(dirname(file))?.[basename(file)];

/** @param found  SHA-256 in hexadecimal */
function refuseOtherDigest(file: string, listed: unknown, found: string): void {
  if (listed === `sha256:${found}`) return;
  throw inputRefusal(
    file,
    "a file that was changed after the run: run.json has another digest of it",
    "the file as it was written; run the scenario again",
  );
}
