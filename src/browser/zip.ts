import { unzipSync, zipSync } from "fflate";
import { utf8Text } from "../base/bytes.ts";
import { inputRefusal } from "../base/inputError.ts";
import { bytesByPath, isInside, type Project } from "./project.ts";

const ENTRIES_MAX = 10_000;
const UNPACKED_BYTES_MAX = 256 * 1024 * 1024;

/**
 * A zip of files by path, stored in order of their paths, with the time 1980-01-01: the same files give the same bytes. Times in a zip
 * are local, so that the constant is too.
 */
export const packZip = (files: Project["files"]): Uint8Array =>
  zipSync(Object.fromEntries([...bytesByPath(files)].sort(([a], [b]) => (a < b ? -1 : 1))), {
    level: 0,
    mtime: new Date(1980, 0, 1),
  });

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;

/**
 * The files of a zip by path, without its folders.
 *
 * @param name  named in errors
 * @throws InputErrors for a damaged zip, one that is too large, and paths that leave it or come twice
 */
export function unpackZip(name: string, bytes: Uint8Array): Map<string, Uint8Array> {
  const refuse = (found: string, allowed: string) => inputRefusal(name, found, allowed);
  const paths = new Set<string>();
  let size = 0;
  const filter = (entry: { readonly name: string; readonly originalSize: number }): boolean => {
    const path = entry.name;
    if (!isInside(path)) throw refuse(`the entry ${JSON.stringify(path)}`, "paths within the zip");
    if (paths.has(path)) throw refuse(`${JSON.stringify(path)} twice`, "each path once");
    paths.add(path);
    size += entry.originalSize;
    if (paths.size > ENTRIES_MAX) throw refuse(`more than ${ENTRIES_MAX} entries`, `at most ${ENTRIES_MAX}`);
    if (size > UNPACKED_BYTES_MAX) throw refuse("more than 256 MB unpacked", "at most 256 MB");
    return !path.endsWith("/");
  };
  const link = linkIn(bytes);
  if (link !== null) throw refuse(`the link ${JSON.stringify(link)}`, "files and folders");
  try {
    return new Map(Object.entries(unzipSync(bytes, { filter })));
  } catch (error) {
    if (error instanceof Error && error.name !== "InputErrors") throw refuse("a damaged zip", "a complete zip file");
    throw error;
  }
}

const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const DIRECTORY_END_BYTES = 22;
const UNIX = 3;
const [FILE_TYPES, LINK] = [0o170000, 0o120000];

/** The first entry that is a symbolic link; `null` for none, and where there is no list of entries. */
function linkIn(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = bytes.length - DIRECTORY_END_BYTES;
  while (end >= 0 && view.getUint32(end, true) !== DIRECTORY_END) end--;
  if (end < 0) return null;
  let at = view.getUint32(end + 16, true);
  while (at + 46 <= end && view.getUint32(at, true) === DIRECTORY_ENTRY) {
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const isLink = (view.getUint16(at + 40, true) & FILE_TYPES) === LINK;
    if (view.getUint8(at + 5) === UNIX && isLink) return utf8Text(bytes.subarray(at + 46, nameEnd));
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return null;
}
