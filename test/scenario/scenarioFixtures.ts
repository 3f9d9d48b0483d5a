import { InputErrors } from "../../src/base/inputError.ts";
import { type LoadOptions, readScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import type { Scenario } from "../../src/inputs/scenario/scenario.ts";

export const SCENARIO_FILE = "/s/scenario.yaml";

/** Reads a scenario whose files stand in /s. */
export function readScenarioYaml(
  yaml: string,
  files: Record<string, string | Buffer> = {},
  options: LoadOptions = {},
): Scenario {
  const contents = new Map<string, string | Buffer>([[SCENARIO_FILE, yaml]]);
  for (const [name, content] of Object.entries(files)) contents.set(`/s/${name}`, content);
  return readScenario(SCENARIO_FILE, options, memoryFiles(contents));
}

/** The errors as `file:line:column: path: found …, allowed …`, without the folder; fails when there are none. */
export function scenarioErrors(
  yaml: string,
  files: Record<string, string | Buffer> = {},
  options: LoadOptions = {},
): string[] {
  try {
    readScenarioYaml(yaml, files, options);
  } catch (error) {
    if (error instanceof InputErrors) return error.errors.map(({ message }) => message.replaceAll("/s/", ""));
    throw error;
  }
  throw new Error("the scenario was read without errors");
}

/** Line ends are one character, so places can be counted in the text below. */
export const SCENARIO_HEAD = `version: 1
name: small
start: 2026-04-01T00:00:00Z
end: 2026-04-02T00:00:00Z
`;

export const BATTERY_YAML =
  "{component_id: bat, component_type: battery, rated_cap: 2000, import_pwr_max: 1000, export_pwr_max: 900, soc_op_min: 10, soc_op_max: 90}";

/** 4 + 3 lines: one battery site called b. */
export const SMALL_SCENARIO = `${SCENARIO_HEAD}sites:
  - name: b
    components: [${BATTERY_YAML}]
`;

/** Hourly rows from 2026-04-01T00:00Z, one column per function of the hour. */
export function hourlyCsv(hours: number, columns: Record<string, (hour: number) => number | string>): string {
  const rows = Array.from({ length: hours }, (_, hour) => {
    const stamp = new Date(Date.UTC(2026, 3, 1, hour)).toISOString().replace(".000Z", "Z");
    return [stamp, ...Object.values(columns).map((of) => of(hour))].join(",");
  });
  return `${["timestamp", ...Object.keys(columns)].join(",")}\n${rows.join("\n")}\n`;
}
