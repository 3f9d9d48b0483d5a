// Demand response: every load reduction with its delivered energy and its rebound.

import type { ReductionRow } from "../../../accounting/runRecord.ts";
import { sumOf } from "../../../base/lists.ts";
import { type BarRow, barAxis, barChartSpec } from "../charts/barChart.ts";
import { type ChartSpec, renderFigure } from "../charts/chart.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatKwh, numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import type { ColourName } from "../page/palette.ts";

const BARS_MAX = 12;
const ROWS_MAX = 200;

export function reductionSection(rows: readonly ReductionRow[], locale: PageLocale): Section | null {
  if (rows.length === 0) return null;
  const { t } = locale;
  return {
    id: "reductions",
    contentsTitle: t("reductions.title"),
    title: t("reductions.title"),
    intro: t("reductions.intro"),
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
  const { t, timezone: zone } = locale;
  const count = rows.length;
  return barChartSpec({
    id: "reduction-bars",
    title: t("reductions.chart"),
    caption: t(shown.length < count ? "reductions.caption_excerpt" : "reductions.caption", {
      zone,
      shown: shown.length,
      count,
    }),
    altText: t("reductions.alt", {
      count,
      baseline: formatKwh(sum(({ baselineKwh }) => baselineKwh)),
      actual: formatKwh(sum(({ actualKwh }) => actualKwh)),
      delivered: formatKwh(sum(({ deliveredKwh }) => deliveredKwh)),
    }),
    legend: [
      { label: t("head.baseline"), colour: "neutral" },
      { label: t("reductions.actual"), colour: "s1" },
    ],
    axis: barAxis(t("chart.energy_axis"), bars),
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
    tracks: [
      track(locale.t("head.baseline"), "neutral", baselineKwh),
      track(locale.t("reductions.actual"), "s1", actualKwh),
    ],
  };
}

function reductionTable(all: readonly ReductionRow[], locale: PageLocale): Markup {
  const { t, timezone: zone } = locale;
  const rows = selectRows(all, ROWS_MAX);
  const caption =
    rows.length === all.length
      ? t("reductions.all", { count: all.length, zone })
      : t("reductions.excerpt", { shown: rows.length, count: all.length, zone });
  return dataTable(caption, rows, [
    { title: t("head.site"), cell: ({ site }) => html`<span class="id">${site}</span>` },
    { title: t("head.start"), cell: ({ startMs }) => locale.renderTime(startMs) },
    { title: t("head.end"), cell: ({ endMs }) => locale.renderTime(endMs) },
    { title: t("head.requested"), unit: "kW", align: "right", cell: ({ requestedKw }) => numberCell(requestedKw, 1) },
    column(t("head.baseline"), ({ baselineKwh }) => baselineKwh),
    column(t("reductions.actual"), ({ actualKwh }) => actualKwh),
    column(t("head.delivered"), ({ deliveredKwh }) => deliveredKwh),
    column(t("reductions.rebound"), ({ reboundKwh }) => reboundKwh),
  ]);
}

const column = (title: string, kwh: (row: ReductionRow) => number): TableColumn<ReductionRow> => ({
  title,
  unit: "kWh",
  align: "right",
  cell: (row) => numberCell(kwh(row), 1),
});
