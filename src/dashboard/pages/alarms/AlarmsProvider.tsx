import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import { useStation } from "../../data/hooks.ts";
import { useMessageText } from "../../texts/useMessageText.ts";
import type { Alarm } from "./alarm.ts";
import { AlarmDesk, tabStorage } from "./alarmDesk.ts";
import type { AlarmList } from "./alarmList.ts";

const AlarmsContext = createContext<AlarmDesk | null>(null);

/** Watches for alarms on all pages. */
export function AlarmsProvider({ children }: { readonly children: ReactNode }) {
  const station = useStation();
  // Another station after the page has started anew: its alarms are read back from the tab.
  const desk = useMemo(() => new AlarmDesk(station, tabStorage(station)), [station]);
  useEffect(() => desk.start(), [desk]);
  return <AlarmsContext value={desk}>{children}</AlarmsContext>;
}

function useAlarmDesk(): AlarmDesk {
  const desk = useContext(AlarmsContext);
  if (desk === null) throw new Error("useAlarmDesk is used outside of AlarmsProvider");
  return desk;
}

export function useAlarms(): AlarmList {
  const { alarms } = useAlarmDesk();
  return useSyncExternalStore(alarms.subscribe, alarms.get);
}

/** Acknowledges an alarm, or marks a cleared one as read, and lets the instructor know. */
export function useAcknowledge(): (alarm: Alarm) => void {
  const desk = useAlarmDesk();
  const record = useRecordAction();
  const textOf = useMessageText();
  return (alarm) => {
    desk.acknowledge(alarm.id);
    record(alarm.state === "cleared" ? "read" : "acknowledged", textOf(alarm.text));
  };
}

/** Records what a person did on the page; a failure to record it does not disturb the person. */
function useRecordAction(): (kind: string, text: string) => void {
  const { calls, kind: station } = useStation();
  return (kind, text) => {
    if (station !== "trainee") return;
    calls.post("/sandbox/actions", { kind, text: text.slice(0, 500) }).catch(() => {});
  };
}
