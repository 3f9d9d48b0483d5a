import { readScenario } from "../scenario/loadScenario.ts";
import { diskFiles, type ScenarioFiles } from "../scenario/parse/scenarioFiles.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** A scenario with the text that it was read from: a session exports what it serves, whatever becomes of the file. */
export interface ServedScenario {
  readonly scenario: Scenario;
  readonly text: string;
  /** Where its series come from. */
  readonly files: ScenarioFiles;
}

/** @throws InputErrors */
export function readServedScenario(file: string, files: ScenarioFiles = diskFiles): ServedScenario {
  // The scenario file itself is the first to be read.
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
