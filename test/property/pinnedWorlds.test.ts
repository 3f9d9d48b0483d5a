// Smallest worlds in which the simulator and the stepper once differed, each with the rule that decides.
import { describe, expect, test } from "vitest";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import {
  at,
  award,
  battery,
  consumer,
  evenSeries,
  flat,
  instruction,
  pv,
  site,
  vpp,
  world,
} from "../reference/stepper/build.ts";
import { compareWorlds } from "./compareWorlds.ts";

const checkAgrees = (spec: WorldSpec): void => expect(compareWorlds(spec)).toEqual({ numbers: [], causes: [] });

const outage = (index: number, from: string, until: string) =>
  ({ kind: "outage", site: index, atMs: at(from), untilMs: at(until), settled: false }) as const;

const outputControl = (limitPct: number) =>
  ({
    kind: "output_control",
    site: 0,
    atMs: at("00:20"),
    untilMs: at("00:40"),
    limitPct,
    reason: "manual",
    settled: false,
  }) as const;

const untilOne = (start: string) => [at(start), at("01:00")] as const;

/** A PV plant behind a grid limit; its baseline lies beyond what may flow. */
const behindGridLimit = () => {
  const plain = site("p", pv(flat(200)), { baseline: { method: "constant", kw: -104 } });
  return { ...plain, constraints: { ...plain.constraints, siteExportMaxKw: 83 } };
};

/** Holds FCR capacity for an hour; out of service over a whole minute, and back before its delay has passed. */
function slowHolder(): WorldSpec {
  const plain = site("b", battery({ fcrCapable: true, responseDelayMs: 34_000 }));
  const sites = [{ ...plain, capability: { ...plain.capability, fcrCapable: true } }];
  const fcr = { sku: "fcr", deltaKw: null, fcrResponseKw: 200 } as const;
  return world(sites, {
    awards: [award("A", untilOne("00:00"), 0, fcr)],
    frequencyHz: 50.2,
    events: [{ ...outage(0, "00:19", "00:20"), atMs: at("00:20") - 6000, untilMs: at("00:20") + 2000 }],
  });
}

const WORLDS: readonly (readonly [string, () => WorldSpec])[] = [
  [
    "the shortfall of a member that takes no part has cause outage while it is away (docs/model/accounting.md#attribution, items 3 and 4)",
    () =>
      world([site("b", battery({ importMaxKw: 100 })), site("p", pv(flat(100)))], {
        awards: [award("A", untilOne("00:10"), 300)],
        events: [outage(1, "00:20", "00:30")],
      }),
  ],
  [
    "the shortfall of a battery held at 0 % has cause output control (docs/model/accounting.md#delivery-layer)",
    () => world([site("b", battery())], { awards: [award("A", untilOne("00:10"), -150)], events: [outputControl(0)] }),
  ],
  [
    "the shortfall of a PV plant at its grid limit has cause power limit (docs/model/accounting.md#delivery-layer)",
    () => world([behindGridLimit()], { awards: [award("A", untilOne("00:00"), -100)] }),
  ],
  [
    "a taper that falls below output control takes over as the cause (docs/model/accounting.md#delivery-layer)",
    () => {
      const powerTaper = [
        { socPct: 5, importFraction: 1, exportFraction: 0.3 },
        { socPct: 32, importFraction: 1, exportFraction: 1 },
      ];
      const sinking = battery({ initialSocPct: 30, socOpMinPct: 0, powerTaper });
      return world([site("b", sinking)], {
        awards: [award("A", untilOne("00:10"), -480)],
        events: [outputControl(60)],
      });
    },
  ],
  [
    "where taper and output control leave as much, it is the taper (docs/model/accounting.md#delivery-layer)",
    () => {
      const powerTaper = [
        { socPct: 48, importFraction: 1, exportFraction: 0.5 },
        { socPct: 49, importFraction: 1, exportFraction: 1 },
      ];
      return world([site("b", battery({ powerTaper }))], {
        awards: [award("A", untilOne("00:00"), -480)],
        events: [outputControl(50)],
      });
    },
  ],
  [
    "a request of 0 has no shortfall, whatever flows (docs/model/allocation.md#zero-delta)",
    () =>
      world([site("b", battery({ auxiliaryKw: 5 })), site("p", pv(flat(100)))], {
        awards: [award("A", untilOne("00:10"), 0)],
      }),
  ],
  [
    "a taper that leaves nothing above the SOC bound is a power limit (docs/model/accounting.md#attribution, item 3)",
    () => {
      const powerTaper = [
        { socPct: 5, importFraction: 1, exportFraction: 0 },
        { socPct: 30, importFraction: 1, exportFraction: 1 },
      ];
      const low = battery({ initialSocPct: 3, socOpMinPct: 0, powerTaper });
      return world([site("b", low)], { awards: [award("A", untilOne("00:10"), -150)] });
    },
  ],
  [
    "a set-point holds under a sun that crosses it again and again (docs/model/pv.md#set-point)",
    () => {
      const clouds = [200, 100, 220, 120, 230, 90, 250, 80, 220, 120, 230, 90, 250, 80];
      const sun = evenSeries("clouds", 5, [...clouds, ...clouds], "linear");
      return world([site("p", pv(sun))], { awards: [award("A", untilOne("00:20"), -120)] });
    },
  ],
  [
    "a sun that sinks below the set-point between two stamps is the cause from there on (docs/model/accounting.md#attribution, item 3)",
    () => {
      const sun = evenSeries("sinking", 30, [0, 200, 100, 300, 300], "linear");
      return world([site("p", pv(sun))], { awards: [award("A", untilOne("00:20"), -120)] });
    },
  ],
  [
    "a site that refuses a smaller reduction goes on with the one it has (docs/model/allocation.md#re-dispatch)",
    () => {
      const plant = consumer(flat(500), { minDrReductionKw: 150 });
      const perfect = site("c", plant, { baseline: { method: "perfect" } });
      return world([perfect, site("b", battery())], {
        awards: [award("A", untilOne("00:10"), -200)],
        events: [outage(1, "00:05", "00:30")],
      });
    },
  ],
  [
    "the shortfall of a delta that a re-dispatch could not change has the cause of its cut (docs/model/allocation.md#re-dispatch, docs/model/accounting.md#attribution, item 3)",
    () => {
      const small = battery({ ratedCapKwh: 20, exportMaxKw: 40 });
      return world([site("b", small), site("p", pv(flat(100))), site("q", pv(flat(100)))], {
        awards: [award("A", untilOne("00:10"), -300)],
        events: [
          { kind: "link_down", site: 0, atMs: at("00:20"), untilMs: at("00:50"), settled: false },
          outage(1, "00:40", "00:45"),
        ],
      });
    },
  ],
  [
    "the downward shortfall of a battery at its import limit is caused by its auxiliaries (docs/model/accounting.md#delivery-layer)",
    () => {
      const plant = battery({ importMaxKw: 60, auxiliaryKw: 13 });
      const plain = site("b", plant, { baseline: { method: "constant", kw: 70 } });
      return world([plain], { awards: [award("A", untilOne("00:10"), -5)] });
    },
  ],
  [
    "the shortfall of a PV plant that falls below its grid limit is caused by its weather from there on (docs/model/accounting.md#delivery-layer)",
    () => {
      const plain = behindGridLimit();
      const sinking = pv(evenSeries("sinking", 30, [100, 100, 20, 20, 20], "linear"));
      return world([{ ...plain, components: [sinking] }], { awards: [award("A", untilOne("00:00"), -100)] });
    },
  ],
  [
    "a control that would let through all that there is takes nothing away (docs/model/accounting.md#delivery-layer)",
    () => {
      const dawn = pv(evenSeries("dawn", 30, [0, 50, 50, 50, 50]));
      const planned = site("p", dawn, { baseline: { method: "constant", kw: -80 } });
      return world([planned], { awards: [award("A", untilOne("00:10"), -100)], events: [outputControl(0)] });
    },
  ],
  [
    "a reduction goes on over a boundary at which an immediate came and went (docs/model/overlap.md#immediate, docs/model/consumer.md#contiguous)",
    () => {
      const plant = consumer(flat(500), { responseDelayMs: 20_000 });
      return world([site("c", plant, { baseline: { method: "perfect" } })], {
        awards: [
          award("A", [at("00:10"), at("00:30")], -100, { sku: "frr" }),
          award("B", [at("00:30"), at("01:00")], -150, { sku: "frr" }),
        ],
        instructions: [instruction("I", at("00:30"), 10, -50, { sku: "rr" })],
      });
    },
  ],
  [
    "a reduction that ends at this instant counts as cooling, unless it goes on (docs/model/dispatchable.md#plant-headroom, docs/model/consumer.md#contiguous)",
    () => {
      const plant = consumer(flat(500), { minDrCooldownMs: 600_000 });
      return world([site("c", plant, { baseline: { method: "perfect" } })], {
        awards: [
          award("A", [at("00:10"), at("00:20")], -100, { sku: "frr" }),
          award("B", [at("00:40"), at("00:50")], -100, { sku: "frr" }),
        ],
        instructions: [
          instruction("refused", at("00:20"), 10, -50, { sku: "rr" }),
          instruction("goes on", at("00:50"), 10, -50, { sku: "frr" }),
        ],
      });
    },
  ],
  [
    "what is called for of an award changes while it runs (docs/model/allocation.md#activation, docs/model/accounting.md#requested-and-reserved)",
    () => {
      const calls = evenSeries(
        "calls",
        7,
        Array.from({ length: 20 }, (_, k) => [1, 0.5, 0, 0.25][k % 4]),
      );
      const plant = consumer(flat(500), { reboundFraction: 0.5, reboundMs: 600_000, responseDelayMs: 30_000 });
      const sites = [site("b", battery({ rampKwPerS: 2 })), site("c", plant, { baseline: { method: "perfect" } })];
      return world(sites, { awards: [award("A", untilOne("00:10"), -200, { activation: calls })] });
    },
  ],
  [
    "a battery that its store holds is not on a ramp: its auxiliaries cause its shortfall (docs/model/accounting.md#delivery-layer)",
    () => {
      const above = battery({ initialSocPct: 98, rampKwPerS: 2.5, auxiliaryKw: 10 });
      const held = site("b", above, { baseline: { method: "constant", kw: 23 } });
      return world([held, site("c", battery({ rampKwPerS: 0.5 }))], { awards: [award("A", untilOne("00:10"), -40)] });
    },
  ],
  [
    "the shortfall of a full battery by its energy is its share before rounding (docs/model/accounting.md#attribution, item 3)",
    () => {
      const sites = [site("b", battery({ initialSocPct: 95 })), site("c", battery({ initialSocPct: 95 }))];
      const vpps = [
        vpp("east", sites, [
          [0, 1],
          [1, 450],
        ]),
      ];
      return world(sites, { vpps, awards: [award("A", untilOne("00:10"), 18)] });
    },
  ],
  [
    "what a battery gives by its delay when its FCR capacity has been withdrawn is not the award's (docs/model/accounting.md#delivered, docs/model/connection-point.md#delays)",
    slowHolder,
  ],
  [
    "auxiliaries flow through the grid point too (docs/model/battery.md#auxiliaries)",
    () => {
      const plain = site("b", battery({ auxiliaryKw: 20 }));
      const limited = { ...plain, constraints: { ...plain.constraints, siteImportMaxKw: 100, siteExportMaxKw: 100 } };
      return world([limited], {
        awards: [award("A", untilOne("00:10"), -300), award("B", [at("01:00"), at("01:30")], 300)],
      });
    },
  ],
];

describe("worlds that once differed", () => {
  test.each(WORLDS)("%s", (_, spec) => checkAgrees(spec()));
});

describe("worlds that once did not end", () => {
  const perfect = { baseline: { method: "perfect" } } as const;

  test("a reduction on its ramp meets the load between two milliseconds", () => {
    const plant = consumer(flat(100), { rampKwPerS: 0.7 });
    checkAgrees(world([site("c", plant, perfect)], { awards: [award("A", untilOne("00:10"), -200)] }));
  });

  test("a load that moves straight crosses its maximum demand", () => {
    const load = evenSeries("load", 10, [300, 413, 277, 391, 250, 433, 301, 377, 266, 419, 300, 300, 300], "linear");
    const plant = consumer(load, { maxDemandKw: 330 });
    checkAgrees(world([site("c", plant, perfect)], { awards: [award("A", [at("00:13"), at("00:57")], -320)] }));
  });
});
