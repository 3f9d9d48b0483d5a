import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import type { TableBlock } from "../../../src/accounting/recorders/tableBlock.ts";
import { ParquetTableWriter } from "../../../src/report/tables/parquetTableWriter.ts";
import type { TableFile } from "../../../src/report/tables/tableFile.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { arbitraryBlocks, cellsOf, EMPTY_BLOCK, SAMPLE_BLOCK, writtenBytes } from "./tableCases.ts";

const parquet = (file: TableFile) => new ParquetTableWriter(file);
/** Several row groups of a few rows each. */
const groupsOfSeven = (file: TableFile) => new ParquetTableWriter(file, undefined, 7);

const exactBuffer = (bytes: Buffer): ArrayBuffer => Uint8Array.from(bytes).buffer;

/** hyparquet gives instants as dates, which print like the ISO texts of `problemSize`. */
async function readBack(bytes: Buffer): Promise<unknown[][]> {
  const rows = await parquetReadObjects({ file: exactBuffer(bytes) });
  return rows.map((row) =>
    Object.values(row).map((cell) =>
      cell instanceof Date ? cell.toISOString().replace(".000Z", "Z") : (cell ?? null),
    ),
  );
}

test("every kind of cell comes back", async () => {
  expect(await readBack(writtenBytes(parquet, [SAMPLE_BLOCK]))).toEqual(cellsOf(SAMPLE_BLOCK));
});

test("random blocks come back, in one row group or many", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryBlocks, async ({ whole, parts }) => {
      fc.pre(whole.rowCount > 0);
      expect(await readBack(writtenBytes(groupsOfSeven, parts))).toEqual(cellsOf(whole));
    }),
  );
});

test("the bytes do not depend on how the rows are cut into blocks", () => {
  fc.assert(
    fc.property(arbitraryBlocks, ({ whole, parts }) => {
      expect(writtenBytes(groupsOfSeven, parts).equals(writtenBytes(groupsOfSeven, [whole]))).toBe(true);
    }),
  );
});

test("row groups have the requested size", () => {
  const many: TableBlock = { rowCount: 17, columns: [{ name: "n", kind: "integer", values: new Float64Array(17) }] };
  const { row_groups } = parquetMetadata(exactBuffer(writtenBytes(groupsOfSeven, [many])));
  expect(row_groups.map((group) => Number(group.num_rows))).toEqual([7, 7, 3]);
});

test("a count beyond 32 bits is a bug", () => {
  const large: TableBlock = {
    rowCount: 1,
    columns: [{ name: "n", kind: "integer", values: Float64Array.of(2 ** 31) }],
  };
  expect(() => writtenBytes(parquet, [large])).toThrow(/32 bits, not 2147483648/);
});

describe("DuckDB", () => {
  async function query(bytes: Buffer, sql: string): Promise<unknown[][]> {
    const folder = createTemporaryFolder("duckdb");
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    try {
      const path = join(folder, "t.parquet");
      writeFileSync(path, bytes);
      const answer = await connection.runAndReadAll(sql.replace("$file", `'${path}'`));
      return answer.getRowsJson();
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  }

  test("sees the types", async () => {
    const described = await query(writtenBytes(parquet, [SAMPLE_BLOCK]), "DESCRIBE SELECT * FROM read_parquet($file)");
    expect(described.map((row) => row.slice(0, 2))).toEqual([
      ["start", "TIMESTAMP WITH TIME ZONE"],
      ["site", "VARCHAR"],
      ["delta, kw", "DOUBLE"],
      ["import_kwh", "DOUBLE"],
      ["in_service", "INTEGER"],
      ["note", "VARCHAR"],
    ]);
  });

  test("reads the cells", async () => {
    const columns = 'epoch_ms("start")::DOUBLE, site, "delta, kw", import_kwh, in_service, note';
    const rows = await query(
      writtenBytes(groupsOfSeven, [SAMPLE_BLOCK, SAMPLE_BLOCK]),
      `SELECT ${columns} FROM read_parquet($file)`,
    );
    const expected = cellsOf(SAMPLE_BLOCK).map(([start, ...cells]) => [Date.parse(String(start)), ...cells]);
    expect(rows).toEqual([...expected, ...expected]);
  });

  test("reads a table without rows", async () => {
    expect(await query(writtenBytes(parquet, [EMPTY_BLOCK]), "SELECT count(*)::INT FROM read_parquet($file)")).toEqual([
      [0],
    ]);
  });
});
