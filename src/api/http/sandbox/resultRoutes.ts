import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { Readable } from "node:stream";
import { requestFacts, requestText } from "../../../live/session/record/requestFacts.ts";
import {
  ActionRequest,
  NoteRequest,
  SandboxActionList,
  SandboxNotes,
  SandboxReport,
  StateHash,
} from "../../../live/session/sandboxCommands.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import { record } from "../../endpoints/schemas/baseSchemas.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";
import { pacedPieces } from "../reply.ts";
import { page, type SandboxRoute, sandboxRoute, TEXT } from "./sandboxRoute.ts";

const PAGE = "report.html";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".jsonl": "application/x-ndjson; charset=utf-8",
};
const RESULT = { tag: "Results" } as const;
const TRAINING = { tag: "Training" } as const;

/** Report, export and digest of a session. */
export const RESULT_ROUTES: readonly SandboxRoute[] = [
  sandboxRoute({
    ...RESULT,
    method: "POST",
    path: "/sandbox/report",
    summary: "Write the report so far to the folder of --report",
    callers: "report",
    answer: SandboxReport,
    errors: [409],
    handle: async ({ session, reports }) => {
      const written = reports.folder === null ? null : await session.writeReport(reports.folder);
      if (written === null || written.folder === null)
        throw new SessionRefusal(409, "No folder for reports; serve with --report DIR");
      const { folder, files } = written;
      reports.latest = { folder, files };
      return { report: folder, files, opens_at: files.includes(PAGE) ? `/sandbox/report/latest/${PAGE}` : null };
    },
  }),
  /**
   * A page of a report runs its own scripts in a sandbox without an origin, so that it cannot call this server
   * (docs/model/sandbox.md#latest-report).
   */
  sandboxRoute({
    ...RESULT,
    method: "GET",
    path: "/sandbox/report/latest/{file}",
    summary: "A file of the report written last",
    callers: "report",
    pathExample: () => "summary.json",
    answer: { files: { "text/html": TEXT, "application/json": {}, "text/csv": TEXT } },
    errors: [404],
    handle: ({ reports: { latest }, variables, reply }) => {
      // A name of the list, so that no path of a request reaches the file system.
      const file = latest?.files.find((name) => name === variables.file);
      if (latest === null || file === undefined)
        throw new SessionRefusal(404, `The report written last has no file ${JSON.stringify(variables.file)}`, "file");
      reply
        .type(TYPES[extname(file)] ?? "application/octet-stream")
        .header(
          "content-security-policy",
          "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:",
        )
        .header("x-content-type-options", "nosniff")
        .header("cache-control", "no-store");
      return readFile(join(latest.folder, file));
    },
  }),
  sandboxRoute({
    ...RESULT,
    method: "POST",
    path: "/sandbox/export",
    summary: "The session so far as a scenario",
    callers: "export",
    answer: { files: { "application/yaml": TEXT } },
    handle: async ({ session, reply }) => {
      reply.type("application/yaml; charset=utf-8");
      return Readable.from(pacedPieces(await session.openExport()));
    },
  }),
  sandboxRoute({
    ...RESULT,
    method: "GET",
    path: "/sandbox/state-hash",
    summary: "Digest of the simulated state: SHA-256, hexadecimal",
    callers: "export",
    answer: StateHash,
    handle: ({ session }) => {
      const hash = session.stateHash();
      return { now: wireTime(session.nowMs), hash };
    },
  }),
];

/** Actions of persons, and notes about them (docs/model/sandbox.md#actions). */
export const TRAINING_ROUTES: readonly SandboxRoute[] = [
  sandboxRoute({
    ...TRAINING,
    method: "GET",
    path: "/sandbox/actions",
    summary: "Actions of persons and client programs, oldest first",
    callers: "instructor",
    query: page,
    answer: SandboxActionList,
    handle: ({ session, query: { after = 0, limit = 500 } }) => actionList(session, after, limit),
  }),
  sandboxRoute({
    ...TRAINING,
    method: "POST",
    path: "/sandbox/actions",
    summary: "Record an action of a person on a page",
    callers: "everyone",
    body: ActionRequest,
    bodyExamples: () => ({ example: { kind: "acknowledged", text: "battery-1 is out of service" } }),
    answer: null,
    handle: async ({ session, body: { kind, text } }) => session.recordAction(kind, text),
  }),
  sandboxRoute({
    ...TRAINING,
    method: "GET",
    path: "/sandbox/notes",
    summary: "Notes of the instructor",
    callers: "instructor",
    query: record({}),
    answer: SandboxNotes,
    handle: ({ session }) => noteList(session),
  }),
  sandboxRoute({
    ...TRAINING,
    method: "POST",
    path: "/sandbox/notes",
    summary: "Record a note at the present instant",
    callers: "instructor",
    body: NoteRequest,
    bodyExamples: () => ({ example: { text: "reacted after four minutes" } }),
    answer: SandboxNotes,
    handle: async ({ session, body: { text } }) => {
      await session.recordNote(text);
      return noteList(session);
    },
  }),
];

const noteList = ({ persons }: Session): SandboxNotes => ({
  notes: persons.notes.map(({ atMs, text }) => ({ at: wireTime(atMs), text })),
});

/** Actions with the names of VPPs and sites in place of their ids. */
function actionList({ persons, scenario: { world } }: Session, after: number, limit: number): SandboxActionList {
  return {
    actions: persons.actionsAfter(after, limit).map(({ seq, atMs, kind, text, request, data }) => {
      const action = { seq, at: wireTime(atMs), kind, abandoned: persons.isAbandoned(seq) };
      if (request === null) return { ...action, text, data };
      const facts = requestFacts(world, request);
      const { act, target, member, values } = facts;
      return {
        ...action,
        text: requestText(facts, request),
        data: { ...data, ...values, act, target, ...(member === undefined ? {} : { member }) },
      };
    }),
    last_seq: persons.lastSeq,
  };
}
