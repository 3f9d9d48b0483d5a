import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ImportFolder, SPOT } from "./importFolder.ts";

describe("vppsim import", () => {
  const folder = new ImportFolder();
  folder.write("spot_summary_2031.csv", SPOT);

  test("names the format of a file, and lists the formats", () => {
    expect(folder.run("import --detect spot_summary_2031.csv").stdout).toMatch(
      /^spot_summary_2031.csv: jepx_spot \(CP932\); JEPX/,
    );
    expect(folder.run("import").stdout).toContain("  smard ");
  });

  test("previews encoding, range, first rows and a plot", () => {
    const { stdout } = folder.run("import auto spot_summary_2031.csv --area tokyo --preview");
    expect(stdout).toContain("spot_summary_2031.csv: CP932");
    expect(stdout).toContain("48 intervals of 30 min from 2031-03-31T15:00:00Z to 2031-04-01T15:00:00Z, no gaps");
    expect(stdout).toContain("2031-03-31T15:30:00Z  8.1");
    expect(stdout).toMatch(/12\.7 \|.*█/);
  });

  test("writes a series and prints the lines that use it; a scenario of those lines is valid, and so is one of the original", () => {
    const { status, stdout } = folder.run("import jepx_spot spot_summary_2031.csv --area tokyo --out demo");
    expect(status).toBe(0);
    expect(readFileSync(join(folder.path, "demo/jepx_spot.csv"), "utf8").split("\n").slice(0, 2)).toEqual([
      "timestamp,price_jpy_per_kwh,system_price_jpy_per_kwh",
      "2031-03-31T15:00:00Z,8,10",
    ]);
    const printed = stdout.slice(stdout.indexOf("series:"));
    const direct = printed.replace(/ {2}jepx_spot: \{file.*/, "").replace("# jepx_spot:", "jepx_spot:");
    const rest = `version: 1
name: prices
start: 2031-04-01T00:00:00+09:00
end: 2031-04-02T00:00:00+09:00
sites:
  - name: battery
    components:
      - {component_id: bat, component_type: battery, rated_cap: 100, import_pwr_max: 50, export_pwr_max: 50, soc_op_min: 10, soc_op_max: 90}
`;
    writeFileSync(join(folder.path, "demo/scenario.yaml"), `${rest}${printed}`);
    expect(folder.run("validate demo/scenario.yaml").stdout).toContain("valid, 1 site");
    writeFileSync(join(folder.path, "direct.yaml"), `${rest}${direct}`);
    expect(direct).toContain("format: jepx_spot");
    expect(folder.run("validate direct.yaml").stdout).toContain("valid, 1 site");
  });
});

describe("vppsim init --from", () => {
  const folder = new ImportFolder();
  const results = [
    "H,電力需給調整力取引所取引結果,対象年月,商品区分,ブロック数",
    "P,速報値,203104,二次調整力②,48",
    "TT,取引情報,北海道,東京,合計",
    ...["20", "21", "22"].flatMap((block) => [
      `20310401B${block},落札量合計（電源属地別）[MW],0,1.25,1.25`,
      `20310401B${block},平均落札価格（電源属地別）[円/kW・30分],0,4.5,4.5`,
    ]),
    "E",
  ].join("\r\n");
  const weather = [
    "ダウンロードした時刻：2031/07/20 12:49:53",
    "",
    ",東京,東京,東京,東京",
    "年月日時,気温(℃),気温(℃),日射量(MJ/㎡),日射量(MJ/㎡)",
    ",,品質情報,,品質情報",
    ...Array.from(
      { length: 24 },
      (_, h) => `2031/4/${h < 23 ? 1 : 2} ${(h + 1) % 24}:00:00,15.${h % 10},8,${h < 6 || 17 < h ? "0.00" : "1.80"},8`,
    ),
  ].join("\r\n");
  const load = [
    "日時,需要電力(kW)",
    ...Array.from(
      { length: 48 },
      (_, k) => `2031/4/1 ${Math.floor(k / 2)}:${k % 2 === 0 ? "00" : "30"},"1,${200 + k}"`,
    ),
  ].join("\r\n");

  test("a scenario of prices, results, weather and load runs", () => {
    folder.write("spot.csv", SPOT);
    folder.write("eprx.csv", results);
    folder.write("weather.csv", weather);
    folder.write("load.csv", load);
    const made = folder.run("init demo --from spot.csv,eprx.csv,weather.csv,load.csv --area tokyo --kw 2000");
    expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: "" });
    expect(readFileSync(join(folder.path, "demo/awards.csv"), "utf8").split("\n")[1]).toBe(
      "frr,2031-04-01T00:30:00Z,2031-04-01T01:00:00Z,-1250,4.5,frr-20310401T0030Z",
    );
    const { status, stdout, stderr } = folder.run("run demo/scenario.yaml --out r --quiet");
    expect(status).toBe(0);
    expect(stderr.match(/^.*$/gm)?.filter((line) => line !== "")).toEqual([
      expect.stringMatching(/^note: demo\/spot\.csv: read as jepx_spot; CP932\. Source: /),
      expect.stringMatching(/^note: demo\/weather\.csv: read as jma_hourly; CP932; times are ends of hours/),
      expect.stringMatching(/^note: demo\/load\.csv: read as table; CP932; times are starts/),
    ]);
    expect(stdout).toContain("3, 3 fully allocated at dispatch");
    const { inputs } = JSON.parse(readFileSync(join(folder.path, "r/run.json"), "utf8"));
    expect(Object.keys(inputs)).toEqual(["scenario.yaml", "awards.csv", "spot.csv", "weather.csv", "load.csv"]);
    const digestOf = (name: string) =>
      createHash("sha256")
        .update(readFileSync(join(folder.path, "demo", name)))
        .digest("hex");
    for (const [name, digest] of Object.entries(inputs))
      expect([name, digest]).toEqual([name, `sha256:${digestOf(name)}`]);
    const summary = JSON.parse(readFileSync(join(folder.path, "r/summary.json"), "utf8"));
    // 3 blocks of 1250 kW at 4.5 JPY/kW per 30 min.
    expect(JSON.stringify(summary)).toContain('"capacity_jpy":16875');
  });
});
