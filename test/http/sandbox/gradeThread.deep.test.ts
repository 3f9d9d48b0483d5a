// A grade takes seconds; the server answers meanwhile, because a thread computes it.
import { expect, test } from "vitest";
import { playScript } from "../../../src/drill/drillScript.ts";
import { gradeDocuments } from "../../../src/drill/gradeDocuments.ts";
import { gradeDrill } from "../../../src/drill/gradeDrill.ts";
import { drillFileOf } from "../../../src/drill/listDrills.ts";
import { LiveGrades } from "../../../src/drill/liveGrades.ts";
import { readDrill } from "../../../src/drill/readDrill.ts";
import { openTinySession } from "../../session/openTinySession.ts";
import { SandboxServer } from "./sandboxServer.ts";

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
  const asked = ["grade", "grade", "debriefing", "grade", "debriefing"].map((name) =>
    note(name, server.get(`/sandbox/${name}`, INSTRUCTOR)),
  );
  await note("clock", server.get("/sandbox/clock"));
  await note("balance", server.get("/sandbox/vpps/east/balance"));
  await Promise.all(asked);
  expect(answered.slice(0, 2)).toEqual(["clock 200", "balance 200"]);
  const attempt = playScript(drill, { version: 1, drill: drill.name, actions: [] });
  const notes = [{ atMs: drill.startMs, text: "calm" }];
  const expected = gradeDocuments(await gradeDrill(drill, { ...attempt, notes }), "en", null);
  expect(await asked[0]).toBe(expected.json);
  expect(await asked[4]).toBe(expected.debriefing);
  await server.stop();
  await grades.close();
});
