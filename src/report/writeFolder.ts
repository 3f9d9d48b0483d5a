import { platform } from "#platform";
import type { StagingFiles } from "../platform/files.ts";
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
  const write = (staging: StagingFiles): FileDigests =>
    [...files].map(([name, content]) => writeText(staging, name, content));
  return publishFolder(target, inputs, write, statistics);
}

/**
 * The same with files that a function writes.
 *
 * @param write  writes them where the reader does not see them yet, and returns their digests
 */
export function publishFolder(
  target: string,
  inputs: Iterable<string>,
  write: (staging: StagingFiles) => FileDigests,
  statistics: Readonly<Record<string, unknown>> = {},
): string {
  const sink = platform.openReport(target, inputs);
  try {
    writeRunJson(sink, statistics, write(sink));
    sink.publish();
  } catch (error) {
    sink.discard();
    throw error;
  }
  return sink.target;
}
