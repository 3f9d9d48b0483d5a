import { cutCurve, type Polyline } from "../../accounting/recorders/polyline.ts";
import type { VppTimeline } from "../../accounting/runRecord.ts";
import { type Language, textIn } from "../../base/language.ts";
import type { FaultKind } from "../../inputs/scenario/schema/faultSchema.ts";
import { renderFigure } from "../../report/html/charts/chart.ts";
import type { BlockRow, TimeBlock } from "../../report/html/charts/timeBlocks.ts";
import { timeChartSpec } from "../../report/html/charts/timeChart.ts";
import { dataTable } from "../../report/html/page/dataTable.ts";
import { renderDocument, type Section } from "../../report/html/page/document.ts";
import { numberCell } from "../../report/html/page/format.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import { createPageLocale, type PageLocale } from "../../report/html/page/pageLocale.ts";
import type { ColourName } from "../../report/html/page/palette.ts";
import { VERSION } from "../../version.ts";
import { actionText } from "./actionText.ts";
import { compareAttempts, type PastAttempt } from "./attemptHistory.ts";
import { CLIENT_CHECK_TEXTS, clientRequestText } from "./clientChecks.ts";
import { debriefEvents, faultSpans, slowestText } from "./debriefEvents.ts";
import { ALARM_CHANGE_TEXTS, DEBRIEF_TEXTS, type DebriefText } from "./debriefTexts.ts";
import type { Measure } from "./drillSchema.ts";
import type { ClientFigures, GradedDrill } from "./gradedDrill.ts";
import { FORESIGHT_NOTE } from "./gradeJson.ts";
import { drillLocale } from "./gradeText.ts";
import { isIneffective } from "./measureAttempt.ts";
import { MEASURE_TEXT, measureLabel, valueText } from "./measureText.ts";
import { suggestionText } from "./suggestions.ts";

interface DebriefOptions {
  readonly language: Language;
  /** Earlier attempts of the same person at the same drill, oldest first. */
  readonly earlier: readonly PastAttempt[];
}

interface DebriefContext extends DebriefOptions {
  readonly graded: GradedDrill;
  readonly locale: PageLocale;
  readonly t: (key: DebriefText) => string;
}

/** The debriefing as a page that needs no network (docs/drills.md#debriefing). Equal input gives equal bytes. */
export function renderDebriefing(graded: GradedDrill, options: DebriefOptions): string {
  const { drill } = graded;
  const { scenario } = drill.served;
  const { language } = options;
  const locale = drillLocale(
    createPageLocale(language, scenario.timezone, { startMs: drill.startMs, endMs: drill.endMs }),
  );
  const context: DebriefContext = { ...options, graded, locale, t: (key) => textIn(DEBRIEF_TEXTS[key], language) };
  const title = textIn(drill.title, language);
  return renderDocument({
    title: `${title} – ${context.t("brand")}`,
    locale,
    header: header(context, title),
    sections: [
      resultSection(context),
      ...(graded.client === null ? [] : [checksSection(context, graded.client)]),
      powerSection(context),
      timelineSection(context),
      ...(graded.run.alarms.en.length === 0 ? [] : [alarmsSection(context)]),
      // A client program is graded by its requests, so that actions and the best possible run are left out.
      ...(graded.client === null ? [effectsSection(context), triesSection(context)] : []),
      ...(options.earlier.length === 0 ? [] : [attemptsSection(context)]),
    ],
    footer: html`<p>vppsim ${VERSION}, ${drill.name} <code>${drill.served.drill?.hash.slice(0, 12) ?? ""}</code></p>`,
  });
}

function header({ graded, locale, language, t }: DebriefContext, title: string): Markup {
  const { drill, score, isPassed, isComplete, goals } = graded;
  const unmet = isComplete ? goals.filter(({ isMet }) => !isMet) : [];
  const verdict = t(isPassed ? "passed" : isComplete ? "notPassed" : "unfinished");
  return html`<p class="brand">${t("brand")}</p>
<h1>${title}${t("colon")}${verdict}</h1>
<p><b>${score}</b> ${t("points")}${t("comma")}${drill.passScore} ${t("toPass")}</p>
${unmet.length === 0 ? null : html`<p>${t("unmet")}${t("colon")}${unmet.map(({ goal }) => textIn(goal.text, language)).join(t("semicolon"))}</p>`}
<p class="muted">${textIn(drill.briefing, language)}</p>
<ul class="facts"><li>${locale.formatPeriod(drill.startMs, drill.endMs)} ${locale.zoneText}</li></ul>`;
}

const COMPARED: readonly Measure[] = ["shortfall_kwh", "shortfall_jpy", "uncovered_minutes", "constraint_violations"];

function resultSection({ graded, language, t }: DebriefContext): Section {
  const { drill, goals, measures, nothing, best } = graded;
  const label = (measure: Measure): string => textIn(measureLabel(measure, drill.uncoveredAbovePct), language);
  const goalTable = dataTable(t("goal"), goals, [
    { title: t("goal"), cell: ({ goal }) => textIn(goal.text, language) },
    {
      title: t("value"),
      align: "right",
      cell: ({ goal, value }) => valueText(goal.measure, value, language) + slowestText(graded, goal.measure, language),
    },
    { title: t("pointsColumn"), align: "right", cell: ({ points }) => numberCell(points, 1) },
    { title: t("met"), cell: ({ isMet }) => t(isMet ? "yes" : "no") },
  ]);
  const result = { id: "result", contentsTitle: t("result"), title: t("result"), intro: "" };
  if (graded.client !== null) return { ...result, body: goalTable };
  const figures = dataTable(t("measure"), COMPARED, [
    { title: t("measure"), cell: label },
    { title: t("value"), align: "right", cell: (measure) => valueText(measure, measures[measure], language) },
    { title: t("nothing"), align: "right", cell: (measure) => valueText(measure, nothing.measures[measure], language) },
    { title: t("best"), align: "right", cell: (measure) => valueText(measure, best.measures[measure], language) },
  ]);
  return { ...result, body: html`${goalTable}${figures}<p class="muted">${FORESIGHT_NOTE[language]}</p>` };
}

/** What happened to the alarms, and who acted on them. */
function alarmsSection({ graded, locale, language, t }: DebriefContext): Section {
  const table = dataTable(t("alarms"), graded.run.alarms[language], [
    { title: t("time"), cell: ({ at }) => locale.formatExact(Date.parse(at)) },
    { title: t("alarmChange"), cell: ({ what }) => textIn(ALARM_CHANGE_TEXTS[what], language) },
    { title: t("alarmPriority"), align: "right", cell: ({ priority }) => String(priority) },
    { title: t("alarm"), cell: ({ text }) => text },
    { title: t("alarmBy"), cell: ({ by, name }) => name ?? (by === null ? "" : t(by)) },
  ]);
  return { id: "alarms", contentsTitle: t("alarms"), title: t("alarms"), intro: "", body: table };
}

/** The checks of a client program; for a failed one, the expectation, the requests, and what would pass. */
function checksSection({ locale, language, t }: DebriefContext, { list }: ClientFigures): Section {
  const failed = list.filter(({ isPassed }) => !isPassed);
  const table = dataTable(t("checks"), list, [
    {
      title: t("check"),
      cell: ({ name }) => html`${textIn(CLIENT_CHECK_TEXTS[name].title, language)} <code>${name}</code>`,
    },
    { title: t("checkPassed"), cell: ({ isPassed }) => t(isPassed ? "yes" : "no") },
  ]);
  const details = failed.map(({ name, requests }) => {
    const { title, expected, toPass } = CLIENT_CHECK_TEXTS[name];
    const lines = requests.map(
      (request) => html`<li>${locale.formatExact(request.atMs)} ${clientRequestText(request, language)}</li>`,
    );
    return html`<h3>${textIn(title, language)} <code>${name}</code></h3>
<p><b>${t("checkExpected")}:</b> ${textIn(expected, language)}</p>
<p><b>${t("checkSeen")}:</b> ${lines.length === 0 ? t("checkNothingSeen") : ""}</p>${lines.length === 0 ? "" : html`<ul>${lines}</ul>`}
<p><b>${t("checkToPass")}:</b> ${textIn(toPass, language)}</p>`;
  });
  return {
    id: "checks",
    contentsTitle: t("checks"),
    title: t("checks"),
    intro: t("checksIntro"),
    body: html`${table}${details}`,
  };
}

function powerSection(context: DebriefContext): Section {
  const { graded, t } = context;
  const charts = graded.nothing.run.record.timelines.map((without, k) =>
    powerChart(context, without, graded.run.record.timelines[k], k),
  );
  return {
    id: "power",
    contentsTitle: t("power"),
    title: t("power"),
    intro: t("powerIntro"),
    body: html`${charts}`,
  };
}

function powerChart(context: DebriefContext, without: VppTimeline, attempt: VppTimeline, k: number): Markup {
  const { graded, locale, t } = context;
  const { startMs, endMs } = graded.drill;
  const span = { startMs, endMs };
  const cut = (curve: Polyline) => cutCurve(curve, span);
  return renderFigure(
    timeChartSpec({
      id: `power-${k + 1}`,
      title: `${without.vpp}${t("colon")}${t("power")}`,
      caption: `kW, ${locale.timezone}.`,
      altText: `${without.vpp}${t("colon")}${[t("requested"), t("withTrainee"), t("withoutTrainee")].join(t("comma"))}`,
      locale,
      span,
      axisTitle: "kW",
      curves: [
        { label: t("requested"), colour: "neutral", unit: "kW", curve: cut(without.requestedKw), isFilled: true },
        { label: t("withTrainee"), colour: "s1", unit: "kW", curve: cut(attempt.deliveredKw) },
        { label: t("withoutTrainee"), colour: "s2", unit: "kW", curve: cut(without.deliveredKw), isDashed: true },
      ],
      rows: [...faultRows(context), actionRow(context)].filter(({ blocks }) => blocks.length > 0),
      shades: [],
    }),
  );
}

/** Colours of faults by the cause of what is then missing; a warning causes nothing. */
const FAULT_COLOURS: Readonly<Record<FaultKind, ColourName>> = {
  outage: "cause-out_of_service",
  maintenance: "cause-out_of_service",
  output_control: "cause-output_control",
  link_down: "cause-delivery_failed",
  derate: "cause-power_limit",
  irradiance_shortfall: "cause-weather",
  sensor_offset: "neutral",
  sensor_stuck: "neutral",
  fcr_fault: "neutral",
  warning: "neutral",
};

/** Faults of the attempt, each in the first row that is free. */
function faultRows({ graded, language, t }: DebriefContext): BlockRow[] {
  const { startMs, endMs } = graded.drill;
  const rows: TimeBlock[][] = [];
  const spans = faultSpans(graded, language).sort((a, b) => a.startMs - b.startMs);
  for (const span of spans) {
    const spanEndMs = span.endMs ?? endMs;
    if (spanEndMs <= startMs || endMs <= span.startMs) continue;
    const block: TimeBlock = {
      startMs: Math.max(span.startMs, startMs),
      endMs: Math.min(spanEndMs, endMs),
      colour: FAULT_COLOURS[span.kind],
      label: span.site,
      note: span.text,
    };
    const free = rows.find((blocks) => (blocks.at(-1)?.endMs ?? 0) <= block.startMs);
    if (free === undefined) rows.push([block]);
    else free.push(block);
  }
  return rows.map((blocks, k) => ({ title: k === 0 ? t("faults") : "", lines: 1, blocks }));
}

/** A mark of a hundredth of the drill for each action. */
function actionRow({ graded, language, t }: DebriefContext): BlockRow {
  const { startMs, endMs } = graded.drill;
  const widthMs = (endMs - startMs) / 100;
  const blocks = graded.effects.map(({ action }): TimeBlock => {
    const text = actionText(graded, action, language);
    const atMs = action.input.at_ms;
    return { startMs: atMs, endMs: Math.min(endMs, atMs + widthMs), colour: "s3", label: "", note: text };
  });
  return { title: t("actionsRow"), lines: 1, blocks };
}

function timelineSection({ graded, locale, language, t }: DebriefContext): Section {
  const rows = debriefEvents(graded, language);
  const table = dataTable(
    t("timelineRows"),
    rows,
    [
      { title: t("time"), cell: ({ atMs }) => locale.formatExact(atMs) },
      { title: t("kind"), cell: ({ kind }) => t(kind) },
      { title: t("what"), cell: ({ text }) => locale.localise(text) },
    ],
    { groupOf: ({ kind }) => t(kind) },
  );
  return {
    id: "timeline",
    contentsTitle: t("timeline"),
    title: t("timeline"),
    intro: t("timelineIntro"),
    body: table,
  };
}

function effectsSection({ graded, locale, language, t }: DebriefContext): Section {
  const { drill, effects, best } = graded;
  const table =
    effects.length === 0
      ? html`<p>${t("noActions")}</p>`
      : dataTable(t("effectsRows"), effects, [
          { title: t("time"), cell: ({ action }) => locale.formatExact(action.input.at_ms) },
          { title: t("what"), cell: ({ action }) => locale.localise(actionText(graded, action, language)) },
          { title: t("avoidedKwh"), unit: "kWh", align: "right", cell: ({ avoidedKwh }) => numberCell(avoidedKwh, 1) },
          {
            title: t("avoidedJpy"),
            unit: textIn(MEASURE_TEXT.shortfall_jpy.unit, language),
            align: "right",
            cell: ({ avoidedJpy }) => numberCell(avoidedJpy, 0),
          },
          { title: t("needless"), cell: (effect) => t(isIneffective(effect) ? "yes" : "no") },
        ]);
  // A guided drill teaches its steps, not the weights of a search.
  const bestTable =
    best.acts.length === 0 || drill.steps.length > 0
      ? null
      : dataTable(t("bestActions"), best.acts, [
          { title: t("time"), cell: ({ atMs }) => locale.formatExact(atMs) },
          { title: t("bestActions"), cell: ({ text }) => textIn(text, language) },
        ]);
  return {
    id: "effects",
    contentsTitle: t("effects"),
    title: t("effects"),
    intro: t("effectsIntro"),
    body: html`${table}${bestTable}`,
  };
}

function triesSection({ graded: { suggestions }, locale, language, t }: DebriefContext): Section {
  const body =
    suggestions.length === 0
      ? html`<p>${t("nothingToTry")}</p>`
      : html`<ol>${suggestions.map((suggestion) => {
          const actions = suggestion.source === "best" ? suggestion.actions : [];
          const list = actions.map(
            ({ atMs, text }) => html`<li>${locale.formatExact(atMs)} ${textIn(text, language)}</li>`,
          );
          const text = locale.localise(suggestionText(suggestion, language));
          return html`<li>${text}${list.length === 0 ? "" : html`<ol>${list}</ol>`}</li>`;
        })}</ol>`;
  return { id: "tries", contentsTitle: t("tries"), title: t("tries"), intro: t("triesIntro"), body };
}

function attemptsSection({ graded, earlier, language, t }: DebriefContext): Section {
  const { drill, score, measures } = graded;
  const { number, lastScore, bestScore, scoreChange } = compareAttempts(score, earlier);
  const rows = [...earlier, { score, measures }].map((row, k) => ({ ...row, number: k + 1 }));
  const table = dataTable(t("attemptsRows"), rows, [
    {
      title: t("attempt"),
      align: "right",
      cell: (row) => (row.number === number ? html`<b>${row.number}</b>` : String(row.number)),
    },
    { title: t("score"), align: "right", cell: (row) => numberCell(row.score, 1) },
    ...COMPARED.map((measure) => ({
      title: textIn(measureLabel(measure, drill.uncoveredAbovePct), language),
      unit: textIn(MEASURE_TEXT[measure].unit, language),
      align: "right" as const,
      cell: (row: (typeof rows)[number]) => numberCell(row.measures[measure] ?? null, MEASURE_TEXT[measure].decimals),
    })),
  ]);
  const scores = (
    [
      ["lastScore", lastScore],
      ["scoreChange", scoreChange],
      ["bestScore", bestScore],
    ] as const
  ).map(([key, value], k) => html`${k === 0 ? "" : t("semicolon")}${t(key)}${t("colon")}${numberCell(value, 1)}`);
  const summary = html`<p>${scores}</p>`;
  return {
    id: "attempts",
    contentsTitle: t("attempts"),
    title: t("attempts"),
    intro: "",
    body: html`${summary}${table}`,
  };
}
