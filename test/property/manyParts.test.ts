import { expect, test } from "vitest";
import { History } from "../../src/accounting/history/history.ts";
import { LeafReader } from "../../src/accounting/history/leafReader.ts";
import { LEAF } from "../../src/accounting/meters/leaves.ts";
import { closeSums, PART_LEAF, partBase, SUM } from "../../src/accounting/meters/partLeaves.ts";
import { World } from "../../src/simulation/world.ts";
import type { WorldSpec } from "../../src/simulation/worldSpec.ts";
import type { SiteSpec } from "../../src/site/siteSpec.ts";
import { type Row, RowKeeper } from "../accounting/tableRows.ts";
import { runs, seedsFrom } from "../depth.ts";
import { drawingOf, randomAwards, randomSite } from "../reference/manyParts/randomSite.ts";
import { awardsOf, eastOf, eventsOf, run, T0, world } from "../simulation/tinyWorld.ts";

const END = T0 + 6 * 3_600_000;
const SEEDS = seedsFrom(1000, runs(8, 4));

/** Two such sites in one VPP with an outage, an output control and a taper, a ramp or losses of the first battery. */
function randomWorld(seed: number): WorldSpec {
  const draw = drawingOf(seed + 3_000_000);
  const sites = [roughened(randomSite(seed, "a"), seed), randomSite(seed + 500, "b")];
  return world(sites, {
    endMs: END,
    vpps: [eastOf(sites, [draw.whole(1, 3), draw.whole(1, 3)])],
    awards: awardsOf(...randomAwards(seed)),
    events: eventsOf("outage 0 02:10-02:40", "output_control 1 03:00-04:30 40 fit_curtailment"),
  });
}

function roughened(site: SiteSpec, seed: number): SiteSpec {
  const draw = drawingOf(seed + 4_000_000);
  const powerTaper = [
    { socPct: 20, importFraction: 1, exportFraction: 0.3 },
    { socPct: 70, importFraction: 1, exportFraction: 1 },
    { socPct: 90, importFraction: 0.1, exportFraction: 1 },
  ];
  const rough = {
    ...(draw.chance(0.6) ? { powerTaper } : {}),
    ...(draw.chance(0.5) ? { rampKwPerS: draw.whole(1, 20) / 10 } : {}),
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
  const components = new RowKeeper();
  const ran = run(spec, { intervalMs: minutes * 60_000, components });
  return { energy: ran.energy, components: components.rows, sites: ran.record.sites };
}

/** Whole thousandths, so that sums are exact. */
const units = (value: unknown): number => Math.round(1000 * Number(value ?? 0));

function sumBy(rows: readonly Row[], key: string, column: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(String(row[key]), (sums.get(String(row[key])) ?? 0) + units(row[column]));
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
          (all, part) => all + (kind === undefined || part.component_type === kind ? units(part[column]) : 0),
          0,
        );
      expect(units(row.import_kwh)).toBe(sum("from_grid_kwh"));
      expect(units(row.grid_to_load_kwh)).toBe(sum("from_grid_kwh", "consumer"));
      expect(units(row.export_kwh)).toBe(sum("to_grid_kwh"));
      expect(units(row.self_consumed_kwh)).toBe(sum("to_load_kwh"));
      expect(units(row.consumption_kwh)).toBe(units(row.grid_to_load_kwh) + units(row.self_consumed_kwh));
      expect(units(row.curtailed_kwh)).toBe(sum("curtailed_kwh"));
      expect(units(row.imbalance_kwh)).toBe(units(row.export_kwh) - units(row.import_kwh) + units(row.baseline_kwh));
      const classes = ["fit_export_kwh", "fip_export_kwh", "non_subsidized_export_kwh"];
      expect(units(row.export_kwh)).toBe(classes.reduce((all, column) => all + units(row[column]), 0));
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
    expect(units(site.importKwh)).toBe(sumBy(fine.energy, "site", "import_kwh").get(site.site));
    expect(units(site.exportKwh)).toBe(sumBy(fine.energy, "site", "export_kwh").get(site.site));
  }
});

test.each(SEEDS)(
  "the paths make up the power at the connection point, and the stores keep their books (seed %i)",
  (seed) => {
    const spec = randomWorld(seed);
    const { sites } = tablesOf(spec, 30);
    const { energy, components } = tablesOf(spec, 30);
    const power = new RowKeeper();
    run(spec, { power, powerIntervalMs: 1000 });
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

test.each(SEEDS)("asked later at one decimal the identities close too, for any cut (seed %i)", (seed) => {
  const spec = randomWorld(seed);
  const history = new History(spec);
  const built = new World(spec, history);
  built.runBefore(END);
  const draw = drawingOf(seed);
  for (const index of [0, 1]) {
    const past = history.past(index);
    const cuts = [T0, ...Array.from({ length: 9 }, () => T0 + draw.whole(1, 6 * 3600 - 1) * 1000), END - 1].sort(
      (a, b) => a - b,
    );
    const reader = new LeafReader(past, 10, T0);
    const sums = new Float64Array(reader.values.length);
    for (const cutMs of cuts.slice(1)) {
      reader.cut(cutMs);
      const { values } = reader;
      for (let k = 0; k < sums.length; k++) sums[k] += values[k];
      const parts = past.site.spec.components.map((_, k) => values.subarray(partBase(k), partBase(k) + 9));
      const sum = (leaf: number) => parts.reduce((all, part) => all + part[leaf], 0);
      expect(values[LEAF.import]).toBe(sum(PART_LEAF.fromGrid));
      expect(values[LEAF.export]).toBe(sum(PART_LEAF.toGrid));
      expect(values[SUM.selfConsumed]).toBe(sum(PART_LEAF.toLoad));
    }
    const whole = new LeafReader(past, 10, T0);
    whole.cut(END - 1);
    expect([...sums]).toEqual([...whole.values]);
    const closed = sums.slice();
    closeSums(past.site, closed);
    expect([...closed]).toEqual([...sums]);
  }
});
