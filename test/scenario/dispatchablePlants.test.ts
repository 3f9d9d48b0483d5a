import { describe, expect, test } from "vitest";
import { intervalEnergyKwh, runSmallWorld } from "../simulation/smallWorld.ts";
import { hourlyCsv, readScenarioYaml, SCENARIO_HEAD, scenarioErrors } from "./scenarioFixtures.ts";

const plantSite = (kind: string, keys: string, rest = "") =>
  `sites:\n  - {name: p, ${rest}components: [{component_id: c, component_type: generator, generator_kind: ${kind}, rated_output_kw: 900${keys}}]}\n`;
const componentOf = (kind: string, keys = "") =>
  readScenarioYaml(`${SCENARIO_HEAD}${plantSite(kind, keys)}`).world.sites[0].components[0];

const DEFAULT_PLANT = {
  kind: "dispatchable",
  componentId: "c",
  fcrCapable: false,
  subsidy: "none",
  ratedOutputKw: 900,
  minOutputKw: 0,
  rampKwPerMin: null,
  fuelType: null,
  reservoir: null,
};

describe("plants as the file says, the rest by default", () => {
  test.each([
    [
      "thermal",
      ", min_output_kw: 200, ramp_rate_kw_per_min: 15, fuel_type: lng",
      { minOutputKw: 200, rampKwPerMin: 15, fuelType: "lng" },
    ],
    ["biomass", ", subsidy: fit, fcr_capable: true", { subsidy: "fit", fcrCapable: true }],
    ["hydro", "", {}],
    ["other", "", {}],
    [
      "pumped_storage",
      ", pump_input_max_kw: 700, upper_reservoir_capacity_kwh: 8000",
      {
        reservoir: {
          capacityKwh: 8000,
          initialFillPct: 50,
          pumpMaxKw: 700,
          pumpingEfficiency: 0.87,
          generatingEfficiency: 0.87,
        },
      },
    ],
    [
      "pumped_storage",
      ", pump_input_max_kw: 700, upper_reservoir_capacity_kwh: 8000, model: {initial_fill_pct: 20, pumping_efficiency: 0.9, generating_efficiency: 0.8}",
      {
        reservoir: {
          capacityKwh: 8000,
          initialFillPct: 20,
          pumpMaxKw: 700,
          pumpingEfficiency: 0.9,
          generatingEfficiency: 0.8,
        },
      },
    ],
  ])("%s%s", (kind, keys, expected) => {
    expect(componentOf(kind, keys)).toEqual({ ...DEFAULT_PLANT, generatorKind: kind, ...expected });
  });
});

test("a day of a planned plant and an award to it: read and run", () => {
  const yaml = `${SCENARIO_HEAD}series: {plan: {file: plan.csv}}
${plantSite("thermal", ", min_output_kw: 200, ramp_rate_kw_per_min: 15", "baseline: {method: series, series: plan.kw}, ")}vpps: [{name: v, members: [{site: p, resource_type: generator}]}]
awards: [{vpp: v, sku: rr, start: 2026-04-01T12:00:00Z, end: 2026-04-01T13:00:00Z, delta_kw: -150}]
`;
  const ran = runSmallWorld(readScenarioYaml(yaml, { "plan.csv": hourlyCsv(24, { kw: () => -300 }) }).world);
  const kwh = intervalEnergyKwh(ran, "p", "non_subsidized_export_kwh").map(Number);
  // 300 kW, from noon on 450: 10 minutes of ramp up and 10 down, 12.5 kWh each.
  expect(kwh.slice(22, 28)).toEqual([150, 150, 212.5, 225, 162.5, 150]);
  expect(ran.record.awards[0].state).toBe("completed");
});

test.each([
  [
    plantSite("thermal", ", min_output_kw: 901"),
    "scenario.yaml:6:",
    "sites.0.components.0.min_output_kw: found 901, allowed at most rated_output_kw, 900",
  ],
  [
    plantSite("thermal", "", "baseline: {method: perfect}, "),
    "scenario.yaml:6:",
    "sites.0.baseline.method: found perfect, allowed zero, constant or series for a dispatchable plant",
  ],
  [
    plantSite("pumped_storage", ", upper_reservoir_capacity_kwh: 9"),
    "scenario.yaml:6:",
    "sites.0.components.0.pump_input_max_kw: a value is required (a number from 0 to 10000000)",
  ],
  [
    `${plantSite("thermal", "")}vpps: [{name: v, members: [{site: p, resource_type: battery}]}]\n`,
    "scenario.yaml:7:",
    "vpps.0.members.0.resource_type: found battery, allowed generator, by the components of p",
  ],
])("an error has its position: %s", (sites, place, message) => {
  const errors = scenarioErrors(`${SCENARIO_HEAD}${sites}`);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(place);
  expect(errors[0]).toContain(message);
});
