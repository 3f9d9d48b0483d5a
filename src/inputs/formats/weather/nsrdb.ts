import { MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, checkWidth, HeaderColumns, readAmounts } from "../text/headerColumns.ts";
import { isBlankRow, TextTable } from "../text/textTable.ts";
import { fixedClock } from "../time/localTime.ts";
import { dayOf } from "../time/parseDate.ts";
import { locatedTable, WEATHER } from "./weatherTables.ts";

const TIME_COLUMNS = ["Year", "Month", "Day", "Hour", "Minute"] as const;
const COLUMNS: readonly Omit<AmountColumn, "index">[] = [
  { ...WEATHER.ghi, source: "GHI" },
  { ...WEATHER.dni, source: "DNI" },
  { ...WEATHER.dhi, source: "DHI" },
  { ...WEATHER.temperature, source: "Temperature" },
  { ...WEATHER.wind, source: "Wind Speed" },
  { ...WEATHER.humidity, source: "Relative Humidity" },
];

/** Downloads of the NSRDB (PSM v3 and v4): two lines of metadata, columns in any order, instantaneous values. */
export const nsrdb: FileFormat = {
  id: "nsrdb",
  title: "NSRDB download (PSM v3, PSM v4)",
  terms: "NREL National Solar Radiation Database. Free with a note of the source; not verified in detail.",
  options: ["encoding"],
  detect: ({ head }) => (/^Source,LocationID,/.test(head) && head.includes("Year,Month,Day,Hour,Minute") ? 1 : 0),
  read: readNsrdb,
};

function readNsrdb(file: FileContent): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems);
  const start = table?.findHeader(TIME_COLUMNS) ?? -1;
  if (table === null || start < 2) {
    if (table !== null)
      file.problems.refuse("no header row on line 3", `a row with the columns ${TIME_COLUMNS.join(", ")}`);
    return null;
  }
  const zoneIndex = new HeaderColumns(table, 0).require("Time Zone");
  const zoneHours = Number(table.rows[1].cells[zoneIndex]?.trim() || Number.NaN);
  if (!(-12 <= zoneHours && zoneHours <= 14)) {
    table.reportCell(
      table.rows[1],
      Math.max(0, zoneIndex),
      "Time Zone",
      "the offset from UTC in hours, from -12 to 14",
    );
    return null;
  }
  const header = new HeaderColumns(table, start);
  const timeIndexes = TIME_COLUMNS.map((name) => header.require(name));
  const columns = COLUMNS.map((column): AmountColumn => {
    return { ...column, index: header.find(column.source), instantOffsetMs: 0 };
  }).filter(({ index }) => index >= 0);
  if (file.problems.count > 0) return null;
  const clock = fixedClock(zoneHours * MS_PER_HOUR);
  const builder = new TableBuilder(columns);
  const width = header.names.findLastIndex((name) => name !== "") + 1;
  for (const row of table.rows.slice(start + 1)) {
    if (isBlankRow(row) || !checkWidth(table, row, width)) continue;
    const parts = timeIndexes.map((index) => row.cells[index].trim());
    const [year, month, day, hour, minute] = parts.map(Number);
    const dayMs =
      parts.every((part) => /^\d+$/.test(part)) && hour < 24 && minute < 60 ? dayOf(year, month, day) : null;
    const values = readAmounts(table, row, columns);
    if (dayMs === null)
      table.reportCell(row, timeIndexes[0], "Year", "a date and time in Year, Month, Day, Hour, Minute");
    else builder.add(clock.instantsOf(dayMs + hour * MS_PER_HOUR + minute * MS_PER_MINUTE)[0], values, row.line);
  }
  const metadata = (name: string): string => table.rows[1].cells[table.rows[0].cells.indexOf(name)] ?? "";
  builder.notes.push(`UTC${zoneHours < 0 ? "" : "+"}${zoneHours}; values are readings at their times`);
  return locatedTable(builder.build(file.problems), metadata("Latitude"), metadata("Longitude"));
}
