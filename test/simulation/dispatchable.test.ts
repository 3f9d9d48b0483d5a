// Thermal plants and pumped storage in small worlds, every figure worked out by hand.
import { expect, test } from "vitest";
import type { DispatchableSpec } from "../../src/engine/device/dispatchable/dispatchableSpec.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import type { BaselineSpec, SiteSpec } from "../../src/engine/site/siteSpec.ts";
import {
  at,
  dispatchLines,
  eastVpp,
  evenSeries,
  findAwardRow,
  findSiteRow,
  intervalEnergyKwh,
  losslessBattery,
  nonZeroCauses,
  parseAwards,
  parseEvents,
  parseInstructions,
  powerLines,
  pumped,
  round3,
  runSites,
  runSmallWorld,
  site,
  thermal,
  world,
} from "./smallWorld.ts";

const constant = (kw: number): { baseline: BaselineSpec } => ({ baseline: { method: "constant", kw } });
/** A site "p" that runs at a constant plan. */
const plantAt = (kw: number, component: DispatchableSpec, given: Partial<SiteSpec> = {}) =>
  site("p", component, { ...constant(kw), ...given });
const runAlone = (p: SiteSpec, given: Partial<WorldSpec> = {}) =>
  runSites([p], { vpps: [eastVpp([p], [100])], ...given });

/** Uncovered power in kW and shortfall in kWh, with their causes. */
function shortfallCauses(ran: ReturnType<typeof runSmallWorld>, id = "A1") {
  const row = findAwardRow(ran, id);
  return {
    uncoveredKw: row.uncoveredKw,
    cut: nonZeroCauses(row.uncoveredByCauseKw),
    deliveredKwh: round3(row.deliveredKwh ?? Number.NaN),
    shortfall: nonZeroCauses(row.shortfallByCauseKwh),
  };
}

test("a plant follows its plan from the first instant, by steps, lines and its ramp", () => {
  const plan = evenSeries("plan", 30, [-100, -160, -160, -100], "step");
  const p = site("p", thermal({ rampKwPerMin: 6 }), { baseline: { method: "series", plan } });
  const ran = runSites([p], { endMs: at("02:00") });
  // 60 kW at 6 kW/min take 10 minutes up and 10 down; on the way 30 kW on average are missing, then too much.
  expect(intervalEnergyKwh(ran, "p", "export_kwh").map(Number)).toEqual([50, 75, 80, 55]);
  expect(intervalEnergyKwh(ran, "p", "baseline_kwh").map(Number)).toEqual([-50, -80, -80, -50]);
  expect(powerLines(ran, "p").slice(0, 3)).toEqual(["00:00 -100", "00:31 -106", "00:32 -112"]);

  const line = site("p", thermal(), {
    baseline: { method: "series", plan: evenSeries("line", 60, [0, -120, -120], "linear") },
  });
  expect(intervalEnergyKwh(runSites([line], { endMs: at("02:00") }), "p", "export_kwh").map(Number)).toEqual([
    15, 45, 60, 60,
  ]);
});

test.each([
  // plan, minimum output, requested, dispatched, uncovered, its cause, delivered kWh in the hour
  ["down to the rating", -600, 0, -500, "-400", -100, { power_limit: 100 }, -400],
  ["up to the least output", -600, 200, 500, "400", 100, { power_limit: 100 }, 400],
  ["up to a stop without a least output", -600, 0, 600, "600", 0, {}, 600],
  ["a start from rest", 0, 200, -500, "-500", 0, {}, -500],
  ["up from rest", 0, 200, 500, "skipped_incompatible", 500, { incompatible: 500 }, 0],
  ["up at the least output", -200, 200, 100, "skipped_incompatible", 100, { incompatible: 100 }, 0],
] as const)(
  "headroom of a thermal plant of 1000 kW: %s",
  (_, planKw, minOutputKw, requestedKw, dispatched, uncoveredKw, cut, deliveredKwh) => {
    const p = plantAt(planKw, thermal({ minOutputKw }));
    const ran = runAlone(p, { endMs: at("01:00"), awards: parseAwards(`00:00-01:00 ${requestedKw}`) });
    expect(dispatchLines(ran, "A1")).toEqual([`00:00 p ${dispatched}`]);
    expect(shortfallCauses(ran)).toEqual({ uncoveredKw, cut, deliveredKwh, shortfall: cut });
  },
);

test.each([
  // plan, fill %, requested, dispatched, cause of the cut
  ["pumps from its output", -400, 50, 900, "900", {}],
  ["up to its pump", -400, 50, 1500, "1400", { power_limit: 100 }],
  ["from pumping on to its pump", 300, 50, 900, "700", { power_limit: 200 }],
  ["from pumping down to the rating", 300, 50, -1500, "-1300", { power_limit: 200 }],
  ["full: it can still stop", -400, 100, 900, "400", { energy_limit: 500 }],
  ["empty: it can still stop pumping", 300, 0, -900, "-300", { energy_limit: 600 }],
  ["full and at rest: among the participants, with nothing", 0, 100, 900, "0", { energy_limit: 900 }],
] as const)(
  "headroom of pumped storage, 1000 kW either way: %s",
  (_, planKw, fillPct, requestedKw, dispatched, cut) => {
    const p = plantAt(planKw, pumped({ capacityKwh: 1e6, initialFillPct: fillPct }));
    const ran = runAlone(p, { endMs: at("00:02"), awards: parseAwards(`00:00-00:01 ${requestedKw}`) });
    expect(dispatchLines(ran, "A1")).toEqual([`00:00 p ${dispatched}`]);
    expect(nonZeroCauses(findAwardRow(ran, "A1").uncoveredByCauseKw)).toEqual(cut);
  },
);

test("the shortfall of a ramp has cause `ramp`, and the ramp back counts for no award", () => {
  // 300 kW at 10 kW/min: 30 minutes, 150 kW short on average. Back in 30 minutes.
  const p = plantAt(-400, thermal({ rampKwPerMin: 10 }));
  const ran = runAlone(p, { endMs: at("02:00"), awards: parseAwards("00:00-01:00 -300") });
  expect(shortfallCauses(ran)).toEqual({ uncoveredKw: 0, cut: {}, deliveredKwh: -225, shortfall: { ramp: 75 } });
  expect(intervalEnergyKwh(ran, "p", "export_kwh").map(Number)).toEqual([275, 350, 275, 200]);
});

test("a start is instant up to the least output; a stop comes down to it first", () => {
  const p = plantAt(0, thermal({ minOutputKw: 300, rampKwPerMin: 10 }));
  const ran = runAlone(p, { endMs: at("01:00"), awards: parseAwards("00:00-00:30 -400") });
  // 300 at once, 400 after 10 minutes; afterwards 10 minutes down to 300, and off.
  const shown = powerLines(ran, "p").filter((line) => /:(00|01|10|39|40) /.test(line));
  expect(shown).toEqual(["00:00 -300", "00:01 -310", "00:10 -400", "00:39 -310", "00:40 0"]);
  expect(shortfallCauses(ran).shortfall).toEqual({ ramp: round3((50 * 10) / 60) });
});

test("a target below half of the least output is off, one above it runs at the least output", () => {
  const p = plantAt(0, thermal({ minOutputKw: 300 }));
  const ran = runAlone(p, { endMs: at("02:00"), awards: parseAwards("00:00-01:00 -100", "01:00-02:00 -200") });
  expect(shortfallCauses(ran, "A1")).toEqual({
    uncoveredKw: 0,
    cut: {},
    deliveredKwh: 0,
    shortfall: { power_limit: 100 },
  });
  expect(shortfallCauses(ran, "A2").shortfall).toEqual({});
  expect(findAwardRow(ran, "A2").excessKwh).toBeCloseTo(100, 9);
});

test("an emptied reservoir stops with `energy_limit`, and the event log records it", () => {
  // 500 kWh at 87 % give 435 kWh AC: 1000 kW for 26.1 minutes.
  const p = plantAt(0, pumped({ generatingEfficiency: 0.87 }));
  const ran = runAlone(p, { endMs: at("01:00"), awards: parseAwards("00:00-01:00 -1000") });
  expect(shortfallCauses(ran)).toEqual({
    uncoveredKw: 0,
    cut: {},
    deliveredKwh: -435,
    shortfall: { energy_limit: 565 },
  });
  expect(
    ran.events
      .filter(({ kind }) => kind === "soc_bound")
      .map(({ timestamp: atMs, kind, detail }) => [atMs, kind, detail]),
  ).toEqual([[at("00:26") + 6000, "soc_bound", "empty"]]);
});

test("pumping fills the reservoir with its efficiency, and counts as import", () => {
  // 435 kW for an hour at 87 % are 378.45 kWh; 500 − 378.45 are left to fill: 121.55 / 0.87 = 139.713 kWh AC.
  const p = plantAt(0, pumped({ pumpingEfficiency: 0.87 }));
  const ran = runAlone(p, { endMs: at("02:00"), awards: parseAwards("00:00-02:00 435") });
  expect(intervalEnergyKwh(ran, "p", "import_kwh").map(Number)).toEqual([217.5, 217.5, 139.713, 0]);
  expect(shortfallCauses(ran).shortfall).toEqual({ energy_limit: round3(870 - 500 / 0.87) });
});

test("a generator's record has the export of its class, nothing curtailed, and no SOC", () => {
  const p = plantAt(-400, thermal({ subsidy: "fip" }), {
    capability: { ...site("x", thermal()).capability, balancingResponsible: true },
  });
  const ran = runAlone(p, {
    endMs: at("01:00"),
    events: parseEvents("output_control 0 00:00-00:30 30 fit_curtailment"),
  });
  // 30 % of the rating: 300 kW in the first half hour.
  const [first, second] = ran.energy;
  expect(first).toMatchObject({
    import_kwh: 0,
    export_kwh: 150,
    fip_export_kwh: 150,
    curtailed_kwh: 0,
    fit_curtailed_kwh: 0,
  });
  // 150 − 200: what it plans and does not send is its imbalance.
  expect(first.imbalance_kwh).toBe(-50);
  expect(second).toMatchObject({ export_kwh: 200, imbalance_kwh: 0 });
  expect(findSiteRow(ran, "p")).toMatchObject({
    resourceType: "generator",
    exportKwh: 350,
    curtailedKwh: 0,
    socMinPct: null,
  });
  expect(ran.power[0]).toMatchObject({ current_kw: -300, output_control_limit: 30, irradiance_w_m2: null });
});

test("output control cuts the set-point and the output, and one below the least output stops the plant", () => {
  const p = plantAt(-200, thermal({ minOutputKw: 200 }));
  const early = runAlone(p, {
    endMs: at("01:00"),
    awards: parseAwards("00:00-01:00 -500"),
    events: parseEvents("output_control 0 00:00-01:00 50 manual"),
  });
  expect(shortfallCauses(early)).toEqual({
    uncoveredKw: -200,
    cut: { output_control: 200 },
    deliveredKwh: -300,
    shortfall: { output_control: 200 },
  });
  const late = runAlone(p, {
    endMs: at("01:00"),
    awards: parseAwards("00:00-01:00 -500"),
    events: parseEvents("output_control 0 00:30-01:00 10 manual"),
  });
  // 500 for half an hour, then −200 against its plan: 700 kW short.
  expect(shortfallCauses(late)).toEqual({
    uncoveredKw: 0,
    cut: {},
    deliveredKwh: -150,
    shortfall: { output_control: 350 },
  });
});

test("a grid limit counts as power, in the headroom and at the plant", () => {
  const constraints = { ...site("x", thermal()).constraints, siteExportMaxKw: 500, siteImportMaxKw: 200 };
  const down = runAlone(plantAt(-400, thermal(), { constraints }), {
    endMs: at("01:00"),
    awards: parseAwards("00:00-01:00 -300"),
  });
  expect(shortfallCauses(down)).toEqual({
    uncoveredKw: -200,
    cut: { power_limit: 200 },
    deliveredKwh: -100,
    shortfall: { power_limit: 200 },
  });
  const up = runAlone(plantAt(0, pumped(), { constraints }), {
    endMs: at("01:00"),
    awards: parseAwards("00:00-01:00 300"),
  });
  expect(shortfallCauses(up).uncoveredKw).toBe(100);
});

test("the delay of a link continues the plan, then the set-point", () => {
  const p = plantAt(-400, thermal(), { link: { lossProbability: 0, latencyMs: 600_000 } });
  const ran = runAlone(p, { endMs: at("02:00"), awards: parseAwards("00:30-01:00 -300") });
  expect(powerLines(ran, "p")).toEqual(["00:00 -400", "00:40 -700", "01:10 -400"]);
  expect(shortfallCauses(ran).shortfall).toEqual({ ramp: 50 });
});

test("an outage stops the plant; afterwards it starts anew at its least output", () => {
  const p = plantAt(-400, thermal({ minOutputKw: 100, rampKwPerMin: 10 }));
  const ran = runAlone(p, { endMs: at("01:30"), events: parseEvents("outage 0 00:10-00:20") });
  expect(powerLines(ran, "p").filter((line) => /:(00|10|20|21|50) /.test(line))).toEqual([
    "00:00 -400",
    "00:10 null",
    "00:20 -100",
    "00:21 -110",
    "00:50 -400",
  ]);
});

test("FIT plants take no market product, but operation without one", () => {
  const p = plantAt(-400, thermal({ subsidy: "fit", generatorKind: "biomass" }));
  const ran = runAlone(p, { endMs: at("02:00"), awards: parseAwards("00:00-01:00 -300 frr", "01:00-02:00 -300") });
  expect(dispatchLines(ran, "A1")).toEqual(["00:00 p skipped_incompatible"]);
  expect(dispatchLines(ran, "A2")).toEqual(["01:00 p -300"]);
});

test("hydro and other plants are no different from biomass", () => {
  for (const generatorKind of ["hydro", "other", "biomass"] as const) {
    const ran = runAlone(plantAt(-400, thermal({ generatorKind })), {
      endMs: at("01:00"),
      awards: parseAwards("00:00-01:00 300"),
    });
    expect(dispatchLines(ran, "A1")).toEqual(["00:00 p 300"]);
  }
});

test.each([
  // The battery takes 500 kW in, the running plant 300 up to its least output: 800 together.
  [800, false, "completed", "a 400, p 300"],
  [800.1, false, "refused", undefined],
  [500, true, "completed", "a 250, p 250"],
  [500.1, true, "refused", undefined],
  // Down: 500 of the battery and 1000 of the plant, absolute.
  [-1500, false, "completed", "a -500, p -500"],
  [-1500.1, false, "refused", undefined],
] as const)(
  "an immediate instruction of %d kW, checked strictly: %s",
  (kw, strictAvailabilityCheck, state, dispatched) => {
    const sites = [site("a", losslessBattery()), plantAt(-500, thermal({ minOutputKw: 200 }))];
    const vpps = [eastVpp(sites, [100, 100], { strictAvailabilityCheck })];
    const ran = runSmallWorld(
      world(sites, { vpps, endMs: at("01:00"), instructions: parseInstructions(`00:10 ${kw} 30min`) }),
    );
    expect(findAwardRow(ran, "I1").state).toBe(state);
    expect(dispatchLines(ran, "I1")).toEqual(dispatched === undefined ? [] : [`00:10 ${dispatched}`]);
  },
);
