import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TableBlock, TableColumn } from "../../../src/accounting/recorders/tableBlock.ts";
import { BugError } from "../../../src/base/assert.ts";
import type { TableFile } from "../../../src/report/tables/tableFile.ts";
import { CsvTableWriter, JsonLinesTableWriter } from "../../../src/report/tables/textTableWriter.ts";
import { arbitraryBlocks, cellsOf, EMPTY_BLOCK, SAMPLE_BLOCK, writtenBytes } from "./tableCases.ts";

const csv = (file: TableFile) => new CsvTableWriter(file);
/** So small that texts and rows meet the end of the buffer. */
const tightCsv = (file: TableFile) => new CsvTableWriter(file, undefined, 16);
const json = (file: TableFile) => new JsonLinesTableWriter(file);
const tightJson = (file: TableFile) => new JsonLinesTableWriter(file, undefined, 16);

const HEADER = 'start,site,"delta, kw",import_kwh,in_service,note\n';
const SAMPLE_CSV = `${HEADER}2026-04-01T00:00:00Z,bat-1,1.500,0.000,1,
2026-04-01T00:00:00Z,"a ""b"", c",0.000,-2147483.648,0,
2026-04-01T00:00:00.250Z,蓄電池,-0.001,0.999,,"two
lines"
1970-01-01T00:00:00Z,,,1.000,-7,"cr\rhere"
1969-12-31T23:59:59Z,bat-1,12345678901.234,-1234.560,2147483647,plain é
`;
const SAMPLE_JSON = `\
{"start":"2026-04-01T00:00:00Z","site":"bat-1","delta, kw":1.5,"import_kwh":0,"in_service":1,"note":null}
{"start":"2026-04-01T00:00:00Z","site":"a \\"b\\", c","delta, kw":0,"import_kwh":-2147483.648,"in_service":0,"note":""}
{"start":"2026-04-01T00:00:00.250Z","site":"蓄電池","delta, kw":-0.001,"import_kwh":0.999,"in_service":null,"note":"two\\nlines"}
{"start":"1970-01-01T00:00:00Z","site":null,"delta, kw":null,"import_kwh":1,"in_service":-7,"note":"cr\\rhere"}
{"start":"1969-12-31T23:59:59Z","site":"bat-1","delta, kw":12345678901.234,"import_kwh":-1234.56,"in_service":2147483647,"note":"plain é"}
`;

test.each([
  ["bulk CSV", csv, SAMPLE_CSV],
  ["bulk CSV through a tight buffer", tightCsv, SAMPLE_CSV],
  ["JSON Lines", json, SAMPLE_JSON],
  ["JSON Lines through a tight buffer", tightJson, SAMPLE_JSON],
])("%s of every kind of cell", (_, open, expected) => {
  expect(writtenBytes(open, [SAMPLE_BLOCK]).toString()).toBe(expected);
});

test.each([
  ["bulk CSV", csv, HEADER],
  ["JSON Lines", json, ""],
])("%s of a table without rows", (_, open, expected) => {
  expect(writtenBytes(open, [EMPTY_BLOCK]).toString()).toBe(expected);
});

/** The whole table by csv-stringify, numbers as texts. */
function byCsvStringify(block: TableBlock): string {
  const printed = (cell: unknown, { kind }: TableColumn) =>
    typeof cell === "number" && kind === "thousandths" ? cell.toFixed(3) : cell === null ? "" : String(cell);
  const rows = cellsOf(block).map((cells) => cells.map((cell, k) => printed(cell, block.columns[k])));
  return stringify([block.columns.map(({ name }) => name), ...rows]);
}

describe("over random blocks", () => {
  test("bulk CSV is what csv-stringify writes, however the rows are cut", () => {
    fc.assert(
      fc.property(arbitraryBlocks, ({ whole, parts }) => {
        const expected = byCsvStringify(whole);
        expect(writtenBytes(csv, [whole]).toString()).toBe(expected);
        expect(writtenBytes(tightCsv, parts).toString()).toBe(expected);
      }),
    );
  });

  test("csv-parse reads the cells back", () => {
    fc.assert(
      fc.property(arbitraryBlocks, ({ whole, parts }) => {
        const records: string[][] = parse(writtenBytes(csv, parts), { record_delimiter: "\n" });
        const texts = cellsOf(whole).map((row) => row.map((cell) => cell ?? ""));
        const back = records
          .slice(1)
          .map((row, r) => row.map((cell, c) => (typeof texts[r][c] === "number" ? Number(cell) : cell)));
        expect(records[0]).toEqual(whole.columns.map((column) => column.name));
        expect(back).toEqual(texts);
      }),
    );
  });

  test("JSON Lines are what JSON.stringify writes", () => {
    fc.assert(
      fc.property(arbitraryBlocks, ({ whole, parts }) => {
        const line = (cells: unknown[]) =>
          `${JSON.stringify(Object.fromEntries(cells.map((cell, k) => [whole.columns[k].name, cell])))}\n`;
        const expected = cellsOf(whole).map(line).join("");
        expect(writtenBytes(json, parts).toString()).toBe(expected);
        expect(writtenBytes(tightJson, [whole]).toString()).toBe(expected);
      }),
    );
  });
});

test("texts of several bytes a character are written whole, wherever the buffer ends", () => {
  const values = Array.from({ length: 150 }, (_, k) => "電".repeat(k));
  const block: TableBlock = { rowCount: values.length, columns: [{ name: "note", kind: "text", values }] };
  expect(writtenBytes(tightCsv, [block]).toString()).toBe(`note\n${values.join("\n")}\n`);
});

test("names of any length are written whole, wherever the buffer ends", () => {
  const names = Array.from({ length: 150 }, (_, k) => "n".repeat(k + 1));
  for (const name of names) {
    const values = new Int32Array(20);
    const columns: TableColumn[] = ["a", "b"].map((title) => ({ name: title, kind: "name", values, names: [name] }));
    const expected = `a,b\n${`${name},${name}\n`.repeat(values.length)}`;
    expect(writtenBytes(tightCsv, [{ rowCount: values.length, columns }]).toString()).toBe(expected);
  }
});

describe("a block that cannot be right is a bug", () => {
  const one = (column: TableColumn) => ({ rowCount: 1, columns: [column] });
  test.each([
    ["a fraction of a thousandth", one({ name: "c", kind: "thousandths", values: Float64Array.of(0.5) }), /whole/],
    [
      "an infinite number",
      one({ name: "c", kind: "integer", values: Float64Array.of(Number.POSITIVE_INFINITY) }),
      /whole/,
    ],
    [
      "an instant that is none",
      one({ name: "c", kind: "instant", values: Float64Array.of(Number.NaN) }),
      /whole millisecond/,
    ],
    [
      "a name beyond the list",
      one({ name: "c", kind: "name", values: Int32Array.of(1), names: ["a"] }),
      /one of the column's 1/,
    ],
    ["a column too short", one({ name: "c", kind: "text", values: [] }), /column c/],
    ["no columns", { rowCount: 0, columns: [] }, /at least one column/],
  ])("%s", (_, block, message) => {
    expect(() => writtenBytes(csv, [block])).toThrow(message);
    expect(() => writtenBytes(csv, [block])).toThrow(BugError);
  });

  test("columns that change, or a table without a block", () => {
    const renamed = {
      ...SAMPLE_BLOCK,
      columns: SAMPLE_BLOCK.columns.map((column) => ({ ...column, name: `${column.name}2` })),
    };
    for (const open of [csv, json]) {
      expect(() => writtenBytes(open, [SAMPLE_BLOCK, renamed])).toThrow(/same columns/);
      expect(() => writtenBytes(open, [])).toThrow(/at least one block/);
    }
  });
});

test.each([
  ["a day", ["2026-03-31T23:59:59Z", "2026-04-01T00:00:00Z", "2026-04-01T01:02:03Z", "2026-04-01T23:59:59Z"]],
  [
    "fractions",
    ["2026-04-01T00:00:00.250Z", "2026-04-01T10:00:00Z", "2026-04-01T10:00:00.007Z", "2026-04-01T09:00:00Z"],
  ],
  [
    "long ago and far ahead",
    ["-000001-12-31T12:00:00Z", "-000001-12-31T23:00:00Z", "1969-12-31T23:59:58Z", "1969-12-31T00:00:01Z"],
  ],
])("instants of %s follow one another", (_, texts) => {
  const values = Float64Array.from(texts, Date.parse);
  const block: TableBlock = { rowCount: values.length, columns: [{ name: "at", kind: "instant", values }] };
  expect(writtenBytes(csv, [block]).toString()).toBe(`at\n${texts.join("\n")}\n`);
  expect(writtenBytes(json, [block]).toString()).toBe(texts.map((text) => `{"at":"${text}"}\n`).join(""));
});
