import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { AllowedHosts } from "../../src/api/http/allowedHosts.ts";
import { type LiveServer, startLiveServer } from "../http/liveServer.ts";

// DNS rebinding: a page of evil.example points its own name at the server and reads the answers as its own.

let live: LiveServer;
let authorization = "";
beforeAll(async () => {
  live = await startLiveServer({ allowedHosts: new AllowedHosts("127.0.0.1", ["vpp.example"]) });
  ({ authorization } = await live.signIn("east"));
});
afterAll(() => live.close());

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Calls a URL with another Host header than that of the URL. */
async function callAs(host: string, url: string, method = "GET", headers: object = {}): Promise<Received> {
  const call = request(url, { method, headers: { authorization, ...headers, host }, agent: false });
  call.end();
  const [response] = await once(call, "response");
  let text = "";
  for await (const piece of response) text += piece;
  return { status: response.statusCode, headers: response.headers, text };
}

const FOREIGN = [
  "evil.example",
  "evil.example:8080",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "127.0.0.1@evil.example",
  "vpp.example.",
  "[::2]",
  "10.0.0.1",
];

describe("a request to a foreign Host is refused before anything else", () => {
  test("if an absolute URL names it, with any Host header", async () => {
    const { port } = new URL(live.baseUrl);
    for (const [name, status] of [
      ["evil.example", 403],
      [`127.0.0.1:${port}`, 200],
    ] as const) {
      const path = `http://${name}/v1/vpp/${live.idOf("east")}/members`;
      const call = request({ port, path, headers: { authorization, host: "localhost" }, agent: false });
      call.end();
      const [response] = await once(call, "response");
      response.resume();
      expect([name, response.statusCode]).toEqual([name, status]);
    }
  });

  test.each(FOREIGN)("%j at every kind of path of the base server", async (host) => {
    const vpp = live.idOf("east");
    for (const path of [
      `/v1/vpp/${vpp}/status`,
      `/v2/ems/${vpp}/status`,
      `/v1/vpp/${vpp}/none`,
      "/v1/vpp/%ff/status",
    ]) {
      const { status, text, headers } = await callAs(host, live.baseUrl + path);
      expect([path, status]).toEqual([path, 403]);
      const { error } = JSON.parse(text);
      expect(error).toMatchObject({ code: 403, error_type: "permission_denied", message: "Permission denied" });
      expect(error.details).toContain(`Found the Host ${host}, allowed`);
      expect(headers).toMatchObject({ "x-ratelimit-remaining": expect.any(String) });
    }
    for (const path of ["/health", "/metrics", "/docs", "/asyncapi.json", "/openapi/vpp-v1.json", "/none"])
      expect([path, (await callAs(host, live.baseUrl + path)).status]).toEqual([path, 403]);
  });

  test.each(FOREIGN)("%j at the token endpoint, so that no token leaves it", async (host) => {
    const refreshToken = `Bearer ${live.refreshTokenOf("east")}`;
    const { status, text } = await callAs(host, `${live.authUrl}/auth/refresh`, "POST", {
      authorization: refreshToken,
    });
    expect([status, text.includes("access_token")]).toEqual([403, false]);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 403, message: "Permission denied" } });
  });

  test("a preflight of a rebound page gets no permission", async () => {
    const port = new URL(live.baseUrl).port;
    const headers = { origin: `http://evil.example:${port}`, "access-control-request-method": "POST" };
    const refused = await callAs("evil.example:9", `${live.authUrl}/auth/refresh`, "OPTIONS", headers);
    expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([403, undefined]);
    const own = { ...headers, origin: `http://localhost:${port}` };
    const allowed = await callAs("localhost:9", `${live.authUrl}/auth/refresh`, "OPTIONS", own);
    expect([allowed.status, allowed.headers["access-control-allow-origin"]]).toEqual([204, own.origin]);
  });

  test("a telemetry upgrade is refused", async () => {
    const url = `${live.baseUrl.replace("http", "ws")}/v1/vpp/${live.idOf("east")}/telemetry`;
    const socket = new WebSocket(url, { headers: { authorization, host: "evil.example" } });
    socket.on("error", () => {});
    const [, response] = await once(socket, "unexpected-response");
    expect(response.statusCode).toBe(403);
    response.destroy();
  });

  test("a refused request counts against no rate limit", async () => {
    const url = `${live.baseUrl}/v1/vpp/${live.idOf("east")}/status`;
    const left = async () => Number((await callAs("localhost", url)).headers["x-ratelimit-remaining"]);
    const before = await left();
    await callAs("evil.example", url);
    expect(await left()).toBe(before - 1);
  });
});

test.each(["localhost", "LOCALHOST:1", "127.0.0.1", "127.9.9.9:80", "[::1]:8080", "vpp.example", "VPP.example:99"])(
  "%s is answered",
  async (host) => {
    expect((await callAs(host, `${live.baseUrl}/v1/vpp/${live.idOf("east")}/status`)).status).toBe(200);
    expect((await callAs(host, `${live.baseUrl}/health`)).status).toBe(200);
  },
);

test.each<[listenAddress: string, host: string, isAllowed: boolean]>([
  ["192.168.1.5", "192.168.1.5:8080", true],
  ["192.168.1.5", "192.168.1.6", false],
  ["192.168.1.5", "localhost", true],
  ["grid.example", "Grid.Example", true],
  ["grid.example", "a.grid.example", false],
  ["0.0.0.0", "10.1.2.3:8080", true],
  ["::", "[fd00::1]:8080", true],
  ["::", "10.1.2.3", true],
  ["0.0.0.0", "grid.example", false],
  ["fd00::1", "[fd00::1]", true],
  ["fd00::1", "[fd00::2]", false],
  ["0.0.0.0", "10.1.2.3:8080, evil.example", false],
  ["0.0.0.0", "1.2.3.4.5", false],
])("listening on %s, the Host %s: %s", (listenAddress, host, isAllowed) => {
  expect(new AllowedHosts(listenAddress).allows(host)).toBe(isAllowed);
});
