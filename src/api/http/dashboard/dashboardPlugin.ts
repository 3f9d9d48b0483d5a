import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from "fastify";
import { type PageFile, pageFilesPlugin } from "../builtPage.ts";
import { siblingUrl } from "../paths.ts";
import { JSON_TYPE } from "../reply.ts";

/** What the page learns about the session before it has a role (docs/model/sandbox.md#dashboard). */
interface DashboardSession {
  /** For this caller; `null`: the person enters a token, or none is needed. */
  readonly trainee_token: string | null;
  readonly separated: boolean;
  /** Name of the drill. */
  readonly drill: string | null;
}

interface DashboardOptions {
  readonly files: readonly PageFile[];
  readonly version: string;
  /** Port of the authentication host; `null` before it listens. */
  readonly authPort: () => number | null;
  readonly sessionOf: (request: FastifyRequest) => DashboardSession;
}

/**
 * Serves the browser page at `/` and `/instructor`, and its files below `/dashboard/`
 * (docs/model/sandbox.md#dashboard).
 */
export function dashboardPlugin({ files, version, authPort, sessionOf }: DashboardOptions): FastifyPluginCallback {
  return (server, _options, done) => {
    const index = files.find(({ path }) => path === "index.html");
    const sendPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      reply.headers({ ...securityHeaders(request, authPort()), "cache-control": "no-cache" });
      return index === undefined
        ? reply.code(503).type("text/html; charset=utf-8").send(UNBUILT_PAGE)
        : reply.type(index.mediaType).send(index.content);
    };
    server.get("/", sendPage);
    server.get("/instructor", sendPage);
    server.get("/dashboard/config.json", (request, reply) =>
      reply
        .headers({ "content-type": JSON_TYPE, "cache-control": "no-store" })
        .send(JSON.stringify(configOf(request, version, authPort(), sessionOf))),
    );
    const others = files.filter(({ path }) => path !== "index.html");
    server.register(pageFilesPlugin(others, "/dashboard/"));
    done();
  };
}

function configOf(
  request: FastifyRequest,
  version: string,
  authPort: number | null,
  sessionOf: DashboardOptions["sessionOf"],
) {
  const { host } = request.headers;
  return { api_url: `http://${host}`, auth_url: siblingUrl(host, authPort), version, ...sessionOf(request) };
}

/** The page loads its own files alone, and calls its own server and the authentication host alone. */
function securityHeaders({ headers: { host } }: FastifyRequest, authPort: number | null): Record<string, string> {
  const authUrl = siblingUrl(host, authPort);
  const connect = ["'self'", ...(authUrl === null ? [] : [authUrl, `ws://${host}`, `wss://${host}`])];
  const rules = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `connect-src ${connect.join(" ")}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-security-policy": rules.join("; "),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}

/** For a server that runs from the source tree. */
const UNBUILT_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>vppsim: the page is not built</title></head>
<body><h1>The page is not built</h1>
<p>Run <code>npm run build</code> in the folder of vppsim and start the server again. The APIs and the sandbox work without
the page; <a href="/docs">/docs</a> describes them.</p></body></html>
`;
