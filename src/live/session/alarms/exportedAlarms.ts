import type { Scenario } from "../../../inputs/scenario/scenario.ts";
import type { AlarmRow, AlarmSource } from "../../../report/alarmRow.ts";
import { replay } from "../replay.ts";
import { systemClock } from "../wallClock.ts";
import { alarmReader, alarmRecord } from "./alarmView.ts";

/** The alarms of the session whose export a scenario is (docs/model/sandbox.md#alarms). */
export const exportedAlarms: AlarmSource = async (scenario: Scenario): Promise<readonly AlarmRow[]> => {
  const hosted = await replay(scenario, { inputs: [], atMs: scenario.world.endMs }, { wallClock: systemClock });
  const reader = alarmReader(hosted, "en");
  return hosted.alarmBoard.journal.after(0).map(({ seq, atMs, what, alarm, by, name }) => {
    const { id, kind, cause, priority, vpp, site, award, since, kw, text } = alarmRecord(alarm, reader);
    const { shelvedUntilMs } = alarm;
    // As on the wire, in whole seconds.
    const sinceMs = Date.parse(since);
    return {
      seq,
      atMs,
      what,
      id,
      kind,
      cause,
      priority,
      vpp,
      site,
      award,
      sinceMs,
      kw,
      by,
      name,
      shelvedUntilMs,
      text,
    };
  });
};
