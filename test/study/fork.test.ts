// Studies with fork_at: what comes before is run once for a seed, and nobody sees it in the answers.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SimulationRun } from "../../src/accounting/simulationRun.ts";
import type { ParameterPatch } from "../../src/study/search/candidateDesign.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import { Evaluator } from "../../src/study/workers/evaluator.ts";
import type { Executor, StudyJob } from "../../src/study/workers/executor.ts";
import { CACHED_SEEDS_MAX } from "../../src/study/workers/fork.ts";
import { createInlineWorker, sharedExecutor } from "../../src/study/workers/sharedExecutor.ts";
import { FORKED_STUDY, ForkedStudyRuns, runFromStart } from "./forkedStudy.ts";
import { openEvaluator, openStudy, TWO_BATTERIES } from "./studyFixtures.ts";

afterEach(() => vi.restoreAllMocks());

/** @returns how many runs were brought to the fork from their start */
function countBeginnings(): () => number {
  const advance = vi.spyOn(SimulationRun.prototype, "advanceUntil");
  return () => advance.mock.calls.length;
}

test("candidates have the figures that each would have by itself", async () => {
  const study = openStudy(FORKED_STUDY);
  const evaluator = await openEvaluator(study);
  const patches: ParameterPatch[] = [
    {},
    { "weights.v.large": 0 },
    { "weights.v.*": 250, "vpps.v.fcr_energy_test_minutes": 30 },
    { "weights.v.small": 0 },
  ];
  const seeds = [5, 6, 7, 5];
  const found = seeds.flatMap((seed) => patches.map((patch) => evaluator.run(patch, seed).kpis));
  expect(found).toEqual(seeds.flatMap((seed) => patches.map((patch) => runFromStart(study, patch, seed))));
  expect(new Set(found.map((kpis) => JSON.stringify(kpis))).size).toBeGreaterThan(6);
});

test("weights that a candidate does not set stay as events before the fork have left them", async () => {
  const scenario = `${TWO_BATTERIES}events:
  - {at: 2026-04-01T05:00:00Z, kind: set_weight, vpp: v, site: large, allocation_weight: 0}
`;
  const study = openStudy(FORKED_STUDY, scenario);
  const written = await Evaluator.open(study.source, null);
  const forked = await Evaluator.open(study.source, study.study.forkAtMs);
  const patches: ParameterPatch[] = [{}, { "weights.v.small": 100 }, { "vpps.v.fcr_energy_test_minutes": 30 }];
  for (const patch of patches) expect(forked.run(patch, 5), JSON.stringify(patch)).toEqual(written.run({}, 5));
  expect(forked.run({ "weights.v.large": 100 }, 5)).not.toEqual(written.run({}, 5));
});

test("a candidate that the scenario refuses has its reason on every seed", async () => {
  const evaluator = await openEvaluator(openStudy(FORKED_STUDY));
  for (const seed of [5, 6]) {
    const { kpis, refusal } = evaluator.run({ "weights.v.large": -1 }, seed);
    expect(kpis).toBeNull();
    expect(refusal).toContain("-1");
  }
});

describe("the part before the fork is run", () => {
  test("once for a seed, whatever the order of the candidates", async () => {
    const evaluator = await openEvaluator(openStudy(FORKED_STUDY));
    const beginnings = countBeginnings();
    for (const large of [0, 100, 300]) for (const seed of [5, 6, 7]) evaluator.run({ "weights.v.large": large }, seed);
    expect(beginnings()).toBe(3);
  });

  test(`again where more than ${CACHED_SEEDS_MAX} other seeds came in between: no more are kept`, async () => {
    const evaluator = await openEvaluator(openStudy(FORKED_STUDY));
    const beginnings = countBeginnings();
    for (let seed = 0; seed < CACHED_SEEDS_MAX; seed++) evaluator.run({}, seed);
    evaluator.run({}, 0);
    expect(beginnings()).toBe(CACHED_SEEDS_MAX);
    // Seed 0 was asked for just now, so that seed 1 has to go.
    evaluator.run({}, 99);
    evaluator.run({}, 0);
    expect(beginnings()).toBe(CACHED_SEEDS_MAX + 1);
    evaluator.run({}, 1);
    expect(beginnings()).toBe(CACHED_SEEDS_MAX + 2);
  });
});

describe("a whole study", () => {
  let runs: ForkedStudyRuns;
  beforeEach(() => {
    runs = new ForkedStudyRuns();
  });

  /** Sees the jobs on their way. */
  const watched = (inner: Executor, seen: (jobs: readonly StudyJob[]) => void): Executor => ({
    ...inner,
    run: (jobs, onResults, signal) => {
      seen(jobs);
      return inner.run(jobs, onResults, signal);
    },
  });

  test("runs the part before the fork once for each of its 3 seeds and of the 3 held out, in each thread", async () => {
    const beginnings = countBeginnings();
    await runs.run("one", inlineExecutor(await openEvaluator(runs.open())));
    expect(beginnings()).toBe(6);
    const workers = [
      createInlineWorker(await openEvaluator(runs.open())),
      createInlineWorker(await openEvaluator(runs.open())),
    ];
    await runs.run(
      "two",
      sharedExecutor(workers, async () => {}),
    );
    expect(beginnings() - 6).toBeLessThanOrEqual(2 * 6);
    expect(runs.sortedResults("two")).toEqual(runs.sortedResults("one"));
  });

  test("hands out the candidates of a seed one after the other, some at a time", async () => {
    const text = FORKED_STUDY.replace("values: [0, 100, 300]", "range: [0, 99], steps: 50");
    writeFileSync(join(runs.folder, "study.yaml"), text);
    const lists: (readonly StudyJob[])[] = [];
    await runs.run(
      "one",
      watched(inlineExecutor(await openEvaluator(runs.open())), (jobs) => lists.push(jobs)),
    );
    const design = lists.find((jobs) => jobs.length > 200) ?? [];
    const seeds = design.map((job) => job.seeds.join());
    // So many candidates on each seed, then the others.
    const block = (count: number) => ["5", "6", "7"].flatMap((seed) => new Array<string>(count).fill(seed));
    expect(seeds).toEqual([...block(64), ...block(design.length / 3 - 64)]);
  });
});
