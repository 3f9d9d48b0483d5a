import { join } from "../base/paths.ts";
import { disk, platform } from "../platform/browser/platform.ts";
import { readStudy } from "../study/readStudy.ts";
import { runStudyInto } from "../study/runStudyInto.ts";
import { inlineExecutor } from "../study/workers/evaluationRunner.ts";
import { Evaluator } from "../study/workers/evaluator.ts";
import type { JobHost } from "./jobs.ts";
import { openProject } from "./openProject.ts";
import type { Project, Report, StudyJobOptions } from "./project.ts";

/** Finished runs are not stored: a study in a browser is not resumed. */
const NO_STORE = { knownOutcomes: new Map(), append: () => {}, close: () => {} };

/** The files of the report that `vppsim study` writes, without its finished runs. @throws InputErrors, RunStopped */
export async function study(project: Project, options: StudyJobOptions, host: JobHost): Promise<Report> {
  const { out, language } = options;
  const open = readStudy(openProject(project), platform.files);
  const evaluator = await Evaluator.open(open.source, open.study.forkAtMs);
  const sink = platform.openReport(out ?? join("reports", open.study.name), []);
  const output = { sink, unlisted: [], storedText: "", openStore: () => NO_STORE, close: () => {} };
  const { folder } = await runStudyInto(open, () => output, {
    executor: inlineExecutor(evaluator),
    signal: host.signal,
    onProgress: (done, of) => host.onProgress(done / of),
    ...(language === undefined ? {} : { language }),
  });
  return { files: Object.fromEntries(disk.takeFilesIn(folder)) };
}
