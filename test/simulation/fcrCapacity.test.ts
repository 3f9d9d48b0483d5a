// FCR capacities and compounds: the members' amounts, excluded members, and uncovered capacity with its causes.
import { describe, expect, test } from "vitest";
import {
  at,
  batterySites,
  consumer,
  flat,
  losslessBattery,
  parseAwards,
  parseEvents,
  pv,
  runSites,
  site,
  thermal,
} from "./smallWorld.ts";
import { checkWorldCase, type WorldCase } from "./worldCases.ts";

const FCR_CAPABLE = { fcrCapable: true } as const;

/** Sites "a", "b", … of lossless batteries, half full, capable of frequency response, of these kW. */
const respondingSites = (...limitsKw: readonly number[]) =>
  limitsKw.map((kw, k) =>
    site(
      String.fromCharCode(97 + k),
      losslessBattery({ importMaxKw: kw, exportMaxKw: kw, ratedCapKwh: 4000, ...FCR_CAPABLE }),
    ),
  );
const pvSite = () => site("pv", pv(flat(500), FCR_CAPABLE));
const atSoc = (name: string, initialSocPct: number, given = {}) =>
  site(name, losslessBattery({ importMaxKw: 100, exportMaxKw: 100, initialSocPct, ...FCR_CAPABLE, ...given }));
const planned = (
  name: string,
  kw: number,
  component = losslessBattery({ importMaxKw: 100, exportMaxKw: 100, ...FCR_CAPABLE }),
) => site(name, component, { baseline: { method: "constant", kw } });

const HOUR = "00:00-01:00";

const CAPACITIES: readonly WorldCase[] = [
  {
    title: "excess FCR capacity is allocated again among members with headroom (docs/model/allocation.md#delta-excess)",
    sites: respondingSites(800, 1500, 1100),
    awards: [`${HOUR} ~3000 fcr`],
    dispatches: { A1: ["00:00 a ~800, b ~1100, c ~1100"] },
    expectedAwards: {
      A1: {
        uncoveredKw: 0,
        uncoveredByCauseKw: {},
        requestedKwh: null,
        deliveredKwh: null,
        shortfallKwh: null,
        excessKwh: null,
        compliancePct: null,
        executedMinutes: 60,
        fcr: { responseKw: 3000, uncoveredKw: 0 },
      },
    },
  },
  {
    // Headroom for 60 in all; by weight 100, 200 of 300 were due, so that 50 and 190 are missing: 240 uncovered in proportion.
    title: "FCR capacity beyond all capabilities is uncovered, at least 0, by limiting factor",
    sites: respondingSites(50, 10),
    weights: [1, 2],
    awards: [`${HOUR} ~300 fcr`],
    dispatches: { A1: ["00:00 a ~50, b ~10"] },
    expectedAwards: { A1: { uncoveredKw: 240, uncoveredByCauseKw: { power_limit: 240 }, fcr: { uncoveredKw: 240 } } },
  },
  {
    title: "incapable members, PV and wind are left out; the others cover their shares",
    sites: [...respondingSites(100), ...batterySites(100).map((spec) => ({ ...spec, name: "x" })), pvSite()],
    awards: [`${HOUR} ~90 fcr`],
    dispatches: { A1: ["00:00 a ~90, x skipped_incompatible, pv skipped_incompatible"] },
    expectedAwards: { A1: { uncoveredKw: 0, fcr: { uncoveredKw: 0 } } },
  },
  {
    // a alone can hold capacity, so that all 120 are its share; it holds 100.
    title: "incapable members account for none of the uncovered capacity",
    sites: [...respondingSites(100), ...batterySites(100).map((spec) => ({ ...spec, name: "x" })), pvSite()],
    awards: [`${HOUR} ~120 fcr`],
    expectedAwards: { A1: { uncoveredKw: 20, uncoveredByCauseKw: { power_limit: 20 } } },
  },
  {
    title:
      "without a capable member in service with weight it is refused (docs/model/allocation.md#no-dispatchable-members)",
    sites: [...respondingSites(100, 100), ...batterySites(100).map((spec) => ({ ...spec, name: "x" }))],
    weights: [1, 0, 1],
    events: ["outage 0 00:00-02:00"],
    awards: [`${HOUR} ~120 fcr`, `${HOUR} -120 frr`],
    dispatches: { A2: ["00:00 a skipped_out_of_service, b skipped_weight_zero, x -100"] },
    expectedAwards: {
      A1: {
        state: "refused",
        errorType: "no_dispatchable_members",
        uncoveredKw: 120,
        uncoveredByCauseKw: { refused: 120 },
        requestedKwh: null,
        shortfallKwh: null,
        fcr: { responseKw: 120, uncoveredKw: 120, activatedUpKwh: null },
        fcrUncoveredByCauseKw: { refused: 120 },
      },
    },
  },
  {
    // Room of a: 100 - 30 up. b: full. c: empty. d: 50 up of a plant that runs at 150 kW with 100 at least.
    // e: min(200 - 60, 40, 60) = 40.
    title:
      "the capability is two-sided, and nothing at a bound of the store (docs/model/frequency-response.md#two-sided-capability, docs/model/frequency-response.md#rated-power)",
    sites: [
      planned("a", 30),
      atSoc("b", 100),
      atSoc("c", 0),
      planned("d", -150, thermal({ ratedOutputKw: 300, minOutputKw: 100, ...FCR_CAPABLE }) as never),
      site("e", consumer(flat(60), { contractKw: 200, maxDrReductionKw: 40, drCapable: false, ...FCR_CAPABLE }), {
        baseline: { method: "constant", kw: 60 },
      }),
    ],
    awards: [`${HOUR} ~500 fcr`],
    dispatches: { A1: ["00:00 a ~70, b ~0, c ~0, d ~50, e ~40"] },
    // 100 each were due: 30 missing by power, 200 by energy, 50 and 60 by power; 340 uncovered of 340 missing.
    expectedAwards: { A1: { uncoveredKw: 340, uncoveredByCauseKw: { energy_limit: 200, power_limit: 140 } } },
  },
  {
    // 1000 kWh at 30 %: 300 kWh below, 700 above; a quarter of an hour allows 1200 and 2800 kW, two hours 150 and 350.
    title: "an energy test cuts the capability (docs/model/frequency-response.md#energy-test)",
    sites: [site("a", losslessBattery({ importMaxKw: 500, exportMaxKw: 500, initialSocPct: 30, ...FCR_CAPABLE }))],
    options: { fcrEnergyTestMinutes: 120 },
    awards: [`${HOUR} ~500 fcr`],
    dispatches: { A1: ["00:00 a ~150"] },
    expectedAwards: { A1: { uncoveredKw: 350, uncoveredByCauseKw: { power_limit: 350 } } },
  },
  {
    // Efficiencies 0.8 and 0.5: 400 kWh at the cells give 320 kW·h; 600 kWh of room take 1200 at 0.5.
    title: "an energy test counts losses on both sides",
    sites: [
      site(
        "a",
        losslessBattery({
          importMaxKw: 900,
          exportMaxKw: 900,
          initialSocPct: 40,
          dischargeEfficiency: 0.8,
          chargeEfficiency: 0.5,
          ...FCR_CAPABLE,
        }),
      ),
    ],
    options: { fcrEnergyTestMinutes: 60 },
    awards: [`${HOUR} ~900 fcr`],
    dispatches: { A1: ["00:00 a ~320"] },
  },
  {
    title:
      "an immediate instruction of FCR capacity is cut, never refused for being too large (docs/model/allocation.md#fcr-shares)",
    sites: respondingSites(100),
    instructions: ["00:10 ~5000 30min fcr"],
    dispatches: { I1: ["00:10 a ~100"] },
    expectedAwards: { I1: { uncoveredKw: 4900, executedMinutes: 30, state: "completed" } },
  },
  {
    title: "an FCR capacity of 0 is allowed",
    sites: respondingSites(100),
    awards: [`${HOUR} ~0 fcr`],
    dispatches: { A1: ["00:00 a ~0"] },
    expectedAwards: { A1: { uncoveredKw: 0, fcr: { responseKw: 0, uncoveredKw: 0 } } },
  },
  {
    title: "an evaluation that finds a member out of service re-dispatches the FCR capacity, and again on its return",
    sites: respondingSites(100, 100),
    awards: [`${HOUR} ~120 fcr`],
    events: ["outage 0 00:20:30-00:40:30"],
    dispatches: { A1: ["00:00 a ~60, b ~60", "00:21 a skipped_out_of_service, b ~100", "00:41 a ~60, b ~60"] },
    expectedAwards: { A1: { uncoveredKw: 0, fcr: { uncoveredKw: 0 } } },
  },
  {
    // 0.1 of 0.2 over three: the first two get a tenth each.
    title: "tenths go by largest remainder, in order",
    sites: respondingSites(100, 100, 100),
    awards: [`${HOUR} ~0.2 fcr`],
    dispatches: { A1: ["00:00 a ~0.1, b ~0.1, c ~0"] },
  },
];

const WITH_OTHER_AWARDS: readonly WorldCase[] = [
  {
    // a can send 100 and take 100; frr holds 60 down, so 40 are left downwards for both sides.
    title:
      "FCR capacity does not include the headroom that a delta holds on its side (docs/model/frequency-response.md#coexisting)",
    sites: respondingSites(100),
    awards: [`${HOUR} -60 frr`, `${HOUR} ~100 fcr`],
    dispatches: { A1: ["00:00 a -60"], A2: ["00:00 a ~40"] },
    expectedAwards: {
      A1: { uncoveredKw: 0, deliveredKwh: -60, shortfallKwh: 0 },
      A2: { uncoveredKw: 60, uncoveredByCauseKw: { other_award: 60 } },
    },
  },
  {
    title: "an FCR capacity reduces the headroom of a delta in both directions",
    sites: respondingSites(100),
    awards: [`${HOUR} ~30 fcr`, "00:10-00:30 -90 frr", "00:30-01:00 90 rr"],
    dispatches: { A2: ["00:10 a -70"], A3: ["00:30 a 70"] },
    expectedAwards: {
      A2: { uncoveredKw: -20, uncoveredByCauseKw: { other_award: 20 } },
      A3: { uncoveredKw: 20, uncoveredByCauseKw: { other_award: 20 } },
    },
  },
];

const COMPOUNDS: readonly WorldCase[] = [
  {
    // Delta over all three, 40 each; FCR capacity 60 over a and b.
    title:
      "the delta goes to all compatible members, the FCR capacity to the capable ones (docs/model/allocation.md#compound)",
    sites: [...respondingSites(100, 100), ...batterySites(100).map((spec) => ({ ...spec, name: "x" }))],
    awards: [`${HOUR} -120~60 compound`],
    dispatches: { A1: ["00:00 a -40~30, b -40~30, x -40"] },
    expectedAwards: {
      A1: {
        uncoveredKw: 0,
        requestedKwh: -120,
        deliveredKwh: -120,
        shortfallKwh: 0,
        fcr: { responseKw: 60, uncoveredKw: 0 },
      },
    },
  },
  {
    // Delta 150 by 75: x has 50, so that 25 are uncovered. FCR capacity 120 to a alone, which can hold 100: 20 are uncovered.
    title: "each part has its own shortfall: uncovered_kw is the delta's",
    sites: [...respondingSites(100), ...batterySites(50).map((spec) => ({ ...spec, name: "x" }))],
    awards: [`${HOUR} -150~120 compound`],
    dispatches: { A1: ["00:00 a -75~100, x -50"] },
    expectedAwards: {
      A1: {
        uncoveredKw: -25,
        uncoveredByCauseKw: { power_limit: 25 },
        shortfallKwh: 25,
        fcr: { responseKw: 120, uncoveredKw: 20 },
        // All 120 were a's share.
        fcrUncoveredByCauseKw: { power_limit: 20 },
      },
    },
  },
  {
    title: "a member that provides FCR only accounts for none of the uncovered delta",
    sites: [
      ...batterySites(100),
      site("e", consumer(flat(60), { contractKw: 200, maxDrReductionKw: 40, ...FCR_CAPABLE }), {
        baseline: { method: "constant", kw: 60 },
      }),
    ],
    awards: [`${HOUR} 160~30 compound`],
    dispatches: { A1: ["00:00 a 100, e ~30"] },
    expectedAwards: {
      A1: {
        uncoveredKw: 60,
        // All 160 are a's share.
        uncoveredByCauseKw: { power_limit: 60 },
        fcr: { uncoveredKw: 0 },
      },
    },
  },
  {
    title: "an immediate compound is checked against the range by its delta",
    sites: respondingSites(100),
    instructions: ["00:10 -200~50 30min compound", "00:20 -100~50 30min compound"],
    dispatches: { I2: ["00:20 a -100~50"] },
    expectedAwards: {
      I1: { state: "refused", errorType: "invalid_parameter", uncoveredKw: -200, fcr: { uncoveredKw: 50 } },
    },
  },
];

// At P = 100 kW and 5 % droop around 50 Hz, 49.8 Hz asks 100 · (0.2 - 0.01) / 50 / 0.05 = 7.6 kW down, 50.2 Hz as much up.
const LOW = { frequencyHz: 49.8 } as const;
const HIGH = { frequencyHz: 50.2 } as const;

const RESPONSES: readonly WorldCase[] = [
  {
    title: "activated energy is reported by direction and on average, and is in no other kWh figure",
    sites: respondingSites(100, 100),
    awards: [`${HOUR} ~120 fcr`],
    world: LOW,
    powerKw: { a: ["00:00 -7.6", "01:00 0"] },
    expectedAwards: {
      A1: {
        requestedKwh: null,
        deliveredKwh: null,
        shortfallKwh: null,
        fcr: { activatedUpKwh: 0, activatedDownKwh: 15.2, meanResponseKw: 15.2, minutesAtBound: 0 },
      },
    },
  },
  {
    title: "a fault stops the response at once, and a repair brings it back",
    sites: respondingSites(100),
    awards: [`${HOUR} ~60 fcr`],
    events: ["fcr_fault 0 00:10:30-00:40:30"],
    world: HIGH,
    powerKw: { a: ["00:00 7.6", "00:11 0", "00:41 7.6", "01:00 0"] },
    // 30 of 60 minutes; the member holds its FCR capacity all the same.
    expectedAwards: { A1: { uncoveredKw: 0, fcr: { activatedUpKwh: 3.8, meanResponseKw: 3.8 } } },
    expectedEvents: ["fcr_fault a: on", "fcr_fault a: off"],
  },
  {
    title:
      "a delta beside it is credited with the power without the response (docs/model/frequency-response.md#coexisting)",
    sites: respondingSites(100),
    awards: [`${HOUR} ~30 fcr`, `${HOUR} -40 frr`, "00:30-01:00 20 rr"],
    world: LOW,
    powerKw: { a: ["00:00 -47.6", "00:30 -27.6", "01:00 0"] },
    expectedAwards: {
      A1: { fcr: { activatedDownKwh: 7.6 } },
      A2: { deliveredKwh: -40, shortfallKwh: 0, excessKwh: 0, compliancePct: 100 },
      A3: { deliveredKwh: 10, shortfallKwh: 0, excessKwh: 0 },
    },
  },
  {
    // 23.8 kWh at 47.6 kW are gone at 00:30: then neither flows, and the shortfall of frr is 40 kW for half an hour.
    title: "an empty store ends both; the shortfall is the delta's, for want of energy",
    sites: [atSoc("a", 2.38, { ratedCapKwh: 1000 })],
    awards: [`${HOUR} ~30 fcr`, `${HOUR} -40 frr`],
    world: LOW,
    powerKw: { a: ["00:00 -47.6", "00:30 0"] },
    expectedAwards: {
      A1: { fcr: { activatedDownKwh: 3.8, minutesAtBound: 30, meanResponseKw: 3.8 } },
      A2: { deliveredKwh: -20, shortfallKwh: 20, shortfallByCauseKwh: { energy_limit: 20 } },
    },
  },
  {
    // 52.4 kW down to 32.4 in all: response up of 7.6 leaves 32.4 of 40.
    title: "a compound responds within its delta, which stays delivered (docs/model/frequency-response.md#compound)",
    sites: respondingSites(100),
    awards: [`${HOUR} -40~30 compound`],
    world: HIGH,
    powerKw: { a: ["00:00 -32.4", "01:00 0"] },
    expectedAwards: {
      A1: { deliveredKwh: -40, shortfallKwh: 0, fcr: { responseKw: 30, activatedUpKwh: 7.6, activatedDownKwh: 0 } },
    },
  },
  {
    title: "a compound does not respond beyond its delta",
    sites: respondingSites(100),
    awards: [`${HOUR} -40~30 compound`],
    world: LOW,
    powerKw: { a: ["00:00 -40", "01:00 0"] },
    expectedAwards: { A1: { deliveredKwh: -40, shortfallKwh: 0, fcr: { activatedUpKwh: 0, activatedDownKwh: 0 } } },
  },
  {
    title: "the activated energy of an overwritten award counts until then",
    sites: respondingSites(100),
    awards: [`${HOUR} ~60 fcr`, "00:30-01:00 ~4 fcr"],
    world: LOW,
    powerKw: { a: ["00:00 -7.6", "00:30 -4", "01:00 0"] },
    expectedAwards: {
      A1: {
        state: "overwritten",
        overwrittenBy: "A2",
        executedMinutes: 30,
        fcr: { activatedDownKwh: 3.8, meanResponseKw: 7.6 },
      },
      A2: { state: "completed", fcr: { activatedDownKwh: 2, meanResponseKw: 4 } },
    },
  },
  {
    title: "an award in two pieces counts both",
    sites: respondingSites(100),
    awards: [`${HOUR} ~60 fcr`, "00:15-00:30 ~4 fcr"],
    world: LOW,
    expectedAwards: {
      A1: { state: "overwritten", executedMinutes: 45, fcr: { activatedDownKwh: 5.7, meanResponseKw: 7.6 } },
    },
  },
  {
    title: "an award beyond the end of the run is reported up to there",
    sites: respondingSites(100),
    awards: ["01:30-03:00 ~60 fcr"],
    world: LOW,
    expectedAwards: { A1: { state: "running", executedMinutes: 30, fcr: { activatedDownKwh: 3.8 } } },
  },
];

describe("the energy of a response", () => test.each(RESPONSES)("$title", checkWorldCase));
describe("an award of FCR capacity", () => test.each(CAPACITIES)("$title", checkWorldCase));
describe("awards beside one of FCR capacity", () => test.each(WITH_OTHER_AWARDS)("$title", checkWorldCase));
describe("a compound", () => test.each(COMPOUNDS)("$title", checkWorldCase));

test("dispatch.csv has columns of FCR capacity if a site is capable, and none otherwise", () => {
  const columnsOf = (sites: ReturnType<typeof respondingSites>) =>
    Object.keys(runSites(sites, { awards: parseAwards(`${HOUR} -10 frr`) }).dispatch[0]).filter((name) =>
      /^fcr_/.test(name),
    );
  expect(columnsOf(respondingSites(100))).toEqual(["fcr_response_kw", "fcr_capability_kw"]);
  expect(columnsOf(batterySites(100))).toEqual([]);
});

test("power.csv has the frequency and the FCR capacity of capable sites, and no such columns where none is capable", () => {
  const sites = [...respondingSites(100), ...batterySites(50).map((one) => ({ ...one, name: "z" }))];
  const given = {
    endMs: at("00:40"),
    awards: parseAwards("00:10-00:30 ~60 fcr"),
    events: parseEvents("fcr_fault 0 00:20-00:25"),
    frequencyHz: 49.95,
  };
  const { power } = runSites(sites, given);
  const shown = (site: string) =>
    ["00:00", "00:10", "00:20", "00:29", "00:30"].map((clock) => {
      const row = power.find((candidate) => candidate.site === site && candidate.timestamp === at(clock));
      return [row?.fcr_active, row?.fcr_response_kw, row?.actual_frequency];
    });
  expect(shown("a")).toEqual([
    [0, null, 49.95],
    [1, 60, 49.95],
    [0, 60, 49.95],
    [1, 60, 49.95],
    [0, null, 49.95],
  ]);
  expect(shown("z")).toEqual(Array.from({ length: 5 }, () => [null, null, null]));
  const plain = runSites(batterySites(100), { awards: parseAwards(`${HOUR} -10 frr`) }).power;
  expect(Object.keys(plain[0]).filter((name) => /^fcr_|frequency/.test(name))).toEqual([]);
});
