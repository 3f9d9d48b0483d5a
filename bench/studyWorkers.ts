/**
 * Candidates a second by members, awards and workers: the table of `npm run bench:study -- --table`.
 *
 * What two workers are worth is measured beside two processes of one worker each, which have nothing in common but the machine.
 */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type GeneratedFiles, writeFiles } from "../src/inputs/datagen/disk/writeFiles.ts";
import { fleetFiles } from "../src/inputs/datagen/fleetFiles.ts";
import { ScenarioSource } from "../src/inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../src/platform/node/diskFiles.ts";
import { crewExecutor } from "../src/study/node/poolExecutor.ts";
import { inlineExecutor } from "../src/study/workers/evaluationRunner.ts";
import { Evaluator } from "../src/study/workers/evaluator.ts";
import { batteryYearFiles } from "./batteryYearFiles.ts";

/** In turn, and short, so that what else the machine does falls on all alike. */
const ROUNDS = 9;
/** Until code is compiled, in seconds of wall time. */
const WARM_UP_SECONDS = 2.5;
/** What one call takes until then: enough for every thread to take part in it. */
const WARM_UP_CALL_SECONDS = 0.4;

/** Runs so many candidates. @returns how many a second of wall time that was */
type TimedRunner = (count: number) => Promise<number>;

export const medianOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

/** As `vppsim study --workers` does it. */
async function openWorkers(folder: string, workers: number): Promise<{ run: TimedRunner; close: () => Promise<void> }> {
  const scenarioFile = join(folder, "scenario.yaml");
  const evaluator = await Evaluator.open(new ScenarioSource(scenarioFile, diskFiles), null);
  const executor =
    workers === 1 ? inlineExecutor(evaluator) : crewExecutor(evaluator, { scenarioFile, forkAtMs: null }, workers);
  let first = 1;
  const run: TimedRunner = async (count) => {
    const jobs = Array.from({ length: count }, (_, k) => ({
      patch: { "weights.fleet.bat-0*": first + k },
      seeds: [1],
    }));
    first = (first + count) % 9000;
    const startedMs = performance.now();
    await executor.run(jobs, () => {}, new AbortController().signal);
    return (1000 * count) / (performance.now() - startedMs);
  };
  return { run, close: () => executor.close() };
}

/** One worker in a process of its own. */
function openProcess(folder: string): { run: TimedRunner; close: () => void } {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [folder]);
  const run: TimedRunner = async (count) => {
    child.send(count);
    const [perSecond] = (await once(child, "message")) as [number];
    return perSecond;
  };
  return { run, close: () => child.disconnect() };
}

/** Receives counts of candidates and sends throughputs. */
async function serveParentProcess(folder: string, tell: (perSecond: number) => void): Promise<void> {
  const { run } = await openWorkers(folder, 1);
  let latest: Promise<void> = Promise.resolve();
  process.on("message", (count: number) => {
    latest = latest.then(async () => tell(await run(count)));
  });
}

/** Candidates a second, once all code is compiled. */
async function warmUp(run: TimedRunner, workers: number): Promise<number> {
  const untilMs = performance.now() + 1000 * WARM_UP_SECONDS;
  let perSecond = await run(2 * workers);
  while (performance.now() < untilMs)
    perSecond = await run(workers * Math.ceil((perSecond * WARM_UP_CALL_SECONDS) / workers));
  return perSecond;
}

interface WorkerSpeeds {
  /** Candidates a second of wall time. */
  readonly oneWorkerPerSecond: number;
  readonly twoWorkersPerSecond: number;
  /** What two workers, and two processes, did in the time in which one worker did 1. */
  readonly workersRatio: number;
  readonly processesRatio: number;
}

/** @param seconds to run for with each of the three, about */
async function timeWorkers(folder: string, seconds: number): Promise<WorkerSpeeds> {
  const [one, two] = [await openWorkers(folder, 1), await openWorkers(folder, 2)];
  const processes = [openProcess(folder), openProcess(folder)];
  const sideBySide: TimedRunner = async (count) => {
    const startedMs = performance.now();
    await Promise.all(processes.map(({ run }) => run(count / 2)));
    return (1000 * count) / (performance.now() - startedMs);
  };
  const runners = [one.run, two.run, sideBySide];
  const counts: number[] = [];
  for (const run of runners) {
    const workers = run === one.run ? 1 : 2;
    // As many for each worker: none waits for the other at the end.
    counts.push(workers * Math.ceil(((await warmUp(run, workers)) * seconds) / ROUNDS / workers));
  }
  const found: number[][] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++)
    for (let k = 0; k < 3; k++) {
      const turn = (k + round) % 3;
      found[turn].push(await runners[turn](counts[turn]));
    }
  await two.close();
  for (const { close } of processes) close();
  const [ones, twos, pairs] = found;
  return {
    oneWorkerPerSecond: medianOf(ones),
    twoWorkersPerSecond: medianOf(twos),
    workersRatio: medianOf(twos.map((speed, round) => speed / ones[round])),
    processesRatio: medianOf(pairs.map((speed, round) => speed / ones[round])),
  };
}

export async function tabulateWorkers(seconds: number): Promise<void> {
  console.log("| members | awards | 1 worker | 2 workers | ratio | ratio of 2 processes |");
  console.log("|---|---|---|---|---|---|");
  for (const members of [10, 40, 100])
    for (const days of [7, 91, 365]) await tabulateRow(`${members}`, days, batteryYearFiles(days, members), seconds);
  await tabulateRow("fleet-year", 365, fleetFiles("fleet-year", 365), seconds);
}

async function tabulateRow(members: string, days: number, files: GeneratedFiles, seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "vppsim-bench-"));
  writeFiles(folder, files);
  const {
    oneWorkerPerSecond: one,
    twoWorkersPerSecond: two,
    workersRatio: ratio,
    processesRatio,
  } = await timeWorkers(folder, seconds);
  rmSync(folder, { recursive: true, force: true });
  const speeds = [one, two].map((speed) => (speed < 100 ? speed.toPrecision(3) : speed.toFixed(0))).join(" | ");
  console.log(`| ${members} | ${48 * days} | ${speeds} | ${ratio.toFixed(2)} | ${processesRatio.toFixed(2)} |`);
}

if (
  process.send !== undefined &&
  process.argv[1] !== undefined &&
  import.meta.url === pathToFileURL(process.argv[1]).href
)
  await serveParentProcess(process.argv[2], process.send.bind(process));
