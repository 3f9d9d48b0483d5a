// Two roles from the wire: what a trainee's token reaches, and what it learns of faults.
import { once } from "node:events";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createSandboxAccess, roleRefusal } from "../../../src/api/http/sandbox/sandboxAccess.ts";
import { sandboxDocument } from "../../../src/api/http/sandbox/sandboxDocument.ts";
import { sandboxPlugin } from "../../../src/api/http/sandbox/sandboxPlugin.ts";
import type { PreviewOverlap, SandboxEvents, VppPower } from "../../../src/live/session/sandboxReads.ts";
import { openTinySession } from "../../session/openTinySession.ts";
import { calmServedScenario } from "../../session/tinyScenario.ts";
import { startLiveServer } from "../liveServer.ts";
import { SandboxServer } from "./sandboxServer.ts";

const INSTRUCTOR = { "x-sandbox-token": "teacher" };
/** A fault that the scenario has planned. */
const planned = () => calmServedScenario("{at: 2026-04-01T04:00:00Z, kind: outage, site: battery-2, duration: PT30M}");

let server: SandboxServer;

const start = async (served = calmServedScenario()) =>
  SandboxServer.start(await openTinySession({}, served), { instructor: "teacher" });

beforeEach(async () => {
  server = await start();
});
afterEach(() => server.stop());

const advance = (minutes: number) => server.post("/sandbox/clock/advance", { by: `PT${minutes}M` });

/** Every GET of the description, with values for its parameters. */
const GETS = Object.entries(sandboxDocument(null).paths as Record<string, Record<string, unknown>>)
  .filter(([, item]) => "get" in item)
  .map(([path]) =>
    path
      .replace("{name}", "east")
      .replace("awards/{id}", "awards/A")
      .replace("{file}", "summary.json")
      .replace("{id}", "x"),
  );

/** All answers that a trainee gets, without the present instant. */
async function everyAnswer(): Promise<Record<string, { readonly status: number; readonly text: string }>> {
  const answers: Record<string, { readonly status: number; readonly text: string }> = {};
  for (const path of GETS) {
    const { status, text } = await server.get(path);
    answers[path] = { status, text };
  }
  return answers;
}

describe("a trainee", () => {
  test("is refused routes of the instructor with a message, whether the object exists or not", async () => {
    const { body: fault } = await server.post("/sandbox/faults", { kind: "outage", site: "battery-1" }, INSTRUCTOR);
    const routes: readonly (readonly [string, string])[] = [
      ["GET", "/sandbox/faults"],
      ["POST", "/sandbox/faults"],
      ["DELETE", `/sandbox/faults/${String(fault.fault_id)}`],
      ["DELETE", "/sandbox/faults/fault-99"],
      ["GET", "/sandbox/checkpoints"],
      ["POST", "/sandbox/checkpoints"],
      ["POST", "/sandbox/checkpoints/x/restore"],
      ["POST", "/sandbox/reset"],
      ["POST", "/sandbox/credentials/revoke"],
      ["GET", "/sandbox/actions"],
      ["GET", "/sandbox/notes"],
      ["POST", "/sandbox/notes"],
      ["POST", "/sandbox/report"],
      ["POST", "/sandbox/export"],
      ["GET", "/sandbox/state-hash"],
    ];
    for (const [method, path] of routes) {
      const json = { "content-type": "application/json" };
      const { status, body } = await server.send(method, path, method === "POST" ? "{}" : undefined, json);
      expect([method, path, status, body.error]).toEqual([
        method,
        path,
        403,
        expect.objectContaining({
          details: expect.stringMatching(/instructor's token in the header X-Sandbox-Token$/),
        }),
      ]);
    }
    const of = async (id: string) =>
      JSON.stringify((await server.send("DELETE", `/sandbox/faults/${id}`, undefined, {})).body);
    expect(await of("fault-1")).toBe(await of("fault-99"));
    // An encoded path is the same route.
    expect((await server.get("/sandbox/%66aults")).status).toBe(403);
    expect((await server.get("/sandbox/faults", INSTRUCTOR)).body.faults).toHaveLength(1);
  });

  test("moves the clock and reads the session; another token is 401", async () => {
    expect((await advance(1)).status).toBe(200);
    expect((await server.get("/sandbox/session")).body).toMatchObject({
      role: "trainee",
      separated: true,
      may: ["clock", "weights", "immediate", "schedules"],
    });
    expect((await server.get("/sandbox/session", INSTRUCTOR)).body).toMatchObject({ role: "instructor" });
    expect((await server.get("/sandbox/session", { "x-sandbox-token": "x" })).status).toBe(401);
  });

  test("reads the same of a session with a planned fault until it begins", async () => {
    const read = async (served: ReturnType<typeof calmServedScenario>) => {
      await server.stop();
      server = await start(served);
      await advance(90);
      return everyAnswer();
    };
    expect(await read(planned())).toEqual(await read(calmServedScenario()));
  });

  test.each(["outage", "maintenance", "link_down", "warning", "fcr_fault", "output_control"] as const)(
    "reads the effects of an injected %s at the next minute, and neither its name nor its id",
    async (kind) => {
      await advance(80);
      const before = await everyAnswer();
      const limit = kind === "output_control" ? { limit_pct: 10, reason: "manual" } : {};
      await server.post("/sandbox/faults", { kind, site: "battery-1", duration: "PT5M", ...limit }, INSTRUCTOR);
      const injected = await everyAnswer();
      const eventsPath = "/sandbox/events";
      // The minute of the fault has been evaluated; nothing is noticed and no number is used up.
      expect(injected[eventsPath]).toEqual(before[eventsPath]);
      for (const path of Object.keys(before))
        expect([path, injected[path].status]).toEqual([path, before[path].status]);
      await advance(1);
      const noticed = await everyAnswer();
      await advance(10);
      const over = await everyAnswer();
      const texts = [injected, noticed, over].flatMap((answers) =>
        Object.values(answers)
          .filter(({ status }) => status === 200)
          .map(({ text }) => text),
      );
      for (const text of texts) {
        expect(text).not.toMatch(/fault-\d|fault_id|link_down|fcr_fault|scripted|maintenance|inject/i);
        expect(text).not.toContain("non_firm");
      }
      const events = (await server.get("/sandbox/events?limit=2000")).body as {
        events: { seq: number; kind: string; site: string | null }[];
        last_seq: number;
      };
      expect(events.events.map(({ seq }) => seq)).toEqual(events.events.map((_, k) => k + 1));
      expect(events.last_seq).toBe(events.events.length);
      const ofSite = events.events.filter(({ site }) => site === "battery-1").map(({ kind: shown }) => shown);
      const isOut = kind === "outage" || kind === "maintenance";
      expect(ofSite).toEqual(isOut ? ["status_changed", "status_changed"] : ["fault_noticed", "fault_cleared"]);
    },
  );

  test.each([
    { kind: "derate", limit_pct: 10, ramp_in: "PT1M" },
    { kind: "sensor_offset", sensor: "soc", offset: 20 },
    { kind: "sensor_stuck", sensor: "power" },
  ] as const)("reads the effects of a partial malfunction ($kind) alone", async (fault) => {
    await advance(80);
    const before = await everyAnswer();
    const body = { site: "battery-1", duration: "PT5M", ...fault };
    expect((await server.post("/sandbox/faults", body, INSTRUCTOR)).status).toBe(200);
    await server.post("/sandbox/prepared", { ...body, duration: "PT1M", after: "PT30M", armed: true }, INSTRUCTOR);
    for (const minutes of [0, 2, 20]) {
      if (minutes > 0) await advance(minutes);
      for (const [path, { status, text }] of Object.entries(await everyAnswer())) {
        expect([path, status]).toEqual([path, before[path].status]);
        if (status === 200)
          expect([path, text]).toEqual([
            path,
            expect.not.stringMatching(/derat|sensor|irradiance_sh|inject|prepared/i),
          ]);
      }
    }
    const events = (await server.get("/sandbox/events?limit=2000")).body.events as { site: string | null }[];
    expect(events.filter(({ site }) => site === "battery-1")).toEqual([]);
  });

  test("does not read of a fault between two evaluations", async () => {
    await advance(80);
    await server.post("/sandbox/clock/advance", { by: "PT10S" });
    await server.post("/sandbox/faults", { kind: "outage", site: "battery-1", duration: "PT20S" }, INSTRUCTOR);
    const before = (await server.get("/sandbox/events")).text;
    await server.post("/sandbox/clock/advance", { by: "PT40S" });
    const { body } = await server.get("/sandbox/events");
    const kinds = (body.events as { kind: string }[]).map(({ kind }) => kind);
    expect(kinds).not.toContain("status_changed");
    // The advance of the clock alone.
    expect(body.last_seq).toBe(JSON.parse(before).last_seq + 1);
    expect(kinds.at(-1)).toBe("clock");
  });
});

describe("every read", () => {
  test("satisfies its description at any time", async () => {
    const description = sandboxDocument(null);
    const ajv = formats.default(new Ajv2020({ strict: false }));
    ajv.addSchema({ $id: "api", components: description.components });
    const paths = description.paths as Record<
      string,
      { get?: { responses: Record<string, { content: Record<string, { schema: object }> }> } }
    >;
    let checked = 0;
    await server.post("/sandbox/actions", { kind: "acknowledged", text: "a" });
    await server.post("/sandbox/notes", { text: "slow" }, INSTRUCTOR);
    const { body: checkpoint } = await server.post("/sandbox/checkpoints", {}, INSTRUCTOR);
    for (let k = 0; k < 4; k++) {
      await advance(45);
      if (k === 1) await server.post("/sandbox/faults", { kind: "outage", site: "battery-1" }, INSTRUCTOR);
      for (const [path, { get }] of Object.entries(paths)) {
        if (get === undefined || path.includes("latest")) continue;
        const url = path
          .replace("{name}", "east")
          .replace("{id}", "A")
          .replace("{checkpoint_id}", String(checkpoint.checkpoint_id));
        const { status, body, text } = await server.get(url, INSTRUCTOR);
        if (status === 404 && path.includes("story")) continue;
        // This session is no drill.
        const expected = /grade|debriefing/.test(path) ? 409 : 200;
        expect([url, status, status === expected ? "" : text]).toEqual([url, expected, ""]);
        const { schema } = get.responses[String(expected)].content["application/json"];
        const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')));
        expect([url, check(body), check.errors]).toEqual([url, true, null]);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(40);
  });

  test("refuses wrong parameters with a message", async () => {
    for (const path of [
      "events?after=-1",
      "events?limit=2001",
      "events?limit=1&limit=2",
      "events?since=1",
      "vpps/east/power?max_points=1",
      "vpps/east/power?from=2020-01-01T00:00:00Z",
      "vpps/east/power?from=2026-04-01T02:00:00Z&to=2026-04-01T01:00:00Z",
      "vpps/east/power?to=noon",
      "session?x=1",
    ]) {
      const { status, body } = await server.get(`/sandbox/${path}`);
      expect([path, status, body.error]).toEqual([
        path,
        400,
        expect.objectContaining({ details: expect.stringMatching(/Found .*allowed/), parameter: expect.any(String) }),
      ]);
    }
    expect((await server.get("/sandbox/vpps/west/balance")).body.error).toMatchObject({
      code: 404,
      details: 'No VPP of the scenario is named "west"; it has east',
    });
    expect((await server.get("/sandbox/awards/none/story")).status).toBe(404);
  });

  test("has the data of events for texts of a client", async () => {
    await server.stop();
    const event = "{at: 2026-04-01T00:30:00Z, kind: set_weight, vpp: east, site: plant, allocation_weight: 7}";
    const edited = calmServedScenario(event, (yaml) =>
      yaml.replace(
        /(awards:\n)/,
        "$1  - {award_id: B, vpp: east, sku: frr, start: 2026-04-01T02:00:00Z, end: 2026-04-01T03:00:00Z, delta_kw: -100}\n",
      ),
    );
    server = await start(edited);
    await advance(180);
    const { events } = (await server.get("/sandbox/events?limit=2000")).body as unknown as SandboxEvents;
    const dataOf = (kind: string, award: string | null) =>
      events.find((event) => event.kind === kind && event.award_id === award)?.data;
    expect(dataOf("weight_changed", null)).toMatchObject({ change: "weight", vpp: "east", allocation_weight: 7 });
    expect(dataOf("dispatched", "A")).toMatchObject({ requested_kw: -250, dispatched_count: 2, member_count: 3 });
    const changed = events.filter(({ data }) => data.by_award_id !== undefined);
    expect(changed.map(({ award_id, data }) => [award_id, data.change, data.by_award_id])).toEqual([["A", "cut", "B"]]);
    const power = (await server.get("/sandbox/vpps/east/power")).body as unknown as VppPower;
    expect(power.marks.map(({ kind, data }) => [kind, data.change])).toContainEqual(["weight_changed", "weight"]);
  });

  test("of a preview shows the refusal of the API, the overlaps and the shares", async () => {
    await advance(10);
    const preview = (body: object) => server.post("/sandbox/vpps/east/preview", body);
    const times = { starts_at: "2026-04-01T01:30:00Z", ends_at: "2026-04-01T02:00:00Z" };
    const hash = (await server.get("/sandbox/state-hash", INSTRUCTOR)).body.hash;
    const cut = (await preview({ sku: "frr", power_kw: -100, ...times })).body;
    expect(cut).toMatchObject({ refusal: null, uncovered_kw: 0, overlaps: [{ sku: "frr", effect: "reduced" }] });
    const [award] = cut.overlaps as PreviewOverlap[];
    expect(award.remaining).toEqual([
      { starts_at: award.starts_at, ends_at: times.starts_at },
      ...(award.ends_at === times.ends_at ? [] : [{ starts_at: times.ends_at, ends_at: award.ends_at }]),
    ]);
    const shares = cut.allocation as { site: string; kw: number }[];
    expect(shares.map(({ site }) => site)).toEqual(["battery-1", "battery-2", "plant"]);
    expect(shares.reduce((sum, { kw }) => sum + kw, 0)).toBeCloseTo(-100, 6);
    const beyond = (
      await preview({ sku: null, power_kw: -5_000, starts_at: "2026-04-01T00:00:00Z", ends_at: times.ends_at })
    ).body;
    expect(beyond).toMatchObject({
      refusal: { parameter: "power_kw", valid_range: expect.any(String) },
      uncovered_kw: 5_000,
    });
    const past = (
      await preview({ sku: null, power_kw: -10, starts_at: "2026-04-01T00:10:30Z", ends_at: times.ends_at })
    ).body;
    expect(past.refusal).toMatchObject({ parameter: "starts_at" });
    expect((await preview({ sku: "frr", power_kw: "1", ...times })).status).toBe(400);
    expect((await server.get("/sandbox/state-hash", INSTRUCTOR)).body.hash).toBe(hash);
    expect((await server.post("/sandbox/export", {}, INSTRUCTOR)).text).not.toContain("kind: request");
  });
});

test("in a session that is not separated callers without a token may do everything, and a trainee's token restricts", async () => {
  await server.stop();
  const session = await openTinySession({}, calmServedScenario());
  server = await SandboxServer.start(session);
  const access = createSandboxAccess({ signingKey: session.signingKey, sandboxToken: null, instructorToken: null });
  const trainee = { "x-sandbox-token": access.traineeToken };
  expect((await server.get("/sandbox/faults")).status).toBe(200);
  expect((await server.get("/sandbox/faults", trainee)).status).toBe(403);
  expect((await server.get("/sandbox/faults", { "x-sandbox-token": access.instructorToken })).status).toBe(200);
  expect((await server.post("/sandbox/export", {}, trainee)).status).toBe(200);
});

test("with a sandbox token, that token is the trainee's where the session is separated", () => {
  const base = { signingKey: "k", sandboxToken: "s" };
  expect(createSandboxAccess({ ...base, instructorToken: "i" })).toMatchObject({
    traineeToken: "s",
    isSeparated: true,
  });
  const open = createSandboxAccess({ ...base, instructorToken: null });
  expect(open).toMatchObject({ isSeparated: false, traineeToken: expect.not.stringMatching(/^s$/) });
  expect(roleRefusal(open, "trainee", "GET /sandbox/faults", "instructor")).toMatch(/belongs to the instructor/);
});

test("telemetry and metrics of a separated session do not report faults as such", async () => {
  const live = await startLiveServer(
    (session) => ({
      isSeparated: true,
      plugins: [
        (base, _options, done) => {
          const { signingKey } = session;
          const access = createSandboxAccess({ signingKey, sandboxToken: null, instructorToken: "teacher" });
          base.register(sandboxPlugin, { session, access, report: null });
          // A hold of the event loop is counted by its route.
          base.addHook("preHandler", (request, _reply, next) => {
            const untilMs = performance.now() + (request.method === "POST" ? 150 : 0);
            while (performance.now() < untilMs);
            next();
          });
          done();
        },
      ],
    }),
    calmServedScenario(),
  );
  const { authorization } = await live.signIn("east");
  const messages: string[] = [];
  const socket = new WebSocket(`${live.baseUrl.replace("http", "ws")}/v1/vpp/${live.idOf("east")}/telemetry`, {
    headers: { authorization },
  });
  socket.on("message", (text) => messages.push(String(text)));
  await once(socket, "message");
  const post = (path: string, body: object) =>
    fetch(`${live.baseUrl}/sandbox/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...INSTRUCTOR },
      body: JSON.stringify(body),
    });
  expect((await post("faults", { kind: "outage", site: "battery-1" })).status).toBe(200);
  await post("clock/advance", { by: "PT2M" });
  await expect.poll(() => messages.some((text) => text.includes('"status":9'))).toBe(true);
  expect(messages.map((text) => (JSON.parse(text) as { readonly type: string }).type)).not.toContain("fault");
  const metrics = await (await fetch(`${live.baseUrl}/metrics`)).text();
  expect(metrics).not.toContain('requests_total{method="POST",route="/sandbox');
  expect(metrics).not.toMatch(/fault/);
  socket.close();
  await live.close();
});
