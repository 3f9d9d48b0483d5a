// How near to its bound a small fleet can come, by exhaustive search: every share at every award.
import { expect, test } from "vitest";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import { createBoundProblems } from "../../src/study/bound/boundProblem.ts";
import { aggregatedBoundKwh, exactBoundKwh } from "../../src/study/bound/exactBoundKwh.ts";
import { studyBound } from "../../src/study/bound/studyBound.ts";
import { runs } from "../depth.ts";
import { createRandomDraw } from "../reference/manyComponents/randomSite.ts";
import { runWorld } from "../runWorld.ts";
import { battery, eastVpp, parseAwards, parseEvents, site, T0, world } from "../simulation/smallWorld.ts";

/**
 * Two batteries of unlike power and energy, three awards of which each leaves less for the next, the last one the other
 * way; in every second fleet outages.
 */
function smallFleet(seed: number): WorldSpec {
  const draw = createRandomDraw(seed + 9_000_000);
  const powers = [draw.integer(10, 40) * 10, draw.integer(10, 40) * 10];
  const sites = powers.map((kw, k) => {
    const efficiency = draw.integer(85, 100) / 100;
    return site(
      "ab"[k],
      battery({
        ratedCapKwh: (kw * draw.integer(10, 40)) / 10,
        importMaxKw: kw,
        exportMaxKw: kw,
        initialSocPct: draw.integer(30, 70),
        chargeEfficiency: efficiency,
        dischargeEfficiency: efficiency,
      }),
    );
  });
  const sign = draw.chance(0.5) ? 1 : -1;
  const share = (low: number, high: number) => Math.round(((powers[0] + powers[1]) * draw.integer(low, high)) / 100);
  return world(sites, {
    vpps: [eastVpp(sites, [1, 1])],
    awards: parseAwards(
      `01:00-02:00 ${sign * share(30, 60)}`,
      `02:30-03:00 ${sign * share(80, 100)}`,
      `04:00-05:30 ${-sign * share(50, 90)}`,
    ),
    events: seed % 2 === 0 ? [] : parseEvents("outage 0 01:20-01:50", "outage 1 04:30-05:10"),
    endMs: T0 + 7 * 3_600_000,
  });
}

interface BoundGap {
  readonly boundKwh: number;
  readonly relaxedKwh: number;
  /** Least shortfall over all shares, new ones at every award; and over those that stay. kWh. */
  readonly changingSharesKwh: number;
  readonly fixedSharesKwh: number;
}

/** @param steps shares between 0 and 1, both included */
async function gapOf(spec: WorldSpec, steps: number): Promise<BoundGap> {
  let changingSharesKwh = Number.POSITIVE_INFINITY;
  let fixedSharesKwh = Number.POSITIVE_INFINITY;
  const { awards } = spec;
  for (let code = 0; code < steps ** awards.length; code++) {
    const places = awards.map((_, k) => Math.floor(code / steps ** k) % steps);
    const weights = awards.flatMap(({ startMs: atMs }, k) =>
      [places[k], steps - 1 - places[k]].map((allocationWeight, index) => ({
        kind: "set_weight" as const,
        atMs,
        settled: false,
        vpp: 0,
        site: index,
        allocationWeight,
      })),
    );
    const { kpis } = runWorld(
      { ...spec, events: [...spec.events, ...weights] },
      { intervalMs: 0, timelines: false, causes: false },
    );
    const short = kpis.get("shortfall_kwh") as number;
    changingSharesKwh = Math.min(changingSharesKwh, short);
    if (places.every((place) => place === places[0])) fixedSharesKwh = Math.min(fixedSharesKwh, short);
  }
  const bound = await studyBound(spec, [spec.seed], { solve: exactBoundKwh, signal: new AbortController().signal });
  return {
    boundKwh: bound?.boundKwh[0] ?? Number.NaN,
    relaxedKwh: createBoundProblems(spec).reduce((sum, problem) => sum + aggregatedBoundKwh(problem), 0),
    changingSharesKwh,
    fixedSharesKwh,
  };
}

/** Fleets and shares; docs/studies.md has the figures of 20 fleets and 21 shares, which VPPSIM_DEPTH=10 prints. */
const FLEETS = runs(2, 2);
const STEPS = FLEETS < 20 ? 7 : 21;

test("exhaustive search comes near the bound without outages, and never below it", async () => {
  const gaps: (BoundGap & { readonly away: boolean })[] = [];
  for (let seed = 0; seed < FLEETS; seed++)
    gaps.push({ ...(await gapOf(smallFleet(seed), STEPS)), away: seed % 2 === 1 });
  for (const { boundKwh, relaxedKwh, changingSharesKwh } of gaps) {
    expect(changingSharesKwh).toBeGreaterThanOrEqual(boundKwh - 1e-6);
    expect(relaxedKwh).toBeLessThanOrEqual(boundKwh + 1e-6);
  }
  const sum = (of: (gap: BoundGap) => number, away: boolean) =>
    gaps.filter((gap) => gap.away === away).reduce((total, gap) => total + of(gap), 0);
  if (FLEETS >= 20)
    for (const away of [false, true])
      console.info(
        `${away ? "with" : "without"} outages: relaxed ${sum(({ relaxedKwh }) => relaxedKwh, away).toFixed(0)}, bound ${sum(({ boundKwh }) => boundKwh, away).toFixed(0)}, changing ${sum(({ changingSharesKwh }) => changingSharesKwh, away).toFixed(0)}, staying ${sum(({ fixedSharesKwh }) => fixedSharesKwh, away).toFixed(0)} kWh`,
      );
  expect(sum(({ boundKwh }) => boundKwh, false)).toBeGreaterThan(0);
  // What the coarse steps of the shares leave.
  expect(sum(({ changingSharesKwh }) => changingSharesKwh, false)).toBeLessThan(
    1.1 * sum(({ boundKwh }) => boundKwh, false) + 40,
  );
});
