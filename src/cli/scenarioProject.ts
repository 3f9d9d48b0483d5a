import { readFileSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import { InputErrors } from "../base/inputError.ts";
import type { Project } from "../browser/project.ts";
import { buildScenario } from "../inputs/scenario/loadScenario.ts";
import { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { MARKET_NAMES } from "../market/marketRegistry.ts";
import { diskFiles, shippedFiles } from "../platform/node/diskFiles.ts";

/**
 * A scenario and every file that it reads, by path from the folder that has them all. It may have errors.
 *
 * @throws InputErrors if the scenario file cannot be read
 */
export function readScenarioProject(scenario: string): Project {
  const source = new ScenarioSource(scenario, diskFiles);
  try {
    buildScenario(source);
  } catch (error) {
    // The page shows those of what can be read.
    if (!(error instanceof InputErrors) || source.readFiles.size === 0) throw error;
  }
  const shipped = new Set(MARKET_NAMES.flatMap((market) => [...shippedFiles(`markets/${market}`).values()]));
  const paths = [...source.readFiles.keys()].filter((path) => !shipped.has(path));
  const root = commonFolder(paths);
  const nameOf = (path: string): string => relative(root, path).split(sep).join("/");
  return {
    entry: nameOf(source.file),
    files: Object.fromEntries(paths.map((path) => [nameOf(path), readFileSync(path)])),
  };
}

function commonFolder(paths: readonly string[]): string {
  let folder = dirname(paths[0]);
  while (!paths.every((path) => path.startsWith(folder === sep ? sep : folder + sep))) folder = dirname(folder);
  return folder;
}
