/**
 * Writes the series that ship with the scenarios:
 *
 *   npm run generate [quickstart | mixed-week | data | fleet-week | fleet-year] [folder]
 *
 * Without a folder it writes where the project keeps the files of that name. Those of quickstart, mixed-week and data are committed.
 */
import { fileURLToPath } from "node:url";
import { FLEET_DAYS, fleetFiles } from "../fleetFiles.ts";
import { mixedWeekFiles } from "../mixedWeekFiles.ts";
import { quickstartFiles } from "../quickstartFiles.ts";
import { sampleData } from "../sampleData.ts";
import { type GeneratedFiles, writeFiles } from "./writeFiles.ts";

const USAGE_ERROR_STATUS = 2;

/** The same from src/ and from dist/: both stand side by side. */
const PROJECT = fileURLToPath(new URL("../../../../", import.meta.url));

/** `null`: there is no scenario of that name. */
function filesOf(name: string): GeneratedFiles | null {
  if (name === "quickstart") return quickstartFiles();
  if (name === "mixed-week") return mixedWeekFiles();
  if (name === "data") return sampleData();
  const days = FLEET_DAYS.get(name);
  return days === undefined ? null : fleetFiles(name, days);
}

/** @returns the exit status */
export function generate(args: readonly string[], print: (line: string) => void): number {
  const [name = "quickstart", folder = `${PROJECT}${name === "data" ? name : `scenarios/${name}`}`, ...rest] = args;
  const files = rest.length > 0 ? null : filesOf(name);
  if (files === null) {
    const names = ["quickstart", "mixed-week", "data", ...FLEET_DAYS.keys()].join(", ");
    print(`found ${JSON.stringify(args.join(" "))}, allowed one of ${names}, and after it a folder`);
    return USAGE_ERROR_STATUS;
  }
  for (const path of writeFiles(folder, files)) print(path);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = generate(process.argv.slice(2), console.log);
