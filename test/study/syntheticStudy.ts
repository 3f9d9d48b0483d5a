// A study whose values are known: means by candidate, noise by seed that all candidates share, and noise of their own.
import { NUMERIC_KPI_NAMES } from "../../src/accounting/kpis/kpiRegistry.ts";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import type { Study } from "../../src/study/study.ts";
import { EvaluationRunner } from "../../src/study/workers/evaluationRunner.ts";
import type { Executor } from "../../src/study/workers/executor.ts";
import { openStudy, STUDY_HEAD, TWO_BATTERIES } from "./studyFixtures.ts";

export const PATH = "weights.v.large";

const SCENARIO = TWO_BATTERIES.replace("{site: large, ", "{site: large, allocation_weight: 1, ");

/** Candidates set the weight of a battery to 1, 2, …; the scenario as written has weight 1 and is candidate 0. */
export function syntheticStudy(count: number, rest = "", objective = "{minimise: shortfall_kwh}"): Study {
  const values = Array.from({ length: count }, (_, k) => k + 1).join(", ");
  const parameters = `parameters: [{name: x, path: ${PATH}, values: [${values}]}]\n`;
  return openStudy(`${STUDY_HEAD}${parameters}objective: ${objective}\n${rest}`, SCENARIO).study;
}

export const candidatesOf = (count: number) => Array.from({ length: count }, (_, k) => ({ [PATH]: k + 1 }));

export interface SyntheticRuns {
  readonly evaluations: EvaluationRunner;
  /** `<weight> <seed>` of each run. */
  readonly ran: string[];
}

/** @param shortfallOf  shortfall of a weight on a seed; `null`: the scenario refuses the weight */
export function syntheticRuns(shortfallOf: (weight: number, seed: number) => number | null): SyntheticRuns {
  const ran: string[] = [];
  const place = NUMERIC_KPI_NAMES.indexOf("shortfall_kwh");
  const executor: Executor = {
    concurrency: 1,
    close: async () => {},
    run: async (jobs, report) => {
      jobs.forEach(({ patch, seeds }, jobIndex) => {
        const weight = Number(patch[PATH] ?? 1);
        seeds.forEach((seed, seedIndex) => {
          ran.push(`${weight} ${seed}`);
          const value = shortfallOf(weight, seed);
          const kpis = NUMERIC_KPI_NAMES.map((_, k) => (k === place ? value : 0));
          const outcome = value === null ? { kpis: null, refusal: "no" } : { kpis, refusal: null };
          report([{ jobIndex, seedIndex, outcome }]);
        });
      });
    },
  };
  const store = { knownOutcomes: new Map(), append: () => {}, close: () => {} };
  const signal = new AbortController().signal;
  return { ran, evaluations: new EvaluationRunner({ executor, store, signal, isForked: false, onRuns: () => {} }) };
}

/** Values of candidates on any seed: their means, with normal noise, or with a rare failure. */
export function noisyValues(
  means: readonly number[],
  world: number,
  rareShare = 0,
): (weight: number, seed: number) => number {
  return (weight, seed) => {
    const streams = new RandomStreams(world);
    const shared = streams.getStream("shared", String(seed)).nextNormal();
    const own = streams.getStream("own", `${weight} ${seed}`);
    const noise = own.nextNormal();
    const failure = rareShare > 0 && own.nextUniform() < rareShare ? 5 : 0;
    return means[weight - 1] + 3 * shared + noise + failure - 5 * rareShare;
  };
}
