import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inputRefusal } from "../../base/inputError.ts";
import type { InputFiles } from "../files.ts";

/** Error codes of unreadable paths; the last is Node's code for a path with a zero byte. */
const UNREADABLE_CODES: ReadonlySet<string> = new Set([
  "ENOENT",
  "EISDIR",
  "ENOTDIR",
  "EACCES",
  "ELOOP",
  "ENAMETOOLONG",
  "ERR_INVALID_ARG_VALUE",
]);

export const diskFiles: Required<InputFiles> = {
  read(path) {
    try {
      refuseIrregularFile(path);
      return readFileSync(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== undefined && UNREADABLE_CODES.has(code)) return null;
      throw error;
    }
  },
  isFolder: (path) => existsSync(`${path}/`),
  openPieces(path) {
    try {
      accessSync(path, constants.R_OK);
      const stat = statSync(path);
      return stat.isFile() ? { byteCount: stat.size, pieces: readPieces(path) } : null;
    } catch {
      return null;
    }
  },
};

/** Standard input and what a shell passes as `<(…)`, which end when their writer does. */
const STREAM_PATH = /^\/(dev\/stdin$|dev\/fd\/|proc\/self\/fd\/)/;

/**
 * Refuses a named pipe, a socket or a device: reading it may never end (docs/model/scenario-format.md#regular-files).
 *
 * @throws InputErrors, or the system error of a missing file
 */
export function refuseIrregularFile(path: string): void {
  const stat = statSync(path);
  if (stat.isFile() || stat.isDirectory() || STREAM_PATH.test(path)) return;
  const found = stat.isFIFO() ? "a named pipe" : stat.isSocket() ? "a socket" : "a device";
  throw inputRefusal(path, found, "a regular file");
}

const PIECE_BYTES = 1 << 20;

/** Bytes of a regular file in pieces, which are valid until the next one. */
export function* readPieces(path: string): Generator<Uint8Array, void> {
  refuseIrregularFile(path);
  const descriptor = openSync(path, "r");
  try {
    const buffer = new Uint8Array(PIECE_BYTES);
    for (let size = readSync(descriptor, buffer); size > 0; size = readSync(descriptor, buffer))
      yield buffer.subarray(0, size);
  } finally {
    closeSync(descriptor);
  }
}

export const exists = existsSync;

/** The same from src/ and from dist/: both stand side by side. */
const DATA = fileURLToPath(new URL("../../../data/", import.meta.url));

/** Parameter sets and the like that ship with the package: path by name. */
export const shippedFiles = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(join(DATA, folder))
      .filter((file) => file.endsWith(".yaml"))
      .map((file) => [basename(file, ".yaml"), join(DATA, folder, file)]),
  );
