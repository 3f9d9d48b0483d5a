import type { EpochMs } from "../../../base/time.ts";
import type { AlarmBoard } from "../../../live/session/alarms/alarmBoard.ts";
import { AlarmList } from "../../../live/session/alarms/alarmSchema.ts";
import { alarmList, alarmReader } from "../../../live/session/alarms/alarmView.ts";
import type { Session } from "../../../live/session/session.ts";
import { languageQuery, type SandboxRoute, sandboxRoute } from "./sandboxRoute.ts";

const ALARMS = { tag: "Alarms", callers: "everyone" } as const;

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
      const { board, nowMs } = alarmsOf(session);
      return alarmList(board, nowMs, alarmReader(session.scenario, lang));
    },
  }),
];

/** The alarms of the present world, and its instant. */
function alarmsOf(session: Session): { readonly board: AlarmBoard; readonly nowMs: EpochMs } {
  const { alarms, nowMs } = session.hosted;
  if (alarms === null) throw new Error("the world of a session has alarms");
  return { board: alarms, nowMs };
}
