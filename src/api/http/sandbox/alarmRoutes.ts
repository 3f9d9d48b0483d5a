import { type EpochMs, isoUtc, MS_PER_DAY, MS_PER_MINUTE } from "../../../base/time.ts";
import type { Alarm } from "../../../live/session/alarms/alarm.ts";
import {
  AcknowledgeRequest,
  AlarmJournal,
  AlarmJournalQuery,
  AlarmList,
  AlarmRecord,
  ShelveRequest,
} from "../../../live/session/alarms/alarmSchema.ts";
import { alarmJournal, alarmList, alarmReader, alarmRecord } from "../../../live/session/alarms/alarmView.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import { floorToSecond } from "../../endpoints/shared/wireTime.ts";
import { readDurationMs } from "./clockRoutes.ts";
import { languageQuery, type SandboxExamples, type SandboxRoute, sandboxRoute } from "./sandboxRoute.ts";

const ALARMS = { tag: "Alarms", callers: "everyone" } as const;

const COMMAND = { ...ALARMS, pathExample: ({ alarmId }: SandboxExamples) => alarmId } as const;

/** Alarms of the session, the same for every role (docs/model/sandbox.md#alarms). */
export const ALARM_ROUTES: readonly SandboxRoute[] = [
  sandboxRoute({
    ...ALARMS,
    method: "GET",
    path: "/sandbox/alarms",
    summary: "The alarms of the session, the most urgent first",
    query: languageQuery,
    answer: AlarmList,
    handle: ({ session, query: { lang = "en" } }) => {
      const { alarmBoard, nowMs } = session.hosted;
      return alarmList(alarmBoard, nowMs, alarmReader(session.hosted, lang));
    },
  }),
  sandboxRoute({
    ...ALARMS,
    method: "GET",
    path: "/sandbox/alarms/journal",
    summary: "What happened to the alarms of the session, oldest first, numbered without gaps",
    query: AlarmJournalQuery,
    answer: AlarmJournal,
    handle: ({ session: { hosted }, query }) =>
      alarmJournal(hosted.alarmBoard, query, alarmReader(hosted, query.lang ?? "en")),
  }),
  sandboxRoute({
    ...COMMAND,
    method: "POST",
    path: "/sandbox/alarms/{id}/acknowledge",
    summary: "Acknowledge an alarm for all readers; a cleared one leaves the list",
    body: AcknowledgeRequest,
    bodyExamples: () => ({ plain: {}, name: { name: "Sato" } }),
    answer: AlarmRecord,
    errors: [404],
    handle: async ({ session, role, variables, body: { name = null } }) =>
      recordOf(session, await session.alarms.acknowledge(variables.id, { by: role, name })),
  }),
  sandboxRoute({
    ...COMMAND,
    method: "POST",
    path: "/sandbox/alarms/{id}/shelve",
    summary: "Shelve an alarm for a minute to a day, or change the end",
    body: ShelveRequest,
    bodyExamples: ({ target }) => ({ for: { for: "PT30M" }, until: { until: target, name: "Sato" } }),
    answer: AlarmRecord,
    errors: [404, 409],
    handle: async ({ session, role, variables, body: { name = null, ...end } }) =>
      recordOf(session, await session.alarms.shelve(variables.id, shelfEnd(end), { by: role, name })),
  }),
  sandboxRoute({
    ...COMMAND,
    method: "DELETE",
    path: "/sandbox/alarms/{id}/shelve",
    summary: "End the shelving of an alarm now",
    answer: null,
    errors: [404, 409],
    handle: ({ session, role, variables }) => session.alarms.unshelve(variables.id, { by: role, name: null }),
  }),
];

/** The present world's alarm as a client reads it. */
const recordOf = (session: Session, alarm: Alarm): AlarmRecord => alarmRecord(alarm, alarmReader(session.hosted, "en"));

/** The end of a shelving from the body of a request, as a function of the present instant. @throws SessionRefusal  400 */
function shelfEnd({ for: duration, until }: ShelveRequest): (nowMs: EpochMs) => EpochMs {
  if ((duration === undefined) === (until === undefined))
    throw new SessionRefusal(400, "Found both or neither of for and until, allowed one of them", "for");
  const forMs = duration === undefined ? null : readDurationMs("for", duration);
  return (nowMs) => {
    const secondMs = floorToSecond(nowMs);
    const untilMs = until === undefined ? secondMs + (forMs ?? 0) : floorToSecond(until);
    if (secondMs + SHELF_MIN_MS <= untilMs && untilMs <= secondMs + SHELF_MAX_MS) return untilMs;
    if (duration !== undefined) throw new SessionRefusal(400, `Found ${duration}, allowed PT1M to P1D`, "for");
    const allowed = `an instant from ${isoUtc(secondMs + SHELF_MIN_MS)} to ${isoUtc(secondMs + SHELF_MAX_MS)}`;
    throw new SessionRefusal(400, `Found ${isoUtc(untilMs)}, allowed ${allowed}`, "until");
  };
}

const SHELF_MIN_MS = MS_PER_MINUTE;
const SHELF_MAX_MS = MS_PER_DAY;
