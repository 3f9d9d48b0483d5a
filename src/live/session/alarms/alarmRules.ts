import { MS_PER_MINUTE } from "../../../base/time.ts";
import type { Cause } from "../sandboxReads.ts";
import type { AlarmKind, AlarmPriority } from "./alarm.ts";

/** The rules of docs/model/sandbox.md#alarm-kinds. */
interface CauseRule {
  readonly kind: AlarmKind;
  /** Time for which undelivered power must be missing. */
  readonly delayMs: number;
  /** Whether it is one alarm where more than `GROUP_SITES` sites have it in one award. */
  readonly isGrouped: boolean;
}

const rule = (kind: AlarmKind, delayMinutes: number, grouping: "grouped" | "single"): CauseRule => ({
  kind,
  delayMs: delayMinutes * MS_PER_MINUTE,
  isGrouped: grouping === "grouped",
});

const CAUSE_RULES: Readonly<Record<Cause, CauseRule>> = {
  // Of a site that is in service again: until it is dispatched.
  out_of_service: rule("limited", 0, "single"),
  incompatible: rule("limited", 0, "grouped"),
  refused: rule("refused", 0, "single"),
  delivery_failed: rule("link", 0, "single"),
  baseline_missing: rule("limited", 0, "single"),
  direct_control: rule("limited", 0, "single"),
  power_limit: rule("limited", 0, "grouped"),
  energy_limit: rule("energy", 0, "grouped"),
  output_control: rule("limited", 0, "grouped"),
  other_award: rule("limited", 0, "grouped"),
  ramp: rule("late", 3, "grouped"),
  weather: rule("below_set_point", 1, "grouped"),
  load_deviation: rule("below_set_point", 1, "grouped"),
  no_member: rule("uncovered", 0, "single"),
  // The next evaluation finds out why.
  not_yet_known: rule("uncovered", 1, "single"),
};

export const ruleOf = (cause: Cause): CauseRule => CAUSE_RULES[cause];

/** Above this number of sites a cause is one alarm. */
export const GROUP_SITES = 3;

/** Part of a request whose absence is to be acted on now. */
const URGENT_FRACTION = 0.1;

export const priorityByPower = (requestedKw: number, kw: number): AlarmPriority =>
  URGENT_FRACTION * Math.abs(requestedKw) < kw ? 1 : 2;

/** An outage is to be acted on if an award starts within this time, an early end if it comes within it. */
export const PREPARATION_MS = 60 * MS_PER_MINUTE;

/** Smallest delivered power of a store that is said to end early, in kW. */
export const DELIVERING_KW = 1;
/** Time for which a store must be found to end early, or an award outside its band. */
export const FOUND_MS = MS_PER_MINUTE;
/** A store that lasts this much longer than the award does not end early any more. */
export const LASTING_MINUTES = 2;
/** Begin of an award in which its band does not count. */
export const BAND_FREE_MS = 3 * MS_PER_MINUTE;
