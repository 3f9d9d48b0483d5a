import { MS_PER_HALF_HOUR } from "../../../../base/time.ts";
import type { FileContent, FileFormat, SeriesTable } from "../../fileFormat.ts";
import { TableBuilder } from "../../tableBuilder.ts";
import { type AmountColumn, checkWidth, HeaderColumns, readAmounts } from "../../text/headerColumns.ts";
import { isBlankRow, TextTable } from "../../text/textTable.ts";
import { intervalLabel, JST } from "../../time/localTime.ts";
import { parseClock, parseDate } from "../../time/parseDate.ts";
import { areaOf, chosenArea } from "../areas.ts";

const DATE = "対象年月日";
const TIME = "時刻";
const AREA = "エリア名";
const MEGAWATTS = { unit: "MW" } as const;
const COLUMNS = [
  { source: "エリア需要(MW)", role: "demand_mw", ...MEGAWATTS },
  { source: "エリア供給力(MW)", role: "supply_mw", ...MEGAWATTS },
  { source: "エリア予備力(MW)", role: "reserve_mw", ...MEGAWATTS },
  { source: "ブロックNo", role: "block", unit: "" },
  { source: "広域ブロック需要(MW)", role: "block_demand_mw", ...MEGAWATTS },
  { source: "広域ブロック供給力(MW)", role: "block_supply_mw", ...MEGAWATTS },
  { source: "広域ブロック予備力(MW)", role: "block_reserve_mw", ...MEGAWATTS },
  { source: "広域予備率(%)", role: "block_reserve_pct", unit: "%" },
  { source: "広域使用率(%)", role: "block_usage_pct", unit: "%" },
] as const;

/** Reserve margins of the areas and of the blocks that share reserve, as OCCTO publishes them. */
export const reserveMargin: FileFormat = {
  id: "occto_reserve",
  title: "OCCTO reserve margins by area and block, 30 min",
  terms: "OCCTO (occto.or.jp). Terms of reuse not verified: bring your own file and do not redistribute it.",
  options: ["area", "label", "encoding"],
  detect: ({ head }) => (/^対象年月日,時刻,ブロックNo,エリア名/m.test(head) ? 1 : 0),
  read: readReserveMargin,
};

function readReserveMargin(file: FileContent): SeriesTable | null {
  const { problems, options } = file;
  const table = TextTable.parse(file.text, problems);
  const start = table?.findHeader([DATE, TIME, AREA]) ?? -1;
  if (table === null || start < 0) {
    if (table !== null) problems.refuse("no header row", `a row with the columns ${DATE}, ${TIME} and ${AREA}`);
    return null;
  }
  const header = new HeaderColumns(table, start);
  const [dateIndex, timeIndex, areaIndex] = [DATE, TIME, AREA].map((name) => header.require(name));
  const columns = COLUMNS.map((column): AmountColumn => ({ ...column, index: header.require(column.source) }));
  if (problems.count > 0) return null;
  const rows = table.rows.slice(start + 1).flatMap((row) => {
    if (isBlankRow(row) || !checkWidth(table, row, header.names.length)) return [];
    const dayMs = parseDate(row.cells[dateIndex]);
    const clockMs = parseClock(row.cells[timeIndex]);
    const area = areaOf(row.cells[areaIndex].trim());
    if (dayMs === null) table.reportCell(row, dateIndex, DATE, "a date such as 2026/04/01");
    if (clockMs === null) table.reportCell(row, timeIndex, TIME, "a time such as 00:30");
    if (area === null) table.reportCell(row, areaIndex, AREA, "an area such as 東京");
    const values = readAmounts(table, row, columns);
    return dayMs === null || clockMs === null || area === null ? [] : [{ row, dayMs, clockMs, area, values }];
  });
  const areas = [...new Set(rows.map(({ area }) => area))];
  const chosen = chosenArea(file, areas) ?? (areas.length === 1 ? areas[0] : null);
  if (chosen === null && options.area === undefined && areas.length > 1)
    problems.refuse(`${areas.length} areas`, `one of ${areas.join(", ")}`, "area");
  const clocksMs = rows.map(({ clockMs }) => clockMs);
  const label = rows.length === 0 ? "start" : intervalLabel({ clocksMs, stepMs: MS_PER_HALF_HOUR }, options, problems);
  if (problems.count > 0) return null;
  const builder = new TableBuilder(columns);
  const shiftMs = label === "end" ? MS_PER_HALF_HOUR : 0;
  for (const { row, dayMs, clockMs, area, values } of rows)
    if (area === chosen) builder.add(JST.instantsOf(dayMs + clockMs - shiftMs)[0], values, row.line);
  builder.notes.push(`times are ${label}s of intervals`);
  return builder.build(problems, MS_PER_HALF_HOUR);
}
