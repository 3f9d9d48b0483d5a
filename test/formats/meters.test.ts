import { describe, expect, test } from "vitest";
import { problemsOf, seriesOf, valuesOf } from "./readText.ts";
import { clock, greenButtonMeter, greenButtonText } from "./validFiles.ts";

const POINT = "0399999999999999999991";
const OTHER = "0399999999999999999992";
const message = (body: string, head = ""): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<SBD-MSG>\n <JPMGRP><JPTRM>\n${head}${body}\n </JPTRM></JPMGRP>\n</SBD-MSG>`;
const read = (text: string, point?: string) =>
  seriesOf({ format: "bp_meter", text, encoding: "utf8", ...(point === undefined ? {} : { options: { point } }) });
const SLOT_16 = "2031-06-30T22:30:00.000Z";

describe("XML messages of meter values", () => {
  const today = (records: string) =>
    message(`<JPM00010>${records}</JPM00010>`, "<JP06116>20310701</JP06116><JP06219>16</JP06219>");
  const record = (point: string, kwh: string, rest = "") =>
    `\n<JPMR00010><JP06400>${point}</JP06400><JP06122>0</JP06122><JP06125>${kwh}</JP06125>${rest}</JPMR00010>`;

  test("same day: one slot of one point or of several", () => {
    expect(valuesOf(read(today(record(POINT, "1.3"))), "power_kw")).toEqual({ [SLOT_16]: 2.6 });
    const both = today(record(POINT, "1.3") + record(OTHER, "4"));
    expect(valuesOf(read(both), `power_${OTHER}_kw`)).toEqual({ [SLOT_16]: 8 });
    expect(valuesOf(read(both, POINT), "power_kw")).toEqual({ [SLOT_16]: 2.6 });
  });

  test("past days: points in slots", () => {
    const slot = (code: string, kwh: number) =>
      `<JPMR00010><JP06219>${code}</JP06219><JPM00011><JPMR00011><JP06400>${POINT}</JP06400><JP06123>${kwh}</JP06123></JPMR00011></JPM00011></JPMR00010>`;
    const text = message(`<JPM00010>${slot("01", 300)}${slot("48", 310)}</JPM00010>`, "<JP06116>20310701</JP06116>");
    expect(valuesOf(read(text), "power_kw")).toEqual({
      "2031-06-30T15:00:00.000Z": 600,
      "2031-07-01T14:30:00.000Z": 620,
    });
  });

  test("confirmed month: slots in days in one point, in a namespace; not provided is missing", () => {
    const days = (provided: 0 | 1) =>
      message(
        `<x:JPM00010><x:JPMR00010><x:JP06400>${POINT}</x:JP06400><x:JP06405>${provided}</x:JP06405><x:JPM00013><x:JPMR00013><x:JP06423>20310701</x:JP06423><x:JPM00014><x:JPMR00014><x:JP06219>2</x:JP06219><x:JP06424>77</x:JP06424></x:JPMR00014></x:JPM00014></x:JPMR00013></x:JPM00013></x:JPMR00010></x:JPM00010>`,
      ).replaceAll(
        /<(\/?)(SBD-MSG|JPMGRP|JPTRM)>/g,
        (_, slash, name) => `<${slash}x:${name}${slash === "" ? ' xmlns:x="urn:x"' : ""}>`,
      );
    expect(valuesOf(read(days(0)), "power_kw")).toEqual({ "2031-06-30T15:30:00.000Z": 154 });
    expect(valuesOf(read(days(1)), "power_kw")).toEqual({ "2031-06-30T15:30:00.000Z": null });
  });

  test.each<[string, string, object]>([
    [
      "a spreadsheet's supply-point number",
      today(record("3.00E+20", "1")),
      { key: "JP06400", found: '"3.00E+20"', line: 5 },
    ],
    ["a negative energy", today(record(POINT, "-1")), { found: '"-1"' }],
    ["a slot of 49", today(record(POINT, "1")).replace(">16<", ">49<"), { key: "JP06219" }],
    ["a message that is cut off", today(record(POINT, "1")).slice(0, -30), { line: expect.any(Number) }],
  ])("%s is an error", (_, text, expected) =>
    expect(problemsOf({ format: "bp_meter", text, encoding: "utf8" })[0]).toMatchObject(expected),
  );

  test("a value whose state is not 0 is missing, and an unknown point is refused", () => {
    expect(valuesOf(read(today(record(POINT, "1")).replace("<JP06122>0", "<JP06122>1")), "power_kw")).toEqual({
      [SLOT_16]: null,
    });
    const text = today(record(POINT, "1"));
    expect(problemsOf({ format: "bp_meter", text, encoding: "utf8", options: { point: OTHER } })[0]).toMatchObject({
      key: "point",
    });
  });
});

describe("a portal's row for each day", () => {
  const header = ["年月日", ...Array.from({ length: 48 }, (_, k) => `${clock(k)}～${clock(k + 1)}`)];
  const row = [
    "2031/07/01",
    ...Array.from({ length: 48 }, (_, k) => (k === 3 ? "" : `"${(1000 + k).toLocaleString("en")}"`)),
  ];
  const text = ['"30分電力量照会"', '"単位","kWh"', header.join(","), row.join(",")].join("\r\n");

  test("kWh of a half hour become mean kW; the unit is that of the file or of the option", () => {
    const values = valuesOf(seriesOf({ format: "meter_days", text }), "power_kw");
    expect(values["2031-06-30T15:30:00.000Z"]).toBe(2002);
    expect(values["2031-06-30T16:30:00.000Z"]).toBeNull();
    expect(Object.keys(values)).toHaveLength(48);
    const without = text.replace('"単位","kWh"\r\n', "");
    expect(problemsOf({ format: "meter_days", text: without })[0]).toMatchObject({ key: "units" });
    const given = seriesOf({ format: "meter_days", text: without, options: { units: { power_kw: "kW" } } });
    expect(valuesOf(given, "power_kw")["2031-06-30T15:30:00.000Z"]).toBe(1001);
  });

  test("a header without one of the half hours is refused", () => {
    expect(problemsOf({ format: "meter_days", text: text.replace(",5:00～5:30", "") })[0].found).toBe("47 half hours");
  });
});

describe("Green Button", () => {
  const START_S = Date.UTC(2031, 6, 1, 7) / 1000;
  const xml = (...meters: readonly string[]) =>
    ({ format: "green_button", text: greenButtonText(meters), encoding: "utf8" }) as const;
  const quarters = (...values: readonly number[]) => values.map((value, k) => [START_S + 900 * k, 900, value] as const);

  test("energies of each direction over the printed durations, by their types", () => {
    const used = greenButtonMeter("7", 1, -3, [...quarters(250_000, 500_000), [START_S + 1_800, 3_600, 3_000_000]]);
    const read = seriesOf(xml(used, greenButtonMeter("7", 19, 0, quarters(0, 125))));
    expect(valuesOf(read, "import_kw")).toEqual({
      "2031-07-01T07:00:00.000Z": 1,
      "2031-07-01T07:15:00.000Z": 2,
      "2031-07-01T07:30:00.000Z": 3,
    });
    expect(valuesOf(read, "export_kw")).toEqual({ "2031-07-01T07:00:00.000Z": 0, "2031-07-01T07:15:00.000Z": 0.5 });
    expect(read.columns[0].endsMs[2]).toBe(Date.UTC(2031, 6, 1, 8, 30));
  });

  test("usage points are chosen, and counters and unknown units are refused", () => {
    const [one, two] = ["7", "8"].map((point) => greenButtonMeter(point, 1, 0, quarters(250, 500)));
    expect(problemsOf(xml(one, two))[0]).toMatchObject({ key: "point", allowed: "one of 7, 8" });
    expect(valuesOf(seriesOf({ ...xml(one, two), options: { point: "8" } }), "import_kw")).toMatchObject({
      "2031-07-01T07:00:00.000Z": 1,
    });
    expect(problemsOf(xml(greenButtonMeter("7", 1, 0, quarters(1), { uom: 169 })))[0].found).toContain("unit code 169");
    expect(problemsOf(xml(greenButtonMeter("7", 1, 0, quarters(1), { behaviour: 3 })))[0].found).toContain("counter");
    expect(problemsOf({ ...xml(one), text: xml(one).text.replace("<value>250<", "<value>x<") })[0].key).toBe(
      "IntervalReading",
    );
  });
});

describe("NEM12", () => {
  const header = "100,NEM12,203107020000,MDP,RETAILER";
  const stream = (suffix: string, unit: string, minutes: number, point = "4102000001") =>
    `200,${point},E1B1Q1,1,${suffix},,99,${unit},${minutes},`;
  const day = (values: readonly number[], quality = "A") => `300,20310701,${values.join(",")},${quality},,,,`;
  const file = (...records: readonly string[]) =>
    ({ format: "nem12", text: [header, ...records, "900", ""].join("\r\n") }) as const;
  const halves = Array.from({ length: 48 }, (_, k) => k / 2);

  test("a column for each data stream, in market time", () => {
    const quarters = Array.from({ length: 96 }, (_, k) => 100 + k);
    const read = seriesOf(file(stream("E1", "kWh", 30), day(halves), stream("B1", "Wh", 15), day(quarters)));
    expect(valuesOf(read, "e1_kw")).toMatchObject({ "2031-06-30T14:00:00.000Z": 0, "2031-07-01T13:30:00.000Z": 47 });
    expect(valuesOf(read, "b1_kw")).toMatchObject({ "2031-06-30T14:15:00.000Z": 0.404 });
  });

  test("blocks of one stream are joined, also of another length, and contradict each other with both lines", () => {
    const second = day(halves).replace("20310701", "20310702");
    const joined = seriesOf(file(stream("E1", "kWh", 30), day(halves), stream("E1", "kWh", 30), second));
    expect(joined.columns.map(({ role, values }) => [role, values.length])).toEqual([["e1_kw", 96]]);
    const fives = day(Array.from({ length: 288 }, (_, k) => k)).replace("20310701", "20310702");
    const mixed = seriesOf(file(stream("E1", "kWh", 30), day(halves), stream("E1", "kWh", 5), fives));
    expect([mixed.columns[0].values.length, mixed.columns[0].values[49], mixed.gaps]).toEqual([336, 12, []]);
    const other = day(halves.map((kwh) => kwh + 1));
    expect(problemsOf(file(stream("E1", "kWh", 30), day(halves), stream("E1", "kWh", 30), other))[0].found).toContain(
      "with other values than line 3",
    );
  });

  test("values of quality N are missing, and reactive energy is left out", () => {
    const records = [stream("E1", "kWh", 30), day(halves, "V"), "400,1,46,A,,", "400,47,48,N,,"];
    const read = seriesOf(file(...records, stream("Q1", "kvarh", 30), day(halves)));
    expect(read.columns.map(({ role }) => role)).toEqual(["e1_kw"]);
    expect(valuesOf(read, "e1_kw")).toMatchObject({ "2031-07-01T12:30:00.000Z": 45, "2031-07-01T13:00:00.000Z": null });
    expect(read.notes).toContain("data streams that are not read: Q1 (kvarh)");
    expect(valuesOf(seriesOf(file(stream("E1", "kWh", 30), day(halves, "N14"))), "e1_kw")).toMatchObject({
      "2031-06-30T14:30:00.000Z": null,
    });
    const two = file(stream("E1", "kWh", 30), day(halves), stream("E1", "kWh", 30, "4102000002"), day(halves));
    expect(problemsOf(two)[0]).toMatchObject({ key: "point", allowed: "one of 4102000001, 4102000002" });
    expect(problemsOf(file(stream("E1", "kWh", 30), day(halves.slice(1))))[0]).toMatchObject({ line: 3 });
  });
});
