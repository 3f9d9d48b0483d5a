import type { EpochMs } from "../../../base/time.ts";
import type { Cause, SandboxRole } from "../sandboxReads.ts";
import type { AlarmMessage } from "./alarmTexts.ts";

/** What is wrong at the origin of an alarm, the worst first: the worst names the alarm of a site. */
export const ALARM_KINDS = [
  "out_of_service",
  "link",
  "refused",
  "energy",
  "limited",
  "below_set_point",
  "empty_soon",
  "late",
  "uncovered",
  "outside_band",
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

/** 1: act now; 2: act soon; 3: know it. */
export type AlarmPriority = 1 | 2 | 3;

export const ALARM_STATES = ["new", "acknowledged", "shelved", "cleared"] as const;
export type AlarmState = (typeof ALARM_STATES)[number];

/** What happens to an alarm. */
export const ALARM_CHANGES = ["raised", "changed", "acknowledged", "shelved", "unshelved", "cleared"] as const;
export type AlarmChange = (typeof ALARM_CHANGES)[number];

/** An abnormal condition of one origin at one instant (docs/model/sandbox.md#alarm-kinds). */
export interface AlarmCondition {
  /** Such as `site:battery-large`: the same origin never has two alarms. */
  readonly origin: string;
  readonly kind: AlarmKind;
  readonly cause: Cause | null;
  readonly priority: AlarmPriority;
  readonly vpp: string;
  /** `null`: several or none. */
  readonly site: string | null;
  /** All sites that it concerns, the most affected first. */
  readonly sites: readonly string[];
  /** Place of its first site in the scenario; `Infinity`: it concerns none. */
  readonly siteOrder: number;
  /** Awards that it concerns, the most affected first. */
  readonly awardIds: readonly string[];
  /** Missing power of the present cause; `null`: none is missing. */
  readonly kw: number | null;
  /** When the present cause began. */
  readonly sinceMs: EpochMs;
  readonly text: AlarmMessage;
  /** Consequences and further findings of the same origin. */
  readonly signs: readonly AlarmMessage[];
}

export const kindRank = (kind: AlarmKind): number => ALARM_KINDS.indexOf(kind);

/** Who acknowledged an alarm, and when. */
interface Acknowledgement {
  readonly atMs: EpochMs;
  readonly by: SandboxRole;
  readonly name: string | null;
}

/** An alarm of the list. */
export interface Alarm {
  /** Counts the alarms of the session, from 1. */
  readonly number: number;
  readonly condition: AlarmCondition;
  /** When it was raised, or raised anew. */
  readonly raisedMs: EpochMs;
  readonly acknowledgement: Acknowledgement | null;
  /** `null`: it is not shelved. */
  readonly shelvedUntilMs: EpochMs | null;
  /** `null`: the condition holds. */
  readonly clearedMs: EpochMs | null;
  /** How often the condition has begun while the alarm was in the list. */
  readonly count: number;
}

export const alarmId = ({ number }: Pick<Alarm, "number">): string => `alarm-${number}`;

export function stateOf({ acknowledgement, shelvedUntilMs, clearedMs }: Alarm): AlarmState {
  if (clearedMs !== null) return "cleared";
  if (shelvedUntilMs !== null) return "shelved";
  return acknowledgement === null ? "new" : "acknowledged";
}
