import { join } from "node:path";
import { currencyOf } from "../base/currency.ts";
import { inputRefusal } from "../base/inputError.ts";
import { roundTo } from "../base/rounding.ts";
import { isoUtc } from "../base/time.ts";
import { remarkText } from "../inputs/scenario/checks/remark.ts";
import { buildScenario } from "../inputs/scenario/loadScenario.ts";
import { loadOptions, type RunOptionFlags } from "../inputs/scenario/runFlags.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";
import { ScenarioSource } from "../inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../platform/node/diskFiles.ts";
import type { Thread } from "../platform/platform.ts";
import { createPageLocale } from "../report/html/page/pageLocale.ts";
import { kpiJson, sessionJson } from "../report/kpiJson.ts";
import { openPartsThreads } from "../report/parts/partsHost.ts";
import type { OpenPartsHost } from "../report/parts/runParts.ts";
import { runScenario, type ScenarioRun } from "../report/runScenario.ts";
import type { QueuePartsOptions } from "../study/node/queue/queuePartsHost.ts";
import { abortOnInterrupt } from "./abortOnInterrupt.ts";
import { alarmsOf } from "./alarmsOf.ts";
import { colourErrors, colourOutput } from "./colourText.ts";
import { type InvestmentOptions, investmentFlags } from "./investmentFlags.ts";
import { languageOf } from "./languageFlag.ts";
import { openInBrowser } from "./openInBrowser.ts";
import { NO_PROGRESS, openProgress } from "./openProgress.ts";
import { printWarning } from "./printWarning.ts";
import { summaryText } from "./summaryText.ts";
import { timezoneOf } from "./timezoneFlag.ts";

interface RunFlags extends InvestmentOptions, RunOptionFlags {
  readonly out?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly tz?: string;
  readonly lang?: string;
  readonly open?: boolean;
  readonly workers?: number;
  readonly redis?: string;
}

/** `vppsim run`. Ctrl-C stops the run without changing an older report. */
export async function runCommand(file: string, flags: RunFlags): Promise<ScenarioRun> {
  const threads = openPartsThreads(workersOf(flags) - 1);
  try {
    return await runWith(threads, file, flags);
  } finally {
    await Promise.all(threads.map((thread) => thread.close()));
  }
}

async function runWith(threads: readonly Thread[], file: string, flags: RunFlags): Promise<ScenarioRun> {
  const tz = timezoneOf(flags.tz);
  const lang = languageOf(flags.lang);
  const interrupt = new AbortController();
  const { scenario, queue } = loadRun(file, flags, interrupt.signal);
  const language = lang ?? scenario.language;
  const timezone = tz ?? scenario.timezone;
  const locale = createPageLocale(language, timezone, scenario.world);
  for (const remark of scenario.remarks) process.stderr.write(colourErrors(`${locale.localise(remarkText(remark))}\n`));
  const out = flags.out ?? join("reports", scenario.name);
  const release = abortOnInterrupt(interrupt);
  const progress = flags.quiet === true || flags.json === true ? NO_PROGRESS : await openProgress(scenario.name);
  try {
    const run = await runScenario(scenario, {
      out,
      ...(tz === undefined ? {} : { timezone: tz }),
      ...(lang === undefined ? {} : { language: lang }),
      alarmsOf,
      onProgress: progress.setFraction,
      signal: interrupt.signal,
      threads,
      ...(queue === null ? {} : { openPartsHost: queue.open }),
    });
    progress.close();
    for (const note of run.notes) printWarning(note);
    if (queue?.wasOpened() === false) printWarning("the scenario is one part, so it ran here and not in workers");
    process.stdout.write(
      flags.json === true
        ? `${JSON.stringify(jsonSummary(scenario, run))}\n`
        : colourOutput(summaryText(scenario, run, locale)),
    );
    if (flags.open === true && run.folder !== null) await openReport(run.folder, run.files);
    return run;
  } finally {
    progress.close();
    release();
  }
}

/** The scenario, and a queue for its parts with `--redis`, which alone holds the source while the run lasts. */
function loadRun(file: string, flags: RunFlags, signal: AbortSignal) {
  const source = new ScenarioSource(file, diskFiles, investmentFlags(flags));
  const load = loadOptions(flags, source.files);
  const scenario = buildScenario(source, load);
  return { scenario, queue: flags.redis === undefined ? null : partsQueue({ url: flags.redis, source, load, signal }) };
}

/** A queue that distributes parts to `vppsim worker` processes. */
function partsQueue(options: Omit<QueuePartsOptions, "warn">) {
  let isOpened = false;
  const open: OpenPartsHost = async (recording, partCount) => {
    isOpened = true;
    const { openQueuePartsHost } = await import("../study/node/queue/queuePartsHost.ts");
    return openQueuePartsHost({ ...options, warn: printWarning }, recording, partCount);
  };
  return { open, wasOpened: () => isOpened };
}

async function openReport(folder: string, files: readonly string[]): Promise<void> {
  if (files.includes("report.html")) await openInBrowser(join(folder, "report.html"));
  else
    process.stderr.write("vppsim: no report.html to open; --format html or the scenario's report.formats write it\n");
}

function workersOf({ workers = 1 }: RunFlags): number {
  if (workers < 1) throw inputRefusal("--workers", `${workers}`, "a whole number of at least 1");
  return workers;
}

function jsonSummary({ name, hash, world }: Scenario, { record, folder, files, notes, wallSeconds }: ScenarioRun) {
  return {
    scenario: name,
    hash,
    seed: world.seed,
    period: { start: isoUtc(world.startMs), end: isoUtc(world.endMs) },
    report: folder,
    files,
    kpis: kpiJson(record.kpis, currencyOf(record)),
    ...sessionJson(record),
    warnings: [...record.warnings, ...notes],
    wall_seconds: roundTo(wallSeconds, 3),
  };
}
