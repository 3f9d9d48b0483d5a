import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TableBlock } from "../../../src/accounting/recorders/tableBlock.ts";
import { TableWriteError } from "../../../src/platform/files.ts";
import { FolderSink } from "../../../src/platform/node/folderSink.ts";
import { createTableOpener } from "../../../src/report/tables/createTableOpener.ts";
import { LocalTables } from "../../../src/report/tables/localTables.ts";
import { openTableStore } from "../../../src/report/tables/openTableStore.ts";
import { rowsToBlock } from "../../../src/report/tables/rowsToBlock.ts";
import { CsvTableWriter } from "../../../src/report/tables/textTableWriter.ts";
import { needing } from "../../needing.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { cellsOf, fileAt, SAMPLE_BLOCK } from "./tableCases.ts";

describe("a table in several formats", () => {
  test("writes each format wanted and nothing else", async () => {
    const open = await createTableOpener(["csv", "json", "html", "parquet"]);
    const folder = createTemporaryFolder("tables");
    const table = open(new FolderSink(folder), "energy");
    table.write(SAMPLE_BLOCK);
    table.close();
    expect(table.files).toEqual(["energy.csv", "energy.jsonl", "energy.parquet"]);
    expect(readdirSync(folder).sort()).toEqual([...table.files]);
    expect(readFileSync(join(folder, "energy.csv"), "utf8").split("\n")).toHaveLength(5 + 1 + 1 + 1);
    expect(readFileSync(join(folder, "energy.jsonl"), "utf8").split("\n")).toHaveLength(5 + 1);
    expect(readFileSync(join(folder, "energy.parquet"), "latin1").slice(-4)).toBe("PAR1");
  });

  test("html alone is no table", async () => {
    const open = await createTableOpener(["html"]);
    const folder = createTemporaryFolder("tables");
    const table = open(new FolderSink(folder), "energy");
    table.write(SAMPLE_BLOCK);
    table.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([false, true])("abort removes what was begun (closed before: %s)", async (closed) => {
    const open = await createTableOpener(["csv", "json", "parquet"]);
    const folder = createTemporaryFolder("tables");
    const table = open(new FolderSink(folder), "energy");
    table.write(SAMPLE_BLOCK);
    if (closed) table.close();
    table.abort();
    expect(readdirSync(folder)).toEqual([]);
    table.abort();
  });
});

describe("a file that cannot be written is named", () => {
  test("a folder that is missing", async () => {
    const openCsv = await createTableOpener(["csv"]);
    const folder = createTemporaryFolder("tables");
    const open = () => openCsv(new FolderSink(join(folder, "absent")), "energy");
    expect(open).toThrow(TableWriteError);
    expect(open).toThrow(join(folder, "absent", "energy.csv"));
  });

  test("the second of two files: the first is removed", async () => {
    const open = await createTableOpener(["csv", "parquet"]);
    const folder = createTemporaryFolder("tables");
    symlinkSync(join(folder, "absent", "x"), join(folder, "energy.parquet"));
    expect(() => open(new FolderSink(folder), "energy")).toThrow(/energy\.parquet: ENOENT/);
    expect(existsSync(join(folder, "energy.csv"))).toBe(false);
  });

  needing("/dev/full", existsSync("/dev/full")).test("a full disk", () => {
    const folder = createTemporaryFolder("tables");
    const path = join(folder, "energy.csv");
    symlinkSync("/dev/full", path);
    const table = new CsvTableWriter(fileAt(path));
    table.write(SAMPLE_BLOCK);
    expect(() => table.close()).toThrow(new RegExp(`cannot write ${path}: ENOSPC`));
    table.abort();
    expect([existsSync(path), existsSync("/dev/full")]).toEqual([false, true]);
  });

  test("after close no further block is accepted", () => {
    const folder = createTemporaryFolder("tables");
    const table = new CsvTableWriter(fileAt(join(folder, "energy.csv")));
    table.write(SAMPLE_BLOCK);
    table.close();
    table.write(SAMPLE_BLOCK);
    expect(() => table.close()).toThrow(/it is closed/);
  });
});

test("rows become a block: rounded half away from zero, flags as 0 and 1, null as not applicable", () => {
  const rows = [
    { at: 0, sku: "frr", kw: 1.0005, done: true, note: "x" },
    { at: 1000, sku: null, kw: null, done: false, note: null },
    { at: 2000, sku: "frr", kw: -0.0004, done: null, note: "" },
    { at: 3000, sku: "fcr", kw: -2.0005, done: 7, note: "y" },
  ];
  const block: TableBlock = rowsToBlock(rows, [
    { name: "at", kind: "instant", of: (row) => row.at },
    { name: "sku", kind: "name", of: (row) => row.sku },
    { name: "kw", kind: "thousandths", of: (row) => row.kw },
    { name: "done", kind: "integer", of: (row) => row.done },
    { name: "note", kind: "text", of: (row) => row.note },
  ]);
  expect(cellsOf(block)).toEqual([
    ["1970-01-01T00:00:00Z", "frr", 1.001, 1, "x"],
    ["1970-01-01T00:00:01Z", null, null, 0, null],
    ["1970-01-01T00:00:02Z", "frr", 0, null, ""],
    ["1970-01-01T00:00:03Z", "fcr", -2.001, 7, "y"],
  ]);
  expect(block.columns[1]).toMatchObject({ names: ["frr", "fcr"] });
});

test("a small report is written in this thread, because a thread takes longer to start", async () => {
  const store = await openTableStore(new FolderSink(createTemporaryFolder("tables")), ["csv"], 1000);
  expect(store).toBeInstanceOf(LocalTables);
  await store.abort();
});
