import { expect, test } from "vitest";
import { memoryFiles } from "../../../src/inputs/scenario/parse/loadContext.ts";
import { ScenarioSource } from "../../../src/inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../../../src/platform/node/diskFiles.ts";
import { pvPlantsOf } from "../../../src/twin/fit/pvPlants.ts";

const FILE = "scenarios/features/pv-from-weather.yaml";

test("the loss factor before a calibration has the losses that are not written, and no availability beside outages", () => {
  const text = new TextDecoder().decode(diskFiles.read(FILE) ?? new Uint8Array());
  const edited = text.replace("  - name: facade-east\n", "$&    outages: {mtbf: P30D, mttr: PT4H}\n");
  const factorOf = (source: ScenarioSource) => pvPlantsOf(source).get("facade-east")?.system.lossFactor;
  // Soiling 1 %, shading 8 %; by default mismatch 2, wiring 2, connections 0.5, light 1.5, nameplate 1, availability 3 %.
  const written = 0.99 * 0.92 * 0.98 * 0.98 * 0.995 * 0.985 * 0.99;
  expect(factorOf(new ScenarioSource(FILE, diskFiles))).toBeCloseTo(written * 0.97, 12);
  expect(factorOf(new ScenarioSource("/a.yaml", memoryFiles(new Map([["/a.yaml", edited]]))))).toBeCloseTo(written, 12);
});

test("a patch changes the keys of a plant", () => {
  const patch = { "sites.roof-south.components.pv.model.loss_factor": 0.7 };
  const source = new ScenarioSource(FILE, diskFiles);
  expect(pvPlantsOf(source, patch).get("roof-south")?.system.lossFactor).toBe(0.7);
  expect(pvPlantsOf(source).get("roof-south")?.system.lossFactor).toBeCloseTo(0.859, 3);
});
