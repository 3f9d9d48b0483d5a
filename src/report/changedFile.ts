import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";
import { sha256Hex } from "../base/ids.ts";
import { inputRefusal } from "../inputs/scenario/parse/inputError.ts";
import { listedDigests } from "./reportFiles.ts";

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
