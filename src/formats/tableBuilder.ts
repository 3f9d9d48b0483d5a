import { type EpochMs, isoUtc } from "../base/time.ts";
import { medianSpacingMs } from "../series/model/alignStamps.ts";
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
  readonly values: readonly number[];
  readonly line: number;
}

/** Collects the rows of a file in any order, and makes columns of them. */
export class TableBuilder {
  readonly notes: string[] = [];
  readonly #specs: readonly ColumnSpec[];
  readonly #rows: Row[] = [];

  constructor(specs: readonly ColumnSpec[]) {
    this.#specs = specs;
  }

  /** @param atMs start of the interval, or the instant of a reading */
  add(atMs: EpochMs, values: readonly number[], line: number): void {
    this.#rows.push({ atMs, values, line });
  }

  /**
   * Rows in order of time. Equal rows of one time are one; rows that differ are a problem
   * (docs/model/formats.md#grid).
   *
   * @param resolutionMs length of an interval, where the format states it; default: the median distance of rows
   * @returns `null` after reporting problems
   */
  build(problems: FormatProblems, resolutionMs?: number): SeriesTable | null {
    // Problems of refused rows already explain the empty table.
    if (problems.count > 0) return null;
    if (this.#rows.length === 0) problems.refuse("no rows with data", "at least one row with a value");
    else if (this.#specs.length === 0) problems.refuse("no known column", "at least one column of the format");
    const rows = this.#sortedRows(problems);
    if (problems.count > 0) return null;
    const timesMs = Float64Array.from(rows, ({ atMs }) => atMs);
    const lines = Int32Array.from(rows, ({ line }) => line);
    const lengthMs = resolutionMs ?? medianSpacingMs(timesMs);
    const shifted = new Map<number, Float64Array>([[0, timesMs]]);
    const timesAt = (offsetMs: number): Float64Array => {
      const known = shifted.get(offsetMs) ?? timesMs.map((atMs) => atMs + offsetMs);
      shifted.set(offsetMs, known);
      return known;
    };
    const columns = this.#specs.map(({ role, unit, source, instantOffsetMs }, k): SeriesColumn => {
      const values = Float64Array.from(rows, (row) => row.values[k]);
      const label = instantOffsetMs === undefined ? "start" : "instant";
      return { role, unit, source, label, timesMs: timesAt(instantOffsetMs ?? 0), values, lines };
    });
    return { kind: "series", columns, resolutionMs: lengthMs, gaps: gapsOf(timesMs, lengthMs), notes: this.notes };
  }

  #sortedRows(problems: FormatProblems): Row[] {
    // The sort is stable: of equal rows the first one stays.
    const rows = [...this.#rows].sort((a, b) => a.atMs - b.atMs);
    const kept: Row[] = [];
    let repeated = 0;
    for (const row of rows) {
      const last = kept[kept.length - 1];
      if (last === undefined || last.atMs !== row.atMs) kept.push(row);
      else if (row.values.every((value, k) => Object.is(value, last.values[k]))) repeated++;
      else reportDuplicate(problems, last, row);
    }
    if (repeated > 0) this.notes.push(`${repeated} repeated rows with equal values are read once`);
    return kept;
  }
}

function reportDuplicate(problems: FormatProblems, first: Row, second: Row): void {
  problems.add("", () => ({
    line: second.line,
    column: 1,
    found: `a second row of ${isoUtc(second.atMs)} with other values than line ${first.line}`,
    allowed: "one row for each interval",
  }));
}

/** Distances of more than one and a half intervals are gaps. */
export function gapsOf(timesMs: Float64Array, resolutionMs: number): TableGap[] {
  const gaps: TableGap[] = [];
  for (let k = 0; k + 1 < timesMs.length; k++)
    if (timesMs[k + 1] - timesMs[k] > 1.5 * resolutionMs)
      gaps.push({ fromMs: timesMs[k] + resolutionMs, toMs: timesMs[k + 1] });
  return gaps;
}
