import { describe, expect, test } from "vitest";
import type { FormatOptions } from "../../src/inputs/formats/fileFormat.ts";
import { FormatProblems } from "../../src/inputs/formats/formatProblem.ts";
import { mergeTables } from "../../src/inputs/formats/mergeTables.ts";
import { rangeText } from "../../src/inputs/formats/output/previewText.ts";
import { seriesCsv } from "../../src/inputs/formats/output/seriesOutput.ts";
import { detectFormats } from "../../src/inputs/formats/registry.ts";
import { columnOf, problemsOf, recordsOf, seriesOf } from "./readText.ts";

const file = (rows: readonly string[], options: FormatOptions = {}) =>
  ({ format: "table", text: `${rows.join("\n")}\n`, options, encoding: "utf8" }) as const;

/** Intervals of a column: [start in UTC, minutes, value]. */
function intervalsOf(rows: readonly string[], role: string, options: FormatOptions = {}) {
  const { timesMs, endsMs, values } = columnOf(seriesOf(file(rows, options)), role);
  return [...timesMs].map((atMs, k) => [
    new Date(atMs).toISOString().slice(5, 16),
    (endsMs[k] - atMs) / 60_000,
    Math.round(1e6 * values[k]) / 1e6,
  ]);
}

const hh = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

describe("each row has its own interval", () => {
  const hours = [0, 60, 120, 180].map((at) => `2027-03-02 ${hh(at)},6`);
  const quarters = [240, 255, 270, 285].map((at) => `2027-03-02 ${hh(at)},2`);

  test("energy of hours, then of quarters of an hour", () => {
    const read = intervalsOf(["time,kWh", ...hours, ...quarters], "kW", { timezone: "UTC" });
    expect(read.map(([, minutes, kw]) => [minutes, kw])).toEqual([
      ...hours.map(() => [60, 6]),
      ...quarters.map(() => [15, 8]),
    ]);
    const table = seriesOf(file(["time,kWh", ...hours, ...quarters], { timezone: "UTC" }));
    expect(rangeText(table)).toBe(
      "4 intervals of 60 min and 4 of 15 min from 2027-03-02T00:00:00Z to 2027-03-02T05:00:00Z, no gaps",
    );
  });

  test("the same in the other order of lengths, labelled by their ends", () => {
    const ends = [15, 30, 45, 60].map((at) => `2027-03-02 ${hh(at)},2`);
    const then = [120, 180, 240, 300].map((at) => `2027-03-02 ${hh(at)},6`);
    const read = intervalsOf(["time,kWh", ...ends, ...then], "kW", { timezone: "UTC", label: "end" });
    expect(read).toEqual([
      ...[0, 15, 30, 45].map((at) => [`03-02T${hh(at)}`, 15, 8]),
      ...[60, 120, 180, 240].map((at) => [`03-02T${hh(at)}`, 60, 6]),
    ]);
  });

  test("a missing row in even data stays a gap", () => {
    const rows = [0, 15, 30, 45, 75, 90, 105].map((at) => `2027-03-02 ${hh(at)},2`);
    const read = seriesOf(file(["time,kWh", ...rows], { timezone: "UTC" }));
    expect(read.gaps.map(({ fromMs, toMs }) => (toMs - fromMs) / 60_000)).toEqual([15]);
    expect([...columnOf(read, "kW").values]).toEqual(rows.map(() => 8));
  });

  test("local days of 23 and 25 hours, and months", () => {
    const options = { timezone: "Europe/Madrid" };
    const days = ["2027-03-27", "2027-03-28", "2027-03-29", "2027-03-30"].map((day) => `${day},48`);
    expect(
      intervalsOf(["day,Wirkarbeit kWh", ...days], "WirkarbeitkW", options).map(([, min, kw]) => [min, kw]),
    ).toEqual([
      [1440, 2],
      [1380, 2.086957],
      [1440, 2],
      [1440, 2],
    ]);
    const months = ["2027-01-01,744", "2027-02-01,1344", "2027-03-01,743"];
    expect(intervalsOf(["date,kWh", ...months], "kW", options)).toEqual([
      ["12-31T23:00", 44_640, 1],
      ["01-31T23:00", 40_320, 2],
      ["02-28T23:00", 44_580, 1],
    ]);
  });

  test.each<[string, string, readonly string[]]>([
    ["in minutes", "duration (min)", ["20", "5", "30"]],
    ["as a clock", "Dauer", ["0:20", "0:05:00", "0:30"]],
    ["in ISO 8601", "Duration", ["PT20M", "PT300S", "PT0H30M"]],
  ])("a printed duration %s", (_, name, lengths) => {
    const rows = lengths.map((length, k) => `2027-03-02 ${["00:00", "00:20", "01:00"][k]},${length},2`);
    expect(intervalsOf([`Start,${name},kWh`, ...rows], "kW", { timezone: "UTC" })).toEqual([
      ["03-02T00:00", 20, 6],
      ["03-02T00:20", 5, 24],
      ["03-02T01:00", 30, 4],
    ]);
  });

  test("a written file has equal parts, so that it means the same when it is read again", () => {
    const written = seriesCsv(seriesOf(file(["time,kWh", ...hours, ...quarters], { timezone: "UTC" }))).split("\n");
    expect(written).toHaveLength(1 + 16 + 4 + 1);
    expect(written.slice(1, 6)).toEqual([
      "2027-03-02T00:00:00Z,6",
      "2027-03-02T00:15:00Z,6",
      "2027-03-02T00:30:00Z,6",
      "2027-03-02T00:45:00Z,6",
      "2027-03-02T01:00:00Z,6",
    ]);
  });

  test("files of two resolutions are joined, and refused where they overlap", () => {
    const [first, second] = [hours, quarters].map((rows) =>
      seriesOf(file(["time,kWh", ...rows], { timezone: "UTC", label: "start" })),
    );
    const problems = new FormatProblems();
    const named = [
      { name: "a", table: first },
      { name: "b", table: second },
    ];
    expect(mergeTables(named, problems)).toMatchObject({ gaps: [], resolutionMs: 900_000 });
    const within = seriesOf(
      file(["time,kWh", "2027-03-02 03:30,1", "2027-03-02 03:45,1"], { timezone: "UTC", label: "start" }),
    );
    expect(mergeTables([named[0], { name: "c", table: within }], problems)).toBeNull();
    expect(problems.groups[0].first[0].found).toContain("which c:2 begins within");
  });
});

describe("rows in any order", () => {
  const rows = [
    "2027-06-01 00:00,1",
    "2027-06-01 00:20,2",
    "2027-06-01 00:40,3",
    "2027-06-01 01:00,4",
    "2027-06-01 01:20,5",
  ];
  const expected = [3, 6, 9, 12, 15];

  test.each<[string, number[]]>([
    ["newest first", [4, 3, 2, 1, 0]],
    ["unpivoted", [0, 2, 4, 1, 3]],
    ["in no order", [3, 0, 4, 2, 1]],
  ])("%s", (_, order) => {
    const read = intervalsOf(["timestamp,use (kWh)", ...order.map((k) => rows[k])], "use(kW)");
    expect(read.map(([, minutes, kw]) => [minutes, kw])).toEqual(expected.map((kw) => [20, kw]));
  });
});

describe("counters", () => {
  const readings = [915.2, 915.45, 915.75, 916.3, 916.4, 916.9, 917.0, 917.3, 917.85].map(
    (kwh, k) => `2027-01-10 ${hh(540 + 15 * k)},${kwh.toFixed(3)}`,
  );
  const options = { columns: { load_kw: "Meter kWh" }, timezone: "UTC" };

  test("are refused as energies, with the option that reads them", () => {
    expect(problemsOf(file(["time,Meter kWh", ...readings], { ...options, label: "start" }))[0]).toMatchObject({
      key: "registers",
      found: "Meter kWh, which never falls from 915.2 to 917.85, as a counter does",
      allowed: expect.stringContaining("--register load_kw"),
    });
  });

  test("give the mean power between two readings, whatever the label", () => {
    const registers = { ...options, registers: ["load_kw"] };
    const kw = [1, 1.2, 2.2, 0.4, 2, 0.4, 1.2, 2.2];
    for (const label of [undefined, "end"] as const)
      expect(intervalsOf(["time,Meter kWh", ...readings], "load_kw", { ...registers, label })).toEqual(
        kw.map((value, k) => [`01-10T${hh(540 + 15 * k)}`, 15, value]),
      );
  });

  test("a missing reading leaves one longer interval, and a fall is an error with its line", () => {
    const registers = { ...options, registers: ["load_kw"], negate: ["load_kw"] };
    const sparse = readings.map((row, k) => (k === 2 ? row.replace(/,.*/, ",") : row)).filter((_, k) => k !== 5);
    expect(intervalsOf(["time,Meter kWh", ...sparse], "load_kw", registers).map(([, min, kw]) => [min, kw])).toEqual([
      [15, -1],
      [30, -1.7],
      [15, -0.4],
      [30, -1.2],
      [15, -1.2],
      [15, -2.2],
    ]);
    const reset = ["time,Meter kWh", ...readings.slice(0, 4), "2027-01-10 10:00,0.100", ...readings.slice(5)];
    expect(problemsOf(file(reset, registers))[0]).toMatchObject({
      line: 6,
      found: "a reading of 0.1 after 916.3 in line 5",
    });
  });

  test.each<[string, (k: number) => number]>([
    [
      "stand still at night",
      (k) =>
        4210 + 12 * Math.floor(k / 96) + Math.max(0, (k % 96) - 40) * (k % 96 < 70 ? 0.2 : 0) + (k % 96 < 70 ? 0 : 5.8),
    ],
    ["begin at 0", (k) => 0.002 * k * k],
    ["are set back each night", (k) => 0.004 * (k % 96) ** 2],
  ])("counters that %s are no energies", (_, kwhAt) => {
    const rows = Array.from(
      { length: 192 },
      (_row, k) => `2027-06-${10 + Math.floor(k / 96)} ${hh(15 * (k % 96))},${kwhAt(k).toFixed(3)}`,
    );
    expect(problemsOf(file(["time,Meter kWh", ...rows], { ...options, label: "start" }))[0]).toMatchObject({
      key: "registers",
    });
    const pv = Array.from(
      { length: 192 },
      (_row, k) =>
        `2027-06-${10 + Math.floor(k / 96)} ${hh(15 * (k % 96))},${Math.max(0, 400 - ((k % 96) - 48) ** 2) / 100}`,
    );
    expect(seriesOf(file(["time,Meter kWh", ...pv], options)).gaps).toEqual([]);
  });

  test("energies that rise evenly for a day, or fall, or stay, are no counters", () => {
    const day = (kwhAt: (k: number) => number) =>
      Array.from({ length: 48 }, (_, k) => `2027-01-10 ${hh(30 * k)},${kwhAt(k)}`);
    for (const kwhAt of [(k: number) => 600 + k, (k: number) => 900 - (k % 7), () => 31])
      expect(intervalsOf(["time,Meter kWh", ...day(kwhAt)], "load_kw", options)[3][2]).toBe(2 * kwhAt(3));
  });
});

describe("units", () => {
  const rows = ["2027-05-05 00:00,1500", "2027-05-05 00:30,3000"];

  test.each<[string, number]>([
    ["Active energy Wh", 3],
    ["wirkarbeit_kwh", 3000],
    ["Leistung W", 1.5],
    ["kWh import (T1)", 3000],
    ["MW-out", 1_500_000],
    ["Einspeisung_MWh", 3_000_000],
    ["Last (千kWh)", 3_000_000],
    ["消費電力(ワット)", 1.5],
    ["power_w", 1.5],
  ])("of the header %s", (name, kw) => {
    expect(intervalsOf([`time,${name}`, ...rows], "x_kw", { columns: { x_kw: name } })[0][2]).toBe(kw);
  });

  test.each(["GHI W/m2", "ghi_w_m2", "co2 g/kWh", "price_eur_per_mwh", "Preis MWh", "Week"])(
    "%s stays as printed",
    (name) => {
      const read = seriesOf(file([`time,${name}`, ...rows], { columns: { x: name } }));
      expect(columnOf(read, "x").values[0]).toBe(1500);
    },
  );

  test("two units in a header are asked for, and an option is obeyed", () => {
    const columns = { x_kw: "kWh or kW" };
    expect(problemsOf(file(["time,kWh or kW", ...rows], { columns }))[0]).toMatchObject({ key: "units" });
    expect(intervalsOf(["time,kWh or kW", ...rows], "x_kw", { columns, units: { x_kw: "kW" } })[0][2]).toBe(1500);
  });

  test.each(["Load (1000 kWh)", "Tsd. kWh", "kWh x 10", "Energie kWh/15min", "Energy (MJ)", "(mWh)", "thousand kWh"])(
    "%s is asked about for a power, and not used as one",
    (name) => {
      expect(problemsOf(file([`time,${name}`, ...rows], { columns: { x_kw: name } }))[0]).toMatchObject({
        key: "units",
      });
      const read = seriesOf(file([`time,${name}`, ...rows]));
      expect(read.columns[0].values[0]).toBe(1500);
      expect(read.columns[0].unit).not.toBe("kW");
    },
  );

  test("in a title, in words below the names, and in several rows of a column of units", () => {
    const title = ["Einheit: kWh", "time,Load", ...rows];
    expect(problemsOf(file(title))[0]).toMatchObject({
      key: "units",
      found: "a title with the unit kWh, and Load without one",
    });
    expect(intervalsOf(title, "Load", { units: { Load: "kWh" } })[0][2]).toBe(3000);
    const below = ["time,Import,PV", ",Energy (kWh),Average power W", ...rows.map((row) => `${row},1500`)];
    expect(intervalsOf(below, "Import")[0][2]).toBe(3000);
    expect(intervalsOf(below, "PV")[0][2]).toBe(1.5);
    const two = ["time,Load,Unit", `${rows[0]},MWh`, `${rows[1]},kWh`];
    expect(problemsOf(file(two))[0]).toMatchObject({
      key: "units",
      found: "the header Load with the unit MWh and kWh",
    });
  });

  test("two columns that differ in their unit alone keep two names", () => {
    const read = seriesOf(file(["time,Load kWh,Load kW", ...rows.map((row) => `${row},7`)]));
    expect(read.columns.map(({ role, values }) => [role, values[0]])).toEqual([
      ["LoadkW", 3000],
      ["LoadkW#2", 7],
    ]);
  });

  test("in the next column, where all rows have the same one", () => {
    const long = ["time,Volume,Unit,Note", ...rows.map((row) => `${row},Wh,ok`)];
    expect(intervalsOf(long, "x_kw", { columns: { x_kw: "Volume" } })[0][2]).toBe(3);
  });

  test("a column without a unit is as printed, and a note says so", () => {
    expect(seriesOf(file(["time,Volume", ...rows], { columns: { x_kw: "Volume" } })).notes).toContain(
      "x_kw: no unit in Volume; numbers as printed",
    );
  });
});

describe("decimal signs", () => {
  const rows = (...cells: readonly string[]) => [
    "time;kW",
    ...cells.map((cell, k) => `2027-02-02 ${hh(30 * k)};${cell}`),
  ];

  test.each<[string, readonly string[]]>([
    ["commas", ["310,250", "415,125"]],
    ["dots", ["310.250", "415.125"]],
  ])("%s with three decimals are asked for in a file of semicolons", (_, cells) => {
    expect(problemsOf(file(rows(...cells)))[0]).toMatchObject({ key: "decimal" });
    expect(columnOf(seriesOf(file(rows(...cells), { decimal: "," })), "kW").values[0]).toBe(
      cells[0].includes(",") ? 310.25 : 310_250,
    );
  });

  test.each<[string, readonly string[], readonly number[]]>([
    ["0,125", ["310,250", "0,125"], [310.25, 0.125]],
    ["1.018,375", ["310,250", "1.018,375"], [310.25, 1018.375]],
    ["12.5", ["310.250", "12.5"], [310.25, 12.5]],
  ])("%s decides", (_, cells, values) => {
    expect([...columnOf(seriesOf(file(rows(...cells))), "kW").values]).toEqual(values);
  });

  test("quoted thousands in a file of commas stay", () => {
    const text = ["time,kW", '2027-02-02 00:00,"3,450"', "2027-02-02 00:30,12"];
    expect(columnOf(seriesOf(file(text)), "kW").values[0]).toBe(3450);
  });
});

describe("ranges whose ends are their last times", () => {
  test.each<[string, string[], number]>([
    ["minutes", ["09:00-09:14", "09:15-09:29", "09:30-09:44"], 15],
    ["seconds", ["09:00:00-09:59:59", "10:00:00-10:59:59", "11:00:00-11:59:59"], 60],
    ["the end of the day", ["23:00-23:29", "23:30-23:59"], 30],
    ["a gap between", ["09:00-09:29", "09:30-09:59", "11:00-11:29"], 30],
    ["no neighbours", ["09:00-09:29", "11:00-11:29"], 30],
    ["ends at the next start", ["09:00-09:30", "09:30-10:00"], 30],
  ])("%s", (_, ranges, minutes) => {
    const read = intervalsOf(["date,interval,kWh", ...ranges.map((range) => `2027-07-01,${range},3`)], "kW");
    expect(read.map(([, length]) => length)).toEqual(ranges.map(() => minutes));
  });

  test("in columns of their own, also as time stamps", () => {
    const rows = ["2027-07-01 00:00:00,2027-07-01 00:09:59,2", "2027-07-01 00:10:00,2027-07-01 00:19:59,2"];
    expect(intervalsOf(["from,until,kWh", ...rows], "kW", { timezone: "UTC" })).toEqual([
      ["07-01T00:00", 10, 12],
      ["07-01T00:10", 10, 12],
    ]);
  });

  test("of awards", () => {
    const text = "date,slot range,delta_kw\n2027-07-01,15:00-15:29,-5\n2027-07-01,15:30-15:59,-6\n";
    expect(
      recordsOf({ format: "awards", text, encoding: "utf8", options: { columns: { delta_kw: "delta_kw" } } }).rows[0],
    ).toEqual(["2027-07-01T06:00:00Z", "2027-07-01T06:30:00Z", "-5"]);
  });
});

describe("slot codes", () => {
  const day = (date: string, count: number) => Array.from({ length: count }, (_, k) => `${date},${k + 1},${k}`);

  test.each<[string, string, string, number, number, string]>([
    ["quarters of an hour", "Europe/Paris", "2027-02-03", 96, 15, "2027-02-03T22:45"],
    ["hours of the long day", "Europe/Paris", "2027-10-31", 25, 60, "2027-10-31T22:00"],
    ["half hours of the short day", "Europe/London", "2027-03-28", 46, 30, "2027-03-28T22:30"],
  ])("%s", (_, timezone, date, count, minutes, last) => {
    const read = seriesOf(file(["date,period,price", ...day(date, count)], { timezone }));
    const { timesMs, endsMs } = columnOf(read, "price");
    expect((endsMs[0] - timesMs[0]) / 60_000).toBe(minutes);
    expect(new Date(timesMs[count - 1]).toISOString().slice(0, 16)).toBe(last);
    expect(read.gaps).toEqual([]);
  });

  test("days of hours, then of quarters; a part of a day as the day before", () => {
    const rows = [...day("2027-09-30", 24), ...day("2027-10-01", 96), ...day("2027-10-02", 3)];
    const { timesMs, endsMs } = columnOf(seriesOf(file(["date,period,price", ...rows])), "price");
    expect([0, 23, 24, 119, 120, 122].map((k) => (endsMs[k] - timesMs[k]) / 60_000)).toEqual([60, 60, 15, 15, 15, 15]);
  });

  test("the codes of an ordinary day on a day of a clock change are asked about", () => {
    const rows = [...day("2027-10-30", 48), ...day("2027-10-31", 48)];
    expect(problemsOf(file(["date,period,price", ...rows], { timezone: "Europe/London" }))[0]).toMatchObject({
      key: "slot",
      found: "48 slot codes on 2027-10-31, a day of a clock change",
      allowed: expect.stringContaining("50 codes"),
    });
  });

  test("without a whole day their length is asked for, but for those of the Japanese market", () => {
    const rows = day("2027-09-30", 5);
    expect(problemsOf(file(["date,period,price", ...rows]))[0]).toMatchObject({ key: "slot_minutes" });
    const stated = seriesOf(file(["date,period,price", ...rows], { slot_minutes: 15 }));
    expect(stated.resolutionMs).toBe(900_000);
    expect(seriesOf(file(["日付,コマ,price", ...rows])).resolutionMs).toBe(1_800_000);
  });
});

describe("clock changes", () => {
  const zone = { timezone: "Europe/Rome", label: "end" } as const;
  const row = (time: string) => `2027-10-31 ${time},1`;

  test("an end that the clock leaves out", () => {
    const rows = ["01:00", "01:30", "02:00", "03:30", "04:00"].map((time) => `2027-03-28 ${time},1`);
    expect(intervalsOf(["time,kWh", ...rows], "kW", zone)).toEqual(
      ["03-27T23:30", "03-28T00:00", "03-28T00:30", "03-28T01:00", "03-28T01:30"].map((start) => [start, 30, 2]),
    );
    const shown = ["01:00", "01:30", "03:00", "03:30", "04:00"].map((time) => `2027-03-28 ${time},1`);
    expect(intervalsOf(["time,kWh", ...shown], "kW", zone)).toEqual(intervalsOf(["time,kWh", ...rows], "kW", zone));
  });

  const starts = [
    "10-30T23:00",
    "10-30T23:30",
    "10-31T00:00",
    "10-31T00:30",
    "10-31T01:00",
    "10-31T01:30",
    "10-31T02:00",
  ];
  test.each<[string, string[]]>([
    ["ends as the clock shows them", ["01:30", "02:00", "02:30", "02:00", "02:30", "03:00", "03:30"]],
    ["ends as starts and lengths", ["01:30", "02:00", "02:30", "03:00", "02:30", "03:00", "03:30"]],
    ["ends in pairs", ["01:30", "02:00", "02:30", "02:30", "03:00", "03:00", "03:30"]],
  ])("a repeated hour: %s", (_, times) => {
    expect(
      intervalsOf(["time,kWh", ...times.map(row)], "kW", zone).map(([start, minutes]) => [start, minutes]),
    ).toEqual(starts.map((start) => [start, 30]));
  });

  test.each<[string, string[]]>([
    ["in pairs, with equal values", ["01:00", "01:30", "02:00", "02:00", "02:30", "02:30", "03:00"]],
    ["in its order", ["01:00", "01:30", "02:00", "02:30", "02:00", "02:30", "03:00"]],
    ["newest first", ["03:00", "02:30", "02:00", "02:30", "02:00", "01:30", "01:00"]],
  ])("a repeated hour of starts: %s", (_, times) => {
    const options = { ...zone, label: "start" } as const;
    expect(intervalsOf(["time,kWh", ...times.map(row)], "kW", options).map(([start]) => start)).toEqual(starts);
  });

  test("a file that begins within the second one of the repeated hours", () => {
    const options = { ...zone, label: "start" } as const;
    expect(intervalsOf(["time,kWh", ...["02:30", "03:00", "03:30"].map(row)], "kW", options)[0][0]).toBe("10-31T01:30");
  });
});

describe("headers and columns of times", () => {
  test("sheets of one row a day are no table of times", () => {
    const names = Array.from({ length: 24 }, (_, h) => `${h}:00`);
    const text = [["date", ...names].join(","), ["2027-02-01", ...names.map((_, h) => h)].join(",")];
    expect(problemsOf(file(text))[0].found).toContain("24 columns of times of day");
  });

  test("UTC in the header of the times is their zone, unless an option states another", () => {
    const rows = ["2027-02-01 00:00,5", "2027-02-01 00:30,6"];
    const at = (name: string, options = {}) => intervalsOf([`${name},kW`, ...rows], "kW", options)[0][0];
    expect(at("datetime_utc")).toBe("02-01T00:00");
    expect(at("Time (UTC+01:00)")).toBe("01-31T23:00");
    expect(at("time UTC", { fallback_timezone: "Europe/Rome" })).toBe("02-01T00:00");
    expect(at("time UTC", { timezone: "Europe/Rome" })).toBe("01-31T23:00");
  });

  test("12-hour clocks, in one cell or beside the date", () => {
    const stamps = ["7/4/2027 11:30 AM,1", "7/4/2027 12:00 PM,2", "7/4/2027 12:30 p.m.,3", "7/4/2027 1:00PM,4"];
    const options = { timezone: "UTC", date_order: "mdy", label: "start" } as const;
    expect(intervalsOf(["Usage time,kW", ...stamps], "kW", options).map(([start]) => start)).toEqual([
      "07-04T11:30",
      "07-04T12:00",
      "07-04T12:30",
      "07-04T13:00",
    ]);
    const beside = ["2027-07-04,12:00 AM,1", "2027-07-04,12:30 AM,2", "2027-07-04,1:00 AM,3"];
    expect(intervalsOf(["Tag,Uhrzeit,kW", ...beside], "kW", { timezone: "UTC" })[1][0]).toBe("07-04T00:30");
    const japanese = ["2027/7/4,午後11:30,1", "2027/7/5,午前0:00,2"];
    expect(intervalsOf(["日,時,kW", ...japanese], "kW", { label: "start" })[1][0]).toBe("07-04T15:00");
  });

  test("titles with dates above, and names in another language", () => {
    const rows = ["Bericht,01.02.2027", "", "Zählpunkt,Beginn,Menge", "X,2027-02-01 00:00,1", "X,2027-02-01 00:15,2"];
    expect(intervalsOf(rows, "x_kw", { columns: { x_kw: "Menge" }, timezone: "UTC" })[1][0]).toBe("02-01T00:15");
  });

  test("names and units in two rows", () => {
    const rows = ["Zeit,Netz,PV", ",[kWh],[W]", "2027-02-01 00:00,5,1500", "2027-02-01 00:30,6,2500"];
    const columns = { load_kw: "Netz", pv_kw: "PV" };
    expect(intervalsOf(rows, "load_kw", { columns }).map(([, , kw]) => kw)).toEqual([10, 12]);
    expect(intervalsOf(rows, "pv_kw", { columns }).map(([, , kw]) => kw)).toEqual([1.5, 2.5]);
  });

  test("a stated row of names, below which other rows are none", () => {
    const rows = ["a,b", "Zeit,P kW", "0,0", "x,1", "2027-02-01 00:00,5", "2027-02-01 00:30,6"];
    expect(intervalsOf(rows, "PkW", { header_row: 2 })).toHaveLength(2);
    expect(problemsOf(file(rows, { header_row: 99 }))[0]).toMatchObject({ key: "header_row" });
  });

  test("a name twice", () => {
    const rows = ["time,Usage,Usage", "2027-02-01 00:00,5,50", "2027-02-01 00:30,6,60"];
    expect(intervalsOf(rows, "x", { columns: { x: "Usage#2" } })[0][2]).toBe(50);
    expect(problemsOf(file(rows, { columns: { x: "Usage" } }))[0].allowed).toContain("Usage#1 and Usage#2");
  });

  test("numbers of hours beside the date, whatever their header", () => {
    const day = (first: number) => Array.from({ length: 24 }, (_, k) => `2027-02-01,${first + k},${k}`);
    const at = (header: string, first: number) =>
      intervalsOf([`Fecha,${header},kW`, ...day(first)], "kW", { timezone: "UTC" }).map(([start]) => start);
    expect(at("Hora", 1)).toEqual(at("HE", 1));
    expect(at("Hora", 1)).toEqual(at("Stunde", 0));
    expect(at("Hora", 1)[23]).toBe("02-01T23:00");
  });

  test("stated columns of times", () => {
    const rows = ["Posted,Delivery,HE,kW", "2027-01-01,2027-02-01,1,5", "2027-01-01,2027-02-01,2,6"];
    const options = { time_columns: ["Delivery", "HE"], slot_minutes: 60, timezone: "UTC" };
    expect(intervalsOf(rows, "kW", options).map(([start]) => start)).toEqual(["02-01T00:00", "02-01T01:00"]);
    expect(problemsOf(file(rows, { time_columns: ["Datum"] }))[0]).toMatchObject({ key: "time_columns" });
    expect(problemsOf(file(rows))[0]).toMatchObject({
      key: "time_columns",
      found: "rows of one time alone, by the column Posted",
    });
  });
});

describe("dialects and long tables", () => {
  test('cells of the form ="…"', () => {
    const rows = ["Kunde;Zeit;kW", '="0012";2027-02-01 00:00;1,5', '="0012";2027-02-01 00:30;2,25'];
    expect([...columnOf(seriesOf(file(rows)), "kW").values]).toEqual([1.5, 2.25]);
  });

  test("units and currencies beside numbers", () => {
    const rows = ["time,Load,Price", "2027-02-01 00:00,12.5 MW,€ 9.80", "2027-02-01 00:30,13 MW,€ 1"];
    const read = seriesOf(file(rows));
    expect([...columnOf(read, "Load").values]).toEqual([12_500, 13_000]);
    expect([...columnOf(read, "Price").values]).toEqual([9.8, 1]);
    expect(problemsOf(file([...rows, "2027-02-01 01:00,14 kW,€ 2"]))[0]).toMatchObject({ line: 4, found: '"14 kW"' });
  });

  const rows = [
    "Art,Zeit,Menge kWh",
    "Strom,2027-02-01 00:00,1",
    "Gas,2027-02-01 00:00,7",
    "Strom,2027-02-01 00:30,2",
    "Gas,2027-02-01 00:30,8",
  ];
  const options = { columns: { x_kw: "Menge kWh" }, label: "start" } as const;

  test("rows by a cell", () => {
    expect(intervalsOf(rows, "x_kw", { ...options, where: { Art: "Gas" } }).map(([, , kw]) => kw)).toEqual([14, 16]);
    expect(problemsOf(file(rows, { ...options, where: { Art: "Wasser" } }))[0]).toMatchObject({
      key: "where",
      found: 'no row with "Wasser" in Art',
      allowed: "one of Strom, Gas",
    });
  });

  test("rows of one time name the column in which they differ", () => {
    expect(problemsOf(file(rows, options))[0].allowed).toContain(
      "the rows differ in Art (Strom, Gas): the option where",
    );
  });
});

describe("statements", () => {
  test("a zone that no option states is said to be the default", () => {
    const rows = ["time,kW", "2027-02-01 00:00,1", "2027-02-01 00:30,2"];
    expect(seriesOf(file(rows)).notes).toContain(
      "local times of Asia/Tokyo, which is the default; the option timezone (--tz) states another zone",
    );
    expect(seriesOf(file(rows, { timezone: "Europe/Oslo" })).notes).toContain("local times of Europe/Oslo");
    const offsets = ["time,kW", "2027-02-01T00:00:00+01:00,1", "2027-02-01T00:30:00+01:00,2"];
    expect(seriesOf(file(offsets)).notes.join()).not.toContain("local times");
  });

  test.each<[string, string]>([
    ["XML", '<?xml version="1.0"?>\n<data><v t="2027-01-01">1</v></data>\n'],
    ["JSON", '{"time": ["2027-01-01T00:00"], "kw": [1]}\n'],
  ])("%s is no table", (name, text) => {
    expect(problemsOf({ format: "table", text })[0].found).toContain(name);
    expect(detectFormats("f.txt", text)).toEqual([]);
  });

  test("an encoding that the bytes allow is not blamed for another error", () => {
    const text = "Señal;1;2\nPrecio;11,25;12,50\n";
    const options = { encoding: "windows-1252" } as const;
    expect(
      problemsOf({ format: "table", text, encoding: "windows-1252", options }).map(({ key }) => key),
    ).not.toContain("encoding");
  });
});
