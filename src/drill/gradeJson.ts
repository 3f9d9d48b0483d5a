import { type EpochMs, isoUtc } from "../base/time.ts";
import { VERSION } from "../version.ts";
import type { Language } from "./drill.ts";
import { textIn } from "./drill.ts";
import type { GradedDrill } from "./gradeDrill.ts";
import { isNeedless, type Measures } from "./measureAttempt.ts";
import type { AnsweredInput } from "./playDrill.ts";

/** How the best was found, said wherever it is shown. */
export const FORESIGHT_NOTE: Readonly<Record<Language, string>> = {
  en: "The best was searched with knowledge of the whole drill, its injects included. Nobody can know these in advance, so 100 points may be out of reach.",
  ja: "最善の結果は、事象を含む演習全体を知ったうえで探索したものです。事前に知ることはできないため、100点に届かないことがあります。",
};

const instantOf = (atMs: EpochMs | null): string | null => (atMs === null ? null : isoUtc(atMs));

/** The grade as plain data for programs (docs/drills.md#json). It depends on the drill and the attempt alone. */
export function gradeJson(graded: GradedDrill, language: Language = "en"): object {
  const { drill, score, isPassed, isComplete, goals, measures, nothing, best, reactions, effects, played } = graded;
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
    goals: goals.map(({ goal, value, points, isMet }) => ({
      measure: goal.measure,
      text: textIn(goal.text, language),
      value,
      points,
      weight: goal.weight,
      at_most: goal.atMost,
      min_points: goal.minPoints,
      met: isMet,
    })),
    measures,
    nothing: energyMeasures(nothing.measures),
    best: {
      ...energyMeasures(best.measures),
      found_by: best.isAttempt ? "the attempt" : "search",
      runs: best.runs,
      used_foresight: true,
      note: FORESIGHT_NOTE[language],
      actions: best.acts.map(({ atMs, text }) => ({ at: isoUtc(atMs), text })),
    },
    injects: played.injects.map(({ injectId, spec, state, beganMs }) => ({
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
      text: actionText(graded, effect.action),
      won_kwh: effect.wonKwh,
      won_jpy: effect.wonJpy,
      needless: isNeedless(effect),
    })),
    ...(graded.client === null
      ? {}
      : { client: graded.client.list.map(({ name, isPassed: passed }) => ({ check: name, passed })) }),
    steps_done_at: played.stepsDoneMs.map(isoUtc),
  };
}

/** The measures in which doing nothing and the best have a value. */
const energyMeasures = ({ shortfall_kwh, shortfall_jpy, uncovered_minutes, constraint_violations }: Measures) => ({
  shortfall_kwh,
  shortfall_jpy,
  uncovered_minutes,
  constraint_violations,
});

/** An action in words, such as `weight of battery-large: 0`. */
export function actionText({ drill }: GradedDrill, { input }: AnsweredInput): string {
  if (input.kind === "owner_call") return `call to the owner of ${input.site}`;
  if (input.kind !== "request") return input.kind;
  const { api, id, method, path, body } = input.request;
  const { sites, vpps } = drill.served.scenario.world;
  const named = path.replace(/[0-9a-f]{32}/g, (emsId) => sites.find((site) => site.emsId === emsId)?.name ?? emsId);
  const owner =
    api === "vpp-v1" ? vpps.find(({ vppId }) => vppId === id)?.name : sites.find(({ emsId }) => emsId === id)?.name;
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const weight = fields.allocation_weight;
  if (weight !== undefined && path.startsWith("/members/"))
    return `weight of ${named.slice("/members/".length)}: ${weight}`;
  if (fields.type === "schedule")
    return `schedule ${fields.sku ?? "without product"} ${fields.delta_kw} kW, ${fields.start_time} to ${fields.end_time}`;
  if (fields.type === "immediate")
    return `immediate instruction ${fields.sku ?? "without product"} ${fields.delta_kw} kW for ${fields.duration_minutes} min`;
  return `${method} ${named} (${owner ?? id})`;
}
