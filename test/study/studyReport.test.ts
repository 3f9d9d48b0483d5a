import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { NUMERIC_KPI_NAMES, type NumericKpiName } from "../../src/accounting/kpis/kpiRegistry.ts";
import { readPatch } from "../../src/inputs/scenario/patch/applyPatch.ts";
import { textsIn } from "../../src/report/html/page/pageLocale.ts";
import { paretoFront } from "../../src/study/executeStudy.ts";
import { runStudy } from "../../src/study/node/runStudy.ts";
import { readStudy } from "../../src/study/readStudy.ts";
import { boundSentences } from "../../src/study/report/boundSection.ts";
import { evidence, roundedSentence, sideEffectText, verdict } from "../../src/study/report/recommendation.ts";
import { renderStudyHtml } from "../../src/study/report/studyPage.ts";
import { domainText, meanDecimals } from "../../src/study/report/studyText.ts";
import { type ScoredCandidate, scoreCandidate } from "../../src/study/statistics/scoreCandidate.ts";
import type { ParameterDomain, StudyMethod } from "../../src/study/study.ts";
import type { StudyResult } from "../../src/study/studyResult.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { openEvaluator, openStudy, STUDY_HEAD, TWO_BATTERIES } from "./studyFixtures.ts";

const PARAMETERS = `parameters:
  - {name: large, path: "weights.v.large", range: [0, 100], steps: 3}
  - {name: small, path: "weights.v.small", range: [0, 100], steps: 3}
`;
const ENGLISH = textsIn("en");
/** All that a study says, as printed. */
const recommendation = (result: StudyResult): string[] => [
  ...verdict(result, ENGLISH),
  ...roundedSentence(result, ENGLISH),
  ...evidence(result, ENGLISH),
  sideEffectText(result, ENGLISH),
  ...boundSentences(result, ENGLISH),
];
const KPI_INDEX = NUMERIC_KPI_NAMES.indexOf("shortfall_kwh");
const folder = createTemporaryFolder("study-report");
beforeAll(() => writeFileSync(join(folder, "two.yaml"), TWO_BATTERIES));

async function runIn(
  name: string,
  rest: string,
): Promise<{ result: StudyResult; page: string; summary: ReturnType<typeof JSON.parse> }> {
  writeFileSync(join(folder, `${name}.yaml`), `${STUDY_HEAD}${PARAMETERS}allocation: equal\n${rest}`);
  const open = readStudy(join(folder, `${name}.yaml`));
  const { result } = await runStudy(open, {
    out: join(folder, name),
    executor: inlineExecutor(await openEvaluator(open)),
  });
  const read = (file: string) => readFileSync(join(folder, name, file), "utf8");
  return { result, page: read("report.html"), summary: JSON.parse(read("summary.json")) };
}

describe("a grid of two weights", () => {
  let found: Awaited<ReturnType<typeof runIn>>;
  beforeAll(async () => {
    found = await runIn(
      "grid",
      "seeds: 5\nobjective: {minimise: shortfall_kwh}\npareto: [shortfall_kwh, throughput_kwh]\n",
    );
  });

  test("has a page with every part, that loads nothing and is the same again", async () => {
    const { page } = found;
    for (const title of [
      "Recommendation",
      "9\u00a0candidates",
      "One at a time",
      "large and small",
      "Held-out seeds",
      "What no weights can do",
      ">Method<",
    ])
      expect(page).toContain(title);
    expect(page).not.toMatch(/(?:src|href)="(?!#)/);
    expect(page.replace(/<script>[\s\S]*?<\/script>/g, "")).not.toMatch(/\b(?:NaN|undefined|Infinity)\b/);
    expect(
      (await runIn("grid", "seeds: 5\nobjective: {minimise: shortfall_kwh}\npareto: [shortfall_kwh, throughput_kwh]\n"))
        .page,
    ).toBe(page);
  });

  test("is never below the bound, on any seed", () => {
    const { result } = found;
    const { bound, candidates, written } = result;
    expect(bound?.method).toBe("exact");
    expect(Math.max(...(bound?.boundKwh ?? []))).toBeGreaterThan(0);
    for (const { shortfallsKwh } of [written, ...candidates])
      bound?.boundKwh.forEach((kwh, k) => {
        expect(shortfallsKwh[k]).toBeGreaterThanOrEqual(kwh - 1e-6);
      });
  });

  test("has a tornado of the ends against the scenario as written", () => {
    const { result } = found;
    const meanOf = (patch: Record<string, number>) => {
      const open = openStudy(
        `${STUDY_HEAD}${PARAMETERS}allocation: equal\nseeds: 5\nobjective: {minimise: shortfall_kwh}\n`,
      );
      return openEvaluator(open).then(
        (evaluator) =>
          scoreCandidate(
            open.study,
            patch,
            open.study.seeds.map((seed) => evaluator.run(patch, seed)),
          ).objective?.mean ?? 0,
      );
    };
    return Promise.all(
      result.tornado.flatMap(({ parameter, low, high }) =>
        [low, high].map(async ({ value, difference }) => {
          const mean = await meanOf({ [`weights.v.${parameter.name}`]: value });
          expect(difference?.mean).toBeCloseTo(mean - (result.written.objective?.mean ?? 0), 9);
        }),
      ),
    );
  });

  test("tests the best on as many other seeds", () => {
    expect(found.summary.held_out.seeds).toEqual([10, 11, 12, 13, 14]);
    expect(found.summary.held_out.rows.map(({ name }: { name: string }) => name)).toEqual([
      "best",
      "as written",
      "equal weights",
      "by rated power",
      "by energy",
    ]);
    // Both weights are 100 as written: that is equal weights, and the same as by rated power.
    expect(found.summary.held_out.comparisons).toBe(2);
    expect(found.summary.held_out.confidence_of_each).toBe(0.975);
    const [best, ...others] = found.summary.held_out.rows.map(
      ({ best_less_this: less }: { best_less_this: unknown }) => less,
    );
    expect(best).toBeNull();
    expect(others[1]).toEqual(others[0]);
    expect(others[3]).not.toEqual(others[0]);
  });
});

test("a page names equal settings once, the summary each rule", async () => {
  const { page, summary } = await runIn("once", "seeds: 3\nobjective: {minimise: shortfall_kwh}\n");
  expect(page).toContain("as written, equal weights, weights by rated power");
  expect(summary.held_out.rows).toHaveLength(5);
});

test.each<[NumericKpiName, number]>([
  ["awards_fully_covered", 1],
  ["equivalent_full_cycles", 2],
  ["shortfall_kwh", 1],
  ["revenue_jpy", 0],
])("the mean of %s has %i decimals", (kpi, decimals) => {
  expect(meanDecimals(kpi)).toBe(decimals);
});

test.each<[StudyMethod, ParameterDomain, string]>([
  ["grid", { kind: "range", low: 0, high: 100, steps: 5 }, "0 to 100, 5\u00a0values"],
  ["one_at_a_time", { kind: "range", low: 0, high: 1, steps: null }, "0 to 1, 3\u00a0values"],
  ["optimise", { kind: "range", low: 0, high: 100, steps: 5 }, "0 to 100"],
  ["lhs", { kind: "values", values: [1, 20] }, "1, 20"],
])("the values of a parameter with the method %s", (method, choices, text) => {
  const { study } = openStudy(`${STUDY_HEAD}${PARAMETERS}objective: {minimise: shortfall_kwh}\n`);
  expect(domainText({ ...study, method }, { ...study.parameters[0], domain: choices }, ENGLISH)).toBe(text);
});

test("an objective of small weights keeps its digits in the files", async () => {
  const { result, summary } = await runIn("digits", "seeds: 2\nobjective: {weights: {shortfall_kwh: 0.000001}}\n");
  const mean = result.best?.scored.objective?.mean ?? Number.NaN;
  expect(mean).toBeGreaterThan(1e-5);
  expect(mean).toBeLessThan(1e-3);
  expect(summary.best.objective.mean).toBe(Number(mean.toPrecision(9)));
  const [head, ...rows] = readFileSync(join(folder, "digits", "study.csv"), "utf8").split("\n");
  const column = head.split(",").indexOf("objective");
  expect(rows[summary.best.candidate].split(",")[column]).toBe(`${Number(mean.toPrecision(9))}`);
});

test("the reference rules are in the ratio of the ratings", async () => {
  const { result } = await runIn("rules", "objective: {minimise: shortfall_kwh}\n");
  expect(result.references.map(({ name, scored }) => [name, scored.patch])).toEqual([
    ["equal weights", { "weights.v.large": 100, "weights.v.small": 100 }],
    ["by rated power", { "weights.v.large": 100, "weights.v.small": 100 }],
    ["by energy", { "weights.v.large": 100, "weights.v.small": 10 }],
  ]);
});

describe("the recommendation says", () => {
  test.each<[string, string, RegExp[]]>([
    [
      "which values to set, on many seeds",
      "seeds: 5\nobjective: {minimise: shortfall_kwh}\n",
      [
        /^Set large .* and small .*: shortfall falls from [\d.]+.kWh to [\d.]+.kWh \(−[\d.]+.%\)\.$/,
        /The difference paired by seed is/,
        /^On 5.held-out seeds, the difference is/,
        /^No weights, even with new ones for every award/,
      ],
    ],
    [
      "that one seed gives no interval",
      "objective: {minimise: shortfall_kwh}\n",
      [/^Set /, /^One seed gives no interval/],
    ],
    [
      "that no candidate is feasible",
      "objective: {minimise: shortfall_kwh}\nconstraints: [{kpi: soc_min_pct, at_least: 99}]\n",
      [/^None of 9.candidates, nor the scenario as written, satisfies soc_min_pct ≥ 99 on every seed\.$/],
    ],
    [
      "that the objective does not apply",
      "objective: {maximise: revenue_jpy}\n",
      [/^None of/, /The objective revenue_jpy does not apply/],
    ],
    ["to keep the scenario", "seeds: 2\nobjective: {maximise: availability_pct}\n", [/^Keep the scenario as written/]],
  ])("%s", async (_, rest, expected) => {
    const { result, page } = await runIn("words", rest);
    const sentences = recommendation(result);
    for (const pattern of expected)
      expect(
        sentences.some((sentence) => pattern.test(sentence)),
        sentences.join("\n"),
      ).toBe(true);
    expect(page).toContain("Recommendation");
  });
});

describe("with held-out seeds the recommendation says", () => {
  const estimate = (low: number, high: number) => ({ mean: (low + high) / 2, low, high });
  /** What was found, with other differences there: best less as written, equal weights, by rated power, by energy. */
  const saying = (
    result: StudyResult,
    differences: readonly ReturnType<typeof estimate>[],
    held: readonly number[],
  ) => {
    const { heldOut } = result;
    if (heldOut === null) throw new Error("seeds were not held out");
    const rows = heldOut.rows.map((row, k) => ({
      ...row,
      scored: { ...row.scored, satisfiedShares: k === 0 ? held : row.scored.satisfiedShares, isFeasible: true },
      bestMinusThis: k === 0 ? estimate(0, 0) : differences[k - 1],
    }));
    const found = { ...result, heldOut: { ...heldOut, rows } };
    return { text: recommendation(found).join(" "), page: renderStudyHtml(found, ENGLISH) };
  };
  let result: StudyResult;
  beforeAll(async () => {
    const rest = "seeds: 5\nobjective: {minimise: shortfall_kwh}\nconstraints: [{kpi: soc_min_pct, at_least: -1}]\n";
    ({ result } = await runIn("held-out", rest));
  });

  test.each<[string, [number, number][], number, RegExp[]]>([
    [
      "that the improvement is confirmed, and compared with which rules",
      [
        [-9, -1],
        [-9, 1],
        [-3, -2],
        [1, 2],
      ],
      1,
      [
        /^Set large \d/,
        /difference is −5\.0 \(−9\.0 to −1\.0\): the improvement is confirmed\./,
        /On the held-out seeds it is better than weights by rated power, is not significantly different from equal weights and is worse than weights by energy\./,
        /The intervals of these 2.comparisons hold simultaneously at 95 % \(Bonferroni\)\./,
      ],
    ],
    [
      "that it is not significant",
      [
        [-9, 1],
        [-9, -1],
        [-3, -2],
        [-2, -1],
      ],
      1,
      [
        /^The best candidate is large \d/,
        /the improvement is not statistically significant/,
        /On the held-out seeds it is better than equal weights, weights by rated power and weights by energy\./,
      ],
    ],
    [
      "that it is worse, and violates a constraint",
      [
        [1, 9],
        [-9, -1],
        [-3, -2],
        [-2, -1],
      ],
      0.6,
      [
        /^The best candidate is large \d/,
        /it is worse, so keep the scenario as written or use more seeds/,
        /On the held-out seeds, soc_min_pct ≥ -1 is satisfied on only 3 of 5/,
      ],
    ],
  ])("%s", (_, differences, share, expected) => {
    const { text, page } = saying(
      result,
      differences.map(([low, high]) => estimate(low, high)),
      [share],
    );
    for (const pattern of expected) expect(text).toMatch(pattern);
    expect(/satisfied on only \d of/.test(text)).toBe(share < 1);
    expect(page.includes("Apply it with: ")).toBe(text.startsWith("Set "));
    expect(/5 new seeds do not confirm it|On 5 new seeds it is worse/.test(page)).toBe(!text.startsWith("Set "));
  });

  test("which figures get worse with disjoint intervals, if they have a better direction", () => {
    const { best, written } = result;
    if (best === null) throw new Error("no candidate is feasible");
    const kpis = (entries: Record<string, [number, number]>) =>
      new Map(Object.entries(entries).map(([name, [low, high]]) => [name, estimate(low, high)]));
    const text = recommendation({
      ...result,
      written: {
        ...written,
        kpis: kpis({
          awards_fully_covered: [13, 14],
          uncovered_kw_max: [80, 120],
          penalty_jpy: [100, 200],
          throughput_kwh: [5, 6],
          excess_kwh: [0, 0],
          shortfall_kwh: [1, 2],
        }),
      },
      best: {
        ...best,
        scored: {
          ...best.scored,
          kpis: kpis({
            awards_fully_covered: [8, 9],
            uncovered_kw_max: [110, 300],
            penalty_jpy: [300, 400],
            throughput_kwh: [9, 10],
            excess_kwh: [1e-9, 2e-9],
            shortfall_kwh: [3, 4],
          }),
        },
      },
    })
      .join(" ")
      .replaceAll("\u00a0", " ");
    expect(text).toContain(
      "It gets worse: Fully allocated at dispatch from 13.5 to 8.5 and Penalty from 150 JPY to 350 JPY.",
    );
  });

  test("that a rule is better than every candidate", () => {
    const [rule] = result.references;
    const better = { ...rule.scored, objective: estimate(-2, 0) };
    const text = recommendation({
      ...result,
      references: [{ name: "by energy", unexpressed: ["small"], scored: better }],
    }).join(" ");
    expect(text).toContain(
      "Better than every candidate, and not among them: weights by energy with −1.0 (−2.0 to 0.0).",
    );
    expect(text).toContain("The parameters cannot express weights by energy: small has a weight in another ratio.");
    expect(recommendation({ ...result, references: [] }).join(" ")).not.toContain("Better than every candidate");
  });

  test("no difference where every seed gives the same", async () => {
    const rest = "seeds: 4\nobjective: {maximise: awards_total}\n";
    expect((await runIn("steady", rest)).result.heldOut).toBeNull();
  });
});

describe("the verdict", () => {
  /** A study with mean figures as written and of the best candidate. */
  const verdictOf = async (
    kpi: NumericKpiName,
    [written, best]: readonly [Record<string, number>, Record<string, number>],
    texts = ENGLISH,
  ) => {
    const { result } = await runIn("verdict", "seeds: 2\nobjective: {minimise: shortfall_kwh}\n");
    if (result.best === null) throw new Error("no candidate is feasible");
    const scored = (from: ScoredCandidate, figures: Record<string, number>): ScoredCandidate => {
      const estimates = Object.entries(figures).map(([name, mean]) => [name, { mean, low: mean, high: mean }] as const);
      const kpis = new Map(estimates);
      return { ...from, kpis, objective: kpis.get(kpi) ?? null };
    };
    const patch = { "weights.v.large": 80, "weights.v.small": 30 };
    const found = {
      ...result,
      study: {
        ...result.study,
        objective: { direction: "minimise" as const, worstPct: null, terms: [{ kpi, weight: 1 }], text: kpi },
      },
      heldOut: null,
      rounded: null,
      written: scored(result.written, written),
      best: { ...result.best, candidateIndex: 0, scored: { ...scored(result.best.scored, best), patch } },
    };
    return { found, sentences: verdict(found, texts) };
  };
  const BEFORE = { shortfall_kwh: 3292.1, aggregator_margin_jpy: -12_296, penalty_jpy: 148_145 };
  const AFTER = { shortfall_kwh: 1587.6, aggregator_margin_jpy: 67_186, penalty_jpy: 71_443 };

  test("is in the unit of the objective and in money", async () => {
    const { sentences } = await verdictOf("shortfall_kwh", [BEFORE, AFTER]);
    expect(sentences.map((text) => text.replaceAll("\u00a0", " "))).toEqual([
      "Set large 80 and small 30: shortfall falls from 3,292.1 kWh to 1,587.6 kWh (−51.8 %), and a loss of 12,296 JPY becomes a margin of 67,186 JPY.",
      "Nearly all of it is penalty saved: 76,702 JPY.",
    ]);
  });

  test("is in Japanese", async () => {
    const { sentences } = await verdictOf("shortfall_kwh", [BEFORE, AFTER], textsIn("ja"));
    expect(sentences[0].replaceAll("\u00a0", " ").replaceAll(" 円", "円")).toBe(
      "large 80、small 30 に設定：不足量は 3,292.1 kWh から 1,587.6 kWh に減少（−51.8 %）、損失 12,296円が利益 67,186円に転じる。",
    );
  });

  test("says money once where it is the objective, and has no bound in kWh then", async () => {
    const { found, sentences } = await verdictOf("aggregator_margin_jpy", [BEFORE, AFTER]);
    expect(sentences[0].replaceAll("\u00a0", " ")).toBe(
      "Set large 80 and small 30: a loss of 12,296 JPY becomes a margin of 67,186 JPY.",
    );
    expect(boundSentences(found, ENGLISH)).toEqual([]);
    expect(found.bound).not.toBeNull();
  });

  test("says nothing of money without prices", async () => {
    const { sentences } = await verdictOf("shortfall_kwh", [{ shortfall_kwh: 10 }, { shortfall_kwh: 4 }]);
    expect(sentences.map((text) => text.replaceAll("\u00a0", " "))).toEqual([
      "Set large 80 and small 30: shortfall falls from 10.0 kWh to 4.0 kWh (−60.0 %).",
    ]);
  });
});

describe("the Pareto front", () => {
  const scored = (x: number, y: number, isFeasible = true): ScoredCandidate => ({
    patch: {},
    refusal: null,
    seedCount: 1,
    kpis: new Map(),
    frontCosts: [[x], [-y]],
    shortfallsKwh: [],
    objectivePerSeed: null,
    objective: null,
    satisfiedShares: [],
    isFeasible,
    violation: 0,
  });

  test("contains the candidates that no other exceeds in both: less shortfall, more revenue", () => {
    const all = [
      scored(5, 10),
      scored(3, 10),
      scored(4, 12),
      scored(4, 11),
      scored(9, 20),
      scored(1, 5, false),
      scored(3, 10),
    ];
    const { study } = openStudy(
      `${STUDY_HEAD}${PARAMETERS}objective: {minimise: shortfall_kwh}\npareto: [shortfall_kwh, revenue_jpy]\n`,
    );
    const frontOf = (some: readonly ScoredCandidate[]) => paretoFront(study, some, { seedCount: 1, seed: 1 });
    expect(frontOf(all)).toEqual({ front: [1, 2, 4], frontShares: [] });
    const reversed = all.map((each) => ({ ...each, frontCosts: [...each.frontCosts].reverse() }));
    expect(frontOf(reversed).front).toEqual([4, 2, 1]);
    // Means of other seeds are not compared.
    expect(frontOf([...all, { ...scored(1, 30), seedCount: 2 }]).front).toEqual([1, 2, 4]);
  });
});

test("factors of the values as written are printed with their sign, and are a patch", async () => {
  const parameters = `parameters:
  - {name: size, path: "sites.*.components.*.rated_cap", scale: [0.5, 1, 2.5]}
  - {name: small, path: "weights.v.small", scale: {range: [0.5, 2]}}
`;
  writeFileSync(
    join(folder, "scale.yaml"),
    `${STUDY_HEAD}${parameters}method: one_at_a_time\nobjective: {minimise: shortfall_kwh}\n`,
  );
  const open = readStudy(join(folder, "scale.yaml"));
  const out = join(folder, "scale");
  const { result } = await runStudy(open, { out, executor: inlineExecutor(await openEvaluator(open)) });
  const read = (file: string) => readFileSync(join(out, file), "utf8");
  expect(result.candidates.map(({ patch }) => Object.values(patch))).toEqual([[0.5], [1], [2.5], [0.5], [1.25], [2]]);
  expect(result.best?.scored.patch).toEqual({ "weights.v.small": 0.5 });
  expect(read("best.patch.yaml").split("\n")[1]).toBe('"weights.v.small": "*0.5"');
  expect(recommendation(result)[0]).toContain("size ×1 and small ×0.5");
  expect(read("report.html")).toContain("×0.5, ×1, ×2.5");
  expect(read("results.jsonl")).toContain('"patch":{"weights.v.small":"*1.25"},"seed":5');
  // The candidate is the scenario with the numbers in it.
  const numbers = { "sites.large.components.bat.rated_cap": 5000, "sites.small.components.bat.rated_cap": 500 };
  const evaluator = await openEvaluator(open);
  expect(evaluator.run({ "sites.*.components.*.rated_cap": "*2.5" }, 5)).toEqual(evaluator.run(numbers, 5));
  expect(evaluator.run(numbers, 5).kpis?.[0]).not.toBeUndefined();
});

describe("weights of many digits", () => {
  test("are rounded to the fewest with which the best keeps within its interval", async () => {
    const { result, summary, page } = await runIn(
      "rounded",
      "seeds: 4\nmethod: random\nsamples: 12\nobjective: {minimise: shortfall_kwh}\n",
    );
    const { best, rounded } = result;
    if (best === null || rounded === null || best.scored.objective === null) throw new Error("a best is rounded");
    const file = (name: string) => readPatch(join(folder, "rounded", name));
    expect(file("best.exact.patch.yaml")).toEqual(best.scored.patch);
    expect(file("best.patch.yaml")).toEqual(rounded.scored.patch);
    expect(summary.best.rounded).toMatchObject({ digits: rounded.digits, feasible: true });
    expect(page).toContain("Weights are rounded to ");
    // Every smaller number of digits is beyond the worse end of the interval, this one is not.
    const evaluator = await openEvaluator(
      openStudy(`${STUDY_HEAD}${PARAMETERS}objective: {minimise: shortfall_kwh}\n`),
    );
    const meanOf = (digits: number) => {
      const patch = Object.fromEntries(
        Object.entries(best.scored.patch).map(([path, value]) => [path, Number(value.toPrecision(digits))]),
      );
      const kwh = result.study.seeds.map((seed) => evaluator.run(patch, seed).kpis?.[KPI_INDEX] ?? Number.NaN);
      return kwh.reduce((sum, value) => sum + value, 0) / kwh.length;
    };
    const high = best.scored.objective.high ?? Number.NaN;
    expect(meanOf(rounded.digits)).toBeLessThanOrEqual(high);
    expect(meanOf(rounded.digits)).toBeCloseTo(rounded.scored.objective?.mean ?? Number.NaN, 9);
    for (let digits = 1; digits < rounded.digits; digits++) expect(meanOf(digits)).toBeGreaterThan(high);
  });

  test("are no worse than the best on one seed, and stay within their range", async () => {
    const { result } = await runIn("one-seed", "method: random\nsamples: 12\nobjective: {minimise: shortfall_kwh}\n");
    expect(result.rounded?.difference.mean ?? 0).toBeLessThanOrEqual(0);
    for (const value of Object.values(result.rounded?.scored.patch ?? {})) expect(value).toBeLessThanOrEqual(100);
  });

  test("of few digits are written as they are, once", async () => {
    const { result } = await runIn("few", "seeds: 2\nobjective: {minimise: shortfall_kwh}\n");
    expect(result.rounded).toBeNull();
    expect(existsSync(join(folder, "few", "best.exact.patch.yaml"))).toBe(false);
    expect(recommendation(result).join(" ")).not.toContain("rounded");
  });
});
