import { describe, expect, test } from "vitest";
import { columnOf, problemsOf, recordsOf, seriesOf, type TextFile, valuesOf } from "./readText.ts";

const HEAD = "H,電力需給調整力取引所取引結果,対象年月,商品区分,ブロック数";
const QUANTITIES: readonly (readonly [string, string, string])[] = [
  // quantity, cells of the first block, cells of the second
  ["募集量（TSO別）[MW]", "30,40,70", "31,41,72"],
  ["応札量合計（電源属地別）[MW]", "12.5,0,12.5", "9,3,12"],
  ["落札量合計（電源属地別）[MW]", "8.125,0,8.125", "6,2.5,8.5"],
  ["最高落札価格（電源属地別）[円/kW・30分]", "7.5,0,7.5", "7,4,7"],
  ["平均落札価格（電源属地別）[円/kW・30分]", "5.25,0,5.25", "5,3.5,4.56"],
];

const prompt = (product = "二次調整力①", quantities = QUANTITIES): string =>
  [
    HEAD,
    `P,速報値,203107,${product},48`,
    "TT,取引情報,東京,関西,合計",
    ...quantities.map(([name, cells]) => `20310702B01,${name},${cells}`),
    ...quantities.map(([name, , cells]) => `20310702B02,${name},${cells}`),
    "E",
  ].join("\r\n");

const FIRST = "2031-07-01T15:00:00.000Z";
const SECOND = "2031-07-01T15:30:00.000Z";

describe("results by area", () => {
  const read = (area: string) => seriesOf({ format: "eprx_results", text: prompt(), options: { area } });

  test("volumes and prices of an area by block", () => {
    const table = read("tokyo");
    expect(table.resolutionMs).toBe(1_800_000);
    expect(valuesOf(table, "awarded_mw")).toEqual({ [FIRST]: 8.125, [SECOND]: 6 });
    expect(valuesOf(table, "price_max_jpy_per_kw_30min")).toEqual({ [FIRST]: 7.5, [SECOND]: 7 });
  });

  test("a price beside no awarded volume is missing, not 0", () => {
    expect(valuesOf(read("kansai"), "price_mean_jpy_per_kw_30min")).toEqual({ [FIRST]: null, [SECOND]: 3.5 });
    expect(valuesOf(read("kansai"), "awarded_mw")).toEqual({ [FIRST]: 0, [SECOND]: 2.5 });
  });

  test("without an area the totals are read as printed", () => {
    const table = seriesOf({ format: "eprx_results", text: prompt() });
    expect(valuesOf(table, "price_mean_jpy_per_kw_30min")).toEqual({ [FIRST]: 5.25, [SECOND]: 4.56 });
  });

  test("a final file has sections, of which the total is not computed", () => {
    const rows = (section: string, volume: string, price: string) => [
      `20310702B03,${section},${section === "システム約定結果" ? "落札" : "約定"}量合計（電源属地別）[MW],${volume}`,
      `20310702B03,${section},平均${section === "システム約定結果" ? "落札" : "約定"}価格（電源属地別）[円/kW・30分],${price}`,
    ];
    const text = [
      `${HEAD},,,,`,
      "P,確報値,203107,三次調整力②,8,,,,",
      "TT,調達区分,取引情報,東京,合計",
      ...rows("システム約定結果", "4,4", "2.39,2.39"),
      ...rows("追加調達結果", "4,4", "0,0"),
      ...rows("合計（確報値）", "8,8", "1.19,1.19"),
      "E,,,,,,,,",
    ].join("\r\n");
    const means = ["total", "system", "additional"].map((section) => {
      const table = seriesOf({ format: "eprx_results", text, options: { area: "tokyo", section } });
      expect(table.resolutionMs).toBe(3 * 3_600_000);
      expect(new Date(table.columns[0].timesMs[0]).toISOString()).toBe("2031-07-01T21:00:00.000Z");
      return columnOf(table, "price_mean_jpy_per_kw_30min").values[0];
    });
    expect(means).toEqual([1.19, 2.39, 0]);
    expect(problemsOf({ format: "eprx_results", text, options: { section: "extra" } })[0]).toMatchObject({
      key: "section",
    });
  });

  test("files of 2021 have the date in the P record, no total of prices, and a price of unknown length", () => {
    const text = [
      "H,電力需給調整力取引所取引結果,対象年月日,取引年月日,商品区分,ブロック数",
      "P,確報値,20210403,20210402,三次調整力2,8",
      "TT,調達区分,取引情報,東京,関西,合計",
      "B02,合計（確報値）,約定量合計（電源属地別）[MW],5,6,11",
      "B02,合計（確報値）,平均約定価格（電源属地別）[円/kW],3.1,2.9",
      "E",
    ].join("\r\n");
    const table = seriesOf({ format: "eprx_results", text, options: { area: "tokyo" } });
    expect(valuesOf(table, "price_mean_jpy_per_kw")).toEqual({ "2021-04-02T18:00:00.000Z": 3.1 });
    expect(table.notes.join()).toContain("is not known");
    const total = seriesOf({ format: "eprx_results", text });
    expect(valuesOf(total, "price_mean_jpy_per_kw")).toEqual({ "2021-04-02T18:00:00.000Z": null });
  });

  test.each<[string, string, object]>([
    ["a file that is cut off", prompt().replace("\r\nE", ""), { found: "no E record: the file is cut off" }],
    [
      "a block of another month",
      prompt().replaceAll("20310702B02", "20310802B02"),
      { line: 9, found: '"20310802B02"' },
    ],
    ["a block beyond the day", prompt().replaceAll("20310702B02", "20310702B49"), { line: 9 }],
    [
      "a block without one of its quantities",
      prompt().replace(/20310702B02,応札[^\r]*\r\n/, ""),
      { found: /without 応札量合計/ },
    ],
    ["an unknown quantity", prompt().replaceAll("募集量（", "募集料（"), { found: /募集料/ }],
    ["a volume that is no number", prompt().replace("8.125,0", "8.1a5,0"), { line: 6, found: '"8.1a5"' }],
    ["a number of blocks that does not divide the day", prompt().replace(",48", ",47"), { line: 2 }],
  ])("%s is an error", (_, text, expected) => {
    const found =
      "found" in expected && expected.found instanceof RegExp ? { found: expect.stringMatching(expected.found) } : {};
    const problems = problemsOf({ format: "eprx_results", text, options: { area: "tokyo" } });
    expect(problems[0]).toMatchObject({ ...expected, ...found });
  });
});

describe("awards of a VPP", () => {
  const awards = (file: Partial<TextFile>) =>
    recordsOf({ format: "eprx_awards", text: prompt(), options: { area: "tokyo", capacity_kw: 7000 }, ...file });

  test("its capacity, at most the awarded volume of the area, at the mean price", () => {
    const { keys, rows } = awards({});
    expect(keys).toEqual(["sku", "start", "end", "delta_kw", "price_jpy_per_kw_30min", "award_id"]);
    expect(rows).toEqual([
      ["s-frr", "2031-07-01T15:00:00Z", "2031-07-01T15:30:00Z", "-7000", "5.25", "s-frr-20310701T1500Z"],
      ["s-frr", "2031-07-01T15:30:00Z", "2031-07-01T16:00:00Z", "-6000", "5", "s-frr-20310701T1530Z"],
    ]);
  });

  test("a block without awards in the area has none", () => {
    const { rows } = awards({ options: { area: "kansai", capacity_kw: 1000, price: "max" } });
    expect(rows.map(([, start, , kw, price]) => [start, kw, price])).toEqual([["2031-07-01T15:30:00Z", "-1000", "4"]]);
  });

  test("primary reserve is a symmetric response", () => {
    const { keys, rows } = awards({ text: prompt("一次調整力") });
    expect([keys[3], rows[0][0], rows[0][3]]).toEqual(["fcr_response_kw", "fcr", "7000"]);
  });

  test("the compound market and a missing capacity are refused", () => {
    expect(
      problemsOf({ format: "eprx_awards", text: prompt("複合約定"), options: { area: "tokyo", capacity_kw: 1 } })[0]
        .found,
    ).toBe("the product 複合約定");
    expect(problemsOf({ format: "eprx_awards", text: prompt(), options: {} }).map(({ key }) => key)).toEqual([
      "capacity_kw",
      "area",
    ]);
  });
});

test("results by type of resource: the volume and price of VPPs", () => {
  const text = [
    HEAD,
    "P,速報値,203107,一次調整力,48",
    "TT,取引情報,火力発電,水力・揚水発電,蓄電池,VPP,合計",
    "20310702B01,落札量合計[MW],100,20,30.5,1.25,151.75",
    "20310702B01,平均落札価格[円/kW・30分],2,3,9.5,11.75,4",
    "E",
  ].join("\r\n");
  const table = seriesOf({ format: "eprx_resources", text });
  expect(valuesOf(table, "awarded_vpp_mw")).toEqual({ [FIRST]: 1.25 });
  expect(valuesOf(table, "price_mean_vpp_jpy_per_kw_30min")).toEqual({ [FIRST]: 11.75 });
});

test("tie lines of a part of a month: the zeros of the other days are left out", () => {
  const text = [
    "H,連系線確保量,対象年月,ブロック数,市場種別",
    "P,確報値,203107,48,DAM",
    "T,順方向元エリア,逆方向元エリア,連系線確保量上限値（順方向）[MW],連系線確保量上限値（逆方向）[MW],連系線確保量（順方向）[MW],連系線確保量（逆方向）[MW]",
    "20310713B48,東京,中部,0,0,0,0",
    "20310714B01,東京,中部,500,600,20,0",
    "E",
    "",
  ].join("\r\n");
  const name = "203107_tieline_DAM_0714-0731_result.csv";
  const table = seriesOf({ format: "eprx_tie_lines", text, name });
  expect(valuesOf(table, "tokyo_chubu_forward_limit_mw")).toEqual({ "2031-07-13T15:00:00.000Z": 500 });
  expect(table.notes).toEqual(["1 rows outside the days of the file name are left out"]);
  expect(seriesOf({ format: "eprx_tie_lines", text }).columns[0].values).toHaveLength(2);
});

test("tie lines: the prefix of the columns names the market and may vary", () => {
  const text = [
    "H,連系線確保量,対象年月,ブロック数,取引期間",
    "P,速報値,203107,48,DAM",
    "T,順方向元エリア,逆方向元エリア,複合市場：連系線確保量上限値（順方向）[MW],複合市場：連系線確保量上限値（逆方向）[MW],複合市場：連系線確保量（順方向）[MW],複合市場：連系線確保量（逆方向）[MW]",
    "20310702B01,東京,中部,500,1500.5,20,0",
    "20310702B01,中国,九州,600,1600,0,5",
    "E",
  ].join("\r\n");
  const table = seriesOf({ format: "eprx_tie_lines", text });
  expect(valuesOf(table, "tokyo_chubu_reverse_limit_mw")).toEqual({ [FIRST]: 1500.5 });
  expect(valuesOf(table, "chugoku_kyushu_reverse_reserved_mw")).toEqual({ [FIRST]: 5 });
});

describe("requirements of the products", () => {
  const clock = (slot: number): string =>
    `${String(Math.floor(slot / 2)).padStart(2, "0")}:${slot % 2 === 0 ? "00" : "30"}`;
  const rows = Array.from({ length: 48 }, (_, k) => {
    const range = `${clock(k)}～${clock(k + 1)}`;
    return `${range},${200 + k},${1000 + k},${range},,,${range},300,${k}`;
  });
  const file = (body: readonly string[], title = "Compound_Requirement_[MW],,,,,,,,") =>
    ({
      format: "eprx_requirements",
      text: [title, "2031/4_,北海道,東京,2031/5_,北海道,東京,2032/2_,北海道,東京", ...body].join("\r\n"),
    }) as const;

  test("months stand side by side; a half hour has its value on every day of the month", () => {
    const table = seriesOf({ ...file(rows), options: { area: "tokyo" } });
    const values = valuesOf(table, "requirement_mw");
    expect(Object.keys(values)).toHaveLength(48 * (30 + 29));
    expect(values["2031-03-31T15:00:00.000Z"]).toBe(1000);
    expect(values["2031-04-30T14:30:00.000Z"]).toBe(1047);
    expect(values["2032-02-29T14:30:00.000Z"]).toBe(47);
    expect(table.gaps).toHaveLength(1);
    expect(table.notes.join()).toContain("months without values are left out: 2031/5");
    expect(seriesOf(file(rows)).columns.map(({ role }) => role)).toEqual([
      "requirement_hokkaido_mw",
      "requirement_tokyo_mw",
    ]);
  });

  test.each<[string, ReturnType<typeof file>, object]>([
    ["47 half hours", file(rows.slice(1)), { line: 2, found: "47 half hours" }],
    ["half hours in another order", file([rows[1], rows[0], ...rows.slice(2)]), { line: 3, column: 1, key: "time" }],
    ["no unit", file(rows, "Compound_Requirement"), { found: "no title with the unit" }],
    [
      "a requirement that is no number",
      file(rows.map((row, k) => (k === 2 ? row.replace("202", "2o2") : row))),
      { line: 5 },
    ],
  ])("%s is an error", (_, wrong, expected) => expect(problemsOf(wrong)[0]).toMatchObject(expected));
});
