import type { EpochMs } from "../base/time.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";

/** A change of an alarm of a session, as its journal has it. */
export interface AlarmRow {
  /** From 1. */
  readonly seq: number;
  readonly atMs: EpochMs;
  readonly what: string;
  readonly id: string;
  readonly kind: string;
  readonly cause: string | null;
  /** 1: act now; 2: act soon; 3: know it. */
  readonly priority: number;
  readonly vpp: string;
  readonly site: string | null;
  readonly award: string | null;
  readonly sinceMs: EpochMs;
  readonly kw: number | null;
  /** `null`: the server. */
  readonly by: string | null;
  readonly name: string | null;
  readonly shelvedUntilMs: EpochMs | null;
  readonly text: string;
}

/** The journal of the session whose export a scenario is. Alarms are derived by a live world, which a run has not. */
export type AlarmSource = (scenario: Scenario) => Promise<readonly AlarmRow[]>;
