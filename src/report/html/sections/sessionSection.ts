// What happened before a session opened, apart from what happened in it (docs/model/report-files.md#session).
import { kpiOf, type NumericKpiName } from "../../../accounting/kpis/kpiRegistry.ts";
import type { PrintedTotals, RunRecord, SessionShare } from "../../../accounting/runRecord.ts";
import { POWERS_OF_TEN, roundTo } from "../../../base/rounding.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { BlockRow } from "../charts/timeBlocks.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatFixed, formatKwh, numberCell, PRINTED_MIN } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import { currencyUnit, figureUnit } from "../page/money.ts";
import type { PageLocale, Translate } from "../page/pageLocale.ts";

interface Line {
  readonly kpi: NumericKpiName;
  readonly of: keyof PrintedTotals;
}

const LINES: readonly Line[] = [
  { kpi: "requested_kwh", of: "requestedKwh" },
  { kpi: "delivered_kwh", of: "deliveredKwh" },
  { kpi: "shortfall_kwh", of: "shortfallKwh" },
  { kpi: "excess_kwh", of: "excessKwh" },
  { kpi: "penalty_jpy", of: "penaltyJpy" },
];

/** The session in a sentence, then the time before it: the first paragraph of a session's report. */
export function sessionSentences(
  { openedMs, before, within }: SessionShare,
  run: RunPeriod,
  locale: PageLocale,
): Markup {
  const { rich, renderTime } = locale;
  return html`<p>${rich("session.in", {
    opened: html`<b>${renderTime(openedMs)}</b>`,
    end: html`<b>${renderTime(run.endMs)}</b>`,
    within: totalsText(within, locale),
    start: renderTime(run.startMs),
    before: totalsText(before, locale),
  })}</p>`;
}

interface RunPeriod {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

function totalsText({ requestedKwh, shortfallKwh, penaltyJpy }: PrintedTotals, locale: PageLocale): Markup {
  const { rich } = locale;
  if (requestedKwh < PRINTED_MIN) return rich("session.nothing");
  const requested = formatKwh(requestedKwh);
  if (shortfallKwh < PRINTED_MIN) return rich("session.no_shortfall", { requested });
  const shortfall = html`<b>${formatKwh(shortfallKwh)}</b>`;
  return penaltyJpy === null
    ? rich("session.shortfall", { shortfall, requested })
    : rich("session.shortfall_penalty", {
        shortfall,
        requested,
        penalty: formatFixed(penaltyJpy, 0),
        currency: currencyUnit(locale),
      });
}

/** `null`: no session opened within the run. */
export function sessionSection({ session, kpis, startMs, endMs }: RunRecord, locale: PageLocale): Section | null {
  if (session === null) return null;
  const { t } = locale;
  const { openedMs, before, within, divided } = session;
  const lines = LINES.filter(({ of }) => within[of] !== null);
  const cell =
    (totals: PrintedTotals) =>
    ({ of }: Line): Markup =>
      numberCell(totals[of], decimals);
  const run = ({ kpi }: Line): number => kpis.get(kpi) as number;
  const decimals =
    [1, 2].find((digits) => lines.every((line) => closes(before, within, run(line), line.of, digits))) ?? 3;
  const totals = dataTable(t("session.table"), lines, [
    { title: t("head.figure"), cell: ({ kpi }) => t(`kpi.${kpi}.label`) },
    { title: t("head.unit"), cell: ({ kpi }) => figureUnit(kpiOf(kpi), locale) },
    { title: t("session.before"), align: "right", cell: cell(before) },
    { title: t("session.within"), align: "right", cell: cell(within) },
    { title: t("word.whole_run"), align: "right", cell: (line) => numberCell(run(line), decimals) },
  ]);
  const awards =
    divided.length > 0 &&
    dataTable(t("session.in_force"), divided, [
      { title: t("head.award"), cell: ({ awardId }) => html`<span class="id">${awardId}</span>` },
      {
        title: t("session.shortfall_before"),
        unit: "kWh",
        align: "right",
        cell: ({ beforeKwh }) => numberCell(beforeKwh, 1),
      },
      {
        title: t("session.shortfall_within"),
        unit: "kWh",
        align: "right",
        cell: ({ withinKwh }) => numberCell(withinKwh, 1),
      },
    ]);
  return {
    id: "session",
    contentsTitle: t("session.contents"),
    title: t("session.title"),
    intro: t("session.intro", {
      opened: locale.formatShort(openedMs),
      end: locale.formatShort(endMs),
      start: locale.formatShort(startMs),
    }),
    body: html`${totals}${awards}`,
  };
}

/** Whether the printed figures of both periods sum to that of the run. */
function closes(
  before: PrintedTotals,
  within: PrintedTotals,
  run: number,
  of: keyof PrintedTotals,
  decimals: number,
): boolean {
  const [first, second, sum] = [before[of] ?? 0, within[of] ?? 0, run].map((value) =>
    Math.round(roundTo(value, decimals) * POWERS_OF_TEN[decimals]),
  );
  return first + second === sum;
}

/** The session as a row beside a chart; none where no session opened within the run. */
export const sessionRows = ({ session, endMs }: RunRecord, t: Translate): readonly BlockRow[] =>
  session === null || endMs <= session.openedMs
    ? []
    : [
        {
          title: t("block.session"),
          lines: 1,
          blocks: [{ startMs: session.openedMs, endMs, colour: "accent", label: t("block.in_session"), note: "" }],
        },
      ];
