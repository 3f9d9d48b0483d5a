import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../../base/errorCode.ts";
import { formatNameList, inputRefusal } from "../../../base/inputError.ts";
import type { RawFile } from "../../formats/readFormatFile.ts";
import { nearestName } from "../../scenario/parse/nearestName.ts";
import { rawFiles } from "../rawFiles.ts";
import { type FromFilesOptions, scenarioFromFiles } from "../scenarioFromFiles.ts";
import { exampleFiles, listExamples, STARTER } from "./exampleFiles.ts";
import { writeFiles } from "./writeFiles.ts";

/**
 * Writes an example scenario with its data into a new or empty folder.
 *
 * @param example  a name of `listExamples()`
 * @returns the paths of the files, the scenario first
 * @throws InputErrors if the folder exists and is not empty, or if there is no such example; nothing is written then
 */
export function initScenario(dir: string, example: string = STARTER): string[] {
  const inTheWay = findConflict(dir);
  if (inTheWay !== null) throw inputRefusal(dir, inTheWay, "a folder that is empty or does not exist yet");
  const files = exampleFiles(example);
  if (files === null) throw inputRefusal("--example", JSON.stringify(example), allowedExamples(example));
  return writeFiles(dir, files);
}

/**
 * Writes a scenario that runs from published files, with copies of them, into a new or empty folder.
 *
 * @returns the paths of the files, the scenario first
 * @throws InputErrors as `initScenario`, and for files that cannot be read; nothing is written then
 */
export function initFromFiles(dir: string, files: readonly RawFile[], options: FromFilesOptions): string[] {
  const inTheWay = findConflict(dir);
  if (inTheWay !== null) throw inputRefusal(dir, inTheWay, "a folder that is empty or does not exist yet");
  return writeFiles(dir, scenarioFromFiles(files, options));
}

/**
 * Writes a month of files as publishers, spreadsheets and meters write them into the folder `raw` of a new or empty folder.
 *
 * @returns their paths
 * @throws InputErrors if the folder exists and is not empty
 */
export function initRawFiles(dir: string): string[] {
  const inTheWay = findConflict(dir);
  if (inTheWay !== null) throw inputRefusal(dir, inTheWay, "a folder that is empty or does not exist yet");
  return writeFiles(join(dir, "raw"), rawFiles());
}

function allowedExamples(name: string): string {
  const names = listExamples().map((example) => example.name);
  const near = nearestName(name, names);
  return `one of ${formatNameList(names)}${near === null ? "" : `; did you mean ${near}`}`;
}

/** `null`: nothing. */
function findConflict(dir: string): string | null {
  try {
    const names = readdirSync(dir).sort();
    return names.length === 0 ? null : `a folder that holds ${formatNameList(names, 5)}`;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return null;
    if (code === "ENOTDIR") return "a file";
    throw error;
  }
}
