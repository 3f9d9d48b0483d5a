import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { sha256Hex } from "../../../src/base/ids.ts";
import { refreshTokenOf } from "../../../src/live/session/tokenSecrets.ts";
import { foreignNames } from "../../../src/platform/node/reportFolder.ts";
import { openTinySession } from "../../session/openTinySession.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { SandboxServer } from "./sandboxServer.ts";

let server: SandboxServer | null = null;

async function start(options: Parameters<typeof SandboxServer.start>[1] = {}): Promise<SandboxServer> {
  server = await SandboxServer.start(await openTinySession(), options);
  return server;
}

afterEach(async () => {
  await server?.stop();
  server = null;
});

describe("the clock of the sandbox", () => {
  test("is paused at the start, and returns its whole record", async () => {
    const { get } = await bound();
    expect(await get("/sandbox/clock")).toMatchObject({
      status: 200,
      type: "application/json; charset=utf-8",
      body: {
        now: "2026-04-01T00:00:00Z",
        mode: "paused",
        speed: 1,
        achieved_speed: 0,
        lag_seconds: 0,
        scenario_end: "2026-04-01T06:00:00Z",
      },
    });
  });

  test.each([
    [{ by: "PT90S" }, "2026-04-01T00:01:30Z"],
    [{ by: "PT1H30M" }, "2026-04-01T01:30:00Z"],
    [{ by: "P0D" }, "2026-04-01T00:00:00Z"],
    [{ by: "PT0.25S" }, "2026-04-01T00:00:00Z"],
    [{ to: "2026-04-01T00:00:00Z" }, "2026-04-01T00:00:00Z"],
    [{ to: "2026-04-01T09:30:00+09:00" }, "2026-04-01T00:30:00Z"],
    [{ to: "2026-04-01T06:00:00Z" }, "2026-04-01T06:00:00Z"],
  ])("advances %j", async (body, now) => {
    const { post } = await bound();
    expect(await post("/sandbox/clock/advance", body)).toMatchObject({ status: 200, body: { now, mode: "paused" } });
  });

  test.each([
    [{}, undefined, "allowed exactly one of by, to"],
    [{ by: "PT1S", to: "2026-04-01T01:00:00Z" }, undefined, "allowed exactly one of by, to"],
    [{ by: "1 hour" }, "by", "allowed an ISO 8601 duration"],
    [{ by: "P1M" }, "by", "allowed an ISO 8601 duration"],
    [{ by: "P1W" }, "by", "of days, hours, minutes and seconds"],
    [{ by: 90 }, "by", "Found 90"],
    [{ by: "PT7H" }, "by", "the scenario's end, 2026-04-01T06:00:00Z"],
    [{ by: "P36525D" }, "by", "the scenario's end, 2026-04-01T06:00:00Z"],
    [{ by: "P9999999999D" }, "by", 'Found "P9999999999D", allowed a duration of at most P36525D'],
    [{ by: `PT${"9".repeat(400)}S` }, "by", "allowed a duration of at most P36525D"],
    [{ to: "2026-03-31T23:59:59Z" }, "to", "an instant from now, 2026-04-01T00:00:00Z"],
    [{ to: "2026-04-01T06:00:01Z" }, "to", "the scenario's end, 2026-04-01T06:00:00Z"],
    [{ to: "2026-04-01T01:00:00" }, "to", "a time with Z or an offset"],
    [{ by: "PT1S", speed: 2 }, "speed", "allowed one of by, to"],
    [[], undefined, "allowed a JSON object"],
  ])("does not advance %j", async (body, parameter, details) => {
    const { post, get } = await bound();
    const answer = await post("/sandbox/clock/advance", body);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 400, message: "Bad request" }, timestamp: "2026-04-01T00:00:00Z" },
    });
    const { error } = answer.body as { error: Record<string, unknown> };
    expect(error.parameter).toBe(parameter);
    expect(error.details).toContain(details);
    expect((await get("/sandbox/clock")).body.now).toBe("2026-04-01T00:00:00Z");
  });

  test("runs, cannot be advanced meanwhile, and is paused again", async () => {
    const { post, get } = await bound();
    expect((await post("/sandbox/clock/resume", { speed: 1_000 })).body).toMatchObject({
      mode: "running",
      speed: 1_000,
    });
    expect((await post("/sandbox/clock/advance", { by: "PT1S" })).status).toBe(409);
    await expect.poll(async () => (await get("/sandbox/clock")).body.now).not.toMatch(/T00:00:/);
    const paused = (await post("/sandbox/clock/pause")).body;
    expect(paused.mode).toBe("paused");
    expect((await get("/sandbox/clock")).body).toEqual(paused);
    expect((await post("/sandbox/clock/resume")).body).toMatchObject({ mode: "running", speed: 1_000 });
  });

  test("reaches the end at full speed and stays there", async () => {
    const { post, get } = await bound();
    await post("/sandbox/clock/resume", { speed: "max" });
    await expect.poll(async () => (await get("/sandbox/clock")).body.mode).toBe("paused");
    expect((await get("/sandbox/clock")).body).toMatchObject({ now: "2026-04-01T06:00:00Z", lag_seconds: 0 });
    // Events at the end lie outside the run; a command at that instant is accepted nevertheless.
    expect((await post("/sandbox/faults", { kind: "outage", site: "plant" })).status).toBe(200);
    expect((await get("/sandbox/state-hash")).status).toBe(200);
  });

  test.each([{ speed: 0.05 }, { speed: 200_000 }, { speed: "fast" }, { speed: null }, { tempo: 1 }])(
    "refuses the speed %j",
    async (body) => {
      const { post } = await bound();
      expect((await post("/sandbox/clock/resume", body)).status).toBe(400);
    },
  );
});

describe("credentials", () => {
  test("are derived from the seed and the id, one for each VPP and site", async () => {
    const { get } = await bound();
    const { body } = await get("/sandbox/credentials");
    const { vpps, sites } = body as { vpps: Record<string, string>[]; sites: Record<string, string>[] };
    expect(vpps.map(({ name }) => name)).toEqual(["east"]);
    expect(sites.map(({ name }) => name)).toEqual(["battery-1", "battery-2", "plant"]);
    expect(vpps[0].refresh_token).toBe(refreshTokenOf("seed:7", vpps[0].vpp_id));
    expect(sites[2].refresh_token).toBe(refreshTokenOf("seed:7", sites[2].ems_id));
  });

  test("are revoked for good", async () => {
    const { post, session } = await bound();
    const [{ refreshToken }, other] = session.credentials;
    expect((await post("/sandbox/credentials/revoke", { refresh_token: refreshToken })).status).toBe(204);
    expect((await post("/sandbox/credentials/revoke", { refresh_token: "made up" })).status).toBe(404);
    expect((await post("/sandbox/credentials/revoke", {})).status).toBe(400);
    await post("/sandbox/reset");
    expect(session.isRevoked(sha256Hex(refreshToken))).toBe(true);
    expect(session.isRevoked(sha256Hex(other.refreshToken))).toBe(false);
  });
});

describe("faults", () => {
  test("begin now, are listed while they last, and end early", async () => {
    const { post, get, delete: remove } = await bound();
    const first = await post("/sandbox/faults", { kind: "outage", site: "plant", duration: "PT10M" });
    expect(first.body).toEqual({
      fault_id: "fault-1",
      kind: "outage",
      site: "plant",
      starts_at: "2026-04-01T00:00:00Z",
      ends_at: "2026-04-01T00:10:00Z",
    });
    const control = { kind: "output_control", site: "battery-1", limit_pct: 40, reason: "manual" };
    const second = await post("/sandbox/faults", control);
    expect(second.body).toMatchObject({ ...control, ends_at: null });
    expect((await get("/sandbox/faults")).body).toEqual({ faults: [first.body, second.body] });
    await post("/sandbox/clock/advance", { by: "PT10M" });
    expect((await get("/sandbox/faults")).body).toEqual({ faults: [second.body] });
    expect((await remove(`/sandbox/faults/${second.body.fault_id}`)).status).toBe(204);
    expect((await get("/sandbox/faults")).body).toEqual({ faults: [] });
    expect((await remove(`/sandbox/faults/${second.body.fault_id}`)).status).toBe(404);
  });

  test.each([
    [{ site: "plant" }, "kind"],
    [{ kind: "flood", site: "plant" }, "kind"],
    [{ kind: "outage" }, "site"],
    [{ kind: "outage", site: "elsewhere" }, "site"],
    [{ kind: "outage", site: "plant", duration: "PT0S" }, "duration"],
    [{ kind: "outage", site: "plant", duration: "soon" }, "duration"],
    [{ kind: "outage", site: "plant", limit_pct: 3 }, "limit_pct"],
    [{ kind: "output_control", site: "battery-1" }, "limit_pct"],
    [{ kind: "output_control", site: "plant", limit_pct: 40 }, "site"],
    [{ kind: "fcr_fault", site: "plant" }, "site"],
    [{ kind: "output_control", site: "battery-1", limit_pct: 101 }, "limit_pct"],
    [{ kind: "output_control", site: "battery-1", limit_pct: 10, reason: "mood" }, "reason"],
    [{ kind: "outage", site: "plant", at: "2026-04-01T00:00:00Z" }, "at"],
  ])("as %j are refused", async (body, parameter) => {
    const { post, session } = await bound();
    const { status, body: answer } = await post("/sandbox/faults", body);
    expect({ status, parameter: (answer.error as Record<string, unknown>).parameter }).toEqual({
      status: 400,
      parameter,
    });
    expect(session.faults).toEqual([]);
  });
});

describe("checkpoints", () => {
  test("restore the world at their instant, from any branch", async () => {
    const { post, get } = await bound();
    await post("/sandbox/clock/advance", { by: "PT90M" });
    const first = (await post("/sandbox/checkpoints", { label: "before the storm" })).body;
    expect(first).toEqual({ checkpoint_id: expect.any(String), at: "2026-04-01T01:30:00Z", label: "before the storm" });
    const before = (await get("/sandbox/state-hash")).body;
    // The scenario's own link outage.
    const faults = (await get("/sandbox/faults")).body;
    expect(faults).toMatchObject({ faults: [{ kind: "link_down", site: "battery-2" }] });
    await post("/sandbox/faults", { kind: "outage", site: "battery-1" });
    await post("/sandbox/clock/advance", { by: "PT1H" });
    const second = (await post("/sandbox/checkpoints")).body;
    const stormy = (await get("/sandbox/state-hash")).body;
    expect(stormy.hash).not.toBe(before.hash);

    const restored = await post(`/sandbox/checkpoints/${first.checkpoint_id}/restore`);
    expect(restored.body).toMatchObject({ now: "2026-04-01T01:30:00Z", mode: "paused" });
    expect((await get("/sandbox/state-hash")).body).toEqual(before);
    expect((await get("/sandbox/faults")).body).toEqual(faults);

    await post(`/sandbox/checkpoints/${second.checkpoint_id}/restore`);
    expect((await get("/sandbox/state-hash")).body).toEqual(stormy);
    expect((await get("/sandbox/checkpoints")).body).toEqual({ checkpoints: [first, second] });
    expect((await post("/sandbox/checkpoints/nowhere/restore")).status).toBe(404);
    expect((await post("/sandbox/checkpoints", { label: 3 })).status).toBe(400);
  });

  test("include the state of servers, which a reset clears", async () => {
    const { post, session } = await bound();
    let state: unknown = "at the start";
    session.addRewindable({
      name: "part",
      save: () => state,
      restore: (saved) => (state = saved ?? "at the start"),
    });
    state = { used: 3 };
    const { checkpoint_id } = (await post("/sandbox/checkpoints")).body;
    state = { used: 5 };
    await post(`/sandbox/checkpoints/${checkpoint_id}/restore`);
    expect(state).toEqual({ used: 3 });
    await post("/sandbox/reset");
    expect(state).toBe("at the start");
  });

  test("a reset goes back to the start", async () => {
    const { post, get } = await bound();
    const fresh = (await get("/sandbox/state-hash")).body;
    await post("/sandbox/faults", { kind: "outage", site: "plant" });
    await post("/sandbox/clock/advance", { by: "PT5H" });
    expect((await post("/sandbox/reset")).body).toMatchObject({ now: "2026-04-01T00:00:00Z" });
    expect((await get("/sandbox/state-hash")).body).toEqual(fresh);
  });
});

describe("outcomes", () => {
  test("a report requires a folder, and is complete", async () => {
    const { post } = await bound();
    expect((await post("/sandbox/report")).status).toBe(409);
    await server?.stop();
    const report = join(createTemporaryFolder("sandbox"), "report");
    const { post: again } = await bound({ report });
    await again("/sandbox/clock/advance", { by: "PT2H" });
    const { status, body } = await again("/sandbox/report");
    expect({ status, report: body.report }).toEqual({ status: 200, report });
    for (const file of body.files as string[]) expect(existsSync(join(report, file))).toBe(true);
    const summary = JSON.parse(readFileSync(join(report, "summary.json"), "utf8"));
    expect(summary.period).toEqual({ start: "2026-04-01T00:00:00Z", end: "2026-04-01T02:00:00Z" });
  });

  test("reports that are requested at the same time are all written whole", async () => {
    const report = join(createTemporaryFolder("sandbox"), "report");
    const { post } = await bound({ report });
    await post("/sandbox/clock/advance", { by: "PT2H" });
    const answers = await Promise.all([1, 2, 3].map(() => post("/sandbox/report")));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(foreignNames(report)).toEqual([]);
    for (const file of answers[0].body.files as string[]) expect(existsSync(join(report, file))).toBe(true);
  });

  test("an export is YAML", async () => {
    const { post } = await bound();
    const { status, type, text } = await post("/sandbox/export");
    expect({ status, type }).toEqual({ status: 200, type: "application/yaml; charset=utf-8" });
    expect(text).toContain("name: tiny\n");
  });
});

describe("the sandbox refuses", () => {
  const json = { "content-type": "application/json" };

  test.each([
    ["a POST without a content type", "POST", "/sandbox/reset", {}, 415],
    ["a form of another site", "POST", "/sandbox/reset", { "content-type": "text/plain" }, 415],
    ["a page of another site", "POST", "/sandbox/reset", { ...json, origin: "http://evil.example" }, 403],
    ["a page without an origin", "GET", "/sandbox/credentials", { origin: "null" }, 403],
    ["a name bent to this address", "GET", "/sandbox/credentials", { host: "evil.example" }, 403],
    ["a name that begins like this machine's", "GET", "/sandbox/clock", { host: "localhost.evil.example" }, 403],
    ["a path that it has not", "GET", "/sandbox/fault", {}, 404],
    ["a method that it has not", "PUT", "/sandbox/clock", json, 404],
  ] as const)("%s", async (_, method, path, headers, status) => {
    const { server: running } = await bound();
    const answer = await running.send(method, path, method === "GET" ? undefined : "", { ...headers });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: { code: status }, timestamp: "2026-04-01T00:00:00Z" });
  });

  test.each([
    ["its own page", { origin: "http://localhost:PORT", host: "localhost:PORT" }],
    ["a client by name", { host: "localhost:PORT" }],
    ["a client by the address of version 6", { host: "[::1]:PORT" }],
  ])("not %s", async (_, headers) => {
    const { server: running } = await bound();
    const filled = Object.entries(headers).map(([key, value]) => [key, value.replace("PORT", String(running.port))]);
    expect((await running.get("/sandbox/clock", Object.fromEntries(filled))).status).toBe(200);
  });

  test("bodies that are not JSON, with the place", async () => {
    const { server: running } = await bound();
    const answer = await running.send("POST", "/sandbox/reset", "{", json);
    expect(answer).toMatchObject({ status: 400, body: { error: { message: "Bad request" } } });
  });

  test("callers without the token, once there is one", async () => {
    const { server: running } = await bound({ token: "s3cret" });
    expect((await running.get("/sandbox/clock")).status).toBe(401);
    expect((await running.get("/sandbox/clock", { "x-sandbox-token": "s3cre" })).status).toBe(401);
    const named = { "x-sandbox-token": "s3cret", host: "vpp.example" };
    expect((await running.get("/sandbox/clock", named)).status).toBe(200);
    expect((await running.get("/sandbox/clock", { ...named, origin: "http://evil.example" })).status).toBe(403);
  });
});

async function bound(options: Parameters<typeof start>[0] = {}) {
  const running = await start(options);
  return {
    server: running,
    session: running.session,
    get: running.get.bind(running),
    post: running.post.bind(running),
    delete: running.delete.bind(running),
  };
}
