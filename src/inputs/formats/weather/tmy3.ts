import { MS_PER_DAY, MS_PER_HOUR } from "../../../base/time.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, checkWidth, HeaderColumns, readAmounts } from "../text/headerColumns.ts";
import { isBlankRow, TextTable } from "../text/textTable.ts";
import { fixedClock } from "../time/localTime.ts";
import { parseClock, parseDate } from "../time/parseDate.ts";
import { locatedTable, TypicalYear, WEATHER } from "./weatherTables.ts";

const ZONE_CELL = 3;
const DATE = "Date (MM/DD/YYYY)";
const TIME = "Time (HH:MM)";
const MISSING = { decimal: ".", missing: new Set(["-9900", "-9900.0"]) } as const;
const COLUMNS: readonly Omit<AmountColumn, "index">[] = [
  { ...WEATHER.ghi, source: "GHI (W/m^2)" },
  { ...WEATHER.dni, source: "DNI (W/m^2)" },
  { ...WEATHER.dhi, source: "DHI (W/m^2)" },
  { ...WEATHER.temperature, source: "Dry-bulb (C)", instantOffsetMs: MS_PER_HOUR },
  { ...WEATHER.wind, source: "Wspd (m/s)", instantOffsetMs: MS_PER_HOUR },
  { ...WEATHER.humidity, source: "RHum (%)", instantOffsetMs: MS_PER_HOUR },
];

/** Typical years of the NREL national solar radiation data base, version 3. */
export const tmy3: FileFormat = {
  id: "tmy3",
  title: "TMY3 typical year",
  terms:
    "NREL National Solar Radiation Data Base: free with a note of the source; not verified in detail. SolarAnywhere: rights of Clean Power Research.",
  options: ["year", "encoding"],
  detect: ({ head }) => (/^Date\(MM\/DD\/YYYY\),Time\(HH:MM\),/m.test(head) ? 1 : 0),
  read: readTmy3,
};

function readTmy3(file: FileContent): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems);
  const start = table?.findHeader([DATE, TIME]) ?? -1;
  if (table === null || start < 1) {
    if (table !== null) file.problems.refuse("no header row on line 2", `a row with the columns ${DATE} and ${TIME}`);
    return null;
  }
  const zoneHours = Number(table.rows[0].cells[ZONE_CELL]?.trim() || Number.NaN);
  if (!(-12 <= zoneHours && zoneHours <= 14)) {
    table.reportCell(table.rows[0], ZONE_CELL, "zone", "the offset from UTC in hours, from -12 to 14");
    return null;
  }
  const header = new HeaderColumns(table, start);
  const columns = COLUMNS.map((column): AmountColumn => ({ ...column, index: columnIndex(header, column.source) }));
  const [dateIndex, timeIndex] = [header.require(DATE), header.require(TIME)];
  if (file.problems.count > 0) return null;
  const clock = fixedClock(zoneHours * MS_PER_HOUR);
  const builder = new TableBuilder(columns);
  const year = new TypicalYear(file);
  for (const row of table.rows.slice(start + 1)) {
    if (isBlankRow(row) || !checkWidth(table, row, header.names.length)) continue;
    const printed = parseDate(row.cells[dateIndex], "mdy");
    const endMs = parseClock(row.cells[timeIndex]);
    if (endMs === null || endMs % MS_PER_HOUR !== 0)
      table.reportCell(row, timeIndex, TIME, "an hour from 00:00 to 24:00");
    // The hour before 00:00 is the last one of the day before.
    const startMs = (printed ?? Number.NaN) + (endMs ?? MS_PER_HOUR) - MS_PER_HOUR;
    const start = new Date(startMs);
    const dayMs =
      printed === null ? null : year.dayOf(start.getUTCFullYear(), start.getUTCMonth() + 1, start.getUTCDate());
    if (dayMs === null) table.reportCell(row, dateIndex, DATE, "a day of the year as month/day/year");
    const values = readAmounts(table, row, columns, MISSING);
    const timeOfDayMs = startMs - Math.floor(startMs / MS_PER_DAY) * MS_PER_DAY;
    if (dayMs !== null) builder.add(clock.instantsOf(dayMs + timeOfDayMs)[0], values, row.line);
  }
  if (year.note !== null) builder.notes.push(year.note);
  builder.notes.push(
    `UTC${zoneHours < 0 ? "" : "+"}${zoneHours}; times are ends of hours; temperature, wind and humidity are readings then`,
  );
  return locatedTable(
    builder.build(file.problems, MS_PER_HOUR),
    table.rows[0].cells[4] ?? "",
    table.rows[0].cells[5] ?? "",
  );
}

/** SolarAnywhere prints a bracket too many behind one of the names. */
function columnIndex(header: HeaderColumns, name: string): number {
  const misprinted = header.find(`${name})`);
  return misprinted < 0 ? header.require(name) : misprinted;
}
