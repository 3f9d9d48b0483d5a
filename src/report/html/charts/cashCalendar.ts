import { formatFixed } from "../page/format.ts";
import { dateText, monthText } from "../page/localDays.ts";
import { html, type Markup, trustedMarkup } from "../page/markup.ts";
import type { PageTexts } from "../page/pageLocale.ts";
import { type BarRow, barAxis, barChartSpec } from "./barChart.ts";
import type { ChartSpec } from "./chart.ts";

const BARS_MAX = 35;

/** Cash by day: a bar for each of up to five weeks of days, a calendar of cells for longer runs. */
export function dailyCashChart(days: readonly DayCash[], unit: string, texts: Pick<PageTexts, "t">): ChartSpec {
  const { t } = texts;
  const least = days.reduce((a, b) => (b.amount < a.amount ? b : a));
  const most = days.reduce((a, b) => (a.amount < b.amount ? b : a));
  const range = t("chart.cash_range", {
    least: `${formatFixed(least.amount, 0)} ${unit}`,
    least_day: dateText(dateOf(least.day), texts),
    most: `${formatFixed(most.amount, 0)} ${unit}`,
    most_day: dateText(dateOf(most.day), texts),
  });
  const title = t("chart.cash_by_day");
  const altText = t("chart.cash_alt", { range });
  if (days.length > BARS_MAX)
    return cashCalendar(days, { title, unit, caption: t("chart.cash_caption_calendar", { range }), altText, texts });
  const rows = dayRows(days, texts);
  return barChartSpec({
    id: "daily-cash",
    title,
    caption: t("chart.cash_caption", { range }),
    altText,
    legend: [
      { label: t("chart.received"), colour: "s1" },
      { label: t("chart.paid"), colour: "s2" },
    ],
    axis: barAxis(unit, rows),
    rows,
  });
}

const colourOf = (amount: number): "s1" | "s2" => (amount < 0 ? "s2" : "s1");

const dayRows = (days: readonly DayCash[], texts: Pick<PageTexts, "t">): BarRow[] =>
  days.map(({ day, amount }) => {
    const name = dateText(dateOf(day), texts);
    const text = formatFixed(amount, 0);
    const bar = { from: 0, to: amount, colour: colourOf(amount), label: name, valueText: text };
    return { name, tracks: [{ bars: amount === 0 ? [] : [bar], text }] };
  });

/** Cash of one day. */
interface DayCash {
  /** YYYY-MM-DD */
  readonly day: string;
  readonly amount: number;
}

/** Of YYYY-MM-DD, or of YYYY-MM. */
function dateOf(text: string) {
  const [year, month, day] = text.split("-").map(Number);
  return { year, month, day };
}

interface CalendarOptions {
  readonly title: string;
  readonly unit: string;
  readonly caption: string;
  readonly altText: string;
  readonly texts: Pick<PageTexts, "t">;
}

/** A row per month, a cell per day, whose shade is its amount by a scale below. */
function cashCalendar(days: readonly DayCash[], { title, unit, caption, altText, texts }: CalendarOptions): ChartSpec {
  const scale = scaleOf(days);
  return {
    id: "daily-cash",
    title,
    caption,
    altText,
    legend: [],
    draw: () => html`<div class="calendar" role="img" aria-label="${altText}"><table><thead><tr><th></th>${DAYS.map(
      (day) => html`<th>${day}</th>`,
    )}</tr></thead><tbody>${monthsOf(days).map((month) => monthRow(month, scale, { unit, texts }))}</tbody></table>
<p class="scale">${scale.steps.map((amount) => html`<span>${cell(amount, scale, "")}${formatFixed(amount, 0)}</span>`)} ${unit}</p></div>`,
  };
}

const DAYS = Array.from({ length: 31 }, (_, k) => k + 1);

interface Month {
  readonly year: number;
  readonly month: number;
  readonly amounts: ReadonlyMap<number, number>;
}

function monthsOf(days: readonly DayCash[]): Month[] {
  const months = new Map<string, Map<number, number>>();
  for (const { day, amount } of days) {
    const name = day.slice(0, 7);
    const amounts = months.get(name) ?? new Map<number, number>();
    months.set(name, amounts.set(Number(day.slice(8)), amount));
  }
  return [...months].map(([name, amounts]) => ({ ...dateOf(name), amounts }));
}

const monthRow = (
  { year, month, amounts }: Month,
  scale: Scale,
  { unit, texts }: Pick<CalendarOptions, "unit" | "texts">,
): Markup =>
  html`<tr><th scope="row">${monthText({ year, month }, texts)}</th>${DAYS.map((day) => {
    const amount = amounts.get(day);
    if (amount === undefined) return html`<td></td>`;
    const date = dateText({ year, month, day }, texts);
    return html`<td>${cell(amount, scale, `${date}: ${formatFixed(amount, 0)} ${unit}`)}</td>`;
  })}</tr>`;

interface Scale {
  /** Amount without colour, and the distance from it that has the full colour. */
  readonly origin: number;
  readonly reach: number;
  /** Amounts of the legend, in rising order. */
  readonly steps: readonly number[];
}

const STEPS = 5;

/** Diverging around 0 where amounts have both signs; else from the smallest to the largest amount. */
function scaleOf(days: readonly DayCash[]): Scale {
  const amounts = days.map(({ amount }) => amount);
  const least = Math.min(...amounts);
  const most = Math.max(...amounts);
  const isDiverging = least < 0 && 0 < most;
  const reach = isDiverging ? Math.max(-least, most) : most - least;
  const [first, last] = isDiverging ? [-reach, reach] : [least, most];
  const steps = Array.from({ length: STEPS }, (_, k) => first + ((last - first) * k) / (STEPS - 1));
  const origin = isDiverging ? 0 : most <= 0 ? most : least;
  return { origin, reach: Math.max(reach, Number.MIN_VALUE), steps };
}

/** Palest shade in percent: a day without colour would look like one outside the run. */
const PALEST = 8;

/**
 * Blue above the origin, orange below it: readers with red-green colour blindness can distinguish them, and print keeps
 * the shade.
 */
function cell(amount: number, { origin, reach }: Scale, title: string): Markup {
  const colour = amount < origin || (amount === origin && amount < 0) ? "s2" : "s1";
  const shade = Math.round(PALEST + (100 - PALEST) * Math.min(1, Math.abs(amount - origin) / reach));
  return html`${trustedMarkup(`<i style="--swatch:var(--${colour});--shade:${shade}%"`)}${title !== "" && html` title="${title}"`}${trustedMarkup("></i>")}`;
}
