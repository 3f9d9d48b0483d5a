// A study with fork_at, in a folder of its own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NUMERIC_KPI_NAMES } from "../../src/accounting/kpis/kpiRegistry.ts";
import { SimulationRun } from "../../src/accounting/simulationRun.ts";
import { buildWorld } from "../../src/inputs/scenario/loadScenario.ts";
import { runStudy } from "../../src/study/node/runStudy.ts";
import { type OpenStudy, readStudy } from "../../src/study/readStudy.ts";
import type { ParameterPatch } from "../../src/study/search/candidateDesign.ts";
import type { Outcome } from "../../src/study/workers/evaluator.ts";
import type { Executor } from "../../src/study/workers/executor.ts";
import { createStudyFolder, STUDY_HEAD, sortedResults } from "./studyFixtures.ts";

export const FORKED_STUDY = `${STUDY_HEAD}parameters:
  - {name: large, path: "weights.v.large", values: [0, 100, 300]}
  - {name: test, path: "vpps.v.fcr_energy_test_minutes", values: [0, 30]}
seeds: 3
objective: {minimise: shortfall_kwh}
fork_at: 2026-04-01T06:00:00Z
`;

/** KPIs of a run of its own, which has no copy of the part before the fork. */
export function runFromStart({ source, study }: OpenStudy, patch: ParameterPatch, seed: number): Outcome["kpis"] {
  const run = new SimulationRun({ ...buildWorld(source), seed }, { intervalMs: 0 });
  run.advanceUntil(study.forkAtMs as number);
  run.adoptVppSpecs(buildWorld(source, { patch }).vpps);
  run.advanceToShare(1);
  const { kpis } = run.finish();
  return NUMERIC_KPI_NAMES.map((name) => kpis.get(name) ?? null);
}

/** Runs of one study, each in a folder of its name beside it. */
export class ForkedStudyRuns {
  readonly folder = createStudyFolder(FORKED_STUDY);

  open(): OpenStudy {
    return readStudy(join(this.folder, "study.yaml"));
  }

  async run(name: string, executor: Executor, options: { resume?: boolean } = {}): Promise<void> {
    try {
      await runStudy(this.open(), { out: join(this.folder, name), executor, ...options });
    } finally {
      await executor.close();
    }
  }

  report(name: string, file: string): string {
    return readFileSync(join(this.folder, name, file), "utf8");
  }

  /** Lines of the store, in the order in which the executor gave them. */
  resultLines(name: string): readonly string[] {
    return this.report(name, "results.jsonl").trim().split("\n");
  }

  /** The same in an order that does not depend on the executor. */
  sortedResults(name: string): ReturnType<typeof sortedResults> {
    return sortedResults(this.report(name, "results.jsonl"));
  }
}
