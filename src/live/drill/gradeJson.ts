import { cutCurve, type Polyline } from "../../accounting/recorders/polyline.ts";
import { type Language, textIn } from "../../base/language.ts";
import { roundTo } from "../../base/rounding.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import { VERSION } from "../../version.ts";
import { stepsAt } from "../session/injects/inject.ts";
import { actionText } from "./actionText.ts";
import { compareAttempts, type PastAttempt } from "./attemptHistory.ts";
import { CLIENT_CHECK_TEXTS, type ClientCheck } from "./clientChecks.ts";
import { type DebriefEvent, debriefEvents } from "./debriefEvents.ts";
import type { GradedDrill } from "./gradedDrill.ts";
import type { ClientCheckRecord, Grade } from "./gradeSchema.ts";
import { isIneffective, type Measures } from "./measureAttempt.ts";
import { valueText } from "./measureText.ts";

/** How the best run was found; stated wherever its figures are shown. */
export const FORESIGHT_NOTE: Readonly<Record<Language, string>> = {
  en: "The best was searched with knowledge of the whole drill, its injects included. Nobody can know these in advance, so 100 points may be out of reach.",
  ja: "最善の結果は、挿入される故障を含む訓練全体を知ったうえで探索したものです。事前に知ることはできないため、100点に届かないことがあります。",
};

const instantOf = (atMs: EpochMs | null): string | null => (atMs === null ? null : isoUtc(atMs));

/**
 * The grade as plain data for programs (docs/drills.md#json): everything that the debriefing shows. It depends on the drill, the
 * attempt and the earlier attempts alone.
 *
 * @param earlier  of the same person at the same drill, oldest first; `null`: nobody is named
 */
export function gradeJson(
  graded: GradedDrill,
  language: Language = "en",
  earlier: readonly PastAttempt[] | null = null,
): Grade {
  const { drill, score, isPassed, wouldPass, isComplete, measures, nothing, best, reactions, effects, run } = graded;
  const goalResults = goalsJson(graded, language);
  return {
    drill: {
      name: drill.name,
      title: textIn(drill.title, language),
      hash: drill.served.drill?.hash ?? null,
      version: VERSION,
    },
    period: { start: isoUtc(drill.startMs), end: isoUtc(drill.endMs) },
    complete: isComplete,
    passed: isPassed,
    score,
    pass_score: drill.passScore,
    uncovered_above_pct: drill.uncoveredAbovePct,
    goals: goalResults,
    measures,
    so_far: soFarJson(graded, language),
    at_end_without_action: isComplete ? null : { score, passed: wouldPass, measures, goals: goalResults },
    steps: stepsJson(graded, language),
    nothing: energyMeasures(nothing.measures),
    best: {
      ...energyMeasures(best.measures),
      found_by: best.isAttempt ? "the attempt" : "search",
      runs: best.runs,
      used_foresight: true,
      note: FORESIGHT_NOTE[language],
      actions: best.acts.map(({ atMs, text }) => ({ at: isoUtc(atMs), text: textIn(text, language) })),
    },
    injects: run.injects.map(({ injectId, spec, state, beganMs }) => ({
      inject_id: injectId,
      kind: spec.kind,
      site: spec.site,
      began_at: instantOf(beganMs),
      state,
    })),
    reactions: reactions.map(({ injectId, noticedMs, reactedMs }) => ({
      inject_id: injectId,
      noticed_at: isoUtc(noticedMs),
      reacted_at: instantOf(reactedMs),
    })),
    actions: effects.map((effect) => ({
      at: isoUtc(effect.action.input.at_ms),
      text: actionText(graded, effect.action, language),
      won_kwh: effect.avoidedKwh,
      won_jpy: effect.avoidedJpy,
      needless: isIneffective(effect),
    })),
    ...(graded.client === null ? {} : { client: graded.client.list.map((check) => clientCheckJson(check, language)) }),
    steps_done_at: run.stepOutcomes.flatMap(({ state, atMs }) => (state === "done" ? [isoUtc(atMs)] : [])),
    alarms: run.alarms[language],
    timeline: debriefEvents(graded, language).map(({ atMs, kind, text }) => ({
      at: isoUtc(atMs),
      kind: EVENT_KINDS[kind],
      text,
    })),
    power: powerCurves(graded),
    suggestions: graded.suggestions.map(({ source, text, avoidedKwh, actions }) => ({
      source,
      text: textIn(text, language),
      won_kwh: avoidedKwh,
      actions: actions.map((action) => ({ at: isoUtc(action.atMs), text: textIn(action.text, language) })),
    })),
    ...(earlier === null ? {} : { earlier: earlierJson(graded, earlier) }),
  };
}

const goalsJson = ({ goals }: GradedDrill, language: Language): Grade["goals"] =>
  goals.map(({ goal, value, points, isMet }) => ({
    measure: goal.measure,
    text: textIn(goal.text, language),
    value,
    value_text: valueText(goal.measure, value, language),
    points,
    weight: goal.weight,
    at_most: goal.atMost,
    min_points: goal.minPoints,
    met: isMet,
  }));

/** What has come about until the session's instant. Points belong to the whole drill, so that only limits can be met. */
function soFarJson({ drill, attempt, goals, soFar }: GradedDrill, language: Language): Grade["so_far"] {
  return {
    at: isoUtc(Math.min(attempt.reachedMs, drill.endMs)),
    measures: soFar,
    goals: goals.map(({ goal: { measure, atMost } }) => ({
      measure,
      value: soFar[measure],
      value_text: valueText(measure, soFar[measure], language),
      at_most: atMost,
      met: atMost === null ? null : soFar[measure] <= atMost,
    })),
  };
}

const stepsJson = ({ drill: { steps }, attempt, run }: GradedDrill, language: Language): Grade["steps"] =>
  stepsAt(steps, run.stepOutcomes, attempt.reachedMs).map(({ state, doneMs }, k) => ({
    text: textIn(steps[k].text, language),
    state,
    done_at: instantOf(doneMs),
  }));

function clientCheckJson({ name, isPassed, requests }: ClientCheck, language: Language): ClientCheckRecord {
  const { expected, toPass } = CLIENT_CHECK_TEXTS[name];
  return {
    check: name,
    passed: isPassed,
    expected: textIn(expected, language),
    to_pass: textIn(toPass, language),
    requests: requests.map(({ atMs, request, status, detail }) => ({
      at: isoUtc(atMs),
      request,
      status,
      detail: detail === null ? null : textIn(detail, language),
    })),
  };
}

/** Kinds of the time line as programs read them. */
const EVENT_KINDS: Readonly<Record<DebriefEvent["kind"], Grade["timeline"][number]["kind"]>> = {
  kindFault: "fault",
  kindNotice: "notice",
  kindEnd: "fault_end",
  kindAction: "action",
  kindRefused: "refused",
  kindStep: "step",
  kindMissed: "step_missed",
  kindDispatch: "dispatch",
  kindNote: "note",
};

function earlierJson(graded: GradedDrill, earlier: readonly PastAttempt[]): Grade["earlier"] {
  const { number, lastScore, bestScore, scoreChange } = compareAttempts(graded.score, earlier);
  return {
    attempt: number,
    last_score: lastScore,
    best_score: bestScore,
    score_change: scoreChange,
    attempts: earlier.map(({ score, isPassed: passed, measures }) => ({ score, passed, measures })),
  };
}

/** The measures that the run without a trainee and the best run have. */
const energyMeasures = ({ shortfall_kwh, shortfall_jpy, uncovered_minutes, constraint_violations }: Measures) => ({
  shortfall_kwh,
  shortfall_jpy,
  uncovered_minutes,
  constraint_violations,
});

/** Points joined by straight lines: an instant and kW. Two points of one instant are a jump. */
type CurveJson = readonly (readonly [string, number])[];

/** Power of one VPP in the period of a drill, import positive. */
interface PowerCurves {
  readonly vpp: string;
  readonly promised_kw: CurveJson;
  readonly delivered_kw: CurveJson;
  /** Delivered power of the run without a trainee. */
  readonly delivered_without_trainee_kw: CurveJson;
}

/** The chart of a debriefing as data. */
const powerCurves = ({ drill, nothing, run }: GradedDrill): PowerCurves[] =>
  nothing.run.record.timelines.map((without, k) => ({
    vpp: without.vpp,
    promised_kw: curveOf(without.requestedKw, drill),
    delivered_kw: curveOf(run.record.timelines[k].deliveredKw, drill),
    delivered_without_trainee_kw: curveOf(without.deliveredKw, drill),
  }));

function curveOf(curve: Polyline, period: { readonly startMs: number; readonly endMs: number }): CurveJson {
  const { atMs, values } = cutCurve(curve, period);
  return Array.from(atMs, (at, k) => [isoUtc(at), roundTo(values[k], 3)]);
}
