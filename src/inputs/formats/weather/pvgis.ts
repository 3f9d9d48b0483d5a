import { type EpochMs, MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { quoteCell } from "../formatProblem.ts";
import { type ColumnSpec, TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, checkWidth, readAmounts } from "../text/headerColumns.ts";
import { TextTable } from "../text/textTable.ts";
import { parseDate } from "../time/parseDate.ts";
import { locatedTable, TypicalYear, WEATHER } from "./weatherTables.ts";

/** Columns by their published name; those of radiation are sampled at the time of the satellite image. */
const COLUMNS: Readonly<
  Record<string, Omit<ColumnSpec, "source"> & { readonly minimum?: number; readonly maximum?: number }>
> = {
  "G(h)": WEATHER.ghi,
  "Gb(n)": WEATHER.dni,
  "Gd(h)": WEATHER.dhi,
  "G(i)": { role: "poa_global_w_m2", unit: "W/m2" },
  "Gb(i)": { role: "poa_direct_w_m2", unit: "W/m2" },
  "Gd(i)": { role: "poa_diffuse_w_m2", unit: "W/m2" },
  "Gr(i)": { role: "poa_ground_w_m2", unit: "W/m2" },
  P: { role: "pv_power_w", unit: "W", minimum: 0 },
  H_sun: { role: "sun_elevation_deg", unit: "°" },
  T2m: WEATHER.temperature,
  WS10m: WEATHER.wind,
  RH: WEATHER.humidity,
};
const IS_RADIATION = /^G/;
const OFFSET_LINE = /^Irradiance Time Offset \(h\):\s*(-?[\d.]+)/m;

/** Hourly series and typical years of PVGIS, as CSV and JSON; times are UTC. */
export const pvgis: FileFormat = {
  id: "pvgis",
  title: "PVGIS hourly series and typical year (CSV, JSON)",
  terms: "PVGIS (c) European Union. Free with this note of the source.",
  options: ["year", "encoding"],
  detect: ({ head, text }) =>
    /^Latitude\(decimaldegrees\):/.test(head) || (/^\s*\{"inputs"/.test(text) && /"(tmy_)?hourly"/.test(text)) ? 1 : 0,
  read: (file) => (file.text.trimStart().startsWith("{") ? readJson(file) : readCsv(file)),
};

const specOf = (source: string, radiationOffsetMs: number) => {
  const instantOffsetMs = IS_RADIATION.test(source) ? radiationOffsetMs : 0;
  return { ...COLUMNS[source], source, instantOffsetMs };
};

function readCsv(file: FileContent): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems);
  if (table === null) return null;
  const start = table.rows.findIndex(({ cells }) => /^time(\(UTC\))?$/.test(cells[0].trim()) && cells.length > 1);
  if (start < 0) {
    file.problems.refuse("no header row", "a row that begins with time or time(UTC)");
    return null;
  }
  const offsetMs = Math.round(Number(OFFSET_LINE.exec(file.text)?.[1] ?? 0) * MS_PER_HOUR);
  const header = table.rows[start].cells.map((cell) => cell.trim());
  const columns = header.flatMap((name, index): AmountColumn[] =>
    Object.hasOwn(COLUMNS, name) ? [{ ...specOf(name, offsetMs), index }] : [],
  );
  const builder = new TableBuilder(columns);
  const layout = new PvgisTimes(file, { isTypicalYear: header[0] === "time(UTC)" });
  for (const row of table.rows.slice(start + 1)) {
    // The legend follows after an empty line.
    if (row.cells.every((cell) => cell.trim() === "")) break;
    if (!checkWidth(table, row, header.length)) continue;
    const atMs = layout.instantOf(row.cells[0]);
    if (atMs === null) table.reportCell(row, 0, header[0], "a UTC time such as 20160101:0010");
    const values = readAmounts(table, row, columns);
    if (atMs !== null) builder.add(atMs, values, row.line);
  }
  builder.notes.push(...layout.notes(offsetMs));
  const metadata = (name: string): string =>
    new RegExp(`^${name} \\(decimal degrees\\):\\s*(\\S+)`, "m").exec(file.text)?.[1] ?? "";
  return locatedTable(builder.build(file.problems), metadata("Latitude"), metadata("Longitude"));
}

function readJson(file: FileContent): SeriesTable | null {
  const rows = jsonRows(file);
  if (rows === null) return null;
  const { list, isTypicalYear } = rows;
  const timeKey = isTypicalYear ? "time(UTC)" : "time";
  const names = Object.keys(list[0] ?? {}).filter((name) => Object.hasOwn(COLUMNS, name));
  const builder = new TableBuilder(names.map((name) => specOf(name, rows.offsetMs)));
  const layout = new PvgisTimes(file, rows);
  list.forEach((row, k) => {
    const atMs = layout.instantOf(String(row[timeKey] ?? ""));
    const report = (key: string, allowed: string) =>
      file.problems.add(key, () => ({
        line: 1,
        column: 1,
        found: `${quoteCell(String(row[key]))} in row ${k + 1}`,
        allowed,
      }));
    if (atMs === null) report(timeKey, "a UTC time such as 20160101:0010");
    const values = names.map((name) => {
      const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = COLUMNS[name];
      const value = row[name];
      if (typeof value === "number" && minimum <= value && value <= maximum) return value + 0;
      report(name, `a number in ${COLUMNS[name].unit}`);
      return Number.NaN;
    });
    if (atMs !== null) builder.add(atMs, values, 1);
  });
  builder.notes.push(...layout.notes(rows.offsetMs));
  return builder.build(file.problems);
}

interface JsonRows {
  readonly list: readonly Readonly<Record<string, unknown>>[];
  readonly isTypicalYear: boolean;
  readonly offsetMs: number;
}

/** `null` after reporting text that is no such JSON. */
function jsonRows({ text, problems }: FileContent): JsonRows | null {
  const allowed = "PVGIS JSON with outputs.hourly or outputs.tmy_hourly";
  try {
    const { outputs, inputs } = JSON.parse(text);
    const list = outputs?.tmy_hourly ?? outputs?.hourly;
    const isList = Array.isArray(list) && list.every((row) => row !== null && typeof row === "object");
    if (!isList) problems.refuse("no list of hours", allowed);
    const offset = Number(inputs?.location?.irradiance_time_offset ?? 0);
    const offsetMs = Number.isFinite(offset) ? Math.round(offset * MS_PER_HOUR) : 0;
    return isList ? { list, isTypicalYear: outputs?.tmy_hourly !== undefined, offsetMs } : null;
  } catch (error) {
    problems.refuse(error instanceof Error ? error.message : String(error), allowed);
    return null;
  }
}

/** Times of a file; a typical year is laid out in one year. */
class PvgisTimes {
  private readonly year: TypicalYear | null;

  constructor(file: FileContent, { isTypicalYear }: Pick<JsonRows, "isTypicalYear">) {
    this.year = isTypicalYear ? new TypicalYear(file) : null;
    if (!isTypicalYear && file.options.year !== undefined)
      file.problems.refuse("an option for typical years", "no year: the series has its own", "year");
  }

  instantOf(cell: string): EpochMs | null {
    const match = /^(\d{8}):(\d{2})(\d{2})$/.exec(cell.trim());
    const printed = match === null ? null : parseDate(match[1]);
    if (match === null || printed === null || Number(match[2]) > 23 || Number(match[3]) > 59) return null;
    const date = new Date(printed);
    const dayMs =
      this.year === null ? printed : this.year.dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
    return dayMs === null ? null : dayMs + Number(match[2]) * MS_PER_HOUR + Number(match[3]) * MS_PER_MINUTE;
  }

  notes(offsetMs: number): string[] {
    const layout = this.year?.note ?? null;
    const offset = offsetMs === 0 ? null : `radiation is sampled ${offsetMs / 1000} s after the printed time`;
    return ["times are UTC; values are readings", layout, offset].filter((note) => note !== null);
  }
}
