import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { exportedAlarms } from "../../src/live/session/alarms/exportedAlarms.ts";
import type { Session } from "../../src/live/session/session.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { exportYaml } from "./exportYaml.ts";

/** Every file of a report except run.json, which contains the timings. */
export function reportBytes(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name !== "run.json");
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

/** The session's own report, and the report of its export by `vppsim run`, from another folder. */
export async function sessionAndExportReports(session: Session) {
  const own = join(createTemporaryFolder("export"), "own");
  await session.writeReport(own);
  const file = join(createTemporaryFolder("export"), "export.yaml");
  writeFileSync(file, exportYaml(session));
  const scenario = loadScenario(file);
  const rerun = join(createTemporaryFolder("export"), "rerun");
  await runScenario(scenario, { out: rerun, alarmsOf: exportedAlarms });
  return { own: reportBytes(own), rerun: reportBytes(rerun), scenario };
}
