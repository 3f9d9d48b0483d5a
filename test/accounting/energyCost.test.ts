import { expect, test } from "vitest";
import { runWorld } from "../runWorld.ts";
import { at, consumer, evenSeries, losslessBattery, site, world } from "../simulation/smallWorld.ts";
import { RowCollector } from "./tableRows.ts";

const load = evenSeries("load", 30, [100, 300, 200, 400]);
const price = evenSeries("price", 60, [10, 20]);
const spec = world([site("plant", consumer(load)), site("idle", losslessBattery())], {
  endMs: at("02:00"),
  energyPriceJpyPerKwh: price,
});

/** 200 kWh at 10 JPY, 300 kWh at 20 JPY. */
const COST_JPY = 8000;

test.each([5, 30, 45, 120])("import costs the price of its hour, with energy records of %i minutes", (minutes) => {
  const { kpis } = runWorld(spec, { intervalMs: minutes * 60_000, energy: new RowCollector() });
  expect(kpis.get("energy_cost_jpy")).toBeCloseTo(COST_JPY, 9);
});

test("and without energy records", () => {
  expect(runWorld(spec, { intervalMs: 60_000 }).kpis.get("energy_cost_jpy")).toBeCloseTo(COST_JPY, 9);
});
