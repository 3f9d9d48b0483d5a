import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCsvHeader, readNumericCsv, readNumericPieces } from "../../src/engine/series/csv/readNumericCsv.ts";
import { runs } from "../depth.ts";
import { needingShared } from "../needing.ts";

const T0 = Date.parse("2026-04-01T00:00:00Z");
const read = (text: string, columns = ["a"]) => readNumericCsv(Buffer.from(text), { time: "t", columns });

/** The same of a file in pieces of a size; each piece is overwritten by the next one. */
function readInPieces(text: string, pieceBytes: number, columns = ["a"]) {
  const bytes = Buffer.from(text);
  const buffer = new Uint8Array(pieceBytes);
  function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes);
      buffer.set(piece);
      yield buffer.subarray(0, piece.length);
    }
  }
  return readNumericPieces({ byteCount: bytes.length, pieces: pieces() }, "t", () => columns);
}

/** The column of a sound file, with its stamps in minutes after T0. */
function rowsOf(content: Buffer | string, column = "a"): { minutes: number[]; values: number[]; lines: number[] } {
  const csv = readNumericCsv(Buffer.from(content), { time: "t", columns: [column] });
  if (!csv.ok) throw new Error(JSON.stringify(csv.problems));
  const { timesMs, columns, lines } = csv.table;
  return { minutes: [...timesMs].map((ms) => (ms - T0) / 60_000), values: [...columns[0]], lines: [...lines] };
}

describe("files that are read", () => {
  const TWO_ROWS = { minutes: [0, 30], values: [1.5, -2], lines: [2, 3] };
  test.each([
    ["plain", "t,a\n2026-04-01T00:00:00Z,1.5\n2026-04-01T00:30:00Z,-2\n"],
    ["without a last line end", "t,a\n2026-04-01T00:00:00Z,1.5\n2026-04-01T00:30:00Z,-2"],
    ["CRLF", "t,a\r\n2026-04-01T00:00:00Z,1.5\r\n2026-04-01T00:30:00Z,-2\r\n"],
    ["CR", "t,a\r2026-04-01T00:00:00Z,1.5\r2026-04-01T00:30:00Z,-2\r"],
    ["byte order mark", "\ufefft,a\n2026-04-01T00:00:00Z,1.5\n2026-04-01T00:30:00Z,-2\n"],
    ["quotes", '"t","a"\n"2026-04-01T00:00:00Z","1.5"\n"2026-04-01T00:30:00Z","-2"\n'],
    ["blanks around fields", "t , a\n 2026-04-01T00:00:00Z ,\t1.5\n2026-04-01T00:30:00Z, -2 \n"],
    ["offsets", "t,a\n2026-04-01T09:00:00+09:00,1.5\n2026-03-31T19:30:00-05:00,-2\n"],
    ["other columns of any content", "x,t,n,a\n?,2026-04-01T00:00:00Z,,1.5\nNaN,2026-04-01T00:30:00Z,ü,-2\n"],
    ["other spellings of numbers", "t,a\n2026-04-01T00:00:00Z,+15e-1\n2026-04-01T00:30:00Z,-2.\n"],
    ["blank lines at the end", "t,a\n2026-04-01T00:00:00Z,1.5\n2026-04-01T00:30:00Z,-2\n\n\r\n"],
  ])("%s", (_, text) => {
    expect(rowsOf(text)).toEqual(TWO_ROWS);
  });

  test("an empty cell is NaN, and -0 is 0", () => {
    const text =
      't,a\n2026-04-01T00:00:00Z,\n2026-04-01T00:01:00Z,""\n2026-04-01T00:02:00Z, \n2026-04-01T00:03:00Z,-0\n';
    expect(rowsOf(text).values).toEqual([Number.NaN, Number.NaN, Number.NaN, 0]);
  });

  test("lines count on through blank lines and line ends inside quotes", () => {
    const text = 't,a,n\n\n2026-04-01T00:00:00Z,1,"two\nlines"\n2026-04-01T00:01:00Z,2,x\n';
    expect(rowsOf(text).lines).toEqual([3, 5]);
  });

  test("columns come in the requested order, one twice if requested twice", () => {
    const csv = read("a,t,b\n1,2026-04-01T00:00:00Z,2\n", ["b", "a", "b"]);
    expect(csv.ok && csv.table.columns.map((column) => column[0])).toEqual([2, 1, 2]);
  });

  test("the header can be had alone", () => {
    expect(readCsvHeader(Buffer.from('t,"x, y",b\n1,2,3'))).toEqual(["t", "x, y", "b"]);
    expect(readCsvHeader(Buffer.from(""))).toEqual([]);
  });

  test("more rows than the first one lets expect", () => {
    const rows = Array.from(
      { length: 500 },
      (_, k) => `${new Date(T0 + k * 60_000).toISOString().slice(0, 16)}Z,${k % 10}`,
    );
    const text = `t,a\n2026-03-31T23:00:00.000000000+00:00,0.00000000000000000000000000000000000000000001\n${rows.join("\n")}`;
    expect(rowsOf(text).values.slice(1)).toEqual(rows.map((_, k) => k % 10));
  });
});

describe("files that are refused", () => {
  const row = (minute: number, value: string) => `2026-04-01T00:0${minute}:00Z,${value}\n`;
  test.each([
    ["", [1, undefined, "an empty file", /header/]],
    ["\n\n", [1, undefined, "an empty file", /header/]],
    ["t,a\n", [1, undefined, "a header without rows", /at least one row/]],
    ["time,b\n1,2\n", [1, "t", "no such column", /time, b/], [1, "a", "no such column", /time, b/]],
    ["t,a,a\n", [1, "a", "2 columns of this name", /t, a, a/]],
    [`t,a\n${row(1, "NaN")}`, [2, "a", '"NaN"', /finite number/]],
    [`t,a\n${row(1, "Infinity")}`, [2, "a", '"Infinity"', /finite number/]],
    [`t,a\n${row(1, "1e999")}`, [2, "a", '"1e999"', /finite number/]],
    [`t,a\n${row(1, "0x10")}`, [2, "a", '"0x10"', /finite number/]],
    [`t,a\n${row(1, "-")}`, [2, "a", '"-"', /finite number/]],
    [`t,a\n${row(1, ".")}`, [2, "a", '"."', /finite number/]],
    [`t,a\n${row(1, "1.2.3")}`, [2, "a", '"1.2.3"', /finite number/]],
    [`t,a\n${row(1, '"1,5"')}`, [2, "a", '"1,5"', /finite number/]],
    [`t,a\n${row(1, "1")}${row(1, "2")}`, [3, "t", /the same as the row on line 2/, /after 2026-04-01T00:01:00.000Z/]],
    [`t,a\n${row(2, "1")}${row(1, "2")}`, [3, "t", /before the row on line 2/, /after 2026-04-01T00:02:00.000Z/]],
    ["t,a\n2026-04-01T00:00:00,1\n", [2, "t", '"2026-04-01T00:00:00"', /Z or an offset/]],
    ["t,a\n,1\n", [2, "t", "an empty cell", /ISO 8601/]],
    [`t,a\n${row(1, "1,2")}`, [2, undefined, "3 fields", /2 fields, as in the header/]],
    ["t,a\n2026-04-01T00:00:00Z\n", [2, undefined, "1 field", /2 fields/]],
    [`t,a\n2026-04-01T00:00:00Z,"1\n`, [2, undefined, /without an end/, /doubled/]],
    [`t,a\n2026-04-01T00:00:00Z,"1"2\n`, [2, undefined, /between a closing quote/, /doubled/]],
    // Several at once, each with its own line.
    [
      `t,a\n${row(1, "x")}${row(2, "3")}${row(0, "y")}`,
      [2, "a", '"x"', /./],
      [4, "a", '"y"', /./],
      [4, "t", /before/, /./],
    ],
  ])("%j", (text, ...expected) => {
    const csv = read(text);
    if (csv.ok) throw new Error("the file was read");
    expect(readInPieces(text, 7)).toBeNull();
    const problems = csv.problems.flatMap(({ first }) => first);
    expect(problems).toHaveLength(expected.length);
    expected.forEach(([line, column, found, allowed], k) => {
      const problem = problems[k];
      expect([problem.line, problem.column]).toEqual([line, column]);
      if (typeof found === "string") expect(problem.found).toBe(found);
      else expect(problem.found).toMatch(found as RegExp);
      expect(problem.allowed).toMatch(allowed as RegExp);
    });
  });

  test("all errors are counted, by column, and the first 20 of each have their place", () => {
    const csv = read(`t,a\n${"never,nothing\n".repeat(500)}`);
    const counts = csv.ok ? [] : csv.problems.map(({ key, count, first }) => [key, count, first.length]);
    expect(counts).toEqual([
      ["t", 500, 20],
      ["a", 500, 20],
    ]);
  });
});

describe("differential", () => {
  const cell = fc.oneof(
    fc.constant(""),
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.tuple(fc.integer(), fc.nat({ max: 15 })).map(([n, places]) => (n / 1000).toFixed(places)),
    fc.constantFrom("1.", ".5", "+3", "007", "-0.000", "9007199254740993", "0.1234567890123456789"),
  );
  const text = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "é", " ", "1") });
  const quote = (value: string) => `"${value.replaceAll('"', '""')}"`;

  test("gives the very numbers that csv-parse and Number give", () => {
    const rows = fc.array(fc.tuple(cell, text, cell, fc.boolean()), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(rows, fc.constantFrom("\n", "\r\n"), fc.boolean(), (cells, lineEnd, closed) => {
        const lines = cells.map(([a, note, b, quoted], k) => {
          const time = new Date(T0 + k * 60_000).toISOString();
          return [quoted ? quote(time) : time, quoted ? quote(a) : a, quote(note), b].join(",");
        });
        const file = `t,a,note,b${lineEnd}${lines.join(lineEnd)}${closed ? lineEnd : ""}`;
        const records: Record<string, string>[] = parse(file, { columns: true });
        const number = (field: string) => (field === "" ? Number.NaN : Number(field) + 0);
        const csv = read(file, ["a", "b"]);
        if (!csv.ok) throw new Error(JSON.stringify(csv.problems));
        expect([...csv.table.timesMs]).toEqual(records.map((record) => Date.parse(record.t)));
        expect([...csv.table.columns[0]]).toEqual(records.map((record) => number(record.a)));
        expect([...csv.table.columns[1]]).toEqual(records.map((record) => number(record.b)));
      }),
      { numRuns: runs(300, 300) },
    );
  });

  test("a file in pieces of any size is the same table; with a quote, or not in UTF-8, it is left to be read whole", () => {
    const rows = fc.array(fc.tuple(cell, cell, fc.constantFrom("", "", "note", "é", '"x"', "\0")), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom("\n", "\r\n", "\n\n", "\r"),
        fc.integer({ min: 1, max: 200 }),
        (cells, lineEnd, size) => {
          const lines = cells.map(([a, b, note], k) => `${new Date(T0 + k * 60_000).toISOString()},${a},${note},${b}`);
          const file = `t,a,note,b${lineEnd}${lines.join(lineEnd)}`;
          const csv = read(file, ["a", "b"]);
          const isPlain = !/["\0]/.test(file);
          const expected = { header: ["t", "a", "note", "b"], columns: ["a", "b"], table: csv.ok && csv.table };
          expect(readInPieces(file, size, ["a", "b"])).toEqual(isPlain ? expected : null);
        },
      ),
      { numRuns: runs(300, 300) },
    );
    expect(readInPieces("t,a\n2026-04-01T00:00:00Z,1\n", 100)).not.toBeNull();
    const latin = [Buffer.from("t,a,note\n2026-04-01T00:00:00Z,1,\xe9\n", "latin1")];
    expect(readNumericPieces({ byteCount: 30, pieces: latin }, "t", () => ["a"])).toBeNull();
  });

  const measured = "data/open/load/kr_steelworks_2018-01_08_15min.csv.gz";
  needingShared(measured).test("reads a measured file", () => {
    const content = gunzipSync(readFileSync(new URL(`../../../shared/${measured}`, import.meta.url)));
    const [time, column] = readCsvHeader(content);
    const csv = readNumericCsv(content, { time, columns: [column] });
    expect(csv.ok && csv.table.timesMs.length).toBe(23_328);
    expect(csv.ok && new Date(csv.table.timesMs[0]).toISOString()).toBe("2017-12-31T15:00:00.000Z");
  });
});
