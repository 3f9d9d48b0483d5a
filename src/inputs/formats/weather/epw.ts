import { MS_PER_HOUR } from "../../../base/time.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, checkWidth, readAmounts } from "../text/headerColumns.ts";
import { isBlankRow, TextTable } from "../text/textTable.ts";
import { fixedClock } from "../time/localTime.ts";
import { locatedTable, TypicalYear, WEATHER } from "./weatherTables.ts";

const HEADER_LINES = 8;
const FIELDS_MIN = 22;
const ZONE_FIELD = 8;

/** Fields by position, with the values that mean a missing one. */
const COLUMNS: readonly (AmountColumn & { readonly missing: number })[] = [
  { ...WEATHER.ghi, index: 13, source: "field 14", missing: 9999, maximum: 9999 },
  { ...WEATHER.dni, index: 14, source: "field 15", missing: 9999, maximum: 9999 },
  { ...WEATHER.dhi, index: 15, source: "field 16", missing: 9999, maximum: 9999 },
  { ...WEATHER.temperature, index: 6, source: "field 7", missing: 99.9, maximum: 99.9, instantOffsetMs: MS_PER_HOUR },
  { ...WEATHER.wind, index: 21, source: "field 22", missing: 999, maximum: 999, instantOffsetMs: MS_PER_HOUR },
  { ...WEATHER.humidity, index: 8, source: "field 9", missing: 999, maximum: 999, instantOffsetMs: MS_PER_HOUR },
];

/** EnergyPlus weather files. */
export const epw: FileFormat = {
  id: "epw",
  title: "EnergyPlus weather file (.epw)",
  terms: "As the file's own source says (line 1, field 6); IWEC files of ASHRAE are not for redistribution.",
  options: ["year", "encoding"],
  detect: ({ head }) => (/^LOCATION,/.test(head) && head.includes("DATAPERIODS") ? 1 : 0),
  read: readEpw,
};

function readEpw(file: FileContent): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems);
  if (table === null) return null;
  const [location] = table.rows;
  const zoneHours = Number(location.cells[ZONE_FIELD]?.trim() || Number.NaN);
  if (!(-12 <= zoneHours && zoneHours <= 14)) {
    table.reportCell(location, ZONE_FIELD, "zone", "the offset from UTC in hours, from -12 to 14");
    return null;
  }
  const periods = table.rows.slice(0, HEADER_LINES).find(({ cells }) => cells[0].trim() === "DATA PERIODS");
  if (periods === undefined || Number(periods.cells[2]) !== 1) {
    table.reportRow(
      periods ?? location,
      "no DATA PERIODS of one record an hour",
      "DATA PERIODS,1,1,… in the first 8 lines",
    );
    return null;
  }
  const clock = fixedClock(zoneHours * MS_PER_HOUR);
  const builder = new TableBuilder(COLUMNS);
  const year = new TypicalYear(file);
  const rows = table.rows.slice(HEADER_LINES).filter((row) => !isBlankRow(row));
  const width = Math.max(FIELDS_MIN, rows[0]?.cells.length ?? 0);
  for (const row of rows) {
    if (!checkWidth(table, row, width)) continue;
    const [sourceYear, month, day, hour] = row.cells.map(Number);
    const dayMs = year.dayOf(sourceYear, month, day);
    if (dayMs === null) table.reportRow(row, `day ${row.cells.slice(0, 3).join("-")}`, "a day of the year");
    if (!(Number.isInteger(hour) && 1 <= hour && hour <= 24)) table.reportCell(row, 3, "hour", "an hour from 1 to 24");
    const values = readAmounts(table, row, COLUMNS).map((value, k) =>
      value >= COLUMNS[k].missing ? Number.NaN : value,
    );
    if (dayMs !== null) builder.add(clock.instantsOf(dayMs + (hour - 1) * MS_PER_HOUR)[0], values, row.line);
  }
  if (year.note !== null) builder.notes.push(year.note);
  builder.notes.push(
    `UTC${zoneHours < 0 ? "" : "+"}${zoneHours}; hour h ends at h; temperature, wind and humidity are readings at its end`,
  );
  return locatedTable(builder.build(file.problems, MS_PER_HOUR), location.cells[6] ?? "", location.cells[7] ?? "");
}
