// Steps of a guided drill, which have their time.
import { expect, test } from "vitest";
import type { Grade } from "../../src/live/drill/gradeSchema.ts";
import { LiveGrades } from "../../src/live/drill/liveGrades.ts";
import { drillFileOf, readDrill } from "../../src/live/drill/readDrill.ts";
import type { DrillView } from "../../src/live/session/sandboxReads.ts";
import { SandboxServer } from "../http/sandbox/sandboxServer.ts";
import { openTinySession } from "../session/openTinySession.ts";

const drill = { ...readDrill(drillFileOf("first-steps")), searchBudget: 4 };

async function serve() {
  const session = await openTinySession({ openAtMs: drill.startMs }, drill.served);
  const grades = new LiveGrades(drill, { place: "here" });
  const server = await SandboxServer.start(session, { instructor: "instructor", grades });
  const advance = (time: string) => server.post("/sandbox/clock/advance", { to: `2026-05-20T${time}+09:00` });
  const steps = async () => ((await server.get("/sandbox/session")).body.drill as DrillView).steps;
  const weigh = async (allocation_weight: number) => {
    const [{ vppId }] = drill.served.scenario.world.vpps;
    const coldStore = drill.served.scenario.world.sites.find(({ name }) => name === "cold-store");
    const path = `/members/${coldStore?.emsId}`;
    await session.answer({ api: "vpp-v1", id: vppId, method: "POST", path, query: {}, body: { allocation_weight } });
  };
  return { server, advance, steps, weigh, states: async () => (await steps()).map(({ state }) => state) };
}

test("a step that is undone at its time is missed for good, and the next one opens", async () => {
  const { server, advance, steps, weigh, states } = await serve();
  expect(await states()).toEqual(["open", "waiting", "waiting", "waiting", "waiting"]);
  await advance("15:29:59");
  expect((await steps()).slice(0, 2)).toEqual([
    expect.objectContaining({ state: "done", is_done: true, done_at: "2026-05-20T06:22:00Z", from: null, until: null }),
    expect.objectContaining({
      state: "open",
      is_done: false,
      done_at: null,
      from: null,
      until: "2026-05-20T06:30:00Z",
    }),
  ]);
  await advance("15:30:00");
  expect(await states()).toEqual(["done", "missed", "done", "open", "waiting"]);
  await weigh(0);
  await advance("16:35:00");
  expect((await steps())[1]).toMatchObject({ state: "missed", is_done: false, done_at: null });
  // The set-points are sent again when the line is back, then without the cold store, whose weight stays 0.
  expect(await states()).toEqual(["done", "missed", "done", "done", "open"]);
  const grade = (await server.get("/sandbox/grade")).body as unknown as Grade;
  expect(grade.measures).toMatchObject({ open_steps: 2 });
  expect(grade.steps.map(({ state }) => state)).toEqual(await states());
  expect(grade.suggestions).toEqual([
    expect.objectContaining({
      source: "lesson",
      text: expect.stringMatching(/^Step 2 was missed: Give the cold store/),
    }),
    expect.objectContaining({ source: "lesson", text: expect.stringMatching(/^Step 5 was not done: /) }),
    expect.objectContaining({ source: "advice" }),
  ]);
  expect(grade.timeline.filter(({ kind }) => kind.startsWith("step")).map(({ kind }) => kind)).toEqual([
    "step",
    "step_missed",
    "step",
    "step",
  ]);
  const debriefing = (await server.get("/sandbox/debriefing")).text;
  expect(debriefing).toContain("Step 2 was missed: Give the cold store weight 0");
  expect(debriefing).not.toContain("What the best run did");
  await server.stop();
});

test("a step that is done a second before its time counts", async () => {
  const { server, advance, steps, weigh, states } = await serve();
  await advance("15:29:59");
  await weigh(0);
  expect((await steps())[1]).toMatchObject({ state: "done", done_at: "2026-05-20T06:29:59Z" });
  await advance("15:31:00");
  expect(await states()).toEqual(["done", "done", "done", "open", "waiting"]);
  await server.stop();
});
