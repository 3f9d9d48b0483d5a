// Widths of frequency response at sites of several components, worked out by hand. P is 200 kW with both batteries, so
// that 0.19 Hz beyond the dead band ask for 0.19 / 50 / 0.05 * 200 = 15.2 kW.
import { describe, test } from "vitest";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import { consumer, flat, losslessBattery, pumped, pv, site, thermal } from "../simulation/smallWorld.ts";
import { checkWorldCase, type WorldCase } from "../simulation/worldCases.ts";

const HOUR = "00:00-01:00";
const LOW = { frequencyHz: 49.8 } as const;
const HIGH = { frequencyHz: 50.2 } as const;

const batteryNamed = (componentId: string, given: Parameters<typeof losslessBattery>[0] = {}) =>
  losslessBattery({ componentId, importMaxKw: 100, exportMaxKw: 100, fcrCapable: true, ...given });
const load = () => consumer(flat(300), { componentId: "load", drCapable: false });

/** Site "m", which may send, with this plan. */
const fcrCase = (
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
const twoBatteries = () => fcrCase(300, [batteryNamed("one"), batteryNamed("two", { ratedCapKwh: 100 }), load()]);

const CASES: readonly WorldCase[] = [
  {
    title: "providers share by two-sided capability, in addition to the load",
    sites: twoBatteries(),
    world: LOW,
    awards: [`${HOUR} ~180 fcr`],
    dispatches: { A1: ["00:00 m ~180"] },
    powerKw: { m: ["00:00 284.8", "01:00 300"] },
    expectedAwards: { A1: { uncoveredKw: 0, fcr: { activatedDownKwh: 15.2, activatedUpKwh: 0 } } },
  },
  {
    // Half of the width is the small one's, which has 50 kWh to either side: 100 kW for an hour.
    title: "the energy test applies to each provider's share (docs/model/frequency-response.md#energy-test)",
    sites: twoBatteries(),
    options: { fcrEnergyTestMinutes: 60 },
    awards: [`${HOUR} ~180 fcr`],
    dispatches: { A1: ["00:00 m ~100"] },
    expectedAwards: { A1: { uncoveredKw: 80, uncoveredByCauseKw: { power_limit: 80 }, fcr: { uncoveredKw: 80 } } },
  },
  {
    // 10 minutes and 39 minutes of 15.2 kW: back at 00:20:30, dispatched at 00:21.
    title: "an outage ends the response, and the next evaluation begins it again; a warning does nothing",
    sites: twoBatteries(),
    world: LOW,
    awards: [`${HOUR} ~180 fcr`],
    events: ["warning 0 00:05-00:06", "outage 0 00:10-00:20:30"],
    dispatches: { A1: ["00:00 m ~180", "00:10 m skipped_out_of_service", "00:21 m ~180"] },
    expectedAwards: { A1: { fcr: { activatedDownKwh: 12.413 } } },
  },
  {
    title: "a dead link keeps the response away from a site that is back",
    sites: twoBatteries(),
    world: LOW,
    awards: [`${HOUR} ~180 fcr`],
    events: ["outage 0 00:10-00:20", "link_down 0 00:15-00:30"],
    dispatches: { A1: ["00:00 m ~180", "00:10 m skipped_out_of_service", "00:20 m failed delivery_failed"] },
    expectedAwards: { A1: { fcr: { activatedDownKwh: 2.533 } } },
  },
  {
    title: "a link that dies during the response changes nothing",
    sites: twoBatteries(),
    world: LOW,
    awards: [`${HOUR} ~180 fcr`],
    events: ["link_down 0 00:15-00:30"],
    expectedAwards: { A1: { fcr: { activatedDownKwh: 15.2 } } },
  },
  {
    // P is 100 + 300 kW to the side of sending; the plant cannot leave rest by a little, the battery alone holds.
    title:
      "a plant at rest that has a least output, or no pump, holds nothing (docs/model/frequency-response.md#two-sided-capability)",
    sites: fcrCase(300, [
      batteryNamed("one"),
      thermal({ componentId: "gas", ratedOutputKw: 300, minOutputKw: 50, fcrCapable: true }),
      load(),
    ]),
    world: LOW,
    awards: [`${HOUR} ~180 fcr`],
    dispatches: { A1: ["00:00 m ~100"] },
    powerKw: { m: ["00:00 269.6", "01:00 300"] },
    expectedAwards: { A1: { uncoveredKw: 80, uncoveredByCauseKw: { power_limit: 80 } } },
  },
  {
    // 100 of the battery and min(60, 40) of the machine; 0.19 / 50 / 0.05 * (100 + 60) = 12.16.
    title: "pumped storage provides FCR capacity within its pump and output ratings",
    sites: fcrCase(300, [
      batteryNamed("one"),
      pumped({ pumpMaxKw: 60 }, { componentId: "lake", ratedOutputKw: 40, fcrCapable: true }),
      load(),
    ]),
    world: HIGH,
    awards: [`${HOUR} ~180 fcr`],
    dispatches: { A1: ["00:00 m ~140"] },
    powerKw: { m: ["00:00 312.16", "01:00 300"] },
    expectedAwards: { A1: { fcr: { activatedUpKwh: 12.16 } } },
  },
  {
    title: "PV beside a provider leaves it the remaining headroom at the connection point",
    sites: fcrCase(-100, [batteryNamed("one"), pv(flat(100), { componentId: "sun" })], { siteExportMaxKw: 120 }),
    world: LOW,
    awards: [`${HOUR} ~100 fcr`],
    dispatches: { A1: ["00:00 m ~20"] },
    powerKw: { m: ["00:00 -107.6", "01:00 -100"] },
    expectedAwards: { A1: { uncoveredKw: 80, uncoveredByCauseKw: { power_limit: 80 } } },
  },
  {
    title:
      "a compound never leaves its delta: below it there is no headroom to respond (docs/model/frequency-response.md#compound)",
    sites: fcrCase(300, [batteryNamed("one"), load()]),
    world: LOW,
    awards: [`${HOUR} -80~50 compound`],
    powerKw: { m: ["00:00 220", "01:00 300"] },
    expectedAwards: { A1: { deliveredKwh: -80, shortfallKwh: 0, fcr: { activatedDownKwh: 0 } } },
  },
  {
    title:
      "and above it there is; what it delivers is counted without the response (docs/model/frequency-response.md#coexisting)",
    sites: fcrCase(300, [batteryNamed("one"), load()]),
    world: HIGH,
    awards: [`${HOUR} -80~50 compound`],
    powerKw: { m: ["00:00 227.6", "01:00 300"] },
    expectedAwards: { A1: { deliveredKwh: -80, shortfallKwh: 0, excessKwh: 0, fcr: { activatedUpKwh: 7.6 } } },
  },
  {
    // 100 kW of the battery, 60 of them held to both sides.
    title: "an FCR capacity reserves both directions against the next award",
    sites: fcrCase(300, [batteryNamed("one"), load()]),
    world: LOW,
    awards: [`${HOUR} ~60 fcr`, `${HOUR} -80 frr`],
    dispatches: { A1: ["00:00 m ~60"], A2: ["00:00 m -40"] },
    powerKw: { m: ["00:00 252.4", "01:00 300"] },
    expectedAwards: {
      A2: { uncoveredKw: -40, uncoveredByCauseKw: { other_award: 40 }, deliveredKwh: -40, shortfallKwh: 40 },
    },
  },
];

describe("FCR capacity of a site of several components", () => test.each(CASES)("$title", checkWorldCase));
