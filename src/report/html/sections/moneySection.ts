import { kpiValue } from "../../../accounting/kpis/kpiRegistry.ts";
import type { RunRecord } from "../../../accounting/runRecord.ts";
import { roundTo } from "../../../base/rounding.ts";
import type { Series } from "../../../engine/series/model/series.ts";
import { renderFigure } from "../charts/chart.ts";
import { priceChart } from "../charts/priceChart.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatFixed, type Scale } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import { ACCOUNT_LINES, printedAccount } from "./printedAccount.ts";

/** The ledger of the run, line by line, and the market price; `null` without any price. */
export function moneySection(
  { record, energyPrice }: { readonly record: RunRecord; readonly energyPrice: Series | null },
  locale: PageLocale,
): Section | null {
  const { kpis } = record;
  if (kpiValue(kpis, "profit_jpy") === null) return null;
  const { t } = locale;
  const { scale, amounts } = printedAccount(kpis, locale);
  const prices = energyPrice === null ? null : priceChart(energyPrice, record, locale);
  const table = dataTable(t("money.table"), ACCOUNT_LINES, [
    { title: "", cell: ([sign]) => sign },
    { title: t("money.line"), cell: ([, name]) => t(`kpi.${name}.label`) },
    {
      title: t("settlement.amount"),
      unit: scale.unit,
      align: "right",
      cell: ([, name]) => amountCell(kpiValue(kpis, name), amounts.get(name) ?? 0, scale),
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
