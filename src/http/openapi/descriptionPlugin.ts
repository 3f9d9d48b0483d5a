import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyPluginCallback } from "fastify";
import type { ApiName, Route } from "../../endpoints/route.ts";
import { JSON_TYPE } from "../reply.ts";
import { API_INFO, openApiDocument } from "./openApiDocument.ts";

/** Files of the reference page, with their media types; the page loads nothing from other servers. */
const FILES: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "swagger-ui-standalone-preset.js": "text/javascript; charset=utf-8",
};

/** Serves the descriptions of the APIs, and a page to read and try them. */
export function descriptionPlugin(
  routes: Readonly<Record<ApiName, readonly Route[]>>,
  asyncApi: () => object,
): FastifyPluginCallback {
  return (server, _options, done) => {
    for (const api of Object.keys(API_INFO) as ApiName[]) {
      const text = memoize(() => JSON.stringify(openApiDocument(api, routes[api])));
      server.get(`/openapi/${api}.json`, (_request, reply) => reply.header("content-type", JSON_TYPE).send(text()));
    }
    const telemetry = memoize(() => JSON.stringify(asyncApi()));
    server.get("/asyncapi.json", (_request, reply) => reply.header("content-type", JSON_TYPE).send(telemetry()));
    const html = { "content-type": "text/html; charset=utf-8", "content-security-policy": CONTENT_SECURITY_POLICY };
    server.get("/docs", (_request, reply) => reply.headers(html).send(PAGE));
    // Browsers request one; there is none.
    server.get("/favicon.ico", (_request, reply) => reply.code(204).send());
    server.get("/docs/start.js", (_request, reply) =>
      reply.header("content-type", FILES["swagger-ui-bundle.js"]).send(START_SCRIPT),
    );
    const folder = memoize(pageFolder);
    for (const [name, type] of Object.entries(FILES)) {
      const content = memoize(() => readFileSync(join(folder(), name)));
      server.get(`/docs/${name}`, (_request, reply) => reply.header("content-type", type).send(content()));
    }
    done();
  };
}

/** The built package has the files beside this module; the source tree has them where the build copies them from. */
function pageFolder(): string {
  const builtFolder = fileURLToPath(new URL("page", import.meta.url));
  if (existsSync(builtFolder)) return builtFolder;
  return join(dirname(createRequire(import.meta.url).resolve("@fastify/swagger-ui/package.json")), "static");
}

/** Computes a value on first use: most sessions never serve their description. */
function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Only own resources; the reference page has inline styles. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>vppsim APIs</title><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body>
<div id="page"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/swagger-ui-standalone-preset.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START_SCRIPT = `SwaggerUIBundle({
  dom_id: "#page",
  urls: ${JSON.stringify(Object.entries(API_INFO).map(([api, { title }]) => ({ url: `/openapi/${api}.json`, name: title })))},
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: "StandaloneLayout",
  validatorUrl: null,
});
`;
