import { printedUnit } from "../../accounting/kpis/kpi.ts";
import { type KpiName, type Kpis, kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import type { TableBlock } from "../../accounting/recorders/tableBlock.ts";
import { type Currency, moneyName } from "../../base/currency.ts";
import { rowsToBlock } from "./rowsToBlock.ts";

/** Key figures, the first sheet of report.xlsx. */
export const SUMMARY_SHEET = "summary";

/** How the columns of values that are no numbers begin; the sheet has these in the column `value`. */
export const SUMMARY_OTHERS = "value_";

export function summaryBlock(kpis: Kpis, currency: Currency): TableBlock {
  const numberOf = (name: KpiName): number | null => {
    const value = kpis.get(name);
    return typeof value === "number" ? value : null;
  };
  const isInstant = (name: KpiName): boolean => kpiOf(name).kind === "instant";
  return rowsToBlock(
    [...kpis.keys()],
    [
      { name: "name", kind: "text", of: (name) => moneyName(name, currency) },
      { name: "value", kind: "thousandths", of: (name) => (isInstant(name) ? null : numberOf(name)) },
      { name: `${SUMMARY_OTHERS}text`, kind: "text", of: (name) => textOf(kpis.get(name)) },
      {
        name: `${SUMMARY_OTHERS}at`,
        kind: "optional instant",
        of: (name) => (isInstant(name) ? numberOf(name) : null),
      },
      { name: "unit", kind: "text", of: (name) => unitOf(name, currency) },
    ],
  );
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

function unitOf(name: KpiName, currency: Currency): string | null {
  const kpi = kpiOf(name);
  return kpi.kind === "number" ? printedUnit(kpi, currency) || null : null;
}
