// Every example of the served descriptions, sent as it stands to the server that gave it.
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSandboxAccess } from "../../src/api/http/sandbox/sandboxAccess.ts";
import { sandboxDescription } from "../../src/api/http/sandbox/sandboxDocument.ts";
import { sandboxPlugin } from "../../src/api/http/sandbox/sandboxPlugin.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import type { Session } from "../../src/live/session/session.ts";
import { FLEET, flowsCsv } from "../conformance/scenarios.ts";
import { IS_DEEP } from "../depth.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { type LiveServer, startLiveServer } from "./liveServer.ts";

let live: LiveServer;

const faceOf = (session: Session) => ({
  readerOf: () => "instructor" as const,
  descriptions: [sandboxDescription(session)],
  plugins: [
    (server: Parameters<typeof sandboxPlugin>[0], _options: object, done: () => void) => {
      const report = join(createTemporaryFolder("examples"), "report");
      server.register(sandboxPlugin, {
        session,
        access: createSandboxAccess({ signingKey: session.signingKey, sandboxToken: null, instructorToken: null }),
        report,
      });
      done();
    },
  ],
});

beforeAll(async () => {
  const files = new Map([
    ["/stage/scenario.yaml", FLEET],
    ["/stage/flows.csv", flowsCsv()],
  ]);
  live = await startLiveServer(faceOf, readServedScenario("/stage/scenario.yaml", memoryFiles(files)));
});
beforeEach(restart);
afterAll(async () => live.close());

async function restart(): Promise<void> {
  await sandbox("clock/pause", {});
  await sandbox("reset", {});
  // A reset leaves them.
  await live.session.httpFaults.endAll();
  await live.session.prepared.replaceAll([]);
}

const sandbox = (path: string, body: object) =>
  fetch(`${live.baseUrl}/sandbox/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

interface Operation {
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
    readonly example?: unknown;
  }[];
  readonly responses: Readonly<
    Record<number, { readonly content?: { readonly "application/json"?: { readonly schema: object } } } | undefined>
  >;
  readonly requestBody?: { readonly content: { readonly "application/json": Media } };
}
interface Media {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Description {
  readonly info: { readonly title: string };
  readonly components: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const NAMES = ["vpp-v1", "site-v2", "site-v1", "sandbox"] as const;
const describeApi = async (name: string): Promise<Description> =>
  (await fetch(`${live.baseUrl}/openapi/${name}.json`)).json() as Promise<Description>;

const METHODS = ["get", "post", "put", "delete"];

/** The names of an operation's bodies; one without a name where there is none. */
function bodiesOf({ requestBody }: Operation): readonly (readonly [string, unknown])[] {
  const media = requestBody?.content["application/json"];
  if (media === undefined) return [["", undefined]];
  if (media.examples === undefined) return [["", media.example]];
  return Object.entries(media.examples).map(([name, { value }]) => [name, value] as const);
}

const validators = new Map<string, ValidateFunction>();

/** Examples change with the instant, schemas do not: each is compiled once. `openapi.test.ts` checks them. */
function validatorOf({ info: { title }, components }: Description, schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
  // References to the same name mean another schema in another description.
  const known = validators.get(title + text);
  if (known !== undefined) return known;
  const ajv = formats.default(new Ajv2020({ strict: false, validateSchema: false }));
  ajv.addSchema({ $id: "api", components });
  const validate = ajv.compile(JSON.parse(text));
  validators.set(title + text, validate);
  return validate;
}

async function send(
  description: Description,
  [method, path]: readonly [string, string],
  body: unknown,
): Promise<number> {
  const operation = description.paths[path][method];
  let url = path;
  const query = new URLSearchParams();
  for (const { name = "", in: place, example, required } of operation.parameters ?? []) {
    if (place === "path" || required === true) expect([path, name, example]).toEqual([path, name, expect.anything()]);
    if (place === "path") url = url.replace(`{${name}}`, String(example));
    if (place === "query" && example !== undefined) query.set(name, String(example));
  }
  const id = /^\/v\d\/(?:vpp|ems)\/([0-9a-f]{32})/.exec(url)?.[1];
  const holder = live.session.credentials.find((credential) => credential.id === id);
  const response = await fetch(`${live.baseUrl}${url}?${query}`, {
    method: method.toUpperCase(),
    headers: {
      ...(holder === undefined ? {} : await live.signIn(holder.name)),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const schema = operation.responses[response.status]?.content?.["application/json"]?.schema;
  if (schema !== undefined) {
    const check = validatorOf(description, schema);
    expect([method, url, check(JSON.parse(text)), check.errors]).toEqual([method, url, true, null]);
  }
  // This session is no drill.
  if (DRILL_ONLY.has(path)) expect([url, response.status]).toEqual([url, 409]);
  else expect([method, url, body, response.status < 300 ? "" : text]).toEqual([method, url, body, ""]);
  return response.status;
}

/** Before the deletion of something: the example that makes it. */
const PREPARATION: Readonly<Record<string, readonly [string, object]>> = {
  "/sandbox/faults/{id}": ["faults", { kind: "warning", site: "a" }],
  "/sandbox/http-faults/{id}": [
    "http-faults",
    { match: { api: "auth", route: "/auth/refresh" }, answer: { latency_ms: 1 } },
  ],
  "/sandbox/checkpoints/{id}/restore": ["checkpoints", {}],
  "/sandbox/initial-conditions/{checkpoint_id}": ["checkpoints", {}],
  "/sandbox/initial-conditions": ["checkpoints", {}],
  "/sandbox/report/latest/{file}": ["report", {}],
  "/sandbox/injects/{id}": ["injects", { kind: "warning", site: "a", at: "2026-04-01T02:00:00Z" }],
};

const DRILL_ONLY: ReadonlySet<string> = new Set(["/sandbox/grade", "/sandbox/grade/progress", "/sandbox/debriefing"]);

/** An outage, which is an alarm at the next evaluation. */
async function raiseAlarm(): Promise<void> {
  await sandbox("faults", { kind: "outage", site: "a" });
  await sandbox("clock/advance", { by: "PT1M" });
}

async function prepare(name: string, path: string, method: string): Promise<void> {
  const made = PREPARATION[path];
  if (made !== undefined) await sandbox(...made);
  if (path.startsWith("/sandbox/prepared/{id}"))
    await sandbox("prepared", { kind: "warning", site: "a", after: "PT1H" });
  if (path.startsWith("/sandbox/alarms/{id}/")) await raiseAlarm();
  if (path.endsWith("/shelve") && method === "delete") await sandbox("alarms/alarm-1/shelve", { for: "PT30M" });
  // An award has a story once it is registered.
  const isStory = /\/(story|label)$/.test(path);
  if (!path.endsWith("/schedules") && !isStory) return;
  const description = await describeApi(isStory ? "vpp-v1" : name);
  for (const [controlPath, { post }] of Object.entries(description.paths)) {
    if (!/control\/(active_)?power$/.test(controlPath)) continue;
    const schedule = bodiesOf(post).find(([each]) => each === "schedule");
    await send(description, ["post", controlPath], schedule?.[1]);
  }
}

/** Before the first award, and while awards run. */
const CLOCKS = IS_DEEP ? ["01:20", "00:00"] : ["01:20"];

describe.each(CLOCKS)("at %s, the examples of", (clock) => {
  test.each(NAMES)("%s are accepted as they stand", async (name) => {
    let count = 0;
    for (const [path, item] of Object.entries((await describeApi(name)).paths))
      for (const [method, operation] of Object.entries(item)) {
        if (!METHODS.includes(method) || path === "/auth/refresh") continue;
        for (const [example] of bodiesOf(operation)) {
          await restart();
          if (clock !== "00:00") await sandbox("clock/advance", { to: `2026-04-01T${clock}:00Z` });
          await prepare(name, path, method);
          // The description of this very instant.
          const current = await describeApi(name);
          const body = bodiesOf(current.paths[path][method]).find(([each]) => each === example)?.[1];
          await send(current, [method, path], body);
          count++;
        }
      }
    expect(count).toBeGreaterThan(10);
  });
});

test("a caller who may not see ids gets fixed examples", async () => {
  const closed = await startLiveServer({});
  const text = await (await fetch(`${closed.baseUrl}/openapi/vpp-v1.json`)).text();
  for (const { id } of closed.session.credentials) expect(text).not.toContain(id);
  expect(text).toContain("0123456789abcdef0123456789abcdef");
  await closed.close();
});
