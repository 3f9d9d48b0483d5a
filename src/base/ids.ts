import { platform } from "#platform";
import type { Sha256 } from "../platform/platform.ts";
import { hexText } from "./bytes.ts";

/** The first 32 hex digits of the SHA-256 of a text: the shape of every id of the three APIs. */
export const hexId = (text: string): string => platform.sha256Hex(text).slice(0, 32);

/** SHA-256 of bytes or text, as 64 hex digits. */
export const sha256Hex = (content: string | Uint8Array): string => platform.sha256Hex(content);

export function sha256(content: string | Uint8Array): Uint8Array {
  const hash = createSha256();
  hash.update(content);
  return hash.digest();
}

export type { Sha256 };
export const createSha256 = (): Sha256 => platform.sha256();

/** What was hashed, as 64 hex digits. */
export const digestHex = (hash: Sha256): string => hexText(hash.digest());

/** SHA-256 of the pieces of bytes or of a text, as 64 hex digits; no piece ends within a character. */
export function sha256OfPieces(pieces: Iterable<string | Uint8Array>): string {
  const hash = createSha256();
  for (const piece of pieces) hash.update(piece);
  return digestHex(hash);
}
