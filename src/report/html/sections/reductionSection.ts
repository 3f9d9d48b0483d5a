// Demand response: every load reduction with its delivered energy and its rebound.

import type { ReductionRow } from "../../../accounting/runRecord.ts";
import { sumOf } from "../../../base/lists.ts";
import { type BarRow, barAxis, barChartSpec } from "../charts/barChart.ts";
import { type ChartSpec, renderFigure } from "../charts/chart.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatCount, formatKwh, numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import type { ColourName } from "../page/palette.ts";

const BARS_MAX = 12;
const ROWS_MAX = 200;

export function reductionSection(rows: readonly ReductionRow[], locale: PageLocale): Section | null {
  if (rows.length === 0) return null;
  return {
    id: "reductions",
    contentsTitle: "Demand response",
    title: "Demand response",
    intro:
      "All load reductions. Delivered is the energy below the baseline; rebound is the additional consumption afterwards.",
    body: html`${renderFigure(reductionChart(rows, locale))}${reductionTable(rows, locale)}`,
  };
}

/** All in order of time if they fit, otherwise those that delivered most. */
function selectRows(rows: readonly ReductionRow[], most: number): readonly ReductionRow[] {
  if (rows.length <= most) return rows;
  return rows
    .map((row, k) => ({ row, k }))
    .sort((a, b) => b.row.deliveredKwh - a.row.deliveredKwh || a.k - b.k)
    .slice(0, most)
    .map(({ row }) => row);
}

function reductionChart(rows: readonly ReductionRow[], locale: PageLocale): ChartSpec {
  const shown = selectRows(rows, BARS_MAX);
  const sum = (of: (row: ReductionRow) => number) => sumOf(rows, of);
  const bars = shown.map((row) => reductionRow(row, locale));
  return barChartSpec({
    id: "reduction-bars",
    title: "Baseline and actual load",
    caption: `kWh during each reduction, start in ${locale.timezone}. A shorter blue bar: the site consumed less than its baseline.${shown.length < rows.length ? ` The ${shown.length} of ${rows.length} reductions that delivered most.` : ""}`,
    altText: `${formatCount(rows.length, "load reduction")}: ${formatKwh(sum(({ baselineKwh }) => baselineKwh))} of baseline, ${formatKwh(sum(({ actualKwh }) => actualKwh))} consumed, ${formatKwh(sum(({ deliveredKwh }) => deliveredKwh))} delivered.`,
    legend: [
      { label: "Baseline", colour: "neutral" },
      { label: "Actual", colour: "s1" },
    ],
    axis: barAxis("Energy (kWh)", bars),
    rows: bars,
  });
}

/** Two tracks: the baseline above the actual load. */
function reductionRow({ site, startMs, baselineKwh, actualKwh }: ReductionRow, locale: PageLocale): BarRow {
  const track = (label: string, colour: ColourName, kwh: number) => ({
    bars: [{ from: 0, to: kwh, colour, label, valueText: formatKwh(kwh) }],
    text: formatKwh(kwh),
  });
  return {
    name: site,
    detail: locale.formatShort(startMs),
    tracks: [track("Baseline", "neutral", baselineKwh), track("Actual", "s1", actualKwh)],
  };
}

function reductionTable(all: readonly ReductionRow[], locale: PageLocale): Markup {
  const rows = selectRows(all, ROWS_MAX);
  const caption =
    rows.length === all.length
      ? `${formatCount(all.length, "reduction")}, times in ${locale.timezone}`
      : `The ${rows.length} of ${all.length} reductions that delivered most, times in ${locale.timezone}`;
  return dataTable(caption, rows, [
    { title: "Site", cell: ({ site }) => html`<span class="id">${site}</span>` },
    { title: "Start", cell: ({ startMs }) => locale.renderTime(startMs) },
    { title: "End", cell: ({ endMs }) => locale.renderTime(endMs) },
    { title: "Requested", unit: "kW", align: "right", cell: ({ requestedKw }) => numberCell(requestedKw, 1) },
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
