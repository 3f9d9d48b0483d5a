import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { scenarioFromFiles } from "../../src/inputs/datagen/scenarioFromFiles.ts";
import { readScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { clock, lines } from "../formats/validFiles.ts";

const slots = <T>(make: (slot: number) => T): T[] => Array.from({ length: 48 }, (_, k) => make(k));

/** Files of 1 April 2031, and typical years of two days. */
const FILES: Readonly<Record<string, string>> = {
  "spot.csv": lines(
    "受渡日,時刻コード,エリアプライス東京(円/kWh)",
    ...slots((k) => `2031/04/01,${k + 1},${(8 + k / 10).toFixed(2)}`),
  ),
  "intraday.csv": lines(
    "年月日,時刻コード,始値(円/kWh),高値(円/kWh),安値(円/kWh),終値(円/kWh),平均(円/kWh),約定量合計(kWh),約定件数",
    ...slots((k) => `2031/04/01,${k + 1},9,9,9,9,${k === 1 ? "" : "9.5"},100,5`),
  ),
  "results.csv": lines(
    "H,電力需給調整力取引所取引結果,対象年月,商品区分,ブロック数",
    "P,速報値,203104,二次調整力②,48",
    "TT,取引情報,北海道,東京,合計",
    "20310401B20,落札量合計（電源属地別）[MW],0,1.25,1.25",
    "20310401B20,平均落札価格（電源属地別）[円/kW・30分],0,4.5,4.5",
    "E",
  ),
  "load.csv": lines("日時,需要電力(kW)", ...slots((k) => `2031/4/1 ${clock(k)},"1,${200 + k}"`)),
  "meter.csv": lines(
    "単位,kWh",
    ["年月日", ...slots((k) => `${clock(k)}～${clock(k + 1)}`)].join(","),
    ["2031/04/01", ...slots((k) => 1000 + k)].join(","),
  ),
  "tokyo.epw": lines(
    "LOCATION,KASOU,-,JPN,SYNTHETIC,0,36,140,9.0,10",
    ...["A", "B", "C", "D", "E", "F"],
    "DATA PERIODS,1,1,Data,Sunday, 1/ 1,12/31",
    ...[1, 2].flatMap((day) =>
      Array.from({ length: 24 }, (_, h) => {
        const sun = Math.max(0, 600 - 100 * Math.abs(12 - h));
        return [
          1991,
          1,
          day,
          h + 1,
          60,
          "?9",
          5.5,
          1,
          50,
          101300,
          0,
          0,
          0,
          sun,
          sun,
          sun / 4,
          ...Array(19).fill(1),
        ].join(",");
      }),
    ),
  ),
  "tmy.csv": lines(
    "Latitude (decimal degrees): 35.690",
    "Irradiance Time Offset (h): 0.1761",
    "time(UTC),T2m,RH,G(h),Gb(n),Gd(h),IR(h),WS10m,WD10m,SP",
    ...[1, 2].flatMap((day) =>
      Array.from({ length: 24 }, (_, h) => {
        const sun = h < 9 ? 100 * h : 0;
        return `2009010${day}:${String(h).padStart(2, "0")}00,4.5,64.38,${sun}.0,${sun}.0,0.0,283.58,0.75,257.0,101870.0`;
      }),
    ),
  ),
};

async function runOf(names: readonly string[]) {
  const raw = names.map((name) => ({ name, content: iconv.encode(FILES[name], "cp932") }));
  const made = scenarioFromFiles(raw, { area: "tokyo", capacityKw: 1000 });
  const files = new Map([...made].map(([name, content]) => [`/s/${name}`, content]));
  const scenario = readScenario("/s/scenario.yaml", {}, memoryFiles(files));
  const { record } = await runScenario(scenario);
  return { yaml: String(made.get("scenario.yaml")), scenario, record };
}

test.each<[string, { readonly sites: number; readonly awards: number; readonly hasPrice: boolean }]>([
  ["spot.csv", { sites: 1, awards: 0, hasPrice: true }],
  ["intraday.csv", { sites: 1, awards: 0, hasPrice: true }],
  ["results.csv", { sites: 1, awards: 1, hasPrice: false }],
  ["spot.csv,results.csv", { sites: 1, awards: 1, hasPrice: true }],
  ["spot.csv,results.csv,tokyo.epw", { sites: 2, awards: 1, hasPrice: true }],
  ["spot.csv,tmy.csv,load.csv", { sites: 3, awards: 0, hasPrice: true }],
  ["spot.csv,meter.csv", { sites: 2, awards: 0, hasPrice: true }],
  ["tokyo.epw", { sites: 2, awards: 0, hasPrice: false }],
  ["tmy.csv", { sites: 2, awards: 0, hasPrice: false }],
])("a scenario of %s runs, with money where there are prices", async (names, { sites, awards, hasPrice }) => {
  const { scenario, record, yaml } = await runOf(names.split(","));
  expect(record.sites).toHaveLength(sites);
  expect(scenario.world.awards).toHaveLength(awards);
  expect(scenario.world.energyPriceJpyPerKwh !== null).toBe(hasPrice);
  const profit = record.kpis.get("profit_jpy") ?? Number.NaN;
  if (hasPrice || awards > 0) expect(Number.isFinite(profit)).toBe(true);
  // 1000 kW at 4.5 JPY per kW and 30 min, of 1.25 MW.
  if (names === "results.csv") expect(profit).toBe(4500);
  if (names === "spot.csv,meter.csv") expect(profit).toBeLessThan(-100_000);
  expect(yaml).toMatch(/^start: \d{4}-\d\d-\d\dT00:00:00\+09:00 /m);
  if (/epw|tmy/.test(names) && !names.includes("spot")) expect(record.sites[1].exportKwh).toBeGreaterThan(100);
});
