/**
 * What studies cost and what they win.
 *
 *   npm run bench:study -- [folder of a scenario] [candidates]   candidate runs a second of processor time
 *   npm run bench:study -- --table [seconds]                     the same by members, awards and workers, in wall time
 *   npm run bench:study -- --fork [candidates]                   what fork_at saves: runs from there on beside whole runs
 *   npx tsx bench/study.ts --weights [searches]                  the shipped studies against rules and random search
 *   npx tsx bench/study.ts --allocation [searches]               the shipped studies raced, beside each candidate on every seed
 *
 * Without a folder it is a generated fleet of ten batteries over a year of half-hour awards. What is timed is compiled first,
 * as a package is, and run without a loader: that of the sources wraps every function, in other programs too, and makes a
 * candidate a tenth slower.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { writeFiles } from "../src/inputs/datagen/disk/writeFiles.ts";
import { buildWorld } from "../src/inputs/scenario/loadScenario.ts";
import { ScenarioSource } from "../src/inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../src/platform/node/diskFiles.ts";
import { equalStudy } from "../src/study/allocation/equalStudy.ts";
import { raceStudy } from "../src/study/allocation/raceStudy.ts";
import { readStudy } from "../src/study/readStudy.ts";
import { buildReferenceRules } from "../src/study/referenceRules.ts";
import { createDesign, type ParameterPatch, randomPatches } from "../src/study/search/candidateDesign.ts";
import { optimise } from "../src/study/search/optimise.ts";
import { type Estimate, estimateMean } from "../src/study/statistics/estimate.ts";
import { bestCandidateIndex, scoreCandidate } from "../src/study/statistics/scoreCandidate.ts";
import { EvaluationRunner, inlineExecutor } from "../src/study/workers/evaluationRunner.ts";
import { Evaluator } from "../src/study/workers/evaluator.ts";
import { batteryYearFiles } from "./batteryYearFiles.ts";
import { medianOf, tabulateWorkers } from "./studyWorkers.ts";

const STUDIES = fileURLToPath(new URL("../scenarios/studies/", import.meta.url));

/** Runs that warm up, as a share of those that are timed: until code is compiled. */
const WARM_UP_SHARE = 0.5;

/**
 * Runs of one scenario with other weights, key figures only, once the program has been warmed up.
 *
 * @returns runs a second of processor time, and a digest
 */
export async function timeCandidates(
  folder: string,
  candidates: number,
): Promise<{ perSecond: number; peakMb: number; hash: string }> {
  const source = new ScenarioSource(join(folder, "scenario.yaml"), diskFiles);
  const evaluator = await Evaluator.open(source, null);
  const vpp = buildWorld(source).vpps[0].name;
  const hash = createHash("sha256");
  const warmUps = Math.max(1, Math.ceil(WARM_UP_SHARE * candidates));
  let started = process.cpuUsage();
  for (let k = 0; k < warmUps + candidates; k++) {
    if (k === warmUps) started = process.cpuUsage();
    hash.update(JSON.stringify(evaluator.run({ [`weights.${vpp}.bat-0*`]: 60 + k }, 1).kpis));
  }
  const { user, system } = process.cpuUsage(started);
  const perSecond = (1e6 * candidates) / (user + system);
  return { perSecond, peakMb: process.resourceUsage().maxRSS / 1024, hash: hash.digest("hex").slice(0, 16) };
}

export interface ForkTiming {
  /** Median processor time of a candidate from the fork on, as a share of that of a whole one. */
  readonly ratio: number;
  readonly fullRunMs: number;
  /** Of the run up to the fork. */
  readonly untilForkMs: number;
  /** Of the answers of the candidates that forked. */
  readonly hash: string;
}

/** Candidates with and without `fork_at`, in turn. @param share of the run that all candidates have in common, 0..1 */
export async function timeFork(folder: string, share: number, candidates: number): Promise<ForkTiming> {
  const source = new ScenarioSource(join(folder, "scenario.yaml"), diskFiles);
  const { startMs, endMs, vpps } = buildWorld(source);
  const whole = await Evaluator.open(source, null);
  const forked = await Evaluator.open(source, Math.floor(startMs + share * (endMs - startMs)));
  const hash = createHash("sha256");
  const wholeMs: number[] = [];
  const forkedMs: number[] = [];
  for (let k = 0; k <= candidates; k++) {
    const patch = { [`weights.${vpps[0].name}.bat-0*`]: 60 + k };
    wholeMs.push(cpuMs(() => whole.run(patch, 1)));
    forkedMs.push(cpuMs(() => hash.update(JSON.stringify(forked.run(patch, 1).kpis))));
  }
  const [firstMs] = forkedMs;
  const [median, forkedMedian] = [wholeMs, forkedMs].map((times) => medianOf(times.slice(1)));
  return {
    ratio: forkedMedian / median,
    fullRunMs: median,
    untilForkMs: firstMs,
    hash: hash.digest("hex").slice(0, 16),
  };
}

function cpuMs(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

async function tabulateFork(candidates: number): Promise<void> {
  console.log("| members | awards | a whole candidate, ms | ratio with half in common | ratio with 90 % in common |");
  console.log("|---|---|---|---|---|");
  for (const [members, days] of [
    [10, 365],
    [100, 7],
    [100, 91],
    [100, 365],
  ]) {
    const folder = mkdtempSync(join(tmpdir(), "vppsim-bench-"));
    writeFiles(folder, batteryYearFiles(days, members));
    const [half, most] = [await timeFork(folder, 0.5, candidates), await timeFork(folder, 0.9, candidates)];
    rmSync(folder, { recursive: true, force: true });
    console.log(
      `| ${members} | ${48 * days} | ${most.fullRunMs.toFixed(0)} | ${half.ratio.toFixed(2)} | ${most.ratio.toFixed(2)} |`,
    );
  }
}

/** Number of seeds that the search does not use. */
const HELD_OUT_SEEDS = 40;

export interface RuleComparison {
  readonly study: string;
  readonly rule: string;
  /** Shortfall on held-out seeds, kWh. */
  readonly meanShortfallKwh: number;
  /** Difference best − this, paired by seed. */
  readonly bestMinusThis: Estimate;
}

/**
 * Compares the best candidate of a study's search with rules and a random search of the same budget, on held-out seeds.
 *
 * @param searchSeed  seed of both searches; default: the scenario's seed, as in the study itself
 */
export async function compareSearchWithRules(file: string, searchSeed?: number): Promise<RuleComparison[]> {
  const { study, source } = readStudy(file);
  const { parameters, seeds } = study;
  const evaluator = await Evaluator.open(source, null);
  const world = buildWorld(source);
  const drawnFrom = searchSeed ?? world.seed;
  const score = (patch: ParameterPatch, on: readonly number[]) =>
    scoreCandidate(
      study,
      patch,
      on.map((seed) => evaluator.run(patch, seed)),
    );
  const all = async (patches: readonly ParameterPatch[]) => patches.map((patch) => score(patch, seeds));
  const references = buildReferenceRules(study, world);
  const { candidates } = await optimise(study, drawnFrom, [{}, ...references.map(({ patch }) => patch)], all);
  const random = await all(randomPatches(parameters, study.budget ?? 1, drawnFrom));
  const heldOut = Array.from({ length: HELD_OUT_SEEDS }, (_, k) => Math.max(...seeds) + 1 + k);
  const rules = [
    { name: "CMA-ES", patch: candidates[bestCandidateIndex(study, candidates)].patch },
    { name: "random search", patch: random[bestCandidateIndex(study, random)].patch },
    ...references,
  ].map(({ name, patch }) => ({ name, shortfalls: score(patch, heldOut).shortfallsKwh }));
  return rules.map(({ name, shortfalls }) => ({
    study: study.name,
    rule: name,
    meanShortfallKwh: shortfalls.reduce((sum, kwh) => sum + kwh, 0) / shortfalls.length,
    bestMinusThis: estimateMean(
      shortfalls.map((kwh, k) => rules[0].shortfalls[k] - kwh),
      study.confidence,
    ),
  }));
}

export const listShippedStudies = (): string[] =>
  readdirSync(STUDIES)
    .filter((file) => file.endsWith(".study.yaml"))
    .sort()
    .map((file) => join(STUDIES, file));

/** The shipped studies; with more than one search, how the others came out too. */
async function compareShippedStudies(searches: number): Promise<void> {
  for (const file of listShippedStudies())
    for (let k = 0; k < searches; k++)
      for (const { study, rule, meanShortfallKwh: meanKwh, bestMinusThis: bestLess } of await compareSearchWithRules(
        file,
        k === 0 ? undefined : 100 + k,
      ))
        console.log(
          `${study}, search ${k + 1}: ${rule.padEnd(16)} ${meanKwh.toFixed(1)} kWh short; the best has ${bestLess.mean.toFixed(1)} (${bestLess.low?.toFixed(1)} to ${bestLess.high?.toFixed(1)}) against it`,
        );
}

/** Seeds that no study uses, on which the choices are judged. */
const TRUTH_SEEDS = Array.from({ length: 300 }, (_, k) => 900_000 + k);

/** Chooses by both allocations on drawn seeds, and prints their runs and how much worse than the best known their choices are. */
async function compareAllocations(searches: number): Promise<void> {
  for (const file of listShippedStudies()) {
    const { study, source } = readStudy(file);
    const evaluator = await Evaluator.open(source, null);
    const world = buildWorld(source);
    const truths = new Map<string, number>();
    const trueMean = (patch: ParameterPatch): number => {
      const key = JSON.stringify(patch);
      const known = truths.get(key);
      if (known !== undefined) return known;
      const outcomes = TRUTH_SEEDS.map((seed) => evaluator.run(patch, seed));
      const mean = scoreCandidate(study, patch, outcomes).objective?.mean ?? Number.NaN;
      truths.set(key, mean);
      return mean;
    };
    const list = { method: "lhs", samples: 100, budget: null, pareto: null } as const;
    for (const [name, kind] of [
      ["optimise", { pareto: null }],
      ["optimise with pareto", {}],
      ["a list of 100", list],
      ["a list of 100 with pareto", { ...list, pareto: study.pareto }],
    ] as const) {
      const chosen = { race: [] as number[], equal: [] as number[] };
      const runs = { race: 0, equal: 0 };
      for (const allocation of ["race", "equal"] as const)
        for (let search = 1; search <= searches; search++) {
          const seeds = study.seeds.map((_, k) => 1000 * search + k);
          const evaluations = new EvaluationRunner({
            executor: inlineExecutor(evaluator),
            store: { knownOutcomes: new Map(), append: () => {}, close: () => {} },
            signal: new AbortController().signal,
            isForked: false,
            onRuns: () => {},
          });
          const drawn = { ...study, ...kind, allocation, seeds };
          // Searches start from other random numbers.
          const plan = { rules: buildReferenceRules(study, world), ends: [], seed: search };
          const design = createDesign(drawn, search);
          const { best } = await (allocation === "race" ? raceStudy : equalStudy)(
            drawn,
            { ...plan, design },
            evaluations,
          );
          chosen[allocation].push(trueMean(best?.scored.patch ?? {}));
          runs[allocation] += evaluations.runCount;
        }
      const least = Math.min(...chosen.race, ...chosen.equal);
      const loss = (values: readonly number[]) => values.reduce((sum, value) => sum + value - least, 0) / searches;
      console.log(
        `${study.name}, ${name}: loss ${loss(chosen.race).toFixed(1)} kWh raced, ${loss(chosen.equal).toFixed(1)} equal; runs ${runs.race / searches} and ${runs.equal / searches}, ${(runs.race / runs.equal).toFixed(2)}`,
      );
    }
  }
}

async function main(folder: string | undefined, count: number | undefined): Promise<void> {
  if (folder === "--weights") return compareShippedStudies(count ?? 1);
  if (folder === "--allocation") return compareAllocations(count ?? 6);
  if (folder === "--table") return tabulateWorkers(count ?? 8);
  if (folder === "--fork") return tabulateFork(count ?? 15);
  const own = folder ?? mkdtempSync(join(tmpdir(), "vppsim-bench-"));
  try {
    if (folder === undefined) writeFiles(own, batteryYearFiles(365));
    const { perSecond, peakMb, hash } = await timeCandidates(own, count ?? 60);
    console.log(
      `${perSecond.toFixed(2)} candidate runs a second of processor time, peak ${peakMb.toFixed(0)} MB, answer ${hash}`,
    );
  } finally {
    if (folder === undefined) rmSync(own, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(process.argv[2], process.argv[3] === undefined ? undefined : Number(process.argv[3]));
