import { gzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { expect } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { readScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { greenButtonMeter, greenButtonText } from "../formats/validFiles.ts";
import { CHROMIUM, needingChromium } from "../needing.ts";
import { BROWSER_BUNDLE, PageHost } from "./browserHost.ts";

const SPOT = ["受渡日,時刻コード,システムプライス(円/kWh),エリアプライス東京(円/kWh)"]
  .concat(Array.from({ length: 48 }, (_, k) => `2031/04/01,${k + 1},${10 + k}.50,${k}.25`))
  .join("\r\n");
const METER = greenButtonText([greenButtonMeter("1", 1, 0, [[1932735600, 3600, 4000]])]);

/** Options of the series, and its file. */
const FILES: Readonly<Record<string, readonly [options: string, content: Uint8Array]>> = {
  "UTF-8": ["format: jepx_spot, area: tokyo", Buffer.from(SPOT)],
  CP932: ["format: jepx_spot, area: tokyo", iconv.encode(SPOT, "cp932")],
  "CP932 in gzip": ["format: jepx_spot, area: tokyo", gzipSync(iconv.encode(SPOT, "cp932"))],
  "EUC-JP": ["format: jepx_spot, area: tokyo, encoding: euc-jp", iconv.encode(SPOT, "euc-jp")],
  "UTF-16LE": ["format: jepx_spot, area: tokyo", iconv.encode(SPOT, "utf-16le", { addBOM: true })],
  "UTF-16BE": ["format: jepx_spot, area: tokyo", iconv.encode(SPOT, "utf-16be", { addBOM: true })],
  "Windows-1252, read as such": ["format: jepx_spot, area: tokyo, encoding: windows-1252", iconv.encode(SPOT, "cp932")],
  "CP932, damaged": ["format: jepx_spot, area: tokyo", Buffer.concat([iconv.encode(SPOT, "cp932"), Buffer.of(0xff)])],
  "UTF-8, cut": ["format: jepx_spot, area: tokyo", Buffer.from(`${SPOT}値`).subarray(0, -1)],
  XML: ["format: green_button", Buffer.from(METER)],
  "XML that says CP932": ["format: green_button", Buffer.from(METER.replace("UTF-8", "Shift_JIS"))],
  "XML, damaged": ["format: green_button", Buffer.from(METER.slice(0, -20))],
};

const scenarioText = (options: string): string => `version: 1
name: files
timezone: Asia/Tokyo
start: 2031-04-01T00:00:00+09:00
end: 2031-04-02T00:00:00+09:00
series:
  s: {${options}, file: f.dat}
market: {energy_price: s.price_jpy_per_kwh}
sites:
  - name: fast
    components:
      - {component_id: bat, component_type: battery, rated_cap: 600, import_pwr_max: 600, export_pwr_max: 600, soc_op_min: 10, soc_op_max: 90}
`;

/** The hash of the scenario, or its errors. */
function onNode(options: string, content: Uint8Array): string {
  const files = new Map<string, string | Uint8Array>([
    ["/scenario.yaml", scenarioText(options)],
    ["/f.dat", content],
  ]);
  try {
    return readScenario("/scenario.yaml", {}, memoryFiles(files)).hash;
  } catch (error) {
    if (error instanceof InputErrors)
      return error.message.replaceAll("/scenario.yaml", "scenario.yaml").replaceAll("/f.dat", "f.dat");
    throw error;
  }
}

const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
import { runProject } from "./browser/index.js";
const answers = {};
for (const [name, [text, content]] of Object.entries(await (await fetch("./projects.json")).json())) {
  const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
  const run = runProject({ entry: "scenario.yaml", files: { "scenario.yaml": text, "f.dat": bytes } }, { formats: ["csv"] });
  answers[name] = await run.then(({ hash }) => hash, ({ message }) => message);
}
await fetch("./answer", { method: "POST", body: JSON.stringify(answers) });
</script>`;

needingChromium.test("files of every encoding are read in a browser as by the command", async () => {
  const projects = Object.entries(FILES).map(([name, [options, content]]) => [
    name,
    [scenarioText(options), Buffer.from(content).toString("base64")],
  ]);
  const host = new PageHost(
    { browser: BROWSER_BUNDLE },
    { "page.html": PAGE, "projects.json": JSON.stringify(Object.fromEntries(projects)) },
  );
  await host.listen();
  const wanted = Object.fromEntries(
    Object.entries(FILES).map(([name, [options, content]]) => [name, onNode(options, content)]),
  );
  expect(await host.ask(CHROMIUM, "page.html")).toEqual(wanted);
  const hashes = ["UTF-8", "CP932", "CP932 in gzip", "EUC-JP", "UTF-16LE", "UTF-16BE"].map((name) => wanted[name]);
  expect(new Set(hashes).size).toBe(1);
  expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
  host.close();
});
