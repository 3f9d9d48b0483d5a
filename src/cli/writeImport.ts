import { lstatSync, readFileSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { formatValue, inputRefusal } from "../base/inputError.ts";
import { isSameFile } from "../platform/node/kernelLock.ts";
import { createFolder, processTag } from "../platform/node/reportFolder.ts";
import { writeStaged } from "../platform/node/writeStaged.ts";

interface ImportTarget {
  readonly folder: string;
  /** Name of the series or of the list; the file is `<name>.csv`. */
  readonly name: string;
  /** Files that were read. */
  readonly inputs: readonly string[];
  /** Whether a file with other content is replaced. */
  readonly isReplaced: boolean;
}

/** File systems allow 255 bytes, and the name of an unfinished file is longer. */
const NAME_BYTES_MAX = 150;

/**
 * Writes an imported table whole, or not at all (docs/model/formats.md#import-files).
 *
 * @returns the path of the file
 * @throws InputErrors if a file of the user would be lost
 */
export function writeImport({ folder, name, inputs, isReplaced }: ImportTarget, csv: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file name has them
  if (/[/\\\u0000-\u001f]/.test(name) || name.startsWith(".") || Buffer.byteLength(name) > NAME_BYTES_MAX)
    throw inputRefusal("--name", formatValue(name), `a name that a file can have, of at most ${NAME_BYTES_MAX} bytes`);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw inputRefusal(folder, "a file", "a folder");
  const path = join(folder, `${name}.csv`);
  const existing = lstatSync(path, { throwIfNoEntry: false });
  if (existing !== undefined) {
    checkReplaceable(path, existing, inputs);
    if (!isReplaced && readFileSync(path, "utf8") !== csv)
      throw inputRefusal(path, "a file with other content", "another name with --name, or --replace to replace it");
  }
  createFolder(resolve(folder));
  writeStaged(path, csv, join(folder, `.${name}.csv.partial-${processTag()}`));
  return path;
}

function checkReplaceable(path: string, existing: Stats, inputs: readonly string[]): void {
  if (!existing.isFile()) throw inputRefusal(path, "a link, a folder or a device", "no file, or a regular file");
  const isInput = inputs.some((input) => isSameFile(existing, statSync(input)));
  if (isInput) throw inputRefusal(path, "a file that is imported", "another name with --name, or another folder");
}
