import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { ServerOptions } from "../../src/api/http/server.ts";
import { MS_PER_MINUTE } from "../../src/base/time.ts";
import { fleetDay } from "../http/fleetDay.ts";
import { type LiveServer, startLiveServer } from "../http/liveServer.ts";

const START_MS = Date.parse("2026-04-01T00:00:00Z");
const minutes = (count: number) => () => START_MS + MS_PER_MINUTE * count;

interface Message {
  readonly seq: number;
  readonly session?: string;
  readonly type: string;
  readonly data: { readonly dropped?: number; readonly next_seq?: number };
}

let live: LiveServer;
const open: WebSocket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate();
  await live.close();
});

async function serve(options: Partial<ServerOptions>, sites = 2): Promise<void> {
  live = await startLiveServer({ rateLimits: "off", ...options }, fleetDay(sites));
}

/** A reader of the VPP, or of a site, and what it has received. */
async function connect(query = "", name = "east") {
  const { authorization } = await live.signIn(name);
  const kind = name === "east" ? "v1/vpp" : "v2/ems";
  const url = `${live.baseUrl.replace("http", "ws")}/${kind}/${live.idOf(name)}/telemetry${query}`;
  const socket = new WebSocket(url, { headers: { authorization } });
  open.push(socket);
  const messages: Message[] = [];
  socket.on("message", (data) => messages.push(JSON.parse(String(data))));
  const closed = new Promise<string>((resolve) =>
    socket.on("close", (code, reason) => resolve(`${code} ${String(reason)}`)),
  );
  await once(socket, "open");
  return { socket, messages, closed };
}

type Reader = Awaited<ReturnType<typeof connect>>;

/** Waits until both sides have read everything sent before. */
async function settle({ socket }: Reader): Promise<void> {
  socket.ping();
  await once(socket, "pong");
}

async function subscribe(reader: Reader, seconds: number): Promise<void> {
  reader.socket.send(JSON.stringify({ type: "subscribe", types: ["status"], interval_seconds: seconds }));
  await settle(reader);
}

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${live.baseUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
};

describe("readers that sleep", () => {
  test("are closed with 1013 and reader_too_slow, the slowest first, and the budget holds", async () => {
    const telemetryBytesMax = 2_000_000;
    await serve({ telemetryBytesMax }, 20);
    const quick = await connect();
    const sleepers = [await connect(), await connect(), await connect()];
    // The later a reader falls asleep, the less waits for it.
    for (const reader of [quick, ...sleepers]) await subscribe(reader, 10);
    for (const [k, { socket }] of sleepers.entries()) {
      await live.session.advance(minutes(20 * (k + 1)));
      socket.pause();
    }
    let used = 0;
    for (let hour = 2; hour <= 6; hour++) {
      await live.session.advance(minutes(60 * hour));
      await settle(quick);
      used = Math.max(used, await metric("vppsim_telemetry_bytes"));
    }
    expect(used).toBeGreaterThan(500_000);
    expect(used).toBeLessThanOrEqual(telemetryBytesMax);
    for (const { socket } of sleepers) socket.resume();
    expect(await Promise.all(sleepers.map(({ closed }) => closed))).toEqual(Array(3).fill("1013 reader_too_slow"));
    expect(quick.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 1 + 6 * 360 }, (_, k) => k + 1));
    await expect.poll(() => metric("vppsim_telemetry_readers")).toBe(1);
  });

  test("share the frames of their view: many cost little more than one", async () => {
    await serve({ telemetryBytesMax: 1e9 }, 20);
    const usedBy = async (count: number): Promise<number> => {
      const readers = await Promise.all(Array.from({ length: count }, () => connect()));
      for (const reader of readers) await subscribe(reader, 10);
      for (const { socket } of readers) socket.pause();
      const { now } = live.session.clock();
      await live.session.advance(() => Date.parse(now) + 180 * MS_PER_MINUTE);
      const used = await metric("vppsim_telemetry_bytes");
      for (const { socket } of readers) socket.terminate();
      await expect.poll(() => metric("vppsim_telemetry_readers")).toBe(0);
      await live.session.reset();
      await expect.poll(() => metric("vppsim_telemetry_bytes")).toBe(0);
      return used;
    };
    const one = await usedBy(1);
    expect(one).toBeGreaterThan(1_000_000);
    expect(await usedBy(10)).toBeLessThan(2 * one);
  });
});

describe("a reader that floods the server", () => {
  test.each<[string, (socket: WebSocket) => void]>([
    ["subscriptions", (socket) => socket.send('{"type":"subscribe"}')],
    ["pings", (socket) => socket.ping()],
  ])("with %s is disconnected", async (_, send) => {
    await serve({});
    const reader = await connect();
    for (let k = 0; k < 20_000; k++) send(reader.socket);
    expect(await reader.closed).toBe("1006 ");
    expect(await metric("vppsim_telemetry_readers")).toBe(0);
  });

  test("with a hundred subscriptions is not", async () => {
    await serve({});
    const reader = await connect();
    for (let k = 0; k < 99; k++) reader.socket.send('{"type":"subscribe"}');
    await settle(reader);
    expect(reader.socket.readyState).toBe(WebSocket.OPEN);
  });
});

/** A frame of a client, masked with zeros; `first` has the final bit and the opcode. */
const frame = (first: number, text = ""): Buffer =>
  Buffer.concat([Buffer.from([first, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

/** Sends bytes beside the WebSocket protocol of the client library. */
const sendRaw = ({ socket }: Reader, bytes: Buffer): void => {
  (socket as unknown as { readonly _socket: Socket })._socket.write(bytes);
};

describe("a message in fragments", () => {
  const [TEXT, CONTINUES] = [0x01, 0x00];

  test.each(["", "x"])("that does not end is closed with 1008, with fragments of '%s'", async (content) => {
    await serve({});
    const reader = await connect();
    sendRaw(reader, frame(TEXT));
    for (let k = 0; k < 100; k++) sendRaw(reader, frame(CONTINUES, content));
    expect(await reader.closed).toBe("1008 ");
    await expect.poll(() => metric("vppsim_telemetry_readers")).toBe(0);
  });
});

describe("readers beyond the limit", () => {
  test("are closed with 1013 and too_many_readers; a reader without a connection is dropped first", async () => {
    await serve({ telemetryReadersMax: 3 });
    const readers = [await connect(), await connect("", "battery-1"), await connect()];
    expect(await (await connect()).closed).toBe("1013 too_many_readers");
    readers[1].socket.terminate();
    await expect.poll(() => metric("vppsim_telemetry_readers")).toBe(2);
    const next = await connect();
    await settle(next);
    expect(next.messages.map(({ type }) => type)).toEqual(["hello"]);
    expect(await (await connect()).closed).toBe("1013 too_many_readers");
  });
});

describe("a lost connection", () => {
  const sessionOf = ({ messages }: Reader): string =>
    String(messages.findLast(({ type }) => type === "hello")?.session);
  const lastSeqOf = ({ messages }: Reader): number => messages.at(-1)?.seq ?? 0;
  const resume = (reader: Reader, name?: string): Promise<Reader> =>
    connect(`?session=${sessionOf(reader)}&last_seq=${lastSeqOf(reader)}`, name);

  async function lose(reader: Reader): Promise<void> {
    const before = await metric("vppsim_telemetry_readers");
    reader.socket.terminate();
    await expect.poll(() => metric("vppsim_telemetry_readers")).toBe(before - 1);
  }

  test("is continued without a message missing, with the same subscription", async () => {
    await serve({});
    const first = await connect();
    await subscribe(first, 60);
    await live.session.advance(minutes(5));
    await settle(first);
    await lose(first);
    await live.session.advance(minutes(9));
    const second = await resume(first);
    await live.session.advance(minutes(10));
    await settle(second);
    expect([...first.messages, ...second.messages].map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      "1 hello",
      ...Array.from({ length: 10 }, (_, k) => `${k + 2} status`),
    ]);
  });

  test.each<[string, (reader: Reader) => string]>([
    ["of an unknown session", () => `?session=${"0".repeat(24)}&last_seq=1`],
    ["after a number that was never sent", (reader) => `?session=${sessionOf(reader)}&last_seq=1000`],
  ])("begins anew with a hello %s", async (_, queryOf) => {
    await serve({});
    const first = await connect();
    await settle(first);
    await lose(first);
    const second = await connect(queryOf(first));
    await settle(second);
    expect(second.messages.map(({ seq, type }) => `${seq} ${type}`)).toEqual(["1 hello"]);
    expect(sessionOf(second)).not.toBe(sessionOf(first));
  });

  test("of another site is not continued", async () => {
    await serve({});
    const first = await connect("", "battery-1");
    await settle(first);
    const second = await resume(first, "battery-2");
    await settle(second);
    expect(second.messages.map(({ seq, type }) => `${seq} ${type}`)).toEqual(["1 hello"]);
    await settle(first);
  });

  test.each([
    ["reset", () => live.session.reset()],
    ["restore", async () => live.session.restore(live.session.checkpoints[0].checkpointId)],
  ])("is not continued after a %s, which also gives connected readers another session", async (_, rewind) => {
    await serve({});
    await live.session.addCheckpoint(null);
    const [first, stays] = [await connect(), await connect()];
    await settle(first);
    await settle(stays);
    await lose(first);
    const before = sessionOf(stays);
    await live.session.advance(minutes(3));
    await rewind();
    const second = await resume(first);
    await settle(second);
    await settle(stays);
    expect(second.messages.map(({ seq, type }) => `${seq} ${type}`)).toEqual(["1 hello"]);
    expect(sessionOf(stays)).not.toBe(before);
  });

  test.each([
    "?session=abc&last_seq=1",
    "?session=0123456789abcdef01234567",
    "?last_seq=1",
    `?session=${"0".repeat(24)}&last_seq=-1`,
  ])("is refused with 400 for the query %s", async (query) => {
    await serve({});
    await expect(connect(query)).rejects.toThrow("400");
  });
});
