import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import { type Feature, randomWorld } from "../../reference/stepper/randomWorld.ts";
import { consumer, evenSeries, losslessBattery, parseAwards, pv, site } from "../../simulation/smallWorld.ts";

/** A random world with added sites of several components, a varying frequency and FCR capacities. */
export function mixedWorld(seed: number, features: readonly Feature[]): WorldSpec {
  const base = randomWorld(seed, features);
  const sun = evenSeries("mixed sun", 30, twoDays([0, 120, 340, 90 + (seed % 50), 400, 60, 10, 0, 0, 200], 96));
  const load = evenSeries("mixed load", 60, twoDays([300, 180 + (seed % 70), 420, 90, 260], 48), "linear");
  const more = [
    site("resp-1", losslessBattery({ fcrCapable: true, selfDischargePctPerDay: 2 })),
    site("resp-2", losslessBattery({ fcrCapable: true, rampKwPerS: 0.5, responseDelayMs: 4000, initialSocPct: 97 })),
    ...(["open", "track"] as const).map((control) => {
      const components = [
        losslessBattery({ componentId: "bat", ratedCapKwh: 200, rampKwPerS: 2, responseDelayMs: 2000 }),
        pv(sun, { componentId: "pv", irradianceWm2: sun }),
        consumer(load, { componentId: "load" }),
      ];
      const made = site(`mixed-${control}`, components[0], { control, baseline: { method: "constant", kw: 120 } });
      return { ...made, components, capability: { ...made.capability, drCapable: true, reverseFlowAllowed: true } };
    }),
  ];
  const members = more.map((_, k) => ({
    site: base.sites.length + k,
    label: "",
    resourceType: k < 2 ? ("battery" as const) : ("multi_component" as const),
    allocationWeight: 10 + k,
  }));
  const [first, ...rest] = base.vpps;
  return {
    ...base,
    sites: [...base.sites, ...more],
    vpps: [{ ...first, members: [...first.members, ...members] }, ...rest],
    awards: [
      ...base.awards,
      ...parseAwards("00:10-00:40 ~200 fcr", "00:30-01:00 -150 rr", "01:10-01:25 ~120 fcr", "01:30-01:50 -150 rr").map(
        (award, k) => ({ ...award, awardId: `F${k}`, ...(k === 3 ? COMPOUND : {}) }),
      ),
    ]
      .map((award) => ({ ...award, endMs: Math.min(award.endMs, base.endMs) }))
      .filter(({ startMs, endMs }) => startMs < endMs),
    frequencyHz: { meanHz: 50, sigmaHz: 0.03, timeConstantS: 90 },
  };
}

const twoDays = (values: readonly number[], count: number): number[] =>
  Array.from({ length: count }, (_, k) => values[k % values.length]);

const COMPOUND = { sku: "compound", compoundBreakdown: { frr: -150, rr: -80 } } as const;
