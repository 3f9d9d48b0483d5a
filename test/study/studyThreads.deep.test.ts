// A study in several threads has the files of a study in one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { crewExecutor, poolExecutor } from "../../src/study/node/poolExecutor.ts";
import { runStudy } from "../../src/study/node/runStudy.ts";
import { type OpenStudy, readStudy } from "../../src/study/readStudy.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import type { Executor } from "../../src/study/workers/executor.ts";
import { createStudyFolder, GRID, openEvaluator, sortedResults } from "./studyFixtures.ts";

let folder: string;
beforeEach(() => {
  // On four seeds it is a race.
  folder = createStudyFolder(GRID.replace("seeds: 3", "seeds: 4"));
});

const report = (name: string, file: string) => readFileSync(join(folder, name, file), "utf8");

async function run(name: string, executorOf: (study: OpenStudy) => Promise<Executor>): Promise<void> {
  const study = readStudy(join(folder, "study.yaml"));
  const executor = await executorOf(study);
  try {
    await runStudy(study, { out: join(folder, name), executor });
  } finally {
    await executor.close();
  }
}

test.each<[string, (study: OpenStudy) => Promise<Executor>]>([
  ["two other threads", async ({ source }) => poolExecutor({ scenarioFile: source.file, forkAtMs: null }, 2)],
  [
    "this and two other threads",
    async (study) => crewExecutor(await openEvaluator(study), { scenarioFile: study.source.file, forkAtMs: null }, 3),
  ],
])("one thread and %s give the same files", async (_, executorOf) => {
  await run("one", async (study) => inlineExecutor(await openEvaluator(study)));
  await run("two", executorOf);
  for (const file of ["study.csv", "summary.json", "best.patch.yaml"])
    expect(report("two", file)).toBe(report("one", file));
  const results = (name: string) => sortedResults(report(name, "results.jsonl"));
  expect(results("two")).toEqual(results("one"));
});
