import { expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { buildScenario, buildWorld, type LoadOptions } from "../../src/inputs/scenario/loadScenario.ts";
import { ScenarioSource } from "../../src/inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";

/** A mixed fleet with series, day baselines and prices. */
const FILE = "scenarios/quickstart/scenario.yaml";

test.each<LoadOptions>([
  {},
  { seed: 9 },
  { patch: { "weights.east.*": 1 } },
  { patch: { "awards.morning-reserve.delta_kw": -600 } },
  { patch: { "sites.*.link.latency_ms": 200 } },
])("a source gives for %j the same as new reading, after any earlier build", (options) => {
  const used = new ScenarioSource(FILE, diskFiles);
  buildScenario(used);
  for (const seed of [2, 3]) buildScenario(used, { seed, patch: { "weights.east.*": 0 } });
  const again = buildScenario(used, options);
  expect(again.hash).toBe(buildScenario(new ScenarioSource(FILE, diskFiles), options).hash);
  expect(again.hash).not.toBe("");
});

test("parts that no patch changes are built once", () => {
  const source = new ScenarioSource(FILE, diskFiles);
  const written = buildWorld(source);
  const patched = buildWorld(source, { patch: { "weights.east.*": 3 } });
  expect(patched.awards).toBe(written.awards);
  expect(patched.events).toBe(written.events);
  patched.sites.forEach((site, k) => {
    expect(site.components).toBe(written.sites[k].components);
    expect(site.baseline).toBe(written.sites[k].baseline);
  });
  expect(patched.vpps[0].members.every(({ allocationWeight }) => allocationWeight === 3)).toBe(true);
  expect(written.vpps[0].members.every(({ allocationWeight }) => allocationWeight === 3)).toBe(false);
});

test("an error of one build is not in the next", () => {
  const source = new ScenarioSource(FILE, diskFiles);
  expect(() => buildWorld(source, { patch: { "weights.nobody.*": 3 } })).toThrow(InputErrors);
  expect(buildWorld(source).sites.length).toBeGreaterThan(0);
  expect(source.errors.errors).toEqual([]);
});
