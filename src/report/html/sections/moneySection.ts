import { type Kpis, kpiValue, type NumericKpiName } from "../../../accounting/kpis/kpiRegistry.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { numberCell } from "../page/format.ts";
import type { PageTexts } from "../page/pageLocale.ts";

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

/** The ledger of the run, line by line; `null` without any price. */
export function moneySection(kpis: Kpis, { t }: PageTexts): Section | null {
  if (kpiValue(kpis, "profit_jpy") === null) return null;
  return {
    id: "money",
    contentsTitle: t("money.title"),
    title: t("money.title"),
    intro: t("money.intro"),
    body: dataTable(t("money.table"), LINES, [
      { title: "", cell: ([sign]) => sign },
      { title: t("money.line"), cell: ([, name]) => t(`kpi.${name}.label`) },
      {
        title: t("settlement.amount"),
        unit: "JPY",
        align: "right",
        cell: ([, name]) => numberCell(kpiValue(kpis, name), 2),
      },
      { title: t("head.meaning"), cell: ([, name]) => t(`kpi.${name}.meaning`) },
    ]),
  };
}
