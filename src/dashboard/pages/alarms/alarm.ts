// Alarms after ISA-18.2: a condition of the plant raises an alarm; the operator acknowledges it; it clears with its
// condition. Rationalised: one cause raises one alarm, and its consequences are listed under it as signs.
import type { AlarmPriority } from "../../parts/AlarmBadge.tsx";
import type { MessageText } from "../../texts/messageText.ts";

/** What is wrong at the origin. */
export type AlarmRoot =
  | "out_of_service"
  | "link"
  | "refused"
  | "energy"
  | "empty_soon"
  | "limited"
  | "below_set_point"
  | "late"
  | "uncovered"
  | "outside_band"
  | "connection"
  | "lagging";

/** An abnormal condition at one instant. */
export interface AlarmCondition {
  /** One per origin, such as `site:battery-large`: the same origin never raises two alarms. */
  readonly id: string;
  readonly root: AlarmRoot;
  readonly priority: AlarmPriority;
  readonly text: MessageText;
  /** Consequences and further findings of the same origin. */
  readonly signs: readonly MessageText[];
  readonly vpp: string | null;
  readonly site: string | null;
  /** All sites that it concerns; `site` among them. */
  readonly sites: readonly string[];
  /** Awards that it concerns, the most affected first. */
  readonly awardIds: readonly string[];
  /** Since when the condition holds, in epoch milliseconds; `null`: not known. */
  readonly sinceMs: number | null;
}

/**
 * `new`: not acknowledged, the condition holds. `acknowledged`: the condition holds. `cleared`: the condition has ended
 * before it was acknowledged; stays until it is read.
 */
type AlarmState = "new" | "acknowledged" | "cleared";

export interface Alarm extends AlarmCondition {
  readonly state: AlarmState;
  /** Simulated instant at which it was raised, or raised again, in epoch milliseconds. */
  readonly raisedMs: number;
  readonly clearedMs: number | null;
  /** How often the condition has come back before the alarm was read. */
  readonly returns: number;
}
