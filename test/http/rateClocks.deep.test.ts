// What a 429 tells a client that waits, on each state of the clock (docs/model/apis.md#rate-headers).
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Session } from "../../src/live/session/session.ts";
import { ManualClock } from "../session/manualClock.ts";
import { END_MS } from "../session/tinyScenario.ts";
import { type LiveServer, startLiveServer } from "./liveServer.ts";

const CONTROL_LIMIT = 200;

let wall: ManualClock;
let server: LiveServer;
let session: Session;
let headers: Record<string, string>;
beforeEach(async () => {
  wall = new ManualClock();
  server = await startLiveServer({}, undefined, { wallClock: wall });
  session = server.session;
  headers = await server.signIn("east");
});
afterEach(() => server.close());

interface Limited {
  readonly status: number;
  readonly retryAfterS: number;
  readonly resetMs: number;
  readonly details: string;
}

/** A command that is refused and counts. */
async function command(): Promise<Limited> {
  const url = `${server.baseUrl}/v1/vpp/${server.idOf("east")}/control/active_power/schedules?schedule_id=none`;
  const answer = await fetch(url, { method: "DELETE", headers });
  const { error } = (await answer.json()) as { readonly error: Record<string, unknown> };
  const header = (name: string) => Number(answer.headers.get(name) ?? Number.NaN);
  if (answer.status === 429) {
    expect(error).toMatchObject({ limit: CONTROL_LIMIT, remaining: 0, retry_after: header("retry-after") });
    expect(header("x-ratelimit-reset-after")).toBe(error.retry_after);
    expect(Date.parse(String(error.reset_time)) / 1000).toBe(header("x-ratelimit-reset"));
  }
  return {
    status: answer.status,
    retryAfterS: header("retry-after"),
    resetMs: 1000 * header("x-ratelimit-reset"),
    details: String(error.details),
  };
}

async function send(count: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: count }, command));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
}

const advance = (ms: number) => session.advance((nowMs) => nowMs + ms);

test("a paused clock: the wait does not pass by itself, and an advance by it is enough", async () => {
  await advance(1_500);
  await send(CONTROL_LIMIT);
  const first = await command();
  expect(first).toMatchObject({ status: 429, retryAfterS: 3600 });
  expect(first.details).toContain("which is paused: it passes when the clock is advanced or resumed");
  await wall.advance(7_200_000);
  expect(await command()).toEqual(first);
  await advance(1000 * first.retryAfterS - 1);
  expect(await command()).toMatchObject({ status: 429, retryAfterS: 1 });
  await advance(1);
  expect((await command()).status).toBe(404);
});

test.each([0.1, 1, 60, 3600])(
  "a clock at speed %d: the real seconds of the details are enough, and not 0.2 s more than needed",
  async (speed) => {
    await session.resume(speed);
    await send(CONTROL_LIMIT / 2);
    await session.pause();
    await advance(2_000_000);
    await send(CONTROL_LIMIT / 2);
    await advance(1_580_000);
    await session.resume(speed);
    await wall.advance(3_333 / speed);
    const { status, retryAfterS, resetMs, details } = await command();
    expect(status).toBe(429);
    const realS = Number(/s are ([\d.]+) s of real time$/.exec(details)?.[1]);
    expect(details).toContain(`which runs at speed ${speed}: ${retryAfterS} s are`);
    expect(Math.abs(resetMs - session.nowMs - 1000 * retryAfterS)).toBeLessThan(1000);
    await wall.advance(1000 * (realS - 0.2) - 1000 / speed);
    expect((await command()).status).toBe(429);
    await wall.advance(200 + 1000 / speed);
    await send(CONTROL_LIMIT / 2);
    expect((await command()).status).toBe(429);
  },
);

test("a clock that runs as fast as it can has no real time to name", async () => {
  await send(CONTROL_LIMIT);
  wall.readCostMs = 1;
  await session.resume("max");
  expect((await command()).details).toContain("which runs as fast as it can");
});

test("a clock that has come to the scenario's end says that no wait helps", async () => {
  await session.advance(() => END_MS);
  await send(CONTROL_LIMIT);
  expect((await command()).details).toContain("the scenario's end: only a reset or restore admits further requests");
});

describe("a restore and a reset", () => {
  test("bring the counts of their instant back, and with them the wait", async () => {
    await send(CONTROL_LIMIT - 1);
    const { checkpointId } = await session.addCheckpoint(null);
    await advance(600_000);
    await send(1);
    expect(await command()).toMatchObject({ status: 429, retryAfterS: 3000 });
    await session.restore(checkpointId);
    await advance(3_000_000);
    await send(1);
    expect(await command()).toMatchObject({ status: 429, retryAfterS: 600 });
    await session.reset();
    await send(CONTROL_LIMIT);
    expect(await command()).toMatchObject({ status: 429, retryAfterS: 3600 });
  });
});

test("the token endpoint says the same, and its reset time is never early", async () => {
  await advance(500);
  const refresh = () =>
    fetch(`${server.authUrl}/auth/refresh`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.refreshTokenOf("plant")}` },
    });
  for (let k = 0; k < 20; k++)
    await Promise.all(Array.from({ length: 50 }, async () => expect((await refresh()).status).toBe(200)));
  const limited = await refresh();
  const { error } = (await limited.json()) as { readonly error: Record<string, unknown> };
  expect(error).toMatchObject({ limit: 1000, remaining: 0, retry_after: 3600 });
  expect(error.details).toContain("which is paused");
  await session.advance(() => Date.parse(String(error.reset_time)));
  expect((await refresh()).status).toBe(200);
});
