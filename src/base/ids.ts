import { createHash, type Hash, hash } from "node:crypto";

/** The first 32 hex digits of the SHA-256 of a text: the shape of every id of the three APIs. */
export const hexId = (text: string): string => hash("sha256", text).slice(0, 32);

/** SHA-256 of bytes or text, as 64 hex digits. */
export const sha256Hex = (content: string | Uint8Array): string => hash("sha256", content);

/** SHA-256 of what it is updated with. */
export type Sha256 = Hash;
export const createSha256 = (): Sha256 => createHash("sha256");

/** The same of the pieces of a text; no piece ends within a character. */
export function sha256OfPieces(pieces: Iterable<string>): string {
  const digest = createSha256();
  for (const piece of pieces) digest.update(piece);
  return digest.digest("hex");
}
