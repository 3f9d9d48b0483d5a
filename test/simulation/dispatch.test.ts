import { describe, expect, test } from "vitest";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import {
  batterySites,
  consumer,
  dispatchLines,
  eastVpp,
  findAwardRow,
  flat,
  losslessBattery,
  nonZeroCauses,
  parseAwards,
  parseEvents,
  pv,
  type RunTables,
  runSites,
  site,
} from "./smallWorld.ts";

/** One award from 00:00 to 00:30: the set-point of each member at the start and the uncovered power. */
interface Case {
  readonly title: string;
  readonly sites: readonly SiteSpec[];
  /** Default: 1 each. */
  readonly weights?: readonly number[];
  readonly award: string;
  readonly dispatches: string;
  /** Default: 0. */
  readonly uncoveredKw?: number;
  readonly causes?: Record<string, number>;
  readonly redistribute?: boolean;
  readonly events?: readonly string[];
}

const pvSite = (name: string, kw: number, given: Parameters<typeof pv>[1] = {}, more: Partial<SiteSpec> = {}) =>
  site(name, pv(flat(kw), given), more);
const loadSite = (name: string, kw: number, given: Parameters<typeof consumer>[1] = {}, more: Partial<SiteSpec> = {}) =>
  site(name, consumer(flat(kw), given), { baseline: { method: "perfect" }, ...more });

const withoutExport = (spec: SiteSpec) => ({ ...spec, capability: { ...spec.capability, reverseFlowAllowed: false } });

const CASES: readonly Case[] = [
  {
    title: "a request is split by weight",
    sites: batterySites(500, 500, 500),
    weights: [100, 200, 300],
    award: "-300",
    dispatches: "a -50, b -100, c -150",
  },
  {
    title: "tenths that do not divide go to the largest remainders, ties in order of registration",
    sites: batterySites(500, 500, 500),
    award: "100",
    dispatches: "a 33.4, b 33.3, c 33.3",
  },
  {
    title: "largest remainder beats order: 100 over 1:2:2 tenths of 0.3 kW",
    sites: batterySites(500, 500, 500),
    weights: [1, 2, 2],
    // 3 tenths: 0.6, 1.2, 1.2; floors 0, 1, 1; the tenth left goes to the remainder 0.6.
    award: "0.3",
    dispatches: "a 0.1, b 0.1, c 0.1",
  },
  {
    title: "a share above a member's limit is cut and the excess is uncovered, not passed on",
    sites: batterySites(800, 1500, 1100),
    weights: [100, 100, 100],
    award: "-3000",
    dispatches: "a -800, b -1000, c -1000",
    uncoveredKw: -200,
    causes: { power_limit: 200 },
  },
  {
    title: "delta_excess: redistribute gives the excess to members with headroom",
    sites: batterySites(800, 1500, 1100),
    weights: [100, 100, 100],
    award: "-3000",
    dispatches: "a -800, b -1100, c -1100",
    redistribute: true,
  },
  {
    title: "redistribute leaves the power beyond all capabilities uncovered",
    sites: batterySites(100, 200, 300),
    weights: [100, 100, 100],
    award: "700",
    dispatches: "a 100, b 200, c 300",
    uncoveredKw: 100,
    causes: { power_limit: 100 },
    redistribute: true,
  },
  {
    title: "a capability is rounded down to 0.1 kW before the cut",
    sites: batterySites(99.99, 500),
    award: "200",
    dispatches: "a 99.9, b 100",
    uncoveredKw: 0.1,
    causes: { power_limit: 0.1 },
  },
  {
    title: "99.99999999 kW counts as 100.0, since tenths carry a slack of 1e-6",
    sites: batterySites(99.99999999, 500),
    award: "200",
    dispatches: "a 100, b 100",
  },
  {
    title: "a request of more decimals is rounded half away from zero, not refused",
    sites: batterySites(500),
    award: "-100.25",
    dispatches: "a -100.3",
  },
  {
    title: "headroom counts from the baseline: 500 up less 200, 500 down plus 200",
    sites: [site("a", losslessBattery(), { baseline: { method: "constant", kw: 200 } })],
    award: "400",
    dispatches: "a 300",
    uncoveredKw: 100,
    causes: { power_limit: 100 },
  },
  {
    title: "headroom down from a receiving baseline is more than the rating",
    sites: [site("a", losslessBattery(), { baseline: { method: "constant", kw: 200 } })],
    award: "-700",
    dispatches: "a -700",
  },
  {
    title: "headroom is never below 0: a baseline of 600 lies above the rating of 500",
    sites: [site("a", losslessBattery(), { baseline: { method: "constant", kw: 600 } }), ...batterySites(500)].map(
      (spec, k) => ({
        ...spec,
        name: "ab"[k],
      }),
    ),
    award: "100",
    dispatches: "a 0, b 50",
    uncoveredKw: 50,
    causes: { power_limit: 50 },
  },
  {
    title: "the site's grid limit cuts the capability",
    sites: batterySites(500).map((spec) => ({ ...spec, constraints: { ...spec.constraints, siteExportMaxKw: 120 } })),
    award: "-200",
    dispatches: "a -120",
    uncoveredKw: -80,
    causes: { power_limit: 80 },
  },
  {
    title: "a site that may not send comes down to 0 and no further",
    sites: [withoutExport(site("a", losslessBattery(), { baseline: { method: "constant", kw: 100 } }))],
    award: "-300",
    dispatches: "a -100",
    uncoveredKw: -200,
    causes: { power_limit: 200 },
  },
  {
    title: "a full battery cannot charge: energy_limit; it stays a participant",
    sites: [site("a", losslessBattery({ initialSocPct: 100 })), site("b", losslessBattery())],
    award: "200",
    dispatches: "a 0, b 100",
    uncoveredKw: 100,
    causes: { energy_limit: 100 },
  },
  {
    title: "outside its window a battery only moves towards it",
    sites: [site("a", losslessBattery({ initialSocPct: 5, socOpMinPct: 10 })), site("b", losslessBattery())],
    award: "-200",
    dispatches: "a 0, b -100",
    uncoveredKw: -100,
    causes: { energy_limit: 100 },
  },
  {
    title: "power, not energy, clips a dispatch: 1 kWh above empty still takes its whole share",
    sites: [site("a", losslessBattery({ initialSocPct: 0.1 })), site("b", losslessBattery())],
    award: "-800",
    dispatches: "a -400, b -400",
  },
  {
    title: "a member out of service is left out and the others share all of it",
    sites: batterySites(500, 500),
    weights: [100, 100],
    award: "-300",
    dispatches: "a skipped_out_of_service, b -300",
    events: ["outage 0 00:00-01:00"],
  },
  {
    title: "PV down gives its generation beyond the baseline: weather",
    sites: [pvSite("a", 250, {}, { baseline: { method: "constant", kw: -200 } })],
    award: "-80",
    dispatches: "a -50",
    uncoveredKw: -30,
    causes: { weather: 30 },
  },
  {
    title: "PV at night stays a participant, its share is uncovered",
    sites: [pvSite("a", 0), site("b", losslessBattery())],
    award: "-80",
    dispatches: "a 0, b -40",
    uncoveredKw: -40,
    causes: { weather: 40 },
  },
  {
    title: "output control is part of capability: 10 % of 1000 kW rated",
    sites: [pvSite("a", 250)],
    award: "-200",
    dispatches: "a -100",
    uncoveredKw: -100,
    causes: { output_control: 100 },
    events: ["output_control 0 00:00-01:00 10 manual"],
  },
  {
    title: "output control on a battery caps its export at that share of its rating",
    sites: batterySites(500),
    award: "-200",
    dispatches: "a -50",
    uncoveredKw: -150,
    causes: { output_control: 150 },
    events: ["output_control 0 00:00-01:00 10 manual"],
  },
  {
    title: "a consumer's capability down is max_dr_reduction alone, not its load",
    sites: [loadSite("a", 30, { maxDrReductionKw: 400 })],
    award: "-500",
    dispatches: "a -400",
    uncoveredKw: -100,
    causes: { power_limit: 100 },
  },
  {
    title: "a share below min_dr_reduction is refused by the site and not passed on",
    sites: [loadSite("a", 500, { minDrReductionKw: 200 }), site("b", losslessBattery())],
    award: "-300",
    dispatches: "a skipped_incompatible dr_reduction_below_minimum, b -150",
    uncoveredKw: -150,
    causes: { refused: 150 },
  },
  {
    title: "min_dr_reduction is tested on the share after the cut",
    sites: [loadSite("a", 500, { minDrReductionKw: 200, maxDrReductionKw: 199 })],
    award: "-300",
    dispatches: "a skipped_incompatible dr_reduction_below_minimum",
    uncoveredKw: -300,
    causes: { refused: 300 },
  },
  {
    title: "a period shorter than min_dr_duration is refused",
    sites: [loadSite("a", 500, { minDrDurationMs: 31 * 60_000 })],
    award: "-300",
    dispatches: "a skipped_incompatible dr_duration_below_minimum",
    uncoveredKw: -300,
    causes: { refused: 300 },
  },
  {
    title: "negawatt-spot needs registered slots",
    sites: [loadSite("a", 500, {}, { baseline: { method: "zero" } }), loadSite("b", 500)],
    award: "-100 negawatt-spot",
    dispatches: "a skipped_incompatible baseline_not_configured, b -50",
    uncoveredKw: -50,
    causes: { refused: 50 },
  },
  {
    title: "delta 0 has no direction: every member in service is dispatched 0.0",
    sites: [pvSite("a", 250), loadSite("b", 500), site("c", losslessBattery())],
    weights: [1, 1, 0],
    award: "0",
    dispatches: "a 0, b 0, c skipped_weight_zero",
  },
  {
    title: "a weight set at the instant of the start counts",
    sites: batterySites(500, 500),
    award: "-100",
    dispatches: "a -75, b -25",
    events: ["set_weight 0 00:00 3"],
  },
  {
    title: "a settled weight change comes after the start",
    sites: batterySites(500, 500),
    award: "-100",
    dispatches: "a -50, b -50",
    events: ["set_weight 0 00:00 3 settled"],
  },
  {
    title: "a warning changes nothing else",
    sites: batterySites(500, 500),
    award: "-100",
    dispatches: "a -50, b -50",
    events: ["warning 0 00:00-01:00"],
  },
];

function runCase({ sites, weights = sites.map(() => 1), award, events = [], redistribute }: Case): RunTables {
  return runSites(sites, {
    vpps: [eastVpp(sites, weights, { deltaExcess: redistribute ? "redistribute" : "uncovered" })],
    awards: parseAwards(`00:00-00:30 ${award}`),
    events: parseEvents(...events),
  });
}

describe("one award, dispatched at its start", () => {
  test.each(CASES)("$title", (given) => {
    const ran = runCase(given);
    expect(dispatchLines(ran, "A1")[0]).toBe(`00:00 ${given.dispatches}`);
    const row = findAwardRow(ran, "A1");
    expect(row.uncoveredKw).toBe(given.uncoveredKw ?? 0);
    expect(nonZeroCauses(row.uncoveredByCauseKw)).toEqual(given.causes ?? {});
  });
});
