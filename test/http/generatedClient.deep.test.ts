import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROUTES } from "../../src/api/endpoints/routes.ts";
import { openApiDocument } from "../../src/api/http/openapi/openApiDocument.ts";
import { sandboxDocument } from "../../src/api/http/sandbox/sandboxDocument.ts";
import { PROJECT_ROOT } from "../tidySource.ts";
import { type LiveServer, startLiveServer } from "./liveServer.ts";

const require = createRequire(import.meta.url);
const APIS = ["vpp-v1", "site-v2", "site-v1", "sandbox"] as const;
let folder = "";
let live: LiveServer;

beforeAll(async () => {
  // Below the project, so that the generated code finds its packages.
  mkdirSync(join(PROJECT_ROOT, "reports"), { recursive: true });
  folder = mkdtempSync(join(PROJECT_ROOT, "reports", "generated-client-"));
  for (const api of APIS) {
    const document = api === "sandbox" ? sandboxDocument(null) : openApiDocument(api, ROUTES[api]);
    writeFileSync(join(folder, `${api}.json`), JSON.stringify(document));
  }
  live = await startLiveServer();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await live.close();
});

/** Runs a script of a package, or of the folder, while the server answers. @returns what it prints; errors too */
async function node(script: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...env } };
  return promisify(execFile)(process.execPath, [script, ...args], options).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
}
const scriptOf = (name: string, ...path: string[]) => join(dirname(require.resolve(`${name}/package.json`)), ...path);

/** @returns the errors of the compiler */
const compile = (files: readonly string[], options: readonly string[]) =>
  node(scriptOf("typescript", "bin", "tsc"), [
    ...["--strict", "--module", "nodenext", "--moduleResolution", "nodenext", "--target", "es2022"],
    ...["--types", "node", "--ignoreConfig", ...options, ...files],
  ]);

/** A program that a client's author might write: it must compile against the generated types, wrong ones must not. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { components, paths } from "./vpp-v1.d.ts";

type Schemas = components["schemas"];
type IsAny<T> = 0 extends 1 & T ? true : false;
type HasAny<T> =
  IsAny<T> extends true ? true
  : T extends readonly (infer Item)[] ? HasAny<Item>
  : T extends object ? { [Key in keyof T]-?: HasAny<T[Key]> }[keyof T]
  : false;
const hasAny: { readonly [Name in "Member" | "Schedule" | "ApiError"]: HasAny<Schemas[Name]> } =
  { Member: false, Schedule: false, ApiError: false };
// @ts-expect-error: this type has one
const hasNone: HasAny<{ a: any[] }> = false;

const { BASE_URL, AUTH_URL, VPP_ID, REFRESH_TOKEN } = process.env as Record<string, string>;
const auth = createClient<paths>({ baseUrl: AUTH_URL });
const signIn = await auth.POST("/auth/refresh", { headers: { authorization: "Bearer " + REFRESH_TOKEN } });
const headers = { authorization: "Bearer " + signIn.data?.access_token };
const client = createClient<paths>({ baseUrl: BASE_URL, headers });
const path = { vpp_id: VPP_ID };
const { data, error } = await client.GET("/v1/vpp/{vpp_id}/members", { params: { path } });
if (error !== undefined) throw new Error(error.error.message);
const members: Schemas["Member"][] = data.members;
const posted = await client.POST("/v1/vpp/{vpp_id}/control/active_power", {
  params: { path, header: { "Idempotency-Key": "k" } },
  body: {
    type: "immediate", delta_kw: -5, duration_minutes: 10,
    member_baselines: [{ ems_id: members[0].ems_id, baseline_kw: 0 }],
  },
});
const refusal: Schemas["ApiError"] | undefined = posted.error;
const listed = await client.GET("/v1/vpp/{vpp_id}/control/active_power/schedules", { params: { path } });
const schedules: Schemas["Schedule"][] = listed.data?.schedules ?? [];
console.log(JSON.stringify([members.map(({ resource_type }) => resource_type), refusal?.error.error_type, schedules.map(({ sku }) => sku), hasAny, hasNone]));

export async function wrong(): Promise<void> {
  // @ts-expect-error: no such path
  await client.GET("/v1/vpp/{vpp_id}/weather", {});
  // @ts-expect-error: a number is wanted
  const text: string = members[0].allocation_weight;
  // @ts-expect-error: no such product
  const sku: Schemas["Schedule"]["sku"] = "weather";
  console.log(text, sku);
}
`;

test("a client of openapi-typescript compiles with types of its own for members, schedules and errors, and drives the server", async () => {
  for (const api of APIS) {
    const file = join(folder, `${api}.d.ts`);
    await node(scriptOf("openapi-typescript", "bin", "cli.js"), [`${api}.json`, "-o", file]);
    expect(readFileSync(file, "utf8")).toMatch("export interface paths");
  }
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  const files = ["program.ts", ...APIS.map((api) => `${api}.d.ts`)];
  expect(await compile(files, ["--rewriteRelativeImportExtensions"])).toBe("");
  const output = await node("program.js", [], {
    BASE_URL: live.baseUrl,
    AUTH_URL: live.authUrl,
    VPP_ID: live.idOf("east"),
    REFRESH_TOKEN: live.refreshTokenOf("east"),
  });
  expect(JSON.parse(output)).toEqual([
    ["battery", "battery", "consumer"],
    "member_baselines_incomplete",
    ["frr"],
    { Member: false, Schedule: false, ApiError: false },
    false,
  ]);
});

test("hey-api generates a client from each description, which compiles", async () => {
  for (const api of APIS)
    expect(
      await node(scriptOf("@hey-api/openapi-ts", "bin", "run.js"), ["-i", `${api}.json`, "-o", `hey/${api}`]),
    ).toMatch("Done");
  const files = APIS.map((api) => join("hey", api, "index.ts"));
  expect(await compile(files, ["--noEmit", "--skipLibCheck"])).toBe("");
  const types = readFileSync(join(folder, "hey", "vpp-v1", "types.gen.ts"), "utf8");
  for (const name of ["Member", "Schedule", "ApiError"]) expect(types).toMatch(`export type ${name} = {`);
  expect(types).not.toMatch(/[:<|] any\b/);
});
