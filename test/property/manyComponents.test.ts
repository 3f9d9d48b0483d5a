import { expect, test } from "vitest";
import { RegisterReader } from "../../src/accounting/history/pastSite.ts";
import { RunHistory } from "../../src/accounting/history/runHistory.ts";
import { componentRegisterBase, computeSumRegisters } from "../../src/accounting/meters/componentRegisters.ts";
import { World } from "../../src/engine/simulation/world.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import { COMPONENT_REGISTER, REGISTER, SUM_REGISTER } from "../../src/engine/site/meters/energyRegisters.ts";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import { type Row, RowCollector } from "../accounting/tableRows.ts";
import { runs, seedsFrom } from "../depth.ts";
import { createRandomDraw, randomAwards, randomSite } from "../reference/manyComponents/randomSite.ts";
import { eastVpp, parseAwards, parseEvents, runSmallWorld, T0, world } from "../simulation/smallWorld.ts";

const END = T0 + 6 * 3_600_000;
const SEEDS = seedsFrom(1000, runs(8, 2));

/** Two such sites in one VPP with an outage, an output control and a taper, a ramp or losses of the first battery. */
function randomWorld(seed: number): WorldSpec {
  const draw = createRandomDraw(seed + 3_000_000);
  const sites = [withFeatures(randomSite(seed, "a"), seed), randomSite(seed + 500, "b")];
  return world(sites, {
    endMs: END,
    vpps: [eastVpp(sites, [draw.integer(1, 3), draw.integer(1, 3)])],
    awards: parseAwards(...randomAwards(seed)),
    events: parseEvents("outage 0 02:10-02:40", "output_control 1 03:00-04:30 40 fit_curtailment"),
  });
}

function withFeatures(site: SiteSpec, seed: number): SiteSpec {
  const draw = createRandomDraw(seed + 4_000_000);
  const powerTaper = [
    { socPct: 20, importFraction: 1, exportFraction: 0.3 },
    { socPct: 70, importFraction: 1, exportFraction: 1 },
    { socPct: 90, importFraction: 0.1, exportFraction: 1 },
  ];
  const rough = {
    ...(draw.chance(0.6) ? { powerTaper } : {}),
    ...(draw.chance(0.5) ? { rampKwPerS: draw.integer(1, 20) / 10 } : {}),
    ...(draw.chance(0.3) ? { selfDischargePctPerDay: 20 } : {}),
    ...(draw.chance(0.3) ? { responseDelayMs: 20_000 } : {}),
  };
  return {
    ...site,
    components: site.components.map((component) =>
      component.kind === "battery" ? { ...component, ...rough } : component,
    ),
  };
}

function tablesOf(spec: WorldSpec, minutes: number) {
  const components = new RowCollector();
  const ran = runSmallWorld(spec, { intervalMs: minutes * 60_000, components });
  return { energy: ran.energy, components: components.rows, sites: ran.record.sites };
}

/** Whole thousandths, so that sums are exact. */
const resources = (value: unknown): number => Math.round(1000 * Number(value ?? 0));

function sumBy(rows: readonly Row[], key: string, column: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(String(row[key]), (sums.get(String(row[key])) ?? 0) + resources(row[column]));
  return sums;
}

test.each(SEEDS)("in print every identity closes, whatever the cut (seed %i)", (seed) => {
  const spec = randomWorld(seed);
  for (const minutes of [30, 7]) {
    const { energy, components } = tablesOf(spec, minutes);
    for (const row of energy) {
      const own = components.filter(({ start, site }) => start === row.start && site === row.site);
      const sum = (column: string, kind?: string) =>
        own.reduce(
          (all, part) => all + (kind === undefined || part.component_type === kind ? resources(part[column]) : 0),
          0,
        );
      expect(resources(row.import_kwh)).toBe(sum("from_grid_kwh"));
      expect(resources(row.grid_to_load_kwh)).toBe(sum("from_grid_kwh", "consumer"));
      expect(resources(row.export_kwh)).toBe(sum("to_grid_kwh"));
      expect(resources(row.self_consumed_kwh)).toBe(sum("to_load_kwh"));
      expect(resources(row.consumption_kwh)).toBe(resources(row.grid_to_load_kwh) + resources(row.self_consumed_kwh));
      expect(resources(row.curtailed_kwh)).toBe(sum("curtailed_kwh"));
      expect(resources(row.imbalance_kwh)).toBe(
        resources(row.export_kwh) - resources(row.import_kwh) + resources(row.baseline_kwh),
      );
      const classes = ["fit_export_kwh", "fip_export_kwh", "non_subsidized_export_kwh"];
      expect(resources(row.export_kwh)).toBe(classes.reduce((all, column) => all + resources(row[column]), 0));
    }
  }
});

test.each(SEEDS)("records of any cut sum to the whole and to the site's row (seed %i)", (seed) => {
  const spec = randomWorld(seed);
  const [coarse, fine] = [tablesOf(spec, 360), tablesOf(spec, 7)];
  for (const column of ["from_generator_kwh", "from_grid_kwh", "to_grid_kwh", "to_load_kwh", "to_battery_kwh"])
    expect(sumBy(fine.components, "component", column)).toEqual(sumBy(coarse.components, "component", column));
  for (const column of ["import_kwh", "export_kwh", "baseline_kwh", "dr_delivered_kwh"])
    expect(sumBy(fine.energy, "site", column)).toEqual(sumBy(coarse.energy, "site", column));
  for (const site of coarse.sites) {
    expect(resources(site.importKwh)).toBe(sumBy(fine.energy, "site", "import_kwh").get(site.site));
    expect(resources(site.exportKwh)).toBe(sumBy(fine.energy, "site", "export_kwh").get(site.site));
  }
});

test.each(SEEDS)(
  "the paths sum to the power at the connection point, and the stored energies close (seed %i)",
  (seed) => {
    const spec = randomWorld(seed);
    const { sites } = tablesOf(spec, 30);
    const { energy, components } = tablesOf(spec, 30);
    const power = new RowCollector();
    runSmallWorld(spec, { power, powerIntervalMs: 1000 });
    for (const site of sites) {
      const samples = power.rows.filter((row) => row.site === site.site);
      let importKwh = 0;
      let exportKwh = 0;
      samples.forEach((row, k) => {
        // Straight from sample to sample, but for the jumps.
        const kw = (Number(row.current_kw ?? 0) + Number(samples[k + 1]?.current_kw ?? row.current_kw ?? 0)) / 2;
        if (kw > 0) importKwh += kw / 3600;
        else exportKwh -= kw / 3600;
      });
      const rows = energy.filter((row) => row.site === site.site);
      const total = (column: string) => rows.reduce((sum, row) => sum + Number(row[column]), 0);
      expect(Math.abs(total("import_kwh") - importKwh)).toBeLessThan(0.5);
      expect(Math.abs(total("export_kwh") - exportKwh)).toBeLessThan(0.5);
      const toStores = components
        .filter((row) => row.site === site.site)
        .reduce((sum, row) => sum + Number(row.to_battery_kwh ?? 0), 0);
      const fromSite = components
        .filter((row) => row.site === site.site)
        .reduce((sum, row) => sum + Number(row.from_generator_kwh ?? 0), 0);
      expect(Math.abs(toStores - fromSite)).toBeLessThan(0.05);
    }
  },
);

test.each(SEEDS)("read later with one decimal, the identities close too, for any cut (seed %i)", (seed) => {
  const spec = randomWorld(seed);
  const history = new RunHistory(spec);
  const built = new World(spec, history);
  built.runBefore(END);
  const draw = createRandomDraw(seed);
  for (const index of [0, 1]) {
    const past = history.pastSite(index);
    const cuts = [T0, ...Array.from({ length: 9 }, () => T0 + draw.integer(1, 6 * 3600 - 1) * 1000), END - 1].sort(
      (a, b) => a - b,
    );
    const reader = new RegisterReader(past, 10, T0);
    const sums = new Float64Array(reader.values.length);
    for (const cutMs of cuts.slice(1)) {
      reader.advanceTo(cutMs);
      const { values } = reader;
      for (let k = 0; k < sums.length; k++) sums[k] += values[k];
      const parts = past.site.spec.components.map((_, k) =>
        values.subarray(componentRegisterBase(k), componentRegisterBase(k) + 9),
      );
      const sum = (register: number) => parts.reduce((all, part) => all + part[register], 0);
      expect(values[REGISTER.import]).toBe(sum(COMPONENT_REGISTER.fromGrid));
      expect(values[REGISTER.export]).toBe(sum(COMPONENT_REGISTER.toGrid));
      expect(values[SUM_REGISTER.selfConsumed]).toBe(sum(COMPONENT_REGISTER.toLoad));
    }
    const whole = new RegisterReader(past, 10, T0);
    whole.advanceTo(END - 1);
    expect([...sums]).toEqual([...whole.values]);
    const closed = sums.slice();
    computeSumRegisters(past.site, closed);
    expect([...closed]).toEqual([...sums]);
  }
});
