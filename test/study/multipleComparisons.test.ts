import { describe, expect, test } from "vitest";
import { NUMERIC_KPI_NAMES } from "../../src/accounting/kpis/kpiRegistry.ts";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import type { ParameterPatch } from "../../src/study/search/candidateDesign.ts";
import {
  bonferroniConfidence,
  compareWithAll,
  countIndistinguishable,
} from "../../src/study/statistics/multipleComparisons.ts";
import {
  bestCandidateIndex,
  pairedDifference,
  type ScoredCandidate,
  scoreCandidate,
} from "../../src/study/statistics/scoreCandidate.ts";
import type { Study } from "../../src/study/study.ts";
import { runs } from "../depth.ts";
import { openStudy, STUDY_HEAD } from "./studyFixtures.ts";

const SEEDS = 8;
const studyOf = (direction: "minimise" | "maximise", seeds = SEEDS): Study =>
  openStudy(`${STUDY_HEAD}parameters:
  - {name: large, path: "weights.v.large", range: [0, 1000]}
  - {name: small, path: "weights.v.small", range: [0, 1000]}
seeds: ${seeds}
method: random
samples: 1
objective: {${direction}: shortfall_kwh}
`).study;
const study = studyOf("minimise");

const PLACE = NUMERIC_KPI_NAMES.indexOf("shortfall_kwh");
/** A candidate whose shortfall is given seed by seed. */
const scored = (patch: ParameterPatch, values: readonly number[], of: Study = study): ScoredCandidate =>
  scoreCandidate(
    of,
    patch,
    values.map((value) => ({ kpis: NUMERIC_KPI_NAMES.map((_, k) => (k === PLACE ? value : 0)), refusal: null })),
  );
const numbered = (k: number): ParameterPatch => ({ "weights.v.large": k });
/** The scenario has 100 for both. */
const WRITTEN: ParameterPatch = {};

test.each([
  [0, 0.95, 0.95],
  [1, 0.95, 0.95],
  [4, 0.95, 0.9875],
  [10, 0.9, 0.99],
])("of %i comparisons at %f each takes %f", (comparisons, confidence, each) => {
  expect(bonferroniConfidence(comparisons, confidence)).toBeCloseTo(each, 12);
});

describe("differences that hold together", () => {
  const values = (add: number) => Array.from({ length: SEEDS }, (_, k) => add + 0.1 * k * k);

  test("are at the confidence of each, and leave out the candidate by whatever name", () => {
    const best = scored({ "weights.v.large": 100 }, values(0));
    const others = [
      scored(WRITTEN, values(0)),
      scored(numbered(7), [3, 1, 4, 1, 5, 9, 2, 6]),
      scored({ "weights.v.small": 100, "weights.v.large": 7 }, [3, 1, 4, 1, 5, 9, 2, 6]),
      scored(numbered(8), [2, 7, 1, 8, 2, 8, 1, 8]),
    ];
    const { count, differences } = compareWithAll(study, best, others);
    expect(count).toBe(2);
    expect(differences[0]).toBeNull();
    expect(differences[1]).toEqual(pairedDifference(study, best, others[1], 0.975));
    expect(differences[2]).toEqual(differences[1]);
    expect(differences[3]).toEqual(pairedDifference(study, best, others[3], 0.975));
  });

  test("cover all true differences at once with the stated probability, where single intervals do not", () => {
    const stream = new RandomStreams(21).getStream("coverage", "together");
    const trials = runs(3000, 600);
    let together = 0;
    let alone = 0;
    for (let trial = 0; trial < trials; trial++) {
      const seedEffects = Array.from({ length: SEEDS }, () => 50 * stream.nextNormal());
      const draw = (mean: number) => seedEffects.map((effect) => effect + mean + 3 * stream.nextNormal());
      const best = scored(numbered(0), draw(10));
      const others = [11, 12, 10, 14].map((mean, k) => ({ mean, one: scored(numbered(1 + k), draw(mean)) }));
      const found = compareWithAll(
        study,
        best,
        others.map(({ one }) => one),
      ).differences;
      const covers = (list: typeof found) =>
        list.every((one, k) => (one?.low ?? 0) <= 10 - others[k].mean && 10 - others[k].mean <= (one?.high ?? 0));
      if (covers(found)) together++;
      if (covers(others.map(({ one }) => pairedDifference(study, best, one)))) alone++;
    }
    // Bonferroni is a little careful where all comparisons share one candidate: 0.955 or so.
    const chance = 3 * Math.sqrt((0.95 * 0.05) / trials);
    expect(together / trials).toBeGreaterThan(0.95 - chance);
    expect(together / trials).toBeLessThan(0.98);
    expect(alone / trials).toBeLessThan(0.9);
  });
});

describe("candidates that the seeds cannot rule out", () => {
  test.each(["minimise", "maximise"] as const)("by hand, to %s", (direction) => {
    const of = studyOf(direction, 4);
    const sign = direction === "minimise" ? 1 : -1;
    const best = scored(numbered(0), [10, 20, 30, 40], of);
    // Worse by 1 ± 1: t = 1 / (1.155 / 2) = 1.73, and one-sided 95 % with 3 degrees of freedom is at 2.353. By 2 ± 1: 3.46.
    const near = scored(numbered(1), [10 + sign * 2, 20, 30 + sign * 2, 40], of);
    const far = scored(numbered(2), [10 + sign * 3, 20 + sign, 30 + sign * 3, 40 + sign], of);
    expect(countIndistinguishable(of, best, [near])).toBe(1);
    expect(countIndistinguishable(of, best, [far])).toBe(0);
    // Of two at once each has half the risk: 3.182, which 3.46 still passes; of four a quarter: 4.18, which it does not.
    expect(countIndistinguishable(of, best, [near, far])).toBe(1);
    expect(countIndistinguishable(of, best, [near, near, far, far])).toBe(4);
  });

  test("contain the best one with the stated probability", () => {
    const stream = new RandomStreams(22).getStream("coverage", "screening");
    const trials = runs(600, 200);
    let kept = 0;
    let count = 0;
    for (let trial = 0; trial < trials; trial++) {
      const seedEffects = Array.from({ length: SEEDS }, () => 50 * stream.nextNormal());
      // The first one is best, ten are nearly as good, and nine are far worse.
      const means = [0, ...Array.from({ length: 10 }, () => 0.2), ...Array.from({ length: 9 }, () => 40)];
      const all = means.map((mean, k) =>
        scored(
          numbered(k),
          seedEffects.map((effect) => effect + mean + 3 * stream.nextNormal()),
        ),
      );
      const best = all[bestCandidateIndex(study, all)];
      const others = all.filter((one) => one !== best);
      if (
        best === all[0] ||
        countIndistinguishable(study, best, others) > countNotRuledOutWithout(best, others, all[0])
      )
        kept++;
      count += countIndistinguishable(study, best, others);
    }
    expect(kept / trials).toBeGreaterThan(0.95);
    // Far worse ones are out.
    expect(count / trials).toBeLessThan(10.5);
    expect(count / trials).toBeGreaterThan(8);
  });

  /** The same list with one of them put out of reach. */
  const countNotRuledOutWithout = (
    best: ScoredCandidate,
    others: readonly ScoredCandidate[],
    one: ScoredCandidate,
  ): number =>
    countIndistinguishable(
      study,
      best,
      others.map((other) =>
        other === one
          ? scored(
              one.patch,
              (best.objectivePerSeed ?? []).map((value) => value + 1000),
            )
          : other,
      ),
    );

  test("are none on one seed, which allows no statement", () => {
    const of = studyOf("minimise", 1);
    expect(countIndistinguishable(of, scored(numbered(0), [1], of), [scored(numbered(1), [2], of)])).toBe(0);
  });
});
