import { sha256Hex } from "../base/ids.ts";
import type { Language } from "../base/language.ts";
import { join, relative } from "../base/paths.ts";
import type { WorldSpec } from "../engine/simulation/worldSpec.ts";
import { investmentWords } from "../inputs/scenario/build/buildInvestment.ts";
import { buildScenario, buildWorld } from "../inputs/scenario/loadScenario.ts";
import type { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { type PageTexts, textsIn } from "../report/html/page/pageLocale.ts";
import { RunStopped } from "../report/runStopped.ts";
import { VERSION } from "../version.ts";
import { type BoundSolver, exactBoundKwh } from "./bound/exactBoundKwh.ts";
import { countPlannedRuns, executeStudy } from "./executeStudy.ts";
import type { OpenStudy } from "./readStudy.ts";
import { buildReferenceRules } from "./referenceRules.ts";
import { writeStudyReport } from "./report/writeStudyReport.ts";
import { type ParameterPatch, scenarioPatch } from "./search/candidateDesign.ts";
import type { StudyDigests, StudyOutput } from "./studyOutput.ts";
import type { StudyResult } from "./studyResult.ts";
import { EvaluationRunner } from "./workers/evaluationRunner.ts";
import type { Executor } from "./workers/executor.ts";

export interface RunStudyIntoOptions {
  readonly executor: Executor;
  /** Solves the linear programmes of the bound; by default in this thread. */
  readonly solve?: BoundSolver;
  readonly signal?: AbortSignal;
  /** Of the page; by default that of the scenario. */
  readonly language?: Language;
  /** Receives finished and planned runs; a search may end before the planned number. */
  readonly onProgress?: (done: number, of: number) => void;
}

export interface FinishedStudy {
  readonly result: StudyResult;
  /** Of the page, and of what is printed. */
  readonly texts: PageTexts;
  /** Absolute. */
  readonly folder: string;
  /** Names of its files, sorted. */
  readonly files: readonly string[];
}

/**
 * Runs a study and writes its report.
 *
 * @param openOutput  is given the files that the study reads
 * @throws RunStopped on the signal, the error of `openOutput`
 */
export async function runStudyInto(
  openStudy: OpenStudy,
  openOutput: (inputs: Iterable<string>) => StudyOutput,
  options: RunStudyIntoOptions,
): Promise<FinishedStudy> {
  const { source, file, text } = openStudy;
  const startedMs = wallMs();
  const { hash, world, language } = buildScenario(source);
  const output = openOutput([file, ...source.readFiles.keys()]);
  try {
    const digests = {
      scenario: hash,
      scenario_file: sha256Hex(source.files.read(source.file) ?? ""),
      study: sha256Hex(text),
      version: VERSION,
    };
    const texts = textsIn(options.language ?? language, openStudy.study.currency);
    return await runWithOutput(openStudy, options, { output, digests, world, texts, startedMs });
  } finally {
    output.close();
  }
}

interface StudyTarget {
  readonly output: StudyOutput;
  readonly digests: StudyDigests;
  /** Of the scenario as written. */
  readonly world: WorldSpec;
  readonly texts: PageTexts;
  readonly startedMs: number;
}

async function runWithOutput(
  { study, source }: OpenStudy,
  options: RunStudyIntoOptions,
  { output, digests, world, texts, startedMs }: StudyTarget,
): Promise<FinishedStudy> {
  const store = output.openStore(digests);
  const signal = options.signal ?? new AbortController().signal;
  const planned = countPlannedRuns(study, buildReferenceRules(study, world));
  let runCount = 0;
  const onRuns = (count: number) => {
    runCount += count;
    options.onProgress?.(runCount, Math.max(runCount, planned));
  };
  try {
    const worldOf = (patch: ParameterPatch) =>
      Object.keys(patch).length === 0 ? world : buildWorld(source, { patch: scenarioPatch(study, patch) });
    const isForked = study.forkAtMs !== null;
    const evaluations = new EvaluationRunner({ executor: options.executor, store, signal, isForked, onRuns });
    const found = await executeStudy(study, worldOf, evaluations, { solve: options.solve ?? exactBoundKwh, signal });
    const result = { ...found, scenarioHash: digests.scenario, applyCommand: applyCommand(source, output.sink.target) };
    const { executor } = options;
    const statistics = {
      runCount,
      resumedRunCount: store.knownOutcomes.size,
      workerCount: executor.concurrency,
      wallSeconds: (wallMs() - startedMs) / 1000,
    };
    const files = await writeStudyReport(output.sink, result, texts, statistics);
    output.sink.publish();
    return { result, texts, folder: output.sink.target, files: [...files, ...output.unlisted].sort() };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new RunStopped(
      `the study was stopped after ${runCount} of ${Math.max(runCount, planned)} runs${output.storedText}`,
    );
  } finally {
    store.close();
  }
}

/** As a shell of the working directory takes it. */
function applyCommand({ displayPath, investment }: ScenarioSource, target: string): string {
  const patch = join(relative("", target), "best.patch.yaml");
  const words = ["vppsim", "run", displayPath, "--patch", patch, ...investmentWords(investment)];
  const quoted = (word: string): string =>
    /^[\p{L}\p{N}_./:@%+=,-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  return words.map(quoted).join(" ");
}

// not simulated: wall time goes to run.json alone.
const wallMs = () => performance.now();
