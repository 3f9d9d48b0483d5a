// A race among candidates whose true means are known.
import { expect, test } from "vitest";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { raceStudy } from "../../src/study/allocation/raceStudy.ts";
import { isAdvised } from "../../src/study/report/recommendation.ts";
import type { StudyResult } from "../../src/study/studyResult.ts";
import { candidatesOf, noisyValues, syntheticRuns, syntheticStudy } from "./syntheticStudy.ts";

const COUNT = 24;
const REPLICATIONS = 500;

/** Means from 10 to 14, those of the scenario as written among the last; `spread` 0: all are equal. */
function meansOf(world: number, spread: number): number[] {
  const stream = new RandomStreams(world).getStream("means", "");
  return Array.from({ length: COUNT }, (_, k) => 10 + spread * (k === 0 ? 1 : stream.nextUniform()));
}

async function raceIn(world: number, spread: number, rareShare: number) {
  const study = syntheticStudy(COUNT, "seeds: 12\n");
  const means = meansOf(world, spread);
  const { evaluations, ran } = syntheticRuns(noisyValues(means, world, rareShare));
  const plan = { rules: [], ends: [], seed: 1, design: candidatesOf(COUNT) };
  const { best, heldOut, ...found } = await raceStudy(study, plan, evaluations);
  if (best === null || heldOut === null) throw new Error("there is a best candidate");
  return { study, means, best, heldOut, found, runs: ran.length };
}

const share = (list: readonly boolean[]): number => list.filter(Boolean).length / list.length;

test.each([
  ["normal noise", 0, 0.15],
  ["frequent failures", 0.3, 0.6],
])("with %s intervals cover the truth, and the choice is good", async (_, rareShare, lossMax) => {
  const [covered, within, claims]: [boolean[], boolean[], { stated: number; isTrue: boolean }[]] = [[], [], []];
  const losses: number[] = [];
  const runs: number[] = [];
  for (let world = 1; world <= REPLICATIONS; world++) {
    const { means, best, heldOut, found, runs: count } = await raceIn(world, 4, rareShare);
    const chosen = means[Math.max(0, best.candidateIndex)];
    const interval = heldOut.rows[1].bestMinusThis;
    if (interval?.low != null && interval.high !== null)
      covered.push(interval.low <= chosen - means[0] && chosen - means[0] <= interval.high);
    if (heldOut.change !== null) claims.push({ stated: heldOut.change.probabilityBetter, isTrue: chosen < means[0] });
    losses.push(chosen - Math.min(...means));
    // It says nothing of those who left on fewer seeds.
    const compared = means.filter((_, k) => found.candidates[k].seedCount >= 8);
    if (best.lossAtMost !== null) within.push(chosen - Math.min(...compared) <= best.lossAtMost);
    runs.push(count);
  }
  expect(share(covered)).toBeGreaterThanOrEqual(0.93);
  expect(share(within)).toBeGreaterThanOrEqual(0.93);
  expect(claims.filter(({ stated, isTrue }) => stated > 0.999 && !isTrue)).toEqual([]);
  expect(losses.reduce((sum, loss) => sum + loss) / REPLICATIONS).toBeLessThan(lossMax);
  expect(Math.max(...runs)).toBeLessThanOrEqual(0.38 * 12 * COUNT + 128);
});

test("where nothing differs no change is recommended", async () => {
  const advised: boolean[] = [];
  for (let world = 1; world <= 200; world++) {
    const { study, best, heldOut, found } = await raceIn(world, 0, 0);
    const allocation = { method: "race", runCount: 0, equalRunCount: 0, rounds: found.rounds };
    const result = { ...found, study, best, heldOut, allocation } as unknown as StudyResult;
    advised.push(isAdvised(result));
  }
  expect(share(advised)).toBeLessThanOrEqual(0.05);
});
