import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LiveServer, startLiveServer } from "./liveServer.ts";

let live: LiveServer;
beforeAll(async () => {
  live = await startLiveServer();
});
afterAll(async () => live.close());

const json = async (url: string) => (await fetch(url)).json() as Promise<never>;

describe("the descriptions of a server", () => {
  test("name its own authentication host and telemetry host", async () => {
    const { paths } = (await json(`${live.baseUrl}/openapi/vpp-v1.json`)) as {
      readonly paths: Readonly<Record<string, { readonly servers: readonly { readonly url: string }[] }>>;
    };
    expect(paths["/auth/refresh"].servers[0].url).toBe(live.authUrl);
    const { servers } = (await json(`${live.baseUrl}/asyncapi.json`)) as {
      readonly servers: { readonly session: { readonly host: string } };
    };
    expect(`http://${servers.session.host}`).toBe(live.baseUrl);
  });

  test("let the page call its authentication host, and no other", async () => {
    const { headers } = await fetch(`${live.baseUrl}/docs`);
    expect(headers.get("content-security-policy")).toContain(`connect-src 'self' ${live.authUrl};`);
  });

  test("describe the telemetry on the page, with every type of message", async () => {
    const page = await (await fetch(`${live.baseUrl}/docs`)).text();
    for (const type of ["hello", "status", "member_status", "schedule", "instruction", "fault", "clock", "gap"])
      expect(page).toContain(`<td><code>${type}</code></td>`);
    expect(page).toContain(`ws://${new URL(live.baseUrl).host}/v1/vpp/{vpp_id}/telemetry`);
  });
});

describe("the authentication host", () => {
  const preflight = (origin: string) =>
    fetch(`${live.authUrl}/auth/refresh`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
    });

  test("admits the page of its own server, by the name under which it was called", async () => {
    const answer = await preflight(live.baseUrl);
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe(live.baseUrl);
    expect(answer.headers.get("access-control-allow-headers")).toMatch(/Authorization/);
    const refused = await fetch(`${live.authUrl}/auth/refresh`, { method: "POST", headers: { origin: live.baseUrl } });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, live.baseUrl]);
  });

  test("admits no other page", async () => {
    const { port } = new URL(live.baseUrl) as { readonly port: string };
    for (const origin of ["http://evil.example", `http://localhost:${port}`, live.authUrl, "null"]) {
      const answer = await preflight(origin);
      expect([origin, answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([origin, 405, null]);
    }
  });

  test("answers an unknown caller without an id, as its description says", async () => {
    const answer = await fetch(`${live.authUrl}/auth/refresh`, { method: "POST" });
    const body = (await answer.json()) as Readonly<Record<string, unknown>>;
    expect(Object.keys(body)).toEqual(["error", "timestamp"]);
    expect(body.error).toMatchObject({ code: 401, error_type: "authentication_error" });
  });
});
