import { type EpochMs, isoUtc } from "../../base/time.ts";
import { intervalLengths } from "../../engine/series/model/intervalLengths.ts";
import type { SeriesColumn, SeriesTable, TableGap } from "./fileFormat.ts";
import type { FormatProblems } from "./formatProblem.ts";

export interface ColumnSpec {
  readonly role: string;
  readonly unit: string;
  readonly source: string;
  /** Readings at the end of their interval have the offset of its length; default: means of the interval. */
  readonly instantOffsetMs?: number;
}

interface Row {
  readonly atMs: EpochMs;
  /** `null`: not stated. */
  readonly endMs: EpochMs | null;
  readonly values: readonly number[];
  readonly line: number;
}

/** Collects the rows of a file in any order, and makes columns of them. */
export class TableBuilder {
  readonly notes: string[] = [];
  private readonly specs: readonly ColumnSpec[];
  private readonly rows: Row[] = [];
  private readonly oneRow: (lines: readonly [number, number]) => string;

  /** @param oneRow what is right in the place of two rows of one time, by their lines */
  constructor(specs: readonly ColumnSpec[], oneRow: (lines: readonly [number, number]) => string = () => ONE_ROW) {
    this.specs = specs;
    this.oneRow = oneRow;
  }

  /**
   * @param atMs start of the interval, or the instant of a reading
   * @param endMs end of the interval, where the file states it or it was derived
   */
  add(atMs: EpochMs, values: readonly number[], line: number, endMs: EpochMs | null = null): void {
    this.rows.push({ atMs, values, line, endMs });
  }

  /**
   * Rows in order of time. Equal rows of one time are one; rows that differ or overlap are a problem
   * (docs/model/formats.md#grid).
   *
   * @param resolutionMs length of an interval, where the format states it; default: by the distances of the rows
   * @returns `null` after reporting problems
   */
  build(problems: FormatProblems, resolutionMs?: number): SeriesTable | null {
    // Problems of refused rows already explain the empty table.
    if (problems.count > 0) return null;
    if (this.rows.length === 0) problems.refuse("no rows with data", "at least one row with a value");
    else if (this.specs.length === 0) problems.refuse("no known column", "at least one column of the format");
    const rows = this.sortedRows(problems);
    if (problems.count > 0) return null;
    const timesMs = Float64Array.from(rows, ({ atMs }) => atMs);
    const lines = Int32Array.from(rows, ({ line }) => line);
    const lengthsMs = resolutionMs === undefined ? intervalLengths(timesMs) : null;
    const endsMs = Float64Array.from(
      rows,
      ({ atMs, endMs }, k) => endMs ?? atMs + (lengthsMs?.[k] ?? resolutionMs ?? 0),
    );
    checkOverlaps(problems, rows, endsMs);
    if (problems.count > 0) return null;
    const columns = this.specs.map(({ role, unit, source, instantOffsetMs: offsetMs }, k): SeriesColumn => {
      const values = Float64Array.from(rows, (row) => row.values[k]);
      const spec = { role, unit, source, values, lines } as const;
      return offsetMs === undefined
        ? { ...spec, label: "start", timesMs, endsMs }
        : { ...spec, label: "instant", timesMs: moved(timesMs, offsetMs), endsMs: moved(endsMs, offsetMs) };
    });
    return seriesTable(columns, this.notes);
  }

  private sortedRows(problems: FormatProblems): Row[] {
    // The sort is stable: of equal rows the first one stays.
    const rows = [...this.rows].sort((a, b) => a.atMs - b.atMs);
    const kept: Row[] = [];
    let repeated = 0;
    for (const row of rows) {
      const last = kept[kept.length - 1];
      if (last === undefined || last.atMs !== row.atMs) kept.push(row);
      else if (row.values.every((value, k) => Object.is(value, last.values[k]))) repeated++;
      else this.reportDuplicate(problems, last, row);
    }
    if (repeated > 0) this.notes.push(`${repeated} repeated rows with equal values are read once`);
    return kept;
  }

  private reportDuplicate(problems: FormatProblems, first: Row, second: Row): void {
    problems.add("", () => ({
      line: second.line,
      column: 1,
      found: `a second row of ${isoUtc(second.atMs)} with other values than line ${first.line}`,
      allowed: this.oneRow([first.line, second.line]),
    }));
  }
}

const ONE_ROW = "one row for each interval";

const moved = (timesMs: Float64Array, offsetMs: number): Float64Array =>
  offsetMs === 0 ? timesMs : timesMs.map((atMs) => atMs + offsetMs);

function checkOverlaps(problems: FormatProblems, rows: readonly Row[], endsMs: Float64Array): void {
  for (let k = 0; k + 1 < rows.length; k++)
    if (endsMs[k] > rows[k + 1].atMs)
      problems.add("", () => ({
        line: rows[k].line,
        column: 1,
        found: `an interval from ${isoUtc(rows[k].atMs)} to ${isoUtc(endsMs[k])}, which the next row begins within`,
        allowed: "intervals that do not overlap",
      }));
}

/** A table of columns; its resolution and gaps are those of the first one. */
export function seriesTable(columns: readonly SeriesColumn[], notes: readonly string[]): SeriesTable {
  const [{ timesMs, endsMs }] = columns;
  const counts = new Map<number, number>();
  timesMs.forEach((atMs, k) => {
    const lengthMs = endsMs[k] - atMs;
    counts.set(lengthMs, 1 + (counts.get(lengthMs) ?? 0));
  });
  const [[resolutionMs]] = [...counts].sort(([a, countA], [b, countB]) => countB - countA || a - b);
  return { kind: "series", columns, resolutionMs, gaps: gapsOf(timesMs, endsMs), notes };
}

/** Periods between the end of an interval and the next row. */
function gapsOf(timesMs: Float64Array, endsMs: Float64Array): TableGap[] {
  const gaps: TableGap[] = [];
  for (let k = 0; k + 1 < timesMs.length; k++)
    if (endsMs[k] < timesMs[k + 1]) gaps.push({ fromMs: endsMs[k], toMs: timesMs[k + 1] });
  return gaps;
}
