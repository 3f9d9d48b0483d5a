import { formatValue } from "../../../base/inputError.ts";
import { isoDuration } from "../../../base/time.ts";
import type { DocumentChecker } from "../../../inputs/scenario/parse/documentChecker.ts";
import { checkInject, type KnownNames } from "../../../live/session/injects/checkInject.ts";
import { injectConfig } from "../../../live/session/injects/inject.ts";
import {
  PreparedFile,
  type PreparedFileRow,
  PreparedRecord,
  PreparedRequest,
  SandboxPrepared,
} from "../../../live/session/injects/preparedSchema.ts";
import type { PreparedDraft, PreparedView } from "../../../live/session/injects/sessionPrepared.ts";
import type { Session } from "../../../live/session/session.ts";
import { namesFrom } from "./drillRoutes.ts";
import { type SandboxExamples, type SandboxRoute, sandboxRoute } from "./sandboxRoute.ts";

const PREPARED = { tag: "Drills", callers: "instructor" } as const;
const LIST = { ...PREPARED, path: "/sandbox/prepared" } as const;
const ONE = { ...PREPARED, pathExample: ({ preparedId }: SandboxExamples) => preparedId, errors: [404] } as const;

/** Malfunctions that the instructor prepares (docs/model/drills.md#prepared). */
export const PREPARED_ROUTES: readonly SandboxRoute[] = [
  sandboxRoute({
    ...LIST,
    method: "GET",
    summary: "Prepared malfunctions, which are kept over restore, reset and restart",
    answer: SandboxPrepared,
    handle: ({ session }) => preparedList(session),
  }),
  sandboxRoute({
    ...LIST,
    method: "PUT",
    summary: "Replace the prepared malfunctions by those of a file, as GET answers it",
    body: PreparedFile,
    checkBody: checkFile,
    bodyExamples: ({ scenario, site }) => ({
      file: {
        version: 1,
        scenario,
        prepared: [{ label: "before the peak", kind: "warning", site, after: "PT20M", duration: "PT10M" }],
      },
    }),
    answer: SandboxPrepared,
    errors: [409],
    handle: async ({ session, body }) => {
      await session.prepared.replaceAll(body.prepared.map(draftOf));
      return preparedList(session);
    },
  }),
  sandboxRoute({
    ...LIST,
    method: "POST",
    summary: "Prepare a malfunction, at an instant, after a duration or when a condition holds",
    body: PreparedRequest,
    checkBody: (checker, row, session) => checkRow(checker, row, namesFrom(session, session.scenario.world.startMs)),
    bodyExamples: ({ site }) => ({
      after: { label: "second outage", kind: "outage", site, after: "PT20M", duration: "PT30M", armed: true },
      when: { kind: "link_down", site, when: { delivered_share_pct: { above: 95 } }, duration: "PT15M" },
    }),
    answer: PreparedRecord,
    errors: [409],
    handle: async ({ session, body }) => preparedRecord(await session.prepared.add(draftOf(body))),
  }),
  sandboxRoute({
    ...ONE,
    method: "POST",
    path: "/sandbox/prepared/{id}/arm",
    summary: "Arm a prepared malfunction: it is planned now, and again when the session goes back",
    answer: PreparedRecord,
    handle: async ({ session, variables: { id } }) => preparedRecord(await session.prepared.change(id, "armed")),
  }),
  sandboxRoute({
    ...ONE,
    method: "POST",
    path: "/sandbox/prepared/{id}/disarm",
    summary: "Disarm a prepared malfunction; its inject is cancelled unless it has begun",
    answer: PreparedRecord,
    handle: async ({ session, variables: { id } }) => preparedRecord(await session.prepared.change(id, "disarmed")),
  }),
  sandboxRoute({
    ...ONE,
    method: "DELETE",
    path: "/sandbox/prepared/{id}",
    summary: "Delete a prepared malfunction; its inject is cancelled unless it has begun",
    answer: null,
    handle: ({ session, variables: { id } }) => session.prepared.remove(id),
  }),
];

function checkFile(checker: DocumentChecker, file: PreparedFile, session: Session): void {
  const { name, world } = session.scenario;
  if (file.scenario !== name)
    checker.reportError(file, "scenario", formatValue(file.scenario), `a file of the scenario ${name}`);
  const known = namesFrom(session, world.startMs);
  for (const row of file.prepared) checkRow(checker, row, known);
}

/** Of an inject, and that it has one of the three ways to begin. */
function checkRow(checker: DocumentChecker, row: PreparedFileRow, known: KnownNames): void {
  checkInject(checker, row, known);
  const { at, when, after = null } = row;
  if (after !== null && (at !== undefined || when !== undefined))
    checker.reportError(
      row,
      "after",
      `both after and ${at === undefined ? "when" : "at"}`,
      "one of at, after and when",
    );
  if (after === null && at === undefined && when === undefined)
    checker.reportError(row, "at", "none of at, after and when", "one of them");
}

const draftOf = (row: PreparedFileRow): PreparedDraft => {
  const { prepared_id: _id, inject_id: _injectId, label = null, after = null, armed = false, ...inject } = row;
  return { label, inject: { ...inject }, afterMs: after, isArmed: armed };
};

const preparedRecord = ({ preparedId, label, inject, afterMs, isArmed, injectId }: PreparedView): PreparedRecord => ({
  prepared_id: preparedId,
  label,
  ...injectConfig(inject),
  after: afterMs === null ? null : isoDuration(afterMs),
  armed: isArmed,
  inject_id: injectId,
});

const preparedList = ({ prepared, scenario }: Session): SandboxPrepared => ({
  version: 1,
  scenario: scenario.name,
  prepared: prepared.rows.map(preparedRecord),
});
