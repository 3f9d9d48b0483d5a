import { afterEach, beforeEach, expect, test } from "vitest";
import { START_MS } from "../../session/tinyScenario.ts";
import { type ClientServer, startClientServer } from "./clientServer.ts";

let server: ClientServer;
beforeEach(async () => {
  server = await startClientServer();
  // What the set-up sent.
  await server.sandbox("/requests", undefined, "DELETE");
});
afterEach(() => server.close());

const requests = async (query = "") =>
  (await server.sandbox(`/requests${query}`)).body.requests as Record<string, unknown>[];
const seqs = async (query: string) => (await requests(query)).map(({ seq }) => seq);

test("the list of requests has what each client sent and received, without tokens and bodies", async () => {
  await server.session.advance(() => START_MS + 90_500);
  await server.command("key-1");
  await server.command("key-1");
  await server.sandbox("/clock");
  await server.vpp("/nowhere?a=1", { headers: { "x-request-id": "r-1" } });
  await server.sandbox("/http-faults", { match: { next: 1 }, answer: { cut: "after" } });
  await server.vpp("/status");
  const id = server.idOf("east");
  const control = `/v1/vpp/${id}/control/active_power`;
  const common = {
    at: "2026-04-01T00:01:30Z",
    received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    duration_ms: expect.any(Number),
    api: "vpp-v1",
    error_type: null,
    idempotency_key: null,
    replayed: false,
    request_id: null,
    http_fault_id: null,
  };
  const command = { ...common, method: "POST", path: control, status: 200, idempotency_key: "key-1" };
  const { body } = await server.sandbox("/requests");
  expect(body).toEqual({
    requests: [
      { ...command, seq: 2, route: "/v1/vpp/{vpp_id}/control/active_power" },
      { ...command, seq: 3, route: "/v1/vpp/{vpp_id}/control/active_power", replayed: true },
      {
        ...common,
        seq: 4,
        method: "GET",
        path: `/v1/vpp/${id}/nowhere?a=1`,
        route: null,
        status: 404,
        error_type: "endpoint_not_found",
        request_id: "r-1",
      },
      {
        ...common,
        seq: 5,
        method: "GET",
        path: `/v1/vpp/${id}/status`,
        route: "/v1/vpp/{vpp_id}/status",
        status: null,
        http_fault_id: "http-fault-1",
      },
    ],
    last_seq: 5,
    dropped: 0,
  });
  expect(JSON.stringify(body)).not.toMatch(/bearer|delta_kw/i);
});

test("the list selects by each of its filters, and goes on after a number", async () => {
  await server.command("a");
  await server.vpp("/status");
  await server.vpp("/members");
  await server.signIn("east");
  await fetch(`${server.baseUrl}/v2/ems/${server.idOf("plant")}/status`);
  expect(await seqs("")).toEqual([2, 3, 4, 5, 6]);
  expect(await seqs("?after=3&limit=2")).toEqual([4, 5]);
  expect(await seqs("?api=auth")).toEqual([5]);
  expect(await seqs("?method=POST")).toEqual([2, 5]);
  expect(await seqs(`?route=${encodeURIComponent("/v1/vpp/{vpp_id}/members")}`)).toEqual([4]);
  expect(await seqs("?status=401")).toEqual([6]);
  expect(await seqs("?idempotency_key=a")).toEqual([2]);
  expect(await seqs("?path=/v2/ems")).toEqual([6]);
  for (const query of ["?limit=2001", "?status=ok", "?api=sandbox", "?verb=GET"])
    expect((await server.sandbox(`/requests${query}`)).status).toBe(400);
});

test("the list keeps the latest ten thousand requests, and its numbers go on after a deletion", async () => {
  const { requestLog } = server.session;
  const entry = { atMs: 0, receivedMs: 0, api: "vpp-v1", method: "GET", path: "/", route: null, status: 200 } as const;
  const rest = { isAnswerLost: false, errorType: null, durationMs: 0, idempotencyKey: null, isReplayed: false };
  for (let k = 0; k < 10_500; k++) requestLog.add({ ...entry, ...rest, requestId: null, httpFaultId: null });
  const { body } = await server.sandbox("/requests?limit=1");
  expect(body).toMatchObject({ requests: [{ seq: 502 }], last_seq: 10_501, dropped: 500 });
  expect((await server.sandbox("/requests", undefined, "DELETE")).status).toBe(204);
  await server.vpp("/status");
  expect((await server.sandbox("/requests")).body).toMatchObject({
    requests: [{ seq: 10_502 }],
    last_seq: 10_502,
    dropped: 0,
  });
});
