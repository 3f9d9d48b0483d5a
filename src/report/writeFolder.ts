import { ReportFolder } from "./reportFolder.ts";
import { type FileDigests, writeRunJson, writeText } from "./runJson.ts";

/**
 * Writes a folder of documents with their run.json, as a whole.
 *
 * @param files   contents by file name
 * @param inputs  files that the documents are computed from
 * @param statistics  further keys of run.json
 * @returns the absolute path of the folder
 * @throws InputErrors if the folder must not be replaced
 */
export function writeFolder(
  target: string,
  files: ReadonlyMap<string, string>,
  inputs: Iterable<string>,
  statistics: Readonly<Record<string, unknown>> = {},
): string {
  const write = (staging: string): FileDigests =>
    [...files].map(([name, content]) => writeText(staging, name, content));
  return publishFolder(target, inputs, write, statistics);
}

/**
 * The same with files that a function writes.
 *
 * @param write  writes them into a folder that the reader does not see yet, and returns their digests
 */
export function publishFolder(
  target: string,
  inputs: Iterable<string>,
  write: (staging: string) => FileDigests,
  statistics: Readonly<Record<string, unknown>> = {},
): string {
  const folder = new ReportFolder(target, { inputs });
  try {
    writeRunJson(folder.staging, statistics, write(folder.staging));
    folder.publish();
  } catch (error) {
    folder.discard();
    throw error;
  }
  return folder.target;
}
