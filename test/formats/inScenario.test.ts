import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import type { InputErrors } from "../../src/base/inputError.ts";
import { readScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { runScenario } from "../../src/report/runScenario.ts";

const HOUR_MS = 3_600_000;
const DAY_START_MS = Date.UTC(2031, 2, 31, 15);

const jma = (hours: number): string =>
  [
    "ダウンロードした時刻：2031/07/20 12:49:53",
    "",
    ",架空,架空,架空,架空",
    "年月日時,気温(℃),気温(℃),日射量(MJ/㎡),日射量(MJ/㎡)",
    ",,品質情報,,品質情報",
    ...Array.from(
      { length: hours },
      (_, h) => `2031/4/${h < 23 ? 1 : 2} ${(h + 1) % 24}:00:00,${10 + h}.0,8,${(h / 10).toFixed(2)},8`,
    ),
  ].join("\r\n");

const scenario = (series: string, site: string): string => `version: 1
name: files
timezone: Asia/Tokyo
start: 2031-04-01T00:00:00+09:00
end: 2031-04-02T00:00:00+09:00
series:
  s: ${series}
sites:
  - name: site
    components:
${site}
`;
const PV =
  "      - {component_id: pv, component_type: generator, generator_kind: pv, pv_capacity_kw: 100, rated_output_kw: 80, model: {weather: s, latitude: 36, longitude: 140, tilt_deg: 20, azimuth_deg: 180}}";
const LOAD =
  "      - {component_id: line, component_type: consumer, consumer_kind: factory, contract_kw: 5000, max_demand_kw: 5000, model: {load: s.load_kw}}";

const load = (yaml: string, file: string) =>
  readScenario(
    "/s/scenario.yaml",
    {},
    memoryFiles(
      new Map<string, string | Buffer>([
        ["/s/scenario.yaml", yaml],
        ["/s/f.csv", iconv.encode(file, "cp932")],
      ]),
    ),
  );

describe("a scenario with published files", () => {
  test("takes means over their hours and readings at their instants, from the first hour on", () => {
    const prices = load(
      `${scenario("{format: jma_hourly, file: f.csv, columns: {price: temp_air_c}}", PV.replace("weather: s", "generation: s.price").replace(/, latitude.*}}/, "}}"))}market: {energy_price: s.price}\n`,
      jma(24),
    ).world.energyPriceJpyPerKwh;
    // Readings: 10 °C at 1:00, held back to 0:00, then 11 °C from 2:00.
    expect([0, 0.5, 1, 1.9, 2].map((hours) => prices?.valueAt(DAY_START_MS + hours * HOUR_MS))).toEqual([
      10, 10, 10, 10, 11,
    ]);
  });

  test("labels of roles place hourly means and readings of one file at their own times", () => {
    const csv =
      "timestamp,mean,reading\n2031-03-31T15:00:00Z,5,10\n2031-03-31T16:00:00Z,7,10\n2031-03-31T17:00:00Z,,12\n";
    const seriesOf = (labels: string, role: string) =>
      load(
        `${scenario(`{file: f.csv, label: start, interpolation: linear, on_gap: hold${labels}}`, PV.replace("weather: s", "generation: s.mean").replace(/, latitude.*}}/, "}}"))}market: {energy_price: s.${role}}\n`,
        csv,
      ).world.energyPriceJpyPerKwh;
    const at = (hours: number) => DAY_START_MS + hours * HOUR_MS;
    // Without labels the reading of 2:00 would stand at 2:30.
    expect(seriesOf(", labels: {reading: instant}", "reading")?.valueAt(at(2))).toBe(12);
    expect(seriesOf("", "reading")?.valueAt(at(2))).toBe(11);
    expect(seriesOf(", labels: {reading: instant}", "mean")?.valueAt(at(1))).toBe(6);
    const errorsOf = (declared: string) => {
      try {
        load(scenario(declared, PV), csv);
      } catch (error) {
        return (error as InputErrors).errors.map(({ message }) => message).join("\n");
      }
      return "";
    };
    expect(errorsOf("{file: f.csv, columns: {a: mean}, labels: {b: start}}")).toContain(
      'role "b", allowed one of the roles a',
    );
    expect(errorsOf("{format: jma_hourly, file: f.csv, labels: {temp_air_c: start}}")).toContain(
      "labels beside format",
    );
  });

  test("makes PV power of an observed day, and runs", async () => {
    const { record } = await runScenario(load(scenario("{format: jma_hourly, file: f.csv}", PV), jma(24)));
    expect(record.sites[0].exportKwh).toBeGreaterThan(50);
  });

  test("refuses a run that is longer than the file", () => {
    expect(() => load(scenario("{format: jma_hourly, file: f.csv}", PV), jma(12))).toThrow(
      /ghi_w_m2: found no data from 2031-04-01T03:30:00Z to 2031-04-01T15:00:00Z/,
    );
  });

  test("reads a table in the time zone of the scenario, with columns, units and missing marks of its own", async () => {
    const rows = Array.from({ length: 48 }, (_, k) => `2031/4/1,${k + 1},"1,${String(k).padStart(3, "0")}"`);
    const table = ["日付,コマ,電力量", ...rows].join("\r\n");
    const series = "{format: table, file: f.csv, columns: {load_kw: 電力量}, units: {load_kw: kWh}}";
    const { record } = await runScenario(load(scenario(series, LOAD), table));
    // Σ (1000 + k) kWh over 48 slots.
    expect(record.sites[0].importKwh).toBeCloseTo(48_000 + (47 * 48) / 2, 9);
  });

  test("reports damage with its place in the file", () => {
    try {
      load(scenario("{format: jma_hourly, file: f.csv}", PV), jma(24).replace("12.0,8", "1x.0,8"));
      expect.unreachable();
    } catch (error) {
      expect((error as InputErrors).errors[0]).toMatchObject({
        file: "/s/f.csv",
        line: 8,
        column: 18,
        found: '"1x.0"',
      });
    }
  });
});

describe("units of series in use", () => {
  const csv = (header: string, value: number) =>
    [
      `timestamp,${header}`,
      ...Array.from({ length: 24 }, (_, h) => `${new Date(DAY_START_MS + h * HOUR_MS).toISOString()},${value}`),
    ].join("\n");
  const priced = (series: string, role: string, text: string) =>
    load(
      `${scenario(series, LOAD.replace("s.load_kw", "l.load_kw")).replace("series:\n", `series:\n  l: {file: f.csv, columns: {load_kw: "${text.split(/[,\n]/)[1]}"}}\n`)}market: {energy_price: s.${role}}\n`,
      text,
    );

  test("a price per MWh becomes one per kWh, by its reader, its name or a factor", () => {
    const text = csv("spot_gbp_per_mwh", 80);
    for (const series of [
      "{file: f.csv}",
      "{format: table, file: f.csv, label: start}",
      "{file: f.csv, scale: {spot_gbp_per_mwh: 0.001}}",
    ])
      expect(priced(series, "spot_gbp_per_mwh", text).world.energyPriceJpyPerKwh?.valueAt(DAY_START_MS)).toBe(0.08);
    expect(
      priced(
        "{file: f.csv, scale: {spot_gbp_per_mwh: 2}}",
        "spot_gbp_per_mwh",
        text,
      ).world.energyPriceJpyPerKwh?.valueAt(DAY_START_MS),
    ).toBe(160);
  });

  test("a power in MW becomes kW, and an energy in its place is refused with both units", async () => {
    const mw = load(scenario("{file: f.csv}", LOAD.replace("s.load_kw", "s.demand_mw")), csv("demand_mw", 0.5));
    const { record } = await runScenario(mw);
    expect(record.sites[0].importKwh).toBeCloseTo(24 * 500, 6);
    expect(() => load(scenario("{file: f.csv}", LOAD.replace("s.load_kw", "s.use_kwh")), csv("use_kwh", 5))).toThrow(
      /s\.use_kwh in kWh, allowed a power in kW: a series with format: table/,
    );
  });
});
