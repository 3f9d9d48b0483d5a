import { type KpiName, type Kpis, kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import type { TableBlock } from "../../accounting/recorders/tableBlock.ts";
import { type Currency, moneyName } from "../../base/currency.ts";
import { kpiJson } from "../kpiJson.ts";
import { rowsToBlock } from "./rowsToBlock.ts";

/** Key figures, the first sheet of report.xlsx. */
export const SUMMARY_SHEET = "summary";

/** The column with the values that are no numbers, which the sheet has in the column `value`. */
export const SUMMARY_TEXTS = "value_text";

export function summaryBlock(kpis: Kpis, currency: Currency): TableBlock {
  const values = kpiJson(kpis, currency);
  const nameOf = (name: KpiName): string => moneyName(name, currency);
  return rowsToBlock(
    [...kpis.keys()],
    [
      { name: "name", kind: "text", of: nameOf },
      { name: "value", kind: "thousandths", of: (name) => asNumber(values[nameOf(name)]) },
      { name: SUMMARY_TEXTS, kind: "text", of: (name) => asText(values[nameOf(name)]) },
      { name: "unit", kind: "text", of: (name) => unitOf(name, currency) },
    ],
  );
}

function unitOf(name: KpiName, currency: Currency): string | null {
  const kpi = kpiOf(name);
  if (kpi.kind !== "number") return null;
  return (kpi.unit === "JPY" ? currency : kpi.unit) || null;
}

const asText = (value: unknown): string | null => (typeof value === "string" ? value : null);
const asNumber = (value: unknown): number | null => (typeof value === "number" ? value : null);
