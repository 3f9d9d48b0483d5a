// The ways in which files arrive damaged, each for every format that it can happen to: the error names line, column, what was
// found and what would be right.
import { deflateRawSync, gzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import type { FormatOptions } from "../../src/inputs/formats/fileFormat.ts";
import type { FormatProblem } from "../../src/inputs/formats/formatProblem.ts";
import { readFormatFile } from "../../src/inputs/formats/readFormatFile.ts";
import { FORMATS, formatById } from "../../src/inputs/formats/registry.ts";
import { problemsOf, seriesOf, type TextFile } from "./readText.ts";
import { VALID_FILES } from "./validFiles.ts";

/** Where damage can be done to the valid file of a format. */
interface Layout {
  /** Line with the names of the columns, from 1. */
  readonly header: number;
  /** Lines of flags behind it that belong to it. */
  readonly flags?: number;
  /** A column that the format cannot do without. */
  readonly required: string;
  /** Whether times are found below any header. */
  readonly hasAnyHeader?: true;
  /** Two columns that may stand in any order; absent where the position decides. */
  readonly swapped?: readonly [string, string];
  /** A date as printed in a row, which occurs in no other line. */
  readonly date: string;
  /** A number as printed, which occurs once. */
  readonly amount: string;
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  jepx_spot: {
    header: 1,
    required: "時刻コード",
    swapped: ["システムプライス(円/kWh)", "エリアプライス東京(円/kWh)"],
    date: "2031/04/01,2",
    amount: "12.35",
  },
  jepx_intraday: {
    header: 1,
    required: "平均(円/kWh)",
    swapped: ["始値(円/kWh)", "平均(円/kWh)"],
    date: "2031/04/01,1",
    amount: "10.16",
  },
  jepx_fit_fip: {
    header: 1,
    required: "年月日",
    swapped: ["回避可能原価東京(円/kWh)", "回避可能原価全国値(円/kWh)"],
    date: "2031/04/01,2",
    amount: "11.23",
  },
  jepx_virtual_price: {
    header: 1,
    required: "システムプライス",
    swapped: ["売500MW", "買500MW"],
    date: "2031/04/01,2",
    amount: "0.15",
  },
  eprx_results: {
    header: 3,
    required: "取引情報",
    swapped: ["北海道", "東京"],
    date: "20310702B01,落札",
    amount: "4.89",
  },
  eprx_resources: {
    header: 3,
    required: "取引情報",
    swapped: ["火力発電", "VPP"],
    date: "20310702B01",
    amount: "101.25",
  },
  eprx_tie_lines: {
    header: 3,
    required: "順方向元エリア",
    date: "20310702B01",
    amount: "1500.5",
  },
  eprx_requirements: { header: 2, required: "2031/4_", date: "00:00～00:30,200", amount: "1007" },
  imbalance_price: { header: 2, required: "東京", date: '20310702","48', amount: "6.20" },
  area_supply: {
    header: 2,
    required: "エリア需要",
    swapped: ["原子力", "連系線"],
    date: "2031/7/1,0:30",
    amount: "660",
  },
  power_usage: {
    header: 2,
    required: "当日実績(万kW)",
    date: "2031/7/1,1:00",
    amount: "2355",
  },
  occto_reserve: {
    header: 2,
    required: "エリア需要(MW)",
    swapped: ["広域予備率(%)", "エリア供給力(MW)"],
    date: '2031/07/01","01:00',
    amount: "16.62",
  },
  meter_days: { header: 2, required: "5:00～5:30", date: "2031/07/01", amount: "1007" },
  jma_hourly: { header: 4, flags: 1, required: "年月日時", date: "2031/7/1 13", amount: "25.6" },
  tmy3: {
    header: 2,
    required: "GHI (W/m^2)",
    swapped: ["GHI (W/m^2)", "RHum (%)"],
    date: "07/04/1997,02",
    amount: "20.5",
  },
  nsrdb: { header: 3, required: "Minute", swapped: ["Wind Speed", "GHI"], date: "2031,7,1,0,30", amount: "20.6" },
  pvgis: { header: 2, required: "time", swapped: ["G(i)", "T2m"], date: "20310701:0310", amount: "513.5" },
  smard: { header: 1, required: "Datum bis", date: "25.10.2026 01:00;25.10.2026 02", amount: "-5,01" },
  entsoe_prices: {
    header: 1,
    required: "Day-ahead Price (EUR/MWh)",
    swapped: ["Area", "Sequence"],
    date: "25/10/2026 01:00:00 - 25/10/2026 02",
    amount: "11.00",
  },
  table: { header: 1, required: "日時", hasAnyHeader: true, date: "2031/7/1 0:30", amount: "1451" },
};
const CSV_FILES = VALID_FILES.filter(({ format }) => Object.hasOwn(LAYOUTS, format)).map(
  (file) => [file.format, file, LAYOUTS[file.format]] as const,
);
const eol = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");
const linesOf = ({ text }: TextFile): string[] => text.split(/\r?\n/);
const withLines = (file: TextFile, lines: readonly string[]): TextFile => ({
  ...file,
  text: lines.join(eol(file.text)),
});
const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split("\n").length;
const bytesOf = ({ text, encoding = "cp932" }: TextFile): Buffer => iconv.encode(text, encoding);

function firstProblem(file: TextFile): FormatProblem {
  const [problem] = problemsOf(file);
  expect(problem, `${file.format} reads\n${file.text}`).toBeDefined();
  return problem;
}

function problemsOfBytes(id: string, content: Buffer, options: FormatOptions = {}): FormatProblem[] {
  const format = formatById(id);
  if (format === null) throw new Error(id);
  const { table, problems } = readFormatFile(format, { name: "file.csv", content }, options);
  expect(table, id).toBeNull();
  return problems.groups.flatMap(({ first }) => first);
}

/** "12.35" as a decimal comma writes it; of a whole number, half more. */
const withComma = (amount: string): string =>
  amount.includes(",") ? amount.replace(",", ".") : amount.includes(".") ? amount.replace(".", ",") : `${amount},5`;

describe.each(CSV_FILES)("%s", (_, file, { header, flags = 0, required, hasAnyHeader, swapped, date, amount }) => {
  const lines = linesOf(file);
  const isQuoted = lines[header - 1].startsWith('"');
  const amountLine = lineOf(file.text, amount);

  test("without its header the file is refused with the columns that a header has", () => {
    const { found, allowed } = firstProblem(
      withLines(
        file,
        lines.filter((_, k) => k !== header - 1),
      ),
    );
    expect(found).toMatch(/^no (header row|hourly table|T record|H, P and TT records)/);
    expect(allowed).toMatch(/^a (row|line|result file|hourly|an hourly)|^an hourly/);
  });

  if (hasAnyHeader !== true)
    test("a column with another name is named, or the columns that a header has", () => {
      const { line, key, found, allowed } = firstProblem({ ...file, text: file.text.replace(required, "別") });
      const isNamed = key === required && line === header && found === "no such column";
      expect(isNamed || /^no (header row|hourly table)/.test(found) || line === header).toBe(true);
      if (isNamed) expect(allowed).toContain("別");
    });

  if (swapped !== undefined)
    test("columns in another order are read by their names", () => {
      const [first, second] = swapped;
      const cellsOf = (line: string) => line.split(file.text.includes(";") ? ";" : ",");
      const names = cellsOf(lines[header - 1]).map((name) => name.replaceAll('"', ""));
      const [a, b] = [names.indexOf(first), names.indexOf(second)];
      const swappedLines = lines.map((line, k) => {
        const cells = cellsOf(line);
        if (k < header - 1 || cells.length < names.length) return line;
        [cells[a], cells[b]] = [cells[b], cells[a]];
        return cells.join(",");
      });
      const valuesOf = (source: TextFile) =>
        Object.fromEntries(
          seriesOf(source).columns.map(({ role, timesMs, values }) => [role, [...timesMs, ...values]]),
        );
      expect(valuesOf(withLines(file, swappedLines))).toEqual(valuesOf(file));
    });

  test("a header alone has no rows with data", () => {
    const end = lines.includes("E") ? ["E"] : [];
    const { found } = firstProblem(withLines(file, [...lines.slice(0, header + flags), ...end, ""]));
    expect(found).toMatch(/^no rows with (data|times)|^0 half hours/);
  });

  test("a file that is cut within a row has too few cells there, or no end", () => {
    const row = lines[amountLine - 1];
    const until = Math.max(1, row.indexOf(amount) - (isQuoted ? 3 : 1));
    const cut = { ...file, text: [...lines.slice(0, amountLine - 1), row.slice(0, until)].join(eol(file.text)) };
    const list = problemsOf(cut);
    if (list.length === 0) {
      // A last cell that is lost, or a part of a number, cannot be distinguished from an empty cell or from another number.
      expect(seriesOf(cut).notes.join()).toContain(`line ${amountLine}, the last one, has no line end`);
      return;
    }
    expect(list.some(({ line, found }) => line === amountLine || /E record|half hours/.test(found))).toBe(true);
  });

  test("a number with the other decimal sign is refused with its place", () => {
    const cell = withComma(amount);
    const isDelimited = isQuoted || file.text.includes(";");
    const text = file.text.replace(amount, isDelimited ? cell : `"${cell}"`);
    const problem = firstProblem({ ...file, text });
    expect(problem).toMatchObject({ line: amountLine, found: JSON.stringify(cell) });
    expect(problem.allowed).toMatch(/^a number/);
    expect(text.split("\n")[amountLine - 1].slice(problem.column - 1)).toMatch(/^"?-?\d/);
  });

  test("a date in another order is refused with its place", () => {
    const { line, found, allowed } = firstProblem({
      ...file,
      text: file.text.replace(date, date.replace(/\d+/, "01.02.31")),
    });
    expect(line).toBe(lineOf(file.text, date));
    expect(found).toContain("01.02.31");
    expect(allowed).toMatch(/(date|time|hour|block|period|day)/);
  });
});

describe("any format", () => {
  const IDS = FORMATS.map(({ id }) => id);
  const page = Buffer.from("<!DOCTYPE html>\n<html><head><title>403 Forbidden</title></head><body>…</body></html>");
  const workbook = Buffer.concat([Buffer.from("PK\u0003\u0004"), deflateRawSync(Buffer.alloc(300))]);

  test.each<[string, Buffer, RegExp, RegExp]>([
    ["an empty file", Buffer.alloc(0), /^an empty file$/, /a file of the format/],
    ["blank lines", Buffer.from("\r\n\r\n  \r\n"), /^an empty file$/, /a file of the format/],
    ["a web page", page, /^a web page \(HTML\) with the title "403 Forbidden"$/, /download it again/],
    ["a workbook with the name of a CSV file", workbook, /^a ZIP archive or an \.xlsx workbook$/, /saved as CSV/],
    ["an old workbook", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /^an \.xls workbook$/, /saved as CSV/],
    ["a document", Buffer.from("%PDF-1.7 …"), /^a PDF document$/, /the data as CSV/],
    ["half a gzip file", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), /gzip/, /a complete gzip file/],
  ])("%s is named by its type", (_, content, found, allowed) => {
    for (const id of IDS) {
      const [problem] = problemsOfBytes(id, content);
      expect(problem.found).toMatch(found);
      expect(problem.allowed).toMatch(allowed);
    }
  });

  test.each(VALID_FILES.map((file) => [file.format, file] as const))("%s: zeros have a place", (format, file) => {
    const content = bytesOf(file);
    const line = 2 + Math.min(1, linesOf(file).length - 2);
    const at = content.indexOf("\n", content.indexOf("\n") + 1) + 1;
    const broken = Buffer.concat([content.subarray(0, at), Buffer.from([0, 0]), content.subarray(at)]);
    const [problem] = problemsOfBytes(format, broken);
    expect(problem).toMatchObject({ line: at === 0 ? 1 : line, column: 1 });
    expect(problem.found).toMatch(/^a zero byte in (cp932|utf-8) text$/);
  });
});

describe("encodings", () => {
  const japanese = CSV_FILES.map(([, file]) => file).filter(
    ({ text, encoding }) => /[ぁ-龠]/.test(text) && encoding === undefined,
  );

  test.each(japanese.map((file) => [file.format, file] as const))(
    "%s that is cut within a character",
    (format, file) => {
      // The last character that has several bytes, without the last of them.
      const at = Math.max(...[...file.text.matchAll(/[ぁ-龠～]/g)].map(({ index }) => index));
      for (const encoding of ["cp932", "utf8"]) {
        const content = iconv.encode(file.text.slice(0, at + 1), encoding);
        const [{ line, column, found, allowed }] = problemsOfBytes(format, content.subarray(0, -1));
        expect({ line, column }).toEqual({
          line: lineOf(file.text, file.text.slice(at)),
          column: at - file.text.lastIndexOf("\n", at),
        });
        expect(found).toBe(`bytes that are no ${encoding === "utf8" ? "utf-8" : encoding} text`);
        expect(allowed).toContain("cut off");
      }
    },
  );

  test.each(japanese.map((file) => [file.format, file] as const))(
    "%s with another encoding than the option says",
    (format, file) => {
      const [said] = problemsOfBytes(format, bytesOf(file), { encoding: "utf-8" });
      expect(said).toMatchObject({ line: expect.any(Number), found: "bytes that are no utf-8 text" });
      expect(said.allowed).toContain("the option encoding");
      const list = problemsOfBytes(format, iconv.encode(file.text, "utf8"), { encoding: "euc-jp" });
      const hint = list.find(({ key }) => key === "encoding") ?? list[0];
      expect(hint.found).toMatch(/^euc-jp, for a file that seems to be utf-8$|^bytes that are no euc-jp text$/);
    },
  );

  test("a packed file with another encoding than the option says has the hint of its text", () => {
    const file = VALID_FILES.find(({ format }) => format === "power_usage") as TextFile;
    const content = iconv.encode(file.text, "utf8");
    const hints = [content, gzipSync(content)].map((bytes) =>
      problemsOfBytes(file.format, bytes, { ...file.options, encoding: "windows-1252" }).find(
        ({ key }) => key === "encoding",
      ),
    );
    expect(hints[0]?.found).toBe("windows-1252, for a file that seems to be utf-8");
    expect(hints[1]).toEqual(hints[0]);
  });
});

describe("rows of days", () => {
  const spot = (rows: readonly string[]): TextFile => ({
    format: "jepx_spot",
    options: { area: "tokyo" },
    text: ["受渡日,時刻コード,エリアプライス東京(円/kWh)", ...rows, ""].join("\r\n"),
  });
  const day = (date: string, price = "9.00", slots = 48): string[] =>
    Array.from({ length: slots }, (_, k) => `2031/04/${date},${k + 1},${price}`);

  test("a day that is missing is a gap", () => {
    expect(seriesOf(spot([...day("01"), ...day("03")])).gaps).toEqual([
      { fromMs: Date.UTC(2031, 3, 1, 15), toMs: Date.UTC(2031, 3, 2, 15) },
    ]);
  });

  test("a day that occurs twice is read once, and with other values is an error with both lines", () => {
    const table = seriesOf(spot([...day("01"), ...day("01")]));
    expect(table.columns[0].values).toHaveLength(48);
    expect(table.notes).toContain("48 repeated rows with equal values are read once");
    expect(firstProblem(spot([...day("01"), ...day("01", "9.50")]))).toMatchObject({
      line: 50,
      found: "a second row of 2031-03-31T15:00:00Z with other values than line 2",
      allowed: "one row for each interval",
    });
  });

  test("a day of 49 or 50 slots is an error: Japan has no clock changes", () => {
    for (const slots of [49, 50])
      expect(firstProblem(spot(day("01", "9.00", slots)))).toMatchObject({ line: 50, column: 12, found: '"49"' });
  });

  test("thousands separators and 24:00 are read where a table has them", () => {
    const text = '日付,時刻,需要(kW)\r\n2031/4/1,0:30,"1,450.5"\r\n2031/4/1,24:00,"12,345,678"\r\n';
    expect([...seriesOf({ format: "table", text }).columns[0].values]).toEqual([1450.5, 12_345_678]);
    for (const wrong of ["1,45", "12,34,567", "0,155", "1,450,"])
      expect(firstProblem({ format: "table", text: text.replace("1,450.5", wrong) })).toMatchObject({
        line: 2,
        column: 15,
      });
  });

  test("dates of several forms are read where the year is first, and another order in between is an error", () => {
    const rows = ["2031/4/1 0:00,1", "2031-04-01 0:30,2", "2031年4月1日 1:00,3", "R13.4.1 1:30,4"];
    const text = (list: readonly string[]) => ["日時,値", ...list, ""].join("\r\n");
    expect([...seriesOf({ format: "table", text: text(rows) }).columns[0].values]).toEqual([1, 2, 3, 4]);
    expect(firstProblem({ format: "table", text: text([...rows, "04/01/2031 2:00,5"]) })).toMatchObject({
      line: 6,
      column: 1,
      found: '"04/01/2031 2:00"',
      allowed: "a time such as 2026/4/1 9:00; other orders of day and month need the option date_order",
    });
  });
});

describe("days of clock changes", () => {
  const smard = (date: string, hours: readonly string[]): TextFile => ({
    format: "smard",
    encoding: "utf8",
    text: [
      "\uFEFFDatum von;Datum bis;Deutschland/Luxemburg [€/MWh] Originalauflösungen",
      ...hours.map(
        (hour, k) => `${date} ${hour};${k + 1 < hours.length ? date : "01.01.2027"} ${hours[k + 1] ?? "00:00"};${k},00`,
      ),
      "",
    ].join("\r\n"),
  });
  const hours = (list: readonly number[]) => list.map((hour) => `${String(hour).padStart(2, "0")}:00`);
  const day = Array.from({ length: 24 }, (_, hour) => hour);

  test("23 and 25 hours are whole days, and an hour that the clocks leave out is an error", () => {
    const short = seriesOf(smard("29.03.2026", hours(day.filter((hour) => hour !== 2))));
    expect([short.columns[0].values.length, short.gaps]).toEqual([23, []]);
    const long = seriesOf(smard("25.10.2026", hours([0, 1, 2, ...day.slice(2)])));
    expect([long.columns[0].values.length, long.gaps]).toEqual([25, []]);
    expect(firstProblem(smard("29.03.2026", hours(day)))).toMatchObject({
      line: 4,
      column: 1,
      found: '"29.03.2026 02:00"',
    });
  });

  test.each<[string, number]>([
    ["2026-03-29", 46],
    ["2026-06-01", 48],
    ["2026-10-25", 50],
  ])("settlement periods of %s", (date, count) => {
    const periods = (until: number) =>
      JSON.stringify({
        data: Array.from({ length: until }, (_, k) => ({
          settlementDate: date,
          settlementPeriod: k + 1,
          systemSellPrice: k,
        })),
      });
    const table = seriesOf({ format: "elexon_prices", text: periods(count) });
    expect([table.columns[0].values.length, table.gaps]).toEqual([count, []]);
    expect(firstProblem({ format: "elexon_prices", text: periods(count + 1) })).toMatchObject({
      key: "settlementPeriod",
      found: `"${count + 1}" in entry ${count + 1}`,
      allowed: `a period from 1 to ${count}`,
    });
  });
});
