import { describe, expect, test } from "vitest";
import { seriesCsv } from "../../src/inputs/formats/output/seriesOutput.ts";
import { columnOf, problemsOf, seriesOf, valuesOf } from "./readText.ts";

describe("JMA hourly observations", () => {
  const HEADER =
    "年月日時,気温(℃),気温(℃),気温(℃),風速(m/s),風速(m/s),風速(m/s),風速(m/s),日照時間(時間),日照時間(時間),日照時間(時間),日射量(MJ/㎡),日射量(MJ/㎡)";
  const file = (rows: readonly string[]) =>
    ({
      format: "jma_hourly",
      text: [
        "ダウンロードした時刻：2031/07/20 12:49:53",
        "",
        `,${Array(12).fill("架空").join(",")}`,
        HEADER,
        ",,,,,,風向,風向,,,,,",
        ",,品質情報,均質番号,,品質情報,,品質情報,,現象なし情報,品質情報,,品質情報",
        ...rows,
      ].join("\r\n"),
    }) as const;

  test("sums belong to the hour before their time, readings to the time", () => {
    const table = seriesOf(file(["2031/7/1 12:00:00,25.5,8,1,3.4,8,北北西,8,0.9,0,8,3.60,8"]));
    expect(valuesOf(table, "ghi_w_m2")).toEqual({ "2031-07-01T02:00:00.000Z": 1000 });
    expect(valuesOf(table, "temp_air_c")).toEqual({ "2031-07-01T03:00:00.000Z": 25.5 });
    expect(valuesOf(table, "wind_m_s")).toEqual({ "2031-07-01T03:00:00.000Z": 3.4 });
    expect([columnOf(table, "ghi_w_m2").label, columnOf(table, "temp_air_c").label]).toEqual(["start", "instant"]);
  });

  test("hour 24 is 0:00 of the next day", () => {
    const table = seriesOf(file(["2031/7/2 0:00:00,20.0,8,1,0.0,8,静穏,8,,1,8,0.00,8"]));
    expect(valuesOf(table, "ghi_w_m2")).toEqual({ "2031-07-01T14:00:00.000Z": 0 });
    expect(valuesOf(table, "sunshine_h")).toEqual({ "2031-07-01T14:00:00.000Z": 0 });
  });

  test("quality decides: 5 is nearly complete, 4, 2 and 1 are missing, an empty night of quality 8 has no sunshine", () => {
    const rows = [5, 4, 2, 1].map((quality, k) => `2031/7/1 ${k + 1}:00:00,20.${k},${quality},1,1,8,北,8,,0,8,1.00,8`);
    const table = seriesOf(file(rows));
    expect(Object.values(valuesOf(table, "temp_air_c"))).toEqual([20, null, null, null]);
    expect(Object.values(valuesOf(table, "sunshine_h"))).toEqual([0, 0, 0, 0]);
    expect(table.notes.join()).toContain("3 values of poor quality");
  });

  test("a station of automatic observation, without the column of no phenomenon, and split dates", () => {
    const text = [
      "ダウンロードした時刻：2031/07/20 12:49:53",
      "",
      ",,,,甲,甲,乙,乙",
      "年,月,日,時,降水量(mm),降水量(mm),降水量(mm),降水量(mm)",
      ",,,,,品質情報,,品質情報",
      "2031,7,1,24,1.5,8,9.5,8",
    ].join("\r\n");
    const table = seriesOf({ format: "jma_hourly", text, options: { area: "乙" } });
    expect(valuesOf(table, "rain_mm")).toEqual({ "2031-07-01T14:00:00.000Z": 9.5 });
    expect(problemsOf({ format: "jma_hourly", text })[0]).toMatchObject({ key: "area", found: "2 stations" });
    const humid = text.replace(/降水量\(mm\)/g, "相対湿度(％)");
    const humidity = seriesOf({ format: "jma_hourly", text: humid, options: { area: "甲" } });
    expect(valuesOf(humidity, "humidity_pct")).toEqual({ "2031-07-01T15:00:00.000Z": 1.5 });
  });

  test("daily files and broken times are errors", () => {
    const daily = file(["2031年7月1日,25.5,8,1,3.4,8,北,8,0.9,0,8,3.60,8"]);
    expect(problemsOf({ ...daily, text: daily.text.replace("年月日時", "年月日") })[0].found).toBe("a daily file");
    expect(problemsOf(file(["2031/7/1 12:30:00,25.5,8,1,3.4,8,北,8,0.9,0,8,3.60,8"]))[0]).toMatchObject({
      line: 7,
      column: 1,
    });
    expect(problemsOf(file(["2031/7/1 12:00:00,255,8,1,3.4,8,北,8,0.9,0,8,3.60,8"]))[0]).toMatchObject({
      line: 7,
      found: '"255"',
    });
  });
});

describe("METPV-20", () => {
  const day = (month: number, dayOfMonth: number, year: number) =>
    Array.from({ length: 10 }, (_, k) => {
      const hours = Array.from({ length: 24 }, (_, h) => (k === 0 && h === 11 ? 180 : k === 4 ? 55 : 0));
      return [k + 1, month, dayOfMonth, `${year}.0`, ...hours, 180, 8888, 180, 8888, 1].join(",");
    });
  const text = ["43256,KASOU,36,0.0,140,0.0,10.0", ...day(1, 1, 2011), ...day(2, 1, 2016)].join("\r\n");

  test("hour h ends at h, months of several years are laid out in one, 8888 is missing", () => {
    const table = seriesOf({ format: "metpv20", text });
    expect(valuesOf(table, "ghi_w_m2")["2011-01-01T02:00:00.000Z"]).toBe(500);
    expect(valuesOf(table, "temp_air_c")["2011-02-01T15:00:00.000Z"]).toBe(5.5);
    expect(table.notes[0]).toBe("rows of 2011, 2016 are laid out in 2011");
    const other = seriesOf({ format: "metpv20", text: text.replace(",180,0,", ",8888,0,"), options: { year: 2030 } });
    expect(valuesOf(other, "ghi_w_m2")["2030-01-01T02:00:00.000Z"]).toBeNull();
  });

  test("a day without one of its elements is an error", () => {
    const broken = text.split("\r\n").filter((line) => !line.startsWith("5,2,1"));
    expect(problemsOf({ format: "metpv20", text: broken.join("\r\n") })[0].found).toBe("a day without element 5");
  });
});

const epwRow = (year: number, hour: number, values: Partial<Record<number, string | number>> = {}): string =>
  Array.from({ length: 35 }, (_, k) => values[k] ?? [year, 1, 2, hour, 60, "?9"][k] ?? 0).join(",");
const EPW = (rows: readonly string[], zone = "9.0") =>
  [
    "LOCATION,KASOU,-,JPN,SYNTHETIC,0,36,140,",
    "DESIGN CONDITIONS,0",
    "TYPICAL/EXTREME PERIODS,0",
    "GROUND TEMPERATURES,0",
    "HOLIDAYS/DAYLIGHT SAVING,No,0,0,0",
    "COMMENTS 1",
    "COMMENTS 2",
    "DATA PERIODS,1,1,Data,Sunday, 1/ 1,12/31",
    ...rows,
  ]
    .map((line, k) => (k === 0 ? `${line}${zone},10` : line))
    .join("\r\n");

describe("EPW", () => {
  test("hours end at their number in the zone of line 1; fields have values for missing", () => {
    const rows = [epwRow(1991, 1, { 6: -3.5, 13: 500, 21: 2.5 }), epwRow(2004, 24, { 6: 99.9, 13: 9999, 21: 999 })];
    const table = seriesOf({ format: "epw", text: EPW(rows) });
    expect(valuesOf(table, "ghi_w_m2")).toEqual({ "1991-01-01T15:00:00.000Z": 500, "1991-01-02T14:00:00.000Z": null });
    expect(valuesOf(table, "temp_air_c")).toEqual({
      "1991-01-01T16:00:00.000Z": -3.5,
      "1991-01-02T15:00:00.000Z": null,
    });
    expect(valuesOf(table, "wind_m_s")["1991-01-02T15:00:00.000Z"]).toBeNull();
  });

  test.each<[string, string, object]>([
    ["a row that is cut off", EPW([epwRow(1991, 1), epwRow(1991, 2).slice(0, 60)]), { line: 10 }],
    ["an hour of 25", EPW([epwRow(1991, 25)]), { line: 9, key: "hour" }],
    ["a zone that is no number", EPW([epwRow(1991, 1)], "east"), { line: 1, key: "zone" }],
    ["two records an hour", EPW([epwRow(1991, 1)]).replace("PERIODS,1,1", "PERIODS,1,2"), { line: 8 }],
  ])("%s is an error", (_, text, expected) => expect(problemsOf({ format: "epw", text })[0]).toMatchObject(expected));
});

test("TMY3: month first, hours 01:00 to 24:00 are ends, -9900 is missing", () => {
  const text = [
    '999999,"KASOU, FIELD",TX,-6.0,32.000,-97.000,200',
    "Date (MM/DD/YYYY),Time (HH:MM),GHI (W/m^2),GHI source,DNI (W/m^2),DHI (W/m^2),Dry-bulb (C),RHum (%),Wspd (m/s)",
    "07/04/1997,01:00,0,1,0,0,21.5,60,3.1",
    "07/04/1997,24:00,-9900,1,0,0,20.5,60,-9900",
  ].join("\n");
  const table = seriesOf({ format: "tmy3", text });
  expect(valuesOf(table, "ghi_w_m2")).toEqual({ "1997-07-04T06:00:00.000Z": 0, "1997-07-05T05:00:00.000Z": null });
  expect(valuesOf(table, "temp_air_c")).toEqual({ "1997-07-04T07:00:00.000Z": 21.5, "1997-07-05T06:00:00.000Z": 20.5 });
  expect(problemsOf({ format: "tmy3", text: text.replace("07/04/1997,24", "14/04/1997,24") })[0]).toMatchObject({
    line: 4,
  });
});

test("TMY3 of SolarAnywhere: midnight is 00:00 of the next day, a header has a bracket too many, empty cells", () => {
  const text = [
    '0,"Kasou, Field",NA,9,35.000,139.000,12,"Time Resolution: 60 minutes / Averaging Method: End of Period"',
    "Date (MM/DD/YYYY),Time (HH:MM),ETR (W/m^2),GHI (W/m^2),GHI source,DNI (W/m^2)),DHI (W/m^2),Dry-bulb (C),RHum (%),Wspd (m/s)",
    "12/31/2031,23:00,,7,2,4,6,3,61,1.5",
    "01/01/2032,00:00,,5,2,2,4,2,62,",
  ].join("\n");
  const table = seriesOf({ format: "tmy3", text });
  expect(valuesOf(table, "dni_w_m2")).toEqual({ "2031-12-31T13:00:00.000Z": 4, "2031-12-31T14:00:00.000Z": 2 });
  expect(valuesOf(table, "temp_air_c")).toEqual({ "2031-12-31T14:00:00.000Z": 3, "2031-12-31T15:00:00.000Z": 2 });
  expect(valuesOf(table, "wind_m_s")["2031-12-31T15:00:00.000Z"]).toBeNull();
  expect(table.notes.join()).not.toContain("laid out");
  // In another year its last hour stays the last one.
  const moved = seriesOf({ format: "tmy3", text, options: { year: 2033 } });
  expect(Object.keys(valuesOf(moved, "ghi_w_m2"))).toEqual(["2033-12-31T13:00:00.000Z", "2033-12-31T14:00:00.000Z"]);
});

test("NSRDB: columns in any order, trailing commas, readings in the zone of its metadata", () => {
  const text = [
    "Source,Location ID,City,State,Country,Latitude,Longitude,Time Zone,Elevation,Local Time Zone,Version",
    "NSRDB,1,-,-,-,35,139,0,25,9,3.2.2",
    "Year,Month,Day,Hour,Minute,Wind Speed,Temperature,GHI,Surface Albedo,,",
    "2031,7,1,0,30,1.5,-1.2000000000000002,740,0.2,,",
  ].join("\n");
  const table = seriesOf({ format: "nsrdb", text });
  expect(valuesOf(table, "temp_air_c")).toEqual({ "2031-07-01T00:30:00.000Z": -1.2000000000000002 });
  expect(columnOf(table, "ghi_w_m2").label).toBe("instant");
  expect(problemsOf({ format: "nsrdb", text: text.replace("2031,7,1,0,30", "2031,7,1,,30") })[0]).toMatchObject({
    line: 4,
  });
});

describe("PVGIS", () => {
  const TMY = [
    "Latitude (decimal degrees): 35.690",
    "Irradiance Time Offset (h): 0.25",
    "month,year",
    "1,2009",
    "2,2012",
    "time(UTC),T2m,RH,G(h),Gb(n),Gd(h),IR(h),WS10m,WD10m,SP",
    "20090101:0000,4.5,64.38,250.0,-0.0,120.0,283.58,0.75,257.0,101870.0",
    "20120201:0000,5.5,64.38,0.0,-0.0,0.0,283.58,0.75,257.0,101870.0",
    "",
    "T2m: 2-m air temperature (degree Celsius)",
    "PVGIS (c) European Union, 2001-2025",
  ].join("\n");

  test("radiation of a typical year is sampled at the offset of the file; years become one", () => {
    const table = seriesOf({ format: "pvgis", text: TMY, options: { year: 2030 } });
    expect(valuesOf(table, "ghi_w_m2")).toEqual({ "2030-01-01T00:15:00.000Z": 250, "2030-02-01T00:15:00.000Z": 0 });
    expect(Object.is(columnOf(table, "dni_w_m2").values[0], 0)).toBe(true);
    expect(valuesOf(table, "temp_air_c")["2030-02-01T00:00:00.000Z"]).toBe(5.5);
  });

  test("a written file has a row for each instant, so that nothing moves", () => {
    const lines = seriesCsv(seriesOf({ format: "pvgis", text: TMY })).split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "timestamp,temp_air_c,humidity_pct,ghi_w_m2,dni_w_m2,dhi_w_m2,wind_m_s",
      "2009-01-01T00:00:00Z,4.5,64.38,,,,0.75",
      "2009-01-01T00:15:00Z,,,250,0,120,",
    ]);
  });

  test("hourly series as CSV and as JSON are the same", () => {
    const csv =
      "Latitude (decimal degrees):\t35.690\nSlope: 30 deg. \n\ntime,G(i),H_sun,T2m,WS10m,Int\n20310701:0210,512.5,40.1,25.5,1.5,0.0\n\nPVGIS (c) European Union";
    const row = { time: "20310701:0210", "G(i)": 512.5, H_sun: 40.1, T2m: 25.5, WS10m: 1.5, Int: 0 };
    const json = JSON.stringify({ inputs: {}, outputs: { hourly: [row] }, meta: {} });
    for (const text of [csv, json])
      expect(valuesOf(seriesOf({ format: "pvgis", text, encoding: "utf8" }), "poa_global_w_m2")).toEqual({
        "2031-07-01T02:10:00.000Z": 512.5,
      });
    expect(problemsOf({ format: "pvgis", text: json.replace("512.5", '"high"') })[0]).toMatchObject({ key: "G(i)" });
    expect(problemsOf({ format: "pvgis", text: json.slice(0, -20) })[0].allowed).toContain("PVGIS JSON");
  });
});
