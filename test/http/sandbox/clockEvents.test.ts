// Who did what to the clock, among the events of the session, and what comes next.
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTinySession } from "../../session/openTinySession.ts";
import { tinyServedScenario } from "../../session/tinyScenario.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { SandboxServer } from "./sandboxServer.ts";

const INSTRUCTOR = { "x-sandbox-token": "teacher" };

interface Event {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function eventsOf(server: SandboxServer): Promise<Event[]> {
  return (await server.get("/sandbox/events?limit=2000")).body.events as Event[];
}

test("clock changes are events with who and when, numbered in their place, also after a restore and a restart", async () => {
  const file = join(createTemporaryFolder("export"), "journal");
  const served = tinyServedScenario();
  const open = async () => {
    const session = await openTinySession({ journal: { file, resumesEnded: true } }, served);
    return SandboxServer.start(session, { instructor: "teacher" });
  };
  const first = await open();
  await first.post("/sandbox/clock/advance", { to: "2026-04-01T01:10:00Z" });
  await first.post("/sandbox/faults", { kind: "warning", site: "battery-1", duration: "PT5M" }, INSTRUCTOR);
  const { body } = await first.post("/sandbox/checkpoints", {}, INSTRUCTOR);
  const before = await eventsOf(first);
  await first.post("/sandbox/clock/advance", { by: "PT20M" }, INSTRUCTOR);
  await first.post("/sandbox/clock/resume", { speed: 60 });
  await first.post("/sandbox/clock/resume", { speed: 60 });
  await first.post("/sandbox/clock/resume", { speed: 120 }, INSTRUCTOR);
  await first.post("/sandbox/clock/pause");
  await first.post("/sandbox/clock/pause");
  const all = await eventsOf(first);
  const clock = all.filter(({ kind }) => kind === "clock");
  expect(clock.map(({ data }) => data)).toEqual([
    { change: "advanced", by: "trainee", speed: 1, to: "2026-04-01T01:10:00Z" },
    { change: "advanced", by: "instructor", speed: 1, to: "2026-04-01T01:30:00Z" },
    { change: "running", by: "trainee", speed: 60 },
    { change: "speed_changed", by: "instructor", speed: 120 },
    { change: "frozen", by: "trainee", speed: 120 },
  ]);
  expect(clock.map(({ at }) => at).slice(0, 2)).toEqual(["2026-04-01T00:00:00Z", "2026-04-01T01:10:00Z"]);
  expect(clock[1].text).toBe("instructor advances the clock to 2026-04-01T01:30:00Z");
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, k) => k + 1));
  expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).sort());
  const { body: persons } = await first.get("/sandbox/actions", INSTRUCTOR);
  const actions = (persons.actions as { kind: string; text: string }[]).filter(({ kind }) => kind === "clock");
  expect(actions.map(({ text }) => text)).toEqual(clock.map(({ text }) => text));
  await first.stop();

  const again = await open();
  expect(await eventsOf(again)).toEqual(all);
  await again.post(`/sandbox/checkpoints/${String(body.checkpoint_id)}/restore`, {}, INSTRUCTOR);
  expect(await eventsOf(again)).toEqual(before);
  await again.stop();
});

test("a trainee reads of awards that the VPP has received; the instructor of those to come", async () => {
  const session = await openTinySession(
    {},
    tinyServedScenario((yaml) =>
      yaml.replace("start: 2026-04-01T01:00:00Z,", "start: 2026-04-01T01:00:00Z, registered_at: 2026-04-01T00:30:00Z,"),
    ),
  );
  const server = await SandboxServer.start(session, { instructor: "teacher" });
  const next = async (headers = {}) => {
    const { body } = await server.get("/sandbox/vpps/east/balance", headers);
    return (body.next as { at: string; what: string; award_id: string | null; requested_kw: number | null }[]).map(
      ({ at, what, award_id, requested_kw }) => [at, what, award_id, requested_kw],
    );
  };
  const start = ["2026-04-01T01:00:00Z", "award_start", "A", -250];
  const end = ["2026-04-01T06:00:00Z", "scenario_end", null, null];
  expect(await next()).toEqual([end]);
  expect(await next(INSTRUCTOR)).toEqual([["2026-04-01T00:30:00Z", "award_registration", "A", -250], start, end]);
  await server.post("/sandbox/clock/advance", { by: "PT30M" });
  expect(await next()).toEqual([start, end]);
  expect(await next(INSTRUCTOR)).toEqual([start, end]);
  await server.stop();
});

test("an award that ends with the scenario is listed with its end", async () => {
  const session = await openTinySession(
    {},
    tinyServedScenario((yaml) =>
      yaml.replace("end: 2026-04-01T02:30:00Z, delta_kw", "end: 2026-04-01T06:00:00Z, delta_kw"),
    ),
  );
  const server = await SandboxServer.start(session, { instructor: "teacher" });
  await server.post("/sandbox/clock/advance", { to: "2026-04-01T01:10:00Z" });
  const { next } = (await server.get("/sandbox/vpps/east/balance")).body as { next: { what: string; at: string }[] };
  expect(next.map(({ what, at }) => [what, at])).toEqual([
    ["award_end", "2026-04-01T06:00:00Z"],
    ["scenario_end", "2026-04-01T06:00:00Z"],
  ]);
  await server.stop();
});

test("a VPP and a site with names of another script are found by them", async () => {
  const served = tinyServedScenario((yaml) => yaml.replaceAll("east", "関東").replaceAll("plant", "工場"));
  const server = await SandboxServer.start(await openTinySession({}, served));
  const { body } = await server.get(`/sandbox/vpps/${encodeURIComponent("関東")}/balance`);
  expect(body).toMatchObject({ vpp: "関東" });
  const { status } = await server.post("/sandbox/faults", { kind: "warning", site: "工場", duration: "PT5M" });
  expect(status).toBe(200);
  await server.stop();
});
