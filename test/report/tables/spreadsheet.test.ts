// Tables for readers of spreadsheets: local times, CSV for Excel, and xlsx, which another library reads again.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { readXlsx } from "hucre/xlsx";
import readExcelFile from "read-excel-file/node";
import { beforeAll, describe, expect, test } from "vitest";
import type { TableBlock } from "../../../src/accounting/recorders/tableBlock.ts";
import { loadScenario } from "../../../src/inputs/scenario/loadScenario.ts";
import { FolderSink } from "../../../src/platform/node/folderSink.ts";
import { explainAward } from "../../../src/report/explain/explainAward.ts";
import { runScenario } from "../../../src/report/runScenario.ts";
import { readRecords } from "../../../src/report/tables/readTable.ts";
import { rowsToBlock } from "../../../src/report/tables/rowsToBlock.ts";
import { summaryBlock } from "../../../src/report/tables/summarySheet.ts";
import { PLAIN_LAYOUT, type TableLayout } from "../../../src/report/tables/tableLayout.ts";
import { CsvTableWriter, JsonLinesTableWriter } from "../../../src/report/tables/textTableWriter.ts";
import { XlsxBook } from "../../../src/report/tables/xlsxBook.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { runKpis } from "../html/reportFixtures.ts";
import { writtenBytes } from "./tableCases.ts";

interface Row {
  readonly at: string;
  readonly until: string | null;
  readonly id: string;
  readonly kw: number | null;
  readonly note: string | null;
  readonly active: boolean;
}

const at = (text: string | null): number | null => (text === null ? null : Date.parse(text));

function blockOf(rows: readonly Row[]): TableBlock {
  const { rowCount, columns } = rowsToBlock(rows, [
    { name: "start", kind: "instant", of: (row) => Date.parse(row.at) },
    { name: "until", kind: "optional instant", of: (row) => at(row.until) },
    { name: "id", kind: "name", of: (row) => row.id },
    { name: "kw", kind: "thousandths", of: (row) => row.kw },
    { name: "note", kind: "text", of: (row) => row.note },
  ]);
  const words = ["inactive", "active"] as const;
  const values = Float64Array.from(rows, ({ active }) => Number(active));
  return { rowCount, columns: [...columns, { name: "active", kind: "integer", values, words }] };
}

const ROWS: readonly Row[] = [
  { at: "2026-05-19T22:41:00Z", until: null, id: "川崎", kw: 1.5, note: null, active: false },
  {
    at: "2026-05-19T22:41:00.250Z",
    until: "2026-05-19T15:00:00Z",
    id: "=1+1",
    kw: null,
    note: '-a "b", c',
    active: true,
  },
  { at: "1970-01-01T00:00:00Z", until: null, id: "0012", kw: -1234.567, note: "two\nlines", active: true },
];

const TOKYO: TableLayout = { ...PLAIN_LAYOUT, timezone: "Asia/Tokyo" };
const LOCAL: TableLayout = { ...TOKYO, times: "local" };
/** An hour of the night of 25 October 2026 comes twice. */
const BERLIN: TableLayout = { ...PLAIN_LAYOUT, timezone: "Europe/Berlin", times: "local", hasClockChange: true };
const REPEATED = ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"].map((at) => ({ ...ROWS[0], at }));

const csv = (layout: TableLayout, rows = ROWS) =>
  writtenBytes((path) => new CsvTableWriter(path, layout), [blockOf(rows)]).toString();
const json = (layout: TableLayout, rows = ROWS) =>
  writtenBytes((path) => new JsonLinesTableWriter(path, layout), [blockOf(rows)]).toString();

describe("local times", () => {
  test("have their offset, in columns of another name", () => {
    expect(csv(LOCAL)).toBe(`start_local,until_local,id,kw,note,active
2026-05-20T07:41:00+09:00,,川崎,1.500,,0
2026-05-20T07:41:00.250+09:00,2026-05-20T00:00:00+09:00,=1+1,,"-a ""b"", c",1
1970-01-01T09:00:00+09:00,,0012,-1234.567,"two
lines",1
`);
    expect(json(LOCAL).split("\n")[0]).toBe(
      '{"start_local":"2026-05-20T07:41:00+09:00","until_local":null,"id":"川崎","kw":1.5,"note":null,"active":0}',
    );
    expect(csv(TOKYO)).toContain("start,until,id,kw,note,active\n2026-05-19T22:41:00Z,");
  });

  test("tell the repeated hour apart, west and east of Greenwich", () => {
    expect(csv(BERLIN, REPEATED)).toMatch(/\n2026-10-25T02:30:00\+02:00.*\n2026-10-25T02:30:00\+01:00/);
    const newfoundland = { ...LOCAL, timezone: "America/St_Johns" };
    expect(csv(newfoundland)).toContain("\n2026-05-19T20:11:00-02:30,");
  });
});

describe("CSV for Excel", () => {
  const EXCEL: TableLayout = { ...TOKYO, csv: "excel" };

  test("has a mark, CRLF, local pairs, and ids that no formula, number or date takes", () => {
    expect(csv(EXCEL)).toBe(
      [
        "\uFEFFstart_date,start_time,until_date,until_time,id,kw,note,active",
        "2026-05-20,07:41:00,,,川崎,1.500,,0",
        '2026-05-20,07:41:00.250,2026-05-20,00:00:00,"=""=1+1""",,"=""-a """"b"""", c""",1',
        '1970-01-01,09:00:00,,,"=""0012""",-1234.567,"two\nlines",1',
        "",
      ].join("\r\n"),
    );
    expect(json(EXCEL)).toBe(json(TOKYO));
  });

  test("has a column of offsets where the zone changes in the run", () => {
    expect(
      csv({ ...BERLIN, times: null, csv: "excel" }, REPEATED)
        .split("\r\n")
        .slice(0, 3),
    ).toEqual([
      "\uFEFFstart_date,start_time,start_offset,until_date,until_time,until_offset,id,kw,note,active",
      "2026-10-25,02:30:00,+02:00,,,,川崎,1.500,,0",
      "2026-10-25,02:30:00,+01:00,,,,川崎,1.500,,0",
    ]);
  });
});

type Sheets = ReadonlyMap<string, readonly (readonly unknown[])[]>;
const readSheets = async (path: string): Promise<Sheets> =>
  new Map((await readExcelFile(path)).map(({ sheet, data }) => [sheet, data]));

async function bookOf(layout: TableLayout, rows: readonly Row[], limits?: { book: number; sheet: number }) {
  const folder = createTemporaryFolder("book");
  const book = new XlsxBook(new FolderSink(folder), layout, limits);
  const table = book.open("awards");
  for (const row of rows) table.write(blockOf([row]));
  const closed = await book.close();
  return { folder, ...closed };
}

describe("xlsx", () => {
  test("has dates of the wall clock, numbers, texts that are no formulas, and words for flags", async () => {
    const { folder, digests } = await bookOf(TOKYO, ROWS);
    expect(digests.map(([file]) => file)).toEqual(["report.xlsx"]);
    const rows = (await readSheets(join(folder, "report.xlsx"))).get("awards");
    const wall = (text: string) => new Date(`${text}Z`);
    expect(rows?.map((row) => row.map(toSecond))).toEqual([
      ["start_local (Asia/Tokyo)", "until_local (Asia/Tokyo)", "id", "kw", "note", "active", "active_text"],
      [wall("2026-05-20T07:41:00"), null, "川崎", 1.5, null, 0, "inactive"],
      [wall("2026-05-20T07:41:00"), wall("2026-05-20T00:00:00"), "=1+1", null, '-a "b", c', 1, "active"],
      [wall("1970-01-01T09:00:00"), null, "0012", -1234.567, "two\nlines", 1, "active"],
    ]);
  });

  test("has a frozen bold head with a filter, formats, and widths by content", async () => {
    const { folder } = await bookOf(TOKYO, ROWS);
    const { sheets } = await readXlsx(readFileSync(join(folder, "report.xlsx")), { readStyles: true });
    const [sheet] = sheets;
    expect(sheet.freezePane).toMatchObject({ rows: 1 });
    expect(sheet.autoFilter?.range).toBe("A1:G4");
    const style = (cell: string) => sheet.cells?.get(cell)?.style;
    for (let column = 0; column < 7; column++) expect(style(`0,${column}`)?.font?.bold).toBe(true);
    expect([style("1,0")?.numFmt, style("1,3")?.numFmt]).toEqual(["yyyy-mm-dd hh:mm", "#,##0.000"]);
    expect(sheet.columns?.map(({ width }) => width)).toEqual([27, 27, 5, 11, 10, 9, 14]);
  });

  test("has offsets where the zone changes, and UTC where it is wanted", async () => {
    const change = await bookOf(BERLIN, REPEATED);
    const rows = (await readSheets(join(change.folder, "report.xlsx"))).get("awards");
    expect(rows?.map((row) => row[1])).toEqual(["start_offset", "+02:00", "+01:00"]);
    expect(rows?.slice(1).map((row) => toSecond(row[0]))).toEqual([0, 1].map(() => new Date("2026-10-25T02:30:00Z")));
    const utc = await bookOf({ ...TOKYO, times: "utc" }, ROWS);
    const inUtc = (await readSheets(join(utc.folder, "report.xlsx"))).get("awards");
    expect(inUtc?.slice(0, 2).map((row) => toSecond(row[0]))).toEqual([
      "start (UTC)",
      new Date("2026-05-19T22:41:00Z"),
    ]);
  });

  test("writes a larger table as a file of its own, and leaves out what no sheet holds", async () => {
    const rows = Array.from({ length: 5 }, (_, k) => ({ ...ROWS[0], kw: k }));
    const large = await bookOf(TOKYO, rows, { book: 4, sheet: 5 });
    expect(readdirSync(large.folder)).toEqual(["awards.xlsx"]);
    const sheets = await readSheets(join(large.folder, "awards.xlsx"));
    expect(sheets.get("awards")?.map((row) => row[3])).toEqual(["kw", 0, 1, 2, 3, 4]);
    expect(large.notes).toEqual([]);
    const none = await bookOf(TOKYO, rows, { book: 2, sheet: 4 });
    expect(readdirSync(none.folder)).toEqual([]);
    expect(none.notes).toEqual(["awards has 5 rows and a sheet holds 4: use parquet"]);
  });
});

/** Serial numbers of days hold a second, not a millisecond. */
function toSecond(cell: unknown): unknown {
  return cell instanceof Date ? new Date(1000 * Math.round(cell.getTime() / 1000)) : cell;
}

describe.each(["quickstart", "features/outages-and-links.yaml", "features/frequency-containment.yaml"])(
  "the report of %s",
  (name) => {
    const folder = createTemporaryFolder("report");
    const scenario = loadScenario(join("scenarios", name), { formats: ["csv", "xlsx"], times: "local" });
    beforeAll(async () => void (await runScenario(scenario, { out: join(folder, "first") })));

    test("has in xlsx what its CSV has, cell for cell", async () => {
      const sheets = await readSheets(join(folder, "first/report.xlsx"));
      const stems = readdirSync(join(folder, "first")).flatMap((file) => /^(.*)\.csv$/.exec(file)?.[1] ?? []);
      expect([...sheets.keys()].sort()).toEqual(["summary", ...stems].sort());
      expect([...sheets.keys()][0]).toBe("summary");
      for (const stem of stems) {
        const [head, ...rows]: string[][] = parse(readFileSync(join(folder, "first", `${stem}.csv`)));
        const [sheetHead, ...sheetRows] = sheets.get(stem) ?? [];
        const places = head.map((column) => sheetHead.findIndex((title) => String(title).split(" ")[0] === column));
        expect(
          sheetHead.filter((_, k) => !places.includes(k)).every((title) => String(title).endsWith("_active_text")),
        ).toBe(true);
        expect(sheetRows, stem).toHaveLength(rows.length);
        rows.forEach((row, r) => {
          const cells = places.map((k) => toSecond(sheetRows[r][k] ?? null));
          expect(cells, `${stem} ${r}`).toEqual(row.map((cell, k) => cellOf(head[k], cell, cells[k])));
        });
      }
    });

    test("is the same again, byte for byte", async () => {
      const { files } = await runScenario(scenario, { out: join(folder, "second") });
      for (const file of files.filter((each) => each !== "run.json"))
        expect(readFileSync(join(folder, "second", file)).equals(readFileSync(join(folder, "first", file))), file).toBe(
          true,
        );
    });
  },
);

/** A cell of CSV as a cell of a sheet. @param found  distinguishes a number from a text of digits */
function cellOf(column: string, cell: string, found: unknown): unknown {
  if (cell === "") return null;
  if (column.endsWith("_local")) return toSecond(new Date(`${cell.slice(0, -6)}Z`));
  return typeof found === "number" ? Number(cell) : cell;
}

test("the first sheet has the key figures with their units", async () => {
  const out = join(createTemporaryFolder("summary"), "r");
  const { record } = await runScenario(loadScenario("scenarios/quickstart", { formats: ["xlsx"] }), { out });
  const rows = (await readSheets(join(out, "report.xlsx"))).get("summary");
  expect(rows?.[0]).toEqual(["name", "value", "unit"]);
  expect(rows?.slice(1).map(([name]) => name)).toEqual([...record.kpis.keys()]);
  const row = (name: string) => rows?.find(([first]) => first === name);
  expect(row("shortfall_kwh")).toEqual(["shortfall_kwh", 678.761, "kWh"]);
  expect(row("uncovered_kw_peak_award")?.[1]).toBe(record.kpis.get("uncovered_kw_peak_award"));
  // 2026-05-19T22:41:00Z
  const peak = ["uncovered_kw_peak_at", new Date("2026-05-20T07:41:00Z"), "Asia/Tokyo"];
  expect(row("uncovered_kw_peak_at")?.map(toSecond)).toEqual(peak);
  const { sheets } = await readXlsx(readFileSync(join(out, "report.xlsx")), { readStyles: true });
  const place = rows?.findIndex(([name]) => name === "uncovered_kw_peak_at");
  expect(sheets[0].cells?.get(`${place},1`)?.style?.numFmt).toBe("yyyy-mm-dd hh:mm");
  // A date that is wider than its column is shown as ####.
  expect(sheets[0].columns?.[1].width).toBe(17);
});

test("an instant among the key figures has its zone, and the offset where that changes", async () => {
  const kpis = runKpis({ uncovered_kw_peak_at: Date.parse("2026-10-25T01:30:00Z"), settled_cash: 5 });
  const sheetOf = async (layout: TableLayout) => {
    const folder = createTemporaryFolder("book");
    const book = new XlsxBook(new FolderSink(folder), layout);
    book.open("summary").write(summaryBlock(kpis, "EUR"));
    await book.close();
    const rows = (await readSheets(join(folder, "report.xlsx"))).get("summary") ?? [];
    return new Map(rows.map(([name, ...cells]) => [name, cells.map(toSecond)]));
  };
  const sheet = await sheetOf(BERLIN);
  expect(sheet.get("name")).toEqual(["value", "unit"]);
  expect(sheet.get("uncovered_kw_peak_at")).toEqual([new Date("2026-10-25T02:30:00Z"), "Europe/Berlin +01:00"]);
  expect(sheet.get("settled_cash")).toEqual([5, "EUR"]);
  const inUtc = await sheetOf({ ...BERLIN, times: "utc" });
  expect(inUtc.get("uncovered_kw_peak_at")?.[0]).toEqual(new Date("2026-10-25T01:30:00Z"));
});

test.each(["local", "excel"] as const)(
  "explain and the tables read a report with %s times as a plain one",
  async (how) => {
    const folder = createTemporaryFolder("explain");
    const load = { formats: ["csv", "json"] as const };
    const run = async (name: string, options: object) => {
      const scenario = loadScenario("scenarios/quickstart", { ...load, ...options });
      await runScenario(scenario, { out: join(folder, name) });
      return join(folder, name);
    };
    const plain = await run("plain", {});
    const other = await run("other", how === "local" ? { times: "local" } : { csv: "excel" });
    for (const stem of ["awards", "dispatch", "energy", "events", "power", "sites"])
      expect(readRecords(other, stem), stem).toEqual(readRecords(plain, stem));
    expect(explainAward(other, "evening-peak")).toEqual(explainAward(plain, "evening-peak"));
  },
);
