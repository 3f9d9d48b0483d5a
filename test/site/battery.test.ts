import { describe, test } from "vitest";
import { checkStory, type Story } from "../simulation/stories.ts";
import { batteriesOf, consumer, evenSeries, flat, plain, pv, site } from "../simulation/tinyWorld.ts";

const MINUTE = 60_000;
const one = (given: Parameters<typeof plain>[0] = {}, more: Parameters<typeof site>[2] = {}) =>
  site("a", plain(given), more);

const BATTERIES: readonly Story[] = [
  {
    why: "a battery that runs empty keeps its instruction: energy_limit, no re-allocation (9)",
    sites: [one({ initialSocPct: 5 }), batteriesOf(500, 500)[1]],
    awards: ["00:00-01:00 -400"],
    told: { A1: ["00:00 a -200, b -200"] },
    // 50 kWh last 15 min.
    power: { a: ["00:00 -200", "00:15 0"] },
    rows: { A1: { uncoveredKw: 0, shortfall: 150, delivered: -250, causes: { energy_limit: 150 } } },
    becomes: { a: { socFinalPct: 0, exportKwh: 50, minutesAtSocMin: 105, equivalentFullCycles: 0.05 } },
    happens: ["soc_bound a: empty"],
  },
  {
    why: "charging stops when full; losses are counted at the cells",
    sites: [one({ chargeEfficiency: 0.8, initialSocPct: 92, socOpMaxPct: 96 })],
    awards: ["00:00-01:00 100"],
    // 40 kWh of room take 50 kWh from the grid: half an hour.
    power: { a: ["00:00 100", "00:30 0"] },
    rows: { A1: { delivered: 50, shortfall: 50, causes: { energy_limit: 50 } } },
    becomes: { a: { importKwh: 50, socFinalPct: 96, minutesAtSocMax: 90, throughputKwh: 50 } },
    happens: ["soc_bound a: full"],
  },
  {
    why: "discharge losses: 100 kWh at the grid take 125 from the cells",
    sites: [one({ dischargeEfficiency: 0.8 })],
    awards: ["00:00-01:00 -100"],
    becomes: { a: { exportKwh: 100, socFinalPct: 37.5, equivalentFullCycles: 0.125 } },
  },
  {
    why: "the delay holds the old power at the start and at the end (110, 170)",
    sites: [one({ responseDelayMs: 2 * MINUTE })],
    awards: ["00:00-00:30 -120"],
    power: { a: ["00:00 0", "00:02 -120", "00:32 0"] },
    rows: { A1: { shortfall: 4, causes: { ramp: 4 } } },
    becomes: { a: { exportKwh: 60 } },
  },
  {
    why: "an end and a start at one instant are one change (170)",
    sites: [one({ responseDelayMs: 2 * MINUTE })],
    awards: ["00:00-00:30 -120", "00:30-01:00 -60"],
    power: { a: ["00:00 0", "00:02 -120", "00:32 -60", "01:02 0"] },
    rows: { A2: { shortfall: 0, excess: 2 } },
  },
  {
    why: "a change waits for its own delay behind another one (110)",
    sites: [one({ responseDelayMs: 10 * MINUTE })],
    awards: ["00:00-00:05 -120", "00:05-00:10 -60"],
    power: { a: ["00:00 0", "00:10 -120", "00:15 -60", "00:20 0"] },
  },
  {
    why: "the queue runs on through an outage; a withdrawal waits the delay too (170)",
    sites: [one({ responseDelayMs: 10 * MINUTE })],
    awards: ["00:00-01:00 -120"],
    events: ["outage 0 00:02-00:04"],
    // Withdrawn at 00:02 (due 00:12), told again at 00:04 (due 00:14).
    power: { a: ["00:00 0", "00:02 null", "00:04 0", "00:10 -120", "00:12 0", "00:14 -120", "01:10 0"] },
  },
  {
    why: "a ramp leads to the target and back: 1 kW/s to 120 kW",
    sites: [one({ rampKwPerS: 1 })],
    awards: ["00:00-00:30 -120"],
    power: { a: ["00:00 0", "00:01 -60", "00:02 -120", "00:31 -60", "00:32 0"] },
    rows: { A1: { shortfall: 2, causes: { ramp: 2 }, delivered: -58 } },
    becomes: { a: { exportKwh: 60 } },
  },
  {
    why: "after an outage power ramps from 0 (110)",
    sites: [one({ rampKwPerS: 1 })],
    awards: ["00:00-01:00 -120"],
    events: ["outage 0 00:10:10-00:10:50"],
    // Back at 10:50 with 10 kW at 11:00, 70 kW at 12:00, 120 kW at 12:50.
    power: {
      a: ["00:00 0", "00:01 -60", "00:02 -120", "00:11 -10", "00:12 -70", "00:13 -120", "01:01 -60", "01:02 0"],
    },
  },
  {
    why: "auxiliaries come on top of the set-point and stop in an outage (91)",
    sites: [one({ auxiliaryKw: 10 })],
    awards: ["00:00-00:30 -200"],
    events: ["outage 0 01:00-01:30"],
    power: { a: ["00:00 -190", "00:30 10", "01:00 null", "01:30 10"] },
    rows: { A1: { uncoveredKw: 0, shortfall: 5, causes: { load_deviation: 5 } } },
    becomes: { a: { importKwh: 10, exportKwh: 95, throughputKwh: 100 } },
  },
  {
    why: "self-discharge is a rate of what is stored, also in an outage (91)",
    sites: [one({ selfDischargePctPerDay: 100 })],
    events: ["outage 0 00:00-01:00"],
    // 500 · e^(−2/24) kWh.
    becomes: { a: { socFinalPct: Math.round(50 * Math.exp(-2 / 24) * 1000) / 1000, exportKwh: 0 } },
  },
  {
    why: "a battery follows its plan at each instant without an instruction (74, 84)",
    sites: [one({}, { baseline: { method: "series", plan: evenSeries("plan", 30, [100, -50, 0, 20, 0]) } })],
    power: { a: ["00:00 100", "00:30 -50", "01:00 0", "01:30 20"] },
    becomes: { a: { importKwh: 60, exportKwh: 25 } },
  },
  {
    why: "an instruction holds the baseline of its first slot; delivered is against it (27, 81)",
    sites: [one({}, { baseline: { method: "series", plan: evenSeries("plan", 30, [100, -50, 0, 20, 0]) } })],
    awards: ["00:15-01:15 -40"],
    power: { a: ["00:00 100", "00:15 60", "01:15 0", "01:30 20"] },
    rows: { A1: { delivered: -40, shortfall: 0 } },
  },
  {
    why: "a baseline is sent with one decimal (10)",
    sites: [one({}, { baseline: { method: "constant", kw: 10.26 } })],
    awards: ["00:00-01:00 -20"],
    power: { a: ["00:00 -9.7", "01:00 10.26"] },
  },
  {
    why: "a taper binds later than the dispatch: power_limit",
    sites: [
      one({
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
    power: { a: ["00:00 -100", "00:16 -50", "00:30 0"] },
    rows: { A1: { shortfall: 12.5, causes: { power_limit: 12.5 } } },
  },
  {
    why: "a limit put on a running battery shows as output_control, without re-allocation",
    sites: batteriesOf(500, 500),
    awards: ["00:00-01:00 -400"],
    events: ["output_control 0 00:30-01:00 20 manual"],
    told: { A1: ["00:00 a -200, b -200"] },
    power: { a: ["00:00 -200", "00:30 -100", "01:00 0"] },
    rows: { A1: { shortfall: 50, causes: { output_control: 50 } } },
  },
];

const sun = (kw: readonly number[], given: Parameters<typeof pv>[1] = {}, baselineKw = 0) =>
  site("a", pv(evenSeries("sun", 15, kw), given), { baseline: { method: "constant", kw: baselineKw } });

const ARRAYS: readonly Story[] = [
  {
    why: "with no instruction an array sends all it can, cut at its rating, which is no curtailment",
    sites: [sun([300, 1200, 300, 300, 300, 300, 300, 300, 300])],
    power: { a: ["00:00 -300", "00:15 -1000", "00:30 -300"] },
    becomes: { a: { exportKwh: 775, curtailedKwh: 0 } },
  },
  {
    why: "instructed, it holds baseline plus delta; what that removes is curtailed by hand (78, 80, 81)",
    sites: [sun([300, 200, 300, 300, 300, 300, 300, 300, 300], {}, -100)],
    awards: ["00:00-01:00 -150"],
    told: { A1: ["00:00 a -150"] },
    power: { a: ["00:00 -250", "00:15 -200", "00:30 -250", "01:00 -300"] },
    rows: { A1: { delivered: -137.5, shortfall: 12.5, causes: { weather: 12.5 } } },
    becomes: { a: { curtailedKwh: 37.5, manualCurtailedKwh: 37.5, fitCurtailedKwh: 0 } },
  },
  {
    why: "output control takes first and by its reason, the set-point takes the rest by hand",
    sites: [sun([900, 900, 900, 900, 900, 900, 900, 900, 900], {}, -100)],
    awards: ["00:00-01:00 -200"],
    events: ["output_control 0 00:30-01:30 50 fit_curtailment"],
    // 900 possible: 300 held until 01:00. From 00:30 on the control takes 400, the set-point 200 more; then 500 flow.
    power: { a: ["00:00 -300", "01:00 -500", "01:30 -900"] },
    becomes: { a: { curtailedKwh: 800, fitCurtailedKwh: 400, manualCurtailedKwh: 400 } },
  },
  {
    why: "of two output controls the lower one binds and gets the energy",
    sites: [sun([900, 900, 900, 900, 900, 900, 900, 900, 900])],
    events: ["output_control 0 00:00-01:00 50 other", "output_control 0 00:30-01:00 40 fit_curtailment"],
    power: { a: ["00:00 -500", "00:30 -400", "01:00 -900"] },
    becomes: { a: { curtailedKwh: 450, fitCurtailedKwh: 250, manualCurtailedKwh: 0 } },
  },
  {
    why: "an outage is not curtailment (accounting §3)",
    sites: [sun([300, 300, 300, 300, 300, 300, 300, 300, 300])],
    events: ["outage 0 00:30-01:00"],
    becomes: { a: { exportKwh: 450, curtailedKwh: 0 } },
  },
  {
    why: "the grid limit cuts output without curtailment",
    sites: [
      {
        ...sun([300, 300, 300, 300, 300, 300, 300, 300, 300]),
        constraints: { voltageClass: null, measurementPoint: null, siteImportMaxKw: 1000, siteExportMaxKw: 120 },
      },
    ],
    becomes: { a: { exportKwh: 240, curtailedKwh: 0 } },
  },
  {
    why: "a linear sun under a set-point is cut at the solved instant",
    sites: [site("a", pv(evenSeries("sun", 60, [0, 400, 0, 0], "linear")))],
    awards: ["00:30-01:30 -200"],
    // At 00:30 the sun gives 200; above it 1 h of a triangle 200 kW high is cut.
    rows: { A1: { uncoveredKw: 0, shortfall: 0, delivered: -200 } },
    becomes: { a: { exportKwh: 300, manualCurtailedKwh: 100 } },
  },
];

describe("batteries", () => {
  test.each(BATTERIES)("$why", checkStory);
});

describe("arrays", () => {
  test.each(ARRAYS)("$why", checkStory);
});

describe("delta 0", () => {
  test("holds a battery at its baseline and an array at its own, and prints no -0 (8)", () => {
    checkStory({
      why: "",
      sites: [
        site("a", plain(), { baseline: { method: "series", plan: evenSeries("plan", 30, [30, 60, 60, 60, 60]) } }),
        site("b", pv(flat(200)), { baseline: { method: "constant", kw: -150 } }),
        site("c", consumer(flat(100)), { baseline: { method: "perfect" } }),
      ],
      awards: ["00:00-01:00 0"],
      power: { a: ["00:00 30", "01:00 60"], b: ["00:00 -150", "01:00 -200"], c: ["00:00 100"] },
      rows: { A1: { requested: 0, delivered: 0, shortfall: 0, uncoveredKw: 0, excess: 0 } },
    });
  });
});
