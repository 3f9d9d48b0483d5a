import { RunStopped } from "../report/runStopped.ts";
import { buildScenario, buildWorld } from "../scenario/loadScenario.ts";
import { VERSION } from "../version.ts";
import { type BoundSolver, exactBoundKwh } from "./bound/exactBoundKwh.ts";
import { countPlannedRuns, executeStudy } from "./executeStudy.ts";
import type { OpenStudy } from "./readStudy.ts";
import { buildReferenceRules } from "./referenceRules.ts";
import { writeStudyReport } from "./report/writeStudyReport.ts";
import { textDigest } from "./resultStore.ts";
import type { ParameterPatch } from "./search/candidateDesign.ts";
import { StudyFolder } from "./studyFolder.ts";
import type { StudyResult } from "./studyResult.ts";
import { EvaluationRunner } from "./workers/evaluationRunner.ts";
import type { Executor } from "./workers/executor.ts";

export interface RunStudyOptions {
  /** Folder of the report, made or replaced whole when the study is finished. */
  readonly out: string;
  /** Goes on with what a study in that place, unfinished or finished, has run. */
  readonly resume?: boolean;
  readonly executor: Executor;
  /** Solves the linear programmes of the bound; in this thread, unless given. */
  readonly solve?: BoundSolver;
  readonly signal?: AbortSignal;
  /** Told how many runs of how many are done; a search may end before all of them. */
  readonly onProgress?: (done: number, of: number) => void;
}

export interface FinishedStudy {
  readonly result: StudyResult;
  /** Absolute. */
  readonly folder: string;
  /** Names of its files, sorted. */
  readonly files: readonly string[];
}

/**
 * Runs what a study asks for and writes its report.
 *
 * @throws RunStopped by the signal: what was run is kept, and gone on with by `resume`
 */
export async function runStudy(open: OpenStudy, options: RunStudyOptions): Promise<FinishedStudy> {
  const { study, source, text } = open;
  const beganMs = wallMs();
  const { hash, world } = buildScenario(source);
  const folder = new StudyFolder(options.out, options.resume === true);
  const store = folder.openResultStore({
    scenario: hash,
    scenario_file: textDigest(source.files.read(source.file) ?? ""),
    study: textDigest(text),
    version: VERSION,
  });
  const signal = options.signal ?? new AbortController().signal;
  const planned = countPlannedRuns(study, buildReferenceRules(study, world));
  let runCount = 0;
  const onRuns = (count: number) => {
    runCount += count;
    options.onProgress?.(runCount, Math.max(runCount, planned));
  };
  try {
    const worldOf = (patch: ParameterPatch) =>
      Object.keys(patch).length === 0 ? world : buildWorld(source, { patch });
    const isForked = study.forkAtMs !== null;
    const evaluations = new EvaluationRunner({ executor: options.executor, store, signal, isForked, onRuns });
    const found = await executeStudy(study, worldOf, evaluations, { solve: options.solve ?? exactBoundKwh, signal });
    const result = { ...found, scenarioHash: hash };
    const { executor } = options;
    const cost = {
      runCount,
      resumedRunCount: store.knownOutcomes.size,
      workerCount: executor.concurrency,
      wallSeconds: (wallMs() - beganMs) / 1000,
    };
    const files = await writeStudyReport(folder, result, cost);
    return { result, folder: folder.target, files };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new RunStopped(
      `the study was stopped after ${runCount} of ${Math.max(runCount, planned)} runs, which are kept in ${folder.staging}; --resume goes on from there`,
    );
  } finally {
    store.close();
  }
}

// not simulated: how long the study took goes to run.json alone.
const wallMs = () => performance.now();
