import { gzipSync } from "node:zlib";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { readNumericCsv } from "../../src/engine/series/csv/readNumericCsv.ts";
import { FormatProblems } from "../../src/inputs/formats/formatProblem.ts";
import { decodeBytes, encodingText } from "../../src/inputs/formats/text/decodeBytes.ts";
import { normaliseName, normaliseText } from "../../src/inputs/formats/text/normaliseText.ts";
import { PLAIN_AMOUNTS, parseAmount } from "../../src/inputs/formats/text/parseAmount.ts";
import { parseClock, parseClockRange, parseDate, parseStamp } from "../../src/inputs/formats/time/parseDate.ts";
import { SMALL_SCENARIO, scenarioErrors } from "../scenario/scenarioFixtures.ts";
import { problemsOf, readText, seriesOf, valuesOf } from "./readText.ts";
import { VALID_FILES } from "./validFiles.ts";

describe("encodings", () => {
  const text = "日付,需要（kW）\r\n2031/4/1,①㎜髙～\r\n";
  test.each<[string, Buffer, string, boolean]>([
    ["UTF-8", Buffer.from(text), "utf-8", false],
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${text}`), "utf-8", true],
    ["CP932 with characters of NEC and IBM", iconv.encode(text, "cp932"), "cp932", false],
    ["UTF-16 with a mark", iconv.encode(`\uFEFF${text}`, "utf-16le"), "utf-16le", true],
    ["UTF-16, high byte first", iconv.encode(`\uFEFF${text}`, "utf-16be"), "utf-16be", true],
    ["gzip", gzipSync(iconv.encode(text, "cp932")), "cp932", false],
    ["ASCII", Buffer.from("a,b\n1,2\n"), "utf-8", false],
  ])("%s is found", (_, bytes, encoding, hasByteOrderMark) => {
    const problems = new FormatProblems();
    const decoded = decodeBytes(bytes, problems, null);
    expect(problems.count).toBe(0);
    expect(decoded).toMatchObject({ encoding, hasByteOrderMark });
    if (encoding !== "utf-8" || hasByteOrderMark || bytes.length > 10) expect(decoded?.text).toMatch(/^(日付|a,b)/);
  });

  test.each<[string, Buffer, RegExp]>([
    ["a byte that CP932 does not have", Buffer.from([0x61, 0x0a, 0x62, 0xff, 0xfd]), /no cp932 text/],
    ["a workbook", Buffer.from("PK\u0003\u0004rest"), /ZIP archive/],
    ["half a gzip file", gzipSync("a".repeat(1000)).subarray(0, 20), /gzip/],
  ])("%s is refused", (_, bytes, found) => {
    const problems = new FormatProblems();
    expect(decodeBytes(bytes, problems, null)).toBeNull();
    expect(problems.groups[0].first[0].found).toMatch(found);
  });

  const xml = (name: string, text = "需要①") => `<?xml version="1.0" encoding="${name}"?>\n<a>${text}</a>`;
  test.each<[string, Buffer, string, string]>([
    ["Shift_JIS", iconv.encode(xml("Shift_JIS"), "cp932"), "cp932", "CP932 by the XML declaration"],
    ["EUC-JP", iconv.encode(xml("EUC-JP", "需要"), "euc-jp"), "euc-jp", "EUC-JP by the XML declaration"],
    [
      "ISO-8859-1",
      iconv.encode(xml("ISO-8859-1", "größer"), "latin1"),
      "windows-1252",
      "WINDOWS-1252 by the XML declaration",
    ],
    ["UTF-8", Buffer.from(xml("UTF-8")), "utf-8", "UTF-8 by the XML declaration"],
    [
      "UTF-16 with a mark",
      iconv.encode(`\uFEFF${xml("UTF-16")}`, "utf-16le"),
      "utf-16le",
      "UTF-16LE with a byte order mark",
    ],
    ["UTF-16, though the text is UTF-8", Buffer.from(xml("utf-16")), "utf-8", "UTF-8"],
    [
      "Shift_JIS, though a mark says UTF-8",
      Buffer.from(`\uFEFF${xml("Shift_JIS")}`),
      "utf-8",
      "UTF-8 with a byte order mark",
    ],
  ])("an XML declaration of %s", (_, bytes, encoding, text) => {
    const problems = new FormatProblems();
    const decoded = decodeBytes(bytes, problems, null);
    expect(problems.count).toBe(0);
    expect(decoded?.encoding).toBe(encoding);
    expect(decoded === null ? "" : encodingText(decoded)).toBe(text);
    expect(decoded?.text).toMatch(/<a>(需要①?|größer)<\/a>/);
  });

  test("an XML declaration that the bytes contradict, or of an unknown encoding, is an error, and the option goes first", () => {
    const sjis = iconv.encode(xml("UTF-8"), "cp932");
    const unknown = Buffer.from(xml("x-mac", "a"));
    const [contradicted, strange] = [sjis, unknown].map((bytes) => {
      const problems = new FormatProblems();
      expect(decodeBytes(bytes, problems, null)).toBeNull();
      return problems.groups[0].first[0];
    });
    expect(contradicted).toMatchObject({
      line: 2,
      column: 4,
      found: "bytes that are no utf-8 text, which the XML declaration names",
    });
    expect(strange).toMatchObject({ key: "encoding", found: "an XML declaration with the encoding x-mac" });
    expect(decodeBytes(sjis, new FormatProblems(), "cp932")?.text).toContain("<a>需要①</a>");
  });

  test.each(["utf-16le", "utf-16be"] as const)(
    "%s that ends within a character is refused as incomplete",
    (encoding) => {
      const whole = iconv.encode("\uFEFFa,b\n1,23", encoding);
      expect(decodeBytes(whole, new FormatProblems(), null)?.text).toBe("a,b\n1,23");
      const problems = new FormatProblems();
      expect(decodeBytes(whole.subarray(0, -1), problems, null)).toBeNull();
      expect(problems.groups[0].first[0].found).toBe(`half a character at the end of ${encoding} text`);
    },
  );

  test("the first wrong byte has a place", () => {
    const problems = new FormatProblems();
    decodeBytes(Buffer.concat([Buffer.from("a,b\nc,"), Buffer.from([0xff, 0xff])]), problems, null);
    expect(problems.groups[0].first[0]).toMatchObject({ line: 2, column: 3 });
  });
});

test("full-width forms, tildes and minus signs of two encodings are the same text", () => {
  expect(normaliseText("０：００～０：３０")).toBe("0:00~0:30");
  expect(normaliseText("0:00\u301C0:30")).toBe("0:00~0:30");
  expect(["\u2212", "－", "\u2015", "▲", "△"].map((sign) => normaliseText(`${sign}5`))).toEqual(Array(5).fill("-5"));
  expect(normaliseName("火力（ＬＮＧ） ")).toBe("火力(LNG)");
});

describe("amounts", () => {
  test.each<[string, number | null]>([
    ["1,450", 1450],
    ["-1,450", -1450],
    ["１２３．４", 123.4],
    ["▲12.5", -12.5],
    ["(123)", -123],
    [".5", 0.5],
    ["-0.0", 0],
    ["8.1999999999999993", 8.2],
    ["1.5e-3", 0.0015],
    ["1,45", null],
    ["1,4500", null],
    ["12 34", null],
    ["abc", null],
    ["--5", null],
    ["1e999", null],
    ["", Number.NaN],
    ["－", Number.NaN],
    ["*", Number.NaN],
    ["#N/A", Number.NaN],
    ["n/e", Number.NaN],
    ["欠測", Number.NaN],
    ["―", Number.NaN],
    ["**", Number.NaN],
    ["N/A", Number.NaN],
    ["///", Number.NaN],
    ["0", 0],
  ])("%j is %s", (cell, expected) => expect(parseAmount(cell, PLAIN_AMOUNTS)).toBe(expected));

  test("a German amount has a decimal comma", () => {
    const german = { decimal: ",", missing: new Set<string>() } as const;
    expect(["1.234,56", "-5,01", "0,5", "1.23"].map((cell) => parseAmount(cell, german))).toEqual([
      1234.56,
      -5.01,
      0.5,
      null,
    ]);
  });

  test("powers of ten are applied to the digits", () => {
    const toKw = { exponent: 3, factor: 1, divisor: 1 };
    expect(["2.345", "1.005", "0.1", "4.35"].map((cell) => parseAmount(cell, PLAIN_AMOUNTS, toKw))).toEqual([
      2345, 1005, 100, 4350,
    ]);
  });

  test("every double that is printed is read again", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseAmount(String(value), PLAIN_AMOUNTS)).toBe(value + 0);
      }),
    );
  });
});

describe("dates and times", () => {
  const day = Date.UTC(2026, 3, 1);
  test.each([
    "2026/04/01",
    "2026/4/1",
    "20260401",
    "2026-04-01",
    "2026年4月1日",
    "2026年4月1日（水）",
    "R8.4.1",
    "令和8年4月1日",
    "２０２６／４／１",
    "46113",
  ])("%s", (text) => expect(parseDate(text)).toBe(day));

  test("other orders of day and month are read only when they are stated", () => {
    expect([parseDate("01.04.2026"), parseDate("01.04.2026", "dmy"), parseDate("04/01/2026", "mdy")]).toEqual([
      null,
      day,
      day,
    ]);
  });

  test.each(["2026/2/29", "2026/13/1", "R1.4.30", "H31.5.1", "2026", "26/4/1", "1900", "31.12.2026x", "3.00E+20"])(
    "%s is no date",
    (text) => expect(parseDate(text, "dmy")).toBeNull(),
  );

  test("an era has its first and last day", () => {
    expect([parseDate("H31.4.30"), parseDate("令和元年5月1日"), parseDate("S64.1.7")]).toEqual([
      Date.UTC(2019, 3, 30),
      Date.UTC(2019, 4, 1),
      Date.UTC(1989, 0, 7),
    ]);
  });

  test("clock times, the end of the day and ranges", () => {
    const minutes = (text: string) => (parseClock(text) ?? Number.NaN) / 60_000;
    expect(["9:00", "09:30:00", "24:00", "9時", "9時30分", "1900/1/1 0:00"].map(minutes)).toEqual([
      540, 570, 1440, 540, 570, 1440,
    ]);
    expect(["24:30", "9:60", "9", "9:0:99", "x"].map(parseClock)).toEqual([null, null, null, null, null]);
    expect(parseClockRange("23:30～24:00")).toEqual({ startMs: 84_600_000, endMs: 86_400_000 });
    expect(parseClockRange("23:30〜0:00")).toEqual({ startMs: 84_600_000, endMs: 86_400_000 });
    expect(parseClockRange("9:30～9:00")).toBeNull();
  });

  test("a stamp may have an offset, and may be the end of its day", () => {
    expect(parseStamp("2026/4/1 9:00:00")).toMatchObject({ atMs: day + 32_400_000, isUtc: false });
    expect(parseStamp("2026-04-01T09:00+09:00")).toMatchObject({ atMs: day, isUtc: true });
    expect(parseStamp("2026/4/1 24:00")?.atMs).toBe(day + 86_400_000);
  });
});

describe("blanks without end", () => {
  const blanks = " ".repeat(200_000);
  const blankLines = "\n".repeat(200_000);

  test.each(VALID_FILES.map((file) => [file.format, file] as const))("within a file of %s are read once", (_, file) => {
    const lines = file.text.split("\n");
    const middle = Math.ceil(lines.length / 2);
    const text = [...lines.slice(0, middle), blankLines, ...lines.slice(middle)].join("\n");
    const { table, problems } = readText({ ...file, text });
    expect(table !== null || problems.count > 0).toBe(true);
  });

  test("between the rows of a table change nothing", () => {
    const text = `date,time,load(kW)\n2031/4/1,0:00${blanks}~${blanks}0:30,7${blankLines}2031/4/1,0:30~1:00,9\n${blankLines}`;
    expect(valuesOf(seriesOf({ format: "table", text }), "load(kW)")).toEqual({
      "2031-03-31T15:00:00.000Z": 7,
      "2031-03-31T15:30:00.000Z": 9,
    });
  });

  test("and digits and dots without end are no number", () => {
    const digits = "1".repeat(300_000);
    const text = `start,end,activation,delta_kw\n2031/7/1 9:00,2031/7/1 10:00,a${".".repeat(300_000)} x,-50\n`;
    expect(problemsOf({ format: "awards", text })).toMatchObject([{ key: "activation", allowed: "a number" }]);
    const csv = readNumericCsv(Buffer.from(`t,a\n2031-07-01T00:00:00Z,${digits}x\n`), { time: "t", columns: ["a"] });
    expect(csv.ok).toBe(false);
    expect(
      scenarioErrors(`${SMALL_SCENARIO}awards: [{file: a.csv, vpp: v}]\n`, {
        "a.csv": `start,delta_kw\n,${digits}x\n`,
      }).join("\n"),
    ).toMatch(/delta_kw: found "1+/);
  });

  test("within a time are no time", () => {
    expect(parseClockRange(`0:00${blanks}x~1:00`)).toBeNull();
  });
});
