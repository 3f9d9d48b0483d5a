import { describe, expect, test } from "vitest";
import { FormatProblems } from "../../src/inputs/formats/formatProblem.ts";
import { mergeTables } from "../../src/inputs/formats/mergeTables.ts";
import { columnOf, problemsOf, seriesOf, valuesOf } from "./readText.ts";

const quoted = (...cells: (string | number)[]): string => cells.map((cell) => `"${cell}"`).join(",");

const imbalance = (rows: readonly (readonly (string | number)[])[]): string =>
  [
    quoted("H", "インバランス料金単価(円/kWh)"),
    quoted("H", "ファイル更新日", "ファイル更新時刻", "対象年月"),
    quoted(
      "H",
      "20310807",
      "09:00:00",
      "203107",
      "",
      "余剰インバランス料金単価",
      "",
      "",
      "",
      "不足インバランス料金単価",
      "",
      "",
      "",
    ),
    quoted(
      "T",
      "日付",
      "時間帯コマ",
      "時間帯_自",
      "時間帯_至",
      "東京",
      "変更S",
      "関西",
      "変更S",
      "東京",
      "変更S",
      "関西",
      "変更S",
    ),
    ...rows.map((row) => quoted("D", ...row)),
  ].join("\r\n");

const FIRST = ["20310702", "01", "00:00", "00:30", "0.00", 0, "5.10", 0, "12.34", 0, "6.10", 0] as const;
const LAST = ["20310702", "48", "23:30", "24:00", "7.00", 1, "8.00", 0, "9.00", 0, "10.00", 0] as const;

describe("imbalance prices", () => {
  const read = (text: string, name = "203107_imbalance-price_02.csv") =>
    seriesOf({ format: "imbalance_price", text, name, options: { area: "tokyo" } });

  test("surplus is the first half of the columns, shortage the second", () => {
    const table = read(imbalance([FIRST, LAST]));
    expect(valuesOf(table, "surplus_price_jpy_per_kwh")).toEqual({
      "2031-07-01T15:00:00.000Z": 0,
      "2031-07-02T14:30:00.000Z": 7,
    });
    expect(Object.values(valuesOf(table, "shortage_price_jpy_per_kwh"))).toEqual([12.34, 9]);
    const plain = read(imbalance([["20310702", "1", ...FIRST.slice(2)], LAST]));
    expect(valuesOf(plain, "shortage_price_jpy_per_kwh")).toEqual(valuesOf(table, "shortage_price_jpy_per_kwh"));
    expect(table.revision).toBe(2);
    expect(table.notes.slice(0, 2)).toEqual(["revision 2", "1 slots carry a mark of change"]);
  });

  test("over several files the later revision wins", () => {
    const earlier = { name: "01", table: read(imbalance([FIRST]), "203107_imbalance-price_01.csv") };
    const corrected = ["20310702", "01", "00:00", "00:30", "1.00", 1, "5.10", 0, "1.00", 1, "6.10", 0] as const;
    const later = { name: "02", table: read(imbalance([corrected])) };
    const problems = new FormatProblems();
    for (const tables of [
      [earlier, later],
      [later, earlier],
    ]) {
      const merged = mergeTables(tables, problems);
      expect(merged?.kind === "series" && merged.columns[0].values[0]).toBe(1);
    }
    expect(problems.count).toBe(0);
  });

  test.each<[string, readonly (readonly (string | number)[])[], object]>([
    ["a slot whose time is another one", [["20310702", "3", ...FIRST.slice(2)]], { line: 5, key: "時間帯_自" }],
    ["a price that is no number", [[...FIRST.slice(0, 4), "x", ...FIRST.slice(5)]], { line: 5, found: '"x"' }],
    ["a row that is cut off", [FIRST.slice(0, 8)], { line: 5, found: "9 cells" }],
  ])("%s is an error", (_, rows, expected) =>
    expect(
      problemsOf({ format: "imbalance_price", text: imbalance(rows), options: { area: "tokyo" } })[0],
    ).toMatchObject(expected),
  );
});

test("files that contradict each other are named", () => {
  const header = "受渡日,時刻コード,エリアプライス東京(円/kWh)";
  const read = (price: string) =>
    seriesOf({ format: "jepx_spot", text: `${header}\r\n2031/04/01,1,${price}`, options: { area: "tokyo" } });
  const problems = new FormatProblems();
  expect(
    mergeTables(
      [
        { name: "a.csv", table: read("1.00") },
        { name: "b.csv", table: read("2.00") },
      ],
      problems,
    ),
  ).toBeNull();
  expect(problems.groups[0].first[0].found).toBe("1 in a.csv:2 and 2 in b.csv:2 at 2031-03-31T15:00:00Z");
  expect(
    mergeTables(
      [
        { name: "a.csv", table: read("1.00") },
        { name: "b.csv", table: read("1.00") },
      ],
      new FormatProblems(),
    ),
  ).not.toBeNull();
});

describe("demand and supply of an area", () => {
  const HEADER = "DATE,TIME,エリア需要,原子力,火力(LNG),地熱,太陽光発電実績,太陽光出力制御量,揚水,連系線,合計";
  const file = (rows: readonly string[], title = "単位[MW平均],,,供給力", header = HEADER) =>
    ({ format: "area_supply", text: [title, header, ...rows].join("\r\n") }) as const;

  test("mean MW by start, import positive", () => {
    const table = seriesOf(
      file(["2031/7/1,0:00,1000,200,500,10,0,5,-60,350,1000", "2031/7/1,0:30,1010,200,510,10,0,0,-60,350,1010"]),
    );
    expect(valuesOf(table, "demand_mw")).toEqual({
      "2031-06-30T15:00:00.000Z": 1000,
      "2031-06-30T15:30:00.000Z": 1010,
    });
    expect(columnOf(table, "tie_lines_mw").values[0]).toBe(350);
    expect(columnOf(table, "solar_curtailed_mw").values[0]).toBe(5);
  });

  test("future rows are left out, and a source that the area does not have has no role", () => {
    const table = seriesOf(
      file(
        ["2031/07/01,00:00,1000,200,510,,0,0,-60,350,1000", "2031/07/01,00:30,,,,,,,,,", ",,,,,,,,,,"],
        "単位[MW平均],,,供給力,,,,,,,",
      ),
    );
    expect(columnOf(table, "demand_mw").values).toHaveLength(1);
    expect(table.columns.map(({ role }) => role)).not.toContain("geothermal_mw");
  });

  test("end times, full-width headers, and tie lines with export positive by the sum", () => {
    const header = HEADER.replace("火力(LNG)", "火力（ＬＮＧ）");
    const rows = [
      '"20310701","0:30","1000","200","1200","10","0","0","-60","350","1000"',
      '"20310701","24:00","900","200","1100","10","0","0","-60","350","900"',
    ];
    const table = seriesOf(file(rows, '"単位[MW平均]","","","供給力"', header));
    expect(valuesOf(table, "tie_lines_mw")).toEqual({
      "2031-06-30T15:00:00.000Z": -350,
      "2031-07-01T14:30:00.000Z": -350,
    });
    expect(valuesOf(table, "thermal_lng_mw")["2031-06-30T15:00:00.000Z"]).toBe(1200);
  });

  test("hourly files of before 2024 and ambiguous times are refused", () => {
    const row = "2031/7/1,0:00,1000,200,500,10,0,5,-60,350,1000";
    expect(problemsOf(file([row], "単位[MWh]"))[0].found).toBe("no line 単位[MW平均]");
    expect(problemsOf(file([row.replace("0:00", "9:00")]))[0]).toMatchObject({ key: "label" });
    const options = { label: "end" } as const;
    expect(seriesOf({ ...file([row.replace("0:00", "9:00")]), options }).columns[0].timesMs[0]).toBe(
      Date.UTC(2031, 5, 30, 23, 30),
    );
  });
});

test("the hourly table of an electricity forecast is in tens of MW, and an actual of 0 lies in the future", () => {
  const text = [
    "2031/7/1 10:05 UPDATE",
    "ピーク時供給力(万kW),時間帯",
    "3500,18:00～19:00",
    "",
    "DATE,TIME,当日実績(万kW),予測値(万kW),使用率(%),供給力(万kW)",
    "2031/7/1,0:00,2345,2300,87,2700",
    "2031/7/1,1:00,0,2310,0,2700",
    "",
    "DATE,TIME,当日実績(５分間隔値)(万kW)",
    "2031/7/1,0:05,2340",
  ].join("\r\n");
  const table = seriesOf({ format: "power_usage", text });
  expect(valuesOf(table, "demand_mw")).toEqual({
    "2031-06-30T15:00:00.000Z": 23_450,
    "2031-06-30T16:00:00.000Z": null,
  });
  expect(columnOf(table, "forecast_mw").values[1]).toBe(23_100);
});

describe("reserve margins", () => {
  const HEADER =
    '"対象年月日","時刻","ブロックNo","エリア名","広域ブロック需要(MW)","広域ブロック供給力(MW)","広域ブロック予備力(MW)","広域予備率(%)","広域使用率(%)","エリア需要(MW)","エリア供給力(MW)","エリア予備力(MW)"';
  const row = (time: string, area: string, demand: number) =>
    quoted("2031/07/02", time, 2, area, "50433.828", "58811.602", "8377.774", "16.61", "85.75", demand, 40360, 5454);
  const file = (rows: readonly string[]) => ['"2031/07/01 17:30 UPDATE"', HEADER, ...rows].join("\r\n");
  const rows = [
    row("00:30", "東京", 34906),
    row("00:30", "中部", 15527),
    row("24:00", "東京", 34000),
    row("24:00", "中部", 15000),
  ];

  test("one area of a table of all, by its times of ends", () => {
    const table = seriesOf({ format: "occto_reserve", text: file(rows), options: { area: "chubu" } });
    expect(valuesOf(table, "demand_mw")).toEqual({
      "2031-07-01T15:00:00.000Z": 15527,
      "2031-07-02T14:30:00.000Z": 15000,
    });
    expect(columnOf(table, "block_reserve_pct").values[0]).toBe(16.61);
    expect(columnOf(table, "block").values[0]).toBe(2);
  });

  test("without an area a file of several is refused, and a file of one is read", () => {
    expect(problemsOf({ format: "occto_reserve", text: file(rows) })[0]).toMatchObject({
      key: "area",
      found: "2 areas",
      allowed: "one of tokyo, chubu",
    });
    const one = seriesOf({ format: "occto_reserve", text: file([rows[0], rows[2]]) });
    expect(columnOf(one, "demand_mw").values[1]).toBe(34000);
  });
});
