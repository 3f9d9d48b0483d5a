import type { RawFile } from "../formats/readFormatFile.ts";
import { InputErrors, inputError, NO_SUCH_FILE } from "../scenario/parse/inputError.ts";
import { diskFiles } from "../scenario/parse/scenarioFiles.ts";

/** @throws InputErrors for a file that cannot be read */
export function readRawFile(name: string): RawFile {
  const content = diskFiles.read(name);
  if (content !== null) return { name, content };
  const allowed = "a readable file";
  throw new InputErrors([inputError({ file: name, line: 0, column: 0, keyPath: "", found: NO_SUCH_FILE, allowed })]);
}
