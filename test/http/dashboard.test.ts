import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PageFile, readPageFiles } from "../../src/api/http/builtPage.ts";
import { dashboardPlugin } from "../../src/api/http/dashboard/dashboardPlugin.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { type LiveServer, startLiveServer } from "./liveServer.ts";

const serve = (files: readonly PageFile[]): Promise<LiveServer> =>
  startLiveServer({
    plugins: [
      dashboardPlugin({
        files,
        version: "1.2.3",
        authPort: () => 4242,
        sessionOf: () => ({ trainee_token: null, separated: false, drill: null }),
      }),
    ],
  });

describe("the browser page", () => {
  const folder = createTemporaryFolder("dashboard");
  let server: LiveServer;
  beforeAll(async () => {
    mkdirSync(join(folder, "assets"));
    writeFileSync(join(folder, "index.html"), "<!doctype html><title>page</title>");
    writeFileSync(join(folder, "assets/index-abc.js"), "export {};");
    writeFileSync(join(folder, "secret.key"), "not a file of the page");
    server = await serve(readPageFiles(folder));
  });
  afterAll(() => server.close());

  test.each(["/", "/instructor"])(
    "is served at %s, and may call its own server and the token endpoint alone",
    async (path) => {
      const answer = await fetch(`${server.baseUrl}${path}`);
      expect([answer.status, await answer.text()]).toEqual([200, "<!doctype html><title>page</title>"]);
      const policy = answer.headers.get("content-security-policy") ?? "";
      const host = new URL(server.baseUrl).host;
      expect(policy.split("; ")).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "frame-ancestors 'none'",
          `connect-src 'self' http://127.0.0.1:4242 ws://${host} wss://${host}`,
        ]),
      );
    },
  );

  test("has its hashed files for ever, and reads no other file", async () => {
    const asset = await fetch(`${server.baseUrl}/dashboard/assets/index-abc.js`);
    expect([asset.status, await asset.text()]).toEqual([200, "export {};"]);
    expect(asset.headers.get("cache-control")).toMatch(/immutable/);
    for (const path of ["secret.key", "assets/%2e%2e/secret.key", "..%2f..%2fetc%2fpasswd", "assets/", "index.html"])
      expect([path, (await fetch(`${server.baseUrl}/dashboard/${path}`)).status]).toEqual([path, 404]);
  });

  test("learns where the server and the token endpoint are", async () => {
    const answer = await fetch(`${server.baseUrl}/dashboard/config.json`);
    expect(await answer.json()).toEqual({
      api_url: server.baseUrl,
      auth_url: "http://127.0.0.1:4242",
      version: "1.2.3",
      trainee_token: null,
      separated: false,
      drill: null,
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("says how to build it where it is not built", async () => {
    const unbuilt = await serve(readPageFiles(join(folder, "assets")));
    const answer = await fetch(`${unbuilt.baseUrl}/`);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain("npm run build");
    await unbuilt.close();
  });
});
