import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import type { TableBlock, TableColumn } from "../../../src/accounting/recorders/tableBlock.ts";
import { FolderSink } from "../../../src/platform/node/folderSink.ts";
import { TableFile, type TableWriter } from "../../../src/report/tables/tableFile.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";

/** A file for a writer, by its path. */
export const fileAt = (path: string): TableFile => new TableFile(new FolderSink(dirname(path)), basename(path));

/** The bytes of a table of these blocks. */
export function writtenBytes(open: (file: TableFile) => TableWriter, blocks: readonly TableBlock[]): Buffer {
  const path = join(createTemporaryFolder("tables"), "table");
  const table = open(fileAt(path));
  for (const block of blocks) table.write(block);
  table.close();
  return readFileSync(path);
}

const NA = Number.NaN;

/** Every kind, with its awkward values; two rows more than are used, as a reused block has. */
export const SAMPLE_BLOCK: TableBlock = {
  rowCount: 5,
  columns: [
    {
      name: "start",
      kind: "instant",
      values: Float64Array.of(
        Date.parse("2026-04-01T00:00:00Z"),
        Date.parse("2026-04-01T00:00:00Z"),
        Date.parse("2026-04-01T00:00:00.250Z"),
        0,
        Date.parse("1969-12-31T23:59:59Z"),
        NA,
        NA,
      ),
    },
    { name: "site", kind: "name", values: Int32Array.of(0, 1, 2, -1, 0, 9, 9), names: ["bat-1", 'a "b", c', "蓄電池"] },
    { name: "delta, kw", kind: "thousandths", values: Float64Array.of(1500, -0, -1, NA, 12_345_678_901_234, 1, 1) },
    {
      name: "import_kwh",
      kind: "thousandths",
      values: Float64Array.of(0, -2_147_483_648, 999, 1000, -1_234_560, 1, 1),
    },
    { name: "in_service", kind: "integer", values: Float64Array.of(1, 0, NA, -7, 2_147_483_647, 1, 1) },
    { name: "note", kind: "text", values: [null, "", "two\nlines", "cr\rhere", "plain é", "x", "x"] },
  ],
};

export const EMPTY_BLOCK: TableBlock = { ...SAMPLE_BLOCK, rowCount: 0 };

const text = fc.string({ unit: fc.constantFrom("a", "b", ",", '"', "\n", "\r", " ", "é", "電", "😀"), maxLength: 12 });
/** Below 10^12 thousandths a double divided by 1000 still prints its own three decimals. */
const thousandths = fc.oneof(
  fc.constant(NA),
  // Few values, so that rows repeat the one above.
  fc.constantFrom(0, -0, 1500),
  fc.integer({ min: -2000, max: 2000 }),
  fc.integer({ min: -2_000_000, max: 2_000_000 }),
  fc.maxSafeInteger().map((n) => n % 1e12),
);
const fewThousandths = fc.constantFrom(NA, 0, -0, -12_345);
const integer = fc.oneof(fc.constant(NA), fc.integer({ min: 0, max: 1 }), fc.integer());
const instant = fc.integer({ min: -1e12, max: 4e12 }).map((ms) => (ms % 2 === 0 ? ms : 1000 * Math.round(ms / 1000)));
const name = fc.integer({ min: -1, max: 3 });

/** A block of random rows; `parts` are the same rows cut into several blocks. */
export const arbitraryBlocks: fc.Arbitrary<{ whole: TableBlock; parts: TableBlock[] }> = fc
  .tuple(
    fc.array(
      fc.tuple(
        instant,
        name,
        thousandths,
        integer,
        fc.option(text),
        fc.option(instant, { nil: NA }),
        fewThousandths,
        fewThousandths,
      ),
      { maxLength: 30 },
    ),
    fc.array(text, { minLength: 4, maxLength: 4 }),
    fc.array(fc.nat({ max: 30 }), { maxLength: 3 }),
  )
  .map(([rows, names, cuts]) => {
    const block = (from: number, to: number): TableBlock => {
      const part = rows.slice(from, to);
      const columns: TableColumn[] = [
        { name: "at", kind: "instant", values: Float64Array.from(part, (row) => row[0]) },
        { name: "n,m", kind: "name", values: Int32Array.from(part, (row) => row[1]), names },
        { name: "kw", kind: "thousandths", values: Float64Array.from(part, (row) => row[2]) },
        { name: "kwh", kind: "thousandths", values: Float64Array.from(part, (row) => row[6]) },
        { name: 'q"', kind: "integer", values: Float64Array.from(part, (row) => row[3]) },
        { name: "note", kind: "text", values: part.map((row) => row[4]) },
        { name: "late", kind: "thousandths", values: Float64Array.from(part, (row) => row[7]) },
        { name: "until", kind: "instant", values: Float64Array.from(part, (row) => row[5]), optional: true },
      ];
      return { rowCount: part.length, columns };
    };
    const edges = [0, ...cuts.filter((cut) => cut < rows.length).sort((a, b) => a - b), rows.length];
    const parts = edges.slice(1).map((to, k) => block(edges[k], to));
    return { whole: block(0, rows.length), parts };
  });

/** What a reader finds in the cells, `null` for not applicable. */
export function cellsOf({ rowCount, columns }: TableBlock): (string | number | null)[][] {
  const cell = (column: TableColumn, row: number): string | number | null => {
    if (column.kind === "text") return column.values[row];
    const value = column.values[row];
    if (column.kind === "name") return value === -1 ? null : column.names[value];
    if (Number.isNaN(value)) return null;
    if (column.kind === "thousandths") return value / 1000 + 0;
    return column.kind === "instant" ? new Date(value).toISOString().replace(".000Z", "Z") : value + 0;
  };
  return Array.from({ length: rowCount }, (_, row) => columns.map((column) => cell(column, row)));
}
