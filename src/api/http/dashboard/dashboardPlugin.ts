import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from "fastify";
import { siblingUrl } from "../paths.ts";
import { JSON_TYPE } from "../reply.ts";

/** A built file of the browser page. */
export interface DashboardFile {
  /** Path below `/dashboard/`, with forward slashes. */
  readonly path: string;
  readonly mediaType: string;
  /** Whether its name has a hash of its content. */
  readonly isHashed: boolean;
  readonly content: Buffer;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The build writes the page to `dist/dashboard`, which is beside this module's folder once that is built too. */
export function dashboardFolder(): string {
  const isSource = import.meta.url.endsWith(".ts");
  return fileURLToPath(new URL(isSource ? "../../../../dist/dashboard" : "../../../dashboard", import.meta.url));
}

/** All built files; empty if the page is not built. Files of unknown types are left out. */
export function readDashboardFiles(folder: string): DashboardFile[] {
  if (!existsSync(join(folder, "index.html"))) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in MEDIA_TYPES)
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = relative(folder, file).split(sep).join("/");
      const mediaType = MEDIA_TYPES[extname(entry.name)];
      return { path, mediaType, isHashed: path.startsWith("assets/"), content: readFileSync(file) };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What the page learns about the session before it has a role (docs/model/sandbox.md#dashboard). */
interface DashboardSession {
  /** For this caller; `null`: the person enters a token, or none is needed. */
  readonly trainee_token: string | null;
  readonly separated: boolean;
  /** Name of the drill. */
  readonly drill: string | null;
}

interface DashboardOptions {
  readonly files: readonly DashboardFile[];
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
    for (const { path, mediaType, isHashed, content } of files)
      if (path !== "index.html")
        server.get(`/dashboard/${path}`, (_request, reply) =>
          reply
            .headers({
              "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
              "x-content-type-options": "nosniff",
            })
            .type(mediaType)
            .send(content),
        );
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
