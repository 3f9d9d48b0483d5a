import { platform } from "#platform";
import { utf8Bytes } from "../base/bytes.ts";
import { sha256Hex } from "../base/ids.ts";
import { dirname, relative } from "../base/paths.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";
import { RUN_FILE, type StagingFiles } from "../platform/files.ts";
import { VERSION } from "../version.ts";

/** File names and their SHA-256 in hex. */
export type FileDigests = readonly (readonly [string, string])[];

/** Digests of the files of a scenario, by path from its folder. They identify the prices and series of a report. */
export const inputDigests = ({ file, inputFiles }: Pick<Scenario, "file" | "inputFiles">): Record<string, string> =>
  Object.fromEntries([...inputFiles].map(([path, digest]) => [relative(dirname(file), path), `sha256:${digest}`]));

/** Writes a file of a report. @returns its name and its digest */
export function writeText(staging: StagingFiles, name: string, text: string): readonly [string, string] {
  const bytes = utf8Bytes(text);
  const file = staging.open(name);
  file.write(bytes);
  file.close();
  return [name, sha256Hex(bytes)];
}

/** Writes run.json: the program's version, figures of this run, and the digests of the other files. */
export function writeRunJson(
  staging: StagingFiles,
  statistics: Readonly<Record<string, unknown>>,
  digests: FileDigests,
): void {
  const sorted = [...digests].sort(([a], [b]) => (a < b ? -1 : 1));
  const run = {
    version: VERSION,
    node: platform.engine,
    ...statistics,
    files: Object.fromEntries(sorted.map(([file, digest]) => [file, `sha256:${digest}`])),
  };
  writeText(staging, RUN_FILE, `${JSON.stringify(run, null, 2)}\n`);
}
