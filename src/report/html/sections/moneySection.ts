import { type Kpis, kpiValue, type NumericKpiName } from "../../../accounting/kpis/kpiRegistry.ts";
import type { RunRecord } from "../../../accounting/runRecord.ts";
import { roundByLargestRemainder } from "../../../base/roundByLargestRemainder.ts";
import { roundTo } from "../../../base/rounding.ts";
import type { Series } from "../../../engine/series/model/series.ts";
import { renderFigure } from "../charts/chart.ts";
import { priceChart } from "../charts/priceChart.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatFixed, type Scale } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import { moneyScale } from "../page/money.ts";
import type { PageLocale } from "../page/pageLocale.ts";

/** Sign and key figure of each line of the profit. */
const LINES: readonly (readonly [sign: string, name: NumericKpiName])[] = [
  ["+", "capacity_jpy"],
  ["+", "award_energy_jpy"],
  ["−", "penalty_jpy"],
  ["−", "called_energy_cost_jpy"],
  ["−", "own_energy_cost_jpy"],
  ["−", "fees_jpy"],
  ["−", "wear_jpy"],
  ["=", "aggregator_margin_jpy"],
  ["−", "customer_energy_cost_jpy"],
  ["=", "profit_jpy"],
];
/** The lines above the margin, which sum to it. */
const MARGIN_LINES = LINES.slice(
  0,
  LINES.findIndex(([sign]) => sign === "="),
);

/** The ledger of the run, line by line, and the market price; `null` without any price. */
export function moneySection(
  { record, energyPrice }: { readonly record: RunRecord; readonly energyPrice: Series | null },
  locale: PageLocale,
): Section | null {
  const { kpis } = record;
  if (kpiValue(kpis, "profit_jpy") === null) return null;
  const { t } = locale;
  const scale = moneyScale(
    LINES.map(([, name]) => kpiValue(kpis, name) ?? 0),
    locale,
  );
  const printed = printedAmounts(kpis, scale);
  const prices = energyPrice === null ? null : priceChart(energyPrice, record, locale);
  const table = dataTable(t("money.table"), LINES, [
    { title: "", cell: ([sign]) => sign },
    { title: t("money.line"), cell: ([, name]) => t(`kpi.${name}.label`) },
    {
      title: t("settlement.amount"),
      unit: scale.unit,
      align: "right",
      cell: ([, name]) => amountCell(kpiValue(kpis, name), printed.get(name) ?? 0, scale),
    },
    { title: t("head.meaning"), cell: ([, name]) => t(`kpi.${name}.meaning`) },
  ]);
  return {
    id: "money",
    contentsTitle: t("money.title"),
    title: t("money.title"),
    intro: t("money.intro"),
    body: html`${table}${prices !== null && renderFigure(prices)}`,
  };
}

const amountCell = (value: number | null, printed: number, { decimals }: Scale): Markup =>
  value === null
    ? html`<span class="na">–</span>`
    : html`<data value="${roundTo(value, 3)}">${formatFixed(printed, decimals)}</data>`;

/** Amounts in the unit of a table, rounded so that the lines sum to the margin, and margin less customers' energy is the profit. */
function printedAmounts(kpis: Kpis, { factor, decimals }: Scale): ReadonlyMap<NumericKpiName, number> {
  const perUnit = 10 ** decimals;
  const inUnits = (name: NumericKpiName): number => (kpiValue(kpis, name) ?? 0) * factor * perUnit;
  const [margin, profit] = [Math.round(inUnits("aggregator_margin_jpy")), Math.round(inUnits("profit_jpy"))];
  const parts = Float64Array.from(MARGIN_LINES, ([sign, name]) => (sign === "+" ? inUnits(name) : -inUnits(name)));
  roundByLargestRemainder(margin, parts, parts);
  return new Map<NumericKpiName, number>([
    ...MARGIN_LINES.map(([sign, name], k) => [name, (sign === "+" ? parts[k] : -parts[k]) / perUnit] as const),
    ["aggregator_margin_jpy", margin / perUnit],
    ["customer_energy_cost_jpy", (margin - profit) / perUnit],
    ["profit_jpy", profit / perUnit],
  ]);
}
