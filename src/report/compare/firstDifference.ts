// Finds the first record in which two tables differ. Reads them as streams, because energy.csv may exceed memory.
import { platform } from "#platform";
import { join } from "../../base/paths.ts";
import { type CsvRow, csvRecords, parseRows } from "../tables/readTable.ts";

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
  const existingCount = paths.filter(platform.exists).length;
  if (existingCount < 2) return existingCount === 0 ? null : "absent";
  const a = csvRecords(paths[0]);
  const b = csvRecords(paths[1]);
  let headers: [string, string] | null = null;
  // `return()` runs the `finally` block of a generator, which checks and closes its file.
  try {
    for (let row = 0; ; row++) {
      const nextA = a.next();
      const nextB = b.next();
      const textA = nextA.done ? null : nextA.value;
      const textB = nextB.done ? null : nextB.value;
      if (textA === null && textB === null) return null;
      headers ??= [textA ?? "", textB ?? ""];
      if (textA !== textB) return difference(file, row, { paths, headers, textA, textB });
    }
  } finally {
    try {
      a.return();
    } finally {
      b.return();
    }
  }
}

interface Pair {
  readonly paths: readonly string[];
  readonly headers: readonly [string, string];
  readonly textA: string | null;
  readonly textB: string | null;
}

function difference(file: string, row: number, { paths, headers, textA, textB }: Pair): FirstDifference {
  const a = rowOf(paths[0], headers[0], textA);
  const b = rowOf(paths[1], headers[1], textB);
  const names = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])];
  return { file, row, a, b, columns: names.filter((name) => a?.[name] !== b?.[name]) };
}

function rowOf(path: string, header: string, record: string | null): CsvRow | null {
  if (record === null) return null;
  return parseRows(path, `${header}\n${record}`, { relax_column_count: true })[0] ?? {};
}
