// The scenarios that ship with the package, as files of one folder.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "../../../base/assert.ts";
import { type InputError, NO_SUCH_FILE } from "../../../base/inputError.ts";
import { FLEET_DAYS, fleetFiles } from "../fleetFiles.ts";
import { starterFiles } from "../starterFiles.ts";
import type { GeneratedFiles } from "./writeFiles.ts";

export interface Example {
  readonly name: string;
  /** One line. */
  readonly description: string;
}

/** Written by `vppsim init` without `--example`. */
export const STARTER = "starter";

/** The same from src/ and from dist/: both stand side by side. */
const SCENARIOS = fileURLToPath(new URL("../../../../scenarios/", import.meta.url));
const DATA = fileURLToPath(new URL("../../../../data/", import.meta.url));

/** Every example, the starter first. */
export function listExamples(): readonly Example[] {
  const starter = `${starterFiles().get("scenario.yaml")}`;
  return [
    { name: STARTER, description: descriptionOf(starter) },
    ...[...scenarioPaths()].map(([name, path]) => ({ name, description: descriptionOf(readFileSync(path, "utf8")) })),
  ];
}

/** The files of an example, the scenario first; data that the package does not contain are generated. `null`: unknown name. */
export function exampleFiles(name: string): GeneratedFiles | null {
  if (name === STARTER) return starterFiles();
  const days = FLEET_DAYS.get(name);
  if (days !== undefined) return fleetFiles(name, days);
  const path = scenarioPaths().get(name);
  return path === undefined ? null : shippedFiles(path);
}

/** The scenario file of each example by name, as in scenarios/<name>/scenario.yaml and scenarios/features/<name>.yaml. */
function scenarioPaths(): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  const folders = readdirSync(SCENARIOS, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== DRILLS,
  );
  // Folders with one scenario come before collections of files.
  const isCollection = ({ name }: { readonly name: string }) => !existsSync(join(SCENARIOS, name, "scenario.yaml"));
  for (const { name } of folders.filter((folder) => !isCollection(folder)))
    paths.set(name, join(SCENARIOS, name, "scenario.yaml"));
  for (const { name } of folders.filter(isCollection))
    for (const file of readdirSync(join(SCENARIOS, name)).sort())
      if (file.endsWith(".yaml") && !file.endsWith(STUDY_SUFFIX))
        paths.set(basename(file, ".yaml"), join(SCENARIOS, name, file));
  return paths;
}

/** Drills are exercises on scenarios, not scenarios. */
const DRILLS = "drills";
const STUDY_SUFFIX = ".study.yaml";

/** A copy that runs in a folder of its own: with the study and the CSV files, and without paths into the package. */
function shippedFiles(path: string): GeneratedFiles {
  const folder = dirname(path);
  const files = new Map<string, string | Uint8Array>();
  const data = new Set<string>();
  const study = path.replace(/\.yaml$/, STUDY_SUFFIX);
  for (const file of [path, study].filter(existsSync)) {
    const text = readFileSync(file, "utf8")
      .replace(/^# yaml-language-server: .*\n/, "")
      .replace(/\.\.\/\.\.\/data\/([\w-]+\.csv)/g, (_, csv: string) => {
        data.add(csv);
        return csv;
      });
    files.set(basename(file), text);
  }
  if (basename(path) === "scenario.yaml")
    for (const csv of readdirSync(folder).filter((file) => file.endsWith(".csv")))
      files.set(csv, readFileSync(join(folder, csv)));
  for (const csv of data) {
    assert(!files.has(csv), () => `${path} names two files ${csv}`);
    files.set(csv, readFileSync(join(DATA, csv)));
  }
  return files;
}

const descriptionOf = (scenario: string): string => /^description: (.*)$/m.exec(scenario)?.[1] ?? "";

/** How to get the CSV files of a fleet scenario, which the package does not contain; `null`: no such file is missing. */
export function missingDataHint(errors: readonly InputError[]): string | null {
  for (const { file, found } of errors) {
    const name = basename(dirname(resolve(file)));
    if (found.startsWith(`${NO_SUCH_FILE}:`) && FLEET_DAYS.has(name))
      return `The data of ${name} are generated: vppsim init ${name} --example ${name} writes them into a new folder`;
  }
  return null;
}
