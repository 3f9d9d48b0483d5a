import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import createFetchClient from "openapi-fetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROUTES } from "../../src/api/endpoints/routes.ts";
import { openApiDocument } from "../../src/api/http/openapi/openApiDocument.ts";
import { PROJECT_ROOT } from "../tidySource.ts";
import { CheckedFetch } from "./checkedFetch.ts";
import { type LiveServer, startLiveServer } from "./liveServer.ts";

const require = createRequire(import.meta.url);
let folder = "";
let live: LiveServer;

beforeAll(async () => {
  // Below the project, so that the generated code finds its packages.
  mkdirSync(join(PROJECT_ROOT, "reports"), { recursive: true });
  folder = mkdtempSync(join(PROJECT_ROOT, "reports", "generated-client-"));
  live = await startLiveServer();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await live.close();
});

/** A program that a client's author might write: it must compile against the generated types, wrong ones must not. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { paths } from "./vpp-v1.d.ts";
const client = createClient<paths>({ baseUrl: "http://127.0.0.1" });
export async function run(vpp_id: string): Promise<number> {
  const { data, error } = await client.GET("/v1/vpp/{vpp_id}/status", { params: { path: { vpp_id } } });
  if (error !== undefined) throw new Error(error.error.message);
  const first: number | null | undefined = data.members[0]?.current_kw;
  const posted = await client.POST("/v1/vpp/{vpp_id}/control/active_power", {
    params: { path: { vpp_id }, header: { "Idempotency-Key": "k" } },
    body: { type: "immediate", delta_kw: -5, duration_minutes: 10, member_baselines: [{ ems_id: vpp_id, baseline_kw: 0 }] },
  });
  if (posted.error !== undefined) throw new Error(posted.error.error.message);
  // @ts-expect-error: no such path
  await client.GET("/v1/vpp/{vpp_id}/weather", {});
  // @ts-expect-error: a number is wanted
  const wrong: string = data.current_kw;
  return (first ?? 0) + wrong.length;
}
`;

test("a client that is generated from the descriptions compiles", () => {
  const cli = join(dirname(require.resolve("openapi-typescript/package.json")), "bin", "cli.js");
  for (const api of ["vpp-v1", "site-v2", "site-v1"] as const) {
    const file = join(folder, `${api}.json`);
    writeFileSync(file, JSON.stringify(openApiDocument(api, ROUTES[api])));
    execFileSync(process.execPath, [cli, file, "-o", join(folder, `${api}.d.ts`)], { cwd: folder, stdio: "ignore" });
    expect(readFileSync(join(folder, `${api}.d.ts`), "utf8")).toMatch("export interface paths");
  }
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
  const options = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--moduleResolution",
    "nodenext",
    "--target",
    "es2022",
  ];
  const rest = ["--allowImportingTsExtensions", "--types", "node", "--ignoreConfig"];
  const files = ["program.ts", "site-v2.d.ts", "site-v1.d.ts"];
  try {
    execFileSync(process.execPath, [tsc, ...options, ...rest, ...files], { cwd: folder, encoding: "utf8" });
  } catch (error) {
    expect((error as { readonly stdout: string }).stdout).toBe("");
  }
});

test("and drives the server", async () => {
  const { fetch: checked } = new CheckedFetch(live.baseUrl);
  const headers = await live.signIn("east");
  type Paths = Record<string, Record<"get" | "post", object>>;
  const client = createFetchClient<Paths>({ baseUrl: live.baseUrl, headers, fetch: (request) => checked(request) });
  const vpp_id = live.idOf("east");
  const status = await client.GET("/v1/vpp/{vpp_id}/status" as never, { params: { path: { vpp_id } } } as never);
  expect(status.data).toMatchObject({ vpp_id, status: 0 });
  const body = { type: "immediate", delta_kw: -5, duration_minutes: 10, member_baselines: [] };
  const refused = await client.POST(
    "/v1/vpp/{vpp_id}/control/active_power" as never,
    { params: { path: { vpp_id } }, body } as never,
  );
  expect(refused.error).toMatchObject({ vpp_id, error: { code: 400, error_type: "member_baselines_required" } });
});
