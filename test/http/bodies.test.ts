import { describe, expect, test } from "vitest";
import { AccessTokens } from "../../src/api/http/auth/accessTokens.ts";
import { RecoveredCommandState } from "../../src/api/http/recoveredCommandState.ts";
import { turns } from "../turns.ts";
import { FakeHost, fakeServers, ROUTE_TABLES, START_MS, TOKEN_KEY, VPP } from "./fakeHost.ts";
import { startLiveServer } from "./liveServer.ts";

const authorization = `Bearer ${new AccessTokens(TOKEN_KEY).issue({ kind: "vpp", id: VPP }, START_MS).token}`;
const JSON_TYPE = "application/json; charset=utf-8";
const CONTROL = `/v1/vpp/${VPP}/control/active_power`;

describe("a body", () => {
  test.each<[string, string | Buffer, string, number]>([
    ["cut off", '{"a":', JSON_TYPE, 400],
    ["of two values", "{}{}", JSON_TYPE, 400],
    ["of no value", "nothing", JSON_TYPE, 400],
    ["with a trailing comma", '{"a":1,}', JSON_TYPE, 400],
    ["of 33 levels", "[".repeat(33) + "]".repeat(33), JSON_TYPE, 400],
    ["of half a million levels", "[".repeat(500_000) + "]".repeat(500_000), JSON_TYPE, 400],
    ["that reaches for prototypes", '{"__proto__":{"admin":true}}', JSON_TYPE, 400],
    ["that reaches for prototypes in disguise", '{"\\u005f_proto__":1}', JSON_TYPE, 400],
    ["that reaches for constructors", '{"constructor":{"prototype":{}}}', JSON_TYPE, 400],
    ["in UTF-16", Buffer.from("\uFEFF{}", "utf16le"), JSON_TYPE, 400],
    ["above 1 MiB", `"${"x".repeat(1_048_576)}"`, JSON_TYPE, 413],
    ["of plain text", "{}", "text/plain", 415],
    ["of a form", "a=1", "application/x-www-form-urlencoded", 415],
    ["of no type", "{}", "", 415],
    ["of a garbled type", "{}", "application/json2;;", 415],
  ])("%s is refused in the envelope", async (_, payload, type, status) => {
    const host = new FakeHost();
    const { base } = fakeServers(host);
    const headers = { authorization, "content-type": type, "x-request-id": "b" };
    const answer = await base.inject({ method: "POST", url: CONTROL, headers, payload });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ vpp_id: VPP, error: { code: status }, timestamp: "2026-04-01T00:00:00Z" });
    expect(answer.headers).toMatchObject({
      "content-type": JSON_TYPE,
      "x-ratelimit-remaining": "199",
      "x-request-id": "b",
    });
    expect(host.requests).toEqual([]);
  });

  test("with a text of a megabyte is refused without repeating it whole", async () => {
    const live = await startLiveServer();
    const headers = { ...(await live.signIn("east")), "content-type": "application/json" };
    const url = `${live.baseUrl}/v1/vpp/${live.idOf("east")}/control/active_power`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify({ type: "x".repeat(1_000_000) }) });
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: { received_value: string } };
    expect(error.received_value).toBe(`${"x".repeat(1_000)}…`);
    await live.close();
  });

  test.each([
    ["of exactly 32 levels", "[".repeat(32) + "]".repeat(32), "application/json"],
    ["with a key twice in one object, of which the last one counts", '{"a":1,"a":2}', "application/json"],
    ["of another charset's name", '{"a":"é"}', "application/json;charset=UTF-8"],
    ["of 1 MiB", `"${"x".repeat(1_048_574)}"`, JSON_TYPE],
  ])("%s is accepted unchanged", async (_, payload, type) => {
    const host = new FakeHost();
    const { base } = fakeServers(host);
    const answer = await base.inject({
      method: "POST",
      url: CONTROL,
      headers: { authorization, "content-type": type },
      payload,
    });
    expect(answer.statusCode).toBe(200);
    expect(host.requests[0].request.body).toEqual(JSON.parse(payload));
  });

  test.each(["POST", "DELETE"] as const)("may be left out by %s, with a type or without", async (method) => {
    const host = new FakeHost();
    const { base } = fakeServers(host);
    const url = method === "POST" ? CONTROL : `${CONTROL}/schedules?schedule_id=5`;
    for (const type of [{}, { "content-type": JSON_TYPE }])
      expect((await base.inject({ method, url, headers: { authorization, ...type } })).statusCode).toBe(200);
    expect(host.requests.map(({ request }) => request.body)).toEqual([undefined, undefined]);
  });
});

describe("a call", () => {
  test("reaches the session with path, query and body", async () => {
    const host = new FakeHost();
    const { base } = fakeServers(host);
    const headers = { authorization };
    await base.inject({
      method: "POST",
      url: `/v1/vpp/${VPP}/members/${"e".repeat(32)}?a=1&b=x%20y`,
      headers,
      payload: { c: 3 },
    });
    expect(host.requests[0].request).toEqual({
      api: "vpp-v1",
      id: VPP,
      method: "POST",
      path: `/members/${"e".repeat(32)}`,
      query: { a: "1", b: "x y" },
      body: { c: 3 },
    });
  });

  test.each([
    ['{"delta_kw":1e999}', 400],
    ['{"members":[{"baseline_kw":-1E+400}]}', 400],
    [`{"delta_kw":1${"0".repeat(309)}}`, 400],
    ['{"delta_kw":1e300,"label":"1e999"}', 200],
  ])("with the body %s answers %i: a body that the journal cannot represent is refused", async (payload, status) => {
    const { base } = fakeServers(new FakeHost());
    const headers = { authorization, "content-type": JSON_TYPE };
    const answer = await base.inject({ method: "POST", url: CONTROL, headers, payload });
    expect(answer.statusCode).toBe(status);
  });

  test("with a query parameter given twice is refused", async () => {
    const host = new FakeHost();
    const { base } = fakeServers(host);
    const answer = await base.inject({ url: `/v1/vpp/${VPP}/status?a=1&a=2`, headers: { authorization } });
    expect(answer.json()).toMatchObject({ error: { code: 400, parameter: "a", received_value: ["1", "2"] } });
    expect(host.requests).toEqual([]);
  });

  test("whose answer is long comes in pieces", async () => {
    const host = new FakeHost();
    host.answerOf = () => ({ status: 200, body: null, stream: ['{"data":[', "1,", "2", "]}"] });
    const { base } = fakeServers(host);
    const answer = await base.inject({ url: `/v1/vpp/${VPP}/status`, headers: { authorization } });
    expect([answer.body, answer.headers["content-type"]]).toEqual(['{"data":[1,2]}', JSON_TYPE]);
  });

  test("at which the server fails is answered in the envelope, without the reason", async () => {
    const host = new FakeHost();
    host.answerOf = () => {
      throw new Error("secret");
    };
    const { base } = fakeServers(host);
    const answer = await base.inject({ url: `/v1/vpp/${VPP}/status`, headers: { authorization } });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ vpp_id: VPP, error: { code: 500 } });
    expect(answer.body).not.toMatch("secret");
    expect(answer.headers["x-ratelimit-remaining"]).toBe("999");
  });

  test("of an unknown path is answered without an id", async () => {
    const { base } = fakeServers(new FakeHost());
    for (const url of ["/", "/v1/vpp", "/v3/ems/x/status", "/%zz"]) {
      const answer = await base.inject({ url });
      expect([404, 400]).toContain(answer.statusCode);
      expect(answer.headers["content-type"]).toBe(JSON_TYPE);
      expect(Object.keys(answer.json())).toEqual(["error", "timestamp"]);
    }
  });
});

describe("an Idempotency-Key (docs/model/apis.md#idempotency)", () => {
  const post = (base: ReturnType<typeof fakeServers>["base"], key: string, payload: object) =>
    base.inject({ method: "POST", url: CONTROL, headers: { authorization, "idempotency-key": key }, payload });

  test("makes a retry that overtakes its first request wait", async () => {
    const host = new FakeHost();
    const { base } = fakeServers(host);
    let finish = () => {};
    host.answerOf = () =>
      new Promise((resolve) => {
        finish = () => resolve({ status: 200, body: { done: host.requests.length } });
      });
    const answers = [post(base, "k", {}), post(base, "k", {}), post(base, "k", { other: 1 })];
    await turns();
    finish();
    const found = await Promise.all(answers);
    expect(found.map(({ statusCode }) => statusCode)).toEqual([200, 200, 409]);
    expect(found[1].json()).toEqual({ done: 1 });
    expect(found.map(({ headers }) => headers["idempotency-replayed"])).toEqual([undefined, "true", undefined]);
    expect(host.requests.length).toBe(1);
  });

  test("is dropped with the branch of its command, whenever the answer is sent", async () => {
    const host = new FakeHost();
    const { base } = fakeServers(host);
    let isOnDisk = () => {};
    host.answerOf = ({ body }) => ({ status: 200, body: { given: body } });
    const { answer } = host;
    host.answer = (request, keyed) => {
      const found = answer.call(host, request, keyed);
      return new Promise((resolve) => {
        isOnDisk = () => resolve(found);
      });
    };
    const first = post(base, "k", { a: 1 });
    while (host.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    // A reset has the turn after the command's, while the command still waits for the disk.
    for (const part of host.rewindables) part.restore(undefined);
    isOnDisk();
    expect((await first).json()).toEqual({ given: { a: 1 } });
    host.answer = answer;
    expect((await post(base, "k", { a: 2 })).json()).toEqual({ given: { a: 2 } });
  });

  test("is restored with a checkpoint, and so are the rate limits", async () => {
    const host = new FakeHost();
    const { base } = fakeServers(host);
    const kept = host.rewindables.map((part) => structuredClone(part.save()));
    expect(host.rewindables.map(({ name }) => name)).toEqual(["rate_limits", "auth_rate_limits", "idempotency"]);
    await post(base, "k", { a: 1 });
    host.rewindables.forEach((part, k) => part.restore(kept[k]));
    const again = await post(base, "k", { a: 2 });
    expect([again.statusCode, again.headers["x-ratelimit-remaining"]]).toEqual([200, "199"]);
  });
});

test("a journal restores answers by their keys, and the rate limits of the last hour", async () => {
  const host = new FakeHost();
  const servers = fakeServers(host, { routes: ROUTE_TABLES });
  const call = { api: "vpp-v1", id: VPP, method: "POST", query: {} } as const;
  const control = { ...call, path: "/control/active_power", body: { a: 1 } };
  const member = { ...call, path: "/members", body: {} };
  const answer = { status: 200, body: { given: "before the crash" } };
  const minutesAgo = (minutes: number) => START_MS - 60_000 * minutes;
  const recovered = new RecoveredCommandState();
  for (const command of [
    { atMs: minutesAgo(61), request: member, idempotencyKey: null, answer },
    { atMs: minutesAgo(59), request: control, idempotencyKey: "k", answer },
    { atMs: minutesAgo(10), request: member, idempotencyKey: null, answer: { status: 400, body: {} } },
  ])
    recovered.add(command);
  recovered.restoreTo(servers);
  const headers = { authorization, "idempotency-key": "k" };
  const again = await servers.base.inject({ method: "POST", url: CONTROL, headers, payload: { a: 1 } });
  expect(again.json()).toEqual(answer.body);
  // Two commands of the last hour and this one.
  expect(again.headers["x-ratelimit-remaining"]).toBe("197");
  const read = await servers.base.inject({ url: `/v1/vpp/${VPP}/status`, headers: { authorization } });
  expect(read.headers["x-ratelimit-remaining"]).toBe("999");
  expect(host.requests.map(({ request }) => request.path)).toEqual(["/status"]);
});
