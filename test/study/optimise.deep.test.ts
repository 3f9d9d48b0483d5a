import { expect, test } from "vitest";
import { optimise } from "../../src/study/search/optimise.ts";
import { scoreCandidate } from "../../src/study/statistics/scoreCandidate.ts";
import { openEvaluator, openStudy, STUDY_HEAD } from "./studyFixtures.ts";

const optimiseStudy = (rest: string) =>
  openStudy(`${STUDY_HEAD}parameters:
  - {name: large, path: "weights.v.large", range: [0, 100]}
  - {name: small, path: "weights.v.small", range: [0, 100]}
seeds: 3
method: optimise
budget: 150
${rest}`);

test.each([
  ["shortfall alone", "objective: {minimise: shortfall_kwh}\n"],
  ["delivery, to be large", "objective: {maximise: delivery_pct}\n"],
  [
    "throughput under a constraint on delivery",
    "objective: {minimise: throughput_kwh}\nconstraints: [{kpi: delivery_pct, at_least: 60}]\n",
  ],
])("%s: as good as every point of a fine grid", async (_, rest) => {
  const open = optimiseStudy(rest);
  const { study } = open;
  const evaluator = await openEvaluator(open);
  const score = async (patches: readonly Record<string, number>[]) =>
    patches.map((patch) =>
      scoreCandidate(
        study,
        patch,
        study.seeds.map((seed) => evaluator.run(patch, seed)),
      ),
    );
  const { candidates } = await optimise(study, 5, [{}], score);
  expect(candidates.length).toBeLessThanOrEqual(150);
  const sign = study.objective.direction === "minimise" ? 1 : -1;
  const bestOf = (all: typeof candidates) =>
    Math.min(...all.filter(({ isFeasible }) => isFeasible).map(({ objective }) => sign * (objective?.mean ?? 0)));
  // Two weights matter by their ratio alone, so this grid over the ratio is a grid over everything.
  const ratios = Array.from({ length: 201 }, (_, k) => ({ "weights.v.large": k / 2, "weights.v.small": 100 - k / 2 }));
  const grid = bestOf(await score(ratios));
  expect(bestOf(candidates)).toBeLessThanOrEqual(grid + 0.005 * Math.abs(grid));
});
