// Properties of generated worlds. A failure prints fast-check's seed and the smallest set of features that still fails.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import { runs, seedOr, seedsFrom } from "../depth.ts";
import { FEATURES, randomWorld } from "../reference/stepper/randomWorld.ts";
import { compareWorlds, type RunTables, runTables } from "./compareWorlds.ts";

const parameters = { seed: seedOr(20260401), numRuns: runs(30, 3) };

/** Some features on, some off: a fault that hides behind another one shows when that one is off. */
function checkInvariant(property: (spec: WorldSpec) => void): void {
  const worlds = fc.record({ seed: fc.nat(1_000_000), features: fc.subarray([...FEATURES]) });
  fc.assert(
    fc.property(worlds, ({ seed, features }) => {
      property(randomWorld(seed, features));
    }),
    parameters,
  );
}

describe("event-driven and stepped by seconds agree", () => {
  test("on energy, deltas, shortfall and causes", () => {
    checkInvariant((spec) => expect(compareWorlds(spec)).toEqual({ numbers: [], causes: [] }));
  });

  test.each(seedsFrom(1, runs(15, 2)))("on the numbers of world %i, all features on", (seed) => {
    expect(compareWorlds(randomWorld(seed)).numbers).toEqual([]);
  });

  // Worlds beyond these that once failed.
  test.each([54])("on the numbers of pinned world %i", (seed) => {
    expect(compareWorlds(randomWorld(seed)).numbers).toEqual([]);
  });
});

describe("invariants of one run", () => {
  test("deltas in force plus uncovered are the request, to the tenth", () => {
    checkInvariant((spec) => {
      const { record, dispatch } = runTables(spec, 1_800_000);
      for (const award of record.awards) {
        if (award.uncoveredKw === null || award.executedMinutes === 0) continue;
        const first = dispatch.filter((row) => row.award_id === award.awardId && row.timestamp === award.startMs);
        const column = award.isFcr ? "fcr_response_kw" : "delta_kw";
        const sum = first.reduce((total, row) => total + Number(row[column] ?? 0), 0);
        expect(Math.round(10 * (sum + award.uncoveredKw))).toBe(Math.round(10 * award.requestedKw));
      }
    });
  });

  test("causes add up to the total", () => {
    checkInvariant((spec) => {
      for (const award of runTables(spec, 1_800_000).record.awards) {
        expect(total(award.shortfallByCauseKwh)).toBeCloseTo(award.shortfallKwh ?? 0, 6);
        expect(total(award.uncoveredByCauseKw)).toBeCloseTo(Math.abs(award.uncoveredKw ?? 0), 6);
        if (award.fcr !== null) expect(total(award.fcr.uncoveredByCauseKw)).toBeCloseTo(award.fcr.uncoveredKw ?? 0, 6);
      }
    });
  });

  test("energy by the quarter hour adds up to energy by 50 minutes and to the whole", () => {
    checkInvariant((spec) => {
      const fine = runTables(spec, 900_000);
      const coarse = runTables(spec, 3_000_000);
      for (const { name } of spec.sites) {
        for (const column of ["import_kwh", "export_kwh"]) {
          // Thousandths are whole numbers: no tolerance.
          expect(columnSum(fine, name, column)).toBe(columnSum(coarse, name, column));
        }
      }
      fine.record.sites.forEach((site) => {
        expect(columnSum(fine, site.site, "import_kwh") / 1000).toBeCloseTo(site.importKwh, 2);
        expect(columnSum(fine, site.site, "export_kwh") / 1000).toBeCloseTo(site.exportKwh, 2);
      });
    });
  });

  test("the energy of a battery with losses equals the change of its stored energy", () => {
    checkInvariant((spec) => {
      const { record } = runTables(spec, 1_800_000);
      spec.sites.forEach(({ components: [component] }, k) => {
        if (component.kind !== "battery" || component.selfDischargePctPerDay > 0 || component.auxiliaryKw > 0) return;
        const { importKwh, exportKwh, socFinalPct } = record.sites[k];
        const gained = importKwh * component.chargeEfficiency - exportKwh / component.dischargeEfficiency;
        const storedKwh = (component.ratedCapKwh * (socFinalPct ?? Number.NaN)) / 100;
        expect(storedKwh).toBeCloseTo((component.ratedCapKwh * component.initialSocPct) / 100 + gained, 1);
      });
    });
  });
});

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** Sum of one site's column over all intervals, in whole thousandths. */
const columnSum = ({ energy }: RunTables, site: string, column: string): number =>
  energy.filter((row) => row.site === site).reduce((sum, row) => sum + Math.round(1000 * Number(row[column])), 0);
