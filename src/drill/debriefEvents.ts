import type { RunEvent } from "../accounting/runRecord.ts";
import { type Language, type LocalText, textIn } from "../base/language.ts";
import type { EpochMs } from "../base/time.ts";
import { parseRefusalKind } from "../report/html/sections/refusalText.ts";
import type { FaultKind } from "../scenario/schema/injectSchema.ts";
import { actionText } from "./actionText.ts";
import { isTraineeInput } from "./attempt.ts";
import type { DebriefText } from "./debriefTexts.ts";
import type { GradedDrill } from "./gradedDrill.ts";
import { JAPANESE_REFUSALS } from "./refusalTexts.ts";

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

function dispatchText({ kind, subject, detail }: RunEvent, language: Language): string {
  const what = textIn(DISPATCH_EVENTS[kind], language);
  if (language === "en") return `${subject} ${what}${detail === "" ? "" : `: ${detail}`}`;
  return `${subject}：${what}${detail === "" ? "" : `（${japaneseDetail(detail)}）`}`;
}

/** The details of the events above in Japanese. */
const japaneseDetail = (detail: string): string =>
  detail
    .replace(/ kW uncovered/, " kW 未割当")
    .replace(/, (\S+ kW) of its FCR capacity/, "、うち FCR 容量 $1")
    .replace(/^replaced by (.*)$/, "$1 に置き換え")
    .replace(/^deleted$/, "削除")
    .replace(/full$/, "満充電")
    .replace(/empty$/, "空");

/** What happened in the drill, in order of time. */
export function debriefEvents(graded: GradedDrill, language: Language): DebriefEvent[] {
  const { drill, attempt, played, reactions } = graded;
  const events: DebriefEvent[] = [
    ...faultEvents(graded, language),
    ...reactions.map(({ injectId, noticedMs }) => ({
      atMs: noticedMs,
      kind: "kindNotice" as const,
      text: faultName(graded, injectId, language),
    })),
    ...played.inputs
      .filter(({ input }) => isTraineeInput(input))
      .map((answered) => ({
        atMs: answered.input.at_ms,
        kind: (answered.answer?.status ?? 200) < 400 ? ("kindAction" as const) : ("kindRefused" as const),
        text: `${actionText(graded, answered, language)}${refusalText(answered.answer?.body, language)}`,
      })),
    ...attempt.notes.map(({ atMs, text }) => ({ atMs, kind: "kindNote" as const, text })),
    ...played.stepsDoneMs.map((atMs, k) => ({
      atMs,
      kind: "kindStep" as const,
      text: textIn(drill.steps[k].text, language),
    })),
    ...played.record.events
      .filter(({ kind }) => DISPATCH_EVENTS[kind] !== undefined)
      .map((event) => ({ atMs: event.atMs, kind: "kindDispatch" as const, text: dispatchText(event, language) })),
  ];
  // The sort is stable.
  return events.filter(({ atMs }) => drill.startMs <= atMs && atMs <= drill.endMs).sort((a, b) => a.atMs - b.atMs);
}

/** Faults that began and ended in the run, those of the scenario too. */
function faultEvents({ played }: GradedDrill, language: Language): DebriefEvent[] {
  const { outages, outputControls } = played.record;
  const marks = (startMs: EpochMs, endMs: EpochMs, text: string): DebriefEvent[] => [
    { atMs: startMs, kind: "kindFault", text },
    { atMs: endMs, kind: "kindEnd", text },
  ];
  const others = played.injects.flatMap(({ beganMs, spec, injectId }) => {
    if (beganMs === null || spec.kind === "outage" || spec.kind === "maintenance" || spec.kind === "output_control")
      return [];
    const text = faultText(spec.site, spec.kind, language);
    const end = played.derivedChanges.find(({ change, atMs }) => change.kind === "end" && beganMs < atMs);
    const began: DebriefEvent = { atMs: beganMs, kind: "kindFault", text: `${text} (${injectId})` };
    return end === undefined ? [began] : [began, { atMs: end.atMs, kind: "kindEnd" as const, text }];
  });
  return [
    ...outages.flatMap(({ site, startMs, endMs, planned }) =>
      marks(startMs, endMs, faultText(site, planned ? "maintenance" : "outage", language)),
    ),
    ...outputControls.flatMap(({ site, startMs, endMs, limitPct }) =>
      marks(startMs, endMs, limitText(site, limitPct, language)),
    ),
    ...others,
  ];
}

const FAULT_TEXT: Readonly<Record<FaultKind, LocalText>> = {
  outage: { en: "out of service", ja: "停止" },
  maintenance: { en: "planned maintenance", ja: "計画保守" },
  warning: { en: "warning", ja: "警告" },
  link_down: { en: "connection down", ja: "通信断" },
  fcr_fault: { en: "frequency response faulty", ja: "FCR 故障" },
  output_control: { en: "output limited", ja: "出力制御" },
};

const faultText = (site: string, kind: FaultKind, language: Language): string =>
  `${site}${language === "ja" ? "：" : ": "}${textIn(FAULT_TEXT[kind], language)}`;

const limitText = (site: string, limitPct: number, language: Language): string =>
  language === "ja" ? `${site}：出力上限 ${limitPct} %` : `${site}: output limited to ${limitPct} %`;

function faultName({ played }: GradedDrill, injectId: string, language: Language): string {
  const spec = played.injects.find((inject) => inject.injectId === injectId)?.spec;
  return spec === undefined ? injectId : faultText(spec.site, spec.kind, language);
}

/** The reason in the envelope of a refusal, in Japanese in the words of its `error_type`. */
function refusalText(body: unknown, language: Language): string {
  const { error } = (body ?? {}) as { readonly error?: { readonly details?: unknown; readonly error_type?: string } };
  const kind = language === "ja" ? parseRefusalKind(error?.error_type) : null;
  const reason = kind === null ? error?.details : JAPANESE_REFUSALS[kind];
  return typeof reason === "string" ? ` (${reason})` : "";
}
