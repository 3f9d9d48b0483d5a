import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { SandboxReport } from "../../../live/session/sandboxTypes.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import { readBody } from "./sandboxBody.ts";

const PAGE = "report.html";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".jsonl": "application/x-ndjson; charset=utf-8",
};

interface FileRoute {
  readonly Params: { readonly file: string };
}

/**
 * Writes the report of a session, and serves the files of the one written last. A page of a report runs its own scripts in a
 * sandbox without an origin, so that it cannot call this server (docs/model/sandbox.md#latest-report).
 */
export function reportRoutes(server: FastifyInstance, session: Session, report: string | null): void {
  let latest: { readonly folder: string; readonly files: ReadonlySet<string> } | null = null;
  server.post("/sandbox/report", async ({ body }): Promise<SandboxReport> => {
    readBody([], body);
    if (report === null) throw new SessionRefusal(409, "No folder for reports; serve with --report DIR");
    const { folder, files } = await session.writeReport(report);
    if (folder === null) throw new SessionRefusal(409, "No folder for reports; serve with --report DIR");
    latest = { folder, files: new Set(files) };
    return { report: folder, files, opens_at: files.includes(PAGE) ? `/sandbox/report/latest/${PAGE}` : null };
  });
  server.get("/sandbox/report/latest/:file", async ({ params }: FastifyRequest<FileRoute>, reply) => {
    // A name of the list, so that no path of a request reaches the file system.
    const file = latest === null ? undefined : [...latest.files].find((name) => name === params.file);
    if (latest === null || file === undefined)
      throw new SessionRefusal(404, `The report written last has no file ${JSON.stringify(params.file)}`, "file");
    return reply
      .type(TYPES[extname(file)] ?? "application/octet-stream")
      .header(
        "content-security-policy",
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:",
      )
      .header("x-content-type-options", "nosniff")
      .header("cache-control", "no-store")
      .send(await readFile(join(latest.folder, file)));
  });
}
