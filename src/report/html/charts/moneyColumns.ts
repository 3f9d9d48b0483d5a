// Money by month or day: that of awards, or what was bought and sold.

import type { RunRecord } from "../../../accounting/runRecord.ts";
import { largestOf } from "../../../base/lists.ts";
import { formatFixed, formatInUnit, type Scale } from "../page/format.ts";
import { groupDays, type LocalDay } from "../page/localDays.ts";
import { moneyScale } from "../page/money.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import type { ChartSpec } from "./chart.ts";
import { type ColumnChart, columnChartSpec } from "./columnChart.ts";
import { type HourSums, sumOfDays } from "./hourSums.ts";

/** A column of a chart over time. */
export interface ColumnPeriod {
  readonly label: string;
  readonly fullLabel: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Months of over 62 days, else days. */
export function columnPeriods(days: readonly LocalDay[], locale: PageLocale): ColumnPeriod[] {
  return groupDays(days, locale).map(({ label, fullLabel, days: members }) => {
    const { startMs } = members[0];
    return { label, fullLabel, startMs, endMs: members[members.length - 1].endMs };
  });
}

interface Columns {
  readonly by: "month" | "day";
  readonly periods: readonly ColumnPeriod[];
  readonly locale: PageLocale;
}

/** Revenue, penalty and energy of awards, and their margin; `null` where no award has money. */
export function awardMoneyColumns({ awards }: RunRecord, sums: HourSums, columns: Columns): ChartSpec | null {
  const { by, periods, locale } = columns;
  const { t } = locale;
  const amounts = { revenue: periods.map(() => 0), energy: periods.map(() => 0) };
  let hasMoney = false;
  for (const { startMs, revenueJpy, penaltyJpy, energyCostJpy } of awards) {
    if (revenueJpy === null && penaltyJpy === null && energyCostJpy === null) continue;
    hasMoney = true;
    const k = Math.max(
      0,
      periods.findLastIndex((period) => period.startMs <= startMs),
    );
    amounts.revenue[k] += revenueJpy ?? 0;
    amounts.energy[k] -= energyCostJpy ?? 0;
  }
  if (!hasMoney) return null;
  const penalty = periods.map((period) => -sumOfDays(sums.penaltyJpy, sums.hours, period));
  const margin = amounts.revenue.map((jpy, k) => jpy + penalty[k] + amounts.energy[k]);
  const scale = moneyScale([...amounts.revenue, ...penalty, ...amounts.energy, ...margin], locale);
  const lowest = margin.indexOf(margin.reduce((a, b) => Math.min(a, b)));
  const values = { period: periods[lowest].fullLabel, amount: formatInUnit(margin[lowest], scale) };
  return moneyColumns(periods, scale, {
    id: "money-columns",
    title: t(`months.money_by_${by}`),
    caption: t("months.money_caption", { largest: t("months.lowest", values) }),
    series: [
      { label: t("months.revenue"), colour: "h4", values: amounts.revenue },
      { label: t("months.penalty"), colour: "h3", shape: "hatch", values: penalty },
      { label: t("months.energy_moved"), colour: "b2", values: amounts.energy },
      { label: t("months.margin"), colour: "ink", shape: "line", values: margin },
    ],
  });
}

/** What all sites bought and sold at the market price, and the difference; `null` without a price. */
export function tradedColumns({ traded }: RunRecord, { by, periods, locale }: Columns): ChartSpec | null {
  if (traded === null) return null;
  const { t } = locale;
  const valuesOf = (values: Float64Array, sign: 1 | -1) =>
    periods.map((period) => sign * sumOfDays(values, traded.hours, period));
  const [sold, bought] = [valuesOf(traded.exportJpy, 1), valuesOf(traded.importJpy, -1)];
  const difference = sold.map((jpy, k) => jpy + bought[k]);
  const scale = moneyScale([...sold, ...bought], locale);
  const most = largestOf(difference);
  const values = { period: periods[difference.indexOf(most)].fullLabel, amount: formatInUnit(most, scale) };
  return moneyColumns(periods, scale, {
    id: "traded-columns",
    title: t(`months.traded_by_${by}`),
    caption: t("months.traded_caption", { largest: t("months.largest", values) }),
    series: [
      { label: t("months.sold"), colour: "h4", values: sold },
      { label: t("months.bought"), colour: "b2", values: bought },
      { label: t("months.difference"), colour: "ink", shape: "line", values: difference },
    ],
  });
}

/** Series in JPY, in the unit of the scale. */
export const moneyColumns = (
  columns: readonly ColumnPeriod[],
  { unit, factor, decimals }: Scale,
  { id, title, caption, series }: Pick<ColumnChart, "id" | "title" | "caption" | "series">,
): ChartSpec =>
  columnChartSpec({
    id,
    title,
    caption,
    altText: `${title}. ${caption}`,
    unit,
    columns,
    series: series.map((each) => ({ ...each, values: each.values.map((jpy) => jpy * factor) })),
    format: (value) => formatFixed(value, decimals),
  });
