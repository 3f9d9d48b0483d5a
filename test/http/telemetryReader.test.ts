import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { buildFrame, TelemetryBudget } from "../../src/api/http/telemetry/telemetryBudget.ts";
import { TelemetryReader } from "../../src/api/http/telemetry/telemetryReader.ts";

interface Sent {
  readonly seq: number;
  readonly session?: string;
  readonly type: string;
  readonly data: unknown;
}

/** A connection that takes each message, until the test blocks it. */
function peer() {
  const sent: Sent[] = [];
  const closed: unknown[] = [];
  const socket = Object.assign(new EventEmitter(), {
    bufferedAmount: 0,
    send: (bytes: Buffer) => void sent.push(JSON.parse(String(bytes))),
    close: (code: number, reason: string) => void closed.push([code, reason]),
  });
  const stream = Object.assign(new PassThrough(), {});
  let isBlocked = false;
  Object.defineProperty(stream, "writableNeedDrain", { get: () => isBlocked });
  return {
    sent,
    closed,
    socket: socket as Partial<WebSocket> as WebSocket,
    stream,
    expiresMs: Number.POSITIVE_INFINITY,
    block() {
      isBlocked = true;
    },
    drain() {
      isBlocked = false;
      stream.emit("drain");
    },
  };
}

function openReader(queueBytesMax: number) {
  const budget = new TelemetryBudget();
  const reader = new TelemetryReader({ api: "vpp-v1", id: "x" }, { budget, queueBytesMax });
  const first = peer();
  reader.connect(first);
  return { reader, budget, first };
}

const AT = "2026-04-01T00:00:00Z";
const sendFrame = (reader: TelemetryReader, n: number) => reader.send(buildFrame("status", AT, JSON.stringify({ n })));
const seen = (sent: readonly Sent[]) => sent.map(({ seq, type, data }) => `${seq} ${type} ${JSON.stringify(data)}`);

describe("a slow reader", () => {
  test("loses messages beyond its queue, and receives their number and the following ones", () => {
    const { reader, first } = openReader(100);
    first.block();
    // Each frame has about 60 bytes: the second one exceeds the limit, the rest is dropped.
    for (let n = 1; n <= 5; n++) sendFrame(reader, n);
    expect(first.sent).toEqual([]);
    first.drain();
    expect(seen(first.sent)).toEqual(['1 status {"n":1}', '2 status {"n":2}', '3 gap {"dropped":3,"next_seq":6}']);
    sendFrame(reader, 6);
    expect(seen(first.sent).slice(3)).toEqual(['6 status {"n":6}']);
  });

  test("receives each gap, also where the message of one fills the queue again", () => {
    const { reader, first } = openReader(0);
    for (const n of [1, 2]) {
      first.block();
      sendFrame(reader, 2 * n);
      sendFrame(reader, 2 * n + 1);
      first.drain();
    }
    expect(seen(first.sent)).toEqual([
      '1 status {"n":2}',
      '2 gap {"dropped":1,"next_seq":3}',
      '3 status {"n":4}',
      '4 gap {"dropped":1,"next_seq":5}',
    ]);
  });

  test("restarts its numbers with each hello, which is never dropped", () => {
    const { reader, first } = openReader(0);
    first.block();
    for (let n = 1; n <= 3; n++) sendFrame(reader, n);
    reader.sendHello(buildFrame("hello", AT, "{}"));
    const earlier = reader.session;
    reader.sendHello(buildFrame("hello", AT, "{}"));
    first.drain();
    expect(seen(first.sent)).toEqual([
      '1 status {"n":1}',
      '2 gap {"dropped":2,"next_seq":4}',
      "1 hello {}",
      "1 hello {}",
    ]);
    expect(first.sent.slice(2).map(({ session }) => session)).toEqual([earlier, reader.session]);
  });
});

describe("a resumption", () => {
  test("sends the messages after the last number, over the new connection alone", () => {
    const { reader, first } = openReader(1_000);
    for (let n = 1; n <= 3; n++) sendFrame(reader, n);
    reader.disconnect(first.socket);
    sendFrame(reader, 4);
    const second = peer();
    expect(reader.resume(second, 2, AT)).toBe(true);
    sendFrame(reader, 5);
    expect(seen(second.sent)).toEqual(['3 status {"n":3}', '4 status {"n":4}', '5 status {"n":5}']);
    expect(first.sent.length).toBe(3);
  });

  test("sends a gap for messages no longer kept, before the first kept one", () => {
    const { reader, first } = openReader(1_000);
    for (let n = 1; n <= 4; n++) sendFrame(reader, n);
    reader.dropSent();
    reader.disconnect(first.socket);
    sendFrame(reader, 5);
    const second = peer();
    reader.resume(second, 1, AT);
    expect(seen(second.sent)).toEqual(['2 gap {"dropped":3,"next_seq":5}', '5 status {"n":5}']);
  });

  test("sends one gap where no message is kept, and the next number follows it", () => {
    const { reader, first } = openReader(1_000);
    for (let n = 1; n <= 4; n++) sendFrame(reader, n);
    reader.dropSent();
    reader.disconnect(first.socket);
    const second = peer();
    reader.resume(second, 0, AT);
    sendFrame(reader, 5);
    expect(seen(second.sent)).toEqual(['1 gap {"dropped":4,"next_seq":5}', '5 status {"n":5}']);
  });

  test("reports messages that were dropped before it, and not a gap that was received", () => {
    const { reader, first } = openReader(0);
    first.block();
    for (let n = 1; n <= 3; n++) sendFrame(reader, n);
    reader.disconnect(first.socket);
    const second = peer();
    expect(reader.resume(second, 0, AT)).toBe(true);
    expect(seen(second.sent)).toEqual(['1 status {"n":1}', '2 gap {"dropped":2,"next_seq":4}']);
    const third = peer();
    sendFrame(reader, 4);
    expect(reader.resume(third, 2, AT)).toBe(true);
    expect(seen(third.sent)).toEqual(['4 status {"n":4}']);
  });
});

describe("the memory of readers", () => {
  test("counts a shared frame once, and releases all of it", () => {
    const { reader, budget, first } = openReader(1e9);
    const other = new TelemetryReader({ api: "vpp-v1", id: "x" }, { budget, queueBytesMax: 1e9 });
    first.block();
    const frame = buildFrame("status", AT, JSON.stringify("x".repeat(1e6)));
    reader.send(frame);
    const single = budget.usedBytes;
    other.send(frame);
    expect(single).toBeGreaterThan(1e6);
    expect(budget.usedBytes - single).toBeLessThan(200);
    other.clear();
    expect(budget.usedBytes).toBe(single);
    reader.clear();
    expect(budget.usedBytes).toBe(0);
  });

  test("stays bounded over many messages", () => {
    const { reader, budget } = openReader(1e9);
    for (let n = 1; n <= 2_000; n++) reader.send(buildFrame("status", AT, JSON.stringify("x".repeat(2_000))));
    // The last 256 are kept.
    expect(budget.usedBytes).toBeGreaterThan(500_000);
    expect(budget.usedBytes).toBeLessThan(700_000);
  });
});
