import { afterEach, beforeEach, expect, test } from "vitest";
import { type ClientCheckName, clientRequestText } from "../../src/live/drill/clientChecks.ts";
import { ClientDrill } from "../../src/live/drill/clientDrill.ts";
import { type LiveServer, startLiveServer } from "../http/liveServer.ts";
import { calmServedScenario, START_MS } from "../session/tinyScenario.ts";

let live: LiveServer;
let drill: ClientDrill;
beforeEach(async () => {
  live = await startLiveServer({}, calmServedScenario());
  drill = new ClientDrill(START_MS);
  await drill.attach(live.session);
});
afterEach(() => live.close());

/** A client that has read the status; its second call will be limited. */
async function startClient() {
  const headers = await live.signIn("east");
  const url = `${live.baseUrl}/v1/vpp/${live.idOf("east")}`;
  const get = () => fetch(`${url}/status`, { headers: { ...headers, "x-request-id": "request-1" } });
  await get();
  const member_baselines = ["battery-1", "battery-2", "plant"].map((name) => ({
    ems_id: live.idOf(name),
    baseline_kw: name === "plant" ? 300 : 0,
  }));
  const body = JSON.stringify({ type: "immediate", delta_kw: -20, duration_minutes: 10, member_baselines });
  return {
    get,
    /** @returns the statuses of commands with these keys, sent in turn; `null`: the answer was lost */
    send: async (...keys: string[]): Promise<(number | null)[]> => {
      const statuses = [];
      for (const key of keys) {
        const more = { "content-type": "application/json", "idempotency-key": key };
        const request = { method: "POST", headers: { ...headers, ...more }, body };
        const answer = await fetch(`${url}/control/active_power`, request).catch(() => null);
        statuses.push(answer?.status ?? null);
      }
      return statuses;
    },
  };
}

const requestsOf = (check: ClientCheckName) =>
  drill
    .figures()
    .list.find(({ name }) => name === check)
    ?.requests.map((request) => clientRequestText(request, "en"));

/** Whether checks are passed. */
const passed = (...names: ClientCheckName[]) =>
  names.map((name) => drill.figures().list.find((check) => check.name === name)?.isPassed);
const commandChecks = () => passed("one_instruction", "same_key_after_lost_answer");

test("a command that comes again with its key, after a 429 and after a lost answer, is one instruction", async () => {
  const { send } = await startClient();
  expect(await send("a", "a", "a")).toEqual([429, null, 200]);
  expect(commandChecks()).toEqual([true, true]);
});

test("a command that came before the answer was lost does not repeat it", async () => {
  const { send } = await startClient();
  expect(await send("a", "a")).toEqual([429, null]);
  expect(commandChecks()).toEqual([true, false]);
});

test("a lost answer that is followed by a command with another key is two instructions", async () => {
  const { send } = await startClient();
  expect(await send("a", "a", "b")).toEqual([429, null, 200]);
  expect(commandChecks()).toEqual([false, false]);
});

test("a failed check names the requests that decided it, with their answers", async () => {
  const { send } = await startClient();
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
  const { get } = await startClient();
  const limited = await get();
  expect([limited.status, limited.headers.get("retry-after"), limited.headers.get("x-request-id")]).toEqual([
    429,
    "20",
    "request-1",
  ]);
  expect(rateHeadersOf(limited)).toEqual(["1000", "0", String(START_MS / 1000 + 20), "20"]);
  expect(await limited.json()).toEqual({
    vpp_id: live.idOf("east"),
    error: {
      code: 429,
      message: "Rate limit exceeded",
      details:
        "1000 requests per hour are used up; the hour is simulated time, which is paused: it passes when the clock is advanced or resumed",
      error_type: "rate_limit_exceeded",
      retry_after: 20,
      limit: 1000,
      remaining: 0,
      reset_time: "2026-04-01T00:00:20Z",
    },
    timestamp: "2026-04-01T00:00:00Z",
  });
  await live.session.advance(() => START_MS + 100_000);
  const expired = await get();
  expect([expired.status, expired.headers.get("x-request-id")]).toEqual([498, "request-1"]);
  expect(await expired.json()).toMatchObject({
    error: {
      code: 498,
      error_type: "token_expired",
      expires_at: "2026-04-01T00:01:40Z",
      required_action: "Call POST /auth/refresh for a new access token",
    },
  });
});

test("a new token after the 498 passes the check, a third call with the old one does not", async () => {
  const { get } = await startClient();
  await get();
  await live.session.advance(() => START_MS + 100_000);
  await get();
  expect(passed("new_token_after_498")).toEqual([false]);
  const { get: getAnew } = await startClient();
  expect((await getAnew()).status).toBe(200);
  expect(passed("signed_in", "new_token_after_498")).toEqual([true, true]);
  await get();
  await get();
  expect(passed("new_token_after_498")).toEqual([false]);
});
