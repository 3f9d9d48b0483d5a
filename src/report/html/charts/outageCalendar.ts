// A square a day by the hours out of service of all sites, months apart.
import type { OutageSpan } from "../../../accounting/runRecord.ts";
import { largestOf, sumOf } from "../../../base/lists.ts";
import { MS_PER_HOUR } from "../../../base/time.ts";
import { formatFixed } from "../page/format.ts";
import { dateText, type LocalDay, localDays, monthName } from "../page/localDays.ts";
import { html, type Markup, trustedMarkup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import type { ChartSpec } from "./chart.ts";
import { coloursOf, HEAT_COLOURS, quantileBounds, stepLegend, stepOf } from "./heatMap.ts";
import type { TimeSpan } from "./interactiveChart.ts";

/** `null` without an outage. */
export function outageCalendar(
  outages: readonly OutageSpan[],
  { locale, span }: { readonly locale: PageLocale; readonly span: TimeSpan },
): ChartSpec | null {
  if (outages.length === 0) return null;
  const { t } = locale;
  const days = localDays(span, locale);
  const hours = hoursByDay(outages, days);
  const bounds = quantileBounds(hours, HEAT_COLOURS.length, 1);
  const caption = t("months.outages_caption", { hours: formatFixed(sumOf(hours), 0), count: outages.length });
  const months = new Map<string, { readonly day: LocalDay; readonly hours: number }[]>();
  days.forEach((day, k) => {
    const key = `${day.year}-${day.month}`;
    months.set(key, [...(months.get(key) ?? []), { day, hours: hours[k] }]);
  });
  return {
    id: "outages",
    title: t("months.outages"),
    caption,
    altText: caption,
    legend: [
      { label: "0", colour: "h0" },
      ...stepLegend(bounds, HEAT_COLOURS, {
        first: (to) => t("months.step_up_to", { to, unit: "h" }),
        unit: "h",
        format: (value) => formatFixed(value, 1),
        largest: largestOf(hours),
        t,
      }),
    ],
    draw: ({ altText }) =>
      html`<div class="outage-days" role="img" aria-label="${altText}">${[...months.values()].map(
        (month) =>
          html`<div><b>${monthName(month[0].day, locale)}</b><div class="squares">${month.map((cell) => squareMarkup(cell, bounds, locale))}</div></div>`,
      )}</div>`,
  };
}

/** Columns are weeks, rows days of the week from Monday on. */
function squareMarkup(
  { day, hours }: { readonly day: LocalDay; readonly hours: number },
  bounds: readonly number[],
  locale: PageLocale,
): Markup {
  const colour = hours > 0 ? coloursOf(bounds, HEAT_COLOURS)[stepOf(hours, bounds)] : "h0";
  // Of the first of the month, 0: Monday.
  const firstWeekday = (((day.weekday - day.day) % 7) + 7) % 7;
  const week = Math.floor((day.day - 1 + firstWeekday) / 7) + 1;
  return html`<i ${trustedMarkup(`class="${colour}" style="grid-area:${day.weekday}/${week}"`)} title="${dateText(day, locale)}\n${formatFixed(hours, 1)}\u00a0h"></i>`;
}

/** Hours out of service of all sites together on each day. */
function hoursByDay(outages: readonly OutageSpan[], days: readonly LocalDay[]): number[] {
  const hours = days.map(() => 0);
  for (const { startMs, endMs } of outages) {
    let k = firstDayAfter(days, startMs);
    for (; k < days.length && days[k].startMs < endMs; k++)
      hours[k] += Math.max(0, Math.min(endMs, days[k].endMs) - Math.max(startMs, days[k].startMs)) / MS_PER_HOUR;
  }
  return hours;
}

function firstDayAfter(days: readonly LocalDay[], atMs: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle].endMs <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
