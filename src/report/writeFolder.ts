import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../base/ids.ts";
import { ReportFolder } from "./reportFolder.ts";
import { writeRunJson } from "./runJson.ts";

/**
 * Writes a folder of documents with their run.json, as a whole.
 *
 * @param files   contents by file name
 * @param inputs  files that the documents are computed from
 * @returns the absolute path of the folder
 * @throws InputErrors if the folder must not be replaced
 */
export function writeFolder(target: string, files: ReadonlyMap<string, string>, inputs: Iterable<string>): string {
  const folder = new ReportFolder(target, { inputs });
  try {
    const digests = [...files].map(([name, content]) => {
      writeFileSync(join(folder.staging, name), content);
      return [name, sha256Hex(content)] as const;
    });
    writeRunJson(folder.staging, {}, digests);
    folder.publish();
  } catch (error) {
    folder.discard();
    throw error;
  }
  return folder.target;
}
