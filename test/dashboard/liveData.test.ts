import { describe, expect, test } from "vitest";
import type { ClockRecord, SandboxEvent } from "../../src/client/sandboxTypes.ts";
import { connectionState } from "../../src/dashboard/data/connection.ts";
import { EVENTS_HELD_MAX, EventLog } from "../../src/dashboard/data/eventLog.ts";
import { SandboxCalls } from "../../src/dashboard/data/sandboxCalls.ts";
import { TelemetryLink } from "../../src/dashboard/data/telemetryLink.ts";
import { turns } from "../turns.ts";

const eventOf = (seq: number): SandboxEvent => ({
  seq,
  at: "2026-01-01T00:00:00Z",
  kind: "clock",
  site: null,
  award_id: null,
  text: `event ${seq}`,
  data: {},
});

describe("the log of events", () => {
  test("reads 1,200 events in pages without a gap, then only what is new, then nothing", async () => {
    const all = Array.from({ length: 1_200 }, (_, k) => eventOf(k + 1));
    const requests: number[] = [];
    const log = new EventLog(async (after, limit) => {
      requests.push(after);
      return { events: all.filter(({ seq }) => seq > after).slice(0, limit), last_seq: all.length };
    });
    expect((await log.load()).map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq));
    expect(requests).toEqual([0, 500, 1_000]);
    all.push(eventOf(1_201));
    const later = await log.load();
    expect(later.at(-1)?.seq).toBe(1_201);
    expect(await log.load()).toBe(later);
  });

  test("holds the latest events of a long session alone", async () => {
    const all = Array.from({ length: EVENTS_HELD_MAX + 700 }, (_, k) => eventOf(k + 1));
    const log = new EventLog(async (after, limit) => ({
      events: all.slice(after, after + limit),
      last_seq: all.length,
    }));
    let events = await log.load();
    while (events.at(-1)?.seq !== all.length) events = await log.load();
    expect(events.map(({ seq }) => seq)).toEqual(all.slice(-EVENTS_HELD_MAX).map(({ seq }) => seq));
  });

  test("has no gap when it is cleared while a page is on its way", async () => {
    const all = Array.from({ length: 1_200 }, (_, k) => eventOf(k + 1));
    const log = new EventLog(async (after, limit) => {
      if (after === 500 && !isCleared) {
        isCleared = true;
        log.clear();
      }
      return { events: all.slice(after, after + limit), last_seq: all.length };
    });
    let isCleared = false;
    expect((await log.load()).map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq));
    expect(isCleared).toBe(true);
  });

  test("begins anew when the session went back in time", async () => {
    let all = [1, 2, 3].map(eventOf);
    const log = new EventLog(async (after) => ({
      events: all.filter(({ seq }) => seq > after),
      last_seq: all.length,
    }));
    await log.load();
    all = [eventOf(1)];
    expect((await log.load()).map(({ seq }) => seq)).toEqual([1]);
  });
});

/** A socket whose server is the test. */
class TestSocket {
  readonly url: string;
  readonly sent: string[] = [];
  onopen: () => void = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (event: { code: number }) => void = () => {};

  constructor(url: string) {
    this.url = url;
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {}

  receive(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

describe("the telemetry link", () => {
  const open = async () => {
    const sockets: TestSocket[] = [];
    let renewals = 0;
    const link = new TelemetryLink({
      url: "ws://h/v1/vpp/1/telemetry",
      accessToken: async () => "token",
      renewToken: async () => void renewals++,
      onMessage: () => {},
      onReconnect: () => {},
      open: (url) => {
        const socket = new TestSocket(url);
        sockets.push(socket);
        return socket as unknown as WebSocket;
      },
    });
    await turns(3);
    return { link, sockets, renewals: () => renewals };
  };

  test("resumes after its last number, and counts what the server no longer has", async () => {
    const { link, sockets } = await open();
    const [first] = sockets;
    first.onopen();
    first.receive({ seq: 1, type: "hello", session: "abc" });
    first.receive({ seq: 2, type: "clock" });
    first.onclose({ code: 1006 });
    expect(link.state.get().isOpen).toBe(false);
    await expect.poll(() => sockets.length).toBe(2);
    const [, second] = sockets;
    expect(second.url).toBe("ws://h/v1/vpp/1/telemetry?session=abc&last_seq=2");
    second.onopen();
    second.receive({ seq: 3, type: "gap", data: { dropped: 2, next_seq: 5 } });
    second.receive({ seq: 5, type: "clock" });
    expect(link.state.get()).toEqual({ isOpen: true, lastSeq: 5, missed: 2, reconnects: 1 });
    link.close();
  });

  test("gets another token when the server says that it expired", async () => {
    const { link, sockets, renewals } = await open();
    sockets[0].onclose({ code: 4498 });
    await expect.poll(() => sockets.length).toBe(2);
    expect(renewals()).toBe(1);
    link.close();
  });
});

describe("the state of the connection", () => {
  const clock: ClockRecord = {
    now: "2026-01-01T00:00:00Z",
    mode: "running",
    speed: 10,
    achieved_speed: 10,
    lag_seconds: 0,
    scenario_end: "2026-01-02T00:00:00Z",
  };
  test.each([
    [clock, null, "running"],
    [{ ...clock, mode: "paused" as const }, null, "frozen"],
    [{ ...clock, lag_seconds: 31 }, null, "lagging"],
    [{ ...clock, lag_seconds: 29 }, null, "running"],
    [{ ...clock, speed: "max" as const, lag_seconds: 9_000 }, null, "running"],
    [clock, new Error("no answer"), "disconnected"],
    [null, null, "connecting"],
  ])("is worked out from %o", (value, error, state) =>
    expect(connectionState({ value, error, receivedAtMs: null })).toBe(state),
  );
});

test("a read of values has a time limit, a document that the server computes first has none", async () => {
  const limited: boolean[] = [];
  const calls = new SandboxCalls("http://h", null, async (_url, init) => {
    limited.push(init?.signal instanceof AbortSignal);
    return new Response("{}");
  });
  await calls.get("/sandbox/clock");
  await calls.text("/sandbox/debriefing");
  await calls.post("/sandbox/clock/advance");
  expect(limited).toEqual([true, false, false]);
});
