import { expect, test } from "vitest";
import { confirmInLooks } from "../../src/study/allocation/confirm.ts";
import { betterForFront, countRaceRuns, roundSeeds } from "../../src/study/allocation/halving.ts";
import { raceStudy } from "../../src/study/allocation/raceStudy.ts";
import { nextSeeds, planSeeds, searchSeeds } from "../../src/study/allocation/seedPlan.ts";
import { SeedRuns } from "../../src/study/allocation/seedRuns.ts";
import { selectBest } from "../../src/study/allocation/selectBest.ts";
import { candidatesOf, noisyValues, PATH, syntheticRuns, syntheticStudy } from "./syntheticStudy.ts";

const NOTHING = { rules: [], ends: [], seed: 1 };

/** Runs a race, without rules and effects. */
async function raced(count: number, shortfallOf: Parameters<typeof syntheticRuns>[0], rest = "seeds: 8\n") {
  const study = syntheticStudy(count, rest);
  const runs = syntheticRuns(shortfallOf);
  const found = await raceStudy(study, { ...NOTHING, design: candidatesOf(count) }, runs.evaluations);
  return { ...found, study, ran: runs.ran };
}

test("rounds have 1, 2, 4, … seeds and the last one twice those of the study", () => {
  expect(roundSeeds(1, 24)).toEqual([1, 2, 4, 8, 16, 24]);
  expect(roundSeeds(1, 16)).toEqual([1, 2, 4, 8, 16]);
  expect(roundSeeds(4, 8)).toEqual([4, 8]);
  // Sequential halving of 117 candidates: 117 + 59 + 30 · 2 + 15 · 4 + 8 · 8 + 4 · 8.
  expect(countRaceRuns(117, roundSeeds(1, 24))).toBe(392);
});

test("for a front the better quarter stays, and the better half by layers, but at least 4 and 16", () => {
  const order = Array.from({ length: 80 }, (_, k) => k);
  // The last forty are on the front, all others behind it.
  const staying = betterForFront(
    order,
    order.map((k) => (k < 40 ? 1 : 0)),
  );
  expect(staying).toEqual([...order.slice(0, 20), ...order.slice(40)]);
  const few = betterForFront(
    order.slice(0, 20),
    order.slice(0, 20).map((k) => (k < 10 ? 1 : 0)),
  );
  expect(few).toEqual([0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
});

test("seeds for the choice, held-out seeds and those of a search are disjoint, also for a list of seeds", () => {
  const { objective } = syntheticStudy(2);
  for (const seeds of [
    [5, 6, 7, 8],
    [9, 2, 40, 3],
    [Number.MAX_SAFE_INTEGER, 1, 0, 7],
  ]) {
    const plan = planSeeds({ seeds, objective });
    const all = [...plan.selection, ...plan.heldOut, ...searchSeeds(plan, 30)];
    expect(new Set(all).size).toBe(2 * seeds.length + 64 + 30);
    expect(plan.selection.slice(0, 4)).toEqual(seeds);
    expect(all.every(Number.isSafeInteger)).toBe(true);
  }
  expect(nextSeeds([9, 2, 40, 3], 2)).toEqual([41, 42]);
});

test("the better half stays for twice the seeds, and no run is repeated", async () => {
  // Noise of the seed alone: the order is that of the means.
  const { rounds, candidates, best, written, ran } = await raced(9, (weight, seed) => 10 * Math.abs(weight - 4) + seed);
  expect(rounds).toEqual([
    { seeds: 1, candidates: 9 },
    { seeds: 2, candidates: 5 },
    { seeds: 4, candidates: 3 },
    { seeds: 8, candidates: 2 },
    { seeds: 16, candidates: 1 },
  ]);
  expect(candidates.map(({ seedCount }) => seedCount)).toEqual([1, 2, 8, 16, 4, 2, 1, 1, 1]);
  expect(best?.candidateIndex).toBe(3);
  // The scenario as written left in the second round, and is run on the seeds of the best.
  expect(written.seedCount).toBe(16);
  expect(new Set(ran).size).toBe(ran.length);
});

test.each([1, 2, 3])("%d candidates", async (count) => {
  const { best, candidates } = await raced(count, (weight) => -weight);
  expect(best?.candidateIndex).toBe(count === 1 ? -1 : count - 1);
  expect(candidates).toHaveLength(count);
});

test("of equal candidates the first one is the best, the scenario as written before all", async () => {
  expect((await raced(5, () => 7)).best?.candidateIndex).toBe(-1);
  expect((await raced(5, (weight) => (weight === 1 ? 8 : 7))).best?.candidateIndex).toBe(1);
});

test("a refused candidate leaves after the first round, whatever its place", async () => {
  const { candidates, best, rounds } = await raced(4, (weight) => (weight === 2 ? null : 10 - weight));
  expect(candidates.map(({ seedCount }) => seedCount)).toEqual([1, 1, 2, 4]);
  expect(rounds.map(({ candidates: left }) => left)).toEqual([4, 2, 1]);
  expect(best?.candidateIndex).toBe(3);
});

test("who violates a constraint on one seed goes behind all others", async () => {
  // Candidate 4 is the best on each seed but the third, on which it is beyond the limit.
  const first = planSeeds(syntheticStudy(6, "seeds: 8\n")).selection;
  const shortfallOf = (weight: number, seed: number) => (weight === 4 ? (seed === first[2] ? 60 : 0) : 10 + weight);
  const constraint = "constraints: [{kpi: shortfall_kwh, at_most: 50}]\nseeds: 8\n";
  const { best, candidates } = await raced(6, shortfallOf, constraint);
  expect(candidates[3].seedCount).toBe(4);
  expect(candidates[3].isFeasible).toBe(false);
  expect(best?.candidateIndex).toBe(-1);
});

test("rules race along and are not chosen", async () => {
  const study = syntheticStudy(4, "seeds: 4\n");
  const rule = { name: "equal weights" as const, patch: { [PATH]: 50 }, unexpressed: [] };
  const { evaluations } = syntheticRuns((weight) => (weight === 50 ? 0 : weight));
  const found = await raceStudy(study, { ...NOTHING, rules: [rule], design: candidatesOf(4) }, evaluations);
  expect(found.references[0].scored.seedCount).toBe(found.rounds[found.rounds.length - 1].seeds);
  expect(found.best?.candidateIndex).toBe(-1);
});

test("a candidate with more runs on its way gets only those that are missing", async () => {
  const { evaluations, ran } = syntheticRuns((weight) => weight);
  const runs = new SeedRuns(syntheticStudy(3), evaluations, [1, 2, 3, 4]);
  await runs.run([{ [PATH]: 2 }], 3);
  const scored = await runs.run([{ [PATH]: 2 }, { [PATH]: 3 }, {}, { [PATH]: 1 }], 4);
  expect(ran).toEqual(["2 1", "2 2", "2 3", "2 4", "3 1", "3 2", "3 3", "3 4", "1 1", "1 2", "1 3", "1 4"]);
  expect(scored.map(({ objective }) => objective?.mean)).toEqual([2, 3, 1, 1]);
});

test("held-out seeds are looked at until the difference is decided", async () => {
  const looksOf = async (difference: number, rest = "") => {
    const study = syntheticStudy(2, `seeds: 8\n${rest}`);
    const { evaluations } = syntheticRuns(noisyValues([10, 10 - difference], 5));
    const [written, other] = await new SeedRuns(study, evaluations, planSeeds(study).selection).run(
      candidatesOf(2),
      16,
    );
    const best = selectBest(study, written, [written, other]);
    if (best === null || best.candidateIndex < 0) throw new Error("the second candidate is better");
    const compared = { best, written, references: [] };
    return confirmInLooks(study, compared, evaluations, planSeeds(study).heldOut);
  };
  const clear = await looksOf(10);
  expect(clear?.looks).toEqual([16]);
  // One comparison in three looks.
  expect(clear?.confidenceOfEach).toBeCloseTo(1 - 0.05 / 3, 12);
  expect(clear?.change?.probabilityBetter).toBeGreaterThan(0.9999);
  expect(clear?.change?.betterSeedCount).toBe(16);
  const close = await looksOf(0.6);
  expect(close?.looks).toEqual([16, 32, 64]);
  expect(close?.rows[1].scored.seedCount).toBe(64);
  // What matters less than 5 kWh needs no more seeds.
  const unimportant = await looksOf(0.6, "min_difference: 5\n");
  expect(unimportant?.looks).toEqual([16]);
  expect(unimportant?.change?.probabilityOfMinDifference).toBeLessThan(0.001);
  const interval = close?.rows[1].bestMinusThis;
  if (interval?.high == null) throw new Error("there is an interval");
  const halfWidth = interval.high - interval.mean;
  // 64 seeds and 100 more.
  expect(close?.change?.moreRuns?.halfWidth).toBeCloseTo(halfWidth * Math.sqrt(64 / 164), 12);
  expect(close?.change?.moreRuns?.runsToHalve).toBe(6 * 64);
});

test("of a tail, the mean of the worst seeds decides among the finalists", async () => {
  // Weight 2 is the best in the mean and has one seed in eight on which it is much worse.
  const shortfallOf = (weight: number, seed: number): number =>
    weight === 2 ? (seed % 8 === 0 ? 40 : 0) : 10 + weight + (seed % 2);
  const study = syntheticStudy(4, "seeds: 8\n", "{minimise: {tail: shortfall_kwh, worst_pct: 20}}");
  const { evaluations } = syntheticRuns(shortfallOf);
  const { best, heldOut } = await raceStudy(study, { ...NOTHING, design: candidatesOf(4) }, evaluations);
  expect((await raced(4, shortfallOf)).best?.candidateIndex).toBe(1);
  // Of 64 seeds 13 are the worst 20 %, and 8 of them have 40.
  expect(best?.candidateIndex).toBe(-1);
  expect(best?.scored.objective?.mean).toBe(12);
  expect(heldOut?.looks).toEqual([64]);
});
