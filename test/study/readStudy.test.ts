import { describe, expect, test } from "vitest";
import { KPI_NAMES, kpiOf, type NumericKpiName } from "../../src/accounting/kpis/kpiRegistry.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { createDesign, type ParameterPatch, scenarioPatch } from "../../src/study/search/candidateDesign.ts";
import { runWorld } from "../runWorld.ts";
import { openStudy, STUDY_HEAD, studyErrors } from "./studyFixtures.ts";

const LARGE = '{name: large, path: "weights.v.large", values: [1, 2]}';
const SMALL = '{name: small, path: "weights.v.small", range: [0, 10], steps: 3}';
const GOAL = "objective: {minimise: shortfall_kwh}\n";
const study = (parameters: readonly string[], rest = GOAL) =>
  `${STUDY_HEAD}parameters:\n${parameters.map((line) => `  - ${line}\n`).join("")}${rest}`;

/** Key figures that a run has only where the scenario asks for them. */
const OPTIONAL_BASES = ["settlement", "investment", "battery ageing"];

test("the names of key figures are those of a run, in print order", () => {
  const { world } = loadScenario("scenarios/quickstart/scenario.yaml");
  expect([...runWorld(world, { intervalMs: 1 }).kpis.keys()]).toEqual(
    KPI_NAMES.filter((name) => !OPTIONAL_BASES.includes(kpiOf(name as NumericKpiName).basis)),
  );
});

describe("a study", () => {
  test("is read with its defaults", () => {
    const { study: read } = openStudy(study([LARGE, SMALL]));
    expect(read).toMatchObject({
      name: "s",
      scenarioFile: "/s/two.yaml",
      scenarioName: "two",
      seeds: [5],
      method: "grid",
      confidence: 0.95,
      constraints: [],
      pareto: null,
      forkAtMs: null,
      objective: { direction: "minimise", terms: [{ kpi: "shortfall_kwh", weight: 1 }], text: "shortfall_kwh" },
    });
    expect(read.parameters.map(({ writtenValue }) => writtenValue)).toEqual([100, 100]);
  });

  test.each<[string, number[]]>([
    ["seeds: 3\n", [5, 6, 7]],
    ["seeds: [9, 4]\n", [9, 4]],
  ])("%j", (line, seeds) => {
    expect(openStudy(study([LARGE], `${GOAL}${line}`)).study.seeds).toEqual(seeds);
  });

  test.each([
    ["{weights: {shortfall_kwh: 1, throughput_kwh: 0.01}}", "minimise", "1 × shortfall_kwh + 0.01 × throughput_kwh"],
    ["{minimise: {weights: {penalty_jpy: 1, revenue_jpy: -0.5}}}", "minimise", "1 × penalty_jpy - 0.5 × revenue_jpy"],
    ["{maximise: {weights: {delivery_pct: 2}}}", "maximise", "2 × delivery_pct"],
    ["{maximise: delivery_pct}", "maximise", "delivery_pct"],
  ])("objective %s", (objective, direction, text) => {
    expect(openStudy(study([LARGE], `objective: ${objective}\n`)).study.objective).toMatchObject({ direction, text });
  });

  test.each([
    ["grid", null, null],
    ["random", 9, null],
    ["lhs", 9, null],
    ["one_at_a_time", null, null],
    ["optimise", null, 7],
  ])("of method %s may have the keys of the others, and ignores them", (method, samples, budget) => {
    const { study: read } = openStudy(study([SMALL], `${GOAL}samples: 9\nbudget: 7\nmethod: ${method}\n`));
    expect([read.samples, read.budget]).toEqual([samples, budget]);
  });

  test("takes the words of a key as values, beside the one of the scenario", () => {
    const form = '{name: form, path: "sites.*.fcr_config.deadband_form", values: [full]}';
    const { study: read } = openStudy(study([form]));
    expect(read.parameters[0]).toMatchObject({ words: ["full", "subtract"], writtenValue: 1 });
    expect(createDesign(read, 1).map((patch) => scenarioPatch(read, patch))).toEqual([
      { "sites.*.fcr_config.deadband_form": "full" },
    ]);
    expect(studyErrors(study([form.replace("full", "fuller, 2"), SMALL], `${GOAL}method: lhs\nsamples: 4\n`))).toEqual([
      expect.stringContaining("parameters.0.values: found words, allowed numbers for method lhs, or method grid"),
      expect.stringContaining('parameters.0.values: found "fuller", allowed one of subtract, full'),
      expect.stringContaining('parameters.0.values: found "2", allowed one of subtract, full'),
    ]);
  });

  test("a path that matches several values has no value as written", () => {
    const { study: read } = openStudy(study(['{name: cap, path: "sites.*.components.bat.rated_cap", values: [1]}']));
    expect(read.parameters[0].writtenValue).toBeNull();
  });
});

describe("all errors come at once, each with its place:", () => {
  test.each<[string, string, string[]]>([
    [
      "figures that are none",
      study(
        [LARGE],
        "objective: {minimise: shortfal_kwh}\nconstraints: [{kpi: soc, at_least: 5}]\npareto: [shortfall_kwh, x]\n",
      ),
      [
        'study.yaml:6:23: objective.minimise: found "shortfal_kwh", allowed a figure of summary.json (did you mean shortfall_kwh?): ',
        'study.yaml:7:21: constraints.0.kpi: found "soc", allowed a figure of summary.json (did you mean soc_min_pct?): ',
        'study.yaml:8:9: pareto: found "x", allowed a figure of summary.json',
      ],
    ],
    [
      "a figure that is no number",
      study([LARGE], "objective: {minimise: uncovered_kw_peak_at}\n"),
      [
        'study.yaml:6:23: objective.minimise: found "uncovered_kw_peak_at", allowed a figure of summary.json (did you mean uncovered_kw_peak?): ',
      ],
    ],
    [
      "a Pareto front of figures that judge nothing",
      study([LARGE], `${GOAL}pareto: [shortfall_kwh, requested_kwh]\n`),
      [
        'study.yaml:7:9: pareto: found "requested_kwh", allowed a KPI that has a better direction: uncovered_kw_max, uncovered_kw_peak, fcr_',
      ],
    ],
    [
      "paths that lead nowhere",
      study(['{name: a, path: "weights.v.x*", values: [1]}', '{name: b, path: "sites.large.ems_id", values: [1]}']),
      [
        'study.yaml:5:21: parameters.0.path: found "weights.v.x*", allowed a glob that matches a member of v',
        'study.yaml:6:21: parameters.1.path: found "sites.large.ems_id", allowed a numeric key',
      ],
    ],
    [
      "values that may not stand there",
      study([
        '{name: a, path: "weights.v.large", values: [1, -1]}',
        '{name: b, path: "sites.small.components.bat.soc_op_min", range: [0, 101], steps: 3}',
      ]),
      [
        "study.yaml:5: parameters.0.values: found -1, allowed a number",
        "study.yaml:6: parameters.1.range: found 101, allowed a number",
      ],
    ],
    [
      "two parameters for one number, or of one name",
      study(['{name: a, path: "weights.v.*", values: [1]}', '{name: a, path: "weights.v.large", values: [1]}']),
      [
        'study.yaml:6: parameters.1.name: found "a" again, allowed each name once',
        "study.yaml:6: parameters.1.path: found a target that weights.v.* sets too, allowed one path for each target",
      ],
    ],
    [
      "a grid without what it needs",
      study(['{name: a, path: "weights.v.*", range: [0, 1]}']),
      ["study.yaml:5: parameters.0.steps: a value is required (the number of points"],
    ],
    [
      "samples missing",
      study([LARGE], `${GOAL}method: lhs\n`),
      ["study.yaml:1:1: samples: a value is required (a number of candidates for method lhs)"],
    ],
    [
      "a range the wrong way round",
      study(['{name: a, path: "weights.v.*", range: [3, 1], steps: 2}']),
      ["study.yaml:5: parameters.0.range: found [3, 1], allowed two numbers, the lower one first"],
    ],
    [
      "none and two of what a parameter varies over",
      study([
        '{name: a, path: "weights.v.large"}',
        '{name: b, path: "weights.v.small", scale: [1], range: [0, 1]}',
        '{name: c, path: "sites.large.components.bat.rated_cap", scale: {range: [2, 1]}}',
      ]),
      [
        "study.yaml:5:5: parameters.0: found none; give one of values, range and scale",
        "study.yaml:6: parameters.1.scale: found range and scale; give one of values, range and scale",
        "study.yaml:7: parameters.2.scale.range: found [2, 1], allowed two numbers, the lower one first",
      ],
    ],
    [
      "factors that may not stand there",
      study([
        '{name: a, path: "weights.v.large", scale: [-1]}',
        '{name: b, path: "sites.large.components.bat.rated_cap", scale: [0, 1]}',
        '{name: c, path: "sites.large.components.bat.model.ramp_kw_per_s", scale: {range: [1, 2], steps: 2}}',
      ]),
      [
        "study.yaml:5: parameters.0.scale.0: found -1, allowed",
        'study.yaml:6: parameters.1.scale: found "*0" (0), allowed a number from 0.001',
        'study.yaml:7: parameters.2.scale: found "*1"; there is no value to scale; set one',
      ],
    ],
    [
      "a fork with other than weights, and outside the run",
      study(
        ['{name: cap, path: "sites.large.components.bat.rated_cap", values: [1]}'],
        `${GOAL}fork_at: 2026-04-02T00:00:00Z\n`,
      ),
      [
        'study.yaml:5: parameters.0.path: found "sites.large.components.bat.rated_cap", allowed weights',
        "study.yaml:7:10: fork_at: found 2026-04-02T00:00:00Z, allowed an instant after 2026-04-01T00:00:00Z and before",
      ],
    ],
    [
      "no scenario",
      study([LARGE]).replace("two.yaml", "three.yaml"),
      ["file not found: three.yaml (a readable scenario file)"],
    ],
  ])("%s", (_, text, expected) => {
    const errors = studyErrors(text);
    expect(errors).toHaveLength(expected.length);
    expected.forEach((start, k) => {
      // The column is left out where it is that of a long line's middle.
      const found = /:\d+:\d+:/.test(start) ? errors[k] : errors[k].replace(/^([^:]*:\d+):\d+/, "$1");
      expect(found.startsWith(start), found).toBe(true);
    });
  });
});

describe("candidates", () => {
  const of = (method: string, parameters = [LARGE, SMALL], rest = ""): ParameterPatch[] => {
    const { study: read } = openStudy(study(parameters, `${GOAL}method: ${method}\n${rest}`));
    return createDesign(read, 5);
  };
  const at = (large: number, small: number) => ({ "weights.v.large": large, "weights.v.small": small });

  test("of a grid: all points, the last parameter fastest", () => {
    expect(of("grid")).toEqual([at(1, 0), at(1, 5), at(1, 10), at(2, 0), at(2, 5), at(2, 10)]);
  });

  test("one at a time: the others as written", () => {
    expect(of("one_at_a_time")).toEqual([
      { "weights.v.large": 1 },
      { "weights.v.large": 2 },
      { "weights.v.small": 0 },
      { "weights.v.small": 5 },
      { "weights.v.small": 10 },
    ]);
  });

  test("at random: within the limits, the same again from the same seed, another parameter moves none", () => {
    const found = of("random", [LARGE, SMALL], "samples: 40\n");
    expect(found).toHaveLength(40);
    for (const patch of found) {
      expect([1, 2]).toContain(patch["weights.v.large"]);
      expect(patch["weights.v.small"]).toBeGreaterThanOrEqual(0);
      expect(patch["weights.v.small"]).toBeLessThan(10);
    }
    expect(new Set(found.map((patch) => patch["weights.v.small"])).size).toBe(40);
    expect(of("random", [LARGE, SMALL], "samples: 40\n")).toEqual(found);
    expect(of("random", [SMALL], "samples: 40\n").map((patch) => patch["weights.v.small"])).toEqual(
      found.map((patch) => patch["weights.v.small"]),
    );
  });

  test("of a Latin hypercube: one in each stratum of every parameter", () => {
    const found = of("lhs", [LARGE, SMALL], "samples: 20\n");
    const strata = found.map((patch) => Math.floor(patch["weights.v.small"] * 2)).sort((a, b) => a - b);
    expect(strata).toEqual(Array.from({ length: 20 }, (_, k) => k));
    expect(found.filter((patch) => patch["weights.v.large"] === 1)).toHaveLength(10);
  });
});

test.each([
  [
    "seeds: 3\n",
    "found 3 seeds for the worst 20 %, allowed seeds: 4 or more, of which a race makes 64: the tail needs 5 of at least 60 seeds",
  ],
  ["seeds: 12\n", null],
  ["seeds: 59\nallocation: equal\n", "found 59 seeds for the worst 20 %, allowed seeds: 60 or more"],
  ["seeds: 60\nallocation: equal\n", null],
  ["seeds: 12\n", "found 12 seeds for the worst 5 %, allowed seeds: 41 or more, of which a race makes 82: the tail", 5],
  ["seeds: 41\n", null, 5],
])("the tail of %j says how many seeds it needs: %s", (rest, message, worstPct = 20) => {
  const objective = `objective: {minimise: {tail: shortfall_kwh, worst_pct: ${worstPct}}}\n`;
  const text = `${STUDY_HEAD}parameters: [{name: large, path: "weights.v.large", range: [0, 100]}]\nmethod: lhs\nsamples: 2\n${objective}${rest}`;
  if (message === null) expect(openStudy(text).study.objective.worstPct).toBe(worstPct);
  else expect(studyErrors(text).join()).toContain(message);
});
