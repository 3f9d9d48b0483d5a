import type { AlarmSource } from "../report/alarmRow.ts";

/** Alarms of an exported session; loaded on demand, because few runs are of one. */
export const alarmsOf: AlarmSource = async (scenario) => {
  const { exportedAlarms } = await import("../live/session/alarms/exportedAlarms.ts");
  return exportedAlarms(scenario);
};
