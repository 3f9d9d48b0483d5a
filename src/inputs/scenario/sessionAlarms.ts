import type { EpochMs } from "../../base/time.ts";
import type { SessionCommand } from "./schema/injectSchema.ts";
import type { ScenarioConfig } from "./schema/scenarioSchema.ts";

/** What a person did with an alarm of a session (docs/model/sandbox.md#alarm-commands). */
export interface AlarmAction {
  readonly id: string;
  readonly act: "acknowledge" | "shelve" | "unshelve";
  readonly by: "trainee" | "instructor";
  readonly name: string | null;
  /** Of `shelve`. */
  readonly untilMs: EpochMs | null;
}

interface TimedAlarmAction extends AlarmAction {
  readonly atMs: EpochMs;
}

/** What an export states about the alarms of its session. */
export interface SessionAlarms {
  /** First instant at which they are evaluated. */
  readonly fromMs: EpochMs;
  /** End of the served scenario: at an earlier end of the export, the session had seen the events of that instant. */
  readonly untilMs: EpochMs;
  /** Oldest first. */
  readonly actions: readonly TimedAlarmAction[];
}

export const sessionAlarmsOf = ({ session, end }: Pick<ScenarioConfig, "session" | "end">): SessionAlarms | null =>
  session === undefined
    ? null
    : {
        fromMs: session.alarms_from ?? session.opened_at,
        untilMs: session.scenario_end ?? end,
        actions: session.commands.flatMap(alarmActions),
      };

/** One, or none of another command. */
export function alarmActions(command: SessionCommand): TimedAlarmAction[] {
  if (!("by" in command)) return [];
  const { at: atMs, by, name = null } = command;
  const common = { atMs, by, name, untilMs: null };
  if ("acknowledge" in command) return [{ ...common, act: "acknowledge", id: command.acknowledge }];
  if ("unshelve" in command) return [{ ...common, act: "unshelve", id: command.unshelve }];
  return [{ ...common, act: "shelve", id: command.shelve, untilMs: command.until }];
}
