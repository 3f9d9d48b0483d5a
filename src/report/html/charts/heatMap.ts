// Day × hour: a column a day, a row an hour of the clock, in steps of grey to ink, of blue in the other direction.

import { roundTo } from "../../../base/rounding.ts";
import { dateText, type LocalDay, monthName } from "../page/localDays.ts";
import { escapeHtml, html } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import type { ColourName } from "../page/palette.ts";
import type { ChartSpec, LegendEntry } from "./chart.ts";
import type { HourCell } from "./hourSums.ts";
import { type AxisLabel, plotFrame, stretched } from "./plotFrame.ts";

export interface HeatMap {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly altText: string;
  readonly days: readonly LocalDay[];
  readonly cells: readonly HourCell[];
  /** `null`: the cell is left empty. */
  readonly colourOf: (value: number) => ColourName | null;
  readonly legend: readonly LegendEntry[];
  /** Lines of a cell's title below its date and hour. */
  readonly linesOf: (cell: HourCell) => readonly string[];
  readonly locale: PageLocale;
}

const HOURS = [0, 6, 12, 18, 24];
const ROW_PX = 9;

export const heatMapSpec = ({ id, title, caption, legend, ...map }: HeatMap): ChartSpec => ({
  id,
  title,
  caption,
  altText: map.altText,
  legend,
  draw: ({ altText }) => {
    const { days } = map;
    return html`<div class="heat">${plotFrame({
      altText,
      heightPx: 24 * ROW_PX,
      unit: "",
      rows: HOURS.map((hour) => ({ share: hour / 24, label: `${String(hour).padStart(2, "0")}:00` })),
      columns: dayLabels(days, map.locale),
      startLabels: true,
      content: stretched(days.length, 24, `${cellsText(map)}${weekTicks(days)}`),
    })}</div>`;
  },
});

/** Names of months where they begin, days of the month where the run is short. */
function dayLabels(days: readonly LocalDay[], locale: PageLocale): AxisLabel[] {
  const every = Math.ceil(days.length / 400);
  const named = days.flatMap((day, k) => {
    const isFirst = k === 0 || day.day === 1;
    if (days.length <= 62 && day.day % 7 === 1 && !isFirst) return [{ share: k / days.length, label: String(day.day) }];
    return isFirst ? [{ share: k / days.length, label: monthName(day, locale) }] : [];
  });
  // A month of a few days at the start has no room for its name.
  return named.filter(
    ({ share }, k) => k % every === 0 && (k + 1 === named.length || (named[k + 1].share - share) * 1000 > 14),
  );
}

/** Titles only where a cell has a colour. */
function cellsText({
  cells,
  days,
  colourOf,
  linesOf,
  locale,
}: Omit<HeatMap, "id" | "title" | "caption" | "legend">): string {
  const byDay = days.map(() => "");
  for (const cell of cells) {
    const colour = colourOf(cell.value);
    if (colour === null) continue;
    const hour = `${String(cell.hour).padStart(2, "0")}:00`;
    const title = [`${dateText(days[cell.day], locale)} ${hour}`, ...linesOf(cell)].join("\n");
    byDay[cell.day] += `<rect y="${cell.hour}" class="${colour}"><title>${escapeHtml(title)}</title></rect>`;
  }
  return byDay.map((text, day) => (text === "" ? "" : `<g transform="translate(${day})">${text}</g>`)).join("");
}

/** Lines at the start of months; weeks begin on Monday. */
const weekTicks = (days: readonly LocalDay[]): string =>
  days
    .map(({ day, weekday }, k) =>
      k > 0 && day === 1
        ? `<path class="month" d="M${k} 0v24"/>`
        : k > 0 && weekday === 1
          ? `<path class="week" d="M${k} 23.4v.6"/>`
          : "",
    )
    .join("");

/**
 * Bounds of steps that hold equal numbers of the values above 0, as printed; fewer where values repeat. A value at a bound is in the
 * lower step, and the largest value above all bounds.
 */
export function quantileBounds(values: readonly number[], steps: number, decimals: number): readonly number[] {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b);
  const largest = sorted[sorted.length - 1] ?? 0;
  const bounds = Array.from({ length: steps - 1 }, (_, k) => sorted[Math.floor(((k + 1) * sorted.length) / steps)]);
  const printed = bounds.flatMap((bound) => (bound === undefined ? [] : [roundTo(bound, decimals)]));
  return [...new Set(printed.filter((bound) => bound > 0 && bound < roundTo(largest, decimals)))];
}

/** The step of a value: 0 for the lowest. */
export const stepOf = (value: number, bounds: readonly number[]): number =>
  bounds.filter((bound) => bound < value).length;

/** From the lowest step to the highest. */
export const HEAT_COLOURS: readonly ColourName[] = ["h1", "h2", "h3", "h4", "h5"];

/** The colour of each step; of fewer steps the strong ones too. */
export const coloursOf = (bounds: readonly number[], colours: readonly ColourName[]): readonly ColourName[] =>
  Array.from({ length: bounds.length + 1 }, (_, k) =>
    bounds.length === 0 ? colours[colours.length - 1] : colours[Math.round((k * (colours.length - 1)) / bounds.length)],
  );

interface LegendTexts {
  /** Of the first step; a single one has the largest value. */
  readonly first: (to: string) => string;
  readonly unit: string;
  readonly format: (value: number) => string;
  readonly largest: number;
  readonly t: PageLocale["t"];
}

/** A swatch for each step, with its bounds. */
export function stepLegend(
  bounds: readonly number[],
  colours: readonly ColourName[],
  { first, unit, format, largest, t }: LegendTexts,
): LegendEntry[] {
  return coloursOf(bounds, colours).map((colour, k) => {
    if (k === 0) return { label: first(format(bounds[0] ?? largest)), colour };
    const from = format(bounds[k - 1]);
    const label =
      k === bounds.length
        ? t("months.step_over", { from, unit })
        : t("months.step_between", { from, to: format(bounds[k]), unit });
    return { label, colour };
  });
}
