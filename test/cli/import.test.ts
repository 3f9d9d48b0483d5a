import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { createFolder, runVppsim } from "./runVppsim.ts";

const SPOT = [
  "受渡日,時刻コード,システムプライス(円/kWh),エリアプライス東京(円/kWh)",
  ...Array.from({ length: 48 }, (_, k) => `2031/04/01,${k + 1},10.00,${(8 + k / 10).toFixed(2)}`),
].join("\r\n");

describe("vppsim import", () => {
  const cwd = createFolder();
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), iconv.encode(text, "cp932"));
  write("spot_summary_2031.csv", SPOT);
  const run = (line: string) => runVppsim(line.split(" "), { cwd });

  test("says what a file is, and lists the formats", () => {
    expect(run("import --detect spot_summary_2031.csv").stdout).toMatch(
      /^spot_summary_2031.csv: jepx_spot \(CP932\); JEPX/,
    );
    expect(run("import").stdout).toContain("  smard ");
  });

  test("previews encoding, range, first rows and a plot", () => {
    const { stdout } = run("import auto spot_summary_2031.csv --area tokyo --preview");
    expect(stdout).toContain("spot_summary_2031.csv: CP932");
    expect(stdout).toContain("48 intervals of 30 min from 2031-03-31T15:00:00Z to 2031-04-01T15:00:00Z, no gaps");
    expect(stdout).toContain("2031-03-31T15:30:00Z  8.1");
    expect(stdout).toMatch(/12\.7 \|.*█/);
  });

  test("writes a series and prints the lines that use it; a scenario of those lines is valid, and so is one of the original", () => {
    const { status, stdout } = run("import jepx_spot spot_summary_2031.csv --area tokyo --out demo");
    expect(status).toBe(0);
    expect(readFileSync(join(cwd, "demo/jepx_spot.csv"), "utf8").split("\n").slice(0, 2)).toEqual([
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
    writeFileSync(join(cwd, "demo/scenario.yaml"), `${rest}${printed}`);
    expect(run("validate demo/scenario.yaml").stdout).toContain("valid, 1 site");
    writeFileSync(join(cwd, "direct.yaml"), `${rest}${direct}`);
    expect(direct).toContain("format: jepx_spot");
    expect(run("validate direct.yaml").stdout).toContain("valid, 1 site");
  });

  test.each<[string, string, RegExp]>([
    [
      "another format",
      "import jepx_intraday spot_summary_2031.csv --preview",
      /seems to be jepx_spot .*, allowed a file of the format jepx_intraday/,
    ],
    ["an unknown format", "import jepx_sopt spot_summary_2031.csv --preview", /did you mean jepx_spot/],
    [
      "an option that the format does not take",
      "import jepx_spot spot_summary_2031.csv --point 1 --preview",
      /point: found an option that jepx_spot does not take/,
    ],
    ["no folder", "import jepx_spot spot_summary_2031.csv", /--out: found no folder/],
    ["a file that is not there", "import jepx_spot absent.csv --preview", /file not found: absent.csv/],
    [
      "a damaged file",
      "import jepx_spot damaged.csv --preview",
      /damaged.csv:3:20: エリアプライス東京\(円\/kWh\): found "8.1O", allowed a number/,
    ],
  ])("%s is bad input", (_, line, message) => {
    write("damaged.csv", SPOT.replace("8.10", "8.1O"));
    const { status, stderr } = run(line);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("    at ");
  });
});
