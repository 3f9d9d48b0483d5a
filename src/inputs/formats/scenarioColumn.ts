import type { SeriesColumn, SeriesTable } from "./fileFormat.ts";

/**
 * A column as a scenario uses it, which knows one spacing alone: readings at the ends of intervals hold from the start of the
 * first interval (docs/model/formats.md#weather), and intervals of several lengths are cut into equal parts.
 */
export const scenarioColumn = (column: SeriesColumn, table: SeriesTable): SeriesColumn =>
  column.label === "instant" ? heldFromStart(column, table) : withEqualParts(column);

function heldFromStart(column: SeriesColumn, { columns }: SeriesTable): SeriesColumn {
  const { timesMs } = column;
  const startMs = columns.find((other) => other.label === "start")?.timesMs[0];
  if (startMs === undefined || timesMs[0] <= startMs) return column;
  const extended = pickRows(column, [0, ...timesMs.keys()]);
  extended.timesMs[0] = startMs;
  extended.endsMs[0] = timesMs[0];
  return extended;
}

/** At most this many parts for each row, so that intervals in seconds do not become a row a second. */
const PARTS_PER_ROW_MAX = 60;
const PARTS_MIN = 100_000;

/** Parts of the greatest common length; where that is too short, intervals over one and a half usual ones are cut. */
function withEqualParts(column: SeriesColumn): SeriesColumn {
  const { timesMs, endsMs } = column;
  const lengthsMs = endsMs.map((endMs, k) => endMs - timesMs[k]);
  const partMs = lengthsMs.reduce(commonDivisor);
  if (lengthsMs.every((lengthMs) => lengthMs === partMs)) return column;
  const totalMs = lengthsMs.reduce((sum, lengthMs) => sum + lengthMs);
  if (totalMs / partMs <= Math.max(PARTS_MIN, PARTS_PER_ROW_MAX * timesMs.length)) return cut(column, partMs, partMs);
  const usualMs = lengthsMs.slice().sort()[(lengthsMs.length - 1) >> 1];
  return cut(column, usualMs, 1.5 * usualMs);
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

/** Cuts intervals that are longer than a limit into parts, counted from their ends. */
function cut(column: SeriesColumn, partMs: number, longestMs: number): SeriesColumn {
  const rows: number[] = [];
  const timesMs: number[] = [];
  for (const [k, startMs] of column.timesMs.entries()) {
    const endMs = column.endsMs[k];
    const count = endMs - startMs <= longestMs ? 1 : Math.ceil((endMs - startMs) / partMs);
    for (let part = count; part > 0; part--) {
      rows.push(k);
      timesMs.push(part === count ? startMs : endMs - part * partMs);
    }
  }
  const parts = pickRows(column, rows);
  parts.timesMs.set(timesMs);
  for (let k = 0; k + 1 < rows.length; k++) if (rows[k] === rows[k + 1]) parts.endsMs[k] = timesMs[k + 1];
  return parts;
}

const pickRows = (column: SeriesColumn, rows: ArrayLike<number>): SeriesColumn => ({
  ...column,
  timesMs: Float64Array.from(rows, (k) => column.timesMs[k]),
  endsMs: Float64Array.from(rows, (k) => column.endsMs[k]),
  values: Float64Array.from(rows, (k) => column.values[k]),
  lines: Int32Array.from(rows, (k) => column.lines[k]),
});
