import type { RunEvent } from "../../accounting/runRecord.ts";
import { type Language, type LocalText, textIn } from "../../base/language.ts";
import type { EpochMs } from "../../base/time.ts";
import type { FaultKind } from "../../inputs/scenario/schema/faultSchema.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import { parseRefusalKind } from "../../report/refusalText.ts";
import { textOf } from "../../texts/catalogue.ts";
import { actionText, IMMEDIATE, requestText, SCHEDULE } from "./actionText.ts";
import type { DebriefText } from "./debriefTexts.ts";
import type { Measure } from "./drillSchema.ts";
import type { GradedDrill } from "./gradedDrill.ts";
import { noticeMs, type Reaction } from "./measureAttempt.ts";
import { isTraineeInput } from "./readAttempt.ts";

/** One line of the time line. */
export interface DebriefEvent {
  readonly atMs: EpochMs;
  readonly kind: Exclude<Extract<DebriefText, `kind${string}`>, "kind">;
  readonly text: string;
}

/** Events of a run that an operator's time line needs besides the trainee's actions. */
const DISPATCH_EVENTS: Readonly<Record<string, LocalText>> = {
  started: { en: "starts", ja: "開始" },
  ended: { en: "ends", ja: "終了" },
  redispatch: { en: "is dispatched again", ja: "再指令" },
  soc_bound: { en: "reaches an end of its SOC window", ja: "SOC 運用範囲の端に到達" },
};

function dispatchText(graded: GradedDrill, { kind, subject, detail }: RunEvent, language: Language): string {
  const what = textIn(DISPATCH_EVENTS[kind], language);
  const withNames = (text: string): string => text.replace(API_ID, (id) => instructionText(graded, id, language));
  const covered = detail.replace(/^(-?[\d.]+) kW uncovered/, (_, kw) => uncoveredText(Number(kw), language));
  if (language === "en") return withNames(`${subject} ${what}${covered === "" ? "" : `: ${covered}`}`);
  return withNames(`${subject}：${what}${covered === "" ? "" : `（${japaneseDetail(covered)}）`}`);
}

/** Id that the API gives an instruction, which has no name. */
const API_ID = /\b[0-9a-f]{32}\b/g;

/** The request of an instruction, as text in place of its id. */
function instructionText({ run }: GradedDrill, id: string, language: Language): string {
  const row = run.record.awards.find(({ awardId }) => awardId === id);
  if (row === undefined) return id;
  const what = row.kind === "award" ? SCHEDULE : IMMEDIATE;
  return `${textIn(what, language)} ${requestText(row.sku, row.requestedKw, language)}`;
}

/** Uncovered power as on the page, without a sign. */
function uncoveredText(kw: number, language: Language): string {
  if (kw === 0) return textIn({ en: "all of it covered", ja: "全量を割り当て" }, language);
  const text = formatFixed(Math.abs(kw), 1);
  return language === "ja" ? `${text} kW 未割当` : `${text} kW uncovered`;
}

/** The other details of the events above in Japanese. */
const japaneseDetail = (detail: string): string =>
  detail
    .replace(/, (\S+ kW) of its FCR capacity/, "、うち FCR 容量 $1")
    .replace(/^replaced by (.*)$/, "$1 に置き換え")
    .replace(/^deleted$/, "削除")
    .replace(/full$/, "満充電")
    .replace(/empty$/, "空");

/** The time line of the drill, in order of time. */
export function debriefEvents(graded: GradedDrill, language: Language): DebriefEvent[] {
  const { drill, attempt, run } = graded;
  const events: DebriefEvent[] = [
    ...faultEvents(graded, language),
    ...run.inputs
      .filter(({ input }) => isTraineeInput(input))
      .map((answered) => ({
        atMs: answered.input.at_ms,
        kind: (answered.answer?.status ?? 200) < 400 ? ("kindAction" as const) : ("kindRefused" as const),
        text: `${actionText(graded, answered, language)}${refusalText(answered.answer?.body, language)}`,
      })),
    ...attempt.notes.map(({ atMs, text }) => ({ atMs, kind: "kindNote" as const, text })),
    ...run.stepOutcomes.map(({ state, atMs }, k) => ({
      atMs,
      kind: state === "done" ? ("kindStep" as const) : ("kindMissed" as const),
      text: textIn(drill.steps[k].text, language),
    })),
    ...run.record.events
      .filter(({ kind }) => DISPATCH_EVENTS[kind] !== undefined)
      .map((event) => ({
        atMs: event.atMs,
        kind: "kindDispatch" as const,
        text: dispatchText(graded, event, language),
      })),
  ];
  // The sort is stable.
  return events.filter(({ atMs }) => drill.startMs <= atMs && atMs <= drill.endMs).sort((a, b) => a.atMs - b.atMs);
}

/** When faults began and ended in the drill, those of the scenario too, and when they could be noticed. */
const faultEvents = (graded: GradedDrill, language: Language): DebriefEvent[] =>
  faultSpans(graded, language).flatMap(({ startMs, endMs, text }): DebriefEvent[] => [
    { atMs: startMs, kind: "kindFault", text },
    { atMs: noticeMs(startMs), kind: "kindNotice", text },
    ...(endMs === null ? [] : [{ atMs: endMs, kind: "kindEnd" as const, text }]),
  ]);

/** A fault of the attempt. */
interface FaultSpan {
  readonly site: string;
  readonly kind: FaultKind;
  readonly startMs: EpochMs;
  /** `null`: it lasts longer than the drill, with which the run ends. */
  readonly endMs: EpochMs | null;
  readonly text: string;
}

/** All faults, those of the scenario too. */
export function faultSpans({ drill, run }: GradedDrill, language: Language): FaultSpan[] {
  const { outages, outputControls, events } = run.record;
  const endInDrill = (endMs: EpochMs): EpochMs | null => (endMs < drill.endMs ? endMs : null);
  const spans: FaultSpan[] = [
    ...outages.map(({ site, startMs, endMs, planned }): FaultSpan => {
      const kind = planned ? "maintenance" : "outage";
      return { site, kind, startMs, endMs: endInDrill(endMs), text: faultText(site, kind, language) };
    }),
    ...outputControls.map(({ site, startMs, endMs, limitPct }): FaultSpan => {
      const text = limitText(site, limitPct, language);
      return { site, kind: "output_control", startMs, endMs: endInDrill(endMs), text };
    }),
  ];
  for (const { atMs, kind: eventKind, subject: site, detail } of events) {
    const kind = FAULTS_BY_EVENT.get(eventKind);
    if (kind === undefined) continue;
    if (!isEnd(detail)) spans.push({ site, kind, startMs: atMs, endMs: null, text: faultText(site, kind, language) });
    else {
      const open = spans.findIndex((span) => span.site === site && span.kind === kind && span.endMs === null);
      if (open >= 0) spans[open] = { ...spans[open], endMs: atMs };
    }
  }
  return spans;
}

const isEnd = (detail: string): boolean => /^(off|up|ends)$| again$/.test(detail);

/** Faults without a span in the record, by the kind of the event at which they begin and end. */
const FAULTS_BY_EVENT: ReadonlyMap<string, FaultKind> = new Map([
  ["link", "link_down"],
  ["warning", "warning"],
  ["fcr_fault", "fcr_fault"],
  ["derate", "derate"],
  ["irradiance", "irradiance_shortfall"],
  ["sensor", "sensor_offset"],
]);

const FAULT_TEXT: Readonly<Record<FaultKind, LocalText>> = {
  outage: { en: "out of service", ja: "停止" },
  maintenance: { en: "planned maintenance", ja: "計画保守" },
  warning: { en: "warning", ja: "警告" },
  link_down: { en: "connection down", ja: "通信断" },
  fcr_fault: { en: "frequency response faulty", ja: "FCR 故障" },
  output_control: { en: "output limited", ja: "出力制御" },
  derate: { en: "derated", ja: "出力低下" },
  sensor_offset: { en: "sensor offset", ja: "計測値のずれ" },
  sensor_stuck: { en: "sensor stuck", ja: "計測値の固着" },
  irradiance_shortfall: { en: "irradiance shortfall", ja: "日射不足" },
};

const faultText = (site: string, kind: FaultKind, language: Language): string =>
  `${site}${language === "ja" ? "：" : ": "}${textIn(FAULT_TEXT[kind], language)}`;

const limitText = (site: string, limitPct: number, language: Language): string =>
  language === "ja" ? `${site}：出力上限 ${limitPct} %` : `${site}: output limited to ${limitPct} %`;

/** The text of an inject, such as `factory: connection down`. */
function injectText({ run }: GradedDrill, injectId: string, language: Language): string {
  const spec = run.injects.find((inject) => inject.injectId === injectId)?.spec;
  return spec === undefined ? injectId : faultText(spec.site, spec.kind, language);
}

/** The fault to which the reaction took longest, as a remark on that measure; empty for other measures, and without faults. */
export function slowestText(graded: GradedDrill, measure: Measure, language: Language): string {
  const { drill, reactions } = graded;
  if (measure !== "reaction_minutes" || reactions.length === 0) return "";
  const takenMs = ({ noticedMs, reactedMs }: Reaction): number => (reactedMs ?? drill.endMs) - noticedMs;
  const slowest = reactions.reduce((most, reaction) => (takenMs(most) < takenMs(reaction) ? reaction : most));
  const fault = injectText(graded, slowest.injectId, language);
  return language === "ja" ? `（${fault}）` : ` (${fault})`;
}

/** The reason in the envelope of a refusal; in Japanese, the text of its `error_type`. */
function refusalText(body: unknown, language: Language): string {
  const { error } = (body ?? {}) as { readonly error?: { readonly details?: unknown; readonly error_type?: string } };
  const kind = language === "ja" ? parseRefusalKind(error?.error_type) : null;
  const reason = kind === null ? error?.details : textOf("ja", `refusal.${kind}`);
  return typeof reason === "string" ? ` (${reason})` : "";
}
