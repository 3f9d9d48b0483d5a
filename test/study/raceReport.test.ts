import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { textsIn } from "../../src/report/html/page/pageLocale.ts";
import { runStudy } from "../../src/study/node/runStudy.ts";
import { readStudy } from "../../src/study/readStudy.ts";
import { rankCandidates } from "../../src/study/report/candidatesSection.ts";
import { costSentence } from "../../src/study/report/raceText.ts";
import { evidence, isAdvised, verdict } from "../../src/study/report/recommendation.ts";
import { renderStudyHtml } from "../../src/study/report/studyPage.ts";
import type { ScoredCandidate } from "../../src/study/statistics/scoreCandidate.ts";
import type { StudyResult } from "../../src/study/studyResult.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { openEvaluator, STUDY_HEAD, TWO_BATTERIES } from "./studyFixtures.ts";

const ENGLISH = textsIn("en");
const folder = createTemporaryFolder("race-report");
beforeAll(() => writeFileSync(join(folder, "two.yaml"), TWO_BATTERIES));

/** A study of two weights in steps of a quarter. */
async function runIn(name: string, rest: string): Promise<{ result: StudyResult; page: string }> {
  const parameters = ["large", "small"]
    .map((battery) => `  - {name: ${battery}, path: "weights.v.${battery}", range: [0, 100], steps: 5}\n`)
    .join("");
  writeFileSync(
    join(folder, `${name}.yaml`),
    `${STUDY_HEAD}parameters:\n${parameters}${rest.includes("objective") ? "" : "objective: {minimise: shortfall_kwh}\n"}${rest}`,
  );
  const open = readStudy(join(folder, `${name}.yaml`));
  const out = join(folder, name);
  const { result } = await runStudy(open, { out, executor: inlineExecutor(await openEvaluator(open)) });
  return { result, page: readFileSync(join(out, "report.html"), "utf8") };
}

const plain = (text: string): string => text.replaceAll("\u00a0", " ");
const said = (result: StudyResult, texts = ENGLISH): string =>
  plain([...verdict(result, texts), ...evidence(result, texts)].join(" "));
const pageOf = (result: StudyResult): string => plain(renderStudyHtml(result, ENGLISH));

let raced: Awaited<ReturnType<typeof runIn>>;
beforeAll(async () => {
  raced = await runIn("grid", "seeds: 8\n");
});

interface Change {
  /** Best less as written, and half of its interval. */
  readonly mean: number;
  readonly halfWidth: number;
  readonly probability: number;
  readonly minDifference?: number;
  readonly isCarriedByOne?: boolean;
}

/** The race with another change on 16 held-out seeds. */
function withChange({ mean, halfWidth, probability, minDifference = 0, isCarriedByOne = false }: Change): StudyResult {
  const { heldOut, study } = raced.result;
  if (heldOut?.change == null) throw new Error("the best was confirmed");
  const bestMinusThis = { mean, low: mean - halfWidth, high: mean + halfWidth };
  return {
    ...raced.result,
    study: { ...study, minDifference },
    heldOut: {
      ...heldOut,
      seeds: heldOut.seeds.slice(0, 16),
      rows: heldOut.rows.map((row) => (row.name === "as written" ? { ...row, bestMinusThis } : row)),
      change: {
        probabilityBetter: probability,
        probabilityOfMinDifference: probability / 2,
        betterSeedCount: 11,
        isCarriedByOne,
        moreRuns: { runs: 200, halfWidth: halfWidth / 2, runsToHalve: 96 },
      },
    },
  };
}

describe("a race says first", () => {
  test("what to set, how sure that is, and the figures on the held-out seeds", () => {
    const result = withChange({ mean: -1704.3, halfWidth: 230.4, probability: 0.99991 });
    const text = said(result);
    expect(text).toMatch(
      /^Set large \d+ and small \d+: it is better than the scenario as written with a probability of over 99\.9 %, by 1,704 ± 230 kWh \(95 %, 16 held-out seeds; better on 11 of 16\)\. On 16 held-out seeds, shortfall falls from [\d.]+ kWh to [\d.]+ kWh \(−[\d.]+ %\)\./,
    );
    const [best, written] = result.heldOut?.rows ?? [];
    expect(text).toContain(
      `from ${written.scored.objective?.mean.toFixed(1)} kWh to ${best.scored.objective?.mean.toFixed(1)} kWh`,
    );
    expect(isAdvised(result)).toBe(true);
    expect(pageOf(result)).toContain("Apply it with: ");
  });

  test("the same in Japanese", () => {
    expect(said(withChange({ mean: -1704.3, halfWidth: 230.4, probability: 0.99991 }), textsIn("ja"))).toMatch(
      /^large \d+、small \d+ に設定：現状より良い確率は 99\.9 % 超、差は 1,704 ± 230 kWh（95 %、検証用の 16 シード、16 中 11 で改善）。 検証用の 16 シードで、不足量は /,
    );
  });

  test.each<[string, Change, string]>([
    [
      "undecided",
      { mean: -3.04, halfWidth: 4.96, probability: 0.642 },
      "Keep the scenario as written: the best candidate is better with a probability of 64 %, by 3.0 ± 5.0 kWh (95 %, 16 held-out seeds).",
    ],
    [
      "undecided, and less than what matters",
      { mean: -3.1, halfWidth: 10.2, probability: 0.642, minDifference: 12 },
      "Keep the scenario as written: the best candidate is better with a probability of 64 %, by 3 ± 10 kWh (95 %, 16 held-out seeds), less than the 12 kWh that matter to you.",
    ],
    [
      "decided, and less than what matters",
      { mean: -9, halfWidth: 2, probability: 0.96, minDifference: 12.5 },
      "Keep the scenario as written: the best candidate is better with a probability of 96.0 %, by 9.0 ± 2.0 kWh (95 %, 16 held-out seeds), less than the 12.5 kWh that matter to you.",
    ],
    [
      "worse",
      { mean: 40, halfWidth: 12, probability: 0.0002, minDifference: 12 },
      "Keep the scenario as written: the best candidate is worse by 40 ± 12 kWh (95 %, 16 held-out seeds); it is better with a probability of under 0.1 %.",
    ],
  ])("to keep the scenario as written: %s", (_, change, sentence) => {
    const result = withChange(change);
    expect(
      said(result).startsWith(`${sentence} With the best candidate, on 16 held-out seeds, shortfall `),
      said(result),
    ).toBe(true);
    expect(isAdvised(result)).toBe(false);
    const page = pageOf(result);
    expect(page).toContain(sentence);
    expect(page).not.toContain("Apply it with: ");
  });

  test("no advice for a candidate that violates a constraint on a held-out seed, and which one", () => {
    const good = withChange({ mean: -1704.3, halfWidth: 230.4, probability: 0.99991 });
    const { heldOut } = good;
    if (heldOut === null) throw new Error("the best was confirmed");
    const [best, ...others] = heldOut.rows;
    const constraints = [
      { kpi: "shortfall_kwh" as const, name: "shortfall_kwh", bound: "at_most" as const, limit: 500 },
    ];
    const scored = { ...best.scored, isFeasible: false, satisfiedShares: [15 / 16] };
    const result = {
      ...good,
      study: { ...good.study, constraints },
      heldOut: { ...heldOut, rows: [{ ...best, scored }, ...others] },
    };
    expect(isAdvised(result)).toBe(false);
    expect(plain(verdict(result, ENGLISH).join(" "))).toMatch(
      /^Keep .* shortfall_kwh ≤ 500 is satisfied on only 15 of 16/,
    );
  });

  test("which rule is clearly better on held-out seeds, with what it sets", () => {
    const good = withChange({ mean: -1704.3, halfWidth: 230.4, probability: 0.99991 });
    const { heldOut } = good;
    if (heldOut === null) throw new Error("the best was confirmed");
    const behind = { mean: 30, low: 20, high: 40 };
    const rows = heldOut.rows.map((row) => (row.name === "by energy" ? { ...row, bestMinusThis: behind } : row));
    const text = plain(verdict({ ...good, heldOut: { ...heldOut, rows } }, ENGLISH).join(" "));
    expect(text).toMatch(/Still better on 16 held-out seeds, .*: weights by energy, here large [\d.]+, small [\d.]+\./);
    expect(plain(verdict(good, ENGLISH).join(" "))).not.toContain("Still better");
  });

  test("a difference of a formula in two digits of its interval", () => {
    const result = withChange({ mean: -0.00704, halfWidth: 0.00234, probability: 0.9999 });
    const terms = [{ kpi: "shortfall_kwh" as const, weight: 1e-6 }];
    const objective = { ...result.study.objective, terms, text: "formula" };
    expect(said({ ...result, study: { ...result.study, objective } })).toContain("by 0.0070 ± 0.0023 (95 %");
  });

  test("no advice to keep what violates a constraint", () => {
    const result = withChange({ mean: -3, halfWidth: 20, probability: 0.6 });
    const text = said({ ...result, written: { ...result.written, isFeasible: false } });
    expect(text).toMatch(/^The best candidate is large .*: it is better than the scenario as written with a prob/);
    expect(text).toContain("The scenario as written violates the constraints.");
    expect(text).not.toContain("Keep ");
  });

  test("that nothing stayed before the scenario as written", () => {
    const { written, best } = raced.result;
    if (best === null) throw new Error("a candidate is feasible");
    const kept = { ...best, candidateIndex: -1, scored: written, difference: null };
    expect(said({ ...raced.result, best: kept, heldOut: null })).toMatch(
      /^Keep the scenario as written: none of 25 candidates was better to the end of the race, on 16 seeds \(Shortfall \(kWh\): [\d.,]+ \([\d.,]+ to [\d.,]+\)\)\. Of 25 candidates/,
    );
  });

  test("that no candidate is feasible", async () => {
    const { result, page } = await runIn("infeasible", "seeds: 4\nconstraints: [{kpi: soc_min_pct, at_least: 99}]\n");
    expect(said(result)).toMatch(/^None of 25 candidates, nor the scenario as written, satisfies soc_min_pct ≥ 99/);
    expect(plain(page)).toContain(plain(costSentence(result, ENGLISH)));
  });
});

describe("a race says as evidence", () => {
  test("how much better the others could be, of how many, and what it cost", () => {
    const { result, page } = raced;
    const { best, candidates, allocation } = result;
    if (best?.lossAtMost == null) throw new Error("others were compared");
    const known = candidates.filter(({ seedCount }) => 8 <= seedCount).length;
    // The page and the statistics agree on what enough seeds are.
    expect(known).toBe(candidates.length - best.leftEarlyCount);
    expect(best.leftEarlyCount).toBeGreaterThan(0);
    const sentence = (lossAtMost: number | null) => said({ ...result, best: { ...best, lossAtMost } });
    const start = `Of 25 candidates, ${known} were run on at least 8 seeds; with 95 % confidence none of them is better`;
    const end = `. ${best.leftEarlyCount} left earlier, by rank.`;
    expect(sentence(38.4)).toContain(`${start} by more than 38 kWh${end}`);
    expect(sentence(0)).toContain(`${start}${end}`);
    expect(sentence(null)).not.toContain("Of 25 candidates");
    const cost = `${allocation.runCount} runs instead of ${allocation.equalRunCount}.`;
    expect(plain(costSentence(result, ENGLISH))).toBe(cost);
    expect(plain(page)).toContain(cost);
    expect(page).toContain("Candidates left by number of seeds");
  });

  test("what more runs would bring, unless it is decided that the difference does not matter", () => {
    const sentence = "200 more runs would reduce ± 230 to ± 115 kWh.";
    const change = { mean: -1704, halfWidth: 230, probability: 0.99991 };
    expect(said(withChange(change))).toContain(sentence);
    expect(said(withChange({ ...change, mean: -100 }))).toContain(sentence);
    expect(said(withChange({ ...change, mean: -100, minDifference: 240 }))).not.toContain("more runs");
    expect(said(withChange({ ...change, mean: -300, minDifference: 240 }))).toContain(sentence);
  });

  test("with which probability the difference matters", () => {
    const change = { mean: -1704, halfWidth: 230, probability: 0.9 };
    expect(said(withChange({ ...change, minDifference: 500 }))).toContain(
      "It is better by more than the 500 kWh that matter to you with a probability of 45 %.",
    );
    expect(said(withChange(change))).not.toContain("matter to you");
  });

  test("that one seed carries the variation", () => {
    const change = { mean: -1704, halfWidth: 230, probability: 0.9 };
    expect(said(withChange({ ...change, isCarriedByOne: true }))).toContain("One seed of 16 carries most of");
    expect(said(withChange(change))).not.toContain("One seed");
  });

  test("which rule is ahead on the seeds of both, and none that is behind", () => {
    const { result } = raced;
    const { best } = result;
    if (best?.scored.objectivePerSeed == null) throw new Error("the best has values");
    const values = best.scored.objectivePerSeed;
    /** On the first two seeds alone: its mean is another one. */
    const rule = (offset: number): ScoredCandidate => ({
      ...best.scored,
      seedCount: 2,
      objectivePerSeed: values.slice(0, 2).map((value) => value + offset),
      objective: { mean: -offset, low: null, high: null },
    });
    const saying = (offset: number) =>
      said({ ...result, references: [{ name: "by energy", unexpressed: [], scored: rule(offset) }] });
    expect(saying(-7)).toContain(
      "on the 2 seeds of both, and not among the candidates: weights by energy, by 7.0 kWh.",
    );
    expect(saying(7)).not.toContain("Better than");
  });
});

describe("the page of a race", () => {
  test("ranks those on more seeds before others, with their seeds", () => {
    const { result, page } = raced;
    const order = rankCandidates(result);
    const seeds = order.map((index) => result.candidates[index].seedCount);
    expect(seeds).toEqual([...seeds].sort((a, b) => b - a));
    expect(new Set(seeds).size).toBeGreaterThan(2);
    expect(order[0]).toBe(result.best?.candidateIndex);
    expect(page).toMatch(/<th[^>]*>Seeds/);
  });

  test("draws means of enough seeds, and says which", () => {
    const { result, page } = raced;
    const known = result.candidates.filter(({ seedCount }) => 8 <= seedCount).length;
    expect(plain(page)).toContain(`Only the ${known} of 25 that ran on at least 8 seeds are drawn.`);
    expect(page).toMatch(/mean of its own seeds \((?:8 to )?16\)/);
    expect(plain(page)).toContain("mean and 95 % interval of 16 seeds");
  });

  test.each(["en", "ja"] as const)("claims nothing that is only true on equal seeds (%s)", (language) => {
    const page = renderStudyHtml(raced.result, textsIn(language)).replace(/<(script|style)[\s\S]*?<\/\1>/g, "");
    expect(page).not.toMatch(/significant|有意/);
    expect(page).not.toMatch(/\b(?:NaN|undefined|Infinity)\b|\{\w+\}/);
    // Of the study file: intervals have other numbers of seeds.
    expect(plain(page)).not.toMatch(/interval (?:on|of) 8 seeds|mean of 8 seeds/);
  });

  test("says under the front how to get all of it", async () => {
    const sentence = "who wants the whole front at best uses allocation: equal.";
    const pareto = "seeds: 4\npareto: [shortfall_kwh, throughput_kwh]\n";
    expect((await runIn("front", pareto)).page).toContain(sentence);
    expect((await runIn("front-equal", `${pareto}allocation: equal\n`)).page).not.toContain(sentence);
  });

  test("joins a front of two figures alone by a line", async () => {
    const three = "seeds: 4\npareto: [shortfall_kwh, throughput_kwh, uncovered_kw_max]\n";
    const { page } = await runIn("front-three", three);
    expect(page).toContain("Rings are the Pareto front of these two figures and Largest uncovered power");
    expect(page).not.toContain("The line is the Pareto front");
    const drawing = page.slice(page.indexOf('<figure id="pareto">')).split("</figure>")[0];
    expect(drawing).toContain("<circle");
    expect(drawing).not.toMatch(/<path[^>]*stroke="var\(--s2\)"/);
  });

  test("of a search counts its evaluations, and has finalists", async () => {
    const { result, page } = await runIn("search", "seeds: 4\nmethod: optimise\nbudget: 20\n");
    const { length } = result.candidates;
    const text = plain(page);
    expect(text).toContain(`a search of 20 evaluations and a race of its ${length} finalists on 4 to 8 seeds.`);
    expect(text).toContain("These are the finalists of a search of 20 evaluations.");
    expect(text).toContain("of each generation, by number of evaluations. Each generation has 3 seeds of its own");
  });
});

test("a mean of the worst seeds is named as one, with its kind of interval", async () => {
  const name = "tail";
  const { result, page } = await runIn(name, "seeds: 4\nobjective: {minimise: {tail: shortfall_kwh, worst_pct: 20}}\n");
  expect(said(result)).toMatch(/, shortfall on the worst 20 % of the seeds (?:falls|rises) from/);
  expect(page).toContain("percentiles of 1,000 resamples of the seeds (bootstrap)");
  expect(raced.page).not.toContain("bootstrap");
  // One look alone.
  expect(said(result)).not.toContain("16, 32 and 64 seeds");
  expect(said(raced.result)).toContain("at each of 16, 32 and 64 seeds (Bonferroni)");
});

describe("without a race", () => {
  const LINE = "With fewer than 4 seeds each candidate runs on all of them.";

  test("the page says so where there are too few seeds for one", async () => {
    expect((await runIn("three", "seeds: 3\n")).page).toContain(LINE);
    expect((await runIn("equal", "seeds: 3\nallocation: equal\n")).page).not.toContain(LINE);
    expect((await runIn("one", "")).page).not.toContain(LINE);
    expect(raced.page).not.toContain(LINE);
  });

  test("a difference that does not matter is no recommendation either", async () => {
    const { result } = await runIn("small", "seeds: 3\nallocation: equal\n");
    expect(isAdvised(result)).toBe(true);
    const other = { ...result, study: { ...result.study, minDifference: 1e6 } };
    expect(isAdvised(other)).toBe(false);
    expect(said(other)).toContain("The difference is less than the 1,000,000 kWh that matter to you.");
  });
});
