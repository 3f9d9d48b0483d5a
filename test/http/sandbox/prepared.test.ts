// Malfunctions that an instructor prepares: kept over restore, reset and restart, and planned again.
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PreparedRecord, SandboxPrepared } from "../../../src/live/session/injects/preparedSchema.ts";
import type { InjectRecord } from "../../../src/live/session/sandboxCommands.ts";
import { openTinySession } from "../../session/openTinySession.ts";
import { calmServedScenario } from "../../session/tinyScenario.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { SandboxServer } from "./sandboxServer.ts";

const INSTRUCTOR = { "x-sandbox-token": "teacher" };
const JSON_BODY = { "content-type": "application/json" };

let journal: string;
let server: SandboxServer;

const start = async () =>
  SandboxServer.start(await openTinySession({ journal: { file: journal, resumesEnded: true } }, calmServedScenario()), {
    instructor: "teacher",
  });

beforeEach(async () => {
  journal = join(createTemporaryFolder("prepared"), "tiny.journal");
  server = await start();
});
afterEach(() => server.stop());

const post = async (path: string, body: unknown = {}) => {
  const reply = await server.post(path, body, INSTRUCTOR);
  expect([path, reply.status, reply.text]).toEqual([path, 200, reply.text]);
  return reply.body;
};
const put = (body: unknown) =>
  server.send("PUT", "/sandbox/prepared", JSON.stringify(body), { ...JSON_BODY, ...INSTRUCTOR });
const read = async () => (await server.get("/sandbox/prepared", INSTRUCTOR)).body as unknown as SandboxPrepared;
const prepare = async (row: object) => (await post("/sandbox/prepared", row)) as unknown as PreparedRecord;
const advanceTo = (to: string) => post("/sandbox/clock/advance", { to: `2026-04-01T${to}Z` });
const injects = async (): Promise<readonly (readonly [string, string | null, string])[]> => {
  const { body } = await server.get("/sandbox/injects", INSTRUCTOR);
  return (body.injects as readonly InjectRecord[]).map(({ source, at, state }) => [
    source,
    at?.slice(11, 19) ?? null,
    state,
  ]);
};
const OUTAGE = { kind: "outage", site: "battery-1", duration: "PT10M" };

describe("a prepared malfunction", () => {
  test("has the keys of an inject, is planned when it is armed, and not before", async () => {
    const row = await prepare({ label: "at the peak", ...OUTAGE, at: "2026-04-01T01:00:00Z" });
    expect(row).toEqual({
      prepared_id: "prepared-1",
      label: "at the peak",
      kind: "outage",
      site: "battery-1",
      at: "2026-04-01T01:00:00Z",
      duration: "PT600S",
      after: null,
      armed: false,
      inject_id: null,
    });
    expect(await injects()).toEqual([]);
    expect(await post("/sandbox/prepared/prepared-1/arm")).toMatchObject({ armed: true, inject_id: "inject-1" });
    expect(await post("/sandbox/prepared/prepared-1/arm")).toMatchObject({ armed: true, inject_id: "inject-1" });
    expect(await injects()).toEqual([["prepared", "01:00:00", "planned"]]);
    expect(await post("/sandbox/prepared/prepared-1/disarm")).toMatchObject({ armed: false, inject_id: "inject-1" });
    expect(await injects()).toEqual([["prepared", "01:00:00", "cancelled"]]);
  });

  test("that has begun goes on when it is disarmed or deleted; one whose instant has passed is not planned", async () => {
    await prepare({ ...OUTAGE, after: "PT5M", armed: true });
    await advanceTo("00:06:00");
    await post("/sandbox/prepared/prepared-1/disarm");
    expect(await injects()).toEqual([["prepared", "00:05:00", "in_force"]]);
    expect((await server.send("DELETE", "/sandbox/prepared/prepared-1", undefined, INSTRUCTOR)).status).toBe(204);
    expect(await injects()).toEqual([["prepared", "00:05:00", "in_force"]]);
    const late = await prepare({ ...OUTAGE, at: "2026-04-01T00:01:00Z", armed: true });
    expect(late).toMatchObject({ prepared_id: "prepared-2", armed: true, inject_id: null });
    expect(await injects()).toHaveLength(1);
  });

  test("is planned anew after a reset and a restore, if its instant is still to come", async () => {
    await prepare({ ...OUTAGE, at: "2026-04-01T00:10:00Z", armed: true });
    await prepare({ ...OUTAGE, after: "PT20M", armed: true });
    await prepare({ ...OUTAGE, when: { time: "2026-04-01T00:40:00Z" }, armed: true });
    await advanceTo("00:15:00");
    const { checkpoint_id: id } = await post("/sandbox/checkpoints");
    await prepare({ ...OUTAGE, at: "2026-04-01T00:12:00Z", armed: true });
    await prepare({ ...OUTAGE, at: "2026-04-01T00:50:00Z", armed: true });
    await advanceTo("00:45:00");
    await post(`/sandbox/checkpoints/${String(id)}/restore`);
    expect(await injects()).toEqual([
      ["prepared", "00:10:00", "in_force"],
      // Its time counts from the instant of the restore.
      ["prepared", "00:20:00", "cancelled"],
      ["prepared", null, "planned"],
      ["prepared", "00:35:00", "planned"],
      ["prepared", "00:50:00", "planned"],
    ]);
    const rows = (await read()).prepared;
    expect(rows.map(({ inject_id }) => inject_id)).toEqual(["inject-1", "inject-4", "inject-3", null, "inject-5"]);
    await post("/sandbox/reset");
    expect(await injects()).toEqual([
      ["prepared", "00:10:00", "planned"],
      ["prepared", "00:20:00", "planned"],
      ["prepared", null, "planned"],
      ["prepared", "00:12:00", "planned"],
      ["prepared", "00:50:00", "planned"],
    ]);
    await advanceTo("00:41:00");
    expect((await injects()).map(([, at, state]) => [at, state])).toEqual([
      ["00:10:00", "ended"],
      ["00:20:00", "ended"],
      ["00:40:00", "in_force"],
      ["00:12:00", "ended"],
      ["00:50:00", "planned"],
    ]);
  });

  test("that was disarmed is not planned by a restore to before", async () => {
    await prepare({ ...OUTAGE, at: "2026-04-01T01:00:00Z", armed: true });
    const { checkpoint_id: id } = await post("/sandbox/checkpoints");
    await post("/sandbox/prepared/prepared-1/disarm");
    await post(`/sandbox/checkpoints/${String(id)}/restore`);
    expect(await injects()).toEqual([["prepared", "01:00:00", "cancelled"]]);
  });

  test("is kept over a restart, with what is planned of it, and numbers go on", async () => {
    await prepare({ label: "first", ...OUTAGE, at: "2026-04-01T01:00:00Z", armed: true });
    await prepare({ ...OUTAGE, after: "PT90M" });
    await server.send("DELETE", "/sandbox/prepared/prepared-2", undefined, INSTRUCTOR);
    const before = [await read(), await injects(), server.session.stateHash()];
    await server.stop();
    server = await start();
    expect([await read(), await injects(), server.session.stateHash()]).toEqual(before);
    expect(await prepare({ ...OUTAGE, after: "PT1H" })).toMatchObject({ prepared_id: "prepared-3" });
  });
});

describe("the file of prepared malfunctions", () => {
  test("is what GET answers, and replaces the list", async () => {
    await prepare({ label: "first", ...OUTAGE, at: "2026-04-01T01:00:00Z", armed: true });
    await prepare({ ...OUTAGE, after: "PT1H" });
    await prepare({ ...OUTAGE, when: { soc_pct: { site: "battery-2", below: 30 }, for: "PT5M" } });
    const file = await read();
    expect(file).toMatchObject({ version: 1, scenario: "tiny" });
    const { status, body } = await put(file);
    expect(status).toBe(200);
    const withoutIds = ({ prepared }: SandboxPrepared) =>
      prepared.map(({ prepared_id: _id, inject_id: _injectId, ...row }) => row);
    expect(withoutIds(body as unknown as SandboxPrepared)).toEqual(withoutIds(file));
    expect((await read()).prepared.map(({ prepared_id, inject_id }) => [prepared_id, inject_id])).toEqual([
      ["prepared-4", "inject-2"],
      ["prepared-5", null],
      ["prepared-6", null],
    ]);
    expect(await injects()).toEqual([
      ["prepared", "01:00:00", "cancelled"],
      ["prepared", "01:00:00", "planned"],
    ]);
  });

  test.each([
    [{ ...OUTAGE }, "at"],
    [{ ...OUTAGE, at: "2026-04-01T01:00:00Z", after: "PT5M" }, "after"],
    [{ ...OUTAGE, at: "2026-04-01T01:00:00Z", when: { time: "2026-04-01T01:00:00Z" } }, "when"],
    [{ ...OUTAGE, at: "2026-04-01T07:00:00Z" }, "at"],
    [{ ...OUTAGE, after: "PT0S" }, "after"],
    [{ ...OUTAGE, after: "PT5M", site: "battery-9" }, "site"],
    [{ ...OUTAGE, after: "PT5M", kind: "fcr_fault", site: "plant" }, "site"],
    [{ ...OUTAGE, after: "PT5M", limit_pct: 3 }, "limit_pct"],
    [{ ...OUTAGE, after: "PT5M", label: "" }, "label"],
    [{ ...OUTAGE, after: "PT5M", armed: "yes" }, "armed"],
    [{ ...OUTAGE, when: { soc_pct: { site: "plant", below: 3 } } }, "when.soc_pct.site"],
    [{ ...OUTAGE, when: { command: { path: "/nothing" } } }, "when.command.path"],
  ])("a row %j is refused at %s, alone and in a file, and nothing is changed", async (row, parameter) => {
    const alone = await server.post("/sandbox/prepared", row, INSTRUCTOR);
    expect([alone.status, (alone.body.error as { parameter: string }).parameter]).toEqual([400, parameter]);
    const file = { version: 1, scenario: "tiny", prepared: [{ ...OUTAGE, after: "PT5M" }, row] };
    const inFile = await put(file);
    expect([inFile.status, (inFile.body.error as { parameter: string }).parameter]).toEqual([
      400,
      `prepared.1.${parameter}`,
    ]);
    expect((await read()).prepared).toEqual([]);
  });

  test.each([
    [{ version: 2, scenario: "tiny", prepared: [] }, "version"],
    [{ version: 1, scenario: "other", prepared: [] }, "scenario"],
    [{ version: 1, prepared: [] }, "scenario"],
    [{ version: 1, scenario: "tiny" }, "prepared"],
  ])("%j is refused at %s", async (file, parameter) => {
    const { status, body } = await put(file);
    expect([status, (body.error as { parameter: string }).parameter]).toEqual([400, parameter]);
  });

  test("is the instructor's alone, and bodies are JSON", async () => {
    for (const [method, path] of [
      ["GET", "/sandbox/prepared"],
      ["PUT", "/sandbox/prepared"],
      ["POST", "/sandbox/prepared"],
      ["POST", "/sandbox/prepared/prepared-1/arm"],
      ["POST", "/sandbox/prepared/prepared-1/disarm"],
      ["DELETE", "/sandbox/prepared/prepared-1"],
    ] as const) {
      const body = method === "GET" || method === "DELETE" ? undefined : "{}";
      expect([method, path, (await server.send(method, path, body, JSON_BODY)).status]).toEqual([method, path, 403]);
    }
    expect(
      (await server.send("PUT", "/sandbox/prepared", "{}", { "content-type": "text/plain", ...INSTRUCTOR })).status,
    ).toBe(415);
    for (const path of ["arm", "disarm"])
      expect((await server.post(`/sandbox/prepared/prepared-9/${path}`, {}, INSTRUCTOR)).status).toBe(404);
    expect((await server.send("DELETE", "/sandbox/prepared/prepared-9", undefined, INSTRUCTOR)).status).toBe(404);
  });
});

test("the faults of the scenario are listed as its own, while they last and before", async () => {
  const events =
    "{at: 2026-04-01T02:00:00Z, kind: derate, site: battery-1, limit_pct: 40, ramp_in: PT5M, duration: PT1H}\n" +
    "  - {at: 2026-04-01T01:00:00Z, kind: outage, site: battery-2}";
  const own = await SandboxServer.start(await openTinySession({}, calmServedScenario(events)), {
    instructor: "teacher",
  });
  const list = async () => (await own.get("/sandbox/injects", INSTRUCTOR)).body.scenario_faults;
  const derate = {
    kind: "derate",
    site: "battery-1",
    limit_pct: 40,
    ramp_in: "PT300S",
    ramp_out: "PT0S",
    at: "2026-04-01T02:00:00Z",
    ends_at: "2026-04-01T03:00:00Z",
  };
  const outage = { kind: "outage", site: "battery-2", at: "2026-04-01T01:00:00Z", ends_at: null };
  expect(await list()).toEqual([
    { ...outage, state: "planned" },
    { ...derate, state: "planned" },
  ]);
  await own.post("/sandbox/clock/advance", { to: "2026-04-01T02:00:00Z" });
  expect(await list()).toEqual([
    { ...outage, state: "in_force" },
    { ...derate, state: "in_force" },
  ]);
  await own.post("/sandbox/clock/advance", { to: "2026-04-01T03:00:00Z" });
  expect(await list()).toEqual([{ ...outage, state: "in_force" }]);
  await own.stop();
});
