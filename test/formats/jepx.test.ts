import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { detectFormats } from "../../src/inputs/formats/registry.ts";
import { readScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { columnOf, problemsOf, readText, recordsOf, seriesOf, valuesOf } from "./readText.ts";

const SPOT = [
  "受渡日,時刻コード,約定総量(kWh),システムプライス(円/kWh),エリアプライス東京(円/kWh),エリアプライス関西(円/kWh)",
  "2031/04/01,1,1000050,10.50,11.25,9.07",
  "2031/04/01,2,1000100,10.40,,0.01",
  "2031/04/01,48,1000150,10.30,10.99,9.00",
].join("\r\n");

describe("day-ahead prices", () => {
  test("an area's price by slot code, in UTC, with an empty cell as a missing value", () => {
    const table = seriesOf({ format: "jepx_spot", text: SPOT, options: { area: "tokyo" } });
    expect(valuesOf(table, "price_jpy_per_kwh")).toEqual({
      "2031-03-31T15:00:00.000Z": 11.25,
      "2031-03-31T15:30:00.000Z": null,
      "2031-04-01T14:30:00.000Z": 10.99,
    });
    expect(table.gaps).toHaveLength(1);
    expect(columnOf(table, "cleared_kwh").values[0]).toBe(1000050);
  });

  test("without an area there is a column for each", () => {
    const roles = seriesOf({ format: "jepx_spot", text: SPOT }).columns.map(({ role }) => role);
    expect(roles).toEqual([
      "price_tokyo_jpy_per_kwh",
      "price_kansai_jpy_per_kwh",
      "system_price_jpy_per_kwh",
      "cleared_kwh",
    ]);
  });

  test("a spreadsheet's dates without zeros, and its rows of commas", () => {
    const text = SPOT.replaceAll("2031/04/01", "2031/4/1").concat("\r\n,,,,,\r\n,,,,,\r\n");
    const table = seriesOf({ format: "jepx_spot", text, options: { area: "東京" } });
    expect(Object.values(valuesOf(table, "price_jpy_per_kwh"))).toEqual([11.25, null, 10.99]);
  });

  test("the older layout has another date header and columns between", () => {
    const text = [
      "年月日,時刻コード,システムプライス(円/kWh),エリアプライス東京(円/kWh),スポット・時間前平均価格(円/kWh),α上限値×スポット・時間前平均価格(円/kWh),売りブロック入札総量(kWh)",
      "2019/04/01,3,6.06,6.76,6.10,,8000000",
    ].join("\r\n");
    const table = seriesOf({ format: "jepx_spot", text, options: { area: "tokyo" } });
    expect(valuesOf(table, "price_jpy_per_kwh")).toEqual({ "2019-03-31T16:00:00.000Z": 6.76 });
    expect(columnOf(table, "sell_block_bids_kwh").values[0]).toBe(8_000_000);
    expect(columnOf(table, "spot_intraday_mean_jpy_per_kwh").values[0]).toBe(6.1);
  });

  test("UTF-8 copies are read as well, and the encoding is named", () => {
    expect(readText({ format: "jepx_spot", text: SPOT }).decoded?.encoding).toBe("cp932");
    const utf8 = readText({ format: "jepx_spot", text: `\uFEFF${SPOT}`, encoding: "utf8" });
    expect(utf8.decoded).toMatchObject({ encoding: "utf-8", hasByteOrderMark: true });
    expect(utf8.table?.kind).toBe("series");
  });

  test.each<[string, string, object]>([
    ["a slot code beyond the day", SPOT.replace(",48,", ",49,"), { line: 4, column: 12, found: '"49"' }],
    ["a price with a lost decimal sign", SPOT.replace("11.25", "1125"), { line: 2, column: 28, found: '"1125"' }],
    ["a day that does not exist", SPOT.replace("2031/04/01,2", "2031/04/31,2"), { line: 3, found: '"2031/04/31"' }],
    ["a row that is cut off", SPOT.replace(",10.99,9.00", ""), { line: 4, found: "4 cells" }],
    ["a second row of a slot", SPOT.replace(",48,", ",1,"), { line: 4 }],
    ["no header", SPOT.split("\r\n").slice(1).join("\r\n"), { found: "no header row" }],
    ["another area", SPOT.replaceAll("東京", "沖縄"), { key: "area", found: '"tokyo"' }],
  ])("%s is an error with its place", (_, text, expected) => {
    const problems = problemsOf({ format: "jepx_spot", text, options: { area: "tokyo" } });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject(expected);
  });
});

test("system prices with further bids keep the signs of the file, and say that they may be differences", () => {
  const text = [
    "年月日,時刻コード,システムプライス,売500MW,買500MW,売1000MW,買1000MW",
    "2031/04/01,1,10.50,-0.35,0.25,-0.70,0.50",
    "2031/04/01,2,10.40,,0.15,-0.60,0.30",
  ].join("\r\n");
  const table = seriesOf({ format: "jepx_virtual_price", text });
  expect(Object.values(valuesOf(table, "sell_500_mw_jpy_per_kwh"))).toEqual([-0.35, null]);
  expect(Object.values(valuesOf(table, "buy_1000_mw_jpy_per_kwh"))).toEqual([0.5, 0.3]);
  expect(Object.values(valuesOf(table, "system_price_jpy_per_kwh"))).toEqual([10.5, 10.4]);
  expect(table.notes.join()).toContain("does not say whether they are differences");
});

describe("bid curves", () => {
  const HEADER = "電力受渡日,商品コード,入札価格(円/kWh),売入札量累積(MW),買入札量累積(MW),分断エリア連番";
  const read = (...rows: readonly string[]) => ({
    format: "jepx_bid_curves",
    text: [HEADER, ...rows].join("\r\n"),
  });

  test("points in the order of the file; an area of -1 or without a number is that of the system price", () => {
    const rows = [
      "20310401,1,0.00,0.0,38388.2,",
      "20310401,1,0.01,11225.8,38388.2,-1",
      "20310401,48,0.01,513.2,884.0,3",
    ];
    expect(recordsOf(read(...rows))).toMatchObject({
      keys: ["start", "end", "split_area", "price_jpy_per_kwh", "sell_mw", "buy_mw"],
      rows: [
        ["2031-03-31T15:00:00Z", "2031-03-31T15:30:00Z", "", "0", "0", "38388.2"],
        ["2031-03-31T15:00:00Z", "2031-03-31T15:30:00Z", "", "0.01", "11225.8", "38388.2"],
        ["2031-04-01T14:30:00Z", "2031-04-01T15:00:00Z", "3", "0.01", "513.2", "884"],
      ],
    });
    expect(detectFormats("spot_bid_curves_20310401.csv", read(...rows).text)[0].format.id).toBe("jepx_bid_curves");
  });

  test.each<[string, string, object]>([
    ["a slot of 49", "20310401,49,0.01,1,2,", { line: 2, column: 10, found: '"49"' }],
    ["a price without a number", "20310401,1,,1,2,", { line: 2, column: 12, found: "an empty cell" }],
    ["an area that is no number", "20310401,1,0.01,1,2,東京", { line: 2, key: "分断エリア連番" }],
    ["a row that is cut off", "20310401,1,0.01,1", { line: 2, found: "4 cells" }],
    ["no rows", "", { found: "no rows" }],
  ])("%s is an error", (_, row, expected) => expect(problemsOf(read(row))[0]).toMatchObject(expected));
});

const SCENARIO = `version: 1
name: spot
start: 2031-04-01T00:00:00+09:00
end: 2031-04-01T01:00:00+09:00
timezone: Asia/Tokyo
series:
  spot: {format: jepx_spot, file: spot.csv, area: AREA}
market: {energy_price: spot.price_jpy_per_kwh}
sites:
  - name: battery
    components:
      - {component_id: bat, component_type: battery, rated_cap: 100, import_pwr_max: 50, export_pwr_max: 50, soc_op_min: 10, soc_op_max: 90}
`;

describe("a scenario reads the published file", () => {
  const load = (area: string) =>
    readScenario(
      "/s/scenario.yaml",
      {},
      memoryFiles(
        new Map<string, string | Buffer>([
          ["/s/scenario.yaml", SCENARIO.replace("AREA", area)],
          ["/s/spot.csv", iconv.encode(SPOT, "cp932")],
        ]),
      ),
    );

  test("with the prices of the area", () => {
    const price = load("kansai").world.energyPriceJpyPerKwh;
    const startMs = Date.UTC(2031, 2, 31, 15);
    expect([0, 1_799_999, 1_800_000].map((ms) => price?.valueAt(startMs + ms))).toEqual([9.07, 9.07, 0.01]);
  });

  test("and an area that the file does not have is an error at its key", () => {
    expect(() => load("okinawa")).toThrow(InputErrors);
    expect(() => load("okinawa")).toThrow(
      /scenario.yaml:7:\d+: series.spot.area: found "okinawa", allowed an area of this file: tokyo, kansai/,
    );
  });
});

describe("keys of a series", () => {
  const load = (series: string) =>
    readScenario(
      "/s/scenario.yaml",
      {},
      memoryFiles(
        new Map<string, string | Buffer>([
          ["/s/scenario.yaml", SCENARIO.replace(/\{format.*\}/, series)],
          ["/s/spot.csv", iconv.encode(SPOT, "cp932")],
        ]),
      ),
    );

  test.each<[string, string, RegExp]>([
    [
      "a format that does not exist",
      "{format: jepx_sopt, file: spot.csv}",
      /^scenario.yaml:7:18: series.spot.format: found "jepx_sopt", .*did you mean jepx_spot\?\)?$/,
    ],
    [
      "an option without a format",
      "{file: spot.csv, area: tokyo}",
      /series.spot.area: found an option without a format, allowed the key format beside it/,
    ],
    [
      "an option that the format does not take",
      "{format: jepx_spot, file: spot.csv, area: tokyo, year: 2030}",
      /series.spot.year: found an option that jepx_spot does not take/,
    ],
    [
      "a label that the format states itself",
      "{format: jepx_spot, file: spot.csv, area: tokyo, label: end}",
      /series.spot.label: found an option that jepx_spot does not take/,
    ],
    ["rows instead of a series", "{format: awards, file: spot.csv}", /series.spot.format: found "awards"/],
  ])("%s is an error at its key", (_, series, message) => {
    try {
      load(series);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(InputErrors);
      expect((error as InputErrors).message.replaceAll("/s/", "")).toMatch(message);
    }
  });

  test("columns give roles other names", () => {
    const price = load(
      "{format: jepx_spot, file: spot.csv, area: kansai, columns: {price_jpy_per_kwh: system_price_jpy_per_kwh}}",
    ).world.energyPriceJpyPerKwh;
    expect(price?.valueAt(Date.UTC(2031, 2, 31, 15))).toBe(10.5);
  });
});
