import { describe, expect, test } from "vitest";
import { detectFormats } from "../../src/inputs/formats/registry.ts";
import { columnOf, problemsOf, recordsOf, seriesOf, valuesOf } from "./readText.ts";

const table = (text: string, options = {}) => ({ format: "table", text, options }) as const;

describe("any table of numbers by time", () => {
  test("titles above, thousands in quotes, full-width headers, marks of missing values, remarks beside", () => {
    const text = [
      "集計期間：2031年7月1日",
      "",
      "日時,需要電力（ｋＷ）,発電出力(MW),備考",
      '2031/7/1 0:00,"1,450",▲0.0125,',
      '2031/7/1 0:30,"-1,450",－,欠測あり',
      "2031/7/1 1:00,１２３．４,#N/A,",
      ",,,",
    ].join("\r\n");
    const read = seriesOf(table(text));
    expect(Object.values(valuesOf(read, "需要電力(kW)"))).toEqual([1450, -1450, 123.4]);
    expect(Object.values(valuesOf(read, "発電出力(kW)"))).toEqual([-12.5, null, null]);
    expect(read.notes).toEqual([
      "times are starts of intervals of 30 min",
      "local times of Asia/Tokyo, which is the default; the option timezone (--tz) states another zone",
      "発電出力(kW): printed value × 1000 = kW",
      "columns without numbers are not read: 備考",
    ]);
  });

  test.each<[string, string]>([
    ["a date with an end time", "日付,時刻,値\n2031/7/1,0:30,1\n2031/7/1,1:00,2\n2031/7/1,24:00,3"],
    ["a date with a range", "日付,時間帯,値\n2031/7/1,0:00～0:30,1\n2031/7/1,0:30〜1:00,2\n2031/7/1,23:30～24:00,3"],
    ["a date with a slot code", "令和,コマ,値\nR13.7.1,1,1\nR13.7.1,2,2\nR13.7.1,48,3"],
    ["stamps of ends", "日時,値\n2031/7/1 0:30,1\n2031/7/1 1:00,2\n2031/7/1 24:00,3"],
    [
      "stamps with an offset, by tab",
      "timestamp\t値\n2031-07-01T00:00+09:00\t1\n2031-06-30T15:30Z\t2\n2031-07-01T14:30Z\t3",
    ],
    ["semicolons", "date;time;値\n2031-07-01;0:00;1\n2031-07-01;0:30;2\n2031-07-01;23:30;3"],
    ["a spreadsheet's serial day", "date,time,値\n48030,0:00,1\n48030,0:30,2\n48030,23:30,3"],
  ])("%s", (_, text) => {
    const label = text.startsWith("timestamp") ? { label: "start" as const } : {};
    expect(valuesOf(seriesOf({ ...table(text, label), encoding: "utf8" }), "値")).toEqual({
      "2031-06-30T15:00:00.000Z": 1,
      "2031-06-30T15:30:00.000Z": 2,
      "2031-07-01T14:30:00.000Z": 3,
    });
  });

  test.each<[string, string]>([
    ["stamps", "計測時点,電力(kW)\n2031/7/1 0:00,1\n2031/7/1 0:30,2\n"],
    ["stamps below titles", "一覧表,\n,\nDate/Time,電力(kW)\n2031/7/1 0:00,1\n2031/7/1 0:30,2\n"],
    ["dates and times of day", "検針の日,から,電力(kW)\n2031/7/1,0:00,1\n2031/7/1,0:30,2\n"],
  ])("%s below headers that are not known are found by their form", (_, text) => {
    expect(valuesOf(seriesOf(table(text)), "電力(kW)")).toEqual({
      "2031-06-30T15:00:00.000Z": 1,
      "2031-06-30T15:30:00.000Z": 2,
    });
    expect(detectFormats("f.csv", text)[0].format.id).toBe("table");
  });

  test("24:00 that a spreadsheet made 0:00 is the end of its day", () => {
    const rows = ["2031/7/1,0:30,1", "2031/7/1,23:30,2", "2031/7/1,0:00,3", "2031/7/2,0:30,4", "2031/7/2,1:00,5"];
    const read = seriesOf(table(["日付,時刻,値", ...rows, ""].join("\n"), { label: "end" }));
    expect(valuesOf(read, "値")).toEqual({
      "2031-06-30T15:00:00.000Z": 1,
      "2031-07-01T14:00:00.000Z": 2,
      "2031-07-01T14:30:00.000Z": 3,
      "2031-07-01T15:00:00.000Z": 4,
      "2031-07-01T15:30:00.000Z": 5,
    });
    expect(read.notes).toContain("0:00 behind the times of its day is the end of that day");
    const next = seriesOf(
      table("日付,時刻,値\n2031/7/1,23:30,2\n2031/7/2,0:00,3\n2031/7/2,0:30,4\n", { label: "end" }),
    );
    expect(Object.keys(valuesOf(next, "値"))[1]).toBe("2031-07-01T14:30:00.000Z");
  });

  test("columns, units, sign and further marks are options", () => {
    const text = "日時,電力量,発電\n2031/7/1 0:00,5,1.5\n2031/7/1 0:15,不明,2";
    const options = {
      columns: { load_kw: "電力量", pv_kw: "発電" },
      units: { load_kw: "kWh", pv_kw: "MW" },
      negate: ["pv_kw"],
      missing: ["不明"],
    };
    const read = seriesOf(table(text, options));
    expect(Object.values(valuesOf(read, "load_kw"))).toEqual([20, null]);
    expect(Object.values(valuesOf(read, "pv_kw"))).toEqual([-1500, -2000]);
    expect(columnOf(read, "pv_kw").unit).toBe("kW");
  });

  test("days first and decimal commas in the time of a zone, over a clock change", () => {
    const text = "date;time;load (kW)\n29.03.2026;01:00;1,5\n29.03.2026;03:00;2,5\n29.03.2026;04:00;3,5";
    const options = { date_order: "dmy", decimal: ",", timezone: "Europe/Berlin", label: "start" } as const;
    expect(valuesOf(seriesOf(table(text, options)), "load(kW)")).toEqual({
      "2026-03-29T00:00:00.000Z": 1.5,
      "2026-03-29T01:00:00.000Z": 2.5,
      "2026-03-29T02:00:00.000Z": 3.5,
    });
  });

  test.each<[string, string, object, object]>([
    [
      "a date whose order is not stated",
      "日時,値\n01/02/2031 0:00,1",
      {},
      { line: 2, allowed: expect.stringContaining("date_order") },
    ],
    ["ambiguous times", "日時,値\n2031/7/1 9:00,1\n2031/7/1 9:30,2", {}, { key: "label" }],
    ["no times at all", "a,b\n1,2", {}, { found: "no header row with a time column" }],
    [
      "a number in wrong groups",
      '日時,値\n2031/7/1 0:00,1\n2031/7/1 0:30,2\n2031/7/1 1:00,"1,45"',
      {},
      { line: 4, column: 15, found: '"1,45"' },
    ],
    [
      "a column that is not there",
      "日時,値\n2031/7/1 0:00,1\n2031/7/1 0:30,2",
      { columns: { x: "別" } },
      { key: "別", allowed: "one of the columns 日時, 値" },
    ],
    [
      "an unknown unit",
      "日時,値\n2031/7/1 0:00,1\n2031/7/1 0:30,1",
      { columns: { x: "値" }, units: { x: "hp" } },
      { key: "units" },
    ],
    ["a row with cells behind the last column", "日時,値\n2031/7/1 0:00,1,450", {}, { line: 2, found: "3 cells" }],
    ["a quote without an end", '日時,値\n2031/7/1 0:00,"1', {}, { allowed: "CSV with quotes in pairs (RFC 4180)" }],
  ])("%s is an error", (_, text, options, expected) =>
    expect(problemsOf(table(text, options))[0]).toMatchObject(expected),
  );
});

describe("rows of a scenario", () => {
  test("awards with Japanese headers, products and slots; MW become kW", () => {
    const text = [
      "約定一覧",
      "受渡日,コマ,商品,約定量(MW),単価",
      "2031/7/1,1,三次調整力②,-1.25,3.10",
      '2031/7/1,48,一次調整力,"-1,000",prices.spot',
    ].join("\r\n");
    const columns = { sku: "商品", delta_kw: "約定量(MW)", price_jpy_per_kw_30min: "単価" };
    expect(recordsOf({ format: "awards", text, options: { columns } })).toMatchObject({
      keys: ["start", "end", "sku", "delta_kw", "price_jpy_per_kw_30min"],
      rows: [
        ["2031-06-30T15:00:00Z", "2031-06-30T15:30:00Z", "rr-fit", "-1250", "3.1"],
        ["2031-07-01T14:30:00Z", "2031-07-01T15:00:00Z", "fcr", "-1000000", "prices.spot"],
      ],
    });
  });

  test("a mapped column beside columns with keys as headers", () => {
    const text = "start,end,volume MW,vpp\n2031/7/1 9:00,2031/7/1 12:00,-5,east";
    expect(recordsOf({ format: "awards", text, options: { columns: { delta_kw: "volume MW" } } })).toMatchObject({
      keys: ["delta_kw", "vpp", "start", "end"],
      rows: [["-5000", "east", "2031-07-01T00:00:00Z", "2031-07-01T03:00:00Z"]],
    });
  });

  test("awards by their own keys, the sign turned", () => {
    const text = "start,end,delta_kw,vpp\n2031/7/1 9:00,2031/7/1 12:00,500,east";
    expect(recordsOf({ format: "awards", text, options: { negate: ["delta_kw"] } }).rows).toEqual([
      ["east", "2031-07-01T00:00:00Z", "2031-07-01T03:00:00Z", "-500"],
    ]);
  });

  test("awards whose amount has a header that is not known are refused, and other columns are named", () => {
    const text = "受渡日,時間帯,商品区分,約定量（MW）,担当\n2031/7/1,15:00～15:30,二次調整力②,1.5,東京\n";
    const awards = { format: "awards", text } as const;
    expect(problemsOf(awards)[0]).toMatchObject({
      key: "columns",
      found: "no such column; 約定量(MW), 担当 are not known",
      allowed: "a column delta_kw or fcr_response_kw, or the option columns, as in delta_kw: 約定量(MW)",
    });
    const options = { columns: { sku: "商品区分", delta_kw: "約定量(MW)" }, negate: ["delta_kw"] };
    expect(recordsOf({ ...awards, options })).toMatchObject({
      rows: [["2031-07-01T06:00:00Z", "2031-07-01T06:30:00Z", "frr", "-1500"]],
      notes: ["columns that are not read: 担当"],
    });
    const wrong = { ...options, negate: ["fcr_response_kw"] };
    expect(problemsOf({ ...awards, options: wrong })[0].found).toBe("the key fcr_response_kw, which is not read");
  });

  test("upward reserve that is positive throughout is asked for", () => {
    const text = "start,end,sku,delta_kw\n2031/7/1 9:00,2031/7/1 10:00,rr,50\n2031/7/1 10:00,2031/7/1 11:00,";
    const notesOf = (last: string, options = {}) => recordsOf({ format: "awards", text: text + last, options }).notes;
    const note =
      "upward reserve is below 0 (more export, less import), and all of it is above 0 here: --negate delta_kw turns it";
    expect([
      notesOf("frr,9\n"),
      notesOf("frr,-9\n"),
      notesOf("exchange-da,-9\n"),
      notesOf("frr,9\n", { negate: ["delta_kw"] }),
    ]).toEqual([[note], [], [note], []]);
  });

  test("a product that there is not is an error at its line, and one in capitals is read", () => {
    const text = "start,end,sku,delta_kw\n2031/7/1 9:00,2031/7/1 10:00,RR-FIT,-50\n2031/7/1 10:00,2031/7/1 11:00,";
    expect(recordsOf({ format: "awards", text: `${text},-70\n` }).rows.map(([sku]) => sku)).toEqual(["rr-fit", ""]);
    expect(problemsOf({ format: "awards", text: `${text}四次調整力,-70\n` })).toMatchObject([
      {
        line: 3,
        column: 31,
        key: "sku",
        found: '"四次調整力"',
        allowed: expect.stringMatching(/^one of fcr, .*三次調整力②$/),
      },
    ]);
  });

  test("events with durations in minutes", () => {
    const text =
      "発生日時,種別,サイト,継続時間(分)\n2031/7/1 9:00,outage,battery-1,25\n2031/7/1 10:00,warning,battery-2,";
    expect(recordsOf({ format: "events", text })).toMatchObject({
      keys: ["at", "kind", "site", "duration"],
      rows: [
        ["2031-07-01T00:00:00Z", "outage", "battery-1", "PT1500S"],
        ["2031-07-01T01:00:00Z", "warning", "battery-2", ""],
      ],
    });
  });

  test("members, and missing keys", () => {
    const text = "サイト,種別,重み\nbattery-1,battery,１００\nfactory,consumer,";
    expect(recordsOf({ format: "members", text }).rows).toEqual([
      ["battery-1", "battery", "100"],
      ["factory", "consumer", ""],
    ]);
    expect(problemsOf({ format: "members", text: text.replace("factory", "") })[0]).toMatchObject({
      line: 3,
      key: "site",
      found: "an empty cell",
    });
    expect(
      problemsOf({ format: "awards", text: "start,end,delta_kw\n2031/7/1 25:00,2031/7/2,x" }).map(({ key }) => key),
    ).toEqual(["start", "delta_kw"]);
  });
});

test("headers that a plain object answers to are plain headers", () => {
  const text = "date,toString,valueOf (constructor)\n2031/7/1 0:00,1,4\n2031/7/1 1:00,2,5\n";
  const options = { units: { toString: "MW" }, label: "start" } as const;
  const table = seriesOf({
    format: "table",
    text,
    options: { ...options, columns: { toString: "toString", kw: "valueOf (constructor)" } },
  });
  expect(table.columns.map(({ role, unit, values }) => [role, unit, ...values])).toEqual([
    ["toString", "kW", 1000, 2000],
    ["kw", expect.not.stringContaining("native code"), 4, 5],
  ]);
  expect(seriesOf({ format: "table", text, options: { label: "start", units: {} } }).columns).toHaveLength(2);
});
