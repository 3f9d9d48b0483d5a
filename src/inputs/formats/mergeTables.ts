import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { FormatTable, RecordTable, SeriesColumn, SeriesTable } from "./fileFormat.ts";
import type { FormatProblems } from "./formatProblem.ts";
import { seriesTable } from "./tableBuilder.ts";

/** The table of one file, for messages about several. */
interface NamedTable {
  readonly name: string;
  readonly table: FormatTable;
}

/**
 * Joins the tables of several files of one format: columns by role, rows by time. Files may overlap where their values are equal,
 * or where one is a later revision (docs/model/formats.md#several-files).
 *
 * @returns `null` after reporting values that contradict each other
 */
export function mergeTables(tables: readonly NamedTable[], problems: FormatProblems): FormatTable | null {
  if (tables.length === 1) return tables[0].table;
  const records = tables.map(({ table }) => table).filter((table) => table.kind === "records");
  if (records.length === tables.length) return mergeRecords(records);
  const series = tables.flatMap(({ name, table }) => (table.kind === "series" ? [{ name, table }] : []));
  if (series.length < tables.length) {
    problems.refuse("files of series and files of rows", "files of one kind; import the others separately");
    return null;
  }
  // Later revisions come last and replace earlier values.
  const ordered = [...series].sort((a, b) => (a.table.revision ?? 0) - (b.table.revision ?? 0));
  const roles = [...new Set(series.flatMap(({ table }) => table.columns.map(({ role }) => role)))];
  const columns = roles.map((role) => mergeColumn(role, ordered, problems));
  if (problems.count > 0) return null;
  const notes = [...new Set(series.flatMap(({ table }) => table.notes))];
  return seriesTable(columns, notes);
}

function mergeRecords(tables: readonly RecordTable[]): RecordTable {
  const keys = [...new Set(tables.flatMap((table) => table.keys))];
  const rows = tables.flatMap((table) =>
    table.rows.map((row) => keys.map((key) => row[table.keys.indexOf(key)] ?? "")),
  );
  return { kind: "records", keys, rows, notes: [...new Set(tables.flatMap(({ notes }) => notes))] };
}

interface Sample {
  readonly endMs: EpochMs;
  readonly value: number;
  readonly line: number;
  readonly file: string;
  readonly revision: number;
}

function mergeColumn(
  role: string,
  tables: readonly { readonly name: string; readonly table: SeriesTable }[],
  problems: FormatProblems,
): SeriesColumn {
  const samples = new Map<number, Sample>();
  let model: SeriesColumn | null = null;
  for (const { name, table } of tables) {
    const column = table.columns.find((other) => other.role === role);
    if (column === undefined) continue;
    model ??= column;
    const { timesMs, endsMs, values, lines } = column;
    for (let k = 0; k < timesMs.length; k++) {
      const sample = { endMs: endsMs[k], value: values[k], line: lines[k], file: name, revision: table.revision ?? 0 };
      const known = samples.get(timesMs[k]);
      const replaces = known === undefined || known.revision < sample.revision || Number.isNaN(known.value);
      if (replaces) samples.set(timesMs[k], sample);
      else if (known.value !== sample.value && !Number.isNaN(sample.value))
        reportContradiction(problems, { role, atMs: timesMs[k] }, known, sample);
    }
  }
  const rows = [...samples].sort(([a], [b]) => a - b);
  rows.forEach(([atMs, { endMs, file, line }], k) => {
    const next = rows[k + 1];
    if (next === undefined || endMs <= next[0]) return;
    problems.add(role, () => ({
      line: 0,
      column: 0,
      found: `an interval from ${isoUtc(atMs)} to ${isoUtc(endMs)} in ${file}:${line}, which ${next[1].file}:${next[1].line} begins within`,
      allowed: "files whose intervals are equal where they overlap",
    }));
  });
  return {
    ...(model as SeriesColumn),
    timesMs: Float64Array.from(rows, ([atMs]) => atMs),
    endsMs: Float64Array.from(rows, ([, { endMs }]) => endMs),
    values: Float64Array.from(rows, ([, { value }]) => value),
    lines: Int32Array.from(rows, ([, { line }]) => line),
  };
}

function reportContradiction(
  problems: FormatProblems,
  { role, atMs }: { readonly role: string; readonly atMs: number },
  first: Sample,
  second: Sample,
): void {
  problems.add(role, () => ({
    line: 0,
    column: 0,
    found: `${first.value} in ${first.file}:${first.line} and ${second.value} in ${second.file}:${second.line} at ${isoUtc(atMs)}`,
    allowed: "files that agree where they overlap",
  }));
}
