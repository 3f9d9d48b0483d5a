import { describe, expect, test } from "vitest";
import { hexId } from "../../src/base/ids.ts";
import { SKUS } from "../../src/base/sku.ts";
import { Series } from "../../src/engine/series/model/series.ts";
import { hourlyCsv, readScenarioYaml, SCENARIO_HEAD, SMALL_SCENARIO } from "./scenarioFixtures.ts";
import { settingsOf } from "./settingsOf.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 3, 1);

const WHOLE = `version: 1
name: whole-format
description: every key that can be run
timezone: Asia/Tokyo
start: 2026-04-01T09:00:00+09:00
end: 2026-04-02T09:00:00+09:00
seed: 7
series:
  power: {file: power.csv, columns: {gen: g, load: l, plan: p}}
  grid: {file: grid.csv, time: at, interpolation: linear, on_gap: hold, max_gap: PT2H, shift: -PT1H, repeat: day, label: start}
  share: {file: power.csv}
frequency: {series: grid}
market: {energy_price: power.plan}
sites:
  - name: bat-{n:03}
    count: 2
    capability: {fcr_capable: true, dr_capable: true, reverse_flow_allowed: false, marketable: [frr, rr], balancing_responsible: true, non_firm_connection: true}
    constraints: {voltage_class: high, measurement_point: grid, site_import_max_kw: 800, site_export_max_kw: 700}
    components:
      - component_id: bat
        component_type: battery
        fcr_capable: true
        rated_cap: 2000
        import_pwr_max: 1000
        export_pwr_max: 900
        soc_op_min: 10
        soc_op_max: 90
        model:
          initial_soc: 40
          charge_efficiency: 0.9
          discharge_efficiency: 1
          self_discharge_pct_per_day: 2
          auxiliary_kw: 3
          response_delay_s: 1.5
          ramp_kw_per_s: 10
          power_taper: [{soc: 80, import_fraction: 1, export_fraction: 1}, {soc: 90, import_fraction: 0.5, export_fraction: 1}]
    baseline: {method: constant, kw: -200}
    fcr_config: {freq_ref: 50.1, up_deadband: 0.02, low_deadband: 0.03, up_droop: 4, low_droop: 6, deadband_form: full, response_delay_s: 2.5}
    outages: {mtbf: P60D, mttr: PT6H}
    link: {loss_probability: 0.001, latency_ms: 200}
    control: open
    maintenance: [{start: 2026-04-01T02:00:00Z, end: 2026-04-01T03:00:00Z}]
  - name: sun
    ems_id: "0123456789abcdef0123456789abcdef"
    components:
      - component_id: pv
        component_type: generator
        generator_kind: pv
        subsidy: fip
        pv_capacity_kw: 1200
        rated_output_kw: 1000
        model: {generation: power.gen, unit: per_unit}
  - name: wind
    components:
      - {component_id: w, component_type: generator, generator_kind: wind, rated_output_kw: 500, model: {generation: power.gen, unit: per_unit}}
  - name: plant
    components:
      - component_id: plant
        component_type: consumer
        consumer_kind: factory
        contract_kw: 3000
        max_demand_kw: 2800
        dr_capable: true
        min_dr_reduction_kw: 50
        max_dr_reduction_kw: 400
        min_dr_duration_minutes: 30
        min_dr_cooldown_minutes: 60
        model: {load: power.load, response_delay_s: 60, ramp_kw_per_s: 5, rebound_fraction: 0.2, rebound_minutes: 60, control: track, delivery_ratio: 0.9}
    baseline: {method: series, series: power.plan, error: {bias_kw: -3, spread_kw: 12.5, correlation_minutes: 90}}
  - file: fleet.csv
vpps:
  - name: east
    vpp_id: "fedcba9876543210fedcba9876543210"
    members:
      - {site: "bat-*", label: north, resource_type: battery, allocation_weight: 50}
      - {site: sun, resource_type: generator}
    delta_excess: redistribute
    strict_availability_check: true
    immediate_overrides_schedule: true
    fcr_energy_test_minutes: 15
    pv_setpoint: hold
  - {name: west, members: [{site: plant, resource_type: consumer}]}
awards:
  - vpp: east
    sku: frr
    start: 2026-04-01T03:00:00Z
    end: 2026-04-01T04:00:00Z
    delta_kw: -1500
    registered_at: 2026-03-31T17:00:00Z
    activation: share.g
    price_jpy_per_kw_30min: power.plan
    price_jpy_per_kwh: power.plan
    penalty_jpy_per_kwh: 9
    award_id: first
  - {file: awards.csv, vpp: west}
instructions:
  - {vpp: east, at: 2026-04-01T10:05:00Z, delta_kw: 800, duration_minutes: 30, sku: rr}
  - {vpp: west, at: 2026-04-01T10:05:00Z, delta_kw: -8, duration_minutes: 0.5, award_id: second}
events:
  - {at: 2026-04-01T10:00:00Z, kind: outage, site: bat-002, duration: PT2H}
  - {at: 2026-04-01T10:00:00Z, kind: warning, site: sun}
  - {at: 2026-04-01T10:00:00Z, kind: output_control, site: sun, limit_pct: 40, reason: fit_curtailment, duration: PT3H, order: settled}
  - {at: 2026-04-01T10:00:00Z, kind: set_weight, vpp: east, site: bat-001, allocation_weight: 5}
  - {at: 2026-04-01T10:00:00Z, kind: add_member, vpp: west, site: wind, resource_type: generator, label: new}
  - {at: 2026-04-01T10:00:00Z, kind: remove_member, vpp: east, site: sun}
  - {file: events.csv}
report: {interval: PT1H, power_interval: PT1M, formats: [csv, parquet], omit: [dispatch]}
`;

const FILES = {
  "power.csv": hourlyCsv(25, { g: (hour) => (hour === 2 ? 0.5 : 1), l: (hour) => 100 + hour, p: () => 90 }),
  "grid.csv": hourlyCsv(24, { frequency_hz: (hour) => 50 + 0.01 * hour }).replace("timestamp", "at"),
  "fleet.csv":
    "name,components.0.component_id,components.0.component_type,components.0.rated_cap,components.0.import_pwr_max,components.0.export_pwr_max,components.0.soc_op_min,components.0.soc_op_max,components.0.fcr_capable,components.0.model.initial_soc,capability.marketable,outages.mtbf,outages.mttr\n" +
    "row-1,b,battery,10,5,5,0,100,true,70,frr rr-fit,,\n" +
    "row-2,b,battery,20,5,5,0,100,,,,P1D,PT1H\n",
  "awards.csv":
    "vpp,sku,start,end,delta_kw,award_id\n" +
    ",frr,2026-04-01T00:30:00Z,2026-04-01T01:00:00Z,-10.5,\n" +
    "east,,2026-04-01T14:00:00+09:00,2026-04-01T15:00:00+09:00,20,x\n",
  "events.csv": "at,kind,site,duration\n2026-04-01T12:00:00Z,link_down,row-1,PT10M\n",
};

describe("every key of the format that can be run arrives in the world", () => {
  const scenario = readScenarioYaml(WHOLE, FILES);
  const { world } = scenario;
  const [bat1, bat2, sun, wind, plant, row1, row2] = world.sites;

  test("head and report", () => {
    expect(scenario).toMatchObject({
      name: "whole-format",
      description: "every key that can be run",
      timezone: "Asia/Tokyo",
      file: "/s/scenario.yaml",
      warnings: [
        expect.stringMatching(/^the baseline of site bat-001 and 1 more is -200 kW/),
        expect.stringMatching(/^site row-1 is a member of no VPP/),
        expect.stringMatching(/^site row-2 is a member of no VPP/),
      ],
    });
    expect(world).toMatchObject({ startMs: START, endMs: START + 24 * HOUR, streamsFromMs: START, seed: 7 });
    expect(scenario.report).toEqual({
      intervalMs: HOUR,
      times: null,
      csv: "plain",
      powerIntervalMs: 60_000,
      formats: ["csv", "parquet"],
      omit: ["dispatch"],
    });
    // Of canonical JSON in one text; reports of older versions have the same.
    expect(scenario.hash).toBe("61a9ab4273700ff0d7ed705952dadf75899fd173fe9d45be94c4894375e82bcc");
  });

  test("settings by path, each once", () => {
    const settings = settingsOf(scenario);
    expect(new Set(settings.map(([path]) => path)).size).toBe(settings.length);
    expect(settings).toHaveLength(256);
    expect(Object.fromEntries(settings)).toMatchObject({
      "weights.east.bat-001": 50,
      "weights.east.bat-002": 50,
      "vpps.east.members.bat-002.label": "north",
      "sites.bat-001.components.bat.rated_cap": 2000,
      "sites.bat-002.components.bat.model.power_taper.1.import_fraction": 0.5,
      "sites.row-1.components.b.rated_cap": 10,
      "sites.row-2.components.b.rated_cap": 20,
      "report.interval": HOUR,
    });
  });

  test("a battery site", () => {
    expect(bat1).toEqual({
      name: "bat-001",
      emsId: hexId("site:bat-001"),
      // dr_capable: true is not effective without a component that is.
      capability: {
        fcrCapable: true,
        drCapable: false,
        reverseFlowAllowed: false,
        marketable: ["frr", "rr"],
        balancingResponsible: true,
        nonFirmConnection: true,
      },
      constraints: { voltageClass: "high", measurementPoint: "grid", siteImportMaxKw: 800, siteExportMaxKw: 700 },
      components: [
        {
          kind: "battery",
          componentId: "bat",
          fcrCapable: true,
          ratedCapKwh: 2000,
          importMaxKw: 1000,
          exportMaxKw: 900,
          socOpMinPct: 10,
          socOpMaxPct: 90,
          initialSocPct: 40,
          chargeEfficiency: 0.9,
          dischargeEfficiency: 1,
          selfDischargePctPerDay: 2,
          auxiliaryKw: 3,
          responseDelayMs: 1500,
          rampKwPerS: 10,
          powerTaper: [
            { socPct: 80, importFraction: 1, exportFraction: 1 },
            { socPct: 90, importFraction: 0.5, exportFraction: 1 },
          ],
        },
      ],
      baseline: { method: "constant", kw: -200 },
      fcr: {
        freqRefHz: 50.1,
        upDeadbandHz: 0.02,
        lowDeadbandHz: 0.03,
        upDroopPct: 4,
        lowDroopPct: 6,
        deadbandForm: "full",
        responseDelayMs: 2500,
      },
      outages: { meanUpMs: 60 * 24 * HOUR, meanRepairMs: 6 * HOUR },
      link: { lossProbability: 0.001, latencyMs: 200 },
      control: "open",
      maintenance: [{ startMs: START + 2 * HOUR, endMs: START + 3 * HOUR }],
    });
    expect(bat2).toMatchObject({ name: "bat-002", emsId: hexId("site:bat-002") });
  });

  test("generators: per_unit is of the PV capacity, for wind of the rated output", () => {
    expect(sun.emsId).toBe("0123456789abcdef0123456789abcdef");
    expect(sun.components[0]).toMatchObject({
      kind: "generator",
      generatorKind: "pv",
      subsidy: "fip",
      ratedOutputKw: 1000,
      pvCapacityKw: 1200,
      irradianceWm2: null,
    });
    expect(wind.components[0]).toMatchObject({ generatorKind: "wind", pvCapacityKw: null, subsidy: "none" });
    const generation = [sun, wind].map(({ components: [component] }) =>
      component.kind === "generator" ? component.generationKw.valueAt(START + 2.5 * HOUR) : null,
    );
    expect(generation).toEqual([600, 250]);
  });

  test("a consumer and its baseline", () => {
    const [component] = plant.components;
    expect(component).toMatchObject({
      kind: "consumer",
      consumerKind: "factory",
      contractKw: 3000,
      maxDemandKw: 2800,
      drCapable: true,
      minDrReductionKw: 50,
      maxDrReductionKw: 400,
      minDrDurationMs: 30 * 60_000,
      minDrCooldownMs: HOUR,
      responseDelayMs: 60_000,
      rampKwPerS: 5,
      reboundFraction: 0.2,
      reboundMs: HOUR,
      control: "track",
      deliveryRatio: 0.9,
    });
    expect(plant.capability).toMatchObject({ drCapable: true, fcrCapable: false, reverseFlowAllowed: false });
    expect(component.kind === "consumer" && component.loadKw.valueAt(START + 3 * HOUR)).toBe(103);
    expect(plant.baseline.method === "series" && plant.baseline.plan.valueAt(START)).toBe(90);
    expect(plant.baselineError).toEqual({ biasKw: -3, spreadKw: 12.5, correlationMs: 1.5 * HOUR });
  });

  test("a fleet from a CSV file: an empty cell is an absent key, lists are separated by spaces", () => {
    expect(row1.capability).toMatchObject({ marketable: ["frr", "rr-fit"], fcrCapable: true });
    expect(row1).toMatchObject({ outages: null, components: [{ initialSocPct: 70, ratedCapKwh: 10 }] });
    expect(row2.capability).toMatchObject({ marketable: SKUS, fcrCapable: false });
    expect(row2).toMatchObject({ outages: { meanUpMs: 24 * HOUR }, components: [{ initialSocPct: 50 }] });
  });

  test("VPPs", () => {
    expect(world.vpps).toEqual([
      {
        name: "east",
        vppId: "fedcba9876543210fedcba9876543210",
        members: [
          { site: 0, label: "north", resourceType: "battery", allocationWeight: 50 },
          { site: 1, label: "north", resourceType: "battery", allocationWeight: 50 },
          { site: 2, label: "", resourceType: "generator", allocationWeight: 100 },
        ],
        options: {
          deltaExcess: "redistribute",
          strictAvailabilityCheck: true,
          immediateOverridesSchedule: true,
          fcrEnergyTestMinutes: 15,
          pvSetpoint: "hold",
        },
      },
      {
        name: "west",
        vppId: hexId("vpp:west"),
        members: [{ site: 4, label: "", resourceType: "consumer", allocationWeight: 100 }],
        options: {
          deltaExcess: "uncovered",
          strictAvailabilityCheck: false,
          immediateOverridesSchedule: false,
          fcrEnergyTestMinutes: 0,
          pvSetpoint: "hold",
        },
      },
    ]);
  });

  test("awards: a vpp cell wins over the entry's key, registration is clamped to the start", () => {
    const [first, second, third] = world.awards;
    expect(first).toMatchObject({
      awardId: "first",
      vpp: 0,
      registeredMs: START,
      deltaKw: -1500,
    });
    const { capacityPriceJpyPerKwHour: perHour } = first;
    expect(perHour instanceof Series && perHour.valueAt(START)).toBe(180);
    expect(first.activation instanceof Series && first.activation.valueAt(first.startMs)).toBe(1);
    expect(first.priceJpyPerKwh instanceof Series && first.priceJpyPerKwh.valueAt(START)).toBe(90);
    expect(first.penaltyJpyPerKwh).toBe(9);
    expect(second).toEqual({
      awardId: "A-2",
      vpp: 1,
      sku: "frr",
      startMs: START + 0.5 * HOUR,
      endMs: START + HOUR,
      registeredMs: START,
      deltaKw: -10.5,
      fcrResponseKw: null,
      compoundBreakdown: null,
      activation: 1,
      capacityPriceJpyPerKwHour: null,
      priceJpyPerKwh: null,
      penaltyJpyPerKwh: null,
    });
    expect(third).toMatchObject({ awardId: "x", vpp: 0, sku: null, registeredMs: START + 4 * HOUR });
  });

  test("instructions and events", () => {
    expect(world.instructions).toMatchObject([
      { awardId: "I-1", vpp: 0, sku: "rr", atMs: START + HOUR * (10 + 5 / 60), durationMs: 30 * 60_000, deltaKw: 800 },
      { awardId: "second", vpp: 1, sku: null, durationMs: 30_000, deltaKw: -8 },
    ]);
    const atMs = START + 10 * HOUR;
    expect(world.events).toEqual([
      { kind: "outage", atMs, settled: false, site: 1, untilMs: atMs + 2 * HOUR },
      { kind: "warning", atMs, settled: false, site: 2, untilMs: Number.POSITIVE_INFINITY },
      {
        kind: "output_control",
        atMs,
        settled: true,
        site: 2,
        untilMs: atMs + 3 * HOUR,
        limitPct: 40,
        reason: "fit_curtailment",
      },
      { kind: "set_weight", atMs, settled: false, vpp: 0, site: 0, allocationWeight: 5 },
      {
        kind: "add_member",
        atMs,
        settled: false,
        vpp: 1,
        site: 3,
        resourceType: "generator",
        allocationWeight: 100,
        label: "new",
      },
      { kind: "remove_member", atMs, settled: false, vpp: 0, site: 2 },
      { kind: "link_down", atMs: START + 12 * HOUR, settled: false, site: 5, untilMs: START + 12 * HOUR + 600_000 },
    ]);
  });

  test("frequency with shift, label and repeat, and the energy price", () => {
    const { frequencyHz, energyPriceJpyPerKwh } = world;
    // Hour h holds 50 + 0.01 h; a stamp that marks a start moves to its middle, the shift takes it 1 h back.
    expect(frequencyHz instanceof Series && frequencyHz.valueAt(START + 4.5 * HOUR)).toBeCloseTo(50.05, 12);
    expect(energyPriceJpyPerKwh?.valueAt(START)).toBe(90);
  });
});

describe("defaults", () => {
  test("of a scenario with only the required keys", () => {
    const { world, report, timezone, description } = readScenarioYaml(SMALL_SCENARIO);
    expect({ report, timezone, description }).toEqual({
      report: {
        intervalMs: 1_800_000,
        powerIntervalMs: null,
        times: null,
        csv: "plain",
        formats: ["csv", "json", "html"],
        omit: [],
      },
      timezone: "UTC",
      description: "",
    });
    expect(world).toMatchObject({ seed: 1, vpps: [], awards: [], instructions: [], events: [], frequencyHz: 50 });
    expect(world.energyPriceJpyPerKwh).toBeNull();
    expect(world.sites).toMatchObject([
      {
        name: "b",
        emsId: hexId("site:b"),
        capability: {
          fcrCapable: false,
          drCapable: false,
          reverseFlowAllowed: true,
          marketable: [...SKUS],
          balancingResponsible: false,
          nonFirmConnection: false,
        },
        constraints: {
          voltageClass: null,
          measurementPoint: null,
          siteImportMaxKw: Number.POSITIVE_INFINITY,
          siteExportMaxKw: Number.POSITIVE_INFINITY,
        },
        baseline: { method: "zero" },
        fcr: { freqRefHz: 50, upDeadbandHz: 0.01, lowDeadbandHz: 0.01, upDroopPct: 5, lowDroopPct: 5 },
        outages: null,
        link: { lossProbability: 0, latencyMs: 0 },
        control: "open",
        maintenance: [],
      },
    ]);
  });

  test("an award is registered an hour before its start, but not before the scenario's", () => {
    const awards = ["00:00", "00:30", "05:00"].map(
      (clock, k) =>
        `  - {vpp: v, start: 2026-04-01T${clock}:00Z, end: 2026-04-01T${clock.slice(0, 4)}1:00Z, delta_kw: ${k}}`,
    );
    const { world } = readScenarioYaml(`${SMALL_SCENARIO}vpps: [{name: v}]\nawards:\n${awards.join("\n")}\n`);
    expect(world.awards.map(({ registeredMs }) => (registeredMs - START) / HOUR)).toEqual([0, 0, 4]);
  });

  test("a capacity price per 30 minutes is half of that per hour", () => {
    const period = "start: 2026-04-01T01:00:00Z, end: 2026-04-01T02:00:00Z";
    const { world } = readScenarioYaml(
      `${SMALL_SCENARIO}vpps: [{name: v}]
awards:
  - {vpp: v, ${period}, delta_kw: 1, price_jpy_per_kw_30min: 1.6}
  - {vpp: v, ${period}, delta_kw: 1, price_jpy_per_kw_h: 3.2}
`,
    );
    expect(world.awards.map(({ capacityPriceJpyPerKwHour }) => capacityPriceJpyPerKwHour)).toEqual([3.2, 3.2]);
  });

  test("JSON is YAML", () => {
    const json = JSON.stringify({
      version: 1,
      name: "small",
      start: "2026-04-01T00:00:00Z",
      end: "2026-04-02T00:00:00Z",
      sites: [
        {
          name: "b",
          components: [
            {
              component_id: "bat",
              component_type: "battery",
              rated_cap: 2000,
              import_pwr_max: 1000,
              export_pwr_max: 900,
              soc_op_min: 10,
              soc_op_max: 90,
            },
          ],
        },
      ],
    });
    expect(readScenarioYaml(json).hash).toBe(readScenarioYaml(SMALL_SCENARIO).hash);
  });

  test("a consumer without a baseline is warned of", () => {
    const yaml = `${SCENARIO_HEAD}series: {s: {file: s.csv}}
sites:
  - name: c
    components: [{component_id: c, component_type: consumer, contract_kw: 9, max_demand_kw: 9, model: {load: s.l}}]
`;
    const { warnings, world } = readScenarioYaml(yaml, { "s.csv": hourlyCsv(24, { l: () => 1 }) });
    expect(warnings).toEqual(["No baseline for c: the delivery of these consumers is measured against 0 kW"]);
    expect(world.sites[0].components[0]).toMatchObject({ drCapable: false, consumerKind: "other", control: "drop_by" });
  });
});
