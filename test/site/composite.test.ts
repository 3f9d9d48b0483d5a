import { describe, test } from "vitest";
import type { SiteSpec } from "../../src/site/siteSpec.ts";
import { checkStory, type Story } from "../simulation/stories.ts";
import { consumer, evenSeries, flat, plain, pumped, pv, site, thermal } from "../simulation/tinyWorld.ts";

const MINUTE = 60_000;
const SENDS = { reverseFlowAllowed: true };

/** Site "m" of these components that may send, with the natural power of 00:00 as its plan. */
const mixed = (components: readonly SiteSpec["components"][number][], planKw: number, more: Partial<SiteSpec> = {}) => {
  const made = site("m", components[0], { baseline: { method: "constant", kw: planKw }, ...more });
  return {
    ...made,
    components,
    capability: { ...made.capability, drCapable: true, ...SENDS, ...more.capability },
  };
};
const capability = (given: Partial<SiteSpec["capability"]>) => ({ ...site("x", plain()).capability, ...given });

const load = (kw = 300) => consumer(flat(kw), { componentId: "load" });
const sun = (kw = 100) => pv(flat(kw));

const OPEN: readonly Story[] = [
  {
    why: "without an instruction batteries idle, the load draws and the sun sends",
    sites: [mixed([plain(), sun(), load()], 200)],
    power: { m: ["00:00 200"] },
    becomes: { m: { importKwh: 400, exportKwh: 0, throughputKwh: 0 } },
  },
  {
    why: "the battery adds the delta to whatever load and sun do (115)",
    sites: [mixed([plain(), pv(evenSeries("sun", 30, [100, 160, 100, 100, 100])), load()], 200)],
    awards: ["00:00-01:00 -150"],
    told: { A1: ["00:00 m -150"] },
    // The sun's 60 kW more in the second half hour come on top.
    power: { m: ["00:00 50", "00:30 -10", "01:00 200"] },
    rows: { A1: { delivered: -180, shortfall: 0, excess: 30 } },
    becomes: { m: { exportKwh: 5, throughputKwh: 150 } },
  },
  {
    why: "a load above the plan is load_deviation, of which the battery knows nothing",
    sites: [mixed([plain(), load(340)], 300)],
    awards: ["00:00-01:00 -100"],
    rows: { A1: { delivered: -60, shortfall: 40, causes: { load_deviation: 40 } } },
  },
  {
    why: "batteries by available power, then a plant, then the load (7)",
    sites: [
      mixed(
        [
          load(900),
          thermal({ componentId: "gas", ratedOutputKw: 200 }),
          plain({ componentId: "a", exportMaxKw: 100 }),
          plain({ componentId: "b", exportMaxKw: 300 }),
        ],
        900,
      ),
    ],
    // 200 kW as 50 and 150; 400 kW + 200 kW of gas; and 100 of the load.
    awards: ["00:00-00:30 -200", "00:30-01:00 -600", "01:00-01:30 -700"],
    power: { m: ["00:00 700", "00:30 300", "01:00 200", "01:30 900"] },
    rows: { A3: { uncoveredKw: 0, shortfall: 0 } },
    becomes: { m: { throughputKwh: 500, drDeliveredKwh: 350 } },
  },
  {
    why: "what no component can take is uncovered: a battery, a plant and a load together",
    sites: [mixed([plain({ exportMaxKw: 100 }), thermal({ componentId: "gas", ratedOutputKw: 50 }), load()], 300)],
    awards: ["00:00-01:00 -700"],
    told: { A1: ["00:00 m -550"] },
    rows: { A1: { uncoveredKw: -150, shortfall: 250, causes: { power_limit: 150, load_deviation: 100 } } },
  },
  {
    why: "up goes to batteries and pumps, never to sun or load, within the import limit (7)",
    sites: [
      mixed([plain({ importMaxKw: 100 }), pumped({ pumpMaxKw: 50 }), load()], 300, {
        constraints: { ...site("x", plain()).constraints, siteImportMaxKw: 420 },
      }),
    ],
    awards: ["00:00-01:00 200"],
    told: { A1: ["00:00 m 120"] },
    power: { m: ["00:00 420", "01:00 300"] },
  },
  {
    why: "without any right to import a site takes no part in up commands (7)",
    sites: [
      mixed([plain(), sun()], -100, {
        constraints: { ...site("x", plain()).constraints, siteImportMaxKw: 0 },
      }),
    ],
    awards: ["00:00-01:00 50"],
    told: { A1: ["00:00 m skipped_incompatible"] },
  },
  {
    why: "sun alone with a load that cannot be reduced takes no part",
    sites: [mixed([sun(), consumer(flat(300), { componentId: "load", drCapable: false })], 200)],
    awards: ["00:00-01:00 -50"],
    told: { A1: ["00:00 m skipped_incompatible"] },
  },
  {
    why: "without reverse flow the delta stops at 0 (7)",
    sites: [mixed([plain(), load(80)], 80, { capability: capability({ reverseFlowAllowed: false }) })],
    awards: ["00:00-01:00 -100"],
    told: { A1: ["00:00 m -80"] },
    power: { m: ["00:00 0", "01:00 80"] },
    rows: { A1: { uncoveredKw: -20, causes: { power_limit: 20 } } },
  },
  {
    why: "exchange products are not for a site with a load that may not send (24)",
    sites: [mixed([plain(), load()], 300, { capability: capability({ reverseFlowAllowed: false }) })],
    awards: ["00:00-01:00 -100 exchange-da"],
    told: { A1: ["00:00 m skipped_incompatible sku_not_marketable"] },
  },
  {
    why: "a battery that runs empty is energy_limit; the load does not take over (9)",
    sites: [mixed([plain({ initialSocPct: 5 }), load()], 300)],
    awards: ["00:00-01:00 -100"],
    power: { m: ["00:00 200", "00:30 300"] },
    rows: { A1: { shortfall: 50, causes: { energy_limit: 50 } } },
    happens: ["soc_bound m: bat: empty"],
  },
  {
    why: "an outage takes all components off",
    sites: [mixed([plain({ auxiliaryKw: 5 }), sun(), load()], 205)],
    events: ["outage 0 00:30-01:00"],
    power: { m: ["00:00 205", "00:30 null", "01:00 205"] },
    becomes: { m: { importKwh: 307.5, availabilityPct: 75 } },
  },
  {
    why: "components hear of their share after their own delays; a load lets go at once (110)",
    sites: [
      mixed(
        [
          plain({ exportMaxKw: 100, responseDelayMs: 2 * MINUTE }),
          consumer(flat(300), { componentId: "load", responseDelayMs: 5 * MINUTE }),
        ],
        300,
      ),
    ],
    awards: ["00:00-00:30 -150"],
    power: { m: ["00:00 300", "00:02 200", "00:05 150", "00:30 200", "00:32 300"] },
    rows: { A1: { shortfall: 7.5, causes: { ramp: 7.5 } } },
  },
  {
    why: "a load too small, too short or still resting is passed over, not refused",
    sites: [
      mixed(
        [
          plain({ exportMaxKw: 100 }),
          consumer(flat(300), { componentId: "load", minDrReductionKw: 80, minDrCooldownMs: 60 * MINUTE }),
        ],
        300,
      ),
    ],
    // 50 kW of load are below its least; 100 are taken; then it rests and is not counted.
    awards: ["00:00-00:15 -150", "00:15-00:30 -200", "00:45-01:00 -200"],
    told: { A1: ["00:00 m -150"], A2: ["00:15 m -200"], A3: ["00:45 m -100"] },
    power: { m: ["00:00 200", "00:15 100", "00:30 300", "00:45 200", "01:00 300"] },
  },
];

const YIELD: readonly Story[] = [
  {
    why: "where nothing may be sent the sun sends what the load takes, and that is no curtailment",
    sites: [mixed([sun(250), load(100)], 0, { capability: capability({ reverseFlowAllowed: false }) })],
    power: { m: ["00:00 0"] },
    becomes: { m: { importKwh: 0, exportKwh: 0, curtailedKwh: 0 } },
  },
  {
    why: "a battery yields to the sun at the export limit",
    sites: [
      mixed([plain(), pv(evenSeries("sun", 30, [50, 130, 180, 50, 50])), load(20)], -30, {
        constraints: { ...site("x", plain()).constraints, siteExportMaxKw: 150 },
      }),
    ],
    awards: ["00:00-02:00 -100"],
    // 30 + 100, 110 + 40, 160 cut to 150 and nothing from the battery, 30 + 100.
    power: { m: ["00:00 -130", "00:30 -150", "01:30 -130"] },
    becomes: { m: { throughputKwh: 120, exportKwh: 280, curtailedKwh: 0 } },
  },
  {
    why: "of the sun and the wind the one listed last yields first",
    sites: [
      mixed([pv(flat(80)), pv(flat(90), { componentId: "wind" }), load(20)], -100, {
        constraints: { ...site("x", plain()).constraints, siteExportMaxKw: 100 },
      }),
    ],
    power: { m: ["00:00 -100"] },
  },
  {
    why: "a battery charges less where the load fills the connection point",
    sites: [
      mixed([plain(), consumer(evenSeries("load", 30, [100, 180, 250, 100, 100]), { componentId: "load" })], 100, {
        constraints: { ...site("x", plain()).constraints, siteImportMaxKw: 200 },
      }),
    ],
    awards: ["00:00-02:00 100"],
    // A load is never cut: 250 kW flow over 200.
    power: { m: ["00:00 200", "01:00 250", "01:30 200"] },
    becomes: { m: { throughputKwh: 110 } },
  },
  {
    why: "output control cuts sun and battery; what it takes is kept by its reason",
    sites: [mixed([plain({ exportMaxKw: 100 }), pv(flat(600)), load(100)], -500)],
    awards: ["00:00-01:00 -100"],
    events: ["output_control 0 00:30-01:30 50 fit_curtailment"],
    // 600 − 500 of the sun's 1000 kW rating, and 50 of the battery's 100.
    power: { m: ["00:00 -600", "00:30 -450", "01:00 -400", "01:30 -500"] },
    rows: { A1: { causes: { output_control: 75 } } },
    becomes: { m: { curtailedKwh: 100, fitCurtailedKwh: 100 } },
  },
];

const TRACK: readonly Story[] = [
  {
    why: "a tracking battery holds the plan at the meter when nobody asks",
    sites: [
      mixed([plain(), pv(evenSeries("sun", 30, [100, 300, 100, 100, 100])), load(200)], 50, { control: "track" }),
    ],
    power: { m: ["00:00 50"] },
    // 50 discharged, 150 charged, 50 and 50 discharged.
    becomes: { m: { importKwh: 100, throughputKwh: 150, socFinalPct: 50 } },
  },
  {
    why: "and baseline + delta under an instruction, whatever load and sun do (115)",
    sites: [mixed([plain(), pv(evenSeries("sun", 30, [100, 160, 100, 100, 100])), load()], 200, { control: "track" })],
    awards: ["00:00-01:00 -150"],
    power: { m: ["00:00 50", "01:00 200"] },
    rows: { A1: { delivered: -150, shortfall: 0, excess: 0 } },
  },
  {
    why: "along a linear series the battery moves with the sun",
    sites: [
      mixed([plain(), pv(evenSeries("sun", 60, [0, 120, 0, 0, 0], "linear")), load(200)], 100, { control: "track" }),
    ],
    power: { m: ["00:00 100"] },
    // 100 − sun: 100 kWh over two hours less 120 of the sun, of which it charges (20 kW)²·2/(2·120 kW/h) twice.
    becomes: { m: { importKwh: 200, socFinalPct: 42, throughputKwh: 86.667 } },
  },
  {
    why: "two batteries share by what they can do; when one is empty the other does it all",
    sites: [
      mixed(
        [
          plain({ componentId: "a", ratedCapKwh: 50, exportMaxKw: 100 }),
          plain({ componentId: "b", exportMaxKw: 300 }),
          load(200),
        ],
        0,
        { control: "track" },
      ),
    ],
    // a gives 50 of 200 kW and has 25 kWh: half an hour. Then b gives 200.
    power: { m: ["00:00 0"] },
    becomes: { m: { importKwh: 0, minutesAtSocMin: 90, throughputKwh: 400 } },
  },
  {
    why: "what the batteries of a tracking site cannot do goes to the load",
    sites: [mixed([plain({ exportMaxKw: 100 }), load()], 300, { control: "track" })],
    awards: ["00:00-01:00 -250"],
    told: { A1: ["00:00 m -250"] },
    power: { m: ["00:00 50", "01:00 300"] },
    rows: { A1: { shortfall: 0 } },
  },
  {
    why: "a battery on a ramp follows the meter as fast as it can",
    sites: [
      mixed(
        [plain({ rampKwPerS: 1 }), consumer(evenSeries("load", 30, [0, 120, 0, 0, 0]), { componentId: "load" })],
        0,
        {
          control: "track",
        },
      ),
    ],
    // 120 s late up and down: 2 kWh each.
    becomes: { m: { importKwh: 2, exportKwh: 2 } },
  },
];

describe("a site of several components", () => {
  for (const story of OPEN) test(story.why, () => checkStory(story));
});

describe("a connection point that is too narrow", () => {
  for (const story of YIELD) test(story.why, () => checkStory(story));
});

describe("control: track", () => {
  for (const story of TRACK) test(story.why, () => checkStory(story));
});
