import { describe, expect, test } from "vitest";
import type { ClockRecord, SandboxEvent } from "../../src/api/client/sandboxTypes.ts";
import { connectionState } from "../../src/dashboard/data/connection.ts";
import { EventLog, HISTORY_EVENTS_MAX, RECENT_EVENTS_MAX } from "../../src/dashboard/data/eventLog.ts";
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

/** A server with these events, and the numbers after which events were requested. */
function logOf(all: () => readonly SandboxEvent[], options: { readonly onRequest?: (after: number) => void } = {}) {
  const requests: number[] = [];
  const log: EventLog = new EventLog(async (after, limit) => {
    requests.push(after);
    options.onRequest?.(after);
    const found = all();
    return { events: found.filter(({ seq }) => seq > after).slice(0, limit), last_seq: found.at(-1)?.seq ?? 0 };
  });
  return { log, requests };
}

const eventsFrom = (first: number, last: number): SandboxEvent[] =>
  Array.from({ length: last - first + 1 }, (_, k) => eventOf(first + k));
const seqsOf = (events: readonly SandboxEvent[]): number[] => events.map(({ seq }) => seq);

describe("the log of events", () => {
  test("holds only the latest events while the history is closed, in a session of any length", async () => {
    const all = eventsFrom(1, 1_200);
    const { log, requests } = logOf(() => all);
    expect(seqsOf(await log.load())).toEqual(seqsOf(all.slice(-RECENT_EVENTS_MAX)));
    expect(requests).toEqual([0, 1_200 - RECENT_EVENTS_MAX]);
    all.push(...eventsFrom(1_201, 2_700));
    expect(seqsOf(await log.load())).toEqual(seqsOf(all.slice(-RECENT_EVENTS_MAX)));
    const later = await log.load();
    expect(await log.load()).toBe(later);
  });

  test("reads the history in pages without a gap while it is open, and drops it afterwards", async () => {
    const all = eventsFrom(1, 1_200);
    const { log, requests } = logOf(() => all);
    await log.load();
    const release = log.holdHistory();
    expect(log.lacksHistory).toBe(true);
    expect(seqsOf(await log.load())).toEqual(seqsOf(all));
    expect(log.lacksHistory).toBe(false);
    expect(requests).toEqual([0, 1_000, 1_200, 500, 0]);
    all.push(eventOf(1_201));
    expect((await log.load()).length).toBe(1_201);
    release();
    expect((await log.load()).length).toBe(RECENT_EVENTS_MAX);
  });

  test("holds no more of a long history than its limit", async () => {
    const all = eventsFrom(1, HISTORY_EVENTS_MAX + 700);
    const { log } = logOf(() => all);
    log.holdHistory();
    let events = await log.load();
    while (log.lacksHistory) events = await log.load();
    expect(seqsOf(events)).toEqual(seqsOf(all.slice(-HISTORY_EVENTS_MAX)));
  });

  test("ends with the first event that the server still has", async () => {
    const all = eventsFrom(301, 1_200);
    const { log } = logOf(() => all);
    log.holdHistory();
    expect(seqsOf(await log.load())).toEqual(seqsOf(all));
    expect(log.lacksHistory).toBe(false);
  });

  test("has no gap when it is cleared while a page is on its way", async () => {
    const all = eventsFrom(1, 1_200);
    let isCleared = false;
    const { log } = logOf(() => all, {
      onRequest: (after) => {
        if (after !== 500 || isCleared) return;
        isCleared = true;
        log.clear();
      },
    });
    log.holdHistory();
    let events = await log.load();
    while (log.lacksHistory || events.length === 0) events = await log.load();
    expect(seqsOf(events)).toEqual(seqsOf(all));
    expect(isCleared).toBe(true);
  });

  test("begins anew when the session goes back in time", async () => {
    let all = eventsFrom(1, 3);
    const { log } = logOf(() => all);
    await log.load();
    all = [eventOf(1)];
    expect(seqsOf(await log.load())).toEqual([1]);
    all = [];
    expect(await log.load()).toEqual([]);
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
  ])("is derived from %o", (value, error, state) => expect(connectionState({ value, error })).toBe(state));
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
