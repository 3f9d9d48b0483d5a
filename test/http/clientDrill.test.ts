import Fastify from "fastify";
import { afterEach, expect, test } from "vitest";
import { ClientDrill } from "../../src/api/http/clientDrill.ts";
import { type ClientCheckName, clientRequestText } from "../../src/live/drill/clientChecks.ts";

const VPP = "/v1/vpp/0123456789abcdef0123456789abcdef";
const servers: ReturnType<typeof Fastify>[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** The drill on a server that accepts every command. A client has read the status; its second call will be limited. */
async function startDrill() {
  const [base, auth] = [Fastify(), Fastify()];
  servers.push(base, auth);
  const drill = new ClientDrill(0);
  const clock = {
    now: "1970-01-01T00:00:00Z",
    mode: "running",
    speed: 10,
    achieved_speed: 10,
    lag_seconds: 0,
  } as const;
  const session = { nowMs: 0, clock: () => ({ ...clock, scenario_end: "1970-01-02T00:00:00Z" }) };
  drill.attach({ base, auth }, session);
  base.get(`${VPP}/status`, () => ({}));
  base.post(`${VPP}/control/active_power`, () => ({}));
  const url = await base.listen({ port: 0, host: "127.0.0.1" });
  await fetch(`${url}${VPP}/status`);
  return {
    url,
    session,
    /** @returns the statuses of commands with these keys, sent in turn; `null`: the answer was lost */
    send: async (...keys: string[]): Promise<(number | null)[]> => {
      const statuses = [];
      for (const key of keys) {
        const request = { method: "POST", headers: { "idempotency-key": key } };
        const answer = await fetch(`${url}${VPP}/control/active_power`, request).catch(() => null);
        statuses.push(answer?.status ?? null);
      }
      return statuses;
    },
    requestsOf: (check: ClientCheckName) =>
      drill
        .figures()
        .list.find(({ name }) => name === check)
        ?.requests.map((request) => clientRequestText(request, "en")),
    /** @returns whether the checks of commands are passed */
    checks: () =>
      ["one_instruction", "same_key_after_lost_answer"].map(
        (check) => drill.figures().list.find(({ name }) => name === check)?.isPassed,
      ),
  };
}

test("a command that comes again with its key, after a 429 and after a lost answer, is one instruction", async () => {
  const { send, checks } = await startDrill();
  expect(await send("a", "a", "a")).toEqual([429, null, 200]);
  expect(checks()).toEqual([true, true]);
});

test("a command that came before the answer was lost does not repeat it", async () => {
  const { send, checks } = await startDrill();
  expect(await send("a", "a")).toEqual([429, null]);
  expect(checks()).toEqual([true, false]);
});

test("a lost answer that is followed by a command with another key is two instructions", async () => {
  const { send, checks } = await startDrill();
  expect(await send("a", "a", "b")).toEqual([429, null, 200]);
  expect(checks()).toEqual([false, false]);
});

test("a failed check names the requests that decided it, with their answers", async () => {
  const { send, requestsOf } = await startDrill();
  await send("a", "a", "b");
  const command = "POST /v1/vpp/{id}/control/active_power";
  expect(requestsOf("same_key_after_lost_answer")).toEqual([
    `${command}: no answer, Idempotency-Key a`,
    `${command}: 200, Idempotency-Key b`,
  ]);
  expect(requestsOf("waited_after_429")).toEqual([`${command}: 429`, `${command}: no answer, 0 s after the 429`]);
  expect(requestsOf("resumed_telemetry")).toEqual([]);
});

const rateHeadersOf = ({ headers }: Response) =>
  ["limit", "remaining", "reset", "reset-after"].map((name) => headers.get(`x-ratelimit-${name}`));

test("its 429 and its 498 have the headers and the fields that the document gives them", async () => {
  const { url, session } = await startDrill();
  const get = () =>
    fetch(`${url}${VPP}/status`, { headers: { authorization: "Bearer one", "x-request-id": "request-1" } });
  const limited = await get();
  expect([limited.status, limited.headers.get("retry-after"), limited.headers.get("x-request-id")]).toEqual([
    429,
    "20",
    "request-1",
  ]);
  expect(rateHeadersOf(limited)).toEqual(["1000", "0", "20", "20"]);
  expect(await limited.json()).toEqual({
    vpp_id: VPP.slice(-32),
    error: {
      code: 429,
      message: "Rate limit exceeded",
      details:
        "1000 requests per hour are used up; the hour is simulated time, which runs at speed 10: 20 s are 2 s of real time",
      error_type: "rate_limit_exceeded",
      retry_after: 20,
      limit: 1000,
      remaining: 0,
      reset_time: "1970-01-01T00:00:20Z",
    },
    timestamp: "1970-01-01T00:00:00Z",
  });
  session.nowMs = 100_000;
  const expired = await get();
  expect([expired.status, expired.headers.get("x-request-id")]).toEqual([498, "request-1"]);
  expect(rateHeadersOf(expired)).toEqual(["1000", "1000", "100", "0"]);
  expect(await expired.json()).toMatchObject({
    error: {
      code: 498,
      error_type: "token_expired",
      expires_at: "1970-01-01T00:01:40Z",
      required_action: "Call POST /auth/refresh for a new access token",
    },
  });
});
