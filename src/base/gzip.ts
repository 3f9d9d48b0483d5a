import { platform } from "#platform";

/** Largest unpacked size of a gzip file, in bytes: a few kilobytes can unpack to many gigabytes. */
const UNPACKED_BYTES_MAX = 1 << 30;
const BYTES_PER_MIB = 1 << 20;

export const isGzip = (content: Uint8Array): boolean => content[0] === 0x1f && content[1] === 0x8b;

/** @returns the unpacked bytes, or why there are none, as in "a damaged gzip file" */
export function unpackGzip(
  content: Uint8Array,
  bytesMax = UNPACKED_BYTES_MAX,
): { readonly bytes: Uint8Array } | { readonly wrong: string } {
  try {
    return { bytes: platform.gunzip(content, bytesMax) };
  } catch (error) {
    return {
      wrong:
        error instanceof RangeError
          ? `a gzip file that unpacks to more than ${bytesMax / BYTES_PER_MIB} MiB`
          : "a damaged gzip file",
    };
  }
}
