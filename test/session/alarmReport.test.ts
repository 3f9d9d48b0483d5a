import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { exportedAlarms } from "../../src/live/session/alarms/exportedAlarms.ts";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { exportYaml } from "./exportYaml.ts";
import { openTinySession } from "./openTinySession.ts";
import { writeTinyScenario } from "./tinyScenario.ts";

test("the report of a session and a run of its export have the journal of its alarms", async () => {
  const folder = createTemporaryFolder("alarms");
  const session = await openTinySession({}, readServedScenario(writeTinyScenario(folder)));
  await session.advance(() => Date.parse("2026-04-01T01:40:30Z"));
  const [alarm] = session.hosted.alarmBoard.list;
  await session.alarms.acknowledge(`alarm-${alarm.number}`, { by: "trainee", name: "Mori" });
  await session.advance(() => Date.parse("2026-04-01T03:00:00Z"));
  const { files } = await session.writeReport(join(folder, "own"));
  expect(files).toContain("alarms.csv");
  const csv = readFileSync(join(folder, "own", "alarms.csv"), "utf8");
  const [head, ...rows] = csv.trimEnd().split("\n");
  expect(head).toBe("seq,at,what,id,kind,cause,priority,vpp,site,award,since,kw,by,name,shelved_until");
  const journal = session.hosted.alarmBoard.journal.after(0);
  expect(rows).toHaveLength(journal.length);
  expect(rows.map((row) => row.split(",")[2])).toEqual(journal.map(({ what }) => what));
  expect(rows.some((row) => row.includes(",trainee,Mori,"))).toBe(true);

  const file = join(folder, "export.yaml");
  writeFileSync(file, exportYaml(session).replace("formats:\n    - csv", "formats:\n    - csv\n    - html"));
  await runScenario(loadScenario(file), { out: join(folder, "rerun"), alarmsOf: exportedAlarms });
  expect(readFileSync(join(folder, "rerun", "alarms.csv"), "utf8")).toBe(csv);
  const page = readFileSync(join(folder, "rerun", "report.html"), "utf8");
  expect(page).toContain("Journal of the alarms");
  expect(page).toContain("Mori");
  await session.close();
});

test("a file without a session has no alarms", async () => {
  const folder = createTemporaryFolder("alarms");
  await runScenario(loadScenario(writeTinyScenario(folder)), { out: join(folder, "plain"), alarmsOf: exportedAlarms });
  expect(readdirSync(join(folder, "plain"))).not.toContain("alarms.csv");
});
