import { groupBy, meanOf } from "../../../base/lists.ts";
import { isoUtc, MS_PER_MINUTE } from "../../../base/time.ts";
import type { FormatTable, RecordTable, SeriesColumn, SeriesTable } from "../fileFormat.ts";
import { baseName, type FormatReading } from "../readFormatFile.ts";
import { encodingText } from "../text/decodeBytes.ts";

const ROWS_SHOWN = 5;
const COLUMNS_SHOWN = 6;
const GAPS_SHOWN = 5;

/** The content of a table: encodings, range, resolution, gaps, columns, first rows and a plot of the first column. */
export function previewText(readings: readonly FormatReading[], table: FormatTable): string {
  const files = readings.map(
    ({ name, decoded }) => `${baseName(name)}: ${decoded === null ? "" : encodingText(decoded)}`,
  );
  const body = table.kind === "series" ? seriesLines(table) : recordLines(table);
  return [...files, ...table.notes.map((note) => `note: ${note}`), ...body].map((line) => `${line}\n`).join("");
}

/** "96 intervals of 30 min from … to …, 1 gap"; "24 intervals of 60 min and 96 of 15 min from …". */
export function rangeText(table: SeriesTable): string {
  const { timesMs, endsMs } = intervalColumn(table);
  const gaps = table.gaps.length === 0 ? "no gaps" : table.gaps.length === 1 ? "1 gap" : `${table.gaps.length} gaps`;
  const from = isoUtc(timesMs[0]);
  return `${lengthsText(intervalColumn(table))} from ${from} to ${isoUtc(endsMs[endsMs.length - 1])}, ${gaps}`;
}

const LENGTHS_SHOWN = 3;

function lengthsText({ timesMs, endsMs }: SeriesColumn): string {
  const lengths = [...groupBy(timesMs.keys(), (k) => (endsMs[k] - timesMs[k]) / MS_PER_MINUTE)];
  if (lengths.length > LENGTHS_SHOWN) {
    const [shortest, longest] = [Math.min, Math.max].map((of) => of(...lengths.map(([minutes]) => minutes)));
    return `${timesMs.length} intervals of ${shortest} to ${longest} min`;
  }
  const [first, ...others] = lengths.map(([minutes, rows]) => ({ minutes, count: rows.length }));
  const rest = others.map(({ minutes, count }) => ` and ${count} of ${minutes} min`).join("");
  return `${first.count} intervals of ${first.minutes} min${rest}`;
}

const intervalColumn = ({ columns }: SeriesTable): SeriesColumn =>
  columns.find(({ label }) => label === "start") ?? columns[0];

function seriesLines(table: SeriesTable): string[] {
  const { columns } = table;
  const { timesMs } = intervalColumn(table);
  const gaps = table.gaps
    .slice(0, GAPS_SHOWN)
    .map(({ fromMs, toMs }) => `  gap from ${isoUtc(fromMs)} to ${isoUtc(toMs)}`);
  const more = table.gaps.length > GAPS_SHOWN ? [`  … and ${table.gaps.length - GAPS_SHOWN} more gaps`] : [];
  const shown = columns.slice(0, COLUMNS_SHOWN);
  const rows = [["timestamp", ...shown.map(({ role }) => role)]];
  for (let k = 0; k < Math.min(ROWS_SHOWN, timesMs.length); k++)
    rows.push([isoUtc(timesMs[k]), ...shown.map(({ values }) => cellText(values[k]))]);
  return [
    rangeText(table),
    ...gaps,
    ...more,
    ...columns.map(columnLine),
    "",
    ...alignedLines(rows),
    "",
    ...plotLines(columns[0]),
  ];
}

const cellText = (value: number): string => (Number.isNaN(value) ? "" : String(value));

function columnLine({ role, unit, source, label, values }: SeriesColumn): string {
  const known = values.filter((value) => !Number.isNaN(value));
  const missing = values.length - known.length;
  const range = known.length === 0 ? "no values" : `${minOf(known)} to ${maxOf(known)}`;
  const parts = [unit, label === "instant" ? "readings" : "", range, missing > 0 ? `${missing} missing` : ""];
  const origin = source === role ? "" : `; column ${source}`;
  return `  ${role}: ${parts.filter((part) => part !== "").join(", ")}${origin}`;
}

const minOf = (values: Float64Array): number => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const maxOf = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);

function recordLines({ keys, rows }: RecordTable): string[] {
  return [`${rows.length} rows`, "", ...alignedLines([keys, ...rows.slice(0, ROWS_SHOWN)])];
}

function alignedLines(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => row[k].length)));
  return rows.map((row) =>
    row
      .map((cell, k) => cell.padEnd(widths[k]))
      .join("  ")
      .trimEnd(),
  );
}

const PLOT_WIDTH = 72;
const PLOT_HEIGHT = 8;
const BLOCKS = " ▁▂▃▄▅▆▇█";

/** A column as blocks: each character is the mean of its part of the record; parts without data are blank. */
function plotLines({ role, values }: SeriesColumn): string[] {
  const width = Math.min(PLOT_WIDTH, values.length);
  const means = Array.from({ length: width }, (_, k) => {
    const part = values.slice(Math.floor((k * values.length) / width), Math.floor(((k + 1) * values.length) / width));
    return meanOf(part.filter((value) => !Number.isNaN(value)));
  });
  const known = Float64Array.from(means.filter((mean) => !Number.isNaN(mean)));
  if (known.length === 0) return [];
  const low = Math.min(0, minOf(known));
  const high = Math.max(maxOf(known), low + Number.MIN_VALUE);
  const eighths = means.map((mean) => Math.round((8 * PLOT_HEIGHT * (mean - low)) / (high - low)));
  const rows = Array.from({ length: PLOT_HEIGHT }, (_, row) => {
    const base = 8 * (PLOT_HEIGHT - 1 - row);
    return eighths.map((level) => BLOCKS[Number.isNaN(level) ? 0 : Math.max(0, Math.min(8, level - base))]).join("");
  });
  const [top, bottom] = [high, low].map((value) => String(Number(value.toPrecision(4))));
  const margin = Math.max(top.length, bottom.length);
  const axis = (row: number): string => (row === 0 ? top : row === PLOT_HEIGHT - 1 ? bottom : "").padStart(margin);
  return [
    `${role}, means of ${Math.ceil(values.length / width)} rows`,
    ...rows.map((line, row) => `${axis(row)} |${line}`),
  ];
}
