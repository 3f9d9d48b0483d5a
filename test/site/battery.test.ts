import { describe, test } from "vitest";
import { batterySites, consumer, evenSeries, flat, losslessBattery, pv, site } from "../simulation/smallWorld.ts";
import { checkWorldCase, type WorldCase } from "../simulation/worldCases.ts";

const MINUTE = 60_000;
const singleBattery = (given: Parameters<typeof losslessBattery>[0] = {}, more: Parameters<typeof site>[2] = {}) =>
  site("a", losslessBattery(given), more);
const singleBatteryOf = (name: string, given: Parameters<typeof losslessBattery>[0]) =>
  site(name, losslessBattery(given));

const BATTERIES: readonly WorldCase[] = [
  {
    title: "a battery that runs empty keeps its instruction: energy_limit, no re-allocation",
    sites: [singleBattery({ initialSocPct: 5 }), batterySites(500, 500)[1]],
    awards: ["00:00-01:00 -400"],
    dispatches: { A1: ["00:00 a -200, b -200"] },
    // 50 kWh last 15 min.
    powerKw: { a: ["00:00 -200", "00:15 0"] },
    expectedAwards: {
      A1: { uncoveredKw: 0, shortfallKwh: 150, deliveredKwh: -250, shortfallByCauseKwh: { energy_limit: 150 } },
    },
    expectedSites: { a: { socFinalPct: 0, exportKwh: 50, minutesAtSocMin: 105, equivalentFullCycles: 0.05 } },
    expectedEvents: ["soc_bound a: empty"],
  },
  {
    title: "charging stops when full; losses are counted at the cells",
    sites: [singleBattery({ chargeEfficiency: 0.8, initialSocPct: 92, socOpMaxPct: 96 })],
    awards: ["00:00-01:00 100"],
    // 40 kWh up to full take 50 kWh from the grid: half an hour.
    powerKw: { a: ["00:00 100", "00:30 0"] },
    expectedAwards: { A1: { deliveredKwh: 50, shortfallKwh: 50, shortfallByCauseKwh: { energy_limit: 50 } } },
    expectedSites: { a: { importKwh: 50, socFinalPct: 96, minutesAtSocMax: 90, throughputKwh: 50 } },
    expectedEvents: ["soc_bound a: full"],
  },
  {
    title: "discharge losses: 100 kWh at the grid take 125 from the cells",
    sites: [singleBattery({ dischargeEfficiency: 0.8 })],
    awards: ["00:00-01:00 -100"],
    expectedSites: { a: { exportKwh: 100, socFinalPct: 37.5, equivalentFullCycles: 0.125 } },
  },
  {
    title: "the delay continues the old power at the start and at the end",
    sites: [singleBattery({ responseDelayMs: 2 * MINUTE })],
    awards: ["00:00-00:30 -120"],
    powerKw: { a: ["00:00 0", "00:02 -120", "00:32 0"] },
    expectedAwards: { A1: { shortfallKwh: 4, shortfallByCauseKwh: { ramp: 4 } } },
    expectedSites: { a: { exportKwh: 60 } },
  },
  {
    title: "an end and a start at one instant are one change",
    sites: [singleBattery({ responseDelayMs: 2 * MINUTE })],
    awards: ["00:00-00:30 -120", "00:30-01:00 -60"],
    powerKw: { a: ["00:00 0", "00:02 -120", "00:32 -60", "01:02 0"] },
    expectedAwards: { A2: { shortfallKwh: 0, excessKwh: 2 } },
  },
  {
    title: "a change waits for its own delay behind another one",
    sites: [singleBattery({ responseDelayMs: 10 * MINUTE })],
    awards: ["00:00-00:05 -120", "00:05-00:10 -60"],
    powerKw: { a: ["00:00 0", "00:10 -120", "00:15 -60", "00:20 0"] },
  },
  {
    title: "the queue runs on through an outage; a withdrawal waits the delay too",
    sites: [singleBattery({ responseDelayMs: 10 * MINUTE })],
    awards: ["00:00-01:00 -120"],
    events: ["outage 0 00:02-00:04"],
    // Withdrawn at 00:02 (effective 00:12), sent again at 00:04 (effective 00:14).
    powerKw: { a: ["00:00 0", "00:02 null", "00:04 0", "00:10 -120", "00:12 0", "00:14 -120", "01:10 0"] },
  },
  {
    title: "a ramp leads to the target and back: 1 kW/s to 120 kW",
    sites: [singleBattery({ rampKwPerS: 1 })],
    awards: ["00:00-00:30 -120"],
    powerKw: { a: ["00:00 0", "00:01 -60", "00:02 -120", "00:31 -60", "00:32 0"] },
    expectedAwards: { A1: { shortfallKwh: 2, shortfallByCauseKwh: { ramp: 2 }, deliveredKwh: -58 } },
    expectedSites: { a: { exportKwh: 60 } },
  },
  {
    title: "a run starts at the plan, not on the ramp to it: 40 minutes for 240 kW at 0.1 kW/s",
    sites: [singleBattery({ rampKwPerS: 0.1 }, { baseline: { method: "constant", kw: -240 } })],
    powerKw: { a: ["00:00 -240"] },
    expectedSites: { a: { exportKwh: 480 } },
  },
  {
    title: "an award at the run's start is reached by a ramp from the plan",
    sites: [singleBattery({ rampKwPerS: 1, responseDelayMs: MINUTE }, { baseline: { method: "constant", kw: -60 } })],
    awards: ["00:00-01:00 -120"],
    powerKw: { a: ["00:00 -60", "00:02 -120", "00:03 -180", "01:02 -120", "01:03 -60"] },
  },
  {
    title: "the plan is cut at the start to rating, connection and SOC window",
    sites: [
      singleBattery({ rampKwPerS: 0.01, importMaxKw: 100 }, { baseline: { method: "constant", kw: 240 } }),
      site("b", losslessBattery({ rampKwPerS: 0.01, auxiliaryKw: 3, socOpMaxPct: 100 }), {
        baseline: { method: "constant", kw: 240 },
        constraints: { ...singleBattery().constraints, siteImportMaxKw: 80 },
      }),
      site("c", losslessBattery({ rampKwPerS: 0.01, initialSocPct: 0 }), {
        baseline: { method: "constant", kw: -240 },
      }),
    ],
    powerKw: { a: ["00:00 100"], b: ["00:00 80"], c: ["00:00 0"] },
  },
  {
    title: "under an outage at the run's start the ramp starts from 0 at its end",
    sites: [singleBattery({ rampKwPerS: 1 }, { baseline: { method: "constant", kw: -120 } })],
    events: ["outage 0 00:00-00:10"],
    powerKw: { a: ["00:00 null", "00:10 0", "00:11 -60", "00:12 -120"] },
  },
  {
    title: "after an outage power ramps from 0",
    sites: [singleBattery({ rampKwPerS: 1 })],
    awards: ["00:00-01:00 -120"],
    events: ["outage 0 00:10:10-00:10:50"],
    // Back at 10:50 with 10 kW at 11:00, 70 kW at 12:00, 120 kW at 12:50.
    powerKw: {
      a: ["00:00 0", "00:01 -60", "00:02 -120", "00:11 -10", "00:12 -70", "00:13 -120", "01:01 -60", "01:02 0"],
    },
  },
  {
    title: "auxiliaries have their part of the connection limit first: 517 kW in, 523 kW out of 520 kW at the meter",
    sites: [
      site("a", losslessBattery({ auxiliaryKw: 3, importMaxKw: 600, exportMaxKw: 600, ratedCapKwh: 4000 }), {
        constraints: { ...singleBattery().constraints, siteImportMaxKw: 520, siteExportMaxKw: 520 },
      }),
    ],
    awards: ["00:00-00:30 600 rr", "00:30-01:00 -600 rr"],
    instructions: ["01:10 517 10min", "01:20 517.1 10min", "01:30 -523 10min", "01:40 -523.1 10min"],
    dispatches: { A1: ["00:00 a 517"], A2: ["00:30 a -523"] },
    powerKw: { a: ["00:00 520", "00:30 -520", "01:00 3", "01:10 520", "01:20 3", "01:30 -520", "01:40 3"] },
    expectedAwards: {
      A1: { uncoveredKw: 83 },
      A2: { uncoveredKw: -77 },
      I2: { state: "refused", errorType: "invalid_parameter" },
      I4: { state: "refused", errorType: "invalid_parameter" },
    },
  },
  {
    title: "ratings are not cut by auxiliaries, and auxiliaries above the import limit flow all the same",
    sites: [
      site("a", losslessBattery({ auxiliaryKw: 10 }), {
        constraints: { ...singleBattery().constraints, siteImportMaxKw: 8 },
      }),
      singleBatteryOf("b", { auxiliaryKw: 10 }),
    ],
    awards: ["00:00-01:00 600"],
    dispatches: { A1: ["00:00 a 0, b 300"] },
    powerKw: { a: ["00:00 10"], b: ["00:00 310", "01:00 10"] },
  },
  {
    title: "auxiliaries come on top of the set-point and stop in an outage",
    sites: [singleBattery({ auxiliaryKw: 10 })],
    awards: ["00:00-00:30 -200"],
    events: ["outage 0 01:00-01:30"],
    powerKw: { a: ["00:00 -190", "00:30 10", "01:00 null", "01:30 10"] },
    expectedAwards: { A1: { uncoveredKw: 0, shortfallKwh: 5, shortfallByCauseKwh: { load_deviation: 5 } } },
    expectedSites: { a: { importKwh: 10, exportKwh: 95, throughputKwh: 100 } },
  },
  {
    title: "self-discharge is a rate of what is stored, also in an outage",
    sites: [singleBattery({ selfDischargePctPerDay: 100 })],
    events: ["outage 0 00:00-01:00"],
    // 500 · e^(−2/24) kWh.
    expectedSites: { a: { socFinalPct: Math.round(50 * Math.exp(-2 / 24) * 1000) / 1000, exportKwh: 0 } },
  },
  {
    title: "a battery follows its plan at each instant without an instruction",
    sites: [singleBattery({}, { baseline: { method: "series", plan: evenSeries("plan", 30, [100, -50, 0, 20, 0]) } })],
    powerKw: { a: ["00:00 100", "00:30 -50", "01:00 0", "01:30 20"] },
    expectedSites: { a: { importKwh: 60, exportKwh: 25 } },
  },
  {
    title: "an instruction holds the baseline of its first slot; delivered is against it",
    sites: [singleBattery({}, { baseline: { method: "series", plan: evenSeries("plan", 30, [100, -50, 0, 20, 0]) } })],
    awards: ["00:15-01:15 -40"],
    powerKw: { a: ["00:00 100", "00:15 60", "01:15 0", "01:30 20"] },
    expectedAwards: { A1: { deliveredKwh: -40, shortfallKwh: 0 } },
  },
  {
    title: "a baseline is sent with one decimal",
    sites: [singleBattery({}, { baseline: { method: "constant", kw: 10.26 } })],
    awards: ["00:00-01:00 -20"],
    powerKw: { a: ["00:00 -9.7", "01:00 10.26"] },
  },
  {
    title: "a taper limits after the dispatch: power_limit",
    sites: [
      singleBattery({
        ratedCapKwh: 100,
        powerTaper: [
          { socPct: 0, importFraction: 1, exportFraction: 0.1 },
          { socPct: 24.999999, importFraction: 1, exportFraction: 0.1 },
          { socPct: 25, importFraction: 1, exportFraction: 1 },
        ],
      }),
    ],
    awards: ["00:00-00:30 -100"],
    // 25 kWh down to 25 %: 15 min. From there 50 kW (10 %) until the end.
    // At 00:15 sharp the corner is just met.
    powerKw: { a: ["00:00 -100", "00:16 -50", "00:30 0"] },
    expectedAwards: { A1: { shortfallKwh: 12.5, shortfallByCauseKwh: { power_limit: 12.5 } } },
  },
  {
    title: "a limit put on a running battery shows as output_control, without re-allocation",
    sites: batterySites(500, 500),
    awards: ["00:00-01:00 -400"],
    events: ["output_control 0 00:30-01:00 20 manual"],
    dispatches: { A1: ["00:00 a -200, b -200"] },
    powerKw: { a: ["00:00 -200", "00:30 -100", "01:00 0"] },
    expectedAwards: { A1: { shortfallKwh: 50, shortfallByCauseKwh: { output_control: 50 } } },
  },
];

const pvSite = (kw: readonly number[], given: Parameters<typeof pv>[1] = {}, baselineKw = 0) =>
  site("a", pv(evenSeries("sun", 15, kw), given), { baseline: { method: "constant", kw: baselineKw } });

const PV_PLANTS: readonly WorldCase[] = [
  {
    title: "without an instruction a PV plant exports all it can up to its rating, which is no curtailment",
    sites: [pvSite([300, 1200, 300, 300, 300, 300, 300, 300, 300])],
    powerKw: { a: ["00:00 -300", "00:15 -1000", "00:30 -300"] },
    expectedSites: { a: { exportKwh: 775, curtailedKwh: 0 } },
  },
  {
    title: "with an instruction it holds baseline plus delta; the removed energy is curtailed by set-point",
    sites: [pvSite([300, 200, 300, 300, 300, 300, 300, 300, 300], {}, -100)],
    awards: ["00:00-01:00 -150"],
    dispatches: { A1: ["00:00 a -150"] },
    powerKw: { a: ["00:00 -250", "00:15 -200", "00:30 -250", "01:00 -300"] },
    expectedAwards: { A1: { deliveredKwh: -137.5, shortfallKwh: 12.5, shortfallByCauseKwh: { weather: 12.5 } } },
    expectedSites: { a: { curtailedKwh: 37.5, manualCurtailedKwh: 37.5, fitCurtailedKwh: 0 } },
  },
  {
    title: "curtailment is attributed to output control first, the rest to the set-point",
    sites: [pvSite([900, 900, 900, 900, 900, 900, 900, 900, 900], {}, -100)],
    awards: ["00:00-01:00 -200"],
    events: ["output_control 0 00:30-01:30 50 fit_curtailment"],
    // 900 possible: 300 held until 01:00. From 00:30 on the control takes 400, the set-point 200 more; then 500 flow.
    powerKw: { a: ["00:00 -300", "01:00 -500", "01:30 -900"] },
    expectedSites: { a: { curtailedKwh: 800, fitCurtailedKwh: 400, manualCurtailedKwh: 400 } },
  },
  {
    title: "of two output controls the lower one limits and has the curtailed energy",
    sites: [pvSite([900, 900, 900, 900, 900, 900, 900, 900, 900])],
    events: ["output_control 0 00:00-01:00 50 other", "output_control 0 00:30-01:00 40 fit_curtailment"],
    powerKw: { a: ["00:00 -500", "00:30 -400", "01:00 -900"] },
    expectedSites: { a: { curtailedKwh: 450, fitCurtailedKwh: 250, manualCurtailedKwh: 0 } },
  },
  {
    title: "an outage is not curtailment (accounting §3)",
    sites: [pvSite([300, 300, 300, 300, 300, 300, 300, 300, 300])],
    events: ["outage 0 00:30-01:00"],
    expectedSites: { a: { exportKwh: 450, curtailedKwh: 0 } },
  },
  {
    title: "the grid limit cuts output without curtailment",
    sites: [
      {
        ...pvSite([300, 300, 300, 300, 300, 300, 300, 300, 300]),
        constraints: { voltageClass: null, measurementPoint: null, siteImportMaxKw: 1000, siteExportMaxKw: 120 },
      },
    ],
    expectedSites: { a: { exportKwh: 240, curtailedKwh: 0 } },
  },
  {
    title: "a linear sun under a set-point is cut at the solved instant",
    sites: [site("a", pv(evenSeries("sun", 60, [0, 400, 0, 0], "linear")))],
    awards: ["00:30-01:30 -200"],
    // At 00:30 the sun gives 200; above it 1 h of a triangle 200 kW high is cut.
    expectedAwards: { A1: { uncoveredKw: 0, shortfallKwh: 0, deliveredKwh: -200 } },
    expectedSites: { a: { exportKwh: 300, manualCurtailedKwh: 100 } },
  },
];

describe("batteries", () => {
  test.each(BATTERIES)("$title", checkWorldCase);
});

describe("PV plants", () => {
  test.each(PV_PLANTS)("$title", checkWorldCase);
});

describe("delta 0", () => {
  test("keeps a battery and a PV plant at their baselines, and prints no -0", () => {
    checkWorldCase({
      title: "",
      sites: [
        site("a", losslessBattery(), {
          baseline: { method: "series", plan: evenSeries("plan", 30, [30, 60, 60, 60, 60]) },
        }),
        site("b", pv(flat(200)), { baseline: { method: "constant", kw: -150 } }),
        site("c", consumer(flat(100)), { baseline: { method: "perfect" } }),
      ],
      awards: ["00:00-01:00 0"],
      powerKw: { a: ["00:00 30", "01:00 60"], b: ["00:00 -150", "01:00 -200"], c: ["00:00 100"] },
      expectedAwards: { A1: { requestedKwh: 0, deliveredKwh: 0, shortfallKwh: 0, uncoveredKw: 0, excessKwh: 0 } },
    });
  });
});
