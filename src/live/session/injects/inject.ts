import { type EpochMs, isoDuration, isoUtc } from "../../../base/time.ts";
import type { FaultKind } from "../../../inputs/scenario/schema/faultSchema.ts";
import type { Condition, InjectSpec } from "../../../inputs/scenario/schema/injectSchema.ts";
import { type FaultSpec, faultSpec, type WrittenFaultKeys, writtenKeys } from "../fault.ts";
import type { InjectCondition } from "../sandboxCommands.ts";

/** Who planned an inject. */
export type InjectSource = "drill" | "instructor" | "prepared";

type InjectState = "planned" | "in_force" | "ended" | "cancelled";

/** A planned malfunction of a running world (docs/model/drills.md#injects). */
export interface Inject {
  /** `inject-<n>`, in the order in which they were planned. */
  readonly injectId: string;
  readonly spec: InjectSpec;
  readonly source: InjectSource;
  /** The prepared malfunction that it comes from; `null`: none. */
  readonly preparedId: string | null;
  readonly state: InjectState;
  /** When its fault began; `null`: not yet. */
  readonly beganMs: EpochMs | null;
  /** When its fault ended; `null`: not yet. */
  readonly endedMs: EpochMs | null;
}

/** A call to the owner of a site, which ends the faults of the site after a delay. */
export interface OwnerCall {
  readonly site: string;
  readonly calledMs: EpochMs;
  readonly dueMs: EpochMs;
}

/** The fault that an inject begins. */
export const faultOfInject = (inject: InjectSpec): FaultSpec => faultSpec(inject, inject.duration ?? null);

/**
 * A change of the world that follows from an inject or an owner call. It is not journalled, because a replay derives it
 * again, but an export lists it as an event.
 */
export interface DerivedChange {
  readonly atMs: EpochMs;
  /** Number of inputs of the session that acted before it. */
  readonly afterInputs: number;
  /** Id of the inject, or `owner-call-<n>`. */
  readonly source: string;
  readonly change:
    | { readonly kind: "begin"; readonly fault: FaultSpec }
    | { readonly kind: "end"; readonly faultId: string };
}

/** What a drill adds to a session. */
export interface SessionDrill {
  readonly name: string;
  /** Digest of the drill file. */
  readonly hash: string;
  /** Conditions are not evaluated before this instant. */
  readonly opensAtMs: EpochMs;
  readonly injects: readonly InjectSpec[];
  readonly steps: readonly DrillStep[];
}

/** A step of a guided drill. It counts only from `fromMs` until before `untilMs`; `null`: no such limit. */
export interface DrillStep {
  readonly doneWhen: Condition;
  readonly fromMs: EpochMs | null;
  readonly untilMs: EpochMs | null;
}

/** How a step ended. */
export interface StepOutcome {
  readonly state: "done" | "missed";
  readonly atMs: EpochMs;
}

/** A step at an instant (docs/model/drills.md#steps). */
export interface StepView {
  readonly state: "waiting" | "open" | "done" | "missed";
  /** `null`: it is not done. */
  readonly doneMs: EpochMs | null;
}

/** The steps at an instant, from the outcomes of the first ones. */
export function stepsAt(steps: readonly DrillStep[], outcomes: readonly StepOutcome[], nowMs: EpochMs): StepView[] {
  const past = outcomes.filter(({ atMs }) => atMs <= nowMs);
  let presentStep: number | null = null;
  return steps.map(({ fromMs, untilMs }, k) => {
    const outcome = past[k];
    if (outcome !== undefined) return { state: outcome.state, doneMs: outcome.state === "done" ? outcome.atMs : null };
    // At the end of the drill, after which nothing acts.
    if (presentStep === null && (untilMs ?? Number.POSITIVE_INFINITY) <= nowMs)
      return { state: "missed", doneMs: null };
    presentStep ??= k;
    return { state: k === presentStep && (fromMs ?? nowMs) <= nowMs ? "open" : "waiting", doneMs: null };
  });
}

/** An inject as in a file: instants and durations as ISO 8601 texts. */
type InjectConfig = WrittenFaultKeys & {
  readonly kind: FaultKind;
  readonly site: string;
  readonly at?: string;
  readonly when?: InjectCondition;
  readonly duration?: string;
};

export const injectConfig = ({ kind, site, at, when, duration, ...keys }: InjectSpec): InjectConfig => ({
  kind,
  site,
  ...writtenKeys(keys),
  ...(at === undefined ? {} : { at: isoUtc(at) }),
  ...(when === undefined ? {} : { when: conditionConfig(when) }),
  ...(duration === undefined ? {} : { duration: isoDuration(duration) }),
});

/** A condition as in a file. */
export function conditionConfig(condition: Condition): InjectCondition {
  const { for: forMs, ...statement } = condition;
  const duration = forMs === undefined ? {} : { for: isoDuration(forMs) };
  return "time" in statement ? { time: isoUtc(statement.time), ...duration } : { ...statement, ...duration };
}

/** A condition in words, such as `delivered share above 95 % for PT5M`. */
export function conditionText(condition: Condition): string {
  const duration = condition.for === undefined ? "" : ` for ${isoDuration(condition.for)}`;
  return `${statementText(condition)}${duration}`;
}

function statementText(condition: Condition): string {
  if ("time" in condition) return `from ${isoUtc(condition.time)}`;
  if ("award_in_force" in condition) return `award ${condition.award_in_force} in force`;
  if ("owner_call" in condition) return `owner of ${condition.owner_call} called`;
  if ("command" in condition) return `a command ${condition.command.path} ${condition.command.outcome}`;
  if ("soc_pct" in condition) return `SOC of ${condition.soc_pct.site}${limitsText(condition.soc_pct, " %")}`;
  if ("weight" in condition) return `weight of ${condition.weight.site}${limitsText(condition.weight, "")}`;
  if ("uncovered_kw" in condition) return `uncovered power${limitsText(condition.uncovered_kw, " kW")}`;
  return `delivered share${limitsText(condition.delivered_share_pct, " %")}`;
}

const limitsText = ({ above, below }: { readonly above?: number; readonly below?: number }, unit: string): string =>
  [
    ...(above === undefined ? [] : [` above ${above}${unit}`]),
    ...(below === undefined ? [] : [` below ${below}${unit}`]),
  ].join(" and");
