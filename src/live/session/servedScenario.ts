import { utf8Text } from "../../base/bytes.ts";
import { type LoadOptions, readScenario } from "../../inputs/scenario/loadScenario.ts";
import type { ScenarioFiles } from "../../inputs/scenario/parse/loadContext.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { diskFiles } from "../../platform/node/diskFiles.ts";
import type { SessionDrill } from "./injects/inject.ts";

/** A scenario with its source text, which a session exports even if the file has changed since. */
export interface ServedScenario {
  readonly scenario: Scenario;
  readonly text: string;
  /** Source of its series. */
  readonly files: ScenarioFiles;
  /** Absent: the session is no drill. */
  readonly drill?: SessionDrill;
}

/** @throws InputErrors */
export function readServedScenario(
  file: string,
  files: ScenarioFiles = diskFiles,
  options: LoadOptions = {},
): ServedScenario {
  // The scenario file itself is read first.
  const contents: (Uint8Array | null)[] = [];
  const watched: ScenarioFiles = {
    ...files,
    read(path) {
      const content = files.read(path);
      if (contents.length === 0) contents.push(content);
      return content;
    },
  };
  const scenario = readScenario(file, options, watched);
  return { scenario, text: utf8Text(contents[0] ?? new Uint8Array()).replace(/^\uFEFF/, ""), files };
}
