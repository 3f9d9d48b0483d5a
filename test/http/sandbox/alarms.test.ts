// The alarms of a session on the wire: one list, and commands on it.
import { afterEach, beforeEach, expect, test } from "vitest";
import { morning, openMorning } from "../../session/alarms/openAlarmSession.ts";
import { SandboxServer } from "./sandboxServer.ts";

const INSTRUCTOR = { "x-sandbox-token": "teacher" };

interface AlarmList {
  readonly at: string;
  readonly last_seq: number;
  readonly alarms: readonly Record<string, unknown>[];
  readonly counts: Record<string, number>;
}

let server: SandboxServer;
beforeEach(async () => {
  server = await SandboxServer.start(await openMorning(), { instructor: "teacher" });
  await server.post("/sandbox/clock/advance", { to: morning("22:31:00") });
});
afterEach(() => server.stop());

const list = async () => (await server.get("/sandbox/alarms")).body as unknown as AlarmList;

test("both roles read one list, byte for byte", async () => {
  await server.post("/sandbox/faults", { kind: "outage", site: "battery-large" }, INSTRUCTOR);
  await server.post("/sandbox/clock/advance", { by: "PT2M" });
  const [trainee, instructor] = [await server.get("/sandbox/alarms"), await server.get("/sandbox/alarms", INSTRUCTOR)];
  expect(trainee.status).toBe(200);
  expect(trainee.text).toBe(instructor.text);
  expect((trainee.body as unknown as AlarmList).alarms.map(({ kind, site }) => `${kind} ${site}`)).toEqual([
    "out_of_service battery-large",
    "below_set_point factory",
  ]);
});

test("an alarm has its texts and its help in both languages", async () => {
  const { alarms, counts, last_seq, at } = await list();
  expect({ at, last_seq, counts }).toEqual({
    at: morning("22:31:00"),
    last_seq: 1,
    counts: { new: 1, acknowledged: 0, cleared: 0, shelved: 0 },
  });
  expect(alarms).toEqual([
    {
      id: "alarm-1",
      origin: "site:factory",
      kind: "below_set_point",
      cause: "load_deviation",
      priority: 2,
      vpp: "east",
      site: "factory",
      sites: ["factory"],
      award: "morning-reserve",
      award_name: "morning-reserve",
      awards: ["morning-reserve"],
      kw: 25.9,
      since: morning("22:30:00"),
      raised_at: morning("22:31:00"),
      state: "new",
      acknowledged_at: null,
      acknowledged_by: null,
      acknowledged_name: null,
      shelved_until: null,
      cleared_at: null,
      count: 1,
      text: "factory is 25.9 kW below its set-point (load deviation)",
      signs: ["25.9 kW dispatched for morning-reserve are not delivered since 07:30"],
      help: {
        cause: expect.stringContaining("less than it was sent"),
        consequence: expect.any(String),
        action: expect.any(String),
        time_to_respond: "PT10M",
      },
    },
  ]);
  const { body } = await server.get("/sandbox/alarms?lang=ja");
  const [japanese] = (body as unknown as AlarmList).alarms;
  expect(japanese).toMatchObject({ text: "factory が制御量を 25.9 kW 下回る（負荷変動）" });
  const refused = await server.get("/sandbox/alarms?lang=fr");
  expect([refused.status, refused.body.error]).toEqual([400, expect.objectContaining({ parameter: "lang" })]);
});

test("an acknowledgement is one for all, with role and name; again it changes nothing", async () => {
  const acknowledged = await server.post("/sandbox/alarms/alarm-1/acknowledge", { name: "Sato" });
  expect(acknowledged.body).toMatchObject({
    state: "acknowledged",
    acknowledged_at: morning("22:31:00"),
    acknowledged_by: "trainee",
    acknowledged_name: "Sato",
  });
  await server.post("/sandbox/clock/advance", { by: "PT30S" });
  const again = await server.post("/sandbox/alarms/alarm-1/acknowledge", { name: "Ito" }, INSTRUCTOR);
  expect([again.status, again.text]).toEqual([200, acknowledged.text]);
  expect((await list()).last_seq).toBe(2);
});

test("a cleared alarm leaves the list when it is acknowledged", async () => {
  await server.post("/sandbox/clock/advance", { to: morning("22:41:00") });
  const refused = await server.post("/sandbox/alarms/alarm-1/shelve", { for: "PT30M" });
  expect(refused.status).toBe(409);
  const read = await server.post("/sandbox/alarms/alarm-1/acknowledge");
  expect(read.body).toMatchObject({ state: "cleared", acknowledged_at: morning("22:41:00") });
  expect((await list()).alarms.map(({ id }) => id)).not.toContain("alarm-1");
  expect((await server.post("/sandbox/alarms/alarm-1/acknowledge")).status).toBe(404);
});

test("an alarm is shelved for a time or until an instant, and taken back", async () => {
  const shelve = (body: unknown) => server.post("/sandbox/alarms/alarm-1/shelve", body);
  expect((await shelve({ for: "PT30M" })).body).toMatchObject({ state: "shelved", shelved_until: morning("23:01:00") });
  expect((await shelve({ until: morning("22:45:30"), name: "Sato" })).body).toMatchObject({
    shelved_until: morning("22:45:30"),
  });
  expect((await list()).counts).toEqual({ new: 0, acknowledged: 0, cleared: 0, shelved: 1 });
  expect((await server.delete("/sandbox/alarms/alarm-1/shelve")).status).toBe(204);
  expect((await list()).counts.new).toBe(1);
  expect((await server.delete("/sandbox/alarms/alarm-1/shelve")).status).toBe(409);
});

test.each([
  [{}, "for"],
  [{ for: "PT30M", until: morning("22:45:00") }, "for"],
  [{ for: "PT59S" }, "for"],
  [{ for: "P1DT1S" }, "for"],
  [{ for: "soon" }, "for"],
  [{ until: morning("22:31:59") }, "until"],
  [{ until: "2026-05-20T22:31:01Z" }, "until"],
  [{ until: "noon" }, "until"],
  [{ for: "PT30M", name: "x".repeat(41) }, "name"],
  [{ for: "PT30M", why: "noise" }, "why"],
])("shelving with %j is refused", async (body, parameter) => {
  const { status, body: answer } = await server.post("/sandbox/alarms/alarm-1/shelve", body);
  expect([status, answer.error]).toEqual([400, expect.objectContaining({ parameter })]);
  expect((await list()).alarms[0]).toMatchObject({ state: "new" });
});

test("an id that is not in the list is not found", async () => {
  for (const path of ["acknowledge", "shelve"])
    expect(
      (await server.post(`/sandbox/alarms/alarm-9/${path}`, path === "shelve" ? { for: "PT5M" } : {})).status,
    ).toBe(404);
  expect((await server.delete("/sandbox/alarms/alarm-9/shelve")).status).toBe(404);
});

test("what persons did with alarms is among the actions", async () => {
  await server.post("/sandbox/alarms/alarm-1/acknowledge", { name: "Sato" });
  const { body } = await server.get("/sandbox/actions", INSTRUCTOR);
  expect((body.actions as object[]).at(-1)).toMatchObject({
    kind: "alarm",
    text: "acknowledges alarm-1",
    data: { alarm: "alarm-1", act: "acknowledge", by: "trainee", name: "Sato" },
  });
});

test("the journal has every change in order, and selects", async () => {
  await server.post("/sandbox/alarms/alarm-1/shelve", { for: "PT2M", name: "Sato" });
  await server.post("/sandbox/faults", { kind: "link_down", site: "battery-medium" }, INSTRUCTOR);
  await server.post("/sandbox/clock/advance", { to: morning("22:45:00") });
  const read = async (query: string) => {
    const { body } = await server.get(`/sandbox/alarms/journal?${query}`);
    const { entries, last_seq } = body as { entries: Record<string, unknown>[]; last_seq: number };
    return {
      lines: entries.map(({ seq, what, id, by, name }) => [seq, what, id, by, name].join(" ")),
      entries,
      last_seq,
    };
  };
  const { lines, entries, last_seq } = await read("");
  expect(lines.slice(0, 4)).toEqual([
    "1 raised alarm-1  ",
    "2 shelved alarm-1 trainee Sato",
    "3 raised alarm-2  ",
    "4 unshelved alarm-1  ",
  ]);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, k) => k + 1));
  expect(last_seq).toBe(entries.length);
  expect(entries[1]).toEqual({
    seq: 2,
    at: morning("22:31:00"),
    what: "shelved",
    id: "alarm-1",
    kind: "below_set_point",
    cause: "load_deviation",
    priority: 2,
    vpp: "east",
    site: "factory",
    award: "morning-reserve",
    since: morning("22:30:00"),
    kw: 25.9,
    by: "trainee",
    name: "Sato",
    shelved_until: morning("22:33:00"),
    text: "factory is 25.9 kW below its set-point (load deviation)",
  });
  expect((await read("after=1&limit=2")).lines).toEqual(lines.slice(1, 3));
  expect((await read("site=battery-medium&what=raised")).lines).toEqual(["3 raised alarm-2  "]);
  expect((await read("kind=link&priority=3")).lines).toContain("3 raised alarm-2  ");
  expect((await read("award=other")).lines).toEqual([]);
  expect((await read(`from=${morning("22:32:00")}&to=${morning("22:33:00")}`)).lines).toEqual(lines.slice(2, 4));
  expect((await server.get("/sandbox/alarms/journal?limit=2001")).status).toBe(400);
});
