import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { collectGarbage } from "../collectGarbage.ts";
import { type LiveServer, startLiveServer } from "../http/liveServer.ts";

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

const HEALTH = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

test("the number of connections is limited: a further one is closed, until another one ends", async () => {
  live = await startLiveServer({ connectionsMax: 3 });
  const [first, second, third] = [await open(), await open(), await open()];
  expect(await (await open()).received).toBe("");
  first.socket.write(HEALTH);
  expect(await first.received).toMatch(/^HTTP\/1\.1 200 /);
  (await open()).socket.write(HEALTH);
  for (const { socket, received } of [second, third]) {
    socket.write(HEALTH);
    expect(await received).toMatch(/^HTTP\/1\.1 200 /);
  }
});

/** The head of a request whose body follows in chunks. */
const chunkedHead = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

test("a body in chunks of one byte keeps none of them in memory", async () => {
  const pieces: WeakRef<Buffer>[] = [];
  live = await startLiveServer({
    plugins: [
      (server, _options, done) => {
        server.addHook("onRequest", ({ raw }, _reply, next) => {
          raw.on("data", (piece: Buffer) => pieces.push(new WeakRef(piece)));
          next();
        });
        server.post("/echo", async ({ body }) => body);
        done();
      },
    ],
  });
  const { socket } = await open();
  const text = JSON.stringify({ text: "x".repeat(10_000) });
  const chunks = Array.from(text, (letter) => `1\r\n${letter}\r\n`);
  socket.write(chunkedHead("/echo") + chunks.slice(0, -1).join(""));
  await expect.poll(() => pieces.length).toBe(chunks.length - 1);
  collectGarbage();
  expect(pieces.filter((piece) => piece.deref() !== undefined).length).toBe(0);
  let answer = "";
  socket.on("data", (data) => {
    answer += String(data);
  });
  socket.write(`${chunks.at(-1)}0\r\n\r\n`);
  await expect.poll(() => answer.endsWith(text)).toBe(true);
});

test("extensions of a chunk beyond 16 KiB are refused with 413", async () => {
  live = await startLiveServer();
  const { socket, received } = await open();
  socket.write(`${chunkedHead("/nowhere")}1;a=${"b".repeat(20_000)}\r\nx\r\n`);
  expect(await received).toMatch(/HTTP\/1\.1 413 Payload Too Large\r\n/);
});

test("thousands of requests at once in many connections are all answered", async () => {
  live = await startLiveServer();
  const request = HEALTH.replace("Connection: close\r\n", "");
  const connections = await Promise.all(Array.from({ length: 20 }, open));
  for (const { socket } of connections) socket.write(request.repeat(499) + HEALTH);
  for (const { received } of connections) expect((await received).match(/HTTP\/1\.1 200 /g)).toHaveLength(500);
});
