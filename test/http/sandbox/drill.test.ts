import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sandboxDocument } from "../../../src/api/http/sandbox/sandboxDocument.ts";
import { isoUtc } from "../../../src/base/time.ts";
import { executeScript } from "../../../src/live/drill/drillScript.ts";
import type { GradeDocuments } from "../../../src/live/drill/gradeDocuments.ts";
import { gradeDrill } from "../../../src/live/drill/gradeDrill.ts";
import { gradeJson } from "../../../src/live/drill/gradeJson.ts";
import { LiveGrades } from "../../../src/live/drill/liveGrades.ts";
import { drillFileOf, readDrill } from "../../../src/live/drill/readDrill.ts";
import { RunCounter } from "../../../src/live/drill/runCounter.ts";
import { SessionGrader } from "../../../src/live/drill/sessionGrader.ts";
import type { FaultRecord } from "../../../src/live/session/sandboxCommands.ts";
import { openTinySession } from "../../session/openTinySession.ts";
import { SandboxServer } from "./sandboxServer.ts";

const drill = { ...readDrill(drillFileOf("outage-in-an-award")), searchBudget: 12 };
const INSTRUCTOR = { "x-sandbox-token": "instructor" };

/** Checks a body against a schema of the description. */
function expectAsDescribed(name: string, body: unknown): void {
  const ajv = formats.default(new Ajv2020({ strict: false }));
  ajv.addSchema({ $id: "api", components: sandboxDocument(null).components });
  const check = ajv.compile({ $ref: `api#/components/schemas/${name}` });
  expect([check(body), check.errors]).toEqual([true, null]);
}

async function serve(grades = new LiveGrades(drill, { place: "here" })): Promise<SandboxServer> {
  const session = await openTinySession({ openAtMs: drill.startMs }, drill.served);
  return SandboxServer.start(session, { instructor: "instructor", grades });
}

/** Grades that wait, as behind another grade. */
class WaitingGrades extends LiveGrades {
  begin = (): void => {};
  private readonly begun = new Promise<void>((resolve) => {
    this.begin = resolve;
  });
  onRequest = (): void => {};

  override async grade(...request: Parameters<LiveGrades["grade"]>): Promise<GradeDocuments> {
    this.onRequest();
    await this.begun;
    return super.grade(...request);
  }
}

describe("a drill on the wire", () => {
  let server: SandboxServer;
  beforeAll(async () => {
    server = await serve();
  });
  afterAll(() => server.stop());

  test("shows its trainee briefing and goals, and nothing of its injects", async () => {
    const { body, text } = await server.get("/sandbox/session");
    expect(body.drill).toMatchObject({ name: drill.name, title: drill.title.en, has_ended: false, steps: [] });
    expect(body.drill).toMatchObject({ uncovered_above_pct: 5 });
    expect(text).not.toMatch(/inject|outage"/);
    expect((await server.get("/sandbox/session?lang=ja")).body.drill).toMatchObject({ title: drill.title.ja });
  });

  test.each([
    ["GET", "/sandbox/injects"],
    ["POST", "/sandbox/injects"],
    ["DELETE", "/sandbox/injects/inject-1"],
    ["DELETE", "/sandbox/injects/inject-99"],
    ["GET", "/sandbox/grade"],
    ["GET", "/sandbox/grade/progress"],
    ["GET", "/sandbox/debriefing"],
  ])("refuses a trainee %s %s, whether it exists or not", async (method, path) => {
    const headers = { "content-type": "application/json" };
    const { status } = await server.send(method, path, method === "POST" ? "{}" : undefined, headers);
    expect(status).toBe(403);
  });

  test("an instructor plans an inject with a condition, sees its state, and cancels it", async () => {
    const when = { soc_pct: { site: "battery-small", below: 5 }, for: "PT2M" };
    const planned = await server.post("/sandbox/injects", { kind: "warning", site: "factory", when }, INSTRUCTOR);
    expect(planned.body).toEqual({
      inject_id: "inject-2",
      source: "instructor",
      kind: "warning",
      site: "factory",
      at: null,
      when: "SOC of battery-small below 5 % for PT120S",
      condition: { soc_pct: { site: "battery-small", below: 5 }, for: "PT120S" },
      duration: null,
      ended_at: null,
      state: "planned",
    });
    expect((await server.send("DELETE", "/sandbox/injects/inject-2", undefined, INSTRUCTOR)).status).toBe(204);
    expectAsDescribed("Inject", planned.body);
    const { injects } = (await server.get("/sandbox/injects", INSTRUCTOR)).body as { injects: { state: string }[] };
    expect(injects.map(({ state }) => state)).toEqual(["planned", "cancelled"]);
    expect((await server.send("DELETE", "/sandbox/injects/inject-2", undefined, INSTRUCTOR)).status).toBe(409);
  });

  test.each([
    ["the owner", "PT2H", "2026-05-20T09:35:00Z"],
    ["the instructor", "PT2H", "2026-05-20T09:10:00Z"],
    ["its time", "PT30M", "2026-05-20T09:30:00Z"],
  ])("an inject says when %s ended its fault", async (by, duration, endedAt) => {
    const own = await serve();
    try {
      const advance = (to: string) => own.post("/sandbox/clock/advance", { to }, INSTRUCTOR);
      const at = "2026-05-20T09:00:00Z";
      await own.post("/sandbox/injects", { kind: "warning", site: "factory", at, duration }, INSTRUCTOR);
      await advance("2026-05-20T09:10:00Z");
      if (by === "the owner") await own.post("/sandbox/owner-calls", { site: "factory" });
      if (by === "the instructor") {
        const { faults } = (await own.get("/sandbox/faults", INSTRUCTOR)).body as { faults: FaultRecord[] };
        const warning = faults.find(({ kind }) => kind === "warning");
        await own.send("DELETE", `/sandbox/faults/${warning?.fault_id}`, undefined, INSTRUCTOR);
      }
      await advance("2026-05-20T09:40:00Z");
      const { injects } = (await own.get("/sandbox/injects", INSTRUCTOR)).body as { injects: object[] };
      expect(injects[1]).toMatchObject({ state: "ended", ended_at: endedAt });
    } finally {
      await own.stop();
    }
  });

  test("a condition is evaluated on whole minutes, not at the instant of another inject", async () => {
    const own = await serve();
    try {
      const when = { soc_pct: { site: "battery-small", above: 0 } };
      const at = isoUtc(drill.startMs + 20_000);
      for (const inject of [{ when }, { at }])
        await own.post("/sandbox/injects", { kind: "warning", site: "factory", ...inject }, INSTRUCTOR);
      const stateAfter = async (seconds: number) => {
        await own.post("/sandbox/clock/advance", { to: isoUtc(drill.startMs + seconds * 1000) }, INSTRUCTOR);
        const { injects } = (await own.get("/sandbox/injects", INSTRUCTOR)).body as { injects: { state: string }[] };
        return injects.slice(1).map(({ state }) => state);
      };
      expect(await stateAfter(40)).toEqual(["planned", "in_force"]);
      expect(await stateAfter(60)).toEqual(["in_force", "in_force"]);
    } finally {
      await own.stop();
    }
  });

  test.each([
    [{ kind: "storm", site: "factory" }, "kind"],
    [{ kind: "outage", site: "nowhere" }, "site"],
    [{ kind: "outage", site: "factory", at: "2026-05-20T00:00:00Z" }, "at"],
    [{ kind: "outage", site: "factory", when: { soc_pct: { site: 3 } } }, "when.soc_pct.site"],
    [{ kind: "outage", site: "factory", when: { soc_pct: { site: "bat", below: 9 } } }, "when.soc_pct.site"],
    [{ kind: "outage", site: "factory", when: { award_in_force: "evening" } }, "when.award_in_force"],
    [{ kind: "outage", site: "factory", when: { award_in_forse: "evening-peak" } }, "when.award_in_forse"],
    [{ kind: "output_control", site: "pv-hill" }, "limit_pct"],
    [{ kind: "output_control", site: "factory", limit_pct: 3 }, "site"],
    [{ kind: "fcr_fault", site: "cold-store" }, "site"],
    [{ kind: "outage", site: "factory", limit_pct: 3 }, "limit_pct"],
    [{ kind: "outage", site: "factory", duration: "soon" }, "duration"],
  ])("an inject %o is refused at %s", async (body, parameter) => {
    const answer = await server.post("/sandbox/injects", body, INSTRUCTOR);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ parameter });
  });
});

test("a trainee sits the drill, calls the owner, and reads the grade of the same script afterwards", async () => {
  const server = await serve();
  const advance = (to: string) => server.post("/sandbox/clock/advance", { to });
  await advance("2026-05-20T18:02:00+09:00");
  const call = await server.post("/sandbox/owner-calls", { site: "battery-large" });
  expect(call.body).toMatchObject({ site: "battery-large", called_at: "2026-05-20T09:02:00Z" });
  expect(call.body.answer).toContain("inverter");
  expect((await server.get("/sandbox/grade", INSTRUCTOR)).body).toMatchObject({ complete: false, passed: false });
  await advance("2026-05-20T20:00:00+09:00");
  const script = { at: Date.parse("2026-05-20T09:02:00Z"), owner_call: "battery-large" };
  const attempt = executeScript(drill, { version: 1, drill: drill.name, actions: [script] });
  const expected = JSON.stringify(gradeJson(await gradeDrill(drill, attempt)));
  const grade = await server.get("/sandbox/grade");
  expect(grade.text).toBe(expected);
  expectAsDescribed("Grade", grade.body);
  const page = await server.get("/sandbox/debriefing?lang=ja");
  expect(page.type).toBe("text/html; charset=utf-8");
  expect(page.text).toContain("振り返り");
  await server.stop();
});

test("after the end the clock stands, nothing comes, and a trainee of an instructor does not start again", async () => {
  const server = await serve();
  await server.post("/sandbox/clock/advance", { to: isoUtc(drill.endMs) });
  for (const [path, body] of [
    ["resume", { speed: 10 }],
    ["advance", { by: "PT1M" }],
    ["advance", { to: isoUtc(drill.endMs) }],
  ] as const) {
    const { status, body: answer } = await server.post(`/sandbox/clock/${path}`, body);
    expect([status, (answer.error as { details: string }).details]).toEqual([
      409,
      expect.stringContaining("has ended"),
    ]);
  }
  expect((await server.get("/sandbox/clock")).body).toMatchObject({ mode: "paused", now: isoUtc(drill.endMs) });
  for (const headers of [{}, INSTRUCTOR])
    expect((await server.get("/sandbox/vpps/east/balance", headers)).body).toMatchObject({ next: [] });
  expect((await server.post("/sandbox/reset")).status).toBe(403);
  expect((await server.get("/sandbox/session")).body.may).not.toContain("reset");
  expect((await server.post("/sandbox/reset", {}, INSTRUCTOR)).status).toBe(200);
  await server.stop();
});

test("a grade that waits while the instructor goes back to before the end is not shown to the trainee", async () => {
  const grades = new WaitingGrades(drill, { place: "here" });
  const server = await serve(grades);
  const checkpoint = await server.post("/sandbox/checkpoints", {}, INSTRUCTOR);
  await server.post("/sandbox/clock/advance", { to: isoUtc(drill.endMs) });
  const requested = new Promise<void>((resolve) => {
    grades.onRequest = resolve;
  });
  const grade = server.get("/sandbox/grade");
  await requested;
  const back = await server.post(`/sandbox/checkpoints/${checkpoint.body.checkpoint_id}/restore`, {}, INSTRUCTOR);
  expect(back.status).toBe(200);
  grades.begin();
  expect((await grade).status).toBe(403);
  await server.stop();
});

test("grades that wait are shared only by those who read the session in the same way", async () => {
  const grades = new LiveGrades(drill, { place: "here" });
  const refused = () => Promise.reject(new Error("the drill has not ended"));
  const other = () => Promise.reject(new Error("no session"));
  const [first, second, third] = [refused, other, refused].map((read) => grades.grade(read, "en"));
  expect(third).toBe(first);
  await expect(first).rejects.toThrow("has not ended");
  await expect(second).rejects.toThrow("no session");
});

test("a grade is computed once as long as the session is the same, so that it can be fetched again", async () => {
  const server = await serve();
  await server.post("/sandbox/clock/advance", { to: isoUtc(drill.endMs) });
  const exported = () => [...server.session.exportParts()].join("");
  const grader = new SessionGrader(drill.file, drill.searchBudget);
  const counters = Array.from({ length: 3 }, () => new RunCounter(RunCounter.allocate()));
  const [first, second] = [0, 1].map((k) => grader.gradeExport(exported(), undefined, counters[k]));
  expect(await second).toBe(await first);
  await server.post("/sandbox/notes", { text: "calm" }, INSTRUCTOR);
  expect(await grader.gradeExport(exported(), undefined, counters[2])).not.toBe(await first);
  // The search for the best runs once; each grade runs without a trainee, with the attempt, and with one suggested call.
  expect(counters.map(({ count }) => count.done)).toEqual([3 + drill.searchBudget, 0, 3]);
  await server.stop();
});
