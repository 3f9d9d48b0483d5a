import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { parse } from "yaml";
import { reportBytes } from "../../session/sessionAndExportReports.ts";
import { START_MS } from "../../session/tinyScenario.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { type ClientServer, startClientServer } from "./clientServer.ts";

const CONTROL = "/v1/vpp/{vpp_id}/control/active_power";
const STATUS = "/v1/vpp/{vpp_id}/status";
const TELEMETRY = "/v1/vpp/{vpp_id}/telemetry";

let server: ClientServer;
beforeEach(async () => {
  server = await startClientServer();
});
afterEach(() => server.close());

const begin = async (match: object, answer: object, rest: object = {}) =>
  (await server.sandbox("/http-faults", { match, answer, ...rest })).body;
const inForce = async () => (await server.sandbox("/http-faults")).body.http_faults as Record<string, unknown>[];
const statuses = async (count: number, path = "/status") => {
  const found = [];
  for (let k = 0; k < count; k++) found.push((await server.vpp(path))?.status ?? null);
  return found;
};
const instructionCount = () => server.session.context.world.vpps[0].runningInstructions.length;

describe("a match (docs/model/sandbox.md#http-faults)", () => {
  test("takes the next n requests and is then over", async () => {
    expect(await begin({ api: "vpp-v1", next: 2 }, { status: 500 })).toEqual({
      http_fault_id: "http-fault-1",
      match: { api: "vpp-v1", next: 2 },
      answer: { status: 500 },
      created_at: "2026-04-01T00:00:00Z",
      ends_at: null,
      hits: 0,
      left: 2,
    });
    expect(await statuses(1)).toEqual([500]);
    expect(await inForce()).toMatchObject([{ hits: 1, left: 1 }]);
    expect(await statuses(2)).toEqual([500, 200]);
    expect(await inForce()).toEqual([]);
  });

  test("takes a share of the requests: of 0.4 the third and the fifth of five", async () => {
    await begin({ route: STATUS, share: 0.4 }, { status: 503, retry_after_s: 7 });
    expect(await statuses(6)).toEqual([200, 200, 503, 200, 503, 200]);
  });

  test("selects by method and route, and the oldest fault that matches hits", async () => {
    await begin({ method: "POST" }, { status: 500 });
    await begin({}, { status: 503 });
    expect(await statuses(1)).toEqual([503]);
    expect((await server.command("a"))?.status).toBe(500);
    expect((await inForce()).map(({ hits }) => hits)).toEqual([1, 1]);
    expect((await server.sandbox("/http-faults", undefined, "DELETE")).status).toBe(204);
    expect(await statuses(1)).toEqual([200]);
  });

  test("never takes the sandbox, health, metrics and descriptions", async () => {
    await begin({}, { cut: "before" });
    for (const path of ["/health", "/metrics", "/docs", "/openapi/vpp-v1.json", "/asyncapi.json", "/sandbox/clock"])
      expect((await fetch(`${server.baseUrl}${path}`)).status).toBe(200);
    expect(await statuses(1)).toEqual([null]);
  });

  test("lasts for simulated time", async () => {
    const { ends_at } = await begin({}, { status: 500 }, { for: "PT10M" });
    expect(ends_at).toBe("2026-04-01T00:10:00Z");
    await server.session.advance(() => START_MS + 599_000);
    expect(await statuses(1)).toEqual([500]);
    await server.session.advance(() => START_MS + 600_000);
    expect(await statuses(1)).toEqual([200]);
    expect(await inForce()).toEqual([]);
  });
});

describe("an answer", () => {
  test("of 429 has the wait in simulated seconds and uses no rate limit", async () => {
    await server.vpp("/status");
    await begin({ next: 1 }, { status: 429 });
    const limited = await server.vpp("/status", { headers: { "x-request-id": "r-7" } });
    expect(limited?.headers.get("retry-after")).toBe("20");
    expect(limited?.headers.get("x-request-id")).toBe("r-7");
    expect(limited?.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(limited?.body).toMatchObject({
      vpp_id: server.idOf("east"),
      error: { error_type: "rate_limit_exceeded", retry_after: 20 },
    });
    expect((await server.vpp("/status"))?.headers.get("x-ratelimit-remaining")).toBe("998");
  });

  test("of 503 and 500 comes before the token, the permission and the body", async () => {
    await begin({ next: 2 }, { status: 503 });
    const url = `${server.baseUrl}/v1/vpp/${"f".repeat(32)}/control/active_power`;
    const first = await fetch(url, { method: "POST", body: "{", headers: { "content-type": "application/json" } });
    expect([first.status, first.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(await first.json()).toMatchObject({ error: { error_type: "system_out_of_service", retry_after: 60 } });
    expect((await fetch(url, { method: "PUT" })).status).toBe(503);
    expect((await fetch(url, { method: "PUT" })).status).toBe(401);
  });

  test("cut before does nothing, cut after does it and stores its key", async () => {
    await begin({ route: CONTROL, next: 1 }, { cut: "before" });
    await begin({ route: CONTROL, next: 1 }, { cut: "after" });
    expect(await server.command("a")).toBeNull();
    expect(instructionCount()).toBe(0);
    expect(await server.command("a")).toBeNull();
    expect(instructionCount()).toBe(1);
    const repeated = await server.command("a");
    expect([repeated?.status, repeated?.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(instructionCount()).toBe(1);
  });

  test("of latency comes later in real time, as usual", async () => {
    await begin({ next: 1 }, { latency_ms: 80 });
    const startMs = performance.now();
    expect(await statuses(1)).toEqual([200]);
    expect(performance.now() - startMs).toBeGreaterThan(75);
  });

  test("expires the access token of the request until its holder asks for another", async () => {
    await begin({ route: STATUS, next: 1 }, { token: "expired" });
    const expired = await server.vpp("/status");
    expect(expired?.body.error).toMatchObject({ error_type: "token_expired", expires_at: "2026-04-01T00:00:00Z" });
    expect(await statuses(1, "/members")).toEqual([498]);
    await server.session.reset();
    expect(await statuses(1)).toEqual([498]);
    // With a frozen clock the new token is the same text.
    await server.signIn("east");
    expect(await statuses(1)).toEqual([200]);
  });

  test("expires no token of a request without one", async () => {
    await begin({ next: 1 }, { token: "expired" });
    expect((await fetch(`${server.baseUrl}/v1/vpp/${server.idOf("east")}/status`)).status).toBe(401);
    expect(await inForce()).toMatchObject([{ hits: 0, left: 1 }]);
  });

  test("of the token endpoint has its envelope, without an id", async () => {
    await begin({ api: "auth", next: 1 }, { status: 429, retry_after_s: 5 });
    const limited = await fetch(`${server.authUrl}/auth/refresh`, { method: "POST" });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(Object.keys((await limited.json()) as object)).toEqual(["error", "timestamp"]);
    expect((await fetch(`${server.authUrl}/auth/refresh`, { method: "POST" })).status).toBe(401);
  });
});

describe("telemetry", () => {
  const connect = async () => {
    const { authorization } = server.token;
    const url = `${server.baseUrl.replace("http", "ws")}/v1/vpp/${server.idOf("east")}/telemetry`;
    const socket = new WebSocket(url, { headers: { authorization } });
    const end = await new Promise<number | null>((resolve) => {
      socket.once("message", () => resolve(101));
      socket.once("unexpected-response", (_request, { statusCode }) => resolve(statusCode ?? null));
      socket.once("error", () => resolve(null));
    });
    return { socket, end };
  };

  test("is refused at the upgrade, and only where its route is named", async () => {
    await begin({}, { status: 500 });
    await begin({ route: TELEMETRY, next: 1 }, { status: 503 });
    expect((await connect()).end).toBe(503);
    const { socket, end } = await connect();
    expect(end).toBe(101);
    socket.terminate();
  });

  test("is cut at once, each open connection a hit", async () => {
    const open = [await connect(), await connect()];
    const closed = Promise.all(open.map(({ socket }) => once(socket, "close")));
    await begin({ route: TELEMETRY }, { cut: "before" });
    expect((await closed).map(([code]) => code)).toEqual([1006, 1006]);
    expect(await inForce()).toMatchObject([{ hits: 2, left: null }]);
    expect((await connect()).end).toBeNull();
  });
});

describe("the commands of HTTP faults", () => {
  test.each([
    [{}, "answer"],
    [{ answer: { status: 500 } }, "match"],
    [{ match: { route: "/v1/vpp/{id}/status" }, answer: { status: 500 } }, "match.route"],
    [{ match: { api: "site-v2", route: STATUS }, answer: { status: 500 } }, "match.route"],
    [{ match: { route: STATUS, method: "POST" }, answer: { status: 500 } }, "match.method"],
    [{ match: { share: 0 }, answer: { status: 500 } }, "match.share"],
    [{ match: { share: 0.5, next: 2 }, answer: { status: 500 } }, "match.share"],
    [{ match: { next: 10_001 }, answer: { status: 500 } }, "match.next"],
    [{ match: {}, answer: { status: 404 } }, "answer.status"],
    [{ match: {}, answer: { status: 500, retry_after_s: 5 } }, "answer.retry_after_s"],
    [{ match: {}, answer: { latency_ms: 0 } }, "answer.latency_ms"],
    [{ match: {}, answer: { cut: "later" } }, "answer.cut"],
    [{ match: { api: "auth" }, answer: { token: "expired" } }, "answer.token"],
    [{ match: {}, answer: { status: 500 }, for: "PT0S" }, "for"],
    [{ match: {}, answer: { status: 500 }, for: "10 min" }, "for"],
  ])("refuse %j", async (body, parameter) => {
    const { status, body: refusal } = await server.sandbox("/http-faults", body);
    expect([status, refusal.error.parameter]).toEqual([400, parameter]);
  });

  test("end one by its id, and know no other", async () => {
    await begin({}, { status: 500 });
    expect((await server.sandbox("/http-faults/http-fault-1", undefined, "DELETE")).status).toBe(204);
    expect((await server.sandbox("/http-faults/http-fault-1", undefined, "DELETE")).status).toBe(404);
  });

  test("allow a hundred at once", async () => {
    for (let k = 0; k < 100; k++) await begin({ api: "site-v1" }, { status: 500 });
    expect((await server.sandbox("/http-faults", { match: {}, answer: { status: 500 } })).status).toBe(409);
  });

  test("are the instructor's in a separated session", async () => {
    const separated = await startClientServer({}, "teacher");
    expect((await separated.sandbox("/http-faults")).status).toBe(403);
    expect((await separated.sandbox("/requests")).status).toBe(403);
    await separated.close();
  });
});

test("HTTP faults stay over a restore, are exported, and come again after a restart with their whole count", async () => {
  const file = join(createTemporaryFolder("http-faults"), "faults.journal");
  const first = await startClientServer({ journal: { file, resumesEnded: true } });
  server = first;
  const { checkpointId } = await first.session.addCheckpoint(null);
  await first.session.advance(() => START_MS + 60_000);
  await begin({ next: 3 }, { status: 500 });
  await begin({ api: "auth" }, { status: 503 }, { for: "PT2M" });
  await begin({ next: 1, method: "GET" }, { status: 503 }, { for: "PT1H" });
  expect(await statuses(1)).toEqual([500]);
  await first.session.restore(checkpointId);
  expect((await inForce()).map(({ http_fault_id, hits }) => [http_fault_id, hits])).toEqual([
    ["http-fault-1", 1],
    ["http-fault-2", 0],
    ["http-fault-3", 0],
  ]);
  expect(await statuses(3)).toEqual([500, 500, 503]);
  const { session } = parse([...first.session.exportParts()].join(""));
  const at = "2026-04-01T00:00:00Z";
  const common = { at, after_events: 0 };
  expect(session.commands).toEqual([
    { ...common, http_fault: { match: { next: 3 }, answer: { status: 500 } } },
    { ...common, http_fault: { match: { api: "auth" }, answer: { status: 503 }, for: "PT180S" } },
    { ...common, http_fault: { match: { next: 1, method: "GET" }, answer: { status: 503 }, for: "PT3660S" } },
    { ...common, http_fault_end: "http-fault-1" },
    { ...common, http_fault_end: "http-fault-3" },
  ]);
  await begin({ next: 2 }, { status: 500 });
  expect(await statuses(1)).toEqual([500]);
  await first.close();
  server = await startClientServer({ journal: { file, resumesEnded: true } });
  expect(await inForce()).toMatchObject([
    { http_fault_id: "http-fault-2", ends_at: "2026-04-01T00:03:00Z" },
    { http_fault_id: "http-fault-4", hits: 0, left: 2 },
  ]);
});

test("the simulated world and its report are the same with HTTP faults as without", async () => {
  const found = [];
  for (const faults of [[], [{ latency_ms: 1 }, { cut: "after" }]]) {
    for (const answer of faults) await begin({ api: "vpp-v1", method: "POST", next: 1 }, answer, { for: "PT1H" });
    await server.command("a");
    await server.session.advance(() => START_MS + 1_800_000);
    const folder = join(createTemporaryFolder("http-faults"), "report");
    await server.session.writeReport(folder);
    found.push({ report: reportBytes(folder), state: server.session.stateHash() });
    await server.session.reset();
  }
  expect(found[1]).toEqual(found[0]);
});
