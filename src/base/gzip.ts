import { gunzipSync } from "node:zlib";
import { errorCode } from "./errorCode.ts";

/** Largest unpacked size of a gzip file, in bytes: a few kilobytes can unpack to many gigabytes. */
const UNPACKED_BYTES_MAX = 1 << 30;
const BYTES_PER_MIB = 1 << 20;

export const isGzip = (content: Uint8Array): boolean => content[0] === 0x1f && content[1] === 0x8b;

/** @returns the unpacked bytes, or why there are none, as in "a damaged gzip file" */
export function unpackGzip(
  content: Uint8Array,
  bytesMax = UNPACKED_BYTES_MAX,
): { readonly bytes: Buffer } | { readonly wrong: string } {
  try {
    return { bytes: gunzipSync(content, { maxOutputLength: bytesMax }) };
  } catch (error) {
    const isTooLarge = errorCode(error) === "ERR_BUFFER_TOO_LARGE";
    return {
      wrong: isTooLarge
        ? `a gzip file that unpacks to more than ${bytesMax / BYTES_PER_MIB} MiB`
        : "a damaged gzip file",
    };
  }
}
