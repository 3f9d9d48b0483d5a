import { type Kpis, kpiOf, kpiValue, type NumericKpiName } from "../../../accounting/kpis/kpiRegistry.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { numberCell } from "../page/format.ts";

/** Sign and key figure of each line of the profit. */
const LINES: readonly (readonly [sign: string, name: NumericKpiName])[] = [
  ["+", "capacity_jpy"],
  ["+", "award_energy_jpy"],
  ["−", "penalty_jpy"],
  ["−", "energy_cost_jpy"],
  ["=", "profit_jpy"],
];

/** The ledger of the run, line by line; `null` without any price. */
export function moneySection(kpis: Kpis): Section | null {
  if (kpiValue(kpis, "profit_jpy") === null) return null;
  return {
    id: "money",
    contentsTitle: "Money",
    title: "Money",
    intro:
      "One account, in which each kWh has one price once: energy that an award prices is not priced at the market price again. A dash: no such price.",
    body: dataTable("Profit of the run", LINES, [
      { title: "", cell: ([sign]) => sign },
      { title: "Line", cell: ([, name]) => kpiOf(name).label },
      { title: "Amount", unit: "JPY", align: "right", cell: ([, name]) => numberCell(kpiValue(kpis, name), 2) },
      { title: "Meaning", cell: ([, name]) => kpiOf(name).meaning },
    ]),
  };
}
