import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../base/errorCode.ts";
import { sha256Hex } from "../base/ids.ts";
import { InputErrors, inputRefusal } from "../scenario/parse/inputError.ts";
import { isRunChanged, listedDigests, namesOfOneState, RUN_FILE } from "./reportFiles.ts";

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

/** Names of the files of a report, run.json included, whose digests are not those in run.json (docs/model/report-files.md#replacement). */
export const changedNames = (folder: string): string[] =>
  namesOfOneState(folder, () => {
    const changed = Object.keys(listedDigests(folder) ?? {}).filter((name) => isChanged(join(folder, name)));
    return (isRunChanged(folder) ? [...changed, RUN_FILE] : changed).sort();
  });

function isChanged(file: string): boolean {
  try {
    for (const _piece of checkedPieces(file));
    return false;
  } catch (error) {
    if (error instanceof InputErrors) return true;
    // Another process has replaced the report in the meantime.
    if (errorCode(error) === "ENOENT") return false;
    throw error;
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
