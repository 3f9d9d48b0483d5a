import { platform } from "#platform";
import { createSha256, digestHex, sha256Hex } from "../base/ids.ts";
import { inputRefusal } from "../base/inputError.ts";
import { listedDigests } from "../base/listedDigests.ts";
import { basename, dirname, join } from "../base/paths.ts";
import { RUN_FILE } from "../platform/files.ts";

/** Refuses the content of a file of a report that was changed after the run. @throws InputErrors as `checkedPieces` does */
export function refuseChangedContent(file: string, content: Uint8Array): void {
  const listed = listedDigest(file);
  if (listed !== undefined) refuseOtherDigest(file, listed, sha256Hex(content));
}

/**
 * The bytes of a file of a report in pieces, which are valid until the next one. A reader that stops early has the rest read for
 * the digest. A file that no run.json lists is not checked (docs/model/report-files.md#changed-files).
 *
 * @throws InputErrors after the last piece, if the file was changed after the run had written it
 */
export function* checkedPieces(file: string): Generator<Uint8Array, void> {
  const listed = listedDigest(file);
  if (listed === undefined) return yield* platform.readPieces(file);
  const hash = createSha256();
  const pieces = platform.readPieces(file);
  try {
    for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
      hash.update(piece.value);
      yield piece.value;
    }
  } finally {
    for (const piece of pieces) hash.update(piece);
    refuseOtherDigest(file, listed, digestHex(hash));
  }
}

/** As in run.json: `sha256:` and the hexadecimal digest; `undefined`: no run.json lists the file. */
function listedDigest(file: string): unknown {
  const runJson = platform.files.read(join(dirname(file), RUN_FILE));
  return runJson === null ? undefined : listedDigests(runJson)?.[basename(file)];
}

/** @param found  SHA-256 in hexadecimal */
function refuseOtherDigest(file: string, listed: unknown, found: string): void {
  if (listed === `sha256:${found}`) return;
  throw inputRefusal(
    file,
    "a file that was changed after the run: run.json has another digest of it",
    "the file as it was written; run the scenario again",
  );
}
