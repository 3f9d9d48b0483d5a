import { type Language, textIn } from "../../base/language.ts";
import { roundTo } from "../../base/rounding.ts";
import { ceilToMinute, type EpochMs, isoUtc } from "../../base/time.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import { stepsAt } from "../session/injects/inject.ts";
import type { WorldInput } from "../session/journal/journalEntry.ts";
import { actionText } from "./actionText.ts";
import { noticedFaults, ownerCallText } from "./bestPossible.ts";
import type { Drill } from "./drill.ts";
import type { GradedDrill, Suggestion } from "./gradedDrill.ts";
import { deliveryFiguresOf } from "./measureAttempt.ts";
import type { Attempt } from "./readAttempt.ts";
import { type DrillRun, runDrill } from "./runDrill.ts";

/** A grade without its suggestions. */
type UnadvisedGrade = Omit<GradedDrill, "suggestions">;

/** Number of suggestions in a debriefing. */
const SUGGESTIONS_MAX = 3;
/** Smallest gain for a suggestion. */
const GAIN_MIN_KWH = 1;

/**
 * The lesson of a guided drill; otherwise the changes of the attempt that reduce the shortfall most, each measured alone, and what the
 * best run did. Then the drill's advice (docs/model/drills.md#suggestions).
 *
 * @param onRun  called after the run that measures each call
 */
export function suggestionsFor(
  graded: UnadvisedGrade,
  calls: readonly SuggestedCall[],
  onRun: () => void,
): Suggestion[] {
  const advice = graded.drill.advice.map(
    (text): Suggestion => ({ source: "advice", text, avoidedKwh: null, actions: [] }),
  );
  if (graded.drill.steps.length > 0) return [...lessonSuggestions(graded), ...advice];
  const measured = [...calls.map((call) => callSuggestion(graded, call, onRun)), ...omissionSuggestions(graded)];
  const byGain = measured
    .filter(({ avoidedKwh }) => GAIN_MIN_KWH <= avoidedKwh)
    .sort((a, b) => b.avoidedKwh - a.avoidedKwh || (a.text.en < b.text.en ? -1 : 1));
  const best = bestSuggestion(graded);
  return [...byGain.slice(0, SUGGESTIONS_MAX - best.length), ...best, ...advice].slice(0, SUGGESTIONS_MAX);
}

/** Steps that were missed or are open at the end of the drill. */
function lessonSuggestions({ drill: { steps, endMs }, run }: UnadvisedGrade): Suggestion[] {
  return stepsAt(steps, run.stepOutcomes, endMs).flatMap(({ state }, k): Suggestion[] => {
    if (state !== "missed" && state !== "open") return [];
    const { en, ja = en } = steps[k].text;
    const text =
      state === "missed"
        ? { en: `Step ${k + 1} was missed: ${en}`, ja: `手順${k + 1}は未実施です：${ja}` }
        : { en: `Step ${k + 1} was not done: ${en}`, ja: `手順${k + 1}は完了していません：${ja}` };
    return [{ source: "lesson", text, avoidedKwh: null, actions: [] }];
  });
}

type MeasuredSuggestion = Suggestion & { readonly avoidedKwh: number };

/** A call to an owner that the attempt made later, or not at all. */
interface SuggestedCall {
  readonly site: string;
  readonly noticedMs: EpochMs;
  /** The call of the attempt. */
  readonly made: WorldInput | undefined;
}

/** Calls to each owner as soon as the fault can be noticed; each takes a run to measure. */
export function suggestedCalls(drill: Drill, attempt: Attempt, nothing: DrillRun): SuggestedCall[] {
  if (!drill.may.includes("owner_calls") || drill.steps.length > 0) return [];
  const sites = new Map<string, EpochMs>();
  for (const { site, noticedMs } of noticedFaults(drill, nothing)) if (!sites.has(site)) sites.set(site, noticedMs);
  return [...sites].flatMap(([site, noticedMs]) => {
    const made = attempt.inputs.find((input) => input.kind === "owner_call" && input.site === site);
    if (made !== undefined && made.at_ms <= ceilToMinute(noticedMs + 1)) return [];
    return [{ site, noticedMs, made }];
  });
}

function callSuggestion(
  graded: UnadvisedGrade,
  { site, noticedMs, made }: SuggestedCall,
  onRun: () => void,
): MeasuredSuggestion {
  const { drill, attempt } = graded;
  const call: WorldInput = { kind: "owner_call", at_ms: noticedMs, site, delay_ms: drill.ownerOf(site).delayMs };
  const inputs = inOrder([...attempt.inputs.filter((input) => input !== made), call]);
  const at = isoUtc(noticedMs);
  const text =
    made === undefined
      ? {
          en: `Call the owner of ${site} as soon as its fault shows, at ${at}`,
          ja: `${site} の異常に気付いたらすぐに（${at}）所有者に連絡する`,
        }
      : {
          en: `Call the owner of ${site} at ${at}, not at ${isoUtc(made.at_ms)}`,
          ja: `${site} の所有者への連絡を ${isoUtc(made.at_ms)} ではなく ${at} に行う`,
        };
  const avoidedKwh = gainOf(graded, { ...attempt, inputs });
  onRun();
  const called = { atMs: noticedMs, text: ownerCallText(site) };
  return { source: "change", text, avoidedKwh, actions: [called] };
}

/** A suggestion to omit the action that increased the shortfall most. */
function omissionSuggestions(graded: UnadvisedGrade): MeasuredSuggestion[] {
  return graded.effects.map(({ action, avoidedKwh }) => {
    return {
      source: "change",
      text: {
        en: `Leave out: ${actionText(graded, action)}. It cost more than it won`,
        ja: `次の操作は行わない（効果より損失が大きい）：${actionText(graded, action, "ja")}`,
      },
      avoidedKwh: -avoidedKwh,
      actions: [],
    };
  });
}

/** All actions of the best run, if its shortfall is smaller. */
function bestSuggestion({ best, measures }: UnadvisedGrade): Suggestion[] {
  const avoidedKwh = roundTo(measures.shortfall_kwh - best.measures.shortfall_kwh, 3);
  const { length } = best.acts;
  if (best.isAttempt || length === 0 || avoidedKwh < GAIN_MIN_KWH) return [];
  const text = {
    en: length === 1 ? "Do what the best run did" : `Do what the best run did, ${length} actions in this order`,
    ja: `最善の結果での操作（${length}件、実行順）を試す`,
  };
  return [{ source: "best", text, avoidedKwh, actions: best.acts.map((act) => ({ atMs: act.atMs, text: act.text })) }];
}

function gainOf({ drill, nothing, run }: UnadvisedGrade, attempt: Attempt): number {
  const changed = runDrill(drill, attempt, { detail: "timelines" });
  const actual = deliveryFiguresOf(drill, nothing.run, run).shortfallKwh;
  return roundTo(actual - deliveryFiguresOf(drill, nothing.run, changed).shortfallKwh, 3);
}

/** The sort is stable: inputs of one instant keep their order. */
const inOrder = (inputs: readonly WorldInput[]): WorldInput[] => [...inputs].sort((a, b) => a.at_ms - b.at_ms);

export const suggestionText = ({ text, avoidedKwh }: Suggestion, language: Language): string => {
  const sentence = textIn(text, language);
  if (avoidedKwh === null) return sentence;
  return language === "ja"
    ? `${sentence}（不足 −${formatFixed(avoidedKwh, 1)} kWh）`
    : `${sentence}: ${formatFixed(avoidedKwh, 1)} kWh less shortfall.`;
};
