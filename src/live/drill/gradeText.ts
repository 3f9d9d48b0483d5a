import { type Language, textIn } from "../../base/language.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import { createPageLocale, type PageLocale } from "../../report/html/page/pageLocale.ts";
import { actionText } from "./actionText.ts";
import { CLIENT_CHECK_TEXTS, clientRequestText } from "./clientChecks.ts";
import { slowestText } from "./debriefEvents.ts";
import { DEBRIEF_TEXTS, type DebriefText } from "./debriefTexts.ts";
import type { ClientFigures, GradedDrill } from "./gradedDrill.ts";
import { FORESIGHT_NOTE } from "./gradeJson.ts";
import { isIneffective } from "./measureAttempt.ts";
import { measureLabel, valueText } from "./measureText.ts";

/** Local times to the second; milliseconds of an action have no meaning for a reader. */
export const drillLocale = (locale: PageLocale): PageLocale => ({
  ...locale,
  formatExact: (atMs) => locale.formatExact(1000 * Math.floor(atMs / 1000)),
  localise: (text) => locale.localise(text.replace(/(T\d\d:\d\d:\d\d)\.\d+Z/g, "$1Z")),
});

/** The grade for a terminal. */
export function gradeText(graded: GradedDrill, language: Language = "en"): string {
  const { drill, score, isPassed, isComplete, goals, client } = graded;
  const { timezone, world } = drill.served.scenario;
  const locale = drillLocale(createPageLocale(language, timezone, world));
  const local = localIn(language);
  const verdict = textIn(DEBRIEF_TEXTS[isPassed ? "passed" : isComplete ? "notPassed" : "unfinished"], language);
  const title = `${textIn(drill.title, language)} (${drill.name})`;
  const rows = goals.map(({ goal, value, points, isMet }) => {
    const state = isMet ? local("met    ", "達成　") : local("not met", "未達成");
    const pointsText =
      points === null ? "" : local(`, ${points} points, weight ${goal.weight}`, `、${points}点、比重 ${goal.weight}`);
    return `  ${state}  ${textIn(goal.text, language)}: ${valueText(goal.measure, value, language)}${slowestText(graded, goal.measure, language)}${pointsText}`;
  });
  return `${[
    local(
      `${title}: ${lowerFirst(verdict)}, ${score} of 100 points, ${drill.passScore} to pass`,
      `${title}：${verdict}、${score}点（100点満点）、${drill.passScore}点で合格`,
    ),
    ...rows,
    "",
    ...(client === null ? personLines(graded, locale, language) : clientLines(client, locale, language)),
  ].join("\n")}\n`;
}

type LocalWords = (en: string, ja: string) => string;

const localIn =
  (language: Language): LocalWords =>
  (en, ja) =>
    language === "ja" ? ja : en;

/**
 * Lines for a person: the figures beside those of the run without a trainee and of the best run, and the effect of each
 * action.
 */
function personLines(graded: GradedDrill, locale: PageLocale, language: Language): string[] {
  const { drill, nothing, best, effects, measures } = graded;
  const local = localIn(language);
  const compared = (["shortfall_kwh", "shortfall_jpy", "uncovered_minutes"] as const).map((measure) => {
    const [own, none, ideal] = [measures, nothing.measures, best.measures].map((set) =>
      valueText(measure, set[measure], language),
    );
    const others = local(`nothing done ${none}; best ${ideal}`, `何もしない場合 ${none}; 最善 ${ideal}`);
    return `  ${textIn(measureLabel(measure, drill.uncoveredAbovePct), language)}: ${own}; ${others}`;
  });
  const actions = effects.map((effect) => {
    const text = locale.localise(actionText(graded, effect.action, language));
    const needless = isIneffective(effect) ? local(", needless", "、不要") : "";
    return `  ${locale.formatExact(effect.action.input.at_ms)}  ${text}: ${effectText(effect.avoidedKwh, language)}${needless}`;
  });
  return [
    ...compared,
    ...(actions.length === 0 ? [] : ["", local("What each action won:", "各操作の効果："), ...actions]),
    "",
    FORESIGHT_NOTE[language],
  ];
}

/** Lines for a program: its checks; for a failed one, the expectation, the requests, and what would pass. */
function clientLines({ list }: ClientFigures, locale: PageLocale, language: Language): string[] {
  const local = localIn(language);
  const t = (key: DebriefText) => textIn(DEBRIEF_TEXTS[key], language);
  return list.flatMap(({ name, isPassed, requests }) => {
    const { title, expected, toPass } = CLIENT_CHECK_TEXTS[name];
    const head = `  ${isPassed ? local("right", "正") : local("wrong", "誤")}  ${name} (${textIn(title, language)})`;
    if (isPassed) return [head];
    const seen = requests.map(
      (request) => `${locale.formatExact(request.atMs)} ${clientRequestText(request, language)}`,
    );
    return [
      head,
      `         ${t("checkExpected")}: ${textIn(expected, language)}`,
      `         ${t("checkSeen")}: ${seen.length === 0 ? t("checkNothingSeen") : ""}`.trimEnd(),
      ...seen.map((line) => `           ${line}`),
      `         ${t("checkToPass")}: ${textIn(toPass, language)}`,
    ];
  });
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function effectText(avoidedKwh: number, language: Language): string {
  const kwh = `${formatFixed(Math.abs(avoidedKwh), 1)} kWh`;
  if (language === "ja") return `不足量 ${kwh} ${avoidedKwh >= 0 ? "減" : "増"}`;
  return `${kwh} ${avoidedKwh >= 0 ? "less" : "more"} shortfall`;
}
