// The history of a run equals the output of its recorder, to the last printed digit, over generated worlds.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RegisterReader } from "../../../src/accounting/history/pastSite.ts";
import { RunHistory } from "../../../src/accounting/history/runHistory.ts";
import { energyFieldsOf, energyFieldValue } from "../../../src/accounting/recorders/energyFields.ts";
import { RunRecorder } from "../../../src/accounting/recorders/runRecorder.ts";
import { toThousandths } from "../../../src/base/rounding.ts";
import { curveValue } from "../../../src/engine/device/curve/curve.ts";
import { ObserverList } from "../../../src/engine/simulation/observerList.ts";
import { World } from "../../../src/engine/simulation/world.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import { newSegment } from "../../../src/engine/site/components/segment.ts";
import { ENERGY_FIELDS } from "../../../src/engine/site/meters/energyRegisters.ts";
import { runs, seedOr } from "../../depth.ts";
import { FEATURES, randomWorld } from "../../reference/stepper/randomWorld.ts";
import { type Row, RowCollector } from "../tableRows.ts";
import { mixedWorld } from "./mixedWorld.ts";

const parameters = { seed: seedOr(815), numRuns: runs(20, 2) };

interface RecordedRun {
  readonly history: RunHistory;
  readonly energy: readonly Row[];
  readonly power: readonly Row[];
}

function runRecorded(spec: WorldSpec, intervalMs: number, powerIntervalMs: number): RecordedRun {
  const energy = new RowCollector();
  const power = new RowCollector();
  const history = new RunHistory(spec);
  const recorder = new RunRecorder(spec, { intervalMs, powerIntervalMs, energy, power });
  const world = new World(spec, new ObserverList([recorder, history]));
  for (let share = 1; share <= 5; share++)
    world.runBefore(Math.floor(spec.startMs + ((spec.endMs - spec.startMs) * share) / 5));
  recorder.finish();
  return { history, energy: energy.rows, power: power.rows };
}

function checkWorlds(check: (spec: WorldSpec, seed: number) => void): void {
  const worlds = fc.record({ seed: fc.nat(1_000_000), features: fc.subarray([...FEATURES]) });
  fc.assert(
    fc.property(worlds, ({ seed, features }) =>
      check(seed % 2 === 0 ? mixedWorld(seed, features) : randomWorld(seed, features), seed),
    ),
    parameters,
  );
}

/** Rows of energy.csv, computed from the history. */
function readEnergy(spec: WorldSpec, history: RunHistory, intervalMs: number, keep = (_row: number) => true) {
  const readers = spec.sites.map((_, k) => ({ pastSite: history.pastSite(k), reader: null as RegisterReader | null }));
  const rows: Record<string, unknown>[] = [];
  for (let startMs = spec.startMs, row = 0; startMs < spec.endMs; startMs += intervalMs, row++) {
    const endMs = Math.min(startMs + intervalMs, spec.endMs);
    if (!keep(row)) continue;
    for (const { pastSite } of readers) {
      const reader = new RegisterReader(pastSite, 1000, startMs);
      reader.advanceTo(endMs);
      const fields = energyFieldsOf(pastSite.site.spec);
      rows.push({
        start: startMs,
        end: endMs,
        site: pastSite.site.spec.name,
        ...Object.fromEntries(
          fields.map((field) => [field, energyFieldValue(field, pastSite.site, reader.values) / 1000]),
        ),
      });
    }
  }
  return rows;
}

const energyRow = (row: Row): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).filter(([key, value]) => value !== null || !(ENERGY_FIELDS as readonly string[]).includes(key)),
  );

/** One row of power.csv, computed from the history. */
function readPower(history: RunHistory, site: number, atMs: number): Record<string, unknown> {
  const pastSite = history.pastSite(site);
  expect(pastSite.seek(atMs)).toBe(true);
  const { resource } = pastSite.site;
  const segment = newSegment();
  resource.segmentAt(atMs, segment);
  const kw = curveValue(segment.kw, segment.kwPerMs, segment.kwPerMs2, segment.ratePerMs, atMs - segment.originMs);
  const three = (value: number) => toThousandths(value) / 1000;
  const isIn = pastSite.site.isInService;
  const socPct = resource.socPctAt(atMs);
  const isConsumer =
    resource.kind === "consumer" || (resource.kind === "multi_component" && resource.consumers.length > 0);
  const reducing = isConsumer && pastSite.site.reduction.reducing && isIn;
  const targetKw = resource.kind === "multi_component" ? resource.reductionKw : -(pastSite.site.dispatchedDeltaKw ?? 0);
  return {
    status: isIn ? 0 : 9,
    current_kw: isIn ? three(kw) : null,
    baseline_kw: three(pastSite.site.reportedBaselineKw(atMs)),
    dispatched_delta_kw:
      isIn && pastSite.site.dispatchedDeltaKw !== null ? three(pastSite.site.dispatchedDeltaKw) : null,
    soc_pct: socPct === null ? null : three(socPct),
    output_control_limit:
      resource.kind === "consumer" || pastSite.site.outputLimitShare >= 1
        ? null
        : three(100 * pastSite.site.outputLimitShare),
    dr_active: isConsumer ? Number(reducing) : null,
    dr_target_reduction_kw: reducing ? three(targetKw) : null,
  };
}

describe("the history of a run", () => {
  test("equals energy.csv for any interval, read forward", () => {
    checkWorlds((spec, seed) => {
      const intervalMs = [60_000, 7 * 60_000, 1_800_000, 3_100_000][seed % 4];
      const { history, energy } = runRecorded(spec, intervalMs, 3_600_000);
      expect(readEnergy(spec, history, intervalMs)).toEqual(energy.map(energyRow));
    });
  });

  test("equals single records, independently of earlier reads", () => {
    checkWorlds((spec, seed) => {
      const intervalMs = 13 * 60_000;
      const { history, energy } = runRecorded(spec, intervalMs, 3_600_000);
      const count = energy.length / spec.sites.length;
      for (const wantedIndex of [seed % count, (seed * 7) % count, 0, count - 1])
        expect(readEnergy(spec, history, intervalMs, (row) => row === wantedIndex)).toEqual(
          energy.slice(wantedIndex * spec.sites.length, (wantedIndex + 1) * spec.sites.length).map(energyRow),
        );
    });
  });

  test("equals power.csv at any instant", () => {
    checkWorlds((spec, seed) => {
      const { history, power } = runRecorded(spec, 3_600_000, 41_000 + (seed % 1000));
      const names = spec.sites.map(({ name }) => name);
      for (const row of power) {
        const again = readPower(history, names.indexOf(String(row.site)), Number(row.timestamp));
        expect(again).toEqual(Object.fromEntries(Object.keys(again).map((key) => [key, row[key]])));
      }
    });
  });
});
