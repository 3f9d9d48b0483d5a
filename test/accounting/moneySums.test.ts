// What awards and sites earn and cost adds up to the key figures, as printed (docs/model/money.md#by-award).
import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/accounting/runRecord.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import type { Owner } from "../../src/engine/site/components/componentKind.ts";
import { ownerOf } from "../../src/engine/site/siteSpec.ts";
import { randomWorld } from "../reference/stepper/randomWorld.ts";
import { runWorld } from "../runWorld.ts";
import { expectSums } from "./expectSums.ts";

const OPTIONS = { intervalMs: 1_800_000, timelines: false };

/** What no site bears has only refused awards and those that no member can serve. */
function expectSiteless({ siteless, awards }: RunRecord): void {
  if (siteless === null) return;
  const isSiteless = awards.some(
    ({ state, shortfallByCauseKwh: kwh }) => state === "refused" || kwh.some((each) => each > 0),
  );
  if (!isSiteless) expect(siteless.penaltyJpy ?? 0).toBe(0);
  expect(Math.abs(siteless.energyCostJpy ?? 0)).toBeLessThan(0.01);
  expect(Math.abs(siteless.awardEnergyJpy ?? 0)).toBeLessThan(0.01);
}

/** The world with drawn owners and charges. */
function withOwners(spec: WorldSpec, seed: number): WorldSpec {
  const owner = (k: number): Owner | undefined => ([undefined, "aggregator", "customer"] as const)[(seed + 7 * k) % 3];
  const charges = [undefined, { feePerKwh: 0.03, wearPerKwh: null }, { feePerKwh: 0.5, wearPerKwh: 1.7 }][seed % 3];
  return { ...spec, charges, sites: spec.sites.map((site, k) => ({ ...site, owner: owner(k) })) };
}

const SEEDS = 500;

test(`awards, sites and the summary of ${SEEDS} drawn worlds have the same sums`, () => {
  let priced = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const record = runWorld(withOwners(randomWorld(seed), seed), OPTIONS);
    expectSums(record);
    expectSiteless(record);
    if (record.kpis.get("profit_jpy") !== null) priced++;
  }
  expect(priced).toBeGreaterThan(SEEDS / 2);
});

describe("a site", () => {
  const { sites } = randomWorld(3);
  test("with nothing but batteries is the aggregator's, unless the scenario says otherwise", () => {
    for (const site of sites) {
      const isBattery = site.components.every(({ kind }) => kind === "battery");
      expect(ownerOf(site)).toBe(isBattery ? "aggregator" : "customer");
      expect(ownerOf({ ...site, owner: "customer" })).toBe("customer");
    }
    expect(new Set(sites.map(ownerOf)).size).toBe(2);
  });
});
