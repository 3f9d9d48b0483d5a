import { readScenario } from "../scenario/loadScenario.ts";
import { diskFiles, type ScenarioFiles } from "../scenario/parse/scenarioFiles.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** A scenario with its source text, which a session exports even if the file has changed since. */
export interface ServedScenario {
  readonly scenario: Scenario;
  readonly text: string;
  /** Source of its series. */
  readonly files: ScenarioFiles;
}

/** @throws InputErrors */
export function readServedScenario(file: string, files: ScenarioFiles = diskFiles): ServedScenario {
  // The scenario file itself is read first.
  const contents: (Buffer | null)[] = [];
  const watched: ScenarioFiles = {
    read(path) {
      const content = files.read(path);
      if (contents.length === 0) contents.push(content);
      return content;
    },
  };
  const scenario = readScenario(file, {}, watched);
  return { scenario, text: contents[0]?.toString("utf8").replace(/^\uFEFF/, "") ?? "", files };
}
