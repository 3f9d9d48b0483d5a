// A comparison as one HTML file in the style of a report.
import { kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import { VERSION } from "../../version.ts";
import { type BarRow, barAxis, barChartSpec } from "../html/charts/barChart.ts";
import { type ChartSpec, renderFigures } from "../html/charts/chart.ts";
import { captionOf } from "../html/charts/timeChart.ts";
import { dataTable } from "../html/page/dataTable.ts";
import { renderDocument, type Section } from "../html/page/document.ts";
import { formatKwh, numberCell } from "../html/page/format.ts";
import { html, type Markup } from "../html/page/markup.ts";
import { figureUnit, moneyFormat } from "../html/page/money.ts";
import type { PageLocale } from "../html/page/pageLocale.ts";
import type { Comparison } from "./compareReports.ts";
import { comparisonCharts } from "./comparisonCharts.ts";
import type { ComparisonContent, PairComparison } from "./comparisonJson.ts";
import { verdictOf } from "./comparisonVerdict.ts";
import type { FirstDifference } from "./firstDifference.ts";
import type { ManyReports } from "./manyReports.ts";
import {
  awardTable,
  figureTable,
  investmentLines,
  investmentTable,
  isRequested,
  pageTitle,
  SHOWN_MAX,
  siteTable,
  type TextTable,
  verdictLines,
} from "./manyTexts.ts";
import type { SettingChange } from "./settingChanges.ts";

/** Maximum number of rows of a table; comparison.json has all of them. */
const ROWS_MAX = 200;

/** A self-contained page: equal comparisons give equal bytes, and no external resource is loaded. */
export function renderComparisonHtml({ many, pair, assumes, locale }: ComparisonContent): string {
  const { t } = locale;
  const names = many.reports.map(({ name }) => name);
  const scenarios = [...new Set(many.reports.map(({ scenario }) => scenario))];
  return renderDocument({
    title: pageTitle(many, locale),
    locale,
    header: html`<p class="brand">${t("compare.brand")}</p>
<h1>${scenarios.length === 1 ? `${scenarios[0]}: ` : ""}${names.join(" | ")}</h1>
<ul class="facts">${many.reports.map(({ name, path, hash }) => html`<li><b>${name}</b> <code>${path}</code> <code>${hash.slice(0, 12)}</code></li>`)}<li><b>${locale.zoneText}</b></li></ul>`,
    sections: [
      summarySection(many, pair, locale),
      tableSection("figures", t("compare.figures"), figuresBody(many, locale)),
      ...(assumes === null
        ? []
        : [
            tableSection(
              "investment",
              t("compare.investments"),
              html`<p class="muted">${assumes}</p>${textTable(t("compare.investments"), investmentTable(many, locale))}`,
            ),
          ]),
      ...(pair === null ? [] : chartSection(pair, names, locale)),
      tableSection(
        "awards",
        t("compare.awards"),
        rowsBody("compare.awards", awardTable(many, locale), many.awards.length, locale),
      ),
      tableSection(
        "sites",
        t("compare.sites"),
        rowsBody("compare.sites", siteTable(many, locale), many.sites.length, locale),
      ),
      ...(pair === null ? [] : pairSections(pair, names, locale)),
    ],
    footer: html`<p>${t("compare.footer", { version: VERSION })}</p>`,
  });
}

const tableSection = (id: string, title: string, body: Markup): Section => ({
  id,
  contentsTitle: title,
  title,
  intro: "",
  body,
});

function summarySection(many: ManyReports, pair: PairComparison | null, locale: PageLocale): Section {
  const names = many.reports.map(({ name }) => name);
  const sentences = pair === null ? [] : sentencesOf(pair, names, locale);
  return {
    id: "summary",
    contentsTitle: locale.t("compare.title", { count: many.reports.length }),
    title: locale.t("compare.title", { count: many.reports.length }),
    intro: "",
    body: html`<div class="card lead">${[...verdictLines(many, locale), ...investmentLines(many, locale)].map((line) => html`<p>${line}</p>`)}${sentences.map((sentence) => html`<p class="muted">${sentence}</p>`)}</div>${renderFigures(summaryCharts(many, locale))}`,
  };
}

function sentencesOf(pair: PairComparison, names: readonly string[], locale: PageLocale): readonly string[] {
  const { mainly, changes, details } = verdictOf(pair, names, locale);
  return [mainly, changes, ...details].filter((sentence) => sentence !== "");
}

/** Shortfall and margin, a bar a report; each only where a report has it. */
function summaryCharts(many: ManyReports, locale: PageLocale): ChartSpec[] {
  const money = (jpy: number): string => moneyFormat(locale, jpy).text(jpy);
  return [
    isRequested(many)
      ? barsOf(
          many,
          "shortfall_kwh",
          { id: "bars-shortfall", title: locale.t("compare.chart_shortfall"), text: formatKwh },
          locale,
        )
      : null,
    barsOf(
      many,
      "aggregator_margin_jpy",
      { id: "bars-margin", title: locale.t("compare.chart_margin"), text: money },
      locale,
    ),
  ].filter((chart) => chart !== null);
}

function barsOf(
  { reports }: ManyReports,
  kpi: "shortfall_kwh" | "aggregator_margin_jpy",
  { id, title, text }: { readonly id: string; readonly title: string; readonly text: (value: number) => string },
  locale: PageLocale,
): ChartSpec | null {
  const { t } = locale;
  const values = reports.map(({ name, kpis }) => ({ name, value: kpis[kpi] ?? null }));
  const rows = values.flatMap(({ name, value }): BarRow[] =>
    typeof value === "number"
      ? [
          {
            name,
            tracks: [
              { bars: [{ from: 0, to: value, colour: "s1", label: name, valueText: text(value) }], text: text(value) },
            ],
          },
        ]
      : [],
  );
  if (rows.length === 0) return null;
  return barChartSpec({
    id,
    title,
    caption: t("compare.by_report"),
    altText: `${title}: ${rows.map(({ name, tracks }) => `${name} ${tracks[0].text}`).join(t("list.separator"))}`,
    legend: [],
    axis: barAxis(`${title} (${figureUnit(kpiOf(kpi), locale)})`, rows),
    rows,
  });
}

const figuresBody = (many: ManyReports, locale: PageLocale): Markup => {
  const table = figureTable(many, (name) => locale.t(`kpi.${name}.label`), locale);
  return table.length === 0
    ? html`<p class="card">${locale.t("compare.figures_equal")}</p>`
    : html`<p class="muted">${locale.t("compare.difference_note", { name: many.reports[0].name })}</p>${textTable(locale.t("compare.figures"), table)}`;
};

function rowsBody(
  title: "compare.awards" | "compare.sites",
  table: TextTable,
  count: number,
  { t }: PageLocale,
): Markup {
  if (table.length < 2) return html`<p class="card">${t("compare.none_changed")}</p>`;
  const note = count > SHOWN_MAX && html`<p class="muted">${t("compare.shown_of", { shown: SHOWN_MAX, count })}</p>`;
  return html`${note}${textTable(t(title), table)}`;
}

/** A table whose cells are printed; the first two columns are words. */
const textTable = (caption: string, [head, ...rows]: TextTable): Markup =>
  dataTable(
    caption,
    rows,
    head.map((title, k) => ({
      title,
      ...(k < 2 ? {} : { align: "right" as const }),
      cell: (row: readonly string[]) => row[k],
    })),
  );

function chartSection(pair: PairComparison, names: readonly string[], locale: PageLocale): readonly Section[] {
  const charts = comparisonCharts(pair, names, locale);
  return charts.length === 0 ? [] : [tableSection("charts", locale.t("compare.where"), renderFigures(charts))];
}

/** What only two reports have: settings, causes, the first rows that differ, notes. */
function pairSections(pair: PairComparison, names: readonly string[], locale: PageLocale): readonly Section[] {
  const { changes, notes } = pair;
  return [
    ...(changes === null || changes.length === 0 ? [] : [changeSection(changes, names, locale)]),
    divergenceSection(pair, names, locale),
    ...(notes.length === 0
      ? []
      : [
          tableSection(
            "notes",
            locale.t("compare.not_compared"),
            html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`,
          ),
        ]),
  ];
}

/** Every setting that differs. */
const changeSection = (changes: readonly SettingChange[], names: readonly string[], { t }: PageLocale): Section => ({
  id: "changes",
  contentsTitle: t("compare.changes"),
  title: t("compare.changes"),
  intro: captionOf(
    [
      t("compare.changes_intro"),
      changes.length > ROWS_MAX ? t("compare.changes_cut", { shown: ROWS_MAX, count: changes.length }) : "",
    ],
    t,
  ),
  body: dataTable<SettingChange>(t("compare.changes_table"), changes.slice(0, ROWS_MAX), [
    { title: t("compare.setting"), cell: ({ path }) => html`<code>${path}</code>` },
    { title: names[0], align: "right", cell: ({ a }) => settingCell(a) },
    { title: names[1], align: "right", cell: ({ b }) => settingCell(b) },
  ]),
});

const settingCell = (value: SettingChange["a"]): Markup | string =>
  typeof value === "number"
    ? html`<data value="${value}">${String(Number(value.toPrecision(6)))}</data>`
    : value === null
      ? numberCell(null, 0)
      : String(value);

function divergenceSection(pair: PairComparison, names: readonly string[], locale: PageLocale): Section {
  const { first_differing_event, first_differing_dispatch, first_differing_energy } = pair;
  const differences = [first_differing_event, first_differing_dispatch, first_differing_energy];
  const found = differences.filter((difference) => difference !== null);
  return {
    id: "divergence",
    contentsTitle: locale.t("compare.divergence"),
    title: locale.t("compare.divergence"),
    intro: locale.t("compare.divergence_intro"),
    body:
      found.length === 0
        ? html`<p class="card">${locale.t("compare.no_row")}</p>`
        : html`${found.map((difference) => rowTable(difference, names, locale))}`,
  };
}

function rowTable({ file, row, a, b, columns }: FirstDifference, names: readonly string[], locale: PageLocale): Markup {
  const { t } = locale;
  if (row === 0)
    return html`<p class="card">${t("compare.columns_differ", { file, columns: columns.join(t("list.separator")) })}</p>`;
  const fields = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])];
  const cell = (side: FirstDifference["a"], name: string) =>
    side === null ? t("compare.no_more_rows") : locale.localise(side[name] ?? "");
  const differs = new Set(columns);
  return dataTable<string>(t("compare.row_of", { file, row: String(row) }), fields, [
    { title: t("compare.column"), cell: (name) => (differs.has(name) ? html`<b>${name}</b>` : name) },
    { title: names[0], cell: (name) => cell(a, name) },
    { title: names[1], cell: (name) => cell(b, name) },
  ]);
}

/** What `vppsim compare --out` writes, by file name. */
export const comparisonFiles = (comparison: Comparison): ReadonlyMap<string, string> =>
  new Map([
    ["comparison.txt", comparison.text],
    ["comparison.json", `${JSON.stringify(comparison.json, null, 2)}\n`],
    ["comparison.html", renderComparisonHtml(comparison)],
  ]);
