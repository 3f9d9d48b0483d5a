import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAKE_ROUTES } from "./fakeHost.ts";
import { type Live, serveLive } from "./liveServers.ts";

let live: Live;
let authorization = "";
beforeAll(async () => {
  live = await serveLive({ routes: FAKE_ROUTES, timeouts: { headersMs: 400, requestMs: 800, idleMs: 1_500 } });
  authorization = (await live.signIn("east")).authorization;
});
afterAll(() => live.close());

/** Sends bytes as they are, and gives what comes back until the other side closes. */
function talk(text: string, { pieces = [] as readonly string[], everyMs = 0 } = {}): Promise<string> {
  const { hostname, port } = new URL(live.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = "";
    let k = 0;
    const timer = everyMs === 0 ? null : setInterval(() => k < pieces.length && socket.write(pieces[k++]), everyMs);
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
  [`GET ${path()} HTTP/1.1`, "Host: x", "Connection: close", ...headers, "", ""].join("\r\n");
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
        "Host: x",
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
    ["an endless path", () => `GET /v1/vpp/${"a".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ["endless headers", () => request(`X-Padding: ${"a".repeat(100_000)}`), 431],
  ])("%s is answered in JSON and hung up on", async (_, text, status) => {
    const answer = await talk(text());
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/^Content-Type: application\/json; charset=utf-8\r$/m);
    expect(bodyOf(answer)).toMatchObject({ error: { code: status }, timestamp: "2026-04-01T00:00:00Z" });
  });

  test("one byte of a header at a time is hung up on", async () => {
    const startMs = performance.now();
    const answer = await talk("GET / HTTP/1.1\r\n", {
      pieces: [..."X-Slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
      everyMs: 50,
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });

  test("a body that does not come is hung up on", async () => {
    const head = [
      `POST /v1/vpp/${live.idOf("east")}/control/active_power HTTP/1.1`,
      "Host: x",
      `Authorization: ${authorization}`,
      "Content-Type: application/json",
      "Content-Length: 1000",
      "",
      "{",
    ].join("\r\n");
    const answer = await talk(head, { pieces: new Array<string>(60).fill(" "), everyMs: 50 });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("a connection that says nothing is hung up on", async () => {
    const startMs = performance.now();
    await talk("");
    expect(performance.now() - startMs).toBeLessThan(3_000);
  });

  test("others are answered meanwhile", async () => {
    const slow = Array.from({ length: 50 }, () => talk("GET / HTTP/1.1\r\nX: "));
    const answer = await fetch(live.baseUrl + path(), { headers: { authorization } });
    expect(answer.status).toBe(200);
    await Promise.all(slow);
  });
});
