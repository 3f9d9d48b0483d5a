import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";
import { sha256Hex } from "../base/ids.ts";
import { inputRefusal } from "../scenario/parse/inputError.ts";
import { listedDigests } from "./reportFiles.ts";

const PIECE_BYTES = 1 << 20;

/**
 * Refuses a file of a report that was changed after the run had written it. A file that no run.json lists is not checked
 * (docs/model/report-files.md#changed-files).
 *
 * @throws InputErrors
 */
export const refuseChangedFile = (file: string): void => refuseOtherDigest(file, () => digestOfFile(file));

/** The same for a file that has been read. */
export const refuseChangedContent = (file: string, content: Buffer): void =>
  refuseOtherDigest(file, () => sha256Hex(content));

function refuseOtherDigest(file: string, digest: () => string): void {
  const listed = listedDigests(dirname(file))?.[basename(file)];
  if (listed === undefined || listed === `sha256:${digest()}`) return;
  throw inputRefusal(
    file,
    "a file that was changed after the run: run.json has another digest of it",
    "the file as it was written; run the scenario again",
  );
}

function digestOfFile(file: string): string {
  const hash = createHash("sha256");
  const descriptor = openSync(file, "r");
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let size = readSync(descriptor, piece); size > 0; size = readSync(descriptor, piece))
      hash.update(piece.subarray(0, size));
  } finally {
    closeSync(descriptor);
  }
  return hash.digest("hex");
}
