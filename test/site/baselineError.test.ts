import { describe, expect, test } from "vitest";
import { roundKw } from "../../src/base/rounding.ts";
import { MS_PER_HALF_HOUR } from "../../src/base/time.ts";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { ObserverList } from "../../src/engine/simulation/observerList.ts";
import { World } from "../../src/engine/simulation/world.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import { createSiteBaseline } from "../../src/engine/site/baseline/createSiteBaseline.ts";
import { slotKwAt } from "../../src/engine/site/baseline/siteBaseline.ts";
import type { BaselineErrorSpec, SiteSpec } from "../../src/engine/site/siteSpec.ts";
import { iso } from "../endpoints/apiCaller.ts";
import { callApi, contextAt } from "../endpoints/reads/readContext.ts";
import {
  at,
  consumer,
  evenSeries,
  flat,
  losslessBattery,
  parseAwards,
  pv,
  runSites,
  site,
  T0,
  world,
} from "../simulation/smallWorld.ts";
import { checkWorldCase, type WorldCase } from "../simulation/worldCases.ts";

const HOUR = 2 * MS_PER_HALF_HOUR;
const bias = (biasKw: number): BaselineErrorSpec => ({ biasKw, spreadKw: 0, correlationMs: 0 });

/** A load of 500 kW whose slots would be 500 kW. */
const factory = (baselineError: BaselineErrorSpec, given: Parameters<typeof consumer>[1] = {}) =>
  site("a", consumer(flat(500), given), { baseline: { method: "perfect" }, baselineError });

/** A battery behind the meter of a load of 300 kW. */
const behindTheMeter = (baselineError: BaselineErrorSpec, control: SiteSpec["control"]): SiteSpec => ({
  ...site("a", losslessBattery(), { baseline: { method: "constant", kw: 300 }, baselineError, control }),
  components: [losslessBattery(), consumer(flat(300), { componentId: "load" })],
});

const CASES: readonly WorldCase[] = [
  {
    title: "behind a meter the battery adds the delta to the power of the load, and the error is missing",
    sites: [behindTheMeter(bias(-10), "open")],
    awards: ["00:30-01:30 -100"],
    powerKw: { a: ["00:00 300", "00:30 200", "01:30 300"] },
    expectedAwards: { A1: { deliveredKwh: -90, shortfallKwh: 10, shortfallByCauseKwh: { load_deviation: 10 } } },
  },
  {
    title: "with control track the battery brings the meter to its plan, and under an award to the slot and the delta",
    sites: [behindTheMeter(bias(-10), "track")],
    awards: ["00:30-01:30 -100"],
    powerKw: { a: ["00:00 300", "00:30 190", "01:30 300"] },
    expectedAwards: { A1: { deliveredKwh: -100, shortfallKwh: 0, excessKwh: 0 } },
  },
  {
    title: "10 kW too low at a consumer are shortfall: it sheds 100 kW from 500, which is 90 below its slot",
    sites: [factory(bias(-10))],
    awards: ["00:30-01:30 -100"],
    powerKw: { a: ["00:00 500", "00:30 400", "01:30 500"] },
    expectedAwards: {
      A1: { deliveredKwh: -90, shortfallKwh: 10, shortfallByCauseKwh: { load_deviation: 10 }, excessKwh: 0 },
    },
    expectedSites: { a: { drDeliveredKwh: 90 } },
  },
  {
    title: "10 kW too high at a consumer are excess",
    sites: [factory(bias(10))],
    awards: ["00:30-01:30 -100"],
    powerKw: { a: ["00:00 500", "00:30 400", "01:30 500"] },
    expectedAwards: { A1: { deliveredKwh: -110, shortfallKwh: 0, excessKwh: 10 } },
  },
  {
    title: "with track a consumer brings its load to the slot and the delta: it sheds 110 kW, and 90",
    sites: [
      factory(bias(-10), { control: "track" }),
      { ...factory(bias(10), { control: "track" }), name: "b", emsId: "b" },
    ],
    awards: ["00:30-01:30 -200"],
    powerKw: { a: ["00:00 500", "00:30 390", "01:30 500"], b: ["00:00 500", "00:30 410", "01:30 500"] },
    expectedAwards: { A1: { deliveredKwh: -200, shortfallKwh: 0, excessKwh: 0 } },
  },
  {
    title: "a battery rests at its plan, and moves to the slot and the delta",
    sites: [site("a", losslessBattery(), { baselineError: bias(10) })],
    awards: ["00:30-01:30 -100"],
    powerKw: { a: ["00:00 0", "00:30 -90", "01:30 0"] },
    expectedAwards: { A1: { deliveredKwh: -100, shortfallKwh: 0, excessKwh: 0 } },
  },
  {
    // 450 kW are free below a slot of -50 kW.
    title: "a battery has headroom from its slot",
    sites: [site("a", losslessBattery(), { baselineError: bias(-50) })],
    awards: ["00:30-01:00 -500"],
    powerKw: { a: ["00:00 0", "00:30 -500", "01:00 0"] },
    expectedAwards: { A1: { uncoveredKw: -50, deliveredKwh: -225, shortfallByCauseKwh: { power_limit: 25 } } },
  },
  {
    // It could send 80 kW and reports 70, so that 75 kW are 5 more.
    title: "a PV plant is limited to the slot and the delta",
    sites: [site("a", pv(flat(80)), { baseline: { method: "perfect" }, baselineError: bias(10) })],
    awards: ["00:30-01:30 -5"],
    powerKw: { a: ["00:00 -80", "00:30 -75", "01:30 -80"] },
    expectedAwards: { A1: { deliveredKwh: -5, shortfallKwh: 0, excessKwh: 0 } },
  },
  {
    // Nothing can be sent beyond 80 kW: neither the 10 kW that the slot has too much nor the 5 of the request.
    title: "what the slot of a PV plant has too much is missing for want of sun",
    sites: [site("a", pv(flat(80)), { baseline: { method: "perfect" }, baselineError: bias(-10) })],
    awards: ["00:30-01:30 -5"],
    powerKw: { a: ["00:00 -80"] },
    expectedAwards: { A1: { deliveredKwh: 10, shortfallKwh: 15, shortfallByCauseKwh: { weather: 15 } } },
  },
];

describe("an error of the reported slots", () => {
  test.each(CASES)("$title", checkWorldCase);

  test("is imbalance without an instruction", () => {
    const { energy } = runSites([site("a", losslessBattery(), { baselineError: bias(10) })]);
    expect(energy.map(({ baseline_kwh, import_kwh }) => [baseline_kwh, import_kwh])).toEqual(Array(4).fill([5, 0]));
  });
});

/** A site with errors by chance, whose plan rises by 60 kW an hour. */
const rising = (name: string, correlationMs: number): SiteSpec =>
  site(name, losslessBattery(), {
    baseline: { method: "series", plan: evenSeries("rising", 60, [0, 60, 120, 180, 240, 300, 360], "linear") },
    baselineError: { biasKw: 3, spreadKw: 20, correlationMs },
  });

const SEED = 41;
const DAY: Partial<WorldSpec> = { endMs: at("04:00"), seed: SEED };

/** The errors of the slots from 00:00 on, as documented: hand-made from the stream of the site. */
function expectedErrors(name: string, rho: number, seed = SEED): number[] {
  const random = new RandomStreams(seed).getStream("baseline_error", name);
  const errors: number[] = [];
  for (let e = 20 * random.nextNormal(); errors.length < 8; ) {
    errors.push(3 + e);
    e = rho * e + Math.sqrt(1 - rho * rho) * 20 * random.nextNormal();
  }
  return errors;
}

/** The means of the plan over the half hours are 15, 45, 75 … kW. */
const errorsOf = (spec: SiteSpec, run: WorldSpec, fromMs = T0): number[] => {
  const baseline = createSiteBaseline(spec, run);
  return Array.from({ length: (run.endMs - fromMs) / MS_PER_HALF_HOUR }, (_, k) => {
    const atMs = fromMs + k * MS_PER_HALF_HOUR;
    return slotKwAt(baseline, atMs) - (15 + (30 * (atMs - T0)) / MS_PER_HALF_HOUR);
  });
};

const expectClose = (found: readonly number[], expected: readonly number[]): void => {
  expect(found).toHaveLength(expected.length);
  found.forEach((value, k) => expect(value).toBeCloseTo(expected[k], 9));
};

describe("errors of neighbouring half hours", () => {
  test.each([
    ["are independent without a correlation", 0, 0],
    ["are alike to e^(-30/60) after a correlation time of an hour", HOUR, Math.exp(-0.5)],
  ])("%s", (_, correlationMs, rho) => {
    const spec = rising("a", correlationMs);
    expectClose(errorsOf(spec, world([spec], DAY)), expectedErrors("a", rho));
  });

  test("have the given mean, deviation and correlation over a year", () => {
    const spec = { ...rising("a", HOUR), baseline: { method: "constant", kw: 100 } as const };
    const { slotsKw } = createSiteBaseline(spec, world([spec], { endMs: T0 + 365 * 24 * HOUR }));
    if (typeof slotsKw === "number") throw new Error("slots with errors are a series");
    const errors = Array.from(slotsKw.values.subarray(0, 17_520), (kw) => kw - 103);
    const mean = (of: (error: number, k: number) => number) =>
      errors.reduce((sum, e, k) => sum + of(e, k), 0) / errors.length;
    expect(Math.abs(mean((e) => e))).toBeLessThan(1);
    expect(Math.sqrt(mean((e) => e * e))).toBeCloseTo(20, 0);
    expect(mean((e, k) => e * (errors[k + 1] ?? 0)) / 400).toBeCloseTo(Math.exp(-0.5), 1);
  });

  test("are of the seed and the name of the site, wherever it stands", () => {
    const [a, b] = [rising("a", HOUR), rising("b", HOUR)];
    const slots = (sites: SiteSpec[], seed: number) =>
      new Map(
        new World(world(sites, { ...DAY, seed }), new ObserverList()).sites.map((each) => [
          each.spec.name,
          each.baseline.slotsKw,
        ]),
      );
    expect(slots([a, b], SEED)).toEqual(slots([b, a], SEED));
    expect(slots([a, b], SEED).get("a")).not.toEqual(slots([a, b], SEED).get("b"));
    expect(slots([a], SEED).get("a")).not.toEqual(slots([a], SEED + 1).get("a"));
    expectClose(errorsOf(b, world([b], { ...DAY, seed: 9 })), expectedErrors("b", Math.exp(-0.5), 9));
  });

  test("are those of the whole run in a part of it", () => {
    const spec = rising("a", HOUR);
    const part = world([spec], { ...DAY, startMs: at("01:10"), endMs: at("02:50") });
    const baseline = createSiteBaseline(spec, part);
    const whole = createSiteBaseline(spec, world([spec], DAY));
    for (const clock of ["01:10", "01:30", "02:00", "02:30", "02:49"])
      expect(slotKwAt(baseline, at(clock))).toBe(slotKwAt(whole, at(clock)));
    // Nothing is delivered after the part.
    expect(slotKwAt(baseline, at("03:00"))).toBe(195);
  });

  test.each([
    ["zero", { method: "zero" }, 0],
    ["constant", { method: "constant", kw: 40 }, 40],
  ] as const)("are on top of the one value of %s, which holds after the run", (_, baseline, kw) => {
    const spec = { ...rising("a", 0), baseline };
    const made = createSiteBaseline(spec, world([spec], DAY));
    const errors = expectedErrors("a", 0);
    expectClose(
      errors.map((_each, k) => slotKwAt(made, T0 + (k + 0.5) * MS_PER_HALF_HOUR)),
      errors.map((error) => kw + error),
    );
    expect(made.planKw).toBe(kw);
    expect(slotKwAt(made, at("04:00") + 80 * 24 * HOUR)).toBe(kw);
  });
});

test("the APIs and the awards of a scenario have the slots with their errors, posted ones without", () => {
  const sites = [rising("a", HOUR)];
  const spec = world(sites, { ...DAY, awards: parseAwards("01:00-02:00 -100 frr") });
  const context = contextAt(spec, at("00:10"));
  type Slot = { readonly baseline_kw: number };
  const slots = (api: "site-v1" | "site-v2", path: string, query: Record<string, string> = {}) => {
    const { body } = callApi<Record<string, readonly Slot[]>>(context, api, `GET ${path}`, { query });
    return (body.baselines ?? body.plans).slice(0, 8).map(({ baseline_kw }) => baseline_kw);
  };
  const written = expectedErrors("a", Math.exp(-0.5)).map((error, k) => roundKw(15 + 30 * k + error));
  expect(slots("site-v2", "/baseline", { start_time: iso("00:00"), end_time: iso("04:00") })).toEqual(written);
  expect(slots("site-v2", "/serviceplan")).toEqual(written);
  expect(slots("site-v1", "/serviceplan")).toEqual(written);
  const { schedules } = callApi<{ schedules: { members: Slot[] }[] }>(
    context,
    "vpp-v1",
    "GET /control/active_power/schedules",
  ).body;
  expect(schedules[0].members[0].baseline_kw).toBe(written[2]);
  const posted = { start_time: iso("00:30"), end_time: iso("01:00"), baseline_kw: -20 };
  const body = { ems_id: sites[0].emsId, baselines: [posted] };
  expect(context.world.runCommand(() => callApi(context, "site-v2", "POST /baseline", { body })).status).toBe(200);
  written[1] = -20;
  expect(slots("site-v2", "/serviceplan")).toEqual(written);
  context.world.runThrough(at("00:45"));
  expect(context.world.sites[0].kwAt(at("00:45"))).toBe(-20);
});
