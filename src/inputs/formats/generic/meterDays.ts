import { MS_PER_HALF_HOUR } from "../../../base/time.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { checkWidth, HeaderColumns, readAmounts } from "../text/headerColumns.ts";
import { normaliseName } from "../text/normaliseText.ts";
import { detectDelimiter, isBlankRow, TextTable } from "../text/textTable.ts";
import { DEFAULT_TIMEZONE, zoneClock } from "../time/localTime.ts";
import { parseClockRange, parseDate } from "../time/parseDate.ts";
import { conversionOf, meanPowerScale, UNIT_NAMES } from "./units.ts";

const ROLE = "power_kw";
const SLOTS = 48;
const UNIT_NAMES_OF_PREAMBLE = ["単位", "unit"];

/** Meter values of a customer portal: a row for each day, a column for each half hour. */
export const meterDays: FileFormat = {
  id: "meter_days",
  title: "Half-hourly meter values, one row a day and 48 columns (customer portals)",
  terms: "Private data of the consumer. Never publish a supply-point number.",
  options: ["timezone", "units", "encoding", "delimiter"],
  detect: ({ head }) => (/(^|\n)[^,\n日]*日[^,\n]*[,\t]0?0:00~0?0:30[,\t]0?0:30~0?1:00/.test(head) ? 1 : 0),
  read: readMeterDays,
};

function readMeterDays(file: FileContent): SeriesTable | null {
  const { problems, options } = file;
  const table = TextTable.parse(file.text, problems, options.delimiter ?? detectDelimiter(file.text));
  if (table === null) return null;
  const start = table.rows.findIndex(({ cells }) => cells.filter((cell) => parseClockRange(cell) !== null).length >= 2);
  const clock = zoneClock(options.timezone ?? options.fallback_timezone ?? DEFAULT_TIMEZONE);
  if (start < 0 || clock === null) {
    problems.refuse("no header row of half hours", "a row with a date column and 0:00～0:30 to 23:30～24:00");
    return null;
  }
  const header = new HeaderColumns(table, start);
  const slots = header.row.cells.flatMap((cell, index) => {
    const range = parseClockRange(cell);
    return range === null ? [] : [{ index, startMs: range.startMs, lengthMs: range.endMs - range.startMs }];
  });
  const isWhole =
    slots.length === SLOTS &&
    slots.every(({ startMs, lengthMs }, k) => startMs === k * MS_PER_HALF_HOUR && lengthMs === MS_PER_HALF_HOUR);
  if (!isWhole)
    table.reportRow(
      header.row,
      `${slots.length} half hours`,
      `${SLOTS} half hours in order from 0:00～0:30 to 23:30～24:00`,
    );
  const unit = options.units?.[ROLE] ?? preambleUnit(table, start);
  const conversion = unit === null ? null : conversionOf(unit);
  if (conversion === null) {
    const found = unit === null ? "no unit in the file" : JSON.stringify(unit);
    problems.refuse(found, `the option units: {${ROLE}: kWh}, with one of ${UNIT_NAMES.join(", ")}`, "units");
  }
  if (conversion === null || problems.count > 0) return null;
  const builder = new TableBuilder([{ role: ROLE, unit: conversion.unit, source: `0:00～0:30 … [${unit}]` }]);
  const width = slots[SLOTS - 1].index + 1;
  for (const row of table.rows.slice(start + 1)) {
    if (isBlankRow(row) || !checkWidth(table, row, width)) continue;
    const dayMs = parseDate(row.cells[slots[0].index - 1] ?? "");
    const columns = slots.map(({ index }) => ({
      unit: conversion.unit,
      scale: conversion.isEnergy ? meanPowerScale(conversion.scale, MS_PER_HALF_HOUR) : conversion.scale,
      index,
      role: ROLE,
      source: header.row.cells[index],
      minimum: 0,
    }));
    const values = readAmounts(table, row, columns);
    if (dayMs === null) table.reportCell(row, Math.max(0, slots[0].index - 1), "date", "a date such as 2026/04/01");
    else
      slots.forEach(({ startMs }, k) => {
        const [atMs] = clock.instantsOf(dayMs + startMs);
        if (atMs !== undefined) builder.add(atMs, [values[k]], row.line);
      });
  }
  builder.notes.push(`unit ${unit}; values become mean kW of the half hour`);
  return builder.build(problems, MS_PER_HALF_HOUR);
}

/** The unit of a line such as 単位,kWh before the header. */
function preambleUnit(table: TextTable, headerRow: number): string | null {
  const line = table.rows
    .slice(0, headerRow)
    .find(({ cells }) => UNIT_NAMES_OF_PREAMBLE.includes(normaliseName(cells[0]).toLowerCase()));
  return line?.cells[1] === undefined ? null : normaliseName(line.cells[1]);
}
