import { MS_PER_HOUR } from "../../../../base/time.ts";
import type { FileContent, FileFormat, SeriesTable } from "../../fileFormat.ts";
import { TableBuilder } from "../../tableBuilder.ts";
import { type AmountColumn, checkWidth, HeaderColumns, readAmounts } from "../../text/headerColumns.ts";
import { isBlankRow, TextTable } from "../../text/textTable.ts";
import { JST } from "../../time/localTime.ts";
import { parseClock, parseDate } from "../../time/parseDate.ts";

/** Printed in 万kW, tens of MW. */
const TENS_OF_MW = { exponent: 1, factor: 1, divisor: 1 };
const COLUMNS = [
  { source: "当日実績(万kW)", role: "demand_mw", unit: "MW", scale: TENS_OF_MW, minimum: 0 },
  { source: "予測値(万kW)", role: "forecast_mw", unit: "MW", scale: TENS_OF_MW, minimum: 0 },
  { source: "使用率(%)", role: "usage_pct", unit: "%", minimum: 0, maximum: 200 },
  { source: "供給力(万kW)", role: "supply_mw", unit: "MW", scale: TENS_OF_MW, minimum: 0 },
] as const;

/** Hourly table of the electricity forecast of a grid operator: `YYYYMMDD_power_usage.csv`. */
export const powerUsage: FileFormat = {
  id: "power_usage",
  title: "Electricity forecast of an area, hourly table (YYYYMMDD_power_usage.csv)",
  terms: "Grid operator of the area. Terms of reuse not verified: do not redistribute.",
  options: ["encoding"],
  detect: ({ head }) => (/^DATE,TIME,当日実績\(万kW\),予測値/m.test(head) ? 1 : 0),
  read: readPowerUsage,
};

/** Several tables precede the hourly one and a table of five minutes follows it, each after an empty line. */
function readPowerUsage(file: FileContent): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems);
  const start = table?.findHeader(["DATE", "TIME", "当日実績(万kW)"]) ?? -1;
  if (table === null || start < 0) {
    if (table !== null) file.problems.refuse("no hourly table", "a row with the columns DATE, TIME and 当日実績(万kW)");
    return null;
  }
  const header = new HeaderColumns(table, start);
  const columns = COLUMNS.map((column): AmountColumn => ({ ...column, index: header.find(column.source) })).filter(
    ({ index }) => index >= 0,
  );
  const builder = new TableBuilder(columns);
  for (const row of table.rows.slice(start + 1)) {
    if (isBlankRow(row)) break;
    if (!checkWidth(table, row, header.names.length)) continue;
    const dayMs = parseDate(row.cells[0]);
    const clockMs = parseClock(row.cells[1]);
    if (dayMs === null) table.reportCell(row, 0, "DATE", "a date such as 2026/4/1");
    if (clockMs === null || clockMs % MS_PER_HOUR !== 0) table.reportCell(row, 1, "TIME", "a whole hour such as 9:00");
    const values = readAmounts(table, row, columns);
    // Future hours have an actual demand of 0.
    const known = values.map((value, k) => (columns[k].role === "demand_mw" && value === 0 ? Number.NaN : value));
    if (dayMs !== null && clockMs !== null) builder.add(JST.instantsOf(dayMs + clockMs)[0], known, row.line);
  }
  return builder.build(file.problems, MS_PER_HOUR);
}
