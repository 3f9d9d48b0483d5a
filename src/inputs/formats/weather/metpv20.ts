import { MS_PER_HOUR } from "../../../base/time.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, readAmounts } from "../text/headerColumns.ts";
import { isBlankRow, TextTable } from "../text/textTable.ts";
import { JST } from "../time/localTime.ts";
import { locatedTable, TypicalYear, WEATHER } from "./weatherTables.ts";

/** 0.01 MJ/m² of an hour as mean W/m²: 10^4 / 3600. */
const HUNDREDTHS_OF_MJ = { exponent: 4, factor: 1, divisor: 3600 };
const TENTHS = { exponent: -1, factor: 1, divisor: 1 };
const HOURS = 24;
/** Element, month, day, year; then the hours, highest, lowest, total, mean and day number. */
const FIRST_HOUR = 4;
const CELLS = FIRST_HOUR + HOURS + 5;
const NOT_APPLICABLE = new Set(["8888"]);

/** Elements by their number. */
const ELEMENTS = new Map<number, Omit<AmountColumn, "index">>([
  [1, { ...WEATHER.ghi, source: "element 1", scale: HUNDREDTHS_OF_MJ }],
  [2, { ...WEATHER.dni, role: "direct_horizontal_w_m2", source: "element 2", scale: HUNDREDTHS_OF_MJ }],
  [3, { ...WEATHER.dhi, source: "element 3", scale: HUNDREDTHS_OF_MJ }],
  [4, { ...WEATHER.sunshine, source: "element 4", scale: TENTHS }],
  [5, { ...WEATHER.temperature, source: "element 5", scale: TENTHS, instantOffsetMs: MS_PER_HOUR }],
  [7, { ...WEATHER.wind, source: "element 7", scale: TENTHS, instantOffsetMs: MS_PER_HOUR }],
]);
const ELEMENT_COUNT = 10;

/** Typical years of Japanese stations: `hm<station>year.csv` of METPV-20. */
export const metpv20: FileFormat = {
  id: "metpv20",
  title: "METPV-20 typical year of a Japanese station (hm<station>year.csv)",
  terms: "NEDO METPV-20. Rights are kept: no redistribution.",
  options: ["year", "encoding"],
  detect: ({ head }) => (/^\d{5},[^,\n]*,\d+,[\d.]+,\d+,[\d.]+,[\d.-]+\n1,1,1,\d{4}/.test(head) ? 1 : 0),
  read: readMetpv,
};

/** One row for each element and day; hour h ends at h. */
function readMetpv(file: FileContent): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems);
  if (table === null) return null;
  const elements = [...ELEMENTS];
  const builder = new TableBuilder(elements.map(([, column]) => column));
  const year = new TypicalYear(file);
  const days = new Map<string, { readonly startMs: number; readonly line: number; readonly hours: number[][] }>();
  for (const row of table.rows.slice(1)) {
    if (isBlankRow(row)) continue;
    if (row.cells.length !== CELLS) {
      table.reportRow(row, `${row.cells.length} cells`, `${CELLS} cells`);
      continue;
    }
    const [element, month, day, sourceYear] = row.cells.slice(0, FIRST_HOUR).map(Number);
    const dayMs = year.dayOf(sourceYear, month, day);
    if (!Number.isInteger(element) || element < 1 || ELEMENT_COUNT < element)
      table.reportCell(row, 0, "element", `an element from 1 to ${ELEMENT_COUNT}`);
    if (dayMs === null) table.reportRow(row, `day ${day} of month ${month}`, "a day of the year");
    const place = elements.findIndex(([number]) => number === element);
    if (place < 0 || dayMs === null) continue;
    const columns = Array.from({ length: HOURS }, (_, h) => ({ ...elements[place][1], index: FIRST_HOUR + h }));
    const key = `${month}-${day}`;
    const known = days.get(key) ?? { startMs: JST.instantsOf(dayMs)[0], line: row.line, hours: [] };
    if (known.hours[place] !== undefined)
      table.reportRow(row, `element ${element} twice on a day`, "each element once a day");
    known.hours[place] = readAmounts(table, row, columns, { decimal: ".", missing: NOT_APPLICABLE });
    days.set(key, known);
  }
  for (const { startMs, line, hours } of days.values()) {
    const absent = elements.filter((_, k) => hours[k] === undefined).map(([number]) => number);
    if (absent.length > 0)
      file.problems.add("element", () => ({
        line,
        column: 1,
        found: `a day without element ${absent.join(", ")}`,
        allowed: "ten elements",
      }));
    for (let h = 0; h < HOURS; h++)
      builder.add(
        startMs + h * MS_PER_HOUR,
        elements.map((_, k) => hours[k]?.[h] ?? Number.NaN),
        line,
      );
  }
  const place = table.rows[0].cells;
  const degrees = (index: number): string => String(Number(place[index]) + Number(place[index + 1]) / 60);
  if (year.note !== null) builder.notes.push(year.note);
  builder.notes.push("hour h ends at h; temperature and wind are readings at the end of the hour");
  return locatedTable(builder.build(file.problems, MS_PER_HOUR), degrees(2), degrees(4));
}
