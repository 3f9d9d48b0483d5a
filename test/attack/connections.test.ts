import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { type LiveServer, startLiveServer } from "../http/liveServer.ts";
import { telemetryHandshake } from "../http/telemetryHandshake.ts";
import { turns } from "../turns.ts";

let live: LiveServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await live.close();
});

/** A connection, with what it receives until it ends. */
async function open(): Promise<{ readonly socket: Socket; readonly received: Promise<string> }> {
  const { hostname, port } = new URL(live.baseUrl);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => {});
  let all = "";
  socket.on("data", (data) => {
    all += String(data);
  });
  const received = new Promise<string>((resolve) => socket.on("close", () => resolve(all)));
  await once(socket, "connect");
  return { socket, received };
}

/** The head of a command with a body of so many bytes. */
const headOf = (authorization: string, bytes: number): string =>
  [
    `POST /v1/vpp/${live.idOf("east")}/control/active_power HTTP/1.1`,
    "Host: localhost",
    `Authorization: ${authorization}`,
    "Content-Type: application/json",
    `Content-Length: ${bytes}`,
    "",
    "",
  ].join("\r\n");

const health = () => fetch(`${live.baseUrl}/health`);
const isOpen = async (socket: Socket): Promise<boolean> => {
  await turns(20);
  return !socket.destroyed && !socket.readableEnded;
};

describe("the number of connections", () => {
  test("is limited: the longest idle one makes place, and nobody is locked out", async () => {
    live = await startLiveServer({ connectionMaxima: { connections: 3, bodyBytes: 1e6 } });
    const first = await open();
    const second = await open();
    // Half a head is not a request yet.
    second.socket.write("GET /health HTTP/1.1\r\nHost:");
    const third = await open();
    expect((await health()).status).toBe(200);
    await first.received;
    expect([await isOpen(second.socket), await isOpen(third.socket)]).toEqual([true, true]);
    const fourth = await open();
    await second.received;
    expect(await isOpen(fourth.socket)).toBe(true);
  });

  test("counts a connection as used when its request ends, so that a client with keep-alive stays", async () => {
    live = await startLiveServer({ connectionMaxima: { connections: 3, bodyBytes: 1e6 } });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<unknown>();
    try {
      for (let k = 0; k < 10; k++) {
        const [answer] = (await once(get(`${live.baseUrl}/health`, { agent }), "response")) as [IncomingMessage];
        ports.add(answer.socket.localPort);
        expect(await text(answer)).toContain('"ok"');
        // One idle connection more each time.
        await open();
      }
      expect(ports.size).toBe(1);
    } finally {
      agent.destroy();
    }
  });

  test("refuses a new one with 503 where all wait for answers", async () => {
    const { promise: answered, resolve: answer } = deferred();
    live = await startLiveServer({
      connectionMaxima: { connections: 2, bodyBytes: 1e6 },
      plugins: [
        (server, _options, done) => {
          server.get("/waits", async () => {
            await answered;
            return {};
          });
          done();
        },
      ],
    });
    const waiting = await Promise.all([open(), open()]);
    for (const { socket } of waiting)
      socket.write("GET /waits HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    await turns(20);
    const refused = await open();
    const answerText = await refused.received;
    expect(answerText).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(answerText).toMatch(/^Retry-After: 1\r$/m);
    expect(JSON.parse(answerText.slice(answerText.indexOf("{")))).toMatchObject({
      error: { code: 503, details: "All 2 connections wait for answers" },
    });
    answer();
    for (const { received } of waiting) expect(await received).toMatch(/^HTTP\/1\.1 200 /);
    expect((await health()).status).toBe(200);
  });

  test("does not count telemetry, which has a limit of its own", async () => {
    live = await startLiveServer({ connectionMaxima: { connections: 2, bodyBytes: 1e6 } });
    const { authorization } = await live.signIn("east");
    const { socket } = await open();
    socket.write(telemetryHandshake("localhost", live.idOf("east"), authorization));
    await once(socket, "data");
    for (let k = 0; k < 5; k++) await open();
    expect((await health()).status).toBe(200);
    expect(await isOpen(socket)).toBe(true);
  });
});

describe("bodies that never end", () => {
  test("take no more than their limit: the longest is refused with 503, small ones pass", async () => {
    live = await startLiveServer({ rateLimits: "off", connectionMaxima: { connections: 100, bodyBytes: 1_000_000 } });
    const { authorization } = await live.signIn("east");
    const half = async (bytes: number) => {
      const connection = await open();
      connection.socket.write(headOf(authorization, 1_000_000) + "x".repeat(bytes));
      return connection;
    };
    const small = await half(100);
    const longest = await half(600_000);
    const others = [await half(150_000), await half(150_000)];
    expect(await isOpen(longest.socket)).toBe(true);
    others.push(await half(150_000));
    expect(await longest.received).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    for (const { socket } of [small, ...others]) expect(await isOpen(socket)).toBe(true);
    const answer = await fetch(`${live.baseUrl}/v1/vpp/${live.idOf("east")}/control/active_power`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: "{}",
    });
    expect(answer.status).toBe(400);
    // What is given up is free again.
    for (const { socket } of others) socket.destroy();
    await turns(20);
    const next = [await half(450_000), await half(450_000)];
    for (const { socket } of [small, ...next]) expect(await isOpen(socket)).toBe(true);
  });

  test("count each of their pieces as what it takes in memory: a body in pieces of one byte is refused", async () => {
    live = await startLiveServer({ rateLimits: "off", connectionMaxima: { connections: 100, bodyBytes: 1_000_000 } });
    const { authorization } = await live.signIn("east");
    const head = headOf(authorization, 0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    const send = async (pieces: number, end: string) => {
      const connection = await open();
      connection.socket.write(head + "1\r\n \r\n".repeat(pieces) + end);
      return connection;
    };
    expect(await (await send(5_000, "")).received).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    const { socket } = await send(1_000, "2\r\n{}\r\n0\r\n\r\n");
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("many commands one after the other over one connection are no such bodies", async () => {
    live = await startLiveServer({ rateLimits: "off", connectionMaxima: { connections: 10, bodyBytes: 100_000 } });
    const { authorization } = await live.signIn("east");
    const connection = await open();
    const body = JSON.stringify({ type: "x".repeat(40_000) });
    let seen = "";
    connection.socket.on("data", (data) => {
      seen += String(data);
    });
    for (let k = 1; k <= 10; k++) {
      connection.socket.write(headOf(authorization, body.length) + body);
      await expect.poll(() => seen.split("HTTP/1.1 400 ").length - 1).toBe(k);
    }
    expect(await isOpen(connection.socket)).toBe(true);
  });
});

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
