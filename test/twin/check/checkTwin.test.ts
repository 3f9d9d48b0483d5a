import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadScenario } from "../../../src/inputs/scenario/loadScenario.ts";
import type { Patch } from "../../../src/inputs/scenario/patch/patchValue.ts";
import { ScenarioSource } from "../../../src/inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../../../src/platform/node/diskFiles.ts";
import { createPageLocale } from "../../../src/report/html/page/pageLocale.ts";
import { checkJson } from "../../../src/twin/check/checkJson.ts";
import { renderCheckPage } from "../../../src/twin/check/checkPage.ts";
import { checkTwin } from "../../../src/twin/check/checkTwin.ts";
import { checkSentence } from "../../../src/twin/check/checkVerdict.ts";
import { asMeasured, runSampled } from "../../../src/twin/check/simulatedSamples.ts";
import { siteError } from "../../../src/twin/check/siteErrors.ts";
import { measuredSite } from "../../../src/twin/measured/measuredSeries.ts";

const FILE = "scenarios/quickstart/scenario.yaml";
const CAPACITY = "sites.battery-large.components.bat.rated_cap";

/** What the quickstart measures if its plant has other parameters. */
async function measuredPlant(patch: Patch) {
  const { world } = loadScenario(FILE, { patch });
  const { samples, record } = await runSampled(world);
  const sites = world.sites.map(({ name }, k) => [name, asMeasured(name, samples[k], world.startMs)] as const);
  return { record, sites: new Map(sites) };
}

const FROM = "2026-05-20T00:00:00+09:00";

const check = async (options: {
  plant?: Patch;
  patch?: Patch;
  draws?: readonly Patch[];
  from?: string;
  unmeasured?: string;
}) =>
  checkTwin({
    source: new ScenarioSource(FILE, diskFiles),
    measured: new Map(
      [...(await measuredPlant(options.plant ?? {})).sites].filter(([name]) => name !== options.unmeasured),
    ),
    patch: options.patch ?? {},
    draws: options.draws ?? [],
    fromMs: Date.parse(options.from ?? FROM),
    toMs: Date.parse("2026-05-21T00:00:00+09:00"),
    folder: "reports/check",
    seedCount: 1,
    onProgress: () => {},
  });

describe("check of a twin", () => {
  it("finds no error in a twin that is the plant", async () => {
    const { sites, total, awards, within, isGoodEnough } = await check({ draws: [{}] });
    expect(sites.map(({ kwMae }) => kwMae)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(total).toEqual({ kwMae: 0, kwhErrorPct: 0 });
    expect(awards).toHaveLength(9);
    for (const { shortfallKwh, deliveredKwh, uncoveredKw } of awards) {
      expect(shortfallKwh.twin).toBeCloseTo(shortfallKwh.measured, 6);
      expect(deliveredKwh.twin).toBeCloseTo(deliveredKwh.measured, 6);
      expect(uncoveredKw.twin).toBeCloseTo(uncoveredKw.measured, 6);
    }
    expect(within.shortfallKwh).toBeCloseTo(0, 6);
    expect(isGoodEnough).toBe(true);
  });

  it("shows the state of charge and the power that a wrong capacity misses", async () => {
    const plant = { [CAPACITY]: 2000 };
    const { sites, awards, isGoodEnough, within } = await check({ plant, draws: [{}] });
    const [large, medium] = sites;
    expect(large.socMaePct).toBeGreaterThan(5);
    expect(medium.socMaePct).toBe(0);
    const { record } = await measuredPlant(plant);
    const measuredKwh = record.awards.map(({ shortfallKwh }) => shortfallKwh ?? 0);
    // Samples of a minute see no more than the energy of a minute late.
    awards.forEach(({ shortfallKwh }, k) => {
      expect(Math.abs(shortfallKwh.measured - measuredKwh[k])).toBeLessThan(15);
    });
    expect(within.shortfallKwh).toBeGreaterThan(100);
    expect(isGoodEnough).toBe(false);
    const calibrated = await check({ plant, patch: plant, draws: [plant] });
    expect(calibrated.sites[0].socMaePct).toBe(0);
    expect(calibrated.isGoodEnough).toBe(true);
  });

  it("gives no bound without a calibration, and compares no award of which a member was not measured", async () => {
    const sentenceOf = (result: Awaited<ReturnType<typeof check>>) =>
      checkSentence(result, createPageLocale("en", "Asia/Tokyo", result.scenario.world));
    const uncalibrated = await check({});
    expect(uncalibrated.isGoodEnough).toBe(false);
    expect(sentenceOf(uncalibrated)).toContain("is worth is not known: no calibration is beside the patch");
    const partial = await check({ unmeasured: "battery-small", draws: [{}] });
    expect(partial).toMatchObject({ awards: [], isGoodEnough: false });
    expect(sentenceOf(partial)).toMatch(/^No award of 20 May 2026 .* was measured at all members/);
  });

  it("counts the samples with a dispatched delta alone as in orders", () => {
    const timesMs = Float64Array.from([0, 1, 2, 3], (minute) => minute * 60_000);
    const columns = new Map([
      ["current_kw", Float64Array.of(0, 100, 100, 0)],
      ["dispatched_delta_kw", Float64Array.of(Number.NaN, 100, 100, 0)],
    ] as const);
    const site = measuredSite("b", [{ label: "instant", spacingMs: 60_000, timesMs, columns }]);
    const none = new Float64Array(4).fill(Number.NaN);
    const twin = { currentKw: Float64Array.of(40, 90, 100, 20), socPct: none, baselineKw: none, deltaKw: none };
    const error = siteError(site, twin, { startMs: 0 }, () => true);
    expect(error).toMatchObject({ kwMae: 17.5, kwBias: 12.5, kwMaeInOrders: 5, rows: 4, socMaePct: null });
  });

  it("adds the spread of the effect over parameter sets", async () => {
    const narrow = await check({ draws: [{ [CAPACITY]: 3990 }, { [CAPACITY]: 4010 }] });
    const broad = await check({ draws: [{ [CAPACITY]: 1500 }, { [CAPACITY]: 4010 }] });
    expect(narrow.within.shortfallKwh).toBeLessThan(broad.within.shortfallKwh);
    expect(broad.within.shortfallKwh).toBeGreaterThan(1);
  });

  it("starts with the state of charge, weights, orders and conditions that are in force", async () => {
    const { scenarioText, sites } = await check({ from: "2026-05-20T12:10:00+09:00" });
    const document = parse(scenarioText);
    expect(document.start).toBe("2026-05-20T03:10:00Z");
    expect(document.awards[0]).toMatchObject({
      award_id: "noon-sale",
      start: document.start,
      end: "2026-05-20T04:00:00Z",
    });
    expect(document.awards).toHaveLength(6);
    const east = document.vpps[0].members;
    expect(east.find(({ site }: { site: string }) => site === "pv-hill").allocation_weight).toBe(900);
    const cut = document.events.find(({ kind }: { kind: string }) => kind === "output_control");
    expect(cut).toMatchObject({ at: document.start, duration: "PT3000S" });
    expect(document.sites[0].components[0].model.initial_soc).not.toBe(45);
    expect(sites.map(({ socEndErrorPct }) => Math.abs(socEndErrorPct ?? 0) < 0.5)).toEqual(Array(6).fill(true));
  });

  it("states the answer in JSON and on a page", async () => {
    const result = await check({ plant: { [CAPACITY]: 2000 } });
    const locale = createPageLocale("en", "Asia/Tokyo", result.scenario.world);
    const json = JSON.parse(JSON.stringify(checkJson(result, "calibration.patch.yaml", locale)));
    expect(json).toMatchObject({ format: "vppsim-twin-check", vpp: "east", patch: "calibration.patch.yaml" });
    const { weights } = json.answers;
    expect(weights.sentence).toMatch(/^Over 20 May 2026 00:00 .* the twin's shortfall was [\d.,]+\skWh, measured/);
    expect(weights.sentence).toContain("Largest doubt: battery-large");
    expect(weights.limiting[0].site).toBe("battery-large");
    const page = renderCheckPage(result, [], [], locale);
    expect(page).toContain(weights.sentence.slice(0, 20));
    expect(page.length).toBeLessThan(1_000_000);
  });

  it("refuses a period outside the scenario or without measurements", async () => {
    await expect(check({ from: "2026-05-19T00:00:00+09:00" })).rejects.toThrow(/within that of the scenario/);
    const source = new ScenarioSource(FILE, diskFiles);
    const period = { fromMs: Date.parse(FROM), toMs: Date.parse(FROM) + 3_600_000 };
    const rest = { patch: {}, draws: [], folder: "reports/check", seedCount: 1, onProgress: () => {} };
    await expect(checkTwin({ source, measured: new Map(), ...period, ...rest })).rejects.toThrow(
      /no row of the period/,
    );
  });
});
