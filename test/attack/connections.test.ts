import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { collectGarbage } from "../collectGarbage.ts";
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
  test("is limited: the longest idle connection is closed, and no client is excluded", async () => {
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

  test("invalid bytes are answered after the requests before them", async () => {
    const { promise: answered, resolve: answer } = deferred();
    live = await startLiveServer({
      plugins: [
        (server, _options, done) => {
          server.post("/waits", async () => {
            await answered;
            return {};
          });
          done();
        },
      ],
    });
    const { socket, received } = await open();
    const request = "POST /waits HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    socket.write(`${request}Content-Length: 2\r\n\r\n{}`.repeat(2));
    socket.write("BAD\r\n\r\n");
    await turns(20);
    answer();
    expect((await received).match(/HTTP\/1\.1 \d+/g)).toEqual([200, 200, 400].map((status) => `HTTP/1.1 ${status}`));
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
    live = await startLiveServer({ rateLimits: "off", connectionMaxima: { connections: 100, bodyBytes: 1_750_000 } });
    const { authorization } = await live.signIn("east");
    const half = async (bytes: number) => {
      const connection = await open();
      connection.socket.write(headOf(authorization, 1_000_000) + "x".repeat(bytes));
      return connection;
    };
    const small = await half(100);
    // Memory grows by doubling: 4 KiB for the small one, 1,000,000 bytes for the longest, 256 KiB for each of the others.
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

  test("take their bytes alone, whatever pieces they come in: no piece stays in memory", async () => {
    const pieces: WeakRef<Buffer>[] = [];
    live = await startLiveServer({
      rateLimits: "off",
      connectionMaxima: { connections: 100, bodyBytes: 20_000 },
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

describe("a body in chunks", () => {
  test.each([
    ["65,536", 65_536, 400, "The body is not valid JSON"],
    ["65,537", 65_537, 400, "A body has at most 65536 chunks"],
  ])(
    "of one byte may have 65,536 of them: with %s it is refused with its own message",
    async (_, count, status, details) => {
      live = await startLiveServer();
      const { authorization } = await live.signIn("east");
      const { socket, received } = await open();
      const head = chunkedHead(`/v1/vpp/${live.idOf("east")}/control/active_power`, `Authorization: ${authorization}`);
      socket.write(`${head}${"1\r\nx\r\n".repeat(count)}0\r\n\r\n`);
      const answer = await received;
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toContain(`"details":"${details}`);
      expect(answer.split("HTTP/1.1 ").length - 1).toBe(1);
    },
  );

  test("of an answered request ends the connection when it has too many chunks", async () => {
    live = await startLiveServer();
    const { socket, received } = await open();
    socket.write(chunkedHead(`/v1/vpp/${live.idOf("east")}/control/active_power`));
    const [first] = await once(socket, "data");
    expect(String(first)).toMatch(/^HTTP\/1\.1 401 /);
    socket.write("1\r\nx\r\n".repeat(65_537));
    expect((await received).split("HTTP/1.1 ").length - 1).toBe(1);
  });

  test("with extensions beyond 16 KiB is refused with 413", async () => {
    live = await startLiveServer();
    const { socket, received } = await open();
    socket.write(`${chunkedHead("/nowhere")}1;a=${"b".repeat(20_000)}\r\nx\r\n`);
    const answer = await received;
    expect(answer).toMatch(/HTTP\/1\.1 413 Payload Too Large\r\n/);
    expect(answer).toContain("The extensions of a chunk are too long");
  });
});

test("a request without Host, and one whose body is not JSON, are the last of their connections that are handled", async () => {
  const marks: string[] = [];
  live = await startLiveServer({
    plugins: [
      (server, _options, done) => {
        server.post<{ Params: { name: string } }>("/marks/:name", async ({ params }) => {
          marks.push(params.name);
          return {};
        });
        done();
      },
    ],
  });
  const mark = (name: string): string => `POST /marks/${name} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`;
  /** Sends a request between others, and returns what was answered and how many of those after it were handled. */
  const sendBetween = async (request: string) => {
    marks.length = 0;
    const { socket, received } = await open();
    socket.write(mark("before") + request + Array.from({ length: 2_000 }, (_, k) => mark(`after-${k}`)).join(""));
    const answer = await received;
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
    expect(marks[0]).toBe("before");
    return { answer, later: marks.length - 1 };
  };
  const withoutHost = await sendBetween("POST /marks/x HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
  expect(withoutHost.answer).toContain("The Host header is missing");
  expect(withoutHost.later).toBe(0);
  const malformed = await sendBetween(`${chunkedHead("/marks/x")}7\r\nnothing\r\n0\r\n\r\n`);
  expect(malformed.answer).toContain("The body is not valid JSON");
  // A body is parsed after the piece of 2 KiB that it ends in.
  expect(malformed.later).toBeLessThan(2_048 / mark("after-0").length);
});

/** The head of a request whose body follows in chunks. */
const chunkedHead = (path: string, ...headers: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    ...headers,
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
    "",
    "",
  ].join("\r\n");

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
