import type { LocalText } from "../../base/language.ts";
import type { EpochMs } from "../../base/time.ts";
import type { DrillStep } from "../session/injects/inject.ts";
import type { ServedScenario } from "../session/servedScenario.ts";
import type { DrillAction, Measure } from "./drillSchema.ts";

/** A measured goal; at least one of the two limits is given. */
export interface DrillGoal {
  readonly measure: Measure;
  readonly atMost: number | null;
  readonly minPoints: number | null;
  /** Weight of the goal's points in the score. */
  readonly weight: number;
  readonly text: LocalText;
}

/** The answer of a site's owner, and the time until the owner has ended the fault. */
export interface OwnerAnswer {
  readonly delayMs: number;
  readonly answer: LocalText;
}

/** A checked drill with its scenario, which ends where the drill ends. */
export interface Drill {
  /** Absolute path of the drill file. */
  readonly file: string;
  readonly name: string;
  readonly title: LocalText;
  readonly briefing: LocalText;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly speed: number;
  readonly may: readonly DrillAction[];
  /** The scenario with the injects and steps of the drill. */
  readonly served: ServedScenario;
  readonly goals: readonly DrillGoal[];
  /** Of the promise, in %: smaller gaps are no uncovered power (docs/model/drills.md#measures). */
  readonly uncoveredAbovePct: number;
  readonly passScore: number;
  readonly steps: readonly (DrillStep & { readonly text: LocalText })[];
  readonly advice: readonly LocalText[];
  readonly searchBudget: number;
  readonly ownerOf: (site: string) => OwnerAnswer;
  /** Whether the trainee is a program whose requests are graded. */
  readonly isForClients: boolean;
}

/** Measures that are 0 without a trainee: they limit an attempt and give no points (docs/model/drills.md#score). */
const LIMITS_ONLY: ReadonlySet<Measure> = new Set(["over_delivery_kwh", "needless_instructions", "refused_requests"]);

/** Whether a measure gives points between those of the run without a trainee and of the best run. */
export const hasPoints = (measure: Measure): boolean => !LIMITS_ONLY.has(measure);
