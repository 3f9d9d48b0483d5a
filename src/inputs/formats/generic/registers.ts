import { largestOf, smallestOf } from "../../../base/lists.ts";
import { MS_PER_DAY, MS_PER_HOUR } from "../../../base/time.ts";
import type { SeriesColumn } from "../fileFormat.ts";
import { type AmountColumn, readAmounts } from "../text/headerColumns.ts";
import type { AmountStyle } from "../text/parseAmount.ts";
import type { TextTable } from "../text/textTable.ts";
import type { TimedRow } from "./tableTimes.ts";

/** Readings over their largest rise, above which no connection uses such energies in its intervals. */
const CERTAIN_RATIO = 3_000;
/** The same where the values rise by varying amounts. */
const LIKELY_RATIO = 100;
const ROWS_MIN = 8;
/** Energies that only rise for longer than this are no load. */
const RISING_MS = 0.95 * MS_PER_DAY;
/** Rises that differ by less than this share of the largest are equal. */
const EQUAL_SHARE = 0.02;
/** A counter is set back to less than this share of its reading. */
const RESET_SHARE = 0.01;

/**
 * Whether values that are taken for energies of intervals are readings of a counter, because they never fall but to about 0: they
 * are thousands of times their largest rise, or they rise by varying amounts and are hundreds of times these or do so for a day.
 *
 * @param values in order of time; `null` and NaN: none
 */
export function looksLikeRegister(values: readonly (number | null)[], spanMs: number): boolean {
  const known = values.filter((value): value is number => value !== null && !Number.isNaN(value));
  const rises = known.slice(1).map((value, k) => value - known[k]);
  const positive = rises.filter((rise) => rise > 0);
  const resets = rises.filter((rise, k) => rise < 0 && known[k + 1] <= RESET_SHARE * known[k]).length;
  const falls = rises.filter((rise) => rise < 0).length;
  if (known.length < ROWS_MIN || positive.length < ROWS_MIN * resets || positive.length === 0 || falls > resets)
    return false;
  const largest = largestOf(positive);
  if (known[0] > CERTAIN_RATIO * largest) return true;
  const areVarying = positive.length >= ROWS_MIN && largest - smallestOf(positive) > EQUAL_SHARE * largest;
  return areVarying && known[0] >= 0 && (known[0] > LIKELY_RATIO * largest || spanMs > RISING_MS);
}

/** Differences of readings are rounded to this part of a kWh, finer than any counter. */
const PARTS_PER_KWH = 1e9;

/**
 * Mean power between the readings of a counter; a missing reading leaves one longer interval. A reading that is lower than the
 * one before is reported.
 */
export function readRegister(
  table: TextTable,
  rows: readonly TimedRow[],
  column: AmountColumn,
  style: AmountStyle,
): SeriesColumn {
  const readings = rows
    .map(({ row, atMs }) => ({ row, atMs, kwh: readAmounts(table, row, [column], style)[0] }))
    .filter(
      ({ kwh }, k, all) => !Number.isNaN(kwh) && (k === 0 || all[k - 1].atMs !== all[k].atMs || all[k - 1].kwh !== kwh),
    )
    .sort((a, b) => a.atMs - b.atMs);
  const intervals = readings.slice(1).map((reading, k) => {
    const before = readings[k];
    const key = column.source;
    const { line } = reading.row;
    if (reading.atMs === before.atMs)
      table.problems.add(key, () => ({
        line,
        column: 1,
        found: `a second reading of the time of line ${before.row.line}`,
        allowed: "one reading for each time",
      }));
    else if (reading.kwh < before.kwh)
      table.problems.add(key, () => ({
        line,
        column: 1,
        found: `a reading of ${reading.kwh} after ${before.kwh} in line ${before.row.line}`,
        allowed: "a counter that does not fall; split the file where a meter was replaced or set back",
      }));
    const kwh = Math.round(PARTS_PER_KWH * (reading.kwh - before.kwh)) / PARTS_PER_KWH;
    return { from: before, to: reading, kw: (kwh * MS_PER_HOUR) / (reading.atMs - before.atMs) };
  });
  if (intervals.length === 0)
    table.problems.refuse("fewer than two readings", "at least two readings of the counter", column.source);
  const { role, unit, source } = column;
  return {
    role,
    unit,
    source,
    label: "start",
    timesMs: Float64Array.from(intervals, ({ from }) => from.atMs),
    endsMs: Float64Array.from(intervals, ({ to }) => to.atMs),
    values: Float64Array.from(intervals, ({ kw }) => kw),
    lines: Int32Array.from(intervals, ({ to }) => to.row.line),
  };
}
