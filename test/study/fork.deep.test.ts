import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { crewExecutor } from "../../src/study/node/poolExecutor.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import { ForkedStudyRuns, runFromStart } from "./forkedStudy.ts";
import { openEvaluator, renumbered } from "./studyFixtures.ts";

test("a study with fork_at writes the same files from one thread, from two threads and after a resumption", async () => {
  const runs = new ForkedStudyRuns();
  await runs.run("one", inlineExecutor(await openEvaluator(runs.open())));
  const { source, study } = runs.open();
  const workers = { scenarioFile: source.file, forkAtMs: study.forkAtMs };
  await runs.run("two", crewExecutor(await openEvaluator(runs.open()), workers, 2));
  // The store then has some seeds of some candidates.
  await runs.run("rest", inlineExecutor(await openEvaluator(runs.open())));
  const [head, ...lines] = runs.resultLines("rest");
  const kept = lines.filter((_, k) => k % 5 < 2);
  writeFileSync(join(runs.folder, "rest", "results.jsonl"), renumbered([head, ...kept]));
  await runs.run("rest", inlineExecutor(await openEvaluator(runs.open())), { resume: true });
  for (const name of ["two", "rest"]) {
    for (const file of ["study.csv", "summary.json", "best.patch.yaml"])
      expect(runs.report(name, file)).toBe(runs.report("one", file));
    expect(runs.sortedResults(name)).toEqual(runs.sortedResults("one"));
  }
  for (const line of runs.resultLines("one").slice(1)) {
    const { patch, seed, kpis } = JSON.parse(line);
    expect(kpis).toEqual(runFromStart(runs.open(), patch, seed));
  }
});
