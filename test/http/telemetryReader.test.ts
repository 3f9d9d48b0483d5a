import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { frameTail, TelemetryReader } from "../../src/http/telemetry/telemetryReader.ts";

/** A connection whose peer accepts only as much as the test allows. */
function slowPeer(queueMax: number) {
  const sent: { readonly seq: number; readonly type: string; readonly data: unknown }[] = [];
  const socket = Object.assign(new EventEmitter(), {
    bufferedAmount: 0,
    send(text: string) {
      sent.push(JSON.parse(text));
      socket.bufferedAmount += text.length;
    },
  });
  const stream = new PassThrough();
  const reader = new TelemetryReader(
    { api: "vpp-v1", id: "x", expiresMs: Number.POSITIVE_INFINITY },
    socket as Partial<WebSocket> as WebSocket,
    stream,
    queueMax,
  );
  const drain = () => {
    socket.bufferedAmount = 0;
    stream.emit("drain");
  };
  return { reader, sent, drain };
}

const AT = "2026-04-01T00:00:00Z";
const sendFrame = (reader: TelemetryReader, n: number) =>
  reader.send(frameTail("status", AT, JSON.stringify({ n })), AT);
const seen = (sent: readonly { seq: number; type: string; data: unknown }[]) =>
  sent.map(({ seq, type, data }) => `${seq} ${type} ${JSON.stringify(data)}`);

describe("a slow reader", () => {
  test("loses what does not fit, and receives how much that was and what follows", () => {
    const { reader, sent, drain } = slowPeer(100);
    // Each frame has about 70 bytes: the second one exceeds the limit, the rest is dropped.
    for (let n = 1; n <= 5; n++) sendFrame(reader, n);
    expect(seen(sent)).toEqual(['1 status {"n":1}', '2 status {"n":2}']);
    drain();
    expect(seen(sent).slice(2)).toEqual(['3 gap {"dropped":3,"next_seq":6}']);
    sendFrame(reader, 6);
    expect(seen(sent).slice(3)).toEqual(['6 status {"n":6}']);
  });

  test("receives each gap, also where the message of one fills the queue again", () => {
    const { reader, sent, drain } = slowPeer(0);
    sendFrame(reader, 1);
    sendFrame(reader, 2);
    drain();
    expect(seen(sent)).toEqual(['1 status {"n":1}', '2 gap {"dropped":1,"next_seq":3}']);
    // The gap message fills the queue again.
    sendFrame(reader, 3);
    drain();
    expect(seen(sent).slice(2)).toEqual(['3 gap {"dropped":1,"next_seq":4}']);
  });

  test("that keeps up has every message, with numbers without holes", () => {
    const { reader, sent, drain } = slowPeer(100);
    for (let n = 1; n <= 50; n++) {
      sendFrame(reader, n);
      drain();
    }
    expect(sent.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, k) => k + 1));
    expect(sent.every(({ type }) => type === "status")).toBe(true);
  });

  test("begins to count anew with each hello", () => {
    const { reader, sent, drain } = slowPeer(1000);
    sendFrame(reader, 1);
    drain();
    reader.sendHello(frameTail("hello", AT, "{}"), AT);
    sendFrame(reader, 2);
    expect(seen(sent)).toEqual(['1 status {"n":1}', "1 hello {}", '2 status {"n":2}']);
  });
});
