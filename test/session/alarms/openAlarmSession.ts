import type { AlarmList } from "../../../src/live/session/alarms/alarmSchema.ts";
import { alarmList, alarmReader } from "../../../src/live/session/alarms/alarmView.ts";
import { readServedScenario } from "../../../src/live/session/servedScenario.ts";
import type { Session } from "../../../src/live/session/session.ts";
import type { SessionOptions } from "../../../src/live/session/sessionOptions.ts";
import { openTinySession } from "../openTinySession.ts";

/** An instant of the morning of the quickstart day, in UTC; the award lasts from 22:00 to 23:30. */
export const morning = (time: string): string => `2026-05-19T${time}Z`;

/** The quickstart day, opened before its morning award. */
export async function openMorning(options: Partial<SessionOptions> = {}): Promise<Session> {
  const session = await openTinySession(
    { openAtMs: Date.parse(morning("21:50:00")), ...options },
    readServedScenario("scenarios/quickstart/scenario.yaml"),
  );
  return session;
}

/** Advances to an instant of the morning. */
export const advanceTo = (session: Session, time: string) => session.advance(() => Date.parse(morning(time)));

export const outage = (site: string) => ({ kind: "outage", site, durationMs: null }) as const;

/** The list as a client reads it. */
export function alarmsOf({ hosted }: Session): AlarmList {
  const { alarms, nowMs } = hosted;
  if (alarms === null) throw new Error("a session has alarms");
  return alarmList(alarms, nowMs, alarmReader(hosted, "en"));
}
