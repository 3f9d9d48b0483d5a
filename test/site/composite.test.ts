import { describe, test } from "vitest";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import { consumer, evenSeries, flat, losslessBattery, pumped, pv, site, thermal } from "../simulation/smallWorld.ts";
import { checkWorldCase, type WorldCase } from "../simulation/worldCases.ts";

const MINUTE = 60_000;
const CAN_EXPORT = { reverseFlowAllowed: true };

/** Site "m" of these components that may send, with the natural power of 00:00 as its plan. */
const compositeSite = (
  components: readonly SiteSpec["components"][number][],
  planKw: number,
  more: Partial<SiteSpec> = {},
) => {
  const made = site("m", components[0], { baseline: { method: "constant", kw: planKw }, ...more });
  return {
    ...made,
    components,
    capability: { ...made.capability, drCapable: true, ...CAN_EXPORT, ...more.capability },
  };
};
const capability = (given: Partial<SiteSpec["capability"]>) => ({
  ...site("x", losslessBattery()).capability,
  ...given,
});

const load = (kw = 300) => consumer(flat(kw), { componentId: "load" });
const pvPlant = (kw = 100) => pv(flat(kw));

const OPEN_CONTROL: readonly WorldCase[] = [
  {
    title: "without an instruction batteries idle, the load draws and PV exports",
    sites: [compositeSite([losslessBattery(), pvPlant(), load()], 200)],
    powerKw: { m: ["00:00 200"] },
    expectedSites: { m: { importKwh: 400, exportKwh: 0, throughputKwh: 0 } },
  },
  {
    title: "the battery adds the delta to the power of load and PV",
    sites: [compositeSite([losslessBattery(), pv(evenSeries("sun", 30, [100, 160, 100, 100, 100])), load()], 200)],
    awards: ["00:00-01:00 -150"],
    dispatches: { A1: ["00:00 m -150"] },
    // The sun's 60 kW more in the second half hour come on top.
    powerKw: { m: ["00:00 50", "00:30 -10", "01:00 200"] },
    expectedAwards: { A1: { deliveredKwh: -180, shortfallKwh: 0, excessKwh: 30 } },
    expectedSites: { m: { exportKwh: 5, throughputKwh: 150 } },
  },
  {
    title: "a load above the plan is load_deviation; the battery does not react",
    sites: [compositeSite([losslessBattery(), load(340)], 300)],
    awards: ["00:00-01:00 -100"],
    expectedAwards: { A1: { deliveredKwh: -60, shortfallKwh: 40, shortfallByCauseKwh: { load_deviation: 40 } } },
  },
  {
    title: "batteries by available power, then a plant, then the load",
    sites: [
      compositeSite(
        [
          load(900),
          thermal({ componentId: "gas", ratedOutputKw: 200 }),
          losslessBattery({ componentId: "a", exportMaxKw: 100 }),
          losslessBattery({ componentId: "b", exportMaxKw: 300 }),
        ],
        900,
      ),
    ],
    // 200 kW as 50 and 150; 400 kW + 200 kW of gas; and 100 of the load.
    awards: ["00:00-00:30 -200", "00:30-01:00 -600", "01:00-01:30 -700"],
    powerKw: { m: ["00:00 700", "00:30 300", "01:00 200", "01:30 900"] },
    expectedAwards: { A3: { uncoveredKw: 0, shortfallKwh: 0 } },
    expectedSites: { m: { throughputKwh: 500, drDeliveredKwh: 350 } },
  },
  {
    title: "power beyond all components is uncovered: a battery, a plant and a load together",
    sites: [
      compositeSite(
        [losslessBattery({ exportMaxKw: 100 }), thermal({ componentId: "gas", ratedOutputKw: 50 }), load()],
        300,
      ),
    ],
    awards: ["00:00-01:00 -700"],
    dispatches: { A1: ["00:00 m -550"] },
    expectedAwards: {
      A1: { uncoveredKw: -150, shortfallKwh: 250, shortfallByCauseKwh: { power_limit: 150, load_deviation: 100 } },
    },
  },
  {
    title: "up goes to batteries and pumps, never to PV or load, within the import limit",
    sites: [
      compositeSite([losslessBattery({ importMaxKw: 100 }), pumped({ pumpMaxKw: 50 }), load()], 300, {
        constraints: { ...site("x", losslessBattery()).constraints, siteImportMaxKw: 420 },
      }),
    ],
    awards: ["00:00-01:00 200"],
    dispatches: { A1: ["00:00 m 120"] },
    powerKw: { m: ["00:00 420", "01:00 300"] },
  },
  {
    title: "without any right to import a site takes no part in up commands",
    sites: [
      compositeSite([losslessBattery(), pvPlant()], -100, {
        constraints: { ...site("x", losslessBattery()).constraints, siteImportMaxKw: 0 },
      }),
    ],
    awards: ["00:00-01:00 50"],
    dispatches: { A1: ["00:00 m skipped_incompatible"] },
  },
  {
    title: "PV with a load that cannot be reduced does not participate",
    sites: [compositeSite([pvPlant(), consumer(flat(300), { componentId: "load", drCapable: false })], 200)],
    awards: ["00:00-01:00 -50"],
    dispatches: { A1: ["00:00 m skipped_incompatible"] },
  },
  {
    title: "without reverse flow the delta stops at 0",
    sites: [
      compositeSite([losslessBattery(), load(80)], 80, { capability: capability({ reverseFlowAllowed: false }) }),
    ],
    awards: ["00:00-01:00 -100"],
    dispatches: { A1: ["00:00 m -80"] },
    powerKw: { m: ["00:00 0", "01:00 80"] },
    expectedAwards: { A1: { uncoveredKw: -20, shortfallByCauseKwh: { power_limit: 20 } } },
  },
  {
    title: "exchange products are not for a site with a load that may not send",
    sites: [compositeSite([losslessBattery(), load()], 300, { capability: capability({ reverseFlowAllowed: false }) })],
    awards: ["00:00-01:00 -100 exchange-da"],
    dispatches: { A1: ["00:00 m skipped_incompatible sku_not_marketable"] },
  },
  {
    title: "a battery that runs empty is energy_limit; the load does not take over",
    sites: [compositeSite([losslessBattery({ initialSocPct: 5 }), load()], 300)],
    awards: ["00:00-01:00 -100"],
    powerKw: { m: ["00:00 200", "00:30 300"] },
    expectedAwards: { A1: { shortfallKwh: 50, shortfallByCauseKwh: { energy_limit: 50 } } },
    expectedEvents: ["soc_bound m: bat: empty"],
  },
  {
    title: "an outage takes all components off",
    sites: [compositeSite([losslessBattery({ auxiliaryKw: 5 }), pvPlant(), load()], 205)],
    events: ["outage 0 00:30-01:00"],
    powerKw: { m: ["00:00 205", "00:30 null", "01:00 205"] },
    expectedSites: { m: { importKwh: 307.5, availabilityPct: 75 } },
  },
  {
    title: "shares take effect after each component's own delay; a load is released without delay",
    sites: [
      compositeSite(
        [
          losslessBattery({ exportMaxKw: 100, responseDelayMs: 2 * MINUTE }),
          consumer(flat(300), { componentId: "load", responseDelayMs: 5 * MINUTE }),
        ],
        300,
      ),
    ],
    awards: ["00:00-00:30 -150"],
    powerKw: { m: ["00:00 300", "00:02 200", "00:05 150", "00:30 200", "00:32 300"] },
    expectedAwards: { A1: { shortfallKwh: 7.5, shortfallByCauseKwh: { ramp: 7.5 } } },
  },
  {
    title: "a load too small, too short or still resting is passed over, not refused",
    sites: [
      compositeSite(
        [
          losslessBattery({ exportMaxKw: 100 }),
          consumer(flat(300), { componentId: "load", minDrReductionKw: 80, minDrCooldownMs: 60 * MINUTE }),
        ],
        300,
      ),
    ],
    // 50 kW of load are below its least; 100 are taken; then it rests and is not counted.
    awards: ["00:00-00:15 -150", "00:15-00:30 -200", "00:45-01:00 -200"],
    dispatches: { A1: ["00:00 m -150"], A2: ["00:15 m -200"], A3: ["00:45 m -100"] },
    powerKw: { m: ["00:00 200", "00:15 100", "00:30 300", "00:45 200", "01:00 300"] },
  },
  {
    title: "auxiliaries have their part of the connection limit first: 520 kW at the meter both ways",
    sites: [
      compositeSite(
        [losslessBattery({ auxiliaryKw: 3, importMaxKw: 600, exportMaxKw: 600, ratedCapKwh: 4000 }), pvPlant(0)],
        3,
        { constraints: { ...site("x", losslessBattery()).constraints, siteImportMaxKw: 520, siteExportMaxKw: 520 } },
      ),
    ],
    awards: ["00:00-00:30 600 rr", "00:30-01:00 -600 rr"],
    instructions: ["01:10 517 10min", "01:20 517.1 10min", "01:30 -523 10min", "01:40 -523.1 10min"],
    // From the meter's 3 kW of the baseline on.
    dispatches: { A1: ["00:00 m 517"], A2: ["00:30 m -523"] },
    powerKw: { m: ["00:00 520", "00:30 -520", "01:00 3", "01:10 520", "01:20 3", "01:30 -520", "01:40 3"] },
    expectedAwards: {
      A1: { uncoveredKw: 83, shortfallKwh: 41.5 },
      A2: { uncoveredKw: -77, shortfallKwh: 38.5 },
      I2: { state: "refused", errorType: "invalid_parameter" },
      I4: { state: "refused", errorType: "invalid_parameter" },
    },
  },
  {
    title: "batteries idle at the run's start, so an award there is reached by a ramp from 0",
    sites: [compositeSite([losslessBattery({ rampKwPerS: 1 }), load()], 240)],
    awards: ["00:00-01:00 -120"],
    powerKw: { m: ["00:00 300", "00:01 240", "00:02 180", "01:01 240", "01:02 300"] },
  },
];

const EXPORT_LIMIT: readonly WorldCase[] = [
  {
    title: "without the right to export, PV supplies the load alone, and that is no curtailment",
    sites: [compositeSite([pvPlant(250), load(100)], 0, { capability: capability({ reverseFlowAllowed: false }) })],
    powerKw: { m: ["00:00 0"] },
    expectedSites: { m: { importKwh: 0, exportKwh: 0, curtailedKwh: 0 } },
  },
  {
    title: "a battery is reduced before PV at the export limit",
    sites: [
      compositeSite([losslessBattery(), pv(evenSeries("sun", 30, [50, 130, 180, 50, 50])), load(20)], -30, {
        constraints: { ...site("x", losslessBattery()).constraints, siteExportMaxKw: 150 },
      }),
    ],
    awards: ["00:00-02:00 -100"],
    // 30 + 100, 110 + 40, 160 cut to 150 and nothing from the battery, 30 + 100.
    powerKw: { m: ["00:00 -130", "00:30 -150", "01:30 -130"] },
    expectedSites: { m: { throughputKwh: 120, exportKwh: 280, curtailedKwh: 0 } },
  },
  {
    title: "of PV and wind, the one listed last is curtailed first",
    sites: [
      compositeSite([pv(flat(80)), pv(flat(90), { componentId: "wind" }), load(20)], -100, {
        constraints: { ...site("x", losslessBattery()).constraints, siteExportMaxKw: 100 },
      }),
    ],
    powerKw: { m: ["00:00 -100"] },
  },
  {
    title: "a battery charges less where the load fills the connection point",
    sites: [
      compositeSite(
        [losslessBattery(), consumer(evenSeries("load", 30, [100, 180, 250, 100, 100]), { componentId: "load" })],
        100,
        {
          constraints: { ...site("x", losslessBattery()).constraints, siteImportMaxKw: 200 },
        },
      ),
    ],
    awards: ["00:00-02:00 100"],
    // A load is never cut: 250 kW flow over 200.
    powerKw: { m: ["00:00 200", "01:00 250", "01:30 200"] },
    expectedSites: { m: { throughputKwh: 110 } },
  },
  {
    title: "output control cuts PV and battery; curtailed energy is recorded by reason",
    sites: [compositeSite([losslessBattery({ exportMaxKw: 100 }), pv(flat(600)), load(100)], -500)],
    awards: ["00:00-01:00 -100"],
    events: ["output_control 0 00:30-01:30 50 fit_curtailment"],
    // 600 − 500 of the sun's 1000 kW rating, and 50 of the battery's 100.
    powerKw: { m: ["00:00 -600", "00:30 -450", "01:00 -400", "01:30 -500"] },
    expectedAwards: { A1: { shortfallByCauseKwh: { output_control: 75 } } },
    expectedSites: { m: { curtailedKwh: 100, fitCurtailedKwh: 100 } },
  },
];

const TRACKING: readonly WorldCase[] = [
  {
    title: "a tracking battery holds the plan at the meter without an instruction",
    sites: [
      compositeSite([losslessBattery(), pv(evenSeries("sun", 30, [100, 300, 100, 100, 100])), load(200)], 50, {
        control: "track",
      }),
    ],
    powerKw: { m: ["00:00 50"] },
    // 50 discharged, 150 charged, 50 and 50 discharged.
    expectedSites: { m: { importKwh: 100, throughputKwh: 150, socFinalPct: 50 } },
  },
  {
    title: "and baseline + delta under an instruction, at any load and generation",
    sites: [
      compositeSite([losslessBattery(), pv(evenSeries("sun", 30, [100, 160, 100, 100, 100])), load()], 200, {
        control: "track",
      }),
    ],
    awards: ["00:00-01:00 -150"],
    powerKw: { m: ["00:00 50", "01:00 200"] },
    expectedAwards: { A1: { deliveredKwh: -150, shortfallKwh: 0, excessKwh: 0 } },
  },
  {
    title: "along a linear series the battery moves with the sun",
    sites: [
      compositeSite([losslessBattery(), pv(evenSeries("sun", 60, [0, 120, 0, 0, 0], "linear")), load(200)], 100, {
        control: "track",
      }),
    ],
    powerKw: { m: ["00:00 100"] },
    // 100 − sun: 100 kWh over two hours less 120 of the sun, of which it charges (20 kW)²·2/(2·120 kW/h) twice.
    expectedSites: { m: { importKwh: 200, socFinalPct: 42, throughputKwh: 86.667 } },
  },
  {
    title: "two batteries share by capability; when one is empty the other provides all",
    sites: [
      compositeSite(
        [
          losslessBattery({ componentId: "a", ratedCapKwh: 50, exportMaxKw: 100 }),
          losslessBattery({ componentId: "b", exportMaxKw: 300 }),
          load(200),
        ],
        0,
        { control: "track" },
      ),
    ],
    // a gives 50 of 200 kW and has 25 kWh: half an hour. Then b gives 200.
    powerKw: { m: ["00:00 0"] },
    expectedSites: { m: { importKwh: 0, minutesAtSocMin: 90, throughputKwh: 400 } },
  },
  {
    title: "power beyond the batteries of a tracking site goes to the load",
    sites: [compositeSite([losslessBattery({ exportMaxKw: 100 }), load()], 300, { control: "track" })],
    awards: ["00:00-01:00 -250"],
    dispatches: { A1: ["00:00 m -250"] },
    powerKw: { m: ["00:00 50", "01:00 300"] },
    expectedAwards: { A1: { shortfallKwh: 0 } },
  },
  {
    title: "a battery on a ramp follows the meter as fast as it can",
    sites: [
      compositeSite(
        [
          losslessBattery({ rampKwPerS: 1 }),
          consumer(evenSeries("load", 30, [0, 120, 0, 0, 0]), { componentId: "load" }),
        ],
        0,
        {
          control: "track",
        },
      ),
    ],
    // 120 s late up and down: 2 kWh each.
    expectedSites: { m: { importKwh: 2, exportKwh: 2 } },
  },
  {
    title: "a run starts with the meter at its plan, divided by the capability of each battery, without a ramp",
    sites: [
      compositeSite(
        [
          losslessBattery({ rampKwPerS: 0.1, componentId: "large", exportMaxKw: 400 }),
          losslessBattery({ rampKwPerS: 0.1, componentId: "small", exportMaxKw: 200 }),
          load(300),
        ],
        60,
        { control: "track" },
      ),
    ],
    powerKw: { m: ["00:00 60"] },
    expectedSites: { m: { importKwh: 120, exportKwh: 0, throughputKwh: 480 } },
  },
  {
    title: "an award at the run's start ramps from the plan at the meter",
    sites: [compositeSite([losslessBattery({ rampKwPerS: 1 }), load(300)], 240, { control: "track" })],
    awards: ["00:00-01:00 -120"],
    powerKw: { m: ["00:00 240", "00:01 180", "00:02 120", "01:01 180", "01:02 240"] },
  },
];

describe("a site of several components", () => {
  for (const story of OPEN_CONTROL) test(story.title, () => checkWorldCase(story));
});

describe("a connection point that is too narrow", () => {
  for (const story of EXPORT_LIMIT) test(story.title, () => checkWorldCase(story));
});

describe("control: track", () => {
  for (const story of TRACKING) test(story.title, () => checkWorldCase(story));
});
