// What each parameter does alone, and two of a grid together.
import { type BarRow, barAxis, barChartSpec } from "../../report/html/charts/barChart.ts";
import type { ChartSpec } from "../../report/html/charts/chart.ts";
import { captionOf } from "../../report/html/charts/timeChart.ts";
import { dataTable, type TableColumn } from "../../report/html/page/dataTable.ts";
import type { Section } from "../../report/html/page/document.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import type { PageTexts } from "../../report/html/page/pageLocale.ts";
import type { ColourName } from "../../report/html/page/palette.ts";
import { EFFECT_SEEDS } from "../allocation/raceStudy.ts";
import { parameterLevels } from "../search/candidateDesign.ts";
import type { StudyParameter } from "../study.ts";
import type { EffectEnd, ParameterEffect, StudyResult } from "../studyResult.ts";
import { estimateCell, renderCharts } from "./candidatesSection.ts";
import { isRaced } from "./raceText.ts";
import { objectiveDecimals, objectiveLabel, parameterText } from "./studyText.ts";

const BARS_MAX = 20;

export function effectsSection(result: StudyResult, texts: PageTexts): Section | null {
  const charts = renderCharts([tornadoChart(result, texts), heatMapChart(result, texts)]);
  if (charts === null) return null;
  const { t } = texts;
  const title = t("study.effects");
  const body = result.tornado.length === 0 ? charts : html`${charts}${effectsTable(result, texts)}`;
  return { id: "effects", contentsTitle: title, title, intro: "", body };
}

function effectsTable({ study, tornado }: StudyResult, texts: PageTexts): Markup {
  const { t } = texts;
  const decimals = objectiveDecimals(study);
  const value = (end: (effect: ParameterEffect) => EffectEnd): TableColumn<ParameterEffect>["cell"] => {
    return (effect) => parameterText(effect.parameter, end(effect).value, texts);
  };
  const change = (end: (effect: ParameterEffect) => EffectEnd): TableColumn<ParameterEffect>["cell"] => {
    return (effect) => {
      const { difference } = end(effect);
      return difference === null ? t("study.refused") : estimateCell(difference, decimals, texts);
    };
  };
  return dataTable(t("study.one_table"), tornado, [
    { title: t("study.parameter"), cell: ({ parameter }) => parameter.name },
    { title: t("study.lowest_value"), align: "right", cell: value(({ low }) => low) },
    { title: t("study.change_there"), align: "right", cell: change(({ low }) => low) },
    { title: t("study.highest_value"), align: "right", cell: value(({ high }) => high) },
    { title: t("study.change_there"), align: "right", cell: change(({ high }) => high) },
  ]);
}

/** Effect of each parameter alone, largest first. */
function tornadoChart(result: StudyResult, texts: PageTexts): ChartSpec | null {
  const { study, tornado } = result;
  const { t } = texts;
  const shown = tornado.slice(0, BARS_MAX);
  if (shown.length === 0) return null;
  const decimals = objectiveDecimals(study);
  const figure = objectiveLabel(study, texts);
  const text = ({ difference }: EffectEnd) =>
    difference === null ? t("study.refused") : formatFixed(difference.mean, decimals);
  const track = (parameter: StudyParameter, end: EffectEnd, colour: ColourName) => {
    const label = t("study.at_value", { value: parameterText(parameter, end.value, texts) });
    const bar = { from: 0, to: end.difference?.mean ?? 0, colour, label, valueText: text(end) };
    return { bars: [bar], text: text(end) };
  };
  const rows = shown.map(
    ({ parameter, low, high }): BarRow => ({
      name: parameter.name,
      tracks: [track(parameter, low, "s5"), track(parameter, high, "s1")],
    }),
  );
  return barChartSpec({
    id: "tornado",
    title: t("study.one_at_a_time"),
    caption: t(isRaced(result) ? "study.one_caption_raced" : "study.one_caption", { figure, count: EFFECT_SEEDS }),
    altText: shown
      .map(({ parameter, low, high }) =>
        t("study.one_alt", {
          parameter: parameter.name,
          low: parameterText(parameter, low.value, texts),
          low_change: text(low),
          high: parameterText(parameter, high.value, texts),
          high_change: text(high),
        }),
      )
      .join(t("clause.separator")),
    legend: [
      { label: t("study.at_lowest"), colour: "s5" },
      { label: t("study.at_highest"), colour: "s1" },
    ],
    axis: barAxis(t("study.change_of", { figure }), rows),
    rows,
  });
}

/** A chart with more cells is illegible. */
const LEVELS_MAX = 30;

interface Cell {
  readonly x: number;
  readonly y: number;
  /** Mean over the values of the other parameters. */
  readonly value: number;
}

/** The objective over the first two parameters of a grid; `null` for other methods. */
function heatMapChart(result: StudyResult, texts: PageTexts): ChartSpec | null {
  const { study } = result;
  const { t } = texts;
  if (study.method !== "grid" || study.parameters.length < 2) return null;
  const [first, second] = study.parameters;
  const [xs, ys] = [parameterLevels(first.domain), parameterLevels(second.domain)];
  if (LEVELS_MAX < xs.length || LEVELS_MAX < ys.length) return null;
  const cells = cellsOf(result, first, second);
  if (cells.length === 0) return null;
  const low = Math.min(...cells.map(({ value }) => value));
  const high = Math.max(...cells.map(({ value }) => value));
  const shade = (value: number) => (high > low ? 0.06 + (0.8 * (value - low)) / (high - low) : 0.3);
  const decimals = objectiveDecimals(study);
  const names = { first: first.name, second: second.name };
  return {
    id: "heat",
    title: t("study.two", names),
    caption: captionOf(
      [
        t(isRaced(result) ? "study.heat_caption_raced" : "study.heat_caption", {
          figure: objectiveLabel(study, texts),
          ...names,
        }),
        study.parameters.length > 2 ? t("study.heat_others") : "",
      ],
      t,
    ),
    altText: t("study.heat_alt", {
      ...names,
      low: formatFixed(low, decimals),
      high: formatFixed(high, decimals),
      columns: xs.length,
      rows: ys.length,
    }),
    legend: [],
    draw: ({ altText }) => heatTable({ xs, ys, cells, first, second }, { altText, shade, decimals, texts }),
  };
}

interface HeatMap {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly cells: readonly Cell[];
  readonly first: StudyParameter;
  readonly second: StudyParameter;
}

interface CellStyle {
  readonly altText: string;
  /** 0 to 1. */
  readonly shade: (value: number) => number;
  readonly decimals: number;
  readonly texts: PageTexts;
}

/** A table whose cells are shaded by their value, the largest value of the vertical axis on top. */
function heatTable({ xs, ys, cells, first, second }: HeatMap, { altText, shade, decimals, texts }: CellStyle): Markup {
  const values = new Map(cells.map(({ x, y, value }) => [`${x} ${y}`, value]));
  const [columnText, rowText] = [first, second].map(
    (parameter) => (value: number) => parameterText(parameter, value, texts),
  );
  const cellAt = (x: number, y: number): Markup => {
    const value = values.get(`${x} ${y}`);
    if (value === undefined) return html`<td></td>`;
    const text = formatFixed(value, decimals);
    const title = `${first.name} ${columnText(xs[x])}, ${second.name} ${rowText(ys[y])}\n${text}`;
    return html`<td title="${title}" style="${`--shade:${Math.round(100 * shade(value))}%`}">${text}</td>`;
  };
  const rows = ys
    .map((_, k) => ys.length - 1 - k)
    .map((y) => html`<tr><th scope="row">${rowText(ys[y])}</th>${xs.map((_, x) => cellAt(x, y))}</tr>`);
  return html`<div class="heat" tabindex="0" role="region" aria-label="${altText}"><table><thead><tr><th scope="col">${second.name} ↓, ${first.name} →</th>${xs.map((x) => html`<th scope="col">${columnText(x)}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Of a race, differences on the seeds of both: means on different seeds differ by these too. */
function cellsOf(result: StudyResult, first: StudyParameter, second: StudyParameter): Cell[] {
  const { candidates, differences } = result;
  const [xs, ys] = [parameterLevels(first.domain), parameterLevels(second.domain)];
  const sums = new Map<number, { sum: number; count: number }>();
  for (const [k, { patch, objective }] of candidates.entries()) {
    const estimate = isRaced(result) ? differences[k] : objective;
    if (estimate === null) continue;
    const key = xs.indexOf(patch[first.path]) * ys.length + ys.indexOf(patch[second.path]);
    const cell = sums.get(key) ?? { sum: 0, count: 0 };
    sums.set(key, { sum: cell.sum + estimate.mean, count: cell.count + 1 });
  }
  return [...sums].map(([key, { sum, count }]) => ({
    x: Math.floor(key / ys.length),
    y: key % ys.length,
    value: sum / count,
  }));
}
