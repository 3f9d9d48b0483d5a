// What happened before a session opened, apart from what happened in it (docs/model/report-files.md#session).
import { kpiOf, type NumericKpiName } from "../../../accounting/kpis/kpiRegistry.ts";
import type { PrintedTotals, RunRecord, SessionShare } from "../../../accounting/runRecord.ts";
import { roundTo } from "../../../base/rounding.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { BlockRow } from "../charts/timeBlocks.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatFixed, formatKwh, numberCell, PRINTED_MIN } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";

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
  return html`<p>In the session, from <b>${locale.renderTime(openedMs)}</b> to <b>${locale.renderTime(run.endMs)}</b>: ${totalsText(within)}. Before it, from ${locale.renderTime(run.startMs)}: ${totalsText(before)}.</p>`;
}

interface RunPeriod {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

function totalsText({ requestedKwh, shortfallKwh, penaltyJpy }: PrintedTotals): Markup {
  if (requestedKwh < PRINTED_MIN) return html`no energy was requested`;
  const penalty = penaltyJpy === null ? "" : `, penalty ${formatFixed(penaltyJpy, 0)} JPY`;
  return shortfallKwh < PRINTED_MIN
    ? html`no shortfall of the ${formatKwh(requestedKwh)} requested`
    : html`a shortfall of <b>${formatKwh(shortfallKwh)}</b> of the ${formatKwh(requestedKwh)} requested${penalty}`;
}

/** `null`: no session opened within the run. */
export function sessionSection({ session, kpis, startMs, endMs }: RunRecord, locale: PageLocale): Section | null {
  if (session === null) return null;
  const { openedMs, before, within, divided } = session;
  const lines = LINES.filter(({ of }) => within[of] !== null);
  const cell =
    (totals: PrintedTotals) =>
    ({ of }: Line): Markup =>
      numberCell(totals[of], decimals);
  const run = ({ kpi }: Line): number => kpis.get(kpi) as number;
  const decimals =
    [1, 2].find((digits) => lines.every((line) => closes(before, within, run(line), line.of, digits))) ?? 3;
  const totals = dataTable("Awards before the session and in it", lines, [
    { title: "Figure", cell: ({ kpi }) => kpiOf(kpi).label },
    { title: "Unit", cell: ({ kpi }) => unitOf(kpi) },
    { title: "Before the session", align: "right", cell: cell(before) },
    { title: "In the session", align: "right", cell: cell(within) },
    { title: "Whole run", align: "right", cell: (line) => numberCell(run(line), decimals) },
  ]);
  const awards =
    divided.length > 0 &&
    dataTable("Awards in force when the session opened", divided, [
      { title: "Award", cell: ({ awardId }) => html`<span class="id">${awardId}</span>` },
      {
        title: "Shortfall before the session",
        unit: "kWh",
        align: "right",
        cell: ({ beforeKwh }) => numberCell(beforeKwh, 1),
      },
      {
        title: "Shortfall in the session",
        unit: "kWh",
        align: "right",
        cell: ({ withinKwh }) => numberCell(withinKwh, 1),
      },
    ]);
  return {
    id: "session",
    contentsTitle: "Session",
    title: "Before the session and in it",
    intro: `The session opened at ${locale.formatShort(openedMs)} and ended at ${locale.formatShort(endMs)}. The time from ${locale.formatShort(startMs)} on was simulated before it, without any command. All other figures of this report are those of the whole run.`,
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
    Math.round(roundTo(value, decimals) * 10 ** decimals),
  );
  return first + second === sum;
}

function unitOf(name: NumericKpiName): string {
  const kpi = kpiOf(name);
  return kpi.kind === "number" ? kpi.unit : "";
}

/** The session as a row beside a chart; none where no session opened within the run. */
export const sessionRows = ({ session, endMs }: RunRecord): readonly BlockRow[] =>
  session === null || endMs <= session.openedMs
    ? []
    : [
        {
          title: "Session",
          lines: 1,
          blocks: [{ startMs: session.openedMs, endMs, colour: "accent", label: "session", note: "" }],
        },
      ];
