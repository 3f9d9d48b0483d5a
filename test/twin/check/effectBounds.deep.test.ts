import { describe, expect, it } from "vitest";
import { isoUtc, MS_PER_DAY, MS_PER_HOUR } from "../../../src/base/time.ts";
import { RandomStreams } from "../../../src/engine/kernel/randomStreams.ts";
import { buildScenario } from "../../../src/inputs/scenario/loadScenario.ts";
import type { Patch } from "../../../src/inputs/scenario/patch/patchValue.ts";
import { ScenarioSource } from "../../../src/inputs/scenario/scenarioSource.ts";
import { checkTwin } from "../../../src/twin/check/checkTwin.ts";
import { asMeasured, runSampled } from "../../../src/twin/check/simulatedSamples.ts";
import { calibrate, parameterSets } from "../../../src/twin/fit/calibrate.ts";
import { type MeasuredSite, siteWithin } from "../../../src/twin/measured/measuredSeries.ts";
import { halvingEffects } from "../whatIf.ts";

const START_MS = Date.UTC(2026, 2, 1);
const FITTED_DAYS = 5;
const DAYS = 9;
const CASES = 50;
const HELD_MIN = 45;

interface Uniform {
  nextUniform(): number;
}

const between = (stream: Uniform, low: number, high: number): number => low + (high - low) * stream.nextUniform();

/** Four batteries by their nameplates: a charge at night, a discharge at noon and one in the evening that empties some of them. */
function nameplates(stream: Uniform): string {
  const sites = [0, 1, 2, 3].map((k) => ({ name: `b${k}`, capKwh: Math.round(between(stream, 600, 2000)) }));
  const site = ({ name, capKwh }: (typeof sites)[number]) => ({
    name,
    components: [
      {
        component_id: "bat",
        component_type: "battery",
        rated_cap: capKwh,
        import_pwr_max: Math.round(capKwh / 3),
        export_pwr_max: Math.round(capKwh / 3),
        soc_op_min: 10,
        soc_op_max: 90,
        model: { initial_soc: 50 },
      },
    ],
  });
  const totalKw = sites.reduce((sum, { capKwh }) => sum + capKwh / 3, 0);
  const awards = Array.from({ length: DAYS }, (_, day) =>
    [
      { hour: 1, hours: 4, share: between(stream, 0.45, 0.7) },
      { hour: 10, hours: 2, share: -between(stream, 0.3, 0.5) },
      { hour: 17, hours: 3, share: -between(stream, 0.4, 0.6) },
    ].map(({ hour, hours, share }) => ({
      vpp: "v",
      sku: "frr",
      start: isoUtc(START_MS + day * MS_PER_DAY + hour * MS_PER_HOUR),
      end: isoUtc(START_MS + day * MS_PER_DAY + (hour + hours) * MS_PER_HOUR),
      delta_kw: Math.round(share * totalKw),
    })),
  ).flat();
  return JSON.stringify({
    version: 1,
    name: "drawn",
    start: isoUtc(START_MS),
    end: isoUtc(START_MS + DAYS * MS_PER_DAY),
    seed: 1,
    sites: sites.map(site),
    vpps: [
      {
        name: "v",
        members: sites.map(({ name, capKwh }) => ({
          site: name,
          resource_type: "battery",
          allocation_weight: Math.round(between(stream, 0.5, 1.5) * capKwh),
        })),
      },
    ],
    awards,
  });
}

/** The parameters that the plant has and its nameplates do not say. */
function plantOf(stream: Uniform, source: ScenarioSource): Patch {
  const patch: Record<string, number> = {};
  for (const { name } of source.content?.sites ?? []) {
    const path = `sites.${name}.components.bat`;
    patch[`${path}.rated_cap`] = Number(source.readValuesAt(`${path}.rated_cap`)?.[0]) * between(stream, 0.8, 1.05);
    const efficiency = between(stream, 0.88, 0.98);
    patch[`${path}.model.charge_efficiency`] = efficiency;
    patch[`${path}.model.discharge_efficiency`] = efficiency;
  }
  return patch;
}

const sourceOf = (text: string): ScenarioSource => {
  const bytes = new TextEncoder().encode(text);
  return new ScenarioSource("drawn.yaml", { read: (path) => (path.endsWith("drawn.yaml") ? bytes : null) });
};

/** Samples with meter noise of 0.5 % of the rating and a state of charge in tenths. */
async function measure(source: ScenarioSource, plant: Patch, stream: { nextNormal(): number }) {
  const { world } = buildScenario(source, { patch: plant });
  const { samples } = await runSampled(world);
  return new Map(
    world.sites.map(({ name }, k): [string, MeasuredSite] => {
      const own = samples[k];
      const noiseKw = 0.005 * Math.max(...own.currentKw.filter((kw) => !Number.isNaN(kw)));
      const noisy = {
        ...own,
        currentKw: own.currentKw.map((kw) => kw + noiseKw * stream.nextNormal()),
        socPct: own.socPct.map((pct) => Math.round(10 * pct) / 10),
      };
      return [name, asMeasured(name, noisy, world.startMs)];
    }),
  );
}

const fittedToMs = START_MS + FITTED_DAYS * MS_PER_DAY;

async function drawnCase(seed: number) {
  const stream = new RandomStreams(seed).getStream("fleet", "drawn");
  const source = sourceOf(nameplates(stream));
  const plant = plantOf(stream, source);
  const measured = await measure(source, plant, stream);
  const fitted = new Map(
    [...measured].flatMap(([name, site]) => {
      const within = siteWithin(site, START_MS, fittedToMs);
      return within === null ? [] : [[name, within] as const];
    }),
  );
  const { world } = buildScenario(source);
  const calibration = calibrate(world.sites, fitted, { level: 0.95, resamples: 50, seed: 1 });
  const patch = Object.fromEntries(
    calibration.parameters.flatMap(({ path, value, status }) =>
      path === null || value === null || status !== "identified" ? [] : [[path, value]],
    ),
  );
  const period = { fromMs: fittedToMs, toMs: START_MS + DAYS * MS_PER_DAY, folder: "." };
  const rest = { source, measured, ...period, seedCount: 1, onProgress: () => {} };
  const twin = await checkTwin({ ...rest, patch, draws: parameterSets(calibration, 50) });
  const truth = await checkTwin({ ...rest, patch: plant, draws: [] });
  const site = `b${seed % 4}`;
  const [[inTwinKwh], [inTruthKwh]] = [
    await halvingEffects(sourceOf(twin.scenarioText), "v", [site]),
    await halvingEffects(sourceOf(truth.scenarioText), "v", [site]),
  ];
  const errorKwh = Math.abs(inTwinKwh - inTruthKwh);
  return { errorKwh, withinKwh: twin.within.shortfallKwh, identified: Object.keys(patch).length };
}

describe("the bound of a what-if on weights", () => {
  it("holds for the effect of halving a weight on drawn fleets", { timeout: 600_000 }, async () => {
    const cases = [];
    for (let seed = 1; seed <= CASES; seed++) cases.push(await drawnCase(seed));
    // Every fleet has calibrated capacities, so that the bound is that of a twin.
    expect(Math.min(...cases.map(({ identified }) => identified))).toBeGreaterThanOrEqual(4);
    const held = cases.filter(({ errorKwh, withinKwh }) => errorKwh <= withinKwh);
    expect(held.length, JSON.stringify(cases)).toBeGreaterThanOrEqual(HELD_MIN);
  });
});
