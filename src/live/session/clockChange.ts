import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { Speed } from "./pace.ts";
import type { SandboxRole } from "./sandboxReads.ts";

/** Kinds of clock changes; `ended` is the pause at the end of the scenario. */
export const CLOCK_CHANGES = ["frozen", "running", "speed_changed", "advanced", "ended"] as const;

export interface ClockChange {
  readonly what: (typeof CLOCK_CHANGES)[number];
  /** `null`: the server itself. */
  readonly by: SandboxRole | null;
  /** Of an advance: its target. */
  readonly to_ms?: EpochMs;
}

/** One change of the clock, linked to those before it on its branch. */
export interface ClockStep {
  readonly atMs: EpochMs;
  readonly change: ClockChange;
  readonly speed: Speed;
  /** Inputs of the branch that acted before it. */
  readonly afterInputs: number;
  readonly previous: ClockStep | null;
}

/** The changes of a branch, oldest first. */
export function clockStepsUntil(last: ClockStep | null): readonly ClockStep[] {
  const steps: ClockStep[] = [];
  for (let step = last; step !== null; step = step.previous) steps.push(step);
  return steps.reverse();
}

/** A clock change as a verb phrase, such as `freezes the clock`; its subject is the person who made the change. */
export function clockText({ what, to_ms: toMs }: ClockChange, speed: Speed): string {
  switch (what) {
    case "frozen":
      return "freezes the clock";
    case "running":
      return `lets the clock run at ${speed}`;
    case "speed_changed":
      return `changes the speed to ${speed}`;
    case "advanced":
      return `advances the clock to ${toMs === undefined ? "later" : isoUtc(toMs)}`;
    case "ended":
      return "stops the clock at the end of the scenario";
  }
}

/** The values in the text of a clock change, for clients that write a text of their own. */
export const clockData = (
  { what, to_ms: toMs }: ClockChange,
  speed: Speed,
): Readonly<Record<string, string | number>> => ({
  change: what,
  speed,
  ...(toMs === undefined ? {} : { to: isoUtc(toMs) }),
});
