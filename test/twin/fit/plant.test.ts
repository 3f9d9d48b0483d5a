import { expect, test } from "vitest";
import type { DispatchableSpec } from "../../../src/engine/device/dispatchable/dispatchableSpec.ts";
import { fitPlant } from "../../../src/twin/fit/plant.ts";
import { type MeasuredTable, measuredSite } from "../../../src/twin/measured/measuredSeries.ts";
import { FCR, fitOptions, START_MS, streamOf } from "./measuredBattery.ts";

const PLANT: DispatchableSpec = {
  kind: "dispatchable",
  componentId: "engine",
  generatorKind: "thermal",
  fcrCapable: false,
  subsidy: "none",
  ratedOutputKw: 2_000,
  minOutputKw: 0,
  rampKwPerMin: null,
  fuelType: null,
  reservoir: null,
};

/** Minutes of a plant that goes up and down between two levels. */
function recorded(rampKwPerMin: number, ramps: number): MeasuredTable {
  const noise = streamOf(3)("plant");
  let kw = -400;
  const power = Array.from({ length: 40 * ramps }, (_, minute) => {
    const goalKw = Math.floor(minute / 40) % 2 === 0 ? -1_600.5 : -400;
    kw += Math.max(-rampKwPerMin, Math.min(rampKwPerMin, goalKw - kw));
    return Math.round(10 * (kw + 0.5 * noise.nextNormal())) / 10;
  });
  const columns = new Map([["current_kw", Float64Array.from(power)]] as const);
  const timesMs = Float64Array.from(power, (_, k) => START_MS + 60_000 * k);
  return { label: "instant", spacingMs: 60_000, timesMs, columns };
}

const rampOf = (table: MeasuredTable) =>
  fitPlant({
    site: { components: [PLANT], fcr: FCR, link: { lossProbability: 0, latencyMs: 0 } },
    spec: PLANT,
    pv: null,
    measured: measuredSite("site", [table]),
    options: fitOptions(),
  }).estimates[0];

test.each([70, 130, 250])("a ramp of %d kW a minute is found", (rampKwPerMin) => {
  const row = rampOf(recorded(rampKwPerMin, 8));
  expect(row).toMatchObject({ status: "identified", key: "ramp_rate_kw_per_min", before: null });
  expect(Math.abs(Number(row.value) - rampKwPerMin)).toBeLessThan(1);
});

test("four ramps are too few, and so are steps within a minute", () => {
  expect(rampOf(recorded(130, 4)).why).toBe("4 ramps over several rows of at most a minute; 5 are needed");
  expect(rampOf(recorded(1_000, 8)).status).toBe("not_identifiable");
  expect(rampOf(recorded(130, 5)).status).toBe("identified");
});
