// Random interleavings of what a trainee, an instructor, clients and telemetry readers do with one session.
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isoUtc } from "../../../src/base/time.ts";
import { gradeDrill } from "../../../src/live/drill/gradeDrill.ts";
import { gradeJson } from "../../../src/live/drill/gradeJson.ts";
import { attemptOf, parseSessionExport } from "../../../src/live/drill/readAttempt.ts";
import { drillFileOf, readDrill } from "../../../src/live/drill/readDrill.ts";
import { readServedScenario } from "../../../src/live/session/servedScenario.ts";
import { runs, seedOr } from "../../depth.ts";
import { sessionAndExportReports } from "../../session/sessionAndExportReports.ts";
import { writeTinyScenario } from "../../session/tinyScenario.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { type Action, actions, Stations } from "./twoStations.ts";

async function actAll(stations: Stations, actions: readonly Action[]): Promise<void> {
  for (const action of actions) await stations.act(action);
  await stations.settle();
  expect(stations.problems).toEqual([]);
}

test("whatever both stations do: no fault is named to the trainee, no number of telemetry is missing, and the export runs to the report of the session", async () => {
  const folder = createTemporaryFolder("stations");
  const file = writeTinyScenario(folder);
  await fc.assert(
    fc.asyncProperty(actions, async (drawn) => {
      const stations = await Stations.open(readServedScenario(file), { report: join(folder, "report") });
      try {
        await actAll(stations, drawn);
        const { own, rerun } = await sessionAndExportReports(stations.live.session);
        expect([...rerun.keys()]).toEqual([...own.keys()]);
        for (const [name, text] of own) expect(rerun.get(name), name).toBe(text);
      } finally {
        await stations.close();
      }
    }),
    { numRuns: runs(20), seed: seedOr(61) },
  );
});

test("a drill that is ended twice has one grade, whatever both stations did, and it is that of its export", async () => {
  const drill = { ...readDrill(drillFileOf("outage-in-an-award")), searchBudget: 4 };
  const folder = createTemporaryFolder("stations");
  await fc.assert(
    fc.asyncProperty(actions, async (drawn) => {
      const stations = await Stations.open(drill.served, { report: join(folder, "report"), drill });
      try {
        await actAll(stations, drawn);
        const end = async () => {
          if (stations.nowMs < drill.endMs)
            await stations.instructor("POST", "/sandbox/clock/advance", { to: isoUtc(drill.endMs) });
        };
        await end();
        const grade = await stations.instructor("GET", "/sandbox/grade");
        expect(grade.status).toBe(200);
        await end();
        await stations.trainee("POST", "/sandbox/clock/pause", {});
        expect(await stations.instructor("GET", "/sandbox/grade")).toEqual(grade);
        const exported = (await stations.instructor("POST", "/sandbox/export", {})).text;
        const attempt = attemptOf("export", parseSessionExport("export", exported), drill);
        expect(JSON.stringify(gradeJson(await gradeDrill(drill, attempt)))).toBe(grade.text);
      } finally {
        await stations.close();
      }
    }),
    { numRuns: runs(5), seed: seedOr(62) },
  );
});
