/** What one client may send at once, for bench/holds.ts: each flood ends when the server has answered or closed everything. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { telemetryHandshake } from "../test/http/telemetryHandshake.ts";
import type { HoldProcess } from "./holdProcess.ts";

export interface Flood {
  readonly name: string;
  /** Sends everything and waits for the end. */
  readonly send: () => Promise<object>;
}

export async function floodsOf(server: HoldProcess): Promise<readonly Flood[]> {
  const { vppId, vppToken, baseUrl, authUrl } = server.host;
  const { authorization } = await server.signIn(vppToken);
  const head = (method: string, path: string, more: readonly string[] = []): string =>
    [
      `${method} /v1/vpp/${vppId}${path} HTTP/1.1`,
      "Host: 127.0.0.1",
      `Authorization: ${authorization}`,
      ...more,
      "",
      "",
    ].join("\r\n");
  const command = (body: string): string =>
    head("POST", "/control/active_power", [
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Connection: close",
    ]) + body;
  const text = command(JSON.stringify({ type: "x".repeat(1_000_000) }));
  const values = command(JSON.stringify({ member_baselines: Array(30_000).fill("0123456789012345678901234567") }));
  const read = head("GET", "/members", ["Connection: close"]);
  const kept = head("GET", "/members");
  const inChunks = (chunks: string): string =>
    head("POST", "/control/active_power", ["Content-Type: application/json", "Transfer-Encoding: chunked"]) + chunks;
  const bytes = inChunks("1\r\n \r\n".repeat(300_000));
  const extended = inChunks("1;a=b\r\n \r\n".repeat(200_000));
  const probe = "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  const withoutHost = "GET / HTTP/1.1\r\n\r\n";
  const headers = head("GET", "/members", Array<string>(2_500).fill("a:1"));
  /** Requests in one connection; what follows them is not HTTP, so that the server closes it. */
  const pipelined = (request: string, count: number) => exchange(baseUrl, `${request.repeat(count)}x\r\n\r\n`);
  const refresh = `POST /auth/refresh HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${vppToken}\r\nConnection: close\r\n\r\n`;
  const all = (name: string, count: number, send: () => Promise<void>): Flood => ({
    name: `${count} × ${name}`,
    send: async () => {
      await Promise.all(Array.from({ length: count }, send));
      return {};
    },
  });
  const frames = (name: string, count: number, frame: Buffer, times: number, first = frame): Flood =>
    all(name, count, async () => {
      const socket = await openTelemetry(baseUrl, vppId, authorization);
      socket.write(first);
      const ended = new Promise((resolve) => socket.once("close", resolve));
      const piece = Buffer.concat(Array<Buffer>(10_000).fill(frame));
      for (let k = 0; k < times && !socket.destroyed; k++)
        if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), ended]);
      socket.end();
      await ended;
    });
  /** Of a message in fragments. */
  const beginning = maskedFrame(0x01, "");
  return [
    all("1 MB of text", 400, () => exchange(baseUrl, text)),
    all("1 MB of 30,000 values", 400, () => exchange(baseUrl, values)),
    all("body in chunks of one byte", 50, () => exchange(baseUrl, bytes)),
    all("body in chunks of one byte", 900, () => exchange(baseUrl, bytes)),
    all("body in chunks with extensions", 50, () => exchange(baseUrl, extended)),
    all("1,000 requests without Host in one connection", 50, () => pipelined(withoutHost, 1_000)),
    all("1,000 reads of /health in one connection", 50, () => pipelined(probe, 1_000)),
    all("10 reads with 2,500 headers in one connection", 50, () => pipelined(headers, 10)),
    all("connection without a request", 2_000, async () => {
      (await open(baseUrl)).destroy();
    }),
    all("connection with a read", 900, () => exchange(baseUrl, read)),
    keptConnections(baseUrl, kept, 900),
    all("read in one connection", 1, () => exchange(baseUrl, kept.repeat(3_000) + read)),
    all("refresh of a token", 400, () => exchange(authUrl, refresh)),
    all("telemetry handshake", 900, async () => {
      const socket = await openTelemetry(baseUrl, vppId, authorization);
      socket.destroy();
    }),
    frames("fragments without content, endless", 1, maskedFrame(0x00, ""), 100, beginning),
    frames("fragments of one byte, endless", 1, maskedFrame(0x00, "x"), 100, beginning),
    frames("fragments without content, endless", 50, maskedFrame(0x00, ""), 20, beginning),
    frames("pings, endless", 1, maskedFrame(0x89, ""), 50),
    frames("pings, endless", 50, maskedFrame(0x89, ""), 10),
    frames("subscriptions, endless", 50, maskedFrame(0x81, '{"type":"subscribe"}'), 5),
  ];
}

/** Connections that are open already and each send a request at once. */
function keptConnections(baseUrl: string, request: string, count: number): Flood {
  return {
    name: `${count} × read in an open connection`,
    send: async () => {
      const sockets = await Promise.all(Array.from({ length: count }, () => open(baseUrl)));
      for (let round = 0; round < 3; round++) {
        for (const socket of sockets) socket.write(request);
        await Promise.all(sockets.map((socket) => once(socket, "data")));
        // The answers may come in pieces.
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      for (const socket of sockets) socket.destroy();
      return {};
    },
  };
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // A refused flood may end with a reset.
  socket.on("error", () => {});
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  return socket;
}

/** Sends a request that closes, and reads to the end. */
async function exchange(url: string, text: string): Promise<void> {
  const socket = await open(url);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.resume();
  socket.write(text);
  if (!socket.closed) await closed;
}

async function openTelemetry(url: string, vppId: string, authorization: string): Promise<Socket> {
  const socket = await open(url);
  socket.write(telemetryHandshake("127.0.0.1", vppId, authorization));
  await Promise.race([once(socket, "data"), once(socket, "close")]);
  socket.resume();
  return socket;
}

/** A frame of a client, masked with zeros; 0x00 is a fragment that another one follows. */
const maskedFrame = (first: number, text: string): Buffer =>
  Buffer.concat([Buffer.from([first, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
