// Small random worlds of thermal plants and pumped storage, event by event against the stepper.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { DispatchableSpec } from "../../src/engine/device/dispatchable/dispatchableSpec.ts";
import type { ScenarioEvent } from "../../src/engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import type { AwardSpec } from "../../src/engine/vpp/instructions/instructionSpec.ts";
import { runs, seedOr } from "../depth.ts";
import { award, evenSeries, instruction, pumped, site, T0, thermal, vpp, world } from "../reference/stepper/build.ts";
import { compareWorlds } from "./compareWorlds.ts";

const parameters = { seed: seedOr(20260401), numRuns: runs(40) };

const kw = (min: number, max: number) => fc.integer({ min: min / 10, max: max / 10 }).map((tens) => 10 * tens);
/** A frequency beyond its dead band for minutes on end, to either side. */
const arbitraryFrequency = fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 40, maxLength: 40 }).map((values) =>
  evenSeries(
    "f",
    5,
    [...values, 0].map((hundredths) => 50 + hundredths / 100),
  ),
);

/** Requested delta: 0 has no direction, and what flows against it no sign. */
const requestedKw = kw(-900, 900).filter((deltaKw) => deltaKw !== 0);
const minutes = (max: number) => fc.integer({ min: 0, max });

const arbitraryDispatchable: fc.Arbitrary<DispatchableSpec> = fc
  .record({
    minOutputKw: fc.constantFrom(0, 120, 300),
    rampKwPerMin: fc.constantFrom(null, 7, 20),
    reservoir: fc.option(
      fc.record({
        capacityKwh: fc.constantFrom(150, 400, 5000),
        initialFillPct: fc.integer({ min: 0, max: 100 }),
        pumpMaxKw: fc.constantFrom(0, 250, 700),
        pumpingEfficiency: fc.constantFrom(1, 0.87),
        generatingEfficiency: fc.constantFrom(1, 0.87),
      }),
    ),
    subsidy: fc.constantFrom("none" as const, "none" as const, "fit" as const),
    fcrCapable: fc.boolean(),
  })
  .map(({ reservoir, ...given }) =>
    reservoir === null
      ? thermal({ ratedOutputKw: 600, ...given })
      : pumped(reservoir, { ratedOutputKw: 600, ...given }),
  );

const arbitrarySite = (name: string): fc.Arbitrary<SiteSpec> =>
  fc
    .record({
      plant: arbitraryDispatchable,
      plan: fc.array(kw(-600, 200), { minLength: 6, maxLength: 6 }),
      steps: fc.boolean(),
      latencyMs: fc.constantFrom(0, 0, 45_000),
      siteExportMaxKw: fc.constantFrom(Number.POSITIVE_INFINITY, 400, 100),
    })
    .map(({ plant, plan, steps, latencyMs, siteExportMaxKw }) => {
      // A plan that pumps means nothing without a pump.
      const values = plan.map((value) => (plant.reservoir === null ? Math.min(0, value) : value));
      const series = evenSeries(`plan ${name}`, 30, values, steps ? "step" : "linear");
      const spec = site(name, plant, { baseline: { method: "series", plan: series } });
      return { ...spec, link: { ...spec.link, latencyMs }, constraints: { ...spec.constraints, siteExportMaxKw } };
    });

const arbitraryEvent: fc.Arbitrary<ScenarioEvent> = fc
  .record({
    of: fc.integer({ min: 0, max: 1 }),
    from: minutes(110),
    lasts: minutes(50),
    limitPct: fc.constantFrom(null, 10, 50, 80),
  })
  .map(({ of, from, lasts, limitPct }): ScenarioEvent => {
    const base = { site: of, atMs: T0 + from * 60_000, untilMs: T0 + (from + lasts + 1) * 60_000, settled: false };
    return limitPct === null
      ? { ...base, kind: "outage" }
      : { ...base, kind: "output_control", limitPct, reason: "manual" };
  });

const arbitraryAwards: fc.Arbitrary<AwardSpec[]> = fc
  .array(fc.record({ deltaKw: requestedKw, isMarket: fc.boolean(), gap: minutes(10), lasts: minutes(40) }), {
    maxLength: 3,
  })
  .map((rows) => {
    let atMs = T0;
    return rows.map(({ deltaKw, isMarket, gap, lasts }, k) => {
      const startMs = atMs + gap * 60_000;
      atMs = startMs + (lasts + 1) * 60_000;
      return award(`A${k + 1}`, [startMs, atMs], deltaKw, { sku: isMarket ? "rr" : null });
    });
  });

const fcrAward = (startMs: number, lasts: number, kw: number): AwardSpec =>
  award("F1", [startMs, startMs + lasts * 60_000], 0, { sku: "fcr", deltaKw: null, fcrResponseKw: kw });

const arbitraryWorld = fc
  .record({
    sites: fc.tuple(arbitrarySite("a"), arbitrarySite("b")),
    awards: arbitraryAwards,
    events: fc.array(arbitraryEvent, { maxLength: 3 }),
    fcr: fc.option(fc.record({ from: minutes(60), lasts: minutes(80), kw: fc.integer({ min: 1, max: 400 }) })),
    hz: arbitraryFrequency,
    now: fc.option(fc.record({ at: minutes(140), deltaKw: requestedKw })),
  })
  .map(({ sites, awards, events, fcr, hz, now }) =>
    world(sites, {
      endMs: T0 + 9_000_000,
      vpps: [
        vpp("east", sites, [
          [0, 100],
          [1, 60],
        ]),
      ],
      // No product runs beside one without a name.
      awards:
        fcr === null
          ? awards
          : [
              ...awards.map((award) => ({ ...award, sku: "rr" as const })),
              fcrAward(T0 + fcr.from * 60_000, fcr.lasts + 1, fcr.kw),
            ],
      frequencyHz: fcr === null ? 50 : hz,
      events,
      instructions: now === null ? [] : [instruction("I1", T0 + now.at * 60_000, 10, now.deltaKw)],
    }),
  );

test("plants event by event and second by second give the same energy, deltas and shortfall", () => {
  fc.assert(
    fc.property(arbitraryWorld, (spec) => {
      expect(compareWorlds(spec).numbers).toEqual([]);
    }),
    parameters,
  );
});

test("and the same causes", () => {
  fc.assert(
    fc.property(arbitraryWorld, (spec) => {
      expect(compareWorlds(spec).causes).toEqual([]);
    }),
    parameters,
  );
});
