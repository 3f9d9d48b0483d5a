import { join } from "node:path";
import type { SettingEntry } from "../scenario/effectiveSettings.ts";
import { TableFile } from "./tables/tableFile.ts";

const SETTINGS_FILE = "scenario.json";

/** Characters that are encoded at once. */
const TEXT_LENGTH = 1 << 16;

/**
 * Writes scenario.json (docs/model/report-files.md#scenario) part by part, because that of many sites is larger than their run.
 *
 * @returns its name and digest
 */
export function writeSettings(
  folder: string,
  hash: string,
  settings: Iterable<SettingEntry>,
): readonly [string, string] {
  const file = new TableFile(join(folder, SETTINGS_FILE));
  let text = `{\n  "hash": ${JSON.stringify(hash)},\n  "settings": {`;
  let separator = "\n";
  for (const [path, value] of settings) {
    text += `${separator}    ${JSON.stringify(path)}: ${JSON.stringify(value)}`;
    separator = ",\n";
    if (text.length < TEXT_LENGTH) continue;
    file.write(Buffer.from(text));
    text = "";
  }
  file.write(Buffer.from(`${text}\n  }\n}\n`));
  file.close();
  return [SETTINGS_FILE, file.digest];
}
