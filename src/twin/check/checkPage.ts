// A check of a twin as one HTML file in the style of a report.
import type { Polyline } from "../../accounting/recorders/polyline.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import { valueTicks } from "../../report/html/charts/axisTicks.ts";
import { type ChartSpec, renderFigure, svgInSizes } from "../../report/html/charts/chart.ts";
import type { TimeCurve } from "../../report/html/charts/interactiveChart.ts";
import { timeChartSpec } from "../../report/html/charts/timeChart.ts";
import type { TimeChart } from "../../report/html/charts/timeDrawing.ts";
import { drawXyPlot } from "../../report/html/charts/xyDrawing.ts";
import { dataTable } from "../../report/html/page/dataTable.ts";
import { renderDocument, section } from "../../report/html/page/document.ts";
import { formatFixed, formatKwh } from "../../report/html/page/format.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import type { PageLocale } from "../../report/html/page/pageLocale.ts";
import { VERSION } from "../../version.ts";
import type { CalibratedParameter } from "../fit/calibrate.ts";
import { valuesOf } from "../fit/siteInput.ts";
import { isGapAfter, type MeasuredColumn, type MeasuredSite, type MeasuredTable } from "../measured/measuredSeries.ts";
import type { AwardError } from "./awardErrors.ts";
import type { TwinCheck } from "./checkTwin.ts";
import { checkSentence } from "./checkVerdict.ts";
import { asMeasured } from "./simulatedSamples.ts";
import type { SiteError } from "./siteErrors.ts";

/** What calibration.json says of one parameter. */
export type ParameterRow = Omit<CalibratedParameter, "draws" | "key" | "scope">;

/** @param notes  warnings, printed below the verdict */
export function renderCheckPage(
  check: TwinCheck,
  parameters: readonly ParameterRow[],
  notes: readonly string[],
  locale: PageLocale,
): string {
  const { t } = locale;
  const title = t("twin_check.title", { scenario: check.scenario.name });
  const verdict = html`<div class="card lead"><p>${checkSentence(check, locale)}</p>${notes.map((note) => html`<p class="muted">${note}</p>`)}</div>`;
  const known = parameters.filter(({ value }) => value !== null);
  const unknown = parameters.filter(({ value }) => value === null);
  const gaps = [...check.measured.values()].flatMap(gapsOf);
  return renderDocument({
    title,
    locale,
    header: html`<p class="brand">${t("twin_check.brand")}</p><h1>${title}</h1><ul class="facts"><li><b>${locale.zoneText}</b></li></ul>`,
    sections: [
      section("verdict", t("twin_check.verdict"), "", verdict),
      check.awards.length === 0
        ? null
        : section("awards", t("twin_check.awards"), t("twin_check.awards_intro"), awardsBody(check.awards, locale)),
      section("curves", t("twin_check.curves"), "", curvesBody(check, locale)),
      section("sites", t("twin_check.sites"), t("twin_check.sites_intro"), sitesTable(check.sites, locale)),
      known.length === 0 ? null : section("parameters", t("twin_check.parameters"), "", knownTable(known, locale)),
      unknown.length === 0 ? null : section("unknown", t("twin_check.unknown"), "", unknownTable(unknown, locale)),
      gaps.length === 0
        ? null
        : section("gaps", t("twin_check.gaps"), t("twin_check.gaps_intro"), gapsTable(gaps, locale)),
    ].filter((each) => each !== null),
    footer: html`<p>${t("twin_check.footer", { version: VERSION })}</p>`,
  });
}

const TICKS_MAX = 6;
const PLOT_HEIGHT_PX = 360;

function awardsBody(awards: readonly AwardError[], locale: PageLocale): Markup {
  const { t } = locale;
  const ticks = valueTicks(
    awards.flatMap(({ shortfallKwh }) => [shortfallKwh.measured, shortfallKwh.twin]),
    TICKS_MAX,
  );
  const plot = {
    x: { ...ticks, title: t("twin_check.measured_kwh") },
    y: { ...ticks, title: t("twin_check.twin_kwh") },
    points: awards.map(({ awardId, shortfallKwh }) => ({
      x: shortfallKwh.measured,
      y: shortfallKwh.twin,
      colour: "s1" as const,
      shape: "dot" as const,
      title: `${awardId}\n${t("twin_check.shortfall_measured")}\t${formatKwh(shortfallKwh.measured)}\n${t("twin_check.shortfall_twin")}\t${formatKwh(shortfallKwh.twin)}`,
    })),
    lines: [{ colour: "neutral" as const, points: [[ticks.min, ticks.min] as const, [ticks.max, ticks.max] as const] }],
    heightPx: PLOT_HEIGHT_PX,
  };
  const chart: ChartSpec = {
    id: "awards-chart",
    title: t("twin_check.awards"),
    caption: "",
    altText: t("twin_check.awards_alt"),
    legend: [],
    draw: (drawn) =>
      svgInSizes(drawn, PLOT_HEIGHT_PX, (size) => ({ className: "drawn", elements: drawXyPlot(plot, size) })),
  };
  const kwh = (title: string, of: (award: AwardError) => number) =>
    ({ title, unit: "kWh", align: "right", cell: (award: AwardError) => formatFixed(of(award), 1) }) as const;
  const table = dataTable(t("twin_check.awards"), awards, [
    { title: t("head.award"), cell: ({ awardId }) => awardId },
    { title: t("head.start"), cell: ({ startMs }) => locale.renderTime(startMs) },
    kwh(t("twin_check.delivered_measured"), ({ deliveredKwh }) => deliveredKwh.measured),
    kwh(t("twin_check.delivered_twin"), ({ deliveredKwh }) => deliveredKwh.twin),
    kwh(t("twin_check.shortfall_measured"), ({ shortfallKwh }) => shortfallKwh.measured),
    kwh(t("twin_check.shortfall_twin"), ({ shortfallKwh }) => shortfallKwh.twin),
  ]);
  return html`${renderFigure(chart)}${table}`;
}

function sitesTable(sites: readonly SiteError[], { t }: PageLocale): Markup {
  const figure = (title: string, unit: string, of: (error: SiteError) => number | null) =>
    ({ title, unit, align: "right", cell: (error: SiteError) => decimalOrDash(of(error)) }) as const;
  return dataTable(t("twin_check.sites"), sites, [
    { title: t("head.site"), cell: ({ site }) => site },
    figure(t("twin_check.in_orders"), "kW", ({ kwMaeInOrders }) => kwMaeInOrders),
    figure(t("twin_check.mean_error"), "kW", ({ kwMae }) => kwMae),
    figure(t("twin_check.bias"), "kW", ({ kwBias }) => kwBias),
    figure(t("twin_check.energy_error"), "%", ({ kwhErrorPct }) => kwhErrorPct),
    figure(t("twin_check.soc_error"), "%", ({ socMaePct }) => socMaePct),
    figure(t("twin_check.soc_end"), "%", ({ socEndErrorPct }) => socEndErrorPct),
    { title: t("twin_check.samples"), align: "right", cell: ({ rows }) => String(rows) },
  ]);
}

const decimalOrDash = (value: number | null): string => (value === null ? "–" : formatFixed(value, 1));

const knownTable = (rows: readonly ParameterRow[], { t }: PageLocale): Markup =>
  dataTable(t("twin_check.parameters"), rows, [
    { title: t("head.site"), cell: ({ site }) => site },
    { title: t("twin_check.parameter"), cell: ({ parameter, unit }) => `${parameter} (${unit})` },
    { title: t("twin_check.before"), align: "right", cell: ({ before }) => String(before ?? "–") },
    { title: t("twin_check.fitted"), align: "right", cell: ({ value }) => String(value) },
    {
      title: t("twin_check.interval"),
      align: "right",
      cell: ({ low, high }) =>
        low === null || high === null ? "–" : t("study.interval", { low: String(low), high: String(high) }),
    },
  ]);

const unknownTable = (rows: readonly ParameterRow[], { t }: PageLocale): Markup =>
  dataTable(t("twin_check.unknown"), rows, [
    { title: t("head.site"), cell: ({ site }) => site },
    { title: t("twin_check.parameter"), cell: ({ parameter }) => parameter },
    { title: t("twin_check.why"), cell: ({ why }) => why ?? "–" },
  ]);

interface Gap {
  readonly site: string;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

const gapsOf = ({ site, main }: MeasuredSite): Gap[] =>
  [...main.timesMs].flatMap((startMs, row) =>
    isGapAfter(main, row) ? [{ site, startMs, endMs: main.timesMs[row + 1] }] : [],
  );

const gapsTable = (gaps: readonly Gap[], { t, renderTime }: PageLocale): Markup =>
  dataTable(t("twin_check.gaps"), gaps, [
    { title: t("head.site"), cell: ({ site }) => site },
    { title: t("head.start"), cell: ({ startMs }) => renderTime(startMs) },
    { title: t("head.end"), cell: ({ endMs }) => renderTime(endMs) },
  ]);

/** Points of a curve of all sites together; more would make the page large. */
const POINTS_MAX = 60_000;
const MEANS_MINUTES = 5;

function curvesBody(check: TwinCheck, locale: PageLocale): Markup {
  const { world } = check.scenario;
  const minutes = (world.endMs - world.startMs) / MS_PER_MINUTE;
  const stepMinutes = check.sites.length * minutes <= POINTS_MAX ? 1 : MEANS_MINUTES;
  const charts = world.sites.flatMap(({ name }, k): TimeChart[] => {
    const measured = check.measured.get(name)?.main;
    if (measured === undefined) return [];
    const twin = asMeasured(name, check.run.samples[k], world.startMs).main;
    const period = { ...world, stepMs: stepMinutes * MS_PER_MINUTE };
    const powerOf = (table: MeasuredTable) => ({ unit: "kW", curve: stepMeans(table, "current_kw", period) });
    const socOf = (table: MeasuredTable) => ({ unit: "%", curve: stepMeans(table, "soc", period) });
    const { t } = locale;
    const curves: TimeCurve[] = [
      { label: t("twin_check.measured_power"), colour: "s1", ...powerOf(measured) },
      { label: t("twin_check.twin_power"), colour: "s2", ...powerOf(twin), isDashed: true },
      { label: t("twin_check.measured_soc"), colour: "s3", ...socOf(measured) },
      { label: t("twin_check.twin_soc"), colour: "s4", ...socOf(twin), isDashed: true },
    ];
    return [
      {
        id: "site-curves",
        title: name,
        caption: t("twin_check.means", { length: locale.formatDuration(period.stepMs) }),
        altText: t("twin_check.curve_of", { site: name }),
        locale,
        span: world,
        axisTitle: t("chart.power_axis"),
        curves: curves.filter(({ curve }) => curve.atMs.length > 0),
        rows: [],
        shades: [],
      },
    ];
  });
  if (charts.length === 0) return html``;
  const first = timeChartSpec(charts[0]);
  const choice = charts.length > 1 ? { label: locale.t("head.site"), first: 0, rowsOf: [] } : null;
  return renderFigure({ ...first, interactive: { charts, timezone: locale.timezone, span: world, choice } });
}

interface Steps {
  readonly startMs: EpochMs;
  readonly stepMs: EpochMs;
}

/** Means of the values of each step that has some. */
function stepMeans(table: MeasuredTable, column: MeasuredColumn, { startMs, stepMs }: Steps): Polyline {
  const { timesMs } = table;
  const values = valuesOf(table, column);
  const points: { readonly atMs: EpochMs; sum: number; count: number }[] = [];
  for (let k = 0; k < timesMs.length; k++) {
    if (Number.isNaN(values[k])) continue;
    const atMs = startMs + Math.floor((timesMs[k] - startMs) / stepMs) * stepMs;
    let last = points.at(-1);
    if (last?.atMs !== atMs) {
      last = { atMs, sum: 0, count: 0 };
      points.push(last);
    }
    last.sum += values[k];
    last.count++;
  }
  return {
    atMs: Float64Array.from(points, ({ atMs }) => atMs),
    values: Float64Array.from(points, ({ sum, count }) => sum / count),
    thinnedMs: 0,
  };
}
