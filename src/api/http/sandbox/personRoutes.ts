import type { FastifyInstance } from "fastify";
import type { SandboxActionList, SandboxActionRecord, SandboxNotes } from "../../../live/session/sandboxTypes.ts";
import type { Session } from "../../../live/session/session.ts";
import { findRoute } from "../../endpoints/routes.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";
import { readBody, readText } from "./sandboxBody.ts";
import { readCount, readQuery } from "./sandboxQuery.ts";

const KIND_CHARS_MAX = 40;
const ACTION_CHARS_MAX = 500;
const NOTE_CHARS_MAX = 2_000;
/** Number of actions in one answer. */
const ACTIONS = { fallback: 500, min: 1, max: 2_000 };

/** Actions of persons, and notes about them (docs/model/sandbox.md#actions). */
export function personRoutes(server: FastifyInstance, session: Session): void {
  const { vpps, sites } = session.scenario.world;
  const names = new Map([
    ...vpps.map(({ vppId, name }) => [vppId, `VPP ${name}`] as const),
    ...sites.map(({ emsId, name }) => [emsId, name] as const),
  ]);
  const nameOf = (id: string): string => names.get(id) ?? id;
  const named = (text: string): string => text.replace(/[0-9a-f]{32}/g, nameOf);
  const memberOf = ({ method, path }: SandboxActionRecord["data"]): { readonly member?: string } => {
    const id = findRoute("vpp-v1", String(method), String(path))?.variables.ems_id;
    return id === undefined ? {} : { member: nameOf(id) };
  };
  server.post("/sandbox/actions", async ({ body }, reply) => {
    const { kind, text } = readBody(["kind", "text"], body);
    await session.recordAction(readText("kind", kind, KIND_CHARS_MAX), readText("text", text, ACTION_CHARS_MAX));
    return reply.code(204).send();
  });
  server.get("/sandbox/actions", async ({ query }): Promise<SandboxActionList> => {
    const { after, limit } = readQuery(["after", "limit"], query);
    const { persons } = session;
    const seq = readCount("after", after, { fallback: 0, min: 0, max: Number.MAX_SAFE_INTEGER });
    const actions = persons.actionsAfter(seq, readCount("limit", limit, ACTIONS));
    return {
      actions: actions.map(
        ({ seq, atMs, kind, text, subject, data }): SandboxActionRecord => ({
          seq,
          at: wireTime(atMs),
          kind,
          text: subject === null ? text : `${named(text)} of ${nameOf(subject)}`,
          data: subject === null ? data : { ...data, ...memberOf(data), target: nameOf(subject) },
        }),
      ),
      last_seq: persons.lastSeq,
    };
  });
  const notes = (): SandboxNotes => ({
    notes: session.persons.notes.map(({ atMs, text }) => ({ at: wireTime(atMs), text })),
  });
  server.get("/sandbox/notes", async ({ query }) => {
    readQuery([], query);
    return notes();
  });
  server.post("/sandbox/notes", async ({ body }) => {
    const { text } = readBody(["text"], body);
    await session.recordNote(readText("text", text, NOTE_CHARS_MAX));
    return notes();
  });
}
