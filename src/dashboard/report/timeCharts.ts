// The script of pages with time charts: values under the pointer, zoom, and one time axis for all charts. Without it the page shows
// the drawings.
import uPlot from "uplot";
import type { ChartsJson, CurveJson } from "../../report/html/charts/chartJson.ts";
import { formatNumber, MINUS, tickDecimals } from "../format/numbers.ts";
import { type TimeFormats, timeFormats } from "../format/times.ts";
import { axisStyle, gridStyle, timeTick } from "../parts/chart/chartOptions.ts";
import { rangeWithZero } from "../parts/chart/chartSpec.ts";
import { tokenColour } from "../parts/chart/paintChart.ts";
import {
  alignCurves,
  type Band,
  binAt,
  type Chart,
  chartsOf,
  decodePolyline,
  type Period,
  type Polyline,
  readBand,
  stepsOfBand,
  valueAt,
} from "./chartData.ts";
import { type Painting, paintBlocks, paintShades, rowsHeightPx } from "./chartPainting.ts";
import { createElement, pageLanguage, textsOf, tipLine } from "./elements.ts";

const STEPS_PER_VIEW = 200;
/** Right of every plot, so that the plots of all charts are equally wide. */
const RIGHT_PX = 60;
const TABLE_ROWS_MAX = 200;
const FONT = "12px system-ui, sans-serif";

const TEXTS = textsOf({
  ja: {
    hint: "ドラッグで拡大、Ctrl＋ホイールで拡大・縮小、ダブルクリックで全体表示",
    reset: "全体を表示",
    table: "この期間の値を表で見る",
    keys: "矢印キーで値を読み、＋と－で拡大・縮小、0で全体を表示します。",
    time: "時刻",
    missing: "不足",
    right: "（右軸）",
    soc: "充電率 (%)",
    valuesOf: (title: string) => `${title}の値`,
    lowest: "最低",
    mean: "平均",
    highest: "最高",
  },
  en: {
    hint: "Drag to zoom, Ctrl + wheel, double-click to reset",
    reset: "Reset zoom",
    table: "Values in this period as a table",
    keys: "Arrow keys read values, plus and minus zoom, 0 resets.",
    time: "Time",
    missing: "Missing",
    right: " (right)",
    soc: "State of charge (%)",
    valuesOf: (title: string) => `Values of ${title}`,
    lowest: "Lowest",
    mean: "Mean",
    highest: "Highest",
  },
});

/** One value at an instant. @property colour  name of a token; `null`: none */
interface Reading {
  readonly label: string;
  readonly colour: string | null;
  readonly text: string;
}

const views: TimeChartView[] = [];
/** All charts of the page show the same period. */
function showPeriod(period: Period): void {
  for (const view of views) view.setPeriod(period);
}

/** Instants in the scenario's zone, with the UTC offset if the run has more than one. */
class Clock {
  readonly formats: TimeFormats;
  private readonly hasOffset: boolean;

  constructor(zone: string, { min, max }: Period) {
    this.formats = timeFormats(zone, pageLanguage());
    this.hasOffset = this.offsetAt(min) !== this.offsetAt(max);
  }

  private offsetAt(atMs: number): string {
    return this.formats.iso(atMs).slice("2026-05-20T07:52:10".length).replace("-", MINUS);
  }

  full(atMs: number): string {
    const wholeMs = Math.floor(atMs);
    return `${this.formats.local(wholeMs).replace("T", " ")}${this.hasOffset ? ` ${this.offsetAt(wholeMs)}` : ""}`;
  }
}

class TimeChartView {
  private readonly holder: HTMLElement;
  private readonly figure: HTMLElement;
  private readonly charts: readonly Chart[];
  private readonly clock: Clock;
  private readonly span: Period;
  private period: Period;
  private chart: Chart;
  private readonly curvesMaxMs: number;
  private polylines: readonly Polyline[] = [];
  /** In place of the curves in a long period; `null`: the curves are shown. */
  private band: Band | null = null;
  private colours = new Map<string, string>();
  private uplot: uPlot | null = null;
  private legend: HTMLElement | null = null;
  private readMs: number | null = null;
  private readonly plot = createElement("div", "chart-plot");
  private readonly tip = createElement("div", "chart-tip");
  private readonly status = createElement("p", "chart-status");
  private readonly table = createElement("details", "chart-table");
  private readonly resetButton = createElement("button", "chart-reset", TEXTS.reset);

  constructor(holder: HTMLElement, figure: HTMLElement, data: ChartsJson) {
    this.holder = holder;
    this.figure = figure;
    this.charts = chartsOf(data, figure.id);
    this.span = { min: data.start, max: data.end };
    this.clock = new Clock(data.zone, this.span);
    this.period = this.span;
    this.curvesMaxMs = data.curvesMaxMs;
    this.chart = this.charts[data.first ?? 0];
    this.buildControls(data.choose ?? "");
    this.draw();
    new ResizeObserver(() => this.resize()).observe(this.plot);
    this.figure.classList.add("live");
  }

  private buildControls(choiceLabel: string): void {
    const bar = createElement("div", "chart-bar");
    if (this.charts.length > 1) bar.append(this.buildSelect(choiceLabel));
    this.resetButton.type = "button";
    this.resetButton.hidden = true;
    this.resetButton.addEventListener("click", () => showPeriod(this.span));
    bar.append(createElement("span", "chart-hint", TEXTS.hint), this.resetButton);
    this.plot.tabIndex = 0;
    this.plot.setAttribute("role", "group");
    this.tip.hidden = true;
    this.status.setAttribute("role", "status");
    this.plot.addEventListener("keydown", (event) => this.onKey(event));
    this.plot.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    this.table.append(createElement("summary", "", TEXTS.table));
    this.table.addEventListener("toggle", () => this.fillTable());
    this.holder.append(bar, this.plot, this.status, this.table);
  }

  private buildSelect(choiceLabel: string): HTMLElement {
    const label = createElement("label", "chart-select", `${choiceLabel} `);
    const select = createElement("select");
    this.charts.forEach((chart, k) => {
      const option = createElement("option", "", chart.title);
      option.value = String(k);
      option.selected = chart === this.chart;
      select.append(option);
    });
    select.addEventListener("change", () => {
      this.chart = this.charts[Number(select.value)];
      this.draw();
    });
    label.append(select);
    return label;
  }

  /** Builds the plot of the chosen chart in the colours of the page. */
  draw(): void {
    this.uplot?.destroy();
    this.polylines = this.chart.curves.map(({ points }) => decodePolyline(points));
    this.band = this.bandOf(this.period);
    this.colours = new Map();
    this.plot.setAttribute("aria-label", `${this.chart.altText} ${TEXTS.keys}`);
    const data = this.band === null ? alignCurves(this.polylines) : stepsOfBand(this.band, this.span);
    const made = new uPlot(this.options(), data, this.plot);
    this.uplot = made;
    made.over.append(this.tip);
    this.tip.hidden = true;
    if (this.charts.length > 1) this.nameChosen();
    this.fillTable();
  }

  /** The band of a period that is too long for curves. */
  private bandOf({ min, max }: Period): Band | null {
    const { bands, curves } = this.chart;
    if (bands.length === 0 || (curves.length > 0 && max - min <= this.curvesMaxMs)) return null;
    return readBand(bands[0], this.figure);
  }

  /** Title and legend of the chosen chart; on paper those of the drawing stand instead. */
  private nameChosen(): void {
    const name = this.figure.querySelector("h3 .chosen");
    if (name !== null) name.textContent = this.chart.title;
    this.legend?.remove();
    // That of a band stands in the page.
    if (this.chart.bands.length > 0) return;
    const legend = createElement("ul", "legend chosen");
    const hasTwoUnits = new Set(this.chart.curves.map(({ unit }) => unit)).size > 1;
    for (const { label, colour, unit, dashed } of this.chart.curves) {
      const item = createElement("li");
      const mark = createElement("i", dashed ? "swatch dashed" : "swatch");
      mark.style.setProperty("--swatch", `var(--${colour})`);
      item.append(mark, hasTwoUnits && unit === "%" ? `${label}${TEXTS.right}` : label);
      legend.append(item);
    }
    this.legend = legend;
    this.holder.before(legend);
  }

  private colour(name: string): string {
    const known = this.colours.get(name) ?? tokenColour(name);
    this.colours.set(name, known);
    return known;
  }

  private size(): { readonly width: number; readonly height: number } {
    return { width: Math.max(260, this.plot.clientWidth), height: 290 + rowsHeightPx(this.chart) };
  }

  private resize(): void {
    const { width, height } = this.size();
    if (this.uplot?.width !== width) this.uplot?.setSize({ width, height });
  }

  private options(): uPlot.Options {
    const { band } = this;
    const { curves } = this.chart;
    const units = band === null ? [...new Set(curves.map(({ unit }) => unit))] : [band.unit];
    const range = (unit: string): uPlot.Scale.Range =>
      unit === "%" ? [0, 100] : (_u, low, high) => rangeWithZero(low, high);
    return {
      ...this.size(),
      ms: 1,
      tzDate: (atMs) => uPlot.tzDate(new Date(atMs), this.clock.formats.zone),
      padding: [rowsHeightPx(this.chart), units.length > 1 ? RIGHT_PX - 46 - 18 : RIGHT_PX, 0, 0],
      legend: { show: false },
      cursor: {
        drag: { x: true, y: false, setScale: false },
        points: { show: false },
        sync: { key: "time", scales: ["x", null], setSeries: false },
      },
      scales: {
        x: { time: true, ...this.period },
        ...Object.fromEntries(units.map((unit) => [unit, { range: range(unit) }])),
      },
      axes: this.axes(units),
      series: [{}, ...(band === null ? curves.map((curve) => this.seriesOf(curve)) : this.seriesOfBand(band))],
      ...(band === null ? {} : { bands: this.fillsOf(band) }),
      hooks: {
        draw: [(u) => paintBlocks(this.painting(u))],
        drawSeries: [(u, k) => this.band === null && k === u.series.length - 1 && paintShades(this.painting(u))],
        setCursor: [(u) => this.showTip(u)],
        setSelect: [(u) => zoomToSelection(u)],
        ready: [(u) => u.over.addEventListener("dblclick", () => showPeriod(this.span))],
      },
    };
  }

  private axes(units: readonly string[]): uPlot.Axis[] {
    const axis = { ...axisStyle(FONT), labelFont: FONT, ticks: gridStyle() };
    return [
      {
        ...axis,
        values: (_u, splits, _axis, _space, stepMs) =>
          splits.map((atMs) => timeTick(this.clock.formats, Math.round(atMs), stepMs)),
      },
      ...units.map((unit, k): uPlot.Axis => {
        const isFirst = k === 0;
        return {
          ...axis,
          scale: unit,
          side: isFirst ? 3 : 1,
          label: isFirst ? this.chart.axisTitle : TEXTS.soc,
          labelSize: 18,
          size: isFirst ? 76 : 46,
          ...(isFirst ? {} : { grid: { show: false } }),
          values: (_u, splits) => splits.map((value) => formatNumber(value, tickDecimals(splits))),
        };
      }),
    ];
  }

  private painting(u: uPlot): Painting {
    return { u, chart: this.chart, period: this.period, colour: (name) => this.colour(name) };
  }

  private seriesOf({ label, colour, unit, dashed, filled }: CurveJson): uPlot.Series {
    return {
      label,
      scale: unit,
      stroke: () => this.colour(colour),
      width: 1.6,
      points: { show: false },
      ...(dashed && { dash: [6, 4] }),
      ...(filled && { fill: () => `color-mix(in srgb, ${this.colour(colour)} 28%, transparent)`, fillTo: 0 }),
    };
  }

  /** Invisible bounds, and the mean as the one line. */
  private seriesOfBand({ unit, low }: Band): uPlot.Series[] {
    const bound = { scale: unit, width: 0, points: { show: false } };
    return [
      ...Array.from({ length: low === undefined ? 2 : 4 }, () => bound),
      { scale: unit, stroke: () => this.colour("ink"), width: 1.6, points: { show: false } },
    ];
  }

  private fillsOf({ low }: Band): uPlot.Band[] {
    const outer = { series: [2, 1] as [number, number], fill: () => this.colour(low === undefined ? "h1" : "h0") };
    return low === undefined ? [outer] : [outer, { series: [4, 3], fill: () => this.colour("h1") }];
  }

  setPeriod({ min, max }: Period): void {
    const { span } = this;
    const spanMs = Math.max(1000, Math.min(max - min, span.max - span.min));
    const from = Math.min(Math.max(span.min, min), span.max - spanMs);
    this.period = { min: from, max: from + spanMs };
    if ((this.band === null) === (this.bandOf(this.period) === null)) this.uplot?.setScale("x", this.period);
    else this.draw();
    this.resetButton.hidden = spanMs === span.max - span.min;
    this.fillTable();
  }

  private zoom(factor: number, aroundMs: number): void {
    const { min, max } = this.period;
    showPeriod({ min: aroundMs - (aroundMs - min) * factor, max: aroundMs + (max - aroundMs) * factor });
  }

  private onWheel(event: WheelEvent): void {
    if (this.uplot === null || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const left = event.clientX - this.uplot.over.getBoundingClientRect().left;
    this.zoom(event.deltaY < 0 ? 0.7 : 1 / 0.7, this.uplot.posToVal(left, "x"));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.actOn(event)) return;
    event.preventDefault();
  }

  /** @returns whether the key is one of the chart's */
  private actOn({ key, shiftKey }: KeyboardEvent): boolean {
    const { min, max } = this.period;
    const stepMs = (max - min) / STEPS_PER_VIEW;
    const atMs = this.readMs ?? (min + max) / 2;
    const move = (sign: number) =>
      shiftKey
        ? showPeriod({ min: min + sign * 20 * stepMs, max: max + sign * 20 * stepMs })
        : this.readAt(atMs + sign * stepMs);
    if (key === "ArrowLeft") move(-1);
    else if (key === "ArrowRight") move(1);
    else if (key === "+") this.zoom(0.5, atMs);
    else if (key === "-") this.zoom(2, atMs);
    else if (key === "0" || key === "Escape") showPeriod(this.span);
    else return false;
    return true;
  }

  /** Moves the pointer to an instant and says its values. */
  private readAt(atMs: number): void {
    if (this.uplot === null) return;
    const { min, max } = this.period;
    const within = Math.min(Math.max(min, atMs), max);
    this.uplot.setCursor({ left: this.uplot.valToPos(within, "x"), top: this.uplot.over.clientHeight / 2 });
    this.readMs = within;
    this.status.textContent = this.readingsAt(within)
      .map(({ label, text }) => `${label} ${text}`)
      .join(", ");
  }

  /** Time, values of the curves, and the blocks of an instant. */
  private readingsAt(atMs: number): Reading[] {
    const time = { label: TEXTS.time, colour: null, text: this.clock.full(atMs) };
    if (this.band !== null) return [time, ...readingsOfBand(this.band, atMs)];
    const curves = this.chart.curves.flatMap(({ label, unit, colour }, k) => {
      const value = valueAt(this.polylines[k], atMs);
      return value === null ? [] : [{ label, colour, text: `${formatNumber(value, 1)}\u00a0${unit}` }];
    });
    const isAt = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) =>
      fromMs <= atMs && atMs < toMs;
    const shades = this.chart.shades.filter(isAt).map(({ fromMs, toMs, from, to, colour, label }) => {
      const [atStart, atEnd] = [Math.abs(from[0] - to[0]), Math.abs(from[1] - to[1])];
      const kw = atStart + ((atEnd - atStart) * (atMs - fromMs)) / (toMs - fromMs);
      return { label: TEXTS.missing, colour, text: `${formatNumber(kw, 1)}\u00a0kW (${label})` };
    });
    let title = "";
    const blocks = this.chart.rows.flatMap((row) => {
      title = row.title || title;
      return row.blocks.filter(isAt).map(({ colour, text }) => ({ label: title, colour, text }));
    });
    return [time, ...curves, ...shades, ...blocks];
  }

  private showTip(u: uPlot): void {
    const { left } = u.cursor;
    const isHere = u.over.matches(":hover") || this.plot === document.activeElement;
    this.tip.hidden = left === undefined || left < 0 || !isHere;
    if (this.tip.hidden || left === undefined) return;
    const atMs = this.snapped(u, left);
    this.readMs = atMs;
    const [time, ...values] = this.readingsAt(atMs);
    this.tip.replaceChildren(
      createElement("b", "", time.text),
      ...values.map(({ label, colour, text }) => tipLine(`var(--${colour})`, label, text)),
    );
    const isRight = u.over.clientWidth / 2 < left;
    this.tip.style.left = isRight ? "" : `${left + 14}px`;
    this.tip.style.right = isRight ? `${u.over.clientWidth - left + 14}px` : "";
  }

  /** The instant under the pointer, whole minutes or seconds where a pixel is longer than that. */
  private snapped(u: uPlot, left: number): number {
    const pxMs = (this.period.max - this.period.min) / Math.max(1, u.over.clientWidth);
    const unit = [60_000, 1000].find((ms) => ms <= pxMs) ?? 1;
    return Math.round(u.posToVal(left, "x") / unit) * unit;
  }

  /** Values at every change in the period, or at equal steps if they are too many. */
  private fillTable(): void {
    if (!this.table.open || this.uplot === null) return;
    const { min, max } = this.period;
    const changes = Array.from(this.uplot.data[0]).filter(
      (atMs) => Number.isInteger(atMs) && min <= atMs && atMs <= max,
    );
    const instants =
      changes.length <= TABLE_ROWS_MAX
        ? changes
        : Array.from({ length: TABLE_ROWS_MAX + 1 }, (_, k) => min + ((max - min) * k) / TABLE_ROWS_MAX);
    const table = createElement("table");
    const head = table.createTHead().insertRow();
    const { band } = this;
    const titles =
      band === null
        ? this.chart.curves.map(({ label, unit }) => `${label} (${unit})`)
        : [TEXTS.lowest, TEXTS.mean, TEXTS.highest].map((text) => `${text} (${band.unit})`);
    for (const text of [TEXTS.time, ...titles]) {
      const cell = createElement("th", "", text);
      cell.scope = "col";
      head.append(cell);
    }
    const body = table.createTBody();
    for (const atMs of instants) {
      const row = body.insertRow();
      row.insertCell().textContent = this.clock.full(atMs);
      const values =
        band === null
          ? this.polylines.map((polyline) => valueAt(polyline, atMs))
          : [band.min, band.mean, band.max].map((column) => column[binAt(band, atMs)] ?? null);
      for (const value of values) {
        const cell = row.insertCell();
        cell.className = "n";
        cell.textContent = value === null ? "\u2013" : formatNumber(value, 1);
      }
    }
    const box = createElement("div", "scroll");
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", TEXTS.valuesOf(this.chart.title));
    box.append(table);
    this.table.querySelector(".scroll")?.remove();
    this.table.append(box);
  }
}

/** Lowest, mean and highest value of the bin of an instant. */
function readingsOfBand(band: Band, atMs: number): Reading[] {
  const bin = binAt(band, atMs);
  const reading = (label: string, values: readonly (number | null)[]): Reading[] => {
    const value = values[bin] ?? null;
    return value === null ? [] : [{ label, colour: null, text: `${formatNumber(value, 1)}\u00a0${band.unit}` }];
  };
  return [...reading(TEXTS.lowest, band.min), ...reading(TEXTS.mean, band.mean), ...reading(TEXTS.highest, band.max)];
}

function zoomToSelection(u: uPlot): void {
  const { left, width } = u.select;
  if (width < 4) return;
  const period = { min: u.posToVal(left, "x"), max: u.posToVal(left + width, "x") };
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  showPeriod(period);
}

for (const holder of document.querySelectorAll<HTMLElement>(".chart-live")) {
  const figure = holder.closest("figure");
  const data = holder.querySelector("script");
  if (figure !== null && data !== null)
    views.push(new TimeChartView(holder, figure, JSON.parse(data.textContent ?? "")));
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const view of views) view.draw();
});
