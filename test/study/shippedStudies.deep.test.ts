// The shipped studies: on held-out seeds, the weights that their search finds beat simple rules and random search.
import { basename } from "node:path";
import { expect, test } from "vitest";
import { batteryYearFiles } from "../../bench/batteryYearFiles.ts";
import { compareSearchWithRules, listShippedStudies, timeCandidates, timeFork } from "../../bench/study.ts";
import { writeFiles } from "../../src/inputs/datagen/disk/writeFiles.ts";
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

test("the bench of candidates, at a small size, gives the known answer", async () => {
  const folder = createTemporaryFolder("bench-study");
  writeFiles(folder, batteryYearFiles(2));
  const { perSecond, hash } = await timeCandidates(folder, 2);
  expect(perSecond).toBeGreaterThan(0);
  expect(hash).toBe("999490cde6ff9649");
  const forked = await timeFork(folder, 0.5, 1);
  expect(forked.ratio).toBeGreaterThan(0);
  expect(forked.hash).toBe("1026bbead8a53571");
});
