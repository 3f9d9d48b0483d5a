// Finds the first record in which two tables differ. Reads them as streams, because energy.csv may exceed memory.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { linesOf } from "../explain/readRecords.ts";
import type { CsvRow } from "./readReport.ts";

export interface FirstDifference {
  readonly file: string;
  /** Counted from 1 after the header; 0: the headers differ. */
  readonly row: number;
  /** `null`: the table has ended. */
  readonly a: CsvRow | null;
  readonly b: CsvRow | null;
  /** Columns whose values differ. */
  readonly columns: readonly string[];
}

/** `null` if the tables are equal or neither report has the file; `"absent"` if only one has it. */
export function firstDifference(dirA: string, dirB: string, file: string): FirstDifference | "absent" | null {
  const paths = [join(dirA, file), join(dirB, file)];
  const existingCount = paths.filter(existsSync).length;
  if (existingCount < 2) return existingCount === 0 ? null : "absent";
  const a = records(paths[0]);
  const b = records(paths[1]);
  let headers: [string, string] | null = null;
  // `return()` runs the `finally` block of a generator, which closes its file.
  try {
    for (let row = 0; ; row++) {
      const nextA = a.next();
      const nextB = b.next();
      const textA = nextA.done ? null : nextA.value;
      const textB = nextB.done ? null : nextB.value;
      if (textA === null && textB === null) return null;
      headers ??= [textA ?? "", textB ?? ""];
      if (textA !== textB) return difference(file, row, { headers, textA, textB });
    }
  } finally {
    a.return();
    b.return();
  }
}

interface Pair {
  readonly headers: readonly [string, string];
  readonly textA: string | null;
  readonly textB: string | null;
}

function difference(file: string, row: number, { headers, textA, textB }: Pair): FirstDifference {
  const a = rowOf(headers[0], textA);
  const b = rowOf(headers[1], textB);
  const names = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])];
  return { file, row, a, b, columns: names.filter((name) => a?.[name] !== b?.[name]) };
}

function rowOf(header: string, record: string | null): CsvRow | null {
  if (record === null) return null;
  return parse<CsvRow>(`${header}\n${record}`, { columns: true, relax_column_count: true })[0] ?? {};
}

/** Records of a CSV file as text; a record with an open quote continues on the next line. */
function* records(path: string): Generator<string, void> {
  let open = "";
  for (const line of linesOf(path)) {
    const record = open === "" ? line : `${open}\n${line}`;
    if (record.split('"').length % 2 === 0) open = record;
    else {
      open = "";
      yield record;
    }
  }
  if (open !== "") yield open;
}
