import { writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { sha256Hex } from "../base/ids.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";
import { VERSION } from "../version.ts";
import { RUN_FILE } from "./reportFiles.ts";

/** File names and their SHA-256 in hex. */
export type FileDigests = readonly (readonly [string, string])[];

/** Digests of the files of a scenario, by path from its folder. They identify the prices and series of a report. */
export const inputDigests = ({ file, inputFiles }: Pick<Scenario, "file" | "inputFiles">): Record<string, string> =>
  Object.fromEntries([...inputFiles].map(([path, digest]) => [relative(dirname(file), path), `sha256:${digest}`]));

/** Writes a file of a report. @returns its name and its digest */
export function writeText(folder: string, file: string, text: string): readonly [string, string] {
  writeFileSync(join(folder, file), text);
  return [file, sha256Hex(text)];
}

/** Writes run.json: the program's version, figures of this run, and the digests of the other files. */
export function writeRunJson(
  folder: string,
  statistics: Readonly<Record<string, unknown>>,
  digests: FileDigests,
): void {
  const sorted = [...digests].sort(([a], [b]) => (a < b ? -1 : 1));
  const run = {
    version: VERSION,
    node: process.version,
    ...statistics,
    files: Object.fromEntries(sorted.map(([file, digest]) => [file, `sha256:${digest}`])),
  };
  writeFileSync(join(folder, RUN_FILE), `${JSON.stringify(run, null, 2)}\n`);
}
