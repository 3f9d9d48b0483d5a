// Demand response: every reduction of a load with what it brought and what came back of it.
import type { ReductionRow } from "../../../accounting/runRecord.ts";
import { axisLook, figure, lyingNames, lyingPlotArea, type Picture, shortened, valueAxis } from "../charts/chart.ts";
import type { Clock } from "../page/clock.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { counted, formatKwh, numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import { ink } from "../page/palette.ts";

const BARS_MAX = 12;
const ROWS_MAX = 200;

export function reductionSection(rows: readonly ReductionRow[], clock: Clock): Section | null {
  if (rows.length === 0) return null;
  return {
    id: "reductions",
    short: "Demand response",
    title: "Demand response",
    intro:
      "Each time a load was told to draw less. Delivered is the energy below the baseline; rebound is what the load drew afterwards to make up for it.",
    body: html`${figure(pictureOf(rows, clock))}${tableOf(rows, clock)}`,
  };
}

/** All in order of time where they fit, else those that delivered most. */
function chosen(rows: readonly ReductionRow[], most: number): readonly ReductionRow[] {
  if (rows.length <= most) return rows;
  return rows
    .map((row, k) => ({ row, k }))
    .sort((a, b) => b.row.deliveredKwh - a.row.deliveredKwh || a.k - b.k)
    .slice(0, most)
    .map(({ row }) => row);
}

function pictureOf(rows: readonly ReductionRow[], clock: Clock): Picture {
  const shown = chosen(rows, BARS_MAX);
  const sum = (of: (row: ReductionRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    id: "reduction-bars",
    title: "Baseline against actual load",
    caption: `kWh during each reduction, start in ${clock.timezone}. Where the blue bar is shorter, the site drew less than its baseline said.${shown.length < rows.length ? ` The ${shown.length} of ${rows.length} reductions that delivered most.` : ""}`,
    alt: `${counted(rows.length, "load reduction")}: ${formatKwh(sum(({ baselineKwh }) => baselineKwh))} of baseline, ${formatKwh(sum(({ actualKwh }) => actualKwh))} drawn, ${formatKwh(sum(({ deliveredKwh }) => deliveredKwh))} delivered.`,
    legend: [
      { label: "Baseline", colour: "asked" },
      { label: "Actual", colour: "s1" },
    ],
    height: 44 + 46 * shown.length,
    option: (size) => ({
      grid: lyingPlotArea,
      xAxis: { ...valueAxis("kWh"), splitNumber: size.narrow ? 3 : 6 },
      yAxis: {
        ...lyingNames(shown.map(({ site, startMs }) => `${shortened(site, size)}\n${clock.short(startMs)}`)),
        axisLabel: { ...axisLook.axisLabel, interval: 0, lineHeight: 15 },
      },
      series: [
        { ...bar, itemStyle: { color: ink("asked") }, data: shown.map(({ baselineKwh }) => baselineKwh) },
        { ...bar, itemStyle: { color: ink("s1") }, data: shown.map(({ actualKwh }) => actualKwh) },
      ],
    }),
  };
}

const bar = { type: "bar" as const, silent: true, barMaxWidth: 14 };

function tableOf(all: readonly ReductionRow[], clock: Clock): Markup {
  const rows = chosen(all, ROWS_MAX);
  const caption =
    rows.length === all.length
      ? `${counted(all.length, "reduction")}, times in ${clock.timezone}`
      : `The ${rows.length} of ${all.length} reductions that delivered most, times in ${clock.timezone}`;
  return dataTable(caption, rows, [
    { title: "Site", cell: ({ site }) => html`<span class="id">${site}</span>` },
    { title: "Start", cell: ({ startMs }) => clock.element(startMs) },
    { title: "End", cell: ({ endMs }) => clock.element(endMs) },
    { title: "Asked", unit: "kW", align: "right", cell: ({ askedKw }) => numberCell(askedKw, 1) },
    column("Baseline", ({ baselineKwh }) => baselineKwh),
    column("Actual", ({ actualKwh }) => actualKwh),
    column("Delivered", ({ deliveredKwh }) => deliveredKwh),
    column("Rebound", ({ reboundKwh }) => reboundKwh),
  ]);
}

const column = (title: string, kwh: (row: ReductionRow) => number): TableColumn<ReductionRow> => ({
  title,
  unit: "kWh",
  align: "right",
  cell: (row) => numberCell(kwh(row), 1),
});
