import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/accounting/runRecord.ts";
import { CAUSES, type Cause } from "../../src/accounting/settlement/causes.ts";
import { answerEvent } from "../../src/api/endpoints/answerRequest.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { runWorld } from "../runWorld.ts";

const FEATURES = new URL("../../scenarios/features/", import.meta.url).pathname;
const names = readdirSync(FEATURES)
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => file.slice(0, -5))
  .sort();

const records = new Map<string, RunRecord>();

function record(name: string): RunRecord {
  let found = records.get(name);
  if (found === undefined) {
    const { world, report, warnings } = loadScenario(`${FEATURES}${name}.yaml`);
    expect(warnings, name).toEqual([]);
    found = runWorld(world, { intervalMs: report.intervalMs, timelines: false, answer: answerEvent });
    records.set(name, found);
  }
  return found;
}

const award = (name: string, id: string) => {
  const row = record(name).awards.find(({ awardId }) => awardId === id);
  expect(row, `${name} has ${id}`).toBeDefined();
  return row!;
};

test.each(names)("%s runs", (name) => {
  const { kpis } = record(name);
  // The batteries of one wait for a client.
  if (name === "integration") expect(kpis.get("import_kwh")).toBe(0);
  else expect((kpis.get("import_kwh") ?? 0) + (kpis.get("export_kwh") ?? 0)).toBeGreaterThan(0);
});

describe("the comments of each scenario", () => {
  /** Shortfall in kWh by one cause, worked out by hand from the file. */
  const stories: [string, string, Cause, number][] = [
    // One of two batteries charges 150 kW for an hour instead of sending 200.
    ["direct-call", "reserve", "direct_control", 200],
    // 100 of 500 kW for the hour in which the line takes 400.
    ["output-control", "noon-sale", "output_control", 100],
    // 800 kW of which the connection takes 400 from 08:00; 500 of 900 kW for two hours; 200 of 500 kW for two hours.
    ["limits-by-time", "morning", "power_limit", 400],
    ["limits-by-time", "evening", "power_limit", 1000],
    ["limits-by-time", "night", "power_limit", 400],
    // 1000 kW of export, 300 of them for replacement and 200 for frr: 200 of 700 kW for two hours.
    ["coexisting", "sale", "other_award", 400],
  ];
  test.each(stories)("%s: %s has a shortfall by %s", (name, id, cause, kwh) => {
    const row = award(name, id);
    expect(row.shortfallByCauseKwh[CAUSES.indexOf(cause)]).toBeCloseTo(kwh, 6);
  });

  test("battery-ageing: the ageing battery is full first and has lost a little more than 3 % at the end", () => {
    const { awards, kpis } = record("battery-ageing");
    const shortOf = (vpp: string) =>
      awards.filter((row) => row.awardId.startsWith(vpp)).map((row) => row.shortfallKwh ?? 0);
    expect(shortOf("new").every((kwh) => kwh < 1e-6)).toBe(true);
    expect(shortOf("old").map((kwh) => kwh > 0.1)).toEqual([true, false, true, false]);
    expect(kpis.get("state_of_health_min_pct")).toBeCloseTo(96.78, 2);
  });

  test("bids: the slots that the comments name are taken", () => {
    expect(
      record("bids").awards.map(({ awardId, startMs, endMs }) => [awardId, (endMs - startMs) / 3_600_000]),
    ).toEqual([
      ["buy-5", 2.5],
      ["sell-3", 2.5],
      ["night", 3],
    ]);
  });

  test("coexisting: the export is the stored energy above the minimum", () => {
    // 2000 kWh · (80 % - 10 %) · 0.95
    expect(record("coexisting").kpis.get("delivered_kwh")).toBeCloseTo(1330, 6);
  });

  test("frequency-containment: 1500 kW have headroom both ways, of 3000 kW only 500 + 2000 do", () => {
    const [morning, afternoon] = ["fcr-morning", "fcr-afternoon"].map((id) => award("frequency-containment", id));
    expect([morning.uncoveredKw, afternoon.uncoveredKw]).toEqual([0, 500]);
    expect(record("frequency-containment").kpis.get("fcr_uncovered_kw_max")).toBe(500);
  });

  test("compound: both parts and the award beside it are delivered", () => {
    expect(award("compound", "compound").shortfallKwh).toBeCloseTo(0, 6);
    expect(award("compound", "beside-it").shortfallKwh).toBeCloseTo(0, 6);
    // 600 kW for three hours and 200 kW for one, less what a high frequency took back: downward there is no headroom.
    const { fcr } = award("compound", "compound");
    expect(fcr?.activatedUpKwh).toBeGreaterThan(10);
    expect(fcr?.activatedDownKwh).toBe(0);
    expect(record("compound").kpis.get("export_kwh")).toBeCloseTo(2000 - (fcr?.activatedUpKwh ?? 0), 3);
  });

  test("behind-the-meter: PV and plant show at the open meter, an empty or full store at the tracked one", () => {
    const contributors = (id: string) =>
      award("behind-the-meter", id).topContributors.map(({ site, cause }) => `${site} ${cause}`);
    expect(contributors("shave")).toEqual(["campus-open load_deviation"]);
    expect(contributors("fill")[0]).toBe("campus-track energy_limit");
  });

  test("api-calls: shares of a changed weight, and an instruction; a late request is in no award", () => {
    const { awards, sites } = record("api-calls");
    expect(awards.map(({ requestedKw, executedMinutes }) => [requestedKw, executedMinutes])).toEqual([
      [-400, 60],
      [-300, 30],
    ]);
    // 266.7 kW for an hour and 200 kW for half of one; the owner's 200 kW.
    expect(sites[0].exportKwh).toBeCloseTo(366.7, 6);
    expect(sites[0].importKwh).toBeCloseTo(200, 6);
  });

  test("overlap: later registrations take time from earlier ones", () => {
    const rows = ["day-ahead", "reserve", "hour-ahead", "operator"].map((id) => award("overlap", id));
    expect(rows.map(({ executedMinutes, state }) => [executedMinutes, state])).toEqual([
      [240, "overwritten"],
      [240, "overwritten"],
      [60, "completed"],
      [120, "completed"],
    ]);
  });

  test("demand-response: the cold store refuses the second call, 40 of 140 parts of 420 kW", () => {
    expect(award("demand-response", "too-soon").uncoveredKw).toBe(-120);
    expect(award("demand-response", "next-day").uncoveredKw).toBe(0);
  });

  test("plants: the reservoir is dry before the evening ends", () => {
    const row = award("plants", "evening");
    expect(row.topContributors[0]).toMatchObject({ site: "pumped", cause: "energy_limit" });
  });

  test("activation-and-money: energy that is not activated is not requested", () => {
    const row = award("activation-and-money", "kept-only");
    expect(row.shortfallKwh).toBe(0);
    expect(row.requestedKwh).toBeCloseTo(0, 9);
  });
});
