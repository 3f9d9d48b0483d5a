import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { FastifyInstance } from "fastify";
import { describe, expect, test } from "vitest";
import type { ApiName } from "../../src/api/endpoints/route.ts";
import { ROUTES } from "../../src/api/endpoints/routes.ts";
import { ERROR_CATALOGUE } from "../../src/api/endpoints/shared/errorCatalogue.ts";
import { FIXED_EXAMPLES } from "../../src/api/http/openapi/exampleValues.ts";
import { openApiDocument } from "../../src/api/http/openapi/openApiDocument.ts";
import { sandboxDocument } from "../../src/api/http/sandbox/sandboxDocument.ts";
import { asyncApiDocument } from "../../src/api/http/telemetry/asyncApiDocument.ts";
import { DOCUMENTED_ROUTES, FAKE_ROUTES, FakeHost, fakeServers, ROUTE_TABLES } from "./fakeHost.ts";

const APIS: readonly ApiName[] = ["vpp-v1", "site-v2", "site-v1"];
const require = createRequire(import.meta.url);
/** The descriptions of the real tables, as JSON: what a client gets. */
const documentOf = (api: ApiName) => JSON.parse(JSON.stringify(openApiDocument(api, ROUTE_TABLES[api])));

describe("the OpenAPI description", () => {
  test.each(APIS)("of %s lists every row of its table, and the token endpoint", (api) => {
    const { paths } = documentOf(api) as { readonly paths: Record<string, Record<string, unknown>> };
    const listed = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).flatMap((method) => (method === "servers" ? [] : [`${method.toUpperCase()} ${path}`])),
    );
    const prefix = { "vpp-v1": "/v1/vpp/{vpp_id}", "site-v2": "/v2/ems/{id}", "site-v1": "/v1/ems/{ems_id}" }[api];
    expect(listed.sort()).toEqual(
      ["POST /auth/refresh", ...ROUTE_TABLES[api].map(({ method, path }) => `${method} ${prefix}${path}`)].sort(),
    );
  });

  test.each(APIS)("of %s lists rows of the document only", (api) => {
    const strangers = ROUTES[api].filter(({ method, path }) => !DOCUMENTED_ROUTES[api].includes(`${method} ${path}`));
    expect(strangers.map(({ path }) => path)).toEqual([]);
    const ids = ROUTE_TABLES[api].map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(APIS)("of %s has examples that satisfy its own schemas", (api) => {
    const document = documentOf(api);
    const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
    ajv.addSchema({ $id: "api", components: document.components });
    const local = (schema: unknown) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'));
    let count = 0;
    const visit = (node: unknown): void => {
      if (node === null || typeof node !== "object") return;
      const { schema, example, examples } = node as Record<string, unknown>;
      if (schema !== undefined && !("in" in node)) {
        const check = ajv.compile(local(schema));
        const named = examples as Readonly<Record<string, { readonly value: unknown }>> | undefined;
        const values = named === undefined ? [example] : Object.values(named).map(({ value }) => value);
        for (const value of values) {
          count++;
          expect([check(value), check.errors, value]).toEqual([true, null, value]);
        }
        return;
      }
      for (const inner of Object.values(node)) visit(inner);
    };
    visit(document.paths);
    expect(count).toBeGreaterThan(2);
  });

  test("names each error of the catalogue that it can answer with, by endpoint", () => {
    const named = new Set(
      APIS.flatMap((api) =>
        [...JSON.stringify(documentOf(api)).matchAll(/"(\w+)":\{"value"/g)].map(([, kind]) => kind),
      ),
    );
    const never = Object.keys(ERROR_CATALOGUE).filter((kind) => !named.has(kind));
    // Said of paths that are no row of a table.
    expect(never).toEqual(["endpoint_not_found"]);
  });
});

/** Schemas of bodies and answers that have no name. */
function* inlineSchemas(node: unknown, path: string): Generator<string> {
  if (node === null || typeof node !== "object") return;
  for (const [key, inner] of Object.entries(node)) {
    if (key === "content")
      for (const { schema = {} } of Object.values(inner as Record<string, { schema?: Record<string, object> }>)) {
        const propertyCount = Object.keys(schema.properties ?? {}).length;
        if (propertyCount > 1 || "anyOf" in schema || "items" in schema) yield path;
      }
    else yield* inlineSchemas(inner, `${path} ${key}`);
  }
}

describe("named schemas", () => {
  test.each(APIS)("of %s are all bodies and answers of its operations, each used", (api) => {
    const document = documentOf(api);
    expect([...inlineSchemas(document.paths, api)]).toEqual([]);
    const text = JSON.stringify(document);
    for (const name of Object.keys(document.components.schemas))
      expect(text).toContain(`"$ref":"#/components/schemas/${name}"`);
  });

  test("of the sandbox are all bodies and answers of its operations", () => {
    const document = JSON.parse(JSON.stringify(sandboxDocument(null)));
    expect([...inlineSchemas(document.paths, "sandbox")]).toEqual([]);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(["HttpFault", "RequestEntry"]));
  });
});

describe("requirements of the documents", () => {
  type Node = Readonly<Record<string, unknown>>;
  const at = (node: unknown, ...path: readonly (string | number)[]): Node =>
    path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], node) as Node;
  const parameter = (operation: Node, name: string): Node =>
    (operation.parameters as readonly Node[]).find((each) => each.name === name) as Node;

  test("ids have their pattern, and the description names a contact", () => {
    for (const api of APIS) {
      const document = documentOf(api);
      expect(document.info.contact).toEqual({ name: "vppsim maintainers" });
      for (const [path, item] of Object.entries<Node>(document.paths))
        if (path !== "/auth/refresh")
          for (const operation of Object.values(item) as Node[])
            expect((operation.parameters as Node[])[0].schema).toMatchObject({ pattern: "^[0-9a-f]{32}$" });
    }
  });

  test("include_components is a boolean in both forms of the status", () => {
    for (const form of ["status", "status/details"]) {
      const operation = at(documentOf("vpp-v1").paths, `/v1/vpp/{vpp_id}/${form}`, "get");
      expect(parameter(operation, "include_components").schema).toEqual({ type: "boolean" });
    }
  });

  test("a request has at most 336 baseline slots; consumer_kind is one of a list", () => {
    const { schemas } = documentOf("site-v2").components;
    expect(at(schemas, "BaselineRegistration", "properties", "baselines").maxItems).toBe(336);
    const component = at(schemas, "Component", "properties");
    expect(at(component, "consumer_kind").enum).toContain("cold_storage");
    expect(at(component, "min_dr_duration_minutes")).toMatchObject({ minimum: 1, maximum: 1440 });
  });

  test("a schedule's sku and the last dispatch status have no value that is never answered", () => {
    const schema = (api: ApiName, name: string) => JSON.stringify(at(documentOf(api).components.schemas, name));
    expect(schema("vpp-v1", "Schedule")).not.toContain("mixed");
    expect(schema("vpp-v1", "StatusDetails")).not.toContain('"pending"');
    expect(schema("site-v2", "StatusDetails")).not.toContain("skipped_");
  });

  test("1.13 lists 403 and 503 everywhere, the token endpoint included, and shows no required_action", () => {
    const { paths, components } = documentOf("site-v1");
    for (const item of Object.values<Node>(paths))
      for (const [method, operation] of Object.entries(item))
        if (method !== "servers")
          expect(Object.keys(at(operation, "responses"))).toEqual(expect.arrayContaining(["403", "503"]));
    expect(JSON.stringify([paths, components])).not.toContain("required_action");
  });
});

describe("the AsyncAPI description", () => {
  test("is one of AsyncAPI 3.0, by the specification's own schema", () => {
    const schema = JSON.parse(
      readFileSync(
        join(dirname(require.resolve("@asyncapi/specs/package.json")), "schemas/3.0.0-without-$id.json"),
        "utf8",
      ),
    );
    const ajv = formats.default(new Ajv({ strict: false, allErrors: false, logger: false }));
    const check = ajv.compile(schema);
    for (const tables of [ROUTE_TABLES, FAKE_ROUTES]) {
      const valid = check(JSON.parse(JSON.stringify(asyncApiDocument(tables))));
      expect([valid, check.errors]).toEqual([true, null]);
    }
    expect(check({ asyncapi: "3.0.0", info: { title: "x" } })).toBe(false);
  });

  test("has an example of each message, which satisfies its schema", () => {
    const { components } = JSON.parse(JSON.stringify(asyncApiDocument(ROUTE_TABLES)));
    const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
    const messages = Object.values<{ payload: object; examples: [{ payload: object }] }>(components.messages);
    expect(messages.length).toBeGreaterThan(16);
    for (const { payload, examples } of messages) {
      const valid = ajv.validate(payload, examples[0].payload);
      expect([valid, ajv.errors, examples[0].payload]).toEqual([true, null, examples[0].payload]);
    }
  });
});

describe("the server", () => {
  test("serves its descriptions and a self-contained page", async () => {
    const { base } = fakeServers(new FakeHost());
    for (const api of APIS) {
      const answer = await base.inject({ url: `/openapi/${api}.json` });
      expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(answer.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(api, FAKE_ROUTES[api]))));
    }
    expect((await base.inject({ url: "/asyncapi.json" })).json().asyncapi).toBe("3.0.0");
    const page = await base.inject({ url: "/docs" });
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    const linked = [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, url]) => url);
    expect(linked.length).toBe(5);
    expect(page.body).not.toMatch(/(?:src|href)="http/);
    for (const url of linked) {
      const file = await base.inject({ url });
      expect([url, file.statusCode]).toEqual([url, 200]);
      expect(file.body.length).toBeGreaterThan(100);
    }
  });

  test("names the authentication host to a client that asks for a token elsewhere", async () => {
    const { base, auth } = fakeServers(new FakeHost());
    await auth.listen({ port: 0, host: "127.0.0.1" });
    const { port } = auth.server.address() as { readonly port: number };
    const answer = await base.inject({ method: "POST", url: "/auth/refresh", headers: { host: "localhost:1" } });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().error.details).toContain(`tokens are at POST http://localhost:${port}/auth/refresh`);
    await auth.close();
    const url = "http://example.test:81";
    const refresh = openApiDocument("vpp-v1", ROUTE_TABLES["vpp-v1"], { authUrl: url, examples: FIXED_EXAMPLES }).paths;
    const item = (refresh as Record<string, { servers: object[]; post: { servers: object[] } }>)["/auth/refresh"];
    expect([item.servers, item.post.servers]).toMatchObject([[{ url }], [{ url }]]);
  });

  test("reports its health, and counts its answers", async () => {
    const { base } = fakeServers(new FakeHost());
    expect((await base.inject({ url: "/health" })).json()).toEqual({ status: "ok", now: "2026-04-01T00:00:00Z" });
    await base.inject({ url: "/nowhere" });
    const { body, headers } = await base.inject({ url: "/metrics" });
    expect(headers["content-type"]).toMatch("text/plain");
    const value = (line: string) =>
      Number(
        body
          .split("\n")
          .find((text) => text.startsWith(`${line} `))
          ?.split(" ")
          .at(-1),
      );
    expect(value('vppsim_http_requests_total{method="GET",route="/health",status="200"}')).toBe(1);
    expect(value('vppsim_http_requests_total{method="GET",route="unknown",status="404"}')).toBe(1);
    expect(value('vppsim_http_request_seconds_count{method="GET",route="/health"}')).toBe(1);
    expect(value("vppsim_simulated_time_seconds")).toBe(Date.UTC(2026, 3, 1) / 1000);
    expect(value("vppsim_events_total")).toBe(7);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(value("vppsim_lag_seconds")).toBe(0);
    expect(value("vppsim_telemetry_readers")).toBe(0);
    expect(value('vppsim_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
  });

  test("of a separated session counts neither calls of the sandbox nor events, which would reveal the instructor's", async () => {
    const metricsOf = async (isSeparated: boolean) => {
      const plugins = [
        (server: FastifyInstance, _options: unknown, done: () => void) => {
          server.delete("/sandbox/faults/:id", async () => ({}));
          done();
        },
      ];
      const { base } = fakeServers(new FakeHost(), { isSeparated, plugins });
      await base.inject({ method: "DELETE", url: "/sandbox/faults/fault-1" });
      await base.inject({ url: "/health" });
      return (await base.inject({ url: "/metrics" })).body;
    };
    const [whole, separated] = [await metricsOf(false), await metricsOf(true)];
    for (const line of ['method="DELETE",route="/sandbox/faults/:id"', "vppsim_events_total 7"]) {
      expect(whole).toContain(line);
      expect(separated).not.toContain(line);
    }
    expect(separated).not.toMatch(/^vppsim_(events|http_request).*sandbox/m);
    expect(separated).toContain('vppsim_http_requests_total{method="GET",route="/health",status="200"} 1');
  });
});
