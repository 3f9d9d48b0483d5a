import { describe, expect, test } from "vitest";
import { utf8Bytes } from "../../../src/base/bytes.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";
import { readScenario } from "../../../src/inputs/scenario/loadScenario.ts";
import { readPatch } from "../../../src/inputs/scenario/patch/applyPatch.ts";
import { createPageLocale } from "../../../src/report/html/page/pageLocale.ts";
import { calibrate, parameterSets } from "../../../src/twin/fit/calibrate.ts";
import { calibrationJson, calibrationPatch, fittedPeriodOf } from "../../../src/twin/fit/calibrationFiles.ts";
import { renderCalibrationHtml } from "../../../src/twin/fit/calibrationPage.ts";
import { type MeasuredSite, measuredSite } from "../../../src/twin/measured/measuredSeries.ts";
import { BATTERY, drawnSteps, meteredBattery, START_MS } from "./measuredBattery.ts";

const DAYS = 6;
const PERIOD = { fromMs: START_MS, toMs: START_MS + DAYS * 86_400_000 };
const OPTIONS = { level: 0.95, resamples: 50, seed: 1 };

const SCENARIO = `version: 1
name: two
start: 2026-04-01T00:00:00Z
end: 2026-04-02T00:00:00Z
sites:
${["one", "two"]
  .map(
    (name) => `  - name: ${name}
    components: [{component_id: bat, component_type: battery, fcr_capable: true, rated_cap: 800, import_pwr_max: 250, export_pwr_max: 250, soc_op_min: 5, soc_op_max: 95}]`,
  )
  .join("\n")}
vpps: [{name: v, members: [{site: one, resource_type: battery}, {site: two, resource_type: battery}]}]
`;

const load = (patch?: string) => {
  const texts = new Map([
    ["scenario.yaml", SCENARIO],
    ["patch.yaml", patch ?? ""],
  ]);
  const files = { read: (path: string) => utf8Bytes(texts.get(path.split("/").at(-1) ?? "") ?? "") };
  return readScenario("scenario.yaml", patch === undefined ? {} : { patch: readPatch("patch.yaml", files) }, files);
};

const measured = (name: string, ratedCapKwh: number): MeasuredSite =>
  measuredSite(name, [
    meteredBattery({ ...BATTERY, ratedCapKwh }, drawnSteps(BATTERY, DAYS, ratedCapKwh), PERIOD.toMs),
  ]);

const SITES = load().world.sites;
const MEASURED = new Map([
  ["one", measured("one", 700)],
  ["two", measured("two", 900)],
]);

const calibrated = (sites: readonly SiteSpec[] = SITES, of = MEASURED) => calibrate(sites, of, OPTIONS);

const SOURCE = { ...OPTIONS, scenarioHash: "h", files: [], period: PERIOD };

test("the order of the sites, and other sites, change nothing", () => {
  const all = calibrated();
  const reversed = calibrated([...SITES].reverse());
  const alone = calibrated(SITES, new Map([["two", measured("two", 900)]]));
  const of = (name: string, { parameters }: typeof all) => parameters.filter(({ site }) => site === name);
  for (const name of ["one", "two"]) expect(of(name, reversed)).toEqual(of(name, all));
  expect(of("two", alone)).toEqual(of("two", all));
});

test("the same input gives the same bytes", () => {
  expect(calibrationJson(calibrated(), SOURCE)).toBe(calibrationJson(calibrated(), SOURCE));
});

describe("the patch", () => {
  const calibration = calibrated();
  const patch = calibrationPatch(calibration, SOURCE);

  test("sets what was identified, and names the fitted period", () => {
    const patchedSites = load(patch).world.sites;
    const capacities = patchedSites.map(({ components: [battery] }) => "ratedCapKwh" in battery && battery.ratedCapKwh);
    expect(Number(capacities[0]) / 700).toBeCloseTo(1, 1.5);
    expect(Number(capacities[1]) / 900).toBeCloseTo(1, 1.5);
    expect(fittedPeriodOf(patch)).toEqual(PERIOD);
    expect(fittedPeriodOf("{}")).toBeNull();
    expect(patch).not.toContain("round_trip");
  });

  test("is empty with a comment where nothing is identifiable", () => {
    const nothing = calibrationPatch(calibrated(SITES, new Map()), SOURCE);
    expect(nothing).toContain("# Nothing was identifiable; calibration.json says why.\n{}\n");
    expect(load(nothing).world.sites).toEqual(SITES);
  });
});

test("a set of parameters has all of one resample", () => {
  const sets = parameterSets(calibrated(), 3);
  expect(sets).toHaveLength(3);
  const path = "sites.one.components.bat";
  for (const set of sets)
    expect(set[`${path}.model.charge_efficiency`]).toBe(set[`${path}.model.discharge_efficiency`]);
  expect(sets[0][`${path}.rated_cap`]).not.toBe(sets[1][`${path}.rated_cap`]);
});

test("a site of several components has no estimates", () => {
  const [site] = SITES;
  const several = { ...site, components: [...site.components, ...site.components] };
  const { parameters } = calibrated([several]);
  expect(parameters).toMatchObject([{ parameter: "components", status: "not_identifiable", path: null }]);
  expect(parameters[0].why).toContain("one meter measures 2 components");
});

test("the page has estimates and reasons in both languages, and loads nothing", () => {
  const scenario = load();
  for (const [language, title] of [
    ["en", "Not identifiable"],
    ["ja", "同定できないパラメータ"],
  ] as const) {
    const locale = createPageLocale(language, "UTC", scenario.world);
    const page = renderCalibrationHtml(calibrated(), SOURCE, scenario, locale);
    expect(page).toContain(title);
    expect(page).toContain("AC power and SOC give only the product of the efficiencies");
    expect(page).not.toMatch(/(src|href)="https?:/);
  }
});
