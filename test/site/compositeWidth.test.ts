// Widths of frequency response at sites of several components, worked out by hand. P is 200 kW with both batteries, so
// that 0.19 Hz beyond the dead band ask for 0.19 / 50 / 0.05 * 200 = 15.2 kW.
import { describe, test } from "vitest";
import type { SiteSpec } from "../../src/site/siteSpec.ts";
import { checkStory, type Story } from "../simulation/stories.ts";
import { consumer, flat, plain, pumped, pv, site, thermal } from "../simulation/tinyWorld.ts";

const HOUR = "00:00-01:00";
const LOW = { frequencyHz: 49.8 } as const;
const HIGH = { frequencyHz: 50.2 } as const;

const store = (componentId: string, given: Parameters<typeof plain>[0] = {}) =>
  plain({ componentId, importMaxKw: 100, exportMaxKw: 100, fcrCapable: true, ...given });
const load = () => consumer(flat(300), { componentId: "load", drCapable: false });

/** Site "m", which may send, with this plan. */
const held = (
  planKw: number,
  components: SiteSpec["components"],
  constraints: Partial<SiteSpec["constraints"]> = {},
) => {
  const made = site("m", components[0], { baseline: { method: "constant", kw: planKw } });
  return [
    {
      ...made,
      components,
      capability: { ...made.capability, fcrCapable: true, reverseFlowAllowed: true },
      constraints: { ...made.constraints, ...constraints },
    },
  ];
};
const twoStores = () => held(300, [store("one"), store("two", { ratedCapKwh: 100 }), load()]);

const STORIES: readonly Story[] = [
  {
    why: "holders share by what each can do to both sides, on top of the load",
    sites: twoStores(),
    world: LOW,
    awards: [`${HOUR} ~180 fcr`],
    told: { A1: ["00:00 m ~180"] },
    power: { m: ["00:00 284.8", "01:00 300"] },
    rows: { A1: { uncoveredKw: 0, fcr: { activatedDownKwh: 15.2, activatedUpKwh: 0 } } },
  },
  {
    // Half of the width is the small one's, which has 50 kWh to either side: 100 kW for an hour.
    why: "the test of energy holds for each holder's share (decisions.md 123)",
    sites: twoStores(),
    options: { fcrEnergyTestMinutes: 60 },
    awards: [`${HOUR} ~180 fcr`],
    told: { A1: ["00:00 m ~100"] },
    rows: { A1: { uncoveredKw: 80, uncoveredCauses: { energy_limit: 80 }, fcr: { uncoveredKw: 80 } } },
  },
  {
    // 10 minutes and 39 minutes of 15.2 kW: back at 00:20:30, dispatched at 00:21.
    why: "an outage ends the response, and the next evaluation begins it again; a warning does nothing",
    sites: twoStores(),
    world: LOW,
    awards: [`${HOUR} ~180 fcr`],
    events: ["warning 0 00:05-00:06", "outage 0 00:10-00:20:30"],
    told: { A1: ["00:00 m ~180", "00:10 m skipped_out_of_service", "00:21 m ~180"] },
    rows: { A1: { fcr: { activatedDownKwh: 12.413 } } },
  },
  {
    why: "a dead link keeps the response away from a site that is back",
    sites: twoStores(),
    world: LOW,
    awards: [`${HOUR} ~180 fcr`],
    events: ["outage 0 00:10-00:20", "link_down 0 00:15-00:30"],
    told: { A1: ["00:00 m ~180", "00:10 m skipped_out_of_service", "00:20 m failed delivery_failed"] },
    rows: { A1: { fcr: { activatedDownKwh: 2.533 } } },
  },
  {
    why: "a link that dies during the response changes nothing",
    sites: twoStores(),
    world: LOW,
    awards: [`${HOUR} ~180 fcr`],
    events: ["link_down 0 00:15-00:30"],
    rows: { A1: { fcr: { activatedDownKwh: 15.2 } } },
  },
  {
    // P is 100 + 300 kW to the side of sending; the plant cannot leave rest by a little, the battery alone holds.
    why: "a plant at rest that has a least output, or no pump, holds nothing (decisions.md 3)",
    sites: held(300, [
      store("one"),
      thermal({ componentId: "gas", ratedOutputKw: 300, minOutputKw: 50, fcrCapable: true }),
      load(),
    ]),
    world: LOW,
    awards: [`${HOUR} ~180 fcr`],
    told: { A1: ["00:00 m ~100"] },
    power: { m: ["00:00 269.6", "01:00 300"] },
    rows: { A1: { uncoveredKw: 80, uncoveredCauses: { power_limit: 80 } } },
  },
  {
    // 100 of the battery and min(60, 40) of the machine; 0.19 / 50 / 0.05 * (100 + 60) = 12.16.
    why: "pumped storage holds what it can pump and give",
    sites: held(300, [
      store("one"),
      pumped({ pumpMaxKw: 60 }, { componentId: "lake", ratedOutputKw: 40, fcrCapable: true }),
      load(),
    ]),
    world: HIGH,
    awards: [`${HOUR} ~180 fcr`],
    told: { A1: ["00:00 m ~140"] },
    power: { m: ["00:00 312.16", "01:00 300"] },
    rows: { A1: { fcr: { activatedUpKwh: 12.16 } } },
  },
  {
    why: "the sun beside a holder leaves it what the connection point has left",
    sites: held(-100, [store("one"), pv(flat(100), { componentId: "sun" })], { siteExportMaxKw: 120 }),
    world: LOW,
    awards: [`${HOUR} ~100 fcr`],
    told: { A1: ["00:00 m ~20"] },
    power: { m: ["00:00 -107.6", "01:00 -100"] },
    rows: { A1: { uncoveredKw: 80, uncoveredCauses: { power_limit: 80 } } },
  },
  {
    why: "a compound never leaves its delta: below, there is no room to respond (decisions.md 122)",
    sites: held(300, [store("one"), load()]),
    world: LOW,
    awards: [`${HOUR} -80~50 compound`],
    power: { m: ["00:00 220", "01:00 300"] },
    rows: { A1: { delivered: -80, shortfall: 0, fcr: { activatedDownKwh: 0 } } },
  },
  {
    why: "and above it there is; what it delivers is counted without the response (decisions.md 121)",
    sites: held(300, [store("one"), load()]),
    world: HIGH,
    awards: [`${HOUR} -80~50 compound`],
    power: { m: ["00:00 227.6", "01:00 300"] },
    rows: { A1: { delivered: -80, shortfall: 0, excess: 0, fcr: { activatedUpKwh: 7.6 } } },
  },
  {
    // 100 kW of the battery, 60 of them held to both sides.
    why: "a width holds both directions against the next award",
    sites: held(300, [store("one"), load()]),
    world: LOW,
    awards: [`${HOUR} ~60 fcr`, `${HOUR} -80 frr`],
    told: { A1: ["00:00 m ~60"], A2: ["00:00 m -40"] },
    power: { m: ["00:00 252.4", "01:00 300"] },
    rows: { A2: { uncoveredKw: -40, uncoveredCauses: { other_award: 40 }, delivered: -40, shortfall: 40 } },
  },
];

describe("a width at a site of several components", () => test.each(STORIES)("$why", checkStory));
