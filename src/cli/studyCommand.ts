import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { formatNameList, inputRefusal, missingIn } from "../base/inputError.ts";
import { diskFiles } from "../platform/node/diskFiles.ts";
import type { PageTexts } from "../report/html/page/pageLocale.ts";
import { padEndColumns, widestColumns, wrapText } from "../report/terminalText.ts";
import { openSolverPool } from "../study/node/openSolverPool.ts";
import { runStudy } from "../study/node/runStudy.ts";
import { type OpenStudy, readStudy } from "../study/readStudy.ts";
import { boundSentences } from "../study/report/boundSection.ts";
import { costSentence, raceKind, sizeOf } from "../study/report/raceText.ts";
import {
  chosenSettings,
  evidence,
  investmentNote,
  isAdvised,
  roundedSentence,
  sideEffectText,
  verdict,
} from "../study/report/recommendation.ts";
import { candidateName, parameterText, parameterValue, roundObjective } from "../study/report/studyText.ts";
import type { FinishedStudy } from "../study/runStudyInto.ts";
import { scenarioPatch } from "../study/search/candidateDesign.ts";
import type { StudyResult } from "../study/studyResult.ts";
import { inlineExecutor } from "../study/workers/evaluationRunner.ts";
import { Evaluator } from "../study/workers/evaluator.ts";
import type { Executor } from "../study/workers/executor.ts";
import { abortOnInterrupt } from "./abortOnInterrupt.ts";
import { colourOutput } from "./colourText.ts";
import { type InvestmentOptions, investmentFlags } from "./investmentFlags.ts";
import { languageOf } from "./languageFlag.ts";
import { openInBrowser } from "./openInBrowser.ts";
import { NO_PROGRESS, openProgress } from "./openProgress.ts";
import { printWarning } from "./printWarning.ts";
import { reportPlace, runningTimeLine } from "./summaryText.ts";

interface StudyFlags extends InvestmentOptions {
  readonly out?: string;
  readonly workers?: number;
  readonly redis?: string;
  readonly resume?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly open?: boolean;
  readonly lang?: string;
}

/** `vppsim study`. Ctrl-C keeps the finished runs for `--resume` and does not change an older report. */
export async function studyCommand(file: string, flags: StudyFlags): Promise<void> {
  const startedMs = performance.now();
  const language = languageOf(flags.lang);
  const open = readStudy(studyFileOf(file), diskFiles, investmentFlags(flags));
  const { study } = open;
  const interrupt = new AbortController();
  const release = abortOnInterrupt(interrupt);
  const count = flags.workers ?? availableParallelism();
  if (count < 1) throw inputRefusal("--workers", `${count}`, "a whole number of at least 1");
  const executor = await executorFor(open, count, flags);
  const { solve, close: closeSolvers } = openSolverPool(count);
  const progress = flags.quiet === true || flags.json === true ? NO_PROGRESS : await openProgress(study.name);
  try {
    const finished = await runStudy(open, {
      out: flags.out ?? join("reports", study.name),
      resume: flags.resume === true,
      language,
      executor,
      solve,
      signal: interrupt.signal,
      onProgress: (done, of) => progress.setFraction(done / of),
    });
    progress.close();
    process.stdout.write(
      flags.json === true
        ? `${JSON.stringify(jsonOf(finished))}\n`
        : colourOutput(textOf(finished, (performance.now() - startedMs) / 1000)),
    );
    if (flags.open === true && finished.files.includes("report.html"))
      await openInBrowser(join(finished.folder, "report.html"));
  } finally {
    progress.close();
    release();
    await Promise.all([executor.close(), closeSolvers()]);
  }
}

/** The file, or that of a folder: study.yaml, or the only one that ends so. */
function studyFileOf(path: string): string {
  if (diskFiles.isFolder?.(path) !== true) return path;
  const names = readdirSync(path).filter((name) => /^(.*\.)?study\.yaml$/.test(name));
  const name = names.length === 1 ? names[0] : names.find((each) => each === "study.yaml");
  if (name !== undefined) return join(path, name);
  if (names.length === 0) throw inputRefusal(path, missingIn("study.yaml", path), "a study file, or a folder with one");
  throw inputRefusal(path, `${names.length} studies`, `one of them: ${formatNameList(names.sort())}`);
}

/** This thread has loaded the scenario and starts at once; further threads load it themselves. */
async function executorFor({ study, source }: OpenStudy, count: number, { redis }: StudyFlags): Promise<Executor> {
  const { forkAtMs } = study;
  if (redis !== undefined) {
    const { QueueExecutor } = await import("../study/node/queue/queueExecutor.ts");
    return QueueExecutor.open({ url: redis, source, forkAtMs, warn: printWarning });
  }
  const evaluator = await Evaluator.open(source, forkAtMs);
  if (count === 1) return inlineExecutor(evaluator);
  const { crewExecutor } = await import("../study/node/poolExecutor.ts");
  return crewExecutor(evaluator, { scenarioFile: source.file, forkAtMs, investment: source.investment }, count);
}

function jsonOf({ result, folder, files }: FinishedStudy) {
  const { study, candidates, best, written } = result;
  const objectiveOf = ({ objective }: typeof written) =>
    objective === null ? null : roundObjective(study, objective.mean);
  return {
    study: study.name,
    report: folder,
    files,
    candidates: candidates.length,
    best:
      best === null
        ? null
        : {
            candidate: best.candidateIndex + 1,
            patch: scenarioPatch(study, best.scored.patch),
            objective: objectiveOf(best.scored),
          },
    as_written: { objective: objectiveOf(written) },
  };
}

function textOf({ result, texts, folder, files }: FinishedStudy, wallSeconds: number): string {
  const { study, candidates } = result;
  const { t } = texts;
  const refused = candidates.filter(({ refusal }) => refusal !== null).length;
  const worse = sideEffectText(result, texts);
  const sentences = [
    ...verdict(result, texts),
    ...roundedSentence(result, texts),
    ...evidence(result, texts),
    worse,
    investmentNote(result, texts),
    ...boundSentences(result, texts),
    costSentence(result, texts),
  ].filter((sentence) => sentence !== "");
  const lines = [
    t(`study.print_head${raceKind(result)}`, {
      ...sizeOf(result, texts),
      study: study.name,
      method: t(`study.method_${study.method}`),
      infeasible: candidates.filter(({ isFeasible }) => !isFeasible).length - refused,
      refused,
    }),
    "",
    ...valueLines(result, texts),
    "",
    ...sentences.flatMap((sentence) => wrapText("  ", sentence)),
    // In one line, so that it can be pasted.
    ...(isAdvised(result) ? ["", `  ${t("study.apply", { command: result.applyCommand })}`] : []),
    "",
    runningTimeLine(wallSeconds, texts),
    t("print.report", { place: reportPlace(folder, files) }),
  ];
  return `${lines.join("\n")}\n`;
}

/** The objective as written and of the best candidate, and the settings of that. */
function valueLines(result: StudyResult, texts: PageTexts): readonly string[] {
  const { study, best, written } = result;
  const { t } = texts;
  const value = (mean: number | undefined) => (mean === undefined ? "–" : mean.toFixed(3));
  const bestText = (index: number, scored: typeof written) =>
    t("study.print_best", { value: value(scored.objective?.mean), candidate: candidateName(result, index, texts) });
  const rows: (readonly [string, string])[] = [
    [t("study.objective"), t(`study.${study.objective.direction}`, { figure: study.objective.text })],
    [t("compare.as_written"), value(written.objective?.mean)],
    [t("study.best"), best === null ? "–" : bestText(best.candidateIndex, best.scored)],
    ...(best === null ? [] : study.parameters).map(
      (parameter) =>
        [
          `  ${parameter.name}`,
          parameterText(parameter, parameterValue(parameter, chosenSettings(result)), texts),
        ] as const,
    ),
  ];
  const width = 2 + widestColumns(rows.map(([label]) => label));
  return rows.map(([label, text]) => `  ${padEndColumns(label, width)}${text}`);
}
