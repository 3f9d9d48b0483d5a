import { hash } from "node:crypto";

/** The first 32 hex digits of the SHA-256 of a text: the shape of every id of the three APIs. */
export const hexId = (text: string): string => hash("sha256", text).slice(0, 32);

/** SHA-256 of bytes or text, as 64 hex digits. */
export const sha256Hex = (content: string | Uint8Array): string => hash("sha256", content);
