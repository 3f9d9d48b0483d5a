import { describe, expect, test } from "vitest";
import { ApiError, ConnectionError } from "../../src/api/client/apiError.ts";
import { type ApiCall, type ClientOptions, Connection, RefreshError } from "../../src/api/client/connection.ts";

const ID = "a".repeat(32);

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const DOWN = "down";

/** A connection to a server with scripted replies, which records requests and delays. */
function scripted(replies: readonly (Reply | typeof DOWN)[], options: Partial<ClientOptions> = {}) {
  const requests: { readonly request: string; readonly authorization: string; readonly key: string | null }[] = [];
  const waits: number[] = [];
  let tokens = 0;
  let k = 0;
  const fakeFetch: typeof fetch = async (input, init) => {
    const { method, url, headers } = new Request(input, init);
    const { host, pathname, search } = new URL(url);
    if (host === "auth") return Response.json({ access_token: `t${++tokens}` });
    const authorization = headers.get("authorization") ?? "";
    requests.push({ request: `${method} ${pathname}${search}`, authorization, key: headers.get("idempotency-key") });
    const reply = replies[k++];
    if (reply === DOWN) throw new TypeError("fetch failed");
    return Response.json(reply.body ?? { done: k }, { status: reply.status, headers: reply.headers });
  };
  let keys = 0;
  const connection = new Connection(
    {
      baseUrl: "http://base",
      authUrl: "http://auth",
      id: ID,
      refreshToken: "r",
      fetch: fakeFetch,
      sleep: async (seconds) => void waits.push(seconds),
      newKey: () => `key-${++keys}`,
      ...options,
    },
    "/v1/vpp/",
  );
  return { connection, requests, waits };
}

const no = (status: number, rest: Record<string, unknown> = {}): Reply => ({
  status,
  body: { vpp_id: ID, error: { code: status, message: "No", ...rest }, timestamp: "2026-04-01T00:00:00Z" },
});
const READ: ApiCall = { method: "GET", path: "/status", isRepeatable: true };
const PLAIN: ApiCall = { method: "POST", path: "/members", body: {}, isRepeatable: false };
const KEYED: ApiCall = {
  method: "POST",
  path: "/control/active_power",
  body: {},
  isRepeatable: false,
  isIdempotent: true,
};
const OK: Reply = { status: 200 };

describe("a client", () => {
  test("obtains its token once, and calls paths below its id", async () => {
    const { connection, requests } = scripted([OK, OK]);
    await connection.call(READ);
    await connection.call({ ...READ, query: { a: "x y", b: true, c: undefined } });
    expect(requests).toEqual([
      { request: `GET /v1/vpp/${ID}/status`, authorization: "Bearer t1", key: null },
      { request: `GET /v1/vpp/${ID}/status?a=x+y&b=true`, authorization: "Bearer t1", key: null },
    ]);
  });

  test.each([401, 498])("obtains a new token after %i, once", async (status) => {
    const { connection, requests } = scripted([no(status), OK]);
    expect(await connection.call(READ)).toEqual({ done: 2 });
    expect(requests.map(({ authorization }) => authorization)).toEqual(["Bearer t1", "Bearer t2"]);
    const again = scripted([no(status), no(status), OK]);
    await expect(again.connection.call(READ)).rejects.toMatchObject({ status });
    expect(again.requests.length).toBe(2);
  });

  test("renews an expired token once for simultaneous calls", async () => {
    const { connection, requests } = scripted([no(498), no(498), no(498), OK, OK, OK]);
    await Promise.all([connection.call(READ), connection.call(READ), connection.call(READ)]);
    expect(requests.map(({ authorization }) => authorization)).toEqual([
      ...new Array<string>(3).fill("Bearer t1"),
      ...new Array<string>(3).fill("Bearer t2"),
    ]);
  });

  test("keeps a path prefix of the server", async () => {
    const { connection, requests } = scripted([OK], { baseUrl: "http://base/plants/", authUrl: "http://auth/tokens" });
    await connection.call(READ);
    expect(requests[0].request).toBe(`GET /plants/v1/vpp/${ID}/status`);
  });

  test("reports an unanswered request with address and reason", async () => {
    const hangs: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    const { connection } = scripted([], { fetch: hangs, timeoutSeconds: 0.02, attempts: 1 });
    await expect(connection.call(READ)).rejects.toThrow(/^POST \/auth\/refresh: no answer of http:\/\/auth: .*timeout/);
  });

  test.each<[string, ApiCall, readonly (Reply | typeof DOWN)[], readonly number[], number | "fails"]>([
    ["repeats a read when no answer comes", READ, [DOWN, DOWN, OK], [0.1, 0.2], 3],
    ["repeats a command with a key", KEYED, [DOWN, OK], [0.1], 2],
    ["does not repeat a command without one", PLAIN, [DOWN, OK], [], "fails"],
    ["gives up after four attempts", READ, [DOWN, DOWN, DOWN, DOWN, OK], [0.1, 0.2, 0.4], "fails"],
    ["repeats a read after a failure of the server", READ, [no(500), OK], [0.1], 2],
    ["does not repeat a command after one", PLAIN, [no(500), OK], [], "fails"],
    ["waits as long as a 429 says", PLAIN, [no(429, { retry_after: 7 }), OK], [7], 2],
    ["does not wait for an hour", PLAIN, [no(429, { retry_after: 3599 }), OK], [], "fails"],
    [
      "reads the header of a 429 without a number",
      READ,
      [{ ...no(429), headers: { "x-ratelimit-limit": "9", "x-ratelimit-reset-after": "5" } }, OK],
      [5],
      2,
    ],
    ["takes a 503 for an answer", KEYED, [no(503), OK], [], "fails"],
    ["waits where a 503 says how long", KEYED, [no(503, { retry_after: 2 }), OK], [2], 2],
    [
      "waits where the header of a 503 says how long",
      READ,
      [{ ...no(503), headers: { "retry-after": "3" } }, OK],
      [3],
      2,
    ],
    ["takes a 400 for an answer", READ, [no(400), OK], [], "fails"],
    ["takes a 409 for an answer", KEYED, [no(409), OK], [], "fails"],
  ])("%s", async (_, call, replies, waited, outcome) => {
    const { connection, requests, waits } = scripted(replies);
    const result = connection.call(call);
    if (outcome === "fails") await expect(result).rejects.toBeInstanceOf(Error);
    else expect(await result).toEqual({ done: outcome });
    expect(waits).toEqual(waited);
    const keys = new Set(requests.map(({ key }) => key));
    expect([...keys]).toEqual([call.isIdempotent === true ? "key-1" : null]);
  });

  test("uses the caller's key, or a new one for each command", async () => {
    const { connection, requests } = scripted([OK, OK, OK]);
    for (const idempotencyKey of ["mine", undefined, undefined]) await connection.call({ ...KEYED, idempotencyKey });
    expect(requests.map(({ key }) => key)).toEqual(["mine", "key-1", "key-2"]);
  });

  test("throws the API's error, and exposes the rate limit", async () => {
    const headers = {
      "x-ratelimit-limit": "200",
      "x-ratelimit-remaining": "3",
      "x-ratelimit-reset": "99",
      "x-ratelimit-reset-after": "9",
    };
    const rateLimit = { limit: 200, remaining: 3, reset: 99, resetAfterSeconds: 9 };
    const reply = { ...no(400, { error_type: "invalid_parameter", details: "d", parameter: "p" }), headers };
    const { connection } = scripted([reply]);
    const error = await connection.call(PLAIN).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, errorType: "invalid_parameter", error: { parameter: "p" }, rateLimit });
    expect((error as ApiError).message).toBe(`POST /v1/vpp/${ID}/members: 400 No: d`);
    expect(connection.rateLimit).toEqual(rateLimit);
  });

  test("distinguishes a refused refresh token from an expired access token, and requests a new one next time", async () => {
    let refreshes = 0;
    const fakeFetch: typeof fetch = async () => {
      refreshes++;
      return Response.json(no(401).body, { status: 401 });
    };
    const { connection } = scripted([], { fetch: fakeFetch });
    for (let k = 1; k <= 2; k++) {
      await expect(connection.call(READ)).rejects.toBeInstanceOf(RefreshError);
      expect(refreshes).toBe(k);
    }
  });

  test("reports an answer that does not come from the API", async () => {
    const { connection } = scripted([{ status: 502, body: {} }], { attempts: 1 });
    await expect(connection.call(READ)).rejects.toBeInstanceOf(ConnectionError);
  });
});
