import { roundTo } from "../../base/rounding.ts";
import { ceilToMinute, type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import type { Condition } from "../../inputs/scenario/schema/injectSchema.ts";
import { stepsAt } from "../session/injects/inject.ts";
import type { Drill } from "./drill.ts";
import type { Measure } from "./drillSchema.ts";
import { type Attempt, isTraineeInput, withoutTrainee } from "./readAttempt.ts";
import { type AnsweredInput, type DrillRun, runDrill } from "./runDrill.ts";
import { type DeliveryFigures, deliveryFigures } from "./shortfall.ts";

/** The reaction of the trainee to an inject. */
export interface Reaction {
  readonly injectId: string;
  readonly beganMs: EpochMs;
  /** The first evaluation after it, at which an operator can notice its effect. */
  readonly noticedMs: EpochMs;
  /** First accepted command or owner call from then on; `null`: none. */
  readonly reactedMs: EpochMs | null;
}

/** The measures that a run without counterfactuals gives; the others are 0. */
export type Measures = Readonly<Record<Measure, number>>;

/** The figures of a run of the drill, compared with the promise of the run without a trainee. */
export function deliveryFiguresOf(
  { served, startMs, endMs, uncoveredAbovePct }: Drill,
  promised: DrillRun,
  run: DrillRun,
  untilMs: EpochMs = endMs,
): DeliveryFigures {
  const { timelines } = promised.record;
  return deliveryFigures(served.scenario.world, timelines, run.record.timelines, {
    startMs,
    endMs: untilMs,
    uncoveredAbovePct,
  });
}

/** Commands of the trainee that were accepted, and calls to owners. */
export const actionsOf = ({ inputs }: DrillRun): readonly AnsweredInput[] =>
  inputs.filter(({ input, answer }) => isTraineeInput(input) && (answer === null || answer.status < 400));

/** The first evaluation after a fault began, at which an operator can notice it. */
export const noticeMs = (beganMs: EpochMs): EpochMs => ceilToMinute(beganMs + 1);

export function reactionsOf(drill: Drill, run: DrillRun): Reaction[] {
  const actions = actionsOf(run);
  return run.injects.flatMap(({ injectId, beganMs }) => {
    if (beganMs === null || drill.endMs <= beganMs) return [];
    const noticedMs = noticeMs(beganMs);
    const reaction = actions.find(({ input }) => noticedMs <= input.at_ms);
    return [{ injectId, beganMs, noticedMs, reactedMs: reaction?.input.at_ms ?? null }];
  });
}

/**
 * Measures a run of a drill.
 *
 * @param needlessCount  from counterfactual runs; 0 without instructions of a trainee
 * @param untilMs  end of what is measured; absent: the drill's end
 */
export function measuresOf(
  drill: Drill,
  {
    promised,
    run,
    needlessCount,
    untilMs = drill.endMs,
  }: {
    readonly promised: DrillRun;
    readonly run: DrillRun;
    readonly needlessCount: number;
    readonly untilMs?: EpochMs;
  },
): Measures {
  const figures = deliveryFiguresOf(drill, promised, run, untilMs);
  const { shortfallKwh, shortfallJpy, uncoveredMinutes, overDeliveryKwh } = figures;
  const reactions = reactionsOf(drill, run).map(
    ({ noticedMs, reactedMs }) => ((reactedMs ?? untilMs) - noticedMs) / MS_PER_MINUTE,
  );
  const refused = run.inputs.filter(({ answer }) => answer !== null && answer.status >= 400);
  const bounds = run.record.events.filter(
    ({ kind, atMs }) => kind === "soc_bound" && drill.startMs <= atMs && atMs < untilMs,
  );
  return {
    shortfall_kwh: roundTo(shortfallKwh, 3),
    shortfall_jpy: roundTo(shortfallJpy, 0),
    uncovered_minutes: roundTo(uncoveredMinutes, 2),
    over_delivery_kwh: roundTo(overDeliveryKwh, 3),
    reaction_minutes: roundTo(Math.max(0, ...reactions), 2),
    needless_instructions: needlessCount,
    constraint_violations: bounds.length,
    refused_requests: refused.length,
    open_steps: stepsAt(drill.steps, run.stepOutcomes, untilMs).filter(({ doneMs }) => doneMs === null).length,
    client_mistakes: 0,
  };
}

/** The effect of one action of the trainee. */
export interface ActionEffect {
  readonly action: AnsweredInput;
  /**
   * Shortfall without this action alone, less the shortfall of the attempt, in kWh; below 0: the action increased the
   * shortfall.
   */
  readonly avoidedKwh: number;
  readonly avoidedJpy: number;
  /** Whether a step of the drill required it. */
  readonly isStep: boolean;
}

/** Maximum number of actions whose effects are measured one by one. */
export const COUNTERFACTUALS_MAX = 200;
/** A smaller difference counts as no effect. */
const EFFECT_MIN_KWH = 0.05;

/** Runs the attempt once without each of its actions; other tasks run in between. */
export async function effectsOfActions(
  drill: Drill,
  attempt: Attempt,
  { promised, run, onRun }: { readonly promised: DrillRun; readonly run: DrillRun; readonly onRun: () => void },
): Promise<ActionEffect[]> {
  const actual = deliveryFiguresOf(drill, promised, run);
  const effects: ActionEffect[] = [];
  for (const action of actionsOf(run).slice(0, COUNTERFACTUALS_MAX)) {
    const inputs = attempt.inputs.filter((input) => input !== action.input);
    const without = deliveryFiguresOf(
      drill,
      promised,
      runDrill(drill, { ...attempt, inputs }, { detail: "timelines" }),
    );
    effects.push({
      action,
      avoidedKwh: roundTo(without.shortfallKwh - actual.shortfallKwh, 3),
      avoidedJpy: roundTo(without.shortfallJpy - actual.shortfallJpy, 0),
      isStep: completesStep(drill, run, action),
    });
    onRun();
    await yieldToEventLoop();
  }
  return effects;
}

/** A grade of a live session takes seconds; its server answers in between. */
// not simulated: the order of tasks changes no figure.
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Whether the attempt would have been as good without the action, and no step required it. */
export const isIneffective = ({ avoidedKwh, isStep }: ActionEffect): boolean => avoidedKwh < EFFECT_MIN_KWH && !isStep;

/** Whether a step that waits for an action of the trainee was done at the instant of one. */
const completesStep = ({ steps }: Drill, { stepOutcomes }: DrillRun, { input }: AnsweredInput): boolean =>
  stepOutcomes.some(
    ({ state, atMs }, k) => state === "done" && atMs === input.at_ms && awaitsAction(steps[k].doneWhen),
  );

const awaitsAction = (condition: Condition): boolean =>
  "weight" in condition || "owner_call" in condition || "command" in condition;

/** The run without a trainee. Its requested power is the promised power. */
export const runWithoutTrainee = (drill: Drill, attempt: Attempt): DrillRun =>
  runDrill(drill, withoutTrainee(attempt), { detail: "full" });
