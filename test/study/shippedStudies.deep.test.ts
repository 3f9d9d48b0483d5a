// The shipped studies: on held-out seeds, the weights that their search finds beat simple rules and random search.
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { batteryYearFiles } from "../../bench/batteryYearFiles.ts";
import { compareSearchWithRules, listShippedStudies, timeCandidates, timeFork } from "../../bench/study.ts";
import { writeFiles } from "../../src/inputs/datagen/disk/writeFiles.ts";
import { textsIn } from "../../src/report/html/page/pageLocale.ts";
import { runStudy } from "../../src/study/node/runStudy.ts";
import { readStudy } from "../../src/study/readStudy.ts";
import { roundedSentence } from "../../src/study/report/recommendation.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import { Evaluator } from "../../src/study/workers/evaluator.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

test("there are three of them", () => expect(listShippedStudies()).toHaveLength(3));

test.each(listShippedStudies().map((file) => [basename(file), file]))(
  "%s: the search beats equal weights, rated power, energy and random search",
  async (_, file) => {
    const [best, ...others] = await compareSearchWithRules(file);
    expect(best.rule).toBe("CMA-ES");
    expect(others.map(({ rule }) => rule)).toEqual(["random search", "equal weights", "by rated power", "by energy"]);
    for (const { rule, bestMinusThis } of others) {
      expect(bestMinusThis.mean, rule).toBeLessThan(0);
      // Random search is a fair opponent with four weights: bench/README.md tells of many searches. The rules are none.
      if (rule !== "random search") expect(bestMinusThis.high, rule).toBeLessThan(0);
    }
  },
);

test("the weights of unequal batteries need one digit", async () => {
  const open = readStudy("scenarios/studies/unequal-batteries.study.yaml");
  const executor = inlineExecutor(await Evaluator.open(open.source, null));
  const { result } = await runStudy(open, { out: join(createTemporaryFolder("shipped"), "report"), executor });
  expect(result.best?.scored.objective?.mean).toBeCloseTo(1411.36, 2);
  expect(result.rounded?.digits).toBe(1);
  expect(result.rounded?.scored.objective?.mean).toBeCloseTo(1419.96, 2);
  expect(roundedSentence(result, textsIn("en"))).toEqual([
    "Weights are rounded to 1\u00a0digit: long 90, short 30, middle 90, old 60; within the interval of the best (+8.6\u00a0kWh).",
  ]);
});

test("the bench of candidates, at a small size, gives the known answer", async () => {
  const folder = createTemporaryFolder("bench-study");
  writeFiles(folder, batteryYearFiles(2));
  const { perSecond, hash } = await timeCandidates(folder, 2);
  expect(perSecond).toBeGreaterThan(0);
  expect(hash).toBe("7452c19cb3dfb213");
  const forked = await timeFork(folder, 0.5, 1);
  expect(forked.ratio).toBeGreaterThan(0);
  expect(forked.hash).toBe("312681bab6233f5e");
});
