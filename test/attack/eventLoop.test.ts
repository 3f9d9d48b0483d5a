import { once } from "node:events";
import { connect } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import Fastify from "fastify";
import { afterEach, describe, expect, test, vi } from "vitest";
import { addJsonBodyParser } from "../../src/http/jsonBody.ts";
import { JsonScan } from "../../src/http/jsonScan.ts";
import { LoopTurns, pacedPieces } from "../../src/http/loopTurns.ts";
import { TurnQueue } from "../../src/http/turnQueue.ts";
import { fleetDay } from "../http/fleetDay.ts";
import { type LiveServer, startLiveServer } from "../http/liveServer.ts";
import { turns as waitTurns } from "../turns.ts";
import { hold, TurnCounter } from "./turnCounter.ts";

let live: LiveServer | undefined;
afterEach(async () => {
  await live?.close();
  live = undefined;
  vi.restoreAllMocks();
});

const metrics = async (): Promise<string> => (await fetch(`${live?.baseUrl}/metrics`)).text();
const holdsOf = async (route: string): Promise<number> => {
  const line = (await metrics())
    .split("\n")
    .find((text) => text.startsWith(`vppsim_event_loop_holds_total{route="${route}"}`));
  return Number(line?.split(" ")[1] ?? 0);
};

describe("the watch of the event loop", () => {
  test("counts a hold for the route that was answered meanwhile, and its length", async () => {
    live = await startLiveServer({
      plugins: [
        (server, _options, done) => {
          server.get("/slow", async () => {
            hold(150);
            return {};
          });
          done();
        },
      ],
    });
    expect(await holdsOf("/slow")).toBe(0);
    await fetch(`${live.baseUrl}/slow`);
    await pause(30);
    expect(await holdsOf("/slow")).toBeGreaterThanOrEqual(1);
    const text = await metrics();
    const within = (bound: string) =>
      Number(new RegExp(`_delay_seconds_bucket\\{le="${bound}"\\} (\\d+)`).exec(text)?.[1]);
    expect(within("\\+Inf")).toBeGreaterThan(within("0.1"));
  });

  test("counts a hold without a request as none", async () => {
    live = await startLiveServer();
    // The connection of a fetch before it is closed by now.
    await pause(30);
    const before = await holdsOf("none");
    await pause(30);
    hold(150);
    await pause(30);
    expect(await holdsOf("none")).toBeGreaterThanOrEqual(before + 1);
  });
});

describe("turns of the event loop", () => {
  test("are given to waiting work in order, one piece each", async () => {
    const turns = new LoopTurns();
    const done: string[] = [];
    expect(turns.isUsedUp).toBe(false);
    hold(20);
    expect(turns.isUsedUp).toBe(true);
    for (const name of ["a", "b", "c"]) turns.defer(() => void done.push(name));
    expect(done).toEqual([]);
    for (let count = 1; count <= 3; count++) {
      while (done.length < count) await waitTurns(1);
      expect(done.length).toBe(count);
    }
    expect(done).toEqual(["a", "b", "c"]);
    await waitTurns(2);
    expect(turns.isUsedUp).toBe(false);
  });

  test("come between the pieces of many long answers: none of them keeps the loop", async () => {
    const turns = new LoopTurns();
    function* slowPieces(): Iterable<string> {
      for (let k = 0; k < 10; k++) {
        hold(4);
        yield "x";
      }
    }
    let looks = 0;
    let isOver = false;
    const look = (): void => {
      looks++;
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    const texts = await Promise.all(
      Array.from({ length: 10 }, async () => {
        let text = "";
        for await (const piece of pacedPieces(slowPieces(), turns)) text += piece;
        return text;
      }),
    );
    isOver = true;
    expect(texts).toEqual(Array(10).fill("x".repeat(10)));
    // 400 ms of work in pieces of 8 to 12 ms; without turns there would be one look.
    expect(looks).toBeGreaterThan(25);
  });
});

describe("bodies that arrive together", () => {
  /** A server that parses bodies in turns. */
  function parsingServer() {
    const server = Fastify();
    addJsonBodyParser(server, new LoopTurns());
    const headers = { "content-type": "application/json" };
    const post = (payload: string | Readable) => server.inject({ method: "POST", url: "/", headers, payload });
    return { server, counter: new TurnCounter(), post };
  }

  test("are parsed in a turn each, if one takes as long as a turn", async () => {
    const { server, counter, post } = parsingServer();
    const turnsOfBodies: number[] = [];
    server.post("/", (_request, reply) => {
      turnsOfBodies.push(counter.turn);
      hold(20);
      reply.send({});
    });
    await server.ready();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, k) => post(`{"k":${k}}`)));
    counter.stop();
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
    expect(new Set(turnsOfBodies).size).toBe(10);
  });

  test("are scanned in pieces, each in a turn where it takes as long, and parsed in a later one", async () => {
    const { server, counter, post } = parsingServer();
    const turnsOfPieces: number[] = [];
    const scanned = vi.spyOn(JsonScan.prototype, "add").mockImplementation(() => {
      turnsOfPieces.push(counter.turn);
      hold(10);
    });
    let parsedInTurn = 0;
    server.post("/", (_request, reply) => {
      parsedInTurn = counter.turn;
      reply.send({});
    });
    await server.ready();
    const text = "x".repeat(300_000);
    const { statusCode } = await post(JSON.stringify([text]));
    counter.stop();
    expect(statusCode).toBe(200);
    expect(scanned.mock.calls.map(([{ length }]) => length)).toEqual([65_536, 65_536, 65_536, 65_536, 37_860]);
    expect(new Set([...turnsOfPieces, parsedInTurn]).size).toBe(6);
  });
});

test("messages for many readers are written in several turns, and each reader's once", async () => {
  const written: number[] = [];
  const queue = new TurnQueue<number>(new LoopTurns(), (reader) => {
    hold(3);
    written.push(reader);
  });
  const readers = Array.from({ length: 30 }, (_, k) => k);
  for (const reader of [...readers, ...readers]) queue.add(reader);
  expect([queue.isEmpty, written]).toEqual([false, []]);
  let looks = 0;
  while (!queue.isEmpty) {
    await waitTurns(1);
    looks++;
  }
  expect(written).toEqual(readers);
  // 90 ms of work in turns of 8 to 11 ms.
  expect(looks).toBeGreaterThan(5);
});

test("hundreds of requests at once over one connection do not keep /health waiting until they are answered", async () => {
  live = await startLiveServer({ rateLimits: "off" }, fleetDay(100));
  const { authorization } = await live.signIn("east");
  const { hostname, port } = new URL(live.baseUrl);
  const path = `/v1/vpp/${live.idOf("east")}/status/details`;
  const one = `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${authorization}\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const count = 400;
  let answered = 0;
  let left = "";
  const all = new Promise<void>((resolve) =>
    socket.on("data", (data) => {
      left += String(data);
      answered += left.split("HTTP/1.1 200 OK").length - 1;
      left = left.slice(-20);
      if (answered >= count) resolve();
    }),
  );
  socket.write(one.repeat(count));
  await waitTurns(1);
  const health = await fetch(`${live.baseUrl}/health`);
  expect(health.status).toBe(200);
  const answeredBefore = answered;
  await all;
  // /health came when a part of them was answered.
  expect(answeredBefore).toBeLessThan(count / 2);
  socket.destroy();
});

test("thousands of reads of /health at once do not keep the one of another client waiting", async () => {
  live = await startLiveServer();
  const { hostname, port } = new URL(live.baseUrl);
  const request = `GET /health HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
  const [connections, count] = [20, 200];
  let answered = 0;
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname));
  const all = new Promise<void>((resolve) => {
    for (const socket of sockets) {
      let text = "";
      socket.on("data", (data) => {
        const before = text.split("HTTP/1.1 200 OK").length;
        text += String(data);
        answered += text.split("HTTP/1.1 200 OK").length - before;
        if (answered === connections * count) resolve();
      });
    }
  });
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  for (const socket of sockets) socket.write(request.repeat(count));
  // Until the server answers the first of them.
  while (answered === 0) await waitTurns(1);
  const answeredAtStart = answered;
  await fetch(`${live.baseUrl}/health`);
  const answeredMeanwhile = answered - answeredAtStart;
  await all;
  expect(answeredMeanwhile).toBeLessThan((connections * count) / 4);
  for (const socket of sockets) socket.destroy();
});
