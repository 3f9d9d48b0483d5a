import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import type { CashDifference } from "../../src/market/plan/cashDifference.ts";
import { renderPlanHtml } from "../../src/market/plan/planPage.ts";
import { planScenario } from "../../src/market/plan/planScenario.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { createPageLocale } from "../../src/report/html/page/pageLocale.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

/** A battery without losses, 100 kW and 200 kWh, on nine days. */
const SCENARIO = `version: 1
name: nine-days
start: 2026-04-01T00:00:00Z
end: 2026-04-10T00:00:00Z
series: {prices: {file: prices.csv}}
market: {energy_price: prices.jpy}
sites:
  - name: battery
    components:
      - {component_id: bat, component_type: battery, rated_cap: 200, import_pwr_max: 100, export_pwr_max: 100,
         soc_op_min: 0, soc_op_max: 100, model: {initial_soc: 0, charge_efficiency: 1, discharge_efficiency: 1}}
  - name: load
    components: [{component_id: l, component_type: consumer, consumer_kind: factory, contract_kw: 50, max_demand_kw: 50, dr_capable: false, model: {load: prices.jpy}}]
    baseline: {method: perfect}
`;
const OPTIONS = {
  sites: [],
  forecast: "perfect",
  cyclesPerDay: null,
  feePerKwh: 0,
  wearPerKwh: 0.01,
  reserve: null,
} as const;

/** 10 in the morning and 20 in the afternoon; 30 in the afternoons of the last two days. */
async function pageOf(difference: CashDifference | null): Promise<string> {
  const folder = createTemporaryFolder("plan-page");
  const rows = Array.from({ length: 19 }, (_, half) => {
    const at = new Date(Date.UTC(2026, 3, 1) + half * 12 * 3_600_000).toISOString();
    return `${at},${half % 2 === 0 ? 10 : half > 13 ? 30 : 20}`;
  });
  writeFileSync(join(folder, "prices.csv"), `timestamp,jpy\n${rows.join("\n")}\n`);
  writeFileSync(join(folder, "s.yaml"), SCENARIO);
  const scenario = loadScenario(join(folder, "s.yaml"));
  const plans = await planScenario(scenario, OPTIONS, () => {});
  const place = { files: diskFiles, folder, name: "p", patches: [join(folder, "larger.yaml")] };
  const found = { scenario, options: OPTIONS, plans, energyAlone: null, place, difference };
  return renderPlanHtml(found, createPageLocale("en", "UTC", scenario.world)).replaceAll("\u00a0", " ");
}

test("a page of a plan has its cash, the best week, the cash of each day and what it leaves out", async () => {
  const page = await pageOf(null);
  const has = (text: string) => expect(page.includes(text), text).toBe(true);
  // Seven days of 200 kWh · 10 JPY and two of 200 kWh · 20 JPY.
  has(
    "The plan earns <b>22,000 JPY</b>: it buys <b>1,800 kWh</b> at 10.00 and sells <b>1,800 kWh</b> at 22.22 JPY/kWh on average.",
  );
  has("The week with the most cash, from 3 Apr 00:00");
  expect(page.indexOf('<figure id="price">')).toBeLessThan(page.indexOf('<figure id="power">'));
  expect(page.indexOf('<figure id="power">')).toBeLessThan(page.indexOf('<figure id="soc">'));
  has("State of charge (%): from 0.0 to 100.0.");
  has("9 Apr 2026\nSold\t6,000 JPY\nBought\t−2,000 JPY\nCash\t4,000 JPY");
  has("1 Apr 2026\nSold\t4,000 JPY\nBought\t−2,000 JPY\nCash\t2,000 JPY");
  has("<dt>Left out</dt><dd>load (no battery)</dd>");
  has("vppsim run scenario.yaml --patch larger.yaml");
  expect(page.includes("What the run made of it")).toBe(false);
});

test("with the run it has the difference by cause", async () => {
  const page = await pageOf({
    cash: 21_990,
    causes: [
      ["plan.without", -30],
      ["kpi.penalty_jpy.label", 20],
      ["kpi.fees_jpy.label", 0.1],
    ],
  });
  const cells = [...page.slice(page.indexOf('id="run"')).matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) =>
    cell.replace(/<[^>]*>/g, ""),
  );
  expect(cells).toEqual([
    "Cash as planned",
    "22,000",
    "Cash as run",
    "21,990",
    "Difference",
    "−10",
    "Run without the plan",
    "−30",
    "Penalty",
    "20",
  ]);
});
