// A grade takes seconds; the server answers meanwhile, because a thread computes it.
import { expect, test } from "vitest";
import { executeScript } from "../../../src/live/drill/drillScript.ts";
import { gradeDocuments } from "../../../src/live/drill/gradeDocuments.ts";
import { gradeDrill } from "../../../src/live/drill/gradeDrill.ts";
import { LiveGrades } from "../../../src/live/drill/liveGrades.ts";
import { drillFileOf, readDrill } from "../../../src/live/drill/readDrill.ts";
import { openTinySession } from "../../session/openTinySession.ts";
import { SandboxServer } from "./sandboxServer.ts";

interface GradeRuns {
  readonly is_computing: boolean;
  readonly runs_done: number;
  readonly runs_expected: number;
}

const INSTRUCTOR = { "x-sandbox-token": "instructor" };

test("the server answers others before a grade, shares waiting grades, and grades as the command line does", async () => {
  const drill = { ...readDrill(drillFileOf("outage-in-an-award")), searchBudget: 60 };
  const grades = new LiveGrades(drill);
  const session = await openTinySession({ openAtMs: drill.startMs, longTasks: "thread" }, drill.served);
  const server = await SandboxServer.start(session, { instructor: "instructor", grades });
  await server.post("/sandbox/notes", { text: "calm" }, INSTRUCTOR);
  await server.post("/sandbox/clock/advance", { to: "2026-05-20T20:00:00+09:00" });
  const answered: string[] = [];
  const note = async (name: string, answer: Promise<{ readonly status: number; readonly text: string }>) => {
    const { status, text } = await answer;
    answered.push(`${name} ${status}`);
    return text;
  };
  const requested = ["grade", "grade", "debriefing", "grade", "debriefing"].map((name) =>
    note(name, server.get(`/sandbox/${name}`, INSTRUCTOR)),
  );
  await note("clock", server.get("/sandbox/clock"));
  await note("balance", server.get("/sandbox/vpps/east/balance"));
  const counts: GradeRuns[] = [];
  let isFirstDone = false;
  void requested[0].then(() => {
    isFirstDone = true;
  });
  while (!isFirstDone) counts.push(JSON.parse((await server.get("/sandbox/grade/progress", INSTRUCTOR)).text));
  const searching = counts.filter(({ is_computing, runs_done }) => is_computing && runs_done > 0);
  expect(searching.length).toBeGreaterThan(0);
  // Nobody acts, the trainee does nothing, and a call to the owner of the battery is measured: three runs beside the search.
  const expectedRuns = 3 + drill.searchBudget;
  expect(new Set(searching.map(({ runs_expected }) => runs_expected))).toEqual(new Set([expectedRuns]));
  expect(Math.max(...searching.map(({ runs_done }) => runs_done))).toBeLessThanOrEqual(expectedRuns);
  await Promise.all(requested);
  const idle = { is_computing: false, runs_done: 0, runs_expected: 0 };
  expect((await server.get("/sandbox/grade/progress", INSTRUCTOR)).body).toEqual(idle);
  expect(answered.slice(0, 2)).toEqual(["clock 200", "balance 200"]);
  const attempt = executeScript(drill, { version: 1, drill: drill.name, actions: [] });
  const notes = [{ atMs: drill.startMs, text: "calm" }];
  const expected = gradeDocuments(await gradeDrill(drill, { ...attempt, notes }), "en", null);
  expect(await requested[0]).toBe(expected.json);
  expect(await requested[4]).toBe(expected.debriefing);
  await server.stop();
  await grades.close();
});
