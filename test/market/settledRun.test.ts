import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { summaryText } from "../../src/cli/summaryText.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { netOf, type Settlement } from "../../src/market/settlement.ts";
import { createPageLocale } from "../../src/report/html/page/pageLocale.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { settleReport, writeSettlement } from "../../src/report/settle/settleReport.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { SETTLED_HEAD } from "./settledFixtures.ts";

// A battery that holds 600 kWh sells 1,000 kW of replacement reserve for an hour: it is empty after 36 minutes.
const SCENARIO = `${SETTLED_HEAD}awards:
  - {vpp: tokyo, award_id: A-1, sku: rr, start: 2026-06-01T01:00:00+09:00, end: 2026-06-01T02:00:00+09:00,
     delta_kw: -1000, price_jpy_per_kw_30min: 4, v1_price_per_kwh: 24}
settlement:
  market: jp
  area: tokyo
  values: {wheeling_charging: loss_only, capacity_price_kw_year: 0}
  prices: {spot: 20, imbalance: 30}
`;

test("amounts of a settlement have the currency of its market, in the report and on the terminal", async () => {
  const folder = createTemporaryFolder("settled");
  const file = join(folder, "scenario.yaml");
  writeFileSync(file, SCENARIO);
  const scenario = loadScenario(file);
  const run = await runScenario(scenario, { out: join(folder, "report") });
  expect(summaryText(scenario, run, createPageLocale("en", "Asia/Tokyo", scenario.world))).toMatch(
    / {2}settled cash +-?[\d,]+ JPY\n/,
  );
  const page = readFileSync(join(folder, "report/report.html"), "utf8");
  expect(page).toMatch(/Settled cash<\/div><div class="value">[^<]*(<[^>]*>[^<]*)*? <small>JPY<\/small>/);
  expect(page).not.toMatch(/>currency</);
});

test("prices that exchange awards need are missed when the scenario is read, and the largest numbers are written", async () => {
  const file = join(createTemporaryFolder("settled"), "scenario.yaml");
  const read = (award: string, values: string, price = "20") => {
    const text = SCENARIO.replace(
      "settlement:",
      `  - {vpp: tokyo, start: 2026-06-01T03:00:00+09:00, end: 2026-06-01T05:00:00+09:00, ${award}}\nsettlement:`,
    );
    writeFileSync(file, text.replace("values: {", `values: {${values}`).replace("spot: 20", `spot: ${price}`));
    return loadScenario(file);
  };
  expect(() => read("sku: exchange-ttv, delta_kw: 70", "")).toThrow(
    /scenario\.yaml:\d+:\d+: settlement\.prices\.intraday: found no price, allowed a price, which the energy of award A-2 \(exchange-ttv\) needs; or price_gap: zero in settlement\.values/,
  );
  expect(read("sku: exchange-ttv, delta_kw: 70", "price_gap: zero, ").settlement).not.toBeNull();
  expect(read("sku: exchange-ttv, delta_kw: 0", "").settlement).not.toBeNull();
  expect(() => read("sku: negawatt-spot, delta_kw: -70", "", "null").settlement).toThrow(/prices\.spot/);
  const out = join(file, "../report");
  await runScenario(read("sku: exchange-da, delta_kw: 70", "", "1e12"), { out });
  // 70 kW for half an hour at 10^12 JPY/kWh.
  expect(readFileSync(join(out, "settlement_energy.csv"), "utf8")).toContain(",-35000000000000.000,");
});

test("a run is settled on its exact energies and on samples of its power", async () => {
  const folder = createTemporaryFolder("settled");
  const file = join(folder, "scenario.yaml");
  writeFileSync(file, SCENARIO);
  const out = join(folder, "report");
  const { settlement } = await runScenario(loadScenario(file), { out });
  const awards = settlement?.awards ?? [];
  expect(awards.map(({ slotStartMs }) => new Date(slotStartMs).toISOString())).toEqual([
    "2026-05-31T16:00:00.000Z",
    "2026-05-31T16:30:00.000Z",
  ]);
  const [first, second] = awards;
  // The response time of rr is 15 minutes: minutes 15 to 29 of the first slot, all 30 of the second.
  expect([first.samples, first.samplesBad, first.assessment2]).toEqual([15, 0, "ok"]);
  // Empty from minute 36 on: 24 minutes of the second slot.
  expect([second.samples, second.samplesBad, second.assessment2]).toEqual([30, 24, "fail"]);
  expect(first.activatedKwh).toBeCloseTo(-500, 9);
  expect(second.activatedKwh).toBeCloseTo(-100, 9);
  expect(first.activatedAmount).toBeCloseTo(12_000, 6);
  expect([first.capacityAmount, second.capacityAmount]).toEqual([4000, 4000]);
  // Nothing is available any more: both assessments fail, and one penalty is due.
  expect([first.availableKw, second.availableKw]).toEqual([1000, 0]);
  expect([second.penalty1Amount, second.penalty2Amount]).toEqual([-6000, 0]);
  const energy = settlement?.energy ?? [];
  expect(energy).toHaveLength(12);
  // What was activated is what was metered: no imbalance.
  for (const line of energy) expect(line.imbalanceKwh).toBe(0);
  const summary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
  const { items } = summary.settlement;
  const net = awards.reduce((sum, line) => sum + netOf(line), 0);
  expect(items.total_cash).toBeCloseTo(net, 3);
  expect(items.total_cash).toBe(16_340);
  expect(summary.settlement.unsure).toContain("band_pct");
  const rows = readFileSync(join(out, "invoice.csv"), "utf8").split("\n");
  expect(rows[0]).toBe("month,counterparty,item,quantity,unit,amount_jpy,amount_rounded_jpy,tax_jpy");
  expect(rows).toContain("2026-06,tso,penalty_1,1.000,slots,-6000.000,-6000.000,-600.000");
  const files = JSON.parse(readFileSync(join(out, "run.json"), "utf8")).files;
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(["invoice.csv", "settlement_awards.csv", "settlement_energy.csv"]),
  );
});

test("the page of a settlement has the worst slots with the outcome of their award", async () => {
  const folder = createTemporaryFolder("settled");
  const file = join(folder, "scenario.yaml");
  writeFileSync(file, SCENARIO.replace("settlement:", "report: {formats: [html]}\nsettlement:"));
  const out = join(folder, "report");
  const { files } = await runScenario(loadScenario(file), { out });
  expect(files).toContain("settlement.html");
  const report = readFileSync(join(out, "report.html"), "utf8");
  expect(report).toContain('<a href="settlement.html">');
  const page = readFileSync(join(out, "settlement.html"), "utf8");
  expect(page).toContain("vppsim settlement");
  for (const text of ["From gross to net", "Slots with the largest penalties", "Invoices by month"])
    expect(page).toContain(text);
  const order = ["cash", "months", "reconciliation", "worst", "invoices", "parameters"];
  const places = order.map((id) => page.indexOf(`<section id="${id}"`));
  expect(places).toEqual([...places].filter((place) => place > 0).sort((a, b) => a - b));
  expect(page).toMatch(/penalty_multiplier_1<\/code><\/td><td><code>1\.5<\/code><\/td><td>assumed</);
  expect(page).toContain('<a href="report.html#awards">A-1</a>');
  expect(report).toContain('id="awards"');
  // Both assessments fail, and the penalty is that of the first one.
  expect(page).toContain("<td>1,000.0 kW of 1,000.0 kW were not available</td>");
  // The sentence of the award: 600 of 1,000 kWh.
  expect(page).toMatch(/shortfall 400\.0.kWh/);
});

test("a penalty for over-delivery is explained by the over-delivery, not by the shortfall of its award", async () => {
  const folder = createTemporaryFolder("settled");
  const out = join(folder, "report");
  const tableOf = async (values: string) => {
    // The load of a baseline of 300 kW is 3 kW above it for ten minutes, then 1 kW and for the last 20 minutes 70 kW below.
    const loads = ["00:00:00+09:00,300", "01:00:00+09:00,303", "01:10:00+09:00,299", "01:40:00+09:00,230"];
    writeFileSync(join(folder, "load.csv"), ["timestamp,kw", ...loads.map((row) => `2026-06-01T${row}`)].join("\n"));
    const text = SCENARIO.replace("sites:", "series: {load: {file: load.csv, on_gap: hold}}\nsites:")
      .replace("    components:", "    baseline: {method: constant, kw: 300}\n    components:")
      .replace(
        "vpps:",
        `      - {component_id: l, component_type: consumer, consumer_kind: factory, contract_kw: 310, max_demand_kw: 310,
         dr_capable: false, model: {load: load.kw}}\nvpps:`,
      )
      .replace("resource_type: battery", "resource_type: multi_component")
      .replace("sku: rr", "sku: frr")
      .replace("delta_kw: -1000", "delta_kw: -200")
      .replace("values: {", `values: {${values}`)
      .replace("settlement:", "report: {formats: [html]}\nsettlement:");
    writeFileSync(join(folder, "scenario.yaml"), text);
    await runScenario(loadScenario(join(folder, "scenario.yaml")), { out });
    const page = readFileSync(join(out, "settlement.html"), "utf8");
    return page.slice(page.indexOf('<section id="worst"'), page.indexOf('<section id="invoices"'));
  };
  const table = await tableOf("");
  // 20 of the 30 minutes from 01:30 on, 300 − 230 kW beyond a band of 10 % of 200 kW.
  expect(table).toContain(
    "<td>20 of 30 samples were outside the band, the worst with 70.0 kW of over-delivery where 20.0 kW are allowed</td>",
  );
  // That of 3 kW · 10 min: it has no penalty.
  expect(readFileSync(join(out, "report.html"), "utf8")).toContain("shortfall 0.5\u00a0kWh");
  expect(table).not.toContain("0.5\u00a0kWh");
  // (20 · 70 + 10 · 1) / 30 = 47.
  expect(await tableOf("slot_rule: energy, ")).toContain(
    "<td>on average 47.0 kW of over-delivery where 20.0 kW are allowed</td>",
  );
});

test("a report is settled again by other prices, and refused where the samples would differ", async () => {
  const folder = createTemporaryFolder("settled");
  const load = (text: string) => {
    const file = join(folder, "scenario.yaml");
    writeFileSync(file, text);
    return loadScenario(file);
  };
  const out = join(folder, "report");
  const { settlement } = await runScenario(load(SCENARIO), { out });
  const totalOf = (settled: Settlement | null) => settled?.invoice.find(({ item }) => item === "total_cash")?.amount;
  expect(settleReport(out, load(SCENARIO)).settlement).toEqual(settlement);
  const cheaper = SCENARIO.replace("price_jpy_per_kw_30min: 4", "price_jpy_per_kw_30min: 3");
  const written = await writeSettlement(join(folder, "again"), settleReport(out, load(cheaper)), load(cheaper));
  expect(readdirSync(written).sort()).toEqual([
    "invoice.csv",
    "run.json",
    "settlement.html",
    "settlement_awards.csv",
    "settlement_energy.csv",
  ]);
  const made = JSON.parse(readFileSync(join(written, "run.json"), "utf8"));
  expect(Object.keys(made.inputs)).toEqual(expect.arrayContaining(["scenario.yaml", "report/settlement_slots.jsonl"]));
  expect(made.inputs["scenario.yaml"]).toBe(`sha256:${createHash("sha256").update(cheaper).digest("hex")}`);
  expect(made.unsure).toContain("penalty_multiplier_1");
  const again = readFileSync(join(written, "settlement.html"), "utf8");
  expect(again).toContain("Invoices by month");
  // There is no report beside it that a link could open.
  expect(again).not.toContain("report.html");
  // 2 slots of 1,000 kW, and a penalty of 1.5 of one of them.
  expect(totalOf(settleReport(out, load(cheaper)).settlement)).toBeCloseTo((totalOf(settlement) ?? 0) - 2000 + 1500, 6);
  const other = SCENARIO.replace("values: {", "values: {band_pct: 30, ");
  expect(() => settleReport(out, load(other))).toThrow("band_pct 10");
  expect(() => settleReport(folder, load(SCENARIO))).toThrow("the report of a scenario with the key settlement");
  expect(() => settleReport(out, load(SCENARIO.replaceAll("A-1", "B-1")))).toThrow("no award A-1");
});

test("the settlement is part of the scenario's hash, and its errors have a place", () => {
  const folder = createTemporaryFolder("settled");
  const write = (text: string): string => {
    const file = join(folder, "scenario.yaml");
    writeFileSync(file, text);
    return file;
  };
  const { hash } = loadScenario(write(SCENARIO));
  // Names of fields in the code are no part of it.
  expect(hash).toBe("242e750101082630170ec0f9938b899e7f9b964b578e48f40a68b93b9f41d1e6");
  expect(loadScenario(write(SCENARIO.replace("spot: 20", "spot: 21"))).hash).not.toBe(hash);
  const messageOf = (text: string): string => {
    try {
      loadScenario(write(text));
    } catch (error) {
      return String(error);
    }
    return "";
  };
  expect(messageOf(SCENARIO.replace("band_pct", "x").replace("loss_only", "some"))).toContain("wheeling_charging");
  expect(messageOf(SCENARIO.replace("market: jp", "market: us"))).toContain("settlement");
  expect(messageOf(SCENARIO.replace("area: tokyo", "parameters: fy1990"))).toContain("fy2026");
  expect(messageOf(SCENARIO.replace("imbalance: 30", "imbalance: 30, imbalance_surplus: 1"))).toContain(
    "one price for both directions",
  );
  expect(messageOf(SCENARIO.replace("imbalance: 30", "imbalance_shortage: 30"))).toMatch(
    /prices\.imbalance_shortage: .*both imbalance_surplus and imbalance_shortage/,
  );
});

test("rates are those of the area, and a rate that the set does not have is requested by its name", async () => {
  const folder = createTemporaryFolder("settled");
  const load = (text: string) => {
    const file = join(folder, "scenario.yaml");
    writeFileSync(file, text);
    return loadScenario(file);
  };
  const wheelingOf = async (text: string) => {
    const { settlement } = await runScenario(load(text));
    return settlement?.invoice.find(({ item }) => item === "wheeling_basic")?.amount;
  };
  const basic = SCENARIO.replace("settlement:\n", "settlement:\n  connection: {wheeling_basic_kw: 100}\n");
  expect(await wheelingOf(basic)).toBeCloseTo(-65_387, 9);
  expect(await wheelingOf(basic.replace("area: tokyo", "area: kansai"))).toBeCloseTo(-66_330, 9);
  const okinawa = basic.replace("area: tokyo", "area: okinawa");
  expect(() => load(okinawa)).toThrow(
    /area.*okinawa.*no wheeling_basic_kw_month.*settlement\.values\.wheeling_basic_kw_month/,
  );
  const given = okinawa.replace("values: {", "values: {wheeling_basic_kw_month: 500, wheeling_energy_kwh: 2, ");
  expect(await wheelingOf(given)).toBeCloseTo(-50_000, 9);
});

test("each site that only stores pays wheeling for its own losses of each month", async () => {
  const folder = createTemporaryFolder("settled");
  const file = join(folder, "scenario.yaml");
  const site = (name: string, baselineKw: number) =>
    `{name: ${name}, baseline: {method: constant, kw: ${baselineKw}}, components: [{component_id: bat, component_type: battery,
      rated_cap: 1000, import_pwr_max: 200, export_pwr_max: 200, soc_op_min: 0, soc_op_max: 100, model: {initial_soc: 50}}]}`;
  const award = (start: string, end: string, deltaKw: number) =>
    `{vpp: tokyo, sku: rr, start: "${start}+09:00", end: "${end}+09:00", delta_kw: ${deltaKw}}`;
  writeFileSync(
    file,
    `version: 1
name: losses
timezone: Asia/Tokyo
start: 2026-06-30T22:00:00+09:00
end: 2026-07-01T03:00:00+09:00
sites: [${site("charging", 40)}, ${site("selling", -70)}, ${site("called", 0)}]
vpps:
  - {name: tokyo, members: [{site: called, resource_type: battery}]}
  - {name: others, members: [{site: charging, resource_type: battery}, {site: selling, resource_type: battery}]}
awards:
  - ${award("2026-06-30T22:30:00", "2026-06-30T23:30:00", -50)}
  - ${award("2026-07-01T01:00:00", "2026-07-01T02:00:00", 50)}
settlement: {market: jp, area: tokyo, prices: {spot: 10, imbalance: 10}}
`,
  );
  const out = join(folder, "report");
  const scenario = loadScenario(file);
  const { settlement } = await runScenario(scenario, { out });
  const wheeling = (settled: Settlement | null) =>
    settled?.invoice.filter(({ item }) => item === "wheeling_energy").map(({ month, quantity }) => [month, quantity]);
  // 40 kW for 2 and 3 hours, and 50 kWh that the called battery charges in July, after it sold as much in June.
  expect(wheeling(settlement)).toEqual([
    ["2026-06", expect.closeTo(80, 9)],
    ["2026-07", expect.closeTo(170, 9)],
  ]);
  expect(settlement?.energy.reduce((sum, { wheelingKwh }) => sum + wheelingKwh, 0)).toBeCloseTo(250, 9);
  expect(wheeling(settleReport(out, scenario).settlement)).toEqual(wheeling(settlement));
});
