import { formatFixed } from "../report/html/page/format.ts";
import { createLocalClock } from "../report/html/page/localClock.ts";
import { actionText } from "./actionText.ts";
import { type Language, textIn } from "./drill.ts";
import type { Measure } from "./drillSchema.ts";
import type { GradedDrill } from "./gradedDrill.ts";
import { FORESIGHT_NOTE } from "./gradeJson.ts";
import { isNeedless } from "./measureAttempt.ts";
import { MEASURE_TEXT } from "./measureText.ts";

/** The grade for a terminal. */
export function gradeText(graded: GradedDrill, language: Language = "en"): string {
  const { drill, score, isPassed, isComplete, goals, nothing, best, effects, measures } = graded;
  const { timezone, world } = drill.served.scenario;
  const clock = createLocalClock(timezone, world);
  const verdict = isPassed ? "passed" : isComplete ? "not passed" : "not passed: the session ended before the drill";
  const rows = goals.map(
    ({ goal, value, points, isMet }) =>
      `  ${isMet ? "met    " : "not met"}  ${textIn(goal.text, language)}: ${valueText(goal.measure, value)}${points === null ? "" : `, ${points} points, weight ${goal.weight}`}`,
  );
  const compared = (["shortfall_kwh", "shortfall_jpy", "uncovered_minutes"] as const).map((measure) => {
    const [own, none, ideal] = [measures, nothing.measures, best.measures].map((set) =>
      valueText(measure, set[measure]),
    );
    return `  ${MEASURE_TEXT[measure].label[language] ?? MEASURE_TEXT[measure].label.en}: ${own}; nothing done ${none}; best ${ideal}`;
  });
  const actions = effects.map(
    (effect) =>
      `  ${clock.formatExact(effect.action.input.at_ms)}  ${clock.localise(actionText(graded, effect.action))}: ${effectText(effect.wonKwh)}${isNeedless(effect) ? ", needless" : ""}`,
  );
  return `${[
    `${textIn(drill.title, language)} (${drill.name}): ${verdict}, ${score} of 100 points, ${drill.passScore} to pass`,
    ...rows,
    "",
    ...compared,
    ...(graded.client?.list ?? []).map(({ name, isPassed: right }) => `  ${right ? "right" : "wrong"}  ${name}`),
    ...(actions.length === 0 ? [] : ["", "What each action won:", ...actions]),
    "",
    FORESIGHT_NOTE[language],
  ].join("\n")}\n`;
}

export function valueText(measure: Measure, value: number): string {
  const { unit, decimals } = MEASURE_TEXT[measure];
  return `${formatFixed(value, decimals)}${unit === "" ? "" : ` ${unit}`}`;
}

const effectText = (wonKwh: number): string =>
  wonKwh >= 0 ? `${formatFixed(wonKwh, 1)} kWh less shortfall` : `${formatFixed(-wonKwh, 1)} kWh more shortfall`;
