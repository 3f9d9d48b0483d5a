import { once } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { QUEUE_BYTES_MAX } from "../../src/api/http/telemetry/telemetryReader.ts";
import { MS_PER_HOUR, MS_PER_MINUTE } from "../../src/base/time.ts";
import { collectGarbage } from "../collectGarbage.ts";
import { fleetDay } from "./fleetDay.ts";
import { type LiveServer, startLiveServer } from "./liveServer.ts";

const START_MS = Date.parse("2026-04-01T00:00:00Z");
const SITES = 20;
const DAY_SECONDS = 86_400;
/**
 * Interval of the slow reader: 8,640 messages of some 6 kB, more than its queue and the operating system's buffers
 * hold.
 */
const SLOW_SECONDS = 10;

interface Frame {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly data: { readonly dropped?: number; readonly next_seq?: number };
}

/** A reader that stores only counters, so that the heap shows the server's memory. */
class FrameCounter {
  readonly socket: WebSocket;
  frames = 0;
  lastSeq = 0;
  /** Frames that do not have the next number. */
  holes = 0;
  bytes = 0;
  readonly gaps: Frame[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => this.take(String(data)));
  }

  private take(text: string): void {
    this.frames++;
    this.bytes += text.length;
    const seq = Number(text.slice('{"seq":'.length, text.indexOf(",")));
    if (seq !== this.lastSeq + 1) this.holes++;
    this.lastSeq = seq;
    if (!text.startsWith(`{"seq":${seq},"type":"gap"`)) return;
    const gap = JSON.parse(text) as Frame;
    this.gaps.push(gap);
    // The gap states the next number.
    this.lastSeq = (gap.data.next_seq ?? 0) - 1;
  }

  /** Waits until both sides have read everything sent before. */
  async settle(): Promise<void> {
    this.socket.ping();
    await once(this.socket, "pong");
  }
}

/** A reader of status messages only, at an interval in simulated seconds. */
async function readEvery(live: LiveServer, name: string, seconds: number): Promise<FrameCounter> {
  const { authorization } = await live.signIn(name);
  const kind = name === "east" ? "v1/vpp" : "v2/ems";
  const url = `${live.baseUrl.replace("http", "ws")}/${kind}/${live.idOf(name)}/telemetry`;
  const counter = new FrameCounter(new WebSocket(url, { headers: { authorization } }));
  await once(counter.socket, "message");
  counter.socket.send(JSON.stringify({ type: "subscribe", types: ["status"], interval_seconds: seconds }));
  await counter.settle();
  return counter;
}

/** What the server counts for its readers. */
async function telemetryBytes({ baseUrl }: LiveServer): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(/^vppsim_telemetry_bytes (\S+)$/m.exec(text)?.[1]);
}

/** Memory in use, on the heap and in buffers, after a garbage collection. */
function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test("a client that never reads gets a gap, and 200 others are served without one", async () => {
  const live = await startLiveServer({ rateLimits: "off" }, fleetDay(SITES));
  const slow = await readEvery(live, "east", SLOW_SECONDS);
  const quick: { readonly counter: FrameCounter; readonly seconds: number }[] = [];
  for (let k = 0; k < 200; k++) {
    // Every tenth reads the whole VPP, each of the others one site.
    const [name, seconds] = k % 10 === 0 ? ["east", 300] : [`battery-${1 + (k % SITES)}`, 240];
    quick.push({ counter: await readEvery(live, name, seconds), seconds });
  }
  slow.socket.pause();
  const used: number[] = [];
  const held: number[] = [];
  for (let hour = 4; hour <= 24; hour += 4) {
    await live.session.advance(() => START_MS + hour * MS_PER_HOUR);
    await Promise.all(quick.map(({ counter }) => counter.settle()));
    used.push(usedBytes());
    held.push(await telemetryBytes(live));
  }
  // One hello and one status per interval, numbered without gaps.
  for (const { counter, seconds } of quick)
    expect(counter).toMatchObject({ frames: 1 + DAY_SECONDS / seconds, lastSeq: 1 + DAY_SECONDS / seconds, holes: 0 });
  expect(slow.frames).toBe(1);

  slow.socket.resume();
  await slow.settle();
  await expect.poll(() => slow.gaps.length).toBe(1);
  const { seq, at, data } = slow.gaps[0];
  const sent = 1 + DAY_SECONDS / SLOW_SECONDS;
  // All messages before the gap arrived; the gap counts the rest of the day.
  expect([slow.frames, slow.holes]).toEqual([seq, 0]);
  expect(data).toEqual({ dropped: sent - (seq - 1), next_seq: sent + 1 });
  expect(at).toBe("2026-04-02T00:00:00Z");
  const droppedBytes = (data.dropped ?? 0) * (slow.bytes / slow.frames);
  expect(droppedBytes).toBeGreaterThan(4 * QUEUE_BYTES_MAX);
  // From the second round on the queue of the slow reader is full. What grows is what the 200 others keep for a resumption: 256
  // entries of 72 bytes each, and 256 shared frames of 0.6 kB for each site and of 6.5 kB for the VPP.
  expect(held[held.length - 1] - held[1]).toBeLessThan(200 * 256 * 72 + SITES * 256 * 700 + 256 * 7_000);
  // The process, this test and its 201 clients in it, grows by 11 to 23 MB; with all dropped messages it would by 56 MB more.
  expect(used[used.length - 1] - used[1]).toBeLessThan(0.6 * droppedBytes);

  // Afterwards the reader receives messages as usual.
  await live.session.advance(() => START_MS + 24 * MS_PER_HOUR + 5 * MS_PER_MINUTE);
  await slow.settle();
  expect([slow.frames, slow.lastSeq, slow.holes, slow.gaps.length]).toEqual([seq + 30, sent + 30, 0, 1]);
  for (const { socket } of [slow, ...quick.map(({ counter }) => counter)]) socket.terminate();
  await live.close();
});
