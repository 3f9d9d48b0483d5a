import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from "fastify";
import type { SandboxRole } from "../../../live/session/sandboxReads.ts";
import type { ApiName, Route } from "../../endpoints/route.ts";
import type { ApiHost } from "../apiHost.ts";
import { siblingUrl } from "../paths.ts";
import { JSON_TYPE } from "../reply.ts";
import { asyncApiDocument } from "../telemetry/asyncApiDocument.ts";
import { currentExamples, FIXED_EXAMPLES } from "./exampleValues.ts";
import { API_INFO, type DescriptionContext, OFFLINE_CONTEXT, openApiDocument } from "./openApiDocument.ts";
import { contentSecurityPolicy, referencePage, START_SCRIPT, startSettings } from "./referencePage.ts";

/** Description of a plugin's endpoints, for the reference page. */
export interface PageDescription {
  /** As in `/openapi/<name>.json`. */
  readonly name: string;
  readonly title: string;
  /** The OpenAPI document with the examples that a reader may see; `null`: those of no scenario. */
  document(reader: SandboxRole | null): object;
}

interface DescriptionOptions {
  readonly host: ApiHost;
  readonly routes: Readonly<Record<ApiName, readonly Route[]>>;
  /** Port of the authentication host; `null` before it listens. */
  readonly authPort: () => number | null;
  readonly readerOf: ((request: FastifyRequest) => SandboxRole | null) | undefined;
  readonly descriptions: readonly PageDescription[];
}

/** Files of the reference page, with their media types; the page loads nothing from other servers. */
const FILES: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "swagger-ui-standalone-preset.js": "text/javascript; charset=utf-8",
};

/** Serves the descriptions of the APIs, and a page to read and try them (docs/model/apis.md#reference-page). */
export function descriptionPlugin(options: DescriptionOptions): FastifyPluginCallback {
  const { host, routes, descriptions, readerOf = () => null } = options;
  const authUrlOf = ({ headers }: FastifyRequest): string =>
    siblingUrl(headers.host, options.authPort()) ?? OFFLINE_CONTEXT.authUrl;
  const contextOf = (request: FastifyRequest): DescriptionContext => ({
    authUrl: authUrlOf(request),
    examples: readerOf(request) === null ? FIXED_EXAMPLES : currentExamples(host.context),
  });
  const asyncApi = (request: FastifyRequest) => asyncApiDocument(routes, request.headers.host);
  return (server, _options, done) => {
    for (const api of Object.keys(API_INFO) as ApiName[])
      server.get(`/openapi/${api}.json`, (request, reply) =>
        sendJson(reply, openApiDocument(api, routes[api], contextOf(request))),
      );
    for (const { name, document } of descriptions)
      server.get(`/openapi/${name}.json`, (request, reply) => sendJson(reply, document(readerOf(request))));
    server.get("/asyncapi.json", (request, reply) => sendJson(reply, asyncApi(request)));
    server.get("/docs", (request, reply) => {
      const authUrl = authUrlOf(request);
      return reply
        .headers({
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": contentSecurityPolicy(authUrl),
        })
        .send(referencePage(startSettings({ authUrl, descriptions, routes }), asyncApi(request)));
    });
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

const sendJson = (reply: FastifyReply, document: object): FastifyReply =>
  reply.header("content-type", JSON_TYPE).send(JSON.stringify(document));

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
