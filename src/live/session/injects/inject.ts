import type { EpochMs } from "../../../base/time.ts";
import type { Condition, InjectSpec } from "../../../inputs/scenario/schema/injectSchema.ts";
import type { FaultSpec } from "../fault.ts";

type InjectState = "planned" | "in_force" | "ended" | "cancelled";

/** A planned malfunction of a running world (docs/model/drills.md#injects). */
export interface Inject {
  /** `inject-<n>`, in the order in which they were planned. */
  readonly injectId: string;
  readonly spec: InjectSpec;
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
export const faultOfInject = ({ kind, site, duration, limit_pct, reason }: InjectSpec): FaultSpec => ({
  kind,
  site,
  durationMs: duration ?? null,
  ...(kind === "output_control" ? { limitPct: limit_pct ?? 0, reason: reason ?? "other" } : {}),
});

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

/** A step of a guided drill. */
interface DrillStep {
  readonly text: string;
  readonly doneWhen: Condition;
}
