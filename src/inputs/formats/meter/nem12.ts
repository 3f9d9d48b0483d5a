import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import type { FileContent, FileFormat, SeriesColumn, SeriesTable } from "../fileFormat.ts";
import { conversionOf, meanPowerScale } from "../generic/units.ts";
import { seriesTable, TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, readAmounts } from "../text/headerColumns.ts";
import { normaliseText } from "../text/normaliseText.ts";
import { isBlankRow, TextTable } from "../text/textTable.ts";
import { fixedClock } from "../time/localTime.ts";
import { parseDate } from "../time/parseDate.ts";

/** Market time: Eastern Standard Time all year. */
const MARKET_CLOCK = fixedClock(10 * MS_PER_HOUR);
const FIRST_VALUE = 2;

/** Interval meter data of the Australian market: a block for each data stream of a connection point, a record for each day. */
export const nem12: FileFormat = {
  id: "nem12",
  title: "NEM12 interval meter data (Australia)",
  terms: "Private data of the consumer. Never publish a NMI.",
  options: ["point", "encoding"],
  detect: ({ head }) => (/^100,NEM12,/.test(head) ? 1 : 0),
  read: readNem12,
};

/** The data stream of a 200 record: register suffix of a connection point, unit and length of its intervals. */
interface DataStream {
  readonly point: string;
  readonly suffix: string;
  readonly unit: string;
  readonly lengthMs: number;
  readonly builder: TableBuilder;
  readonly column: Omit<AmountColumn, "index">;
}

function readNem12(file: FileContent): SeriesTable | null {
  const { problems, options } = file;
  const table = TextTable.parse(file.text, problems);
  if (table === null) return null;
  const streams: DataStream[] = [];
  let stream: DataStream | null = null;
  let day: { readonly stream: DataStream; readonly record: CsvRecord; readonly values: number[] } | null = null;
  const closeDay = (): void => {
    if (day !== null) addDay(table, day.stream, day.record, day.values);
    day = null;
  };
  for (const record of table.rows) {
    const kind = isBlankRow(record) ? "" : record.cells[0].trim();
    if (kind === "400" && day !== null) withoutNulls(table, record, day);
    else closeDay();
    if (kind === "200") {
      stream = dataStream(table, record, streams);
      if (stream !== null && !streams.includes(stream)) streams.push(stream);
    }
    if (kind !== "300") continue;
    if (stream === null) table.reportRow(record, "a 300 record", "a 200 record before it");
    else day = { stream, record, values: dayValues(table, stream, record) };
  }
  closeDay();
  const points = [...new Set(streams.map(({ point }) => point))];
  const chosen = options.point ?? points[0];
  if (!points.includes(chosen) || (options.point === undefined && points.length > 1))
    problems.refuse(`${points.length} connection points`, `one of ${points.join(", ")}`, "point");
  const ofPoint = streams.filter(({ point }) => point === chosen);
  const builders = new Set(
    ofPoint.filter(({ unit }) => conversionOf(unit)?.unit === "kW").map(({ builder }) => builder),
  );
  const columns = [...builders].flatMap((builder): SeriesColumn[] => builder.build(problems)?.columns.slice() ?? []);
  if (problems.count > 0) return null;
  if (columns.length === 0) {
    problems.refuse("no data stream in kWh or kW", "a 200 record with the unit kWh");
    return null;
  }
  const others = ofPoint
    .filter(({ unit }) => conversionOf(unit)?.unit !== "kW")
    .map(({ suffix, unit }) => `${suffix} (${unit})`);
  const left = others.length === 0 ? [] : [`data streams that are not read: ${others.join(", ")}`];
  const isCut = !table.rows.some(({ cells }) => cells[0].trim() === "900");
  const cut = isCut ? ["no 900 record: the file may be cut off"] : [];
  return seriesTable(columns, ["times are Eastern Standard Time, UTC+10, all year", ...left, ...cut]);
}

/** A stream that the file continues, as after a change of the meter, or a new one; `null` after reporting a record that cannot be read. */
function dataStream(table: TextTable, record: CsvRecord, known: readonly DataStream[]): DataStream | null {
  const [, point = "", , , suffix = "", , , unit = "", minutes = ""] = record.cells.map(normaliseText);
  const lengthMs = Number(minutes) * MS_PER_MINUTE;
  if (!(lengthMs > 0 && MS_PER_DAY % lengthMs === 0)) {
    table.reportCell(record, 8, "IntervalLength", "the minutes of an interval, as in 5 or 30");
    return null;
  }
  const conversion = conversionOf(unit);
  const scale = conversion?.isEnergy === true ? meanPowerScale(conversion.scale, lengthMs) : conversion?.scale;
  const column = { role: `${suffix.toLowerCase()}_kw`, unit: "kW", source: `${suffix} [${unit}]`, scale };
  const earlier = known.find((other) => other.point === point && other.suffix === suffix);
  const builder = earlier?.builder ?? new TableBuilder([column]);
  const isSame = earlier !== undefined && earlier.unit === unit && earlier.lengthMs === lengthMs;
  return isSame ? earlier : { point, suffix, unit, lengthMs, column, builder };
}

/** Values of a 300 record; those of quality N are missing. */
function dayValues(table: TextTable, { lengthMs, column }: DataStream, record: CsvRecord): number[] {
  const count = MS_PER_DAY / lengthMs;
  const isNull = /^N/.test(normaliseText(record.cells[FIRST_VALUE + count] ?? ""));
  const columns = Array.from({ length: count }, (_, k) => ({ ...column, index: FIRST_VALUE + k }));
  if (record.cells.length <= FIRST_VALUE + count)
    table.reportRow(record, `${record.cells.length} cells`, `a date, ${count} values and their quality`);
  return isNull ? columns.map(() => Number.NaN) : readAmounts(table, record, columns);
}

/** Values of the intervals of a 400 record of quality N are missing. */
function withoutNulls(table: TextTable, record: CsvRecord, { values }: { readonly values: number[] }): void {
  const [, from, to, quality = ""] = record.cells.map(normaliseText);
  if (!(1 <= Number(from) && Number(from) <= Number(to) && Number(to) <= values.length))
    table.reportRow(record, `intervals ${from} to ${to}`, `intervals from 1 to ${values.length}`);
  else if (quality.startsWith("N")) values.fill(Number.NaN, Number(from) - 1, Number(to));
}

function addDay(
  table: TextTable,
  { builder, lengthMs }: DataStream,
  record: CsvRecord,
  values: readonly number[],
): void {
  const dayMs = parseDate(record.cells[1] ?? "");
  if (dayMs === null) return table.reportCell(record, 1, "IntervalDate", "a date such as 20270401");
  const [startMs] = MARKET_CLOCK.instantsOf(dayMs);
  values.forEach((value, k) => builder.add(startMs + k * lengthMs, [value], record.line, startMs + (k + 1) * lengthMs));
}
