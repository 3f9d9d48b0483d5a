import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { InputTurns } from "../../src/http/connectionInput.ts";
import { LoopTurns } from "../../src/http/loopTurns.ts";
import { type LiveServer, startLiveServer } from "../http/liveServer.ts";
import { telemetryHandshake } from "../http/telemetryHandshake.ts";
import { ManualClock } from "../session/manualClock.ts";
import { turns as waitTurns } from "../turns.ts";
import { hold, TurnCounter } from "./turnCounter.ts";

const PIECE_BYTES = 2_048;
const REQUESTS_BYTES = 128;

let counter: TurnCounter;
beforeEach(() => {
  counter = new TurnCounter();
});
afterEach(() => {
  counter.stop();
  vi.restoreAllMocks();
});

describe("the input of connections", () => {
  /** A stream whose data is handled in turns, and the pieces that its receiver got, with the turn of each. */
  function intercepted(
    inputs: InputTurns,
    { workMs = 0, isFull = (): boolean => false, isIdle = (): boolean => false, onPiece = () => {} } = {},
  ) {
    const stream = new Duplex({ read: () => {}, write: (_piece, _encoding, done) => done() });
    const pieces: { readonly turn: number; readonly text: string }[] = [];
    stream.on("data", (piece: Buffer) => {
      hold(workMs);
      pieces.push({ turn: counter.turn, text: String(piece) });
      onPiece();
    });
    const input = inputs.intercept(stream, isFull, isIdle);
    return { stream, pieces, input, received: () => pieces.map(({ text }) => text).join("") };
  }
  const newInputs = (): InputTurns => new InputTurns(new LoopTurns(), "/health");
  const letters = (count: number, first: number): string =>
    Array.from({ length: count }, (_, k) => String.fromCharCode(first + (k % 26))).join("");

  test("is handled in pieces of 2 KiB, one in a turn where each takes as long as a turn, and then ends", async () => {
    const inputs = newInputs();
    const [lower, upper] = [letters(20_000, 97), letters(20_000, 65)];
    const two = [intercepted(inputs, { workMs: 10 }), intercepted(inputs, { workMs: 10 })];
    const ends = two.map(({ stream }) => once(stream, "end"));
    for (const [k, text] of [lower, upper].entries()) {
      two[k].stream.push(text);
      two[k].stream.push(null);
    }
    await Promise.all(ends);
    expect(two.map(({ received }, k) => received() === [lower, upper][k])).toEqual([true, true]);
    const pieces = two.flatMap((one) => one.pieces);
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBe(PIECE_BYTES);
    expect(new Set(pieces.map(({ turn }) => turn)).size).toBe(20);
    // Neither stream waits for the end of the other.
    expect(two[1].pieces[0].turn).toBeLessThan(two[0].pieces[4].turn);
  });

  test("of several requests is handled one by one, the shortest of 128 bytes together; a body stays with its head", async () => {
    const head = (bytes: number): string => `GET /${"a".repeat(bytes - 9)}\r\n\r\n`;
    const { stream, pieces } = intercepted(newInputs());
    stream.push([head(300), head(100), head(100), head(100), head(300), "body"].join(""));
    stream.push(null);
    await once(stream, "end");
    expect(pieces.map(({ text }) => text)).toEqual([head(300), head(100) + head(100), `${head(100)}${head(300)}body`]);
    const alone = intercepted(newInputs());
    alone.stream.push(`${head(300)}body`);
    await waitTurns(2);
    expect(alone.pieces.map(({ text }) => text)).toEqual([`${head(300)}body`]);
  });

  test("waits while the receiver pauses the stream, and continues when it resumes it", async () => {
    const { stream, received } = intercepted(newInputs(), { onPiece: () => stream.pause() });
    const text = letters(3 * PIECE_BYTES, 97);
    stream.push(text);
    for (let count = 1; count <= 3; count++) {
      await waitTurns(10);
      expect(received() === text.slice(0, count * PIECE_BYTES)).toBe(true);
      stream.resume();
    }
  });

  test("waits while it is full", async () => {
    let isFull = true;
    const { stream, input, received } = intercepted(newInputs(), { isFull: () => isFull });
    const text = letters(3 * PIECE_BYTES, 97);
    stream.push(text);
    await waitTurns(10);
    expect(received().length).toBe(PIECE_BYTES);
    input.proceed();
    stream.push("more");
    await waitTurns(10);
    expect(received().length).toBe(PIECE_BYTES);
    isFull = false;
    input.proceed();
    await expect.poll(() => received() === `${text}more`).toBe(true);
  });

  test("in many small chunks is handled one piece at a time, with a pause before each, all connections together", async () => {
    const clock = new ManualClock();
    const inputs = new InputTurns(new LoopTurns(), "/health", clock);
    const countChunks = (count: number) => () => {
      for (let k = 0; k < count; k++) inputs.countChunk();
    };
    const [many, others, few] = [65, 65, 64].map((count) => intercepted(inputs, { onPiece: countChunks(count) }));
    const counts = () => [many, others, few].map(({ pieces }) => pieces.length);
    for (const { stream } of [many, others, few]) stream.push(letters(3 * PIECE_BYTES, 97));
    await waitTurns(20);
    expect(counts()).toEqual([1, 1, 3]);
    const found: number[][] = [];
    for (let k = 0; k < 4; k++) {
      await clock.advance(5);
      await waitTurns(3);
      found.push(counts());
    }
    expect(found).toEqual([
      [2, 1, 3],
      [2, 2, 3],
      [3, 2, 3],
      [3, 3, 3],
    ]);
    // A later piece waits too, also a short one.
    many.stream.push("more");
    await waitTurns(20);
    expect(counts()).toEqual([3, 3, 3]);
    await clock.advance(5);
    await waitTurns(3);
    expect(counts()).toEqual([4, 3, 3]);
  });

  test("that is dropped is read one piece at a time, with a pause before each, and to its end", async () => {
    const clock = new ManualClock();
    const inputs = new InputTurns(new LoopTurns(), "/health", clock);
    const two = [intercepted(inputs), intercepted(inputs)];
    const lengths = () => two.map(({ stream }) => stream.readableLength);
    for (const { stream, input } of two) {
      input.close();
      stream.push(letters(65_536, 97));
    }
    await waitTurns(20);
    expect(lengths()).toEqual([65_536, 65_536]);
    await clock.advance(1);
    expect(lengths()).toEqual([0, 65_536]);
    await clock.advance(1);
    expect(lengths()).toEqual([0, 0]);
    const ended = once(two[0].stream, "end");
    two[0].stream.push("more");
    two[0].stream.push(null);
    await waitTurns(20);
    await clock.advance(1);
    await ended;
    expect(two.map(({ pieces }) => pieces)).toEqual([[], []]);
  });

  test("of a probe waits only for other probes, unless its connection has unanswered requests", async () => {
    const turns = new LoopTurns();
    const inputs = new InputTurns(turns, "/health");
    const probe = "GET /health HTTP/1.1\r\n\r\n";
    const request = intercepted(inputs);
    const pipelined = intercepted(inputs, { isIdle: () => false });
    const probes = [10, 0, 0].map((workMs) => intercepted(inputs, { workMs, isIdle: () => true }));
    turns.run(() => hold(10));
    request.stream.emit("data", Buffer.from("GET / HTTP/1.1\r\n\r\n"));
    for (const { stream } of [pipelined, ...probes]) stream.emit("data", Buffer.from(probe));
    const lengths = () => [request, pipelined, ...probes].map(({ pieces }) => pieces.length);
    expect(lengths()).toEqual([0, 0, 1, 0, 0]);
    await expect.poll(lengths).toEqual([1, 1, 1, 1, 1]);
    // Those that wait are answered in one turn.
    expect(probes[2].pieces[0].turn).toBe(probes[1].pieces[0].turn);
  });
});

describe("a client of a server", () => {
  let live: LiveServer;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await live.close();
  });

  /** A connection, with all that it has received. */
  async function open(): Promise<{ readonly socket: Socket; readonly received: () => string }> {
    const { hostname, port } = new URL(live.baseUrl);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    let all = "";
    socket.on("data", (data) => {
      all += String(data);
    });
    await once(socket, "connect");
    return { socket, received: () => all };
  }

  test("that sends a body in chunks of one byte has few of them handled in a turn", async () => {
    const chunks = new Map<number, number>();
    live = await startLiveServer({
      plugins: [
        (server, _options, done) => {
          // Before a hook, which waits where the turn is used up.
          server.server.prependListener("request", (request) =>
            request.on("data", () => {
              // 500 of them take a turn.
              hold(0.02);
              chunks.set(counter.turn, (chunks.get(counter.turn) ?? 0) + 1);
            }),
          );
          server.post("/echo", ({ body }, reply) => reply.send(body));
          done();
        },
      ],
    });
    const counted = vi.spyOn(InputTurns.prototype, "countChunk");
    const { socket, received } = await open();
    const head =
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    const text = JSON.stringify({ text: "x".repeat(9_000) });
    socket.write(`${head}${Array.from(text, (letter) => `1\r\n${letter}\r\n`).join("")}0\r\n\r\n`);
    await expect.poll(() => received().endsWith(text)).toBe(true);
    expect([...chunks.values()].reduce((sum, count) => sum + count, 0)).toBe(text.length);
    expect(counted).toHaveBeenCalledTimes(text.length);
    // A piece of 2 KiB has 342 chunks; what is counted as one turn may have the ends of two.
    expect(Math.max(...chunks.values())).toBeLessThanOrEqual(2 * 342);
  });

  test("that sends requests without waiting for answers has no more than 32, and one piece, unanswered", async () => {
    const waiting: (() => void)[] = [];
    live = await startLiveServer({
      plugins: [
        (server, _options, done) => {
          server.get("/waits/:number", async ({ params }) => {
            await new Promise<void>((resolve) => waiting.push(resolve));
            return params;
          });
          done();
        },
      ],
    });
    const { socket, received } = await open();
    const count = 500;
    const request = (k: number): string => `GET /waits/${k} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    socket.write(Array.from({ length: count }, (_, k) => request(k)).join(""));
    await expect.poll(() => waiting.length).toBeGreaterThanOrEqual(32);
    await waitTurns(50);
    expect(waiting.length).toBeLessThanOrEqual(32 + PIECE_BYTES / request(0).length);
    const answers = () => Array.from(received().matchAll(/\{"number":"(\d+)"\}/g), ([, number]) => Number(number));
    await expect
      .poll(() => {
        for (const answer of waiting.splice(0)) answer();
        return answers().length;
      })
      .toBe(count);
    expect(answers()).toEqual(Array.from({ length: count }, (_, k) => k));
  });

  test("that sends a thousand malformed requests has a few of them parsed, because the first answer ends the connection", async () => {
    let requests = 0;
    live = await startLiveServer({
      plugins: [
        (server, _options, done) => {
          server.server.on("request", () => requests++);
          done();
        },
      ],
    });
    const { socket, received } = await open();
    const ended = once(socket, "end");
    const request = "GET / HTTP/1.1\r\n\r\n";
    socket.write(request.repeat(1_000));
    await ended;
    expect(received()).toMatch(/^HTTP\/1\.1 404 .*\r\nconnection: close/);
    expect(requests).toBe(Math.ceil(REQUESTS_BYTES / request.length));
  });

  test("that sends messages together with the telemetry handshake gets their answers in order", async () => {
    live = await startLiveServer();
    const { authorization } = await live.signIn("east");
    const { socket, received } = await open();
    const texts = Array.from({ length: 60 }, (_, k) => `${k} `.padEnd(120, "."));
    const pings = texts.map((text) =>
      Buffer.concat([Buffer.from([0x89, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]),
    );
    const handshake = telemetryHandshake("localhost", live.idOf("east"), authorization);
    socket.write(Buffer.concat([Buffer.from(handshake), ...pings]));
    await expect
      .poll(() =>
        received()
          .match(/\d+ \.{110,}/g)
          ?.map((text) => Number.parseInt(text, 10)),
      )
      .toEqual(Array.from(texts.keys()));
  });

  test("that sends megabytes of requests after one that is not HTTP gets one answer", async () => {
    live = await startLiveServer();
    const { socket, received } = await open();
    const ended = once(socket, "end");
    socket.write(`nothing\r\n\r\n${"GET /health HTTP/1.1\r\n\r\n".repeat(50_000)}`);
    await ended;
    expect(received()).toMatch(/^HTTP\/1\.1 400 /);
    expect(received().split("HTTP/1.1 ").length - 1).toBe(1);
  });
});
