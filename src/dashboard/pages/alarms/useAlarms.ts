import type { AlarmList, AlarmRecord } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { useSandbox, useStation } from "../../data/hooks.ts";

const NO_ALARMS: AlarmList = {
  at: "",
  last_seq: 0,
  alarms: [],
  counts: { new: 0, acknowledged: 0, cleared: 0, shelved: 0 },
  raised_last_10_min: 0,
};

/** The alarms of the session, which all stations share; `null` until they are read. */
export function useAlarmsRead(): AlarmList | null {
  const { language } = useTexts();
  return useSandbox<AlarmList>(`/sandbox/alarms?lang=${language}`).value;
}

/** The same; none until they are read. */
export const useAlarms = (): AlarmList => useAlarmsRead() ?? NO_ALARMS;

/** Acknowledges an alarm for all stations; a cleared one leaves the list. */
export function useAcknowledge(): (alarm: AlarmRecord) => void {
  const { calls, reads } = useStation();
  return ({ id }) => {
    // It may have left the list meanwhile: another station reads the same one.
    const sent = calls.post(alarmPath(id, "acknowledge"), {}).catch(() => {});
    void sent.then(() => reads.refresh());
  };
}

export const alarmPath = (id: string, act: "acknowledge" | "shelve"): string =>
  `/sandbox/alarms/${encodeURIComponent(id)}/${act}`;

/** The alarm to work on: the most urgent one that is not acknowledged. */
export const mostUrgent = ({ alarms }: AlarmList): AlarmRecord | null =>
  alarms.find(({ state }) => state === "new") ?? null;

/** Alarms whose condition holds and that nobody has shelved, the most urgent priority first. */
const activeByPriority = ({ alarms }: AlarmList): readonly AlarmRecord[] =>
  alarms.filter(({ state }) => state === "new" || state === "acknowledged").sort((a, b) => a.priority - b.priority);

/** Priority of the badge of each site: that of the most urgent alarm that concerns it. Other sites have none. */
export function sitePriorities(list: AlarmList): ReadonlyMap<string, AlarmRecord["priority"]> {
  const found = new Map<string, AlarmRecord["priority"]>();
  for (const { sites, priority } of activeByPriority(list))
    for (const site of sites) if (!found.has(site)) found.set(site, priority);
  return found;
}

/** The most urgent alarm that concerns a site; `null`: none. */
export const siteAlarm = (list: AlarmList, site: string): AlarmRecord | null =>
  activeByPriority(list).find(({ sites }) => sites.includes(site)) ?? null;

/** The most urgent alarm that concerns an award; `null`: none. */
export const awardAlarm = (list: AlarmList, awardId: string): AlarmRecord | null =>
  activeByPriority(list).find(({ awards }) => awards.includes(awardId)) ?? null;
