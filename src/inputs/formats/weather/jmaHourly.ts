import { ownValue } from "../../../base/ownValue.ts";
import { MS_PER_HOUR } from "../../../base/time.ts";
import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { quoteCell } from "../formatProblem.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, checkWidth, readAmounts } from "../text/headerColumns.ts";
import { normaliseName } from "../text/normaliseText.ts";
import { isBlankRow, TextTable } from "../text/textTable.ts";
import { JST } from "../time/localTime.ts";
import { dayOf, parseStamp } from "../time/parseDate.ts";
import { MJ_PER_HOUR, WEATHER } from "./weatherTables.ts";

/** Elements by normalised header; sums and means of the hour, or readings at its end. */
const ELEMENTS: Readonly<Record<string, Omit<AmountColumn, "index" | "source">>> = {
  "日射量(MJ/m2)": { ...WEATHER.ghi, scale: MJ_PER_HOUR },
  "気温(°C)": { ...WEATHER.temperature, instantOffsetMs: MS_PER_HOUR },
  "風速(m/s)": { ...WEATHER.wind, instantOffsetMs: MS_PER_HOUR },
  "相対湿度(%)": { ...WEATHER.humidity, instantOffsetMs: MS_PER_HOUR },
  "日照時間(時間)": WEATHER.sunshine,
  "降水量(mm)": WEATHER.rain,
};
const QUALITY = "品質情報";
const NO_PHENOMENON = "現象なし情報";
/** 8: good, 5: nearly complete; others are doubtful, incomplete or missing. */
const ACCEPTED_QUALITY: ReadonlySet<string> = new Set(["8", "5"]);

/** A value with the flags beside it; −1 where the file has no such column. */
interface ElementColumn extends AmountColumn {
  readonly quality: number;
  readonly noPhenomenon: number;
}

/** Hourly observations of the Japan Meteorological Agency: the download page's `data.csv`. */
export const jmaHourly: FileFormat = {
  id: "jma_hourly",
  title: "JMA past weather, hourly (data.csv of the download page)",
  terms: "Japan Meteorological Agency (jma.go.jp). Free with a note of the source; not verified in detail.",
  options: ["area", "encoding"],
  detect: ({ head }) =>
    head.startsWith("ダウンロードした時刻") ? 1 : /^年月日時?,/m.test(head) && head.includes(QUALITY) ? 0.9 : 0,
  read: readJma,
};

function readJma(file: FileContent): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems);
  if (table === null) return null;
  const names = table.rows.map(({ cells }) => cells.map(normaliseName));
  const start = names.findIndex(([first, ...rest]) => first === "年月日時" || (first === "年" && rest.includes("時")));
  if (start < 0) {
    const isDaily = names.some(([first]) => first === "年月日");
    file.problems.refuse(isDaily ? "a daily file" : "no header row", "an hourly file with the column 年月日時");
    return null;
  }
  const timeCells = names[start][0] === "年" ? 4 : 1;
  const first = table.rows.findIndex((row, k) => k > start && /^\d/.test(row.cells[0].trim()));
  const elements = elementsOf(file, names.slice(Math.max(0, start - 1), first < 0 ? undefined : first), timeCells);
  if (elements === null) return null;
  const builder = new TableBuilder(elements);
  let refused = 0;
  for (const row of first < 0 ? [] : table.rows.slice(first)) {
    if (isBlankRow(row) || !checkWidth(table, row, names[start].length)) continue;
    const endMs = hourEnd(table, row, timeCells);
    const values = readAmounts(table, row, elements).map((value, k) => checkedValue(value, row, elements[k]));
    refused += values.filter((value, k) => Number.isNaN(value) && row.cells[elements[k].index].trim() !== "").length;
    if (endMs !== null) builder.add(endMs - MS_PER_HOUR, values, row.line);
  }
  builder.notes.push("times are ends of hours; temperature, wind and humidity are readings at the end of the hour");
  if (refused > 0) builder.notes.push(`${refused} values of poor quality are missing values`);
  return builder.build(file.problems, MS_PER_HOUR);
}

/** Rows from that of the stations to the last of the header. */
function elementsOf(
  { options, problems }: FileContent,
  [stations, header, ...flags]: readonly (readonly string[])[],
  timeCells: number,
): ElementColumn[] | null {
  const known = [...new Set(stations.slice(timeCells).filter((name) => name !== ""))];
  const station = options.area ?? known[0] ?? "";
  if ((options.area === undefined && known.length > 1) || (known.length > 0 && !known.includes(station))) {
    const found = options.area === undefined ? `${known.length} stations` : quoteCell(options.area);
    problems.refuse(found, `one of the stations ${known.join(", ")} as area`, "area");
    return null;
  }
  const flagsAt = (index: number): readonly string[] => flags.map((row) => row[index] ?? "");
  const columns = header.flatMap((source, index): ElementColumn[] => {
    const element = ownValue(ELEMENTS, source);
    const isValue = index >= timeCells && flagsAt(index).every((flag) => flag === "");
    if (element === undefined || !isValue || (known.length > 0 && stations[index] !== station)) return [];
    // Flags stand to the right of their value, before the next value.
    const flagIndex = (name: string): number => {
      for (let k = index + 1; k < header.length && header[k] === source && flagsAt(k).some((flag) => flag !== ""); k++)
        if (flagsAt(k).includes(name)) return k;
      return -1;
    };
    return [{ ...element, index, source, quality: flagIndex(QUALITY), noPhenomenon: flagIndex(NO_PHENOMENON) }];
  });
  const roles = columns.map(({ role }) => role);
  if (new Set(roles).size === roles.length) return columns;
  problems.refuse("an element more than once", "each element once for a station");
  return null;
}

/** Sunshine of night hours is empty with good quality, and means 0. */
function checkedValue(value: number, { cells }: CsvRecord, { quality, noPhenomenon, role }: ElementColumn): number {
  const flag = quality < 0 ? "8" : normaliseName(cells[quality] ?? "");
  if (!ACCEPTED_QUALITY.has(flag)) return Number.NaN;
  if (!Number.isNaN(value)) return value;
  const hasNone = noPhenomenon >= 0 && normaliseName(cells[noPhenomenon] ?? "") === "1";
  return hasNone || role === WEATHER.sunshine.role ? 0 : Number.NaN;
}

/** End of the hour; hour 24 is printed as 0:00 of the next day. */
function hourEnd(table: TextTable, row: CsvRecord, timeCells: number): number | null {
  const [year, month, day, hour] = row.cells;
  const dayMs = dayOf(Number(year), Number(month), Number(day));
  const splitMs =
    dayMs === null || !/^\d{1,2}$/.test(hour ?? "") || Number(hour) > 24 ? null : dayMs + Number(hour) * MS_PER_HOUR;
  const localMs = timeCells === 1 ? (parseStamp(row.cells[0])?.atMs ?? null) : splitMs;
  if (localMs !== null && localMs % MS_PER_HOUR === 0) return JST.instantsOf(localMs)[0];
  table.reportCell(row, 0, "年月日時", "a whole hour such as 2026/4/1 1:00:00");
  return null;
}
