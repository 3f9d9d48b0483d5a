import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../base/ids.ts";
import { ReportFolder } from "./reportFolder.ts";
import { type FileDigests, writeRunJson } from "./runJson.ts";

/**
 * Writes a folder of documents with their run.json, as a whole.
 *
 * @param files   contents by file name
 * @param inputs  files that the documents are computed from
 * @returns the absolute path of the folder
 * @throws InputErrors if the folder must not be replaced
 */
export const writeFolder = (target: string, files: ReadonlyMap<string, string>, inputs: Iterable<string>): string =>
  publishFolder(target, inputs, (staging) =>
    [...files].map(([name, content]) => {
      writeFileSync(join(staging, name), content);
      return [name, sha256Hex(content)] as const;
    }),
  );

/**
 * The same with files that a function writes.
 *
 * @param write  writes them into a folder that the reader does not see yet, and returns their digests
 */
export function publishFolder(
  target: string,
  inputs: Iterable<string>,
  write: (staging: string) => FileDigests,
): string {
  const folder = new ReportFolder(target, { inputs });
  try {
    writeRunJson(folder.staging, {}, write(folder.staging));
    folder.publish();
  } catch (error) {
    folder.discard();
    throw error;
  }
  return folder.target;
}
