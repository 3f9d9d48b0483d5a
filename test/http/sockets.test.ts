import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LiveServer, startLiveServer } from "./liveServer.ts";

let live: LiveServer;
/** A server with short time-outs. */
let hasty: LiveServer;
let authorization = "";
beforeAll(async () => {
  live = await startLiveServer();
  hasty = await startLiveServer({ timeouts: { headersMs: 200, requestMs: 400, idleMs: 600 } });
  authorization = (await live.signIn("east")).authorization;
});
afterAll(() => Promise.all([live.close(), hasty.close()]));

const connectTo = ({ baseUrl }: LiveServer): Socket =>
  connect(Number(new URL(baseUrl).port), new URL(baseUrl).hostname);

/** Sends bytes unchanged, then one piece repeatedly, and returns the answer when the server closes the connection. */
function talk(text: string, { server = live, piece = "" } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(server);
    let received = "";
    const timer = piece === "" ? null : setInterval(() => socket.write(piece), 50);
    socket.on("data", (data) => {
      received += data.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => {
      if (timer !== null) clearInterval(timer);
      resolve(received);
    });
    if (text !== "") socket.write(text);
  });
}

const path = () => `/v1/vpp/${live.idOf("east")}/status`;
const request = (...headers: string[]): string =>
  [`GET ${path()} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers, "", ""].join("\r\n");
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));

describe("over a socket", () => {
  test("a request is answered", async () => {
    const answer = await talk(request(`Authorization: ${authorization}`, "X-Request-Id: a b"));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/^x-request-id: a b\r$/m);
    expect(bodyOf(answer)).toMatchObject({ vpp_id: live.idOf("east"), status: 0 });
  });

  test.each([
    ["two Authorization headers", () => [`Authorization: ${authorization}`, `Authorization: ${authorization}`]],
    [
      "two Authorization headers in other letters",
      () => [`authorization: ${authorization}`, "AUTHORIZATION: Bearer x"],
    ],
    ["an empty Authorization header", () => ["Authorization:"]],
    ["two tokens in one header", () => [`Authorization: ${authorization}, ${authorization}`]],
    ["a token with bytes of no text", () => ["Authorization: Bearer \xff\xfe"]],
  ])("%s are refused with 401", async (_, headers) => {
    const answer = await talk(request(...headers()));
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(bodyOf(answer)).toMatchObject({ vpp_id: live.idOf("east"), error: { error_type: "authentication_error" } });
  });

  test("two Idempotency-Key headers are refused", async () => {
    const answer = await talk(
      [
        `POST /v1/vpp/${live.idOf("east")}/control/active_power HTTP/1.1`,
        "Host: localhost",
        "Connection: close",
        `Authorization: ${authorization}`,
        "Idempotency-Key: a",
        "Idempotency-Key: a",
        "Content-Type: application/json",
        "Content-Length: 2",
        "",
        "{}",
      ].join("\r\n"),
    );
    expect(bodyOf(answer)).toMatchObject({ error: { code: 400, parameter: "Idempotency-Key" } });
  });

  test.each([
    ["no HTTP", () => "hello\r\n\r\n", 400],
    ["a header without a name", () => request(": x"), 400],
    ["two lengths", () => request("Content-Length: 1", "Content-Length: 2"), 400],
    ["a length and pieces", () => request("Content-Length: 1", "Transfer-Encoding: chunked"), 400],
    ["an endless path", () => `GET /v1/vpp/${"a".repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    ["endless headers", () => request(`X-Padding: ${"a".repeat(100_000)}`), 431],
  ])("%s is answered in JSON and disconnected", async (_, text, status) => {
    const answer = await talk(text());
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/^Content-Type: application\/json; charset=utf-8\r$/m);
    expect(bodyOf(answer)).toMatchObject({ error: { code: status }, timestamp: "2026-04-01T00:00:00Z" });
  });

  const post = (headers: readonly string[], body: string): string =>
    [
      `POST ${path().replace("/status", "/control/active_power")} HTTP/1.1`,
      `Authorization: ${authorization}`,
      "Connection: close",
      "Content-Type: application/json",
      ...headers,
      "",
      body,
    ].join("\r\n");

  test.each([
    [
      "more than 1 MiB in pieces",
      () => post(["Host: localhost", "Transfer-Encoding: chunked"], `100001\r\n${"x".repeat(0x100001)}\r\n0\r\n\r\n`),
      413,
      "A body has at most",
    ],
  ])("%s is refused in the envelope, with the headers of every answer", async (_, text, status, details) => {
    const answer = await talk(text());
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/^x-ratelimit-limit: 200\r$/m);
    expect(bodyOf(answer)).toMatchObject({ vpp_id: live.idOf("east"), error: { code: status } });
    expect(bodyOf(answer).error.details).toMatch(new RegExp(`^${details}`));
  });

  test("requests that come in one piece are answered one by one, in their order", async () => {
    const get = (target: string, ...headers: string[]) =>
      [`GET ${target} HTTP/1.1`, "Host: localhost", `Authorization: ${authorization}`, ...headers, "", ""].join("\r\n");
    const answer = await talk(get("/health") + get(`${path()}x`) + get(path()) + get("/health", "Connection: close"));
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([200, 404, 200, 200].map((status) => `HTTP/1.1 ${status}`));
  });

  test("a client that sends one byte of a header at a time is disconnected", async () => {
    const answer = await talk("GET / HTTP/1.1\r\nX-Slow: ", { server: hasty, piece: "a" });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("a client that does not send its body is disconnected", async () => {
    const head = [
      `POST /v1/vpp/${hasty.idOf("east")}/control/active_power HTTP/1.1`,
      "Host: localhost",
      `Authorization: ${(await hasty.signIn("east")).authorization}`,
      "Content-Type: application/json",
      "Content-Length: 1000",
      "",
      "{",
    ].join("\r\n");
    const answer = await talk(head, { server: hasty, piece: " " });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("an idle connection is closed", async () => {
    await talk("", { server: hasty });
  });

  test("others are answered meanwhile", async () => {
    const slow = Array.from({ length: 50 }, () => connectTo(live));
    await Promise.all(slow.map((socket) => once(socket, "connect")));
    for (const socket of slow) socket.write("GET / HTTP/1.1\r\nX: ");
    const answer = await fetch(live.baseUrl + path(), { headers: { authorization } });
    expect(answer.status).toBe(200);
    for (const socket of slow) socket.destroy();
  });
});
