import { type KpiName, type Kpis, kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import type { TableBlock } from "../../accounting/recorders/tableBlock.ts";
import { kpiJson } from "../kpiJson.ts";
import { rowsToBlock } from "./rowsToBlock.ts";

/** Key figures, the first sheet of report.xlsx. */
export const SUMMARY_SHEET = "summary";

/** The column with the values that are no numbers, which the sheet has in the column `value`. */
export const SUMMARY_TEXTS = "value_text";

export function summaryBlock(kpis: Kpis): TableBlock {
  const values = kpiJson(kpis);
  return rowsToBlock(
    [...kpis.keys()],
    [
      { name: "name", kind: "text", of: (name) => name },
      { name: "value", kind: "thousandths", of: (name) => asNumber(values[name]) },
      { name: SUMMARY_TEXTS, kind: "text", of: (name) => (typeof values[name] === "string" ? values[name] : null) },
      { name: "unit", kind: "text", of: (name) => unitOf(name) },
    ],
  );
}

function unitOf(name: KpiName): string | null {
  const kpi = kpiOf(name);
  return (kpi.kind === "number" && kpi.unit) || null;
}

const asNumber = (value: unknown): number | null => (typeof value === "number" ? value : null);
