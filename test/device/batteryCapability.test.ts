import { describe, expect, test } from "vitest";
import {
  exportCapabilityKw,
  exportEnergyAvailableKwh,
  importCapabilityKw,
  importEnergyAvailableKwh,
} from "../../src/engine/device/battery/batteryCapability.ts";
import { battery } from "./batteries.ts";

const spec = battery({
  importMaxKw: 80,
  powerTaper: [
    { socPct: 20, importFraction: 1, exportFraction: 0.5 },
    { socPct: 60, importFraction: 0.5, exportFraction: 1 },
  ],
});

describe("power capability", () => {
  test.each([
    // kWh (= % of 100 kWh), import, export
    [5, 80, 0],
    [10, 80, 0],
    [10 + 1e-6, 80, 0],
    [10.1, 80, 50],
    [20, 80, 50],
    [30, 70, 62.5],
    [60, 40, 100],
    [89.9, 40, 100],
    [90 - 1e-6, 0, 100],
    [90, 0, 100],
    [97, 0, 100],
  ])("at %d kWh", (storedKwh, importKw, exportKw) => {
    expect(importCapabilityKw(spec, storedKwh)).toBeCloseTo(importKw, 12);
    expect(exportCapabilityKw(spec, storedKwh)).toBeCloseTo(exportKw, 12);
  });
});

test.each([
  [5, 85, 0],
  [10, 80, 0],
  [50, 40, 40],
  [90, 0, 80],
  [95, 0, 85],
])("energy available at %d kWh", (storedKwh, importKwh, exportKwh) => {
  expect(importEnergyAvailableKwh(spec, storedKwh)).toBe(importKwh);
  expect(exportEnergyAvailableKwh(spec, storedKwh)).toBe(exportKwh);
});
