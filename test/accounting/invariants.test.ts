// Invariants of any run, over generated worlds. A failure prints the seed and the smallest set of features that still
// fails.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SimulationRun } from "../../src/accounting/simulationRun.ts";
import { toThousandths } from "../../src/base/rounding.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import { runs, seedOr } from "../depth.ts";
import { FEATURES, randomWorld } from "../reference/stepper/randomWorld.ts";
import { runWorld } from "../runWorld.ts";
import { losslessBattery, type RunTables, runSmallWorld, site, vpp } from "../simulation/smallWorld.ts";
import { type Row, RowCollector } from "./tableRows.ts";

const parameters = { seed: seedOr(4711), numRuns: runs(25) };

function checkInvariant(check: (spec: WorldSpec) => void): void {
  const worlds = fc.record({ seed: fc.nat(1_000_000), features: fc.subarray([...FEATURES]) });
  fc.assert(
    fc.property(worlds, ({ seed, features }) => check(randomWorld(seed, features))),
    parameters,
  );
}

const KWH_FIELDS = ["import_kwh", "export_kwh", "baseline_kwh", "curtailed_kwh", "dr_delivered_kwh", "uncovered_kwh"];

/** Sums of each kWh column by site or VPP, in whole thousandths. */
function sums(rows: readonly Row[], name: "site" | "vpp"): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const row of rows)
    for (const field of KWH_FIELDS) {
      const value = row[field];
      if (typeof value !== "number") continue;
      const key = `${row[name]} ${field}`;
      totals[key] = (totals[key] ?? 0) + toThousandths(value);
    }
  return totals;
}

describe("any cut of a period", () => {
  test("has the same sums, to the last thousandth, and the same awards and sites", () => {
    checkInvariant((spec) => {
      const whole = runSmallWorld(spec, { intervalMs: 86_400_000, powerIntervalMs: 3_600_000 });
      for (const minutes of [1, 7, 30]) {
        const cut = runSmallWorld(spec, { intervalMs: minutes * 60_000, powerIntervalMs: 3_600_000 });
        expect(sums(cut.energy, "site")).toEqual(sums(whole.energy, "site"));
        expect(cut.record).toEqual(whole.record);
        expect(cut.power).toEqual(whole.power);
        expect(cut.dispatch).toEqual(whole.dispatch);
        // The membership at the end of an interval decides whose energy counts for a VPP.
        if (spec.events.every(({ kind }) => kind !== "add_member" && kind !== "remove_member"))
          expect(sums(cut.vppEnergy, "vpp")).toEqual(sums(whole.vppEnergy, "vpp"));
      }
    });
  });

  test("sums to the rows of the sites", () => {
    checkInvariant((spec) => {
      const { energy, record } = runSmallWorld(spec, { intervalMs: 7 * 60_000 });
      const totals = sums(energy, "site");
      for (const row of record.sites) {
        expect(totals[`${row.site} import_kwh`]).toBe(toThousandths(row.importKwh));
        expect(totals[`${row.site} export_kwh`]).toBe(toThousandths(row.exportKwh));
        if (row.curtailedKwh !== null)
          expect(totals[`${row.site} curtailed_kwh`]).toBe(toThousandths(row.curtailedKwh));
        if (row.drDeliveredKwh !== null)
          expect(totals[`${row.site} dr_delivered_kwh`]).toBe(toThousandths(row.drDeliveredKwh));
      }
    });
  });
});

describe("awards", () => {
  test("dispatched and uncovered power sum to the request at each dispatch", () => {
    checkInvariant((spec) => {
      const { dispatch, record, events } = runSmallWorld(spec);
      for (const award of record.awards) {
        const rows = dispatch.filter((row) => row.award_id === award.awardId);
        const inForce = new Map<unknown, number>();
        const requested = Math.round(10 * award.requestedKw);
        for (const atMs of [...new Set(rows.map((row) => row.timestamp))]) {
          for (const row of rows)
            if (row.timestamp === atMs)
              inForce.set(row.site, Math.round(10 * Number((award.isFcr ? row.fcr_response_kw : row.delta_kw) ?? 0)));
          const covered = [...inForce.values()].reduce((a, b) => a + b, 0);
          const redispatch = events.find(
            (event) => event.timestamp === atMs && event.kind === "redispatch" && event.subject === award.awardId,
          );
          const uncovered =
            redispatch === undefined ? (award.uncoveredKw ?? Number.NaN) : Number.parseFloat(String(redispatch.detail));
          expect(covered + Math.round(10 * uncovered)).toBe(requested);
          // In a later dispatch, a member that refuses a reduction of its set-point retains it
          // (docs/model/allocation.md#re-dispatch).
          if (redispatch === undefined) expect(Math.abs(covered)).toBeLessThanOrEqual(Math.abs(requested));
        }
      }
    });
  });

  test("causes sum to the shortfall and to the uncovered kW, and none is negative", () => {
    checkInvariant((spec) => {
      for (const award of runSmallWorld(spec).record.awards) {
        const { shortfallByCauseKwh, uncoveredByCauseKw } = award;
        expect(close(total(shortfallByCauseKwh), award.shortfallKwh ?? 0)).toBe(true);
        expect(close(total(uncoveredByCauseKw), Math.abs(award.uncoveredKw ?? 0))).toBe(true);
        for (const value of [...shortfallByCauseKwh, ...uncoveredByCauseKw]) expect(value).toBeGreaterThanOrEqual(0);
      }
    });
  });

  test("delivered is requested less shortfall plus excess, and no minute is assessed twice", () => {
    checkInvariant((spec) => {
      for (const row of runSmallWorld(spec).record.awards) {
        if (row.requestedKwh === null || row.deliveredKwh === null) continue;
        const sign = Math.sign(row.requestedKw) || 1;
        const along = sign * row.requestedKwh - (row.shortfallKwh ?? 0) + (row.excessKwh ?? 0);
        expect(close(along, sign * row.deliveredKwh)).toBe(true);
        if (row.compliancePct === null) continue;
        expect(row.compliancePct).toBeGreaterThanOrEqual(-1e-9);
        expect(row.compliancePct).toBeLessThanOrEqual(100 + 1e-9);
      }
    });
  });
});

describe("stored energy", () => {
  test("is the initial energy plus charged less discharged energy, at the cells", () => {
    checkInvariant((spec) => {
      const { record } = runSmallWorld(spec, { intervalMs: 86_400_000 });
      spec.sites.forEach(({ components: [battery] }, k) => {
        if (battery.kind !== "battery" || battery.selfDischargePctPerDay > 0 || battery.auxiliaryKw > 0) return;
        const { importKwh, exportKwh, socFinalPct, socMinPct, socMaxPct } = record.sites[k];
        const gainedKwh = importKwh * battery.chargeEfficiency - exportKwh / battery.dischargeEfficiency;
        const storedKwh = (battery.initialSocPct / 100) * battery.ratedCapKwh + gainedKwh;
        // Import and export are printed to a thousandth.
        expect(Math.abs(storedKwh - ((socFinalPct ?? 0) / 100) * battery.ratedCapKwh)).toBeLessThan(2e-3);
        expect(socMaxPct).toBeLessThanOrEqual(Math.max(battery.socOpMaxPct, battery.initialSocPct) + 1e-6);
        expect(socMinPct).toBeGreaterThanOrEqual(Math.min(battery.socOpMinPct, battery.initialSocPct) - 1e-6);
      });
    });
  });
});

describe("the same input", () => {
  test("gives the same run twice", () => {
    checkInvariant((spec) => {
      expect(runSmallWorld(spec)).toEqual(runSmallWorld(spec));
    });
  });

  test("gives the same run for any division into slices", () => {
    checkInvariant((spec) => {
      const whole = runSmallWorld(spec, { intervalMs: 7 * 60_000 });
      for (const slices of [3, 200]) expect(runInSlices(spec, slices)).toEqual(whole);
    });
  });

  test("keeps its outages when a site is added or a weight changes", () => {
    checkInvariant((spec) => {
      const sites = spec.sites.map(withOutages);
      const outagesOf = (changed: WorldSpec) =>
        runWorld(changed, { intervalMs: 86_400_000 }).outages.filter(({ site: name }) => name !== "new");
      const bySite = (spans: ReturnType<typeof outagesOf>) =>
        [...spans].sort((a, b) => (a.site < b.site ? -1 : a.site > b.site ? 1 : a.startMs - b.startMs));
      const world = { ...spec, sites };
      const added = withOutages(site("new", losslessBattery()));
      const more: WorldSpec = {
        ...world,
        sites: [...sites, added],
        vpps: spec.vpps.map((east, k) =>
          k > 0
            ? east
            : {
                ...east,
                members: [
                  ...east.members,
                  ...vpp("x", [added], [[0, 7]]).members.map((m) => ({ ...m, site: sites.length })),
                ],
              },
        ),
      };
      const heavier: WorldSpec = {
        ...world,
        vpps: spec.vpps.map((east) => ({
          ...east,
          members: east.members.map((member) => ({ ...member, allocationWeight: member.allocationWeight + 13 })),
        })),
      };
      const expectedOutages = bySite(outagesOf(world));
      expect(expectedOutages.length).toBeGreaterThan(0);
      expect(bySite(outagesOf(more))).toEqual(expectedOutages);
      expect(bySite(outagesOf(heavier))).toEqual(expectedOutages);
    });
  });
});

const withOutages = (spec: SiteSpec): SiteSpec => ({
  ...spec,
  outages: { meanUpMs: 20 * 60_000, meanRepairMs: 5 * 60_000 },
});

function runInSlices(spec: WorldSpec, slices: number): RunTables {
  const [energy, vppEnergy, power, dispatch, events] = Array.from({ length: 5 }, () => new RowCollector());
  const sinks = { energy, vppEnergy, power, dispatch, events };
  const cut = new SimulationRun(spec, { intervalMs: 7 * 60_000, powerIntervalMs: 60_000, ...sinks });
  for (let slice = 1; slice <= slices; slice++) cut.advanceToShare(slice / slices);
  const record = cut.finish();
  return {
    record,
    energy: energy.rows,
    vppEnergy: vppEnergy.rows,
    power: power.rows,
    dispatch: dispatch.rows,
    events: events.rows,
  };
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
const close = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
