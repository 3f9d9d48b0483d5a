import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { NUMERIC_KPI_NAMES } from "../../src/accounting/kpis/kpiRegistry.ts";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { readPatch } from "../../src/inputs/scenario/patch/applyPatch.ts";
import { RunStopped } from "../../src/report/runStopped.ts";
import { type RunStudyOptions, runStudy } from "../../src/study/node/runStudy.ts";
import { readStudy } from "../../src/study/readStudy.ts";
import type { ParameterPatch } from "../../src/study/search/candidateDesign.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import { type Executor, runCandidate } from "../../src/study/workers/executor.ts";
import { runWorld } from "../runWorld.ts";
import { createStudyFolder, GRID, openEvaluator, openStudy, sortedResults, TWO_BATTERIES } from "./studyFixtures.ts";

let folder: string;
beforeEach(() => {
  folder = createStudyFolder(GRID);
});

const open = () => readStudy(join(folder, "study.yaml"));
const out = (name: string) => join(folder, name);
const report = (name: string, file: string) => readFileSync(join(folder, name, file), "utf8");

/** Runs the study of the folder in this thread. */
async function run(name: string, options: Partial<RunStudyOptions> = {}) {
  const study = open();
  return runStudy(study, { out: out(name), executor: inlineExecutor(await openEvaluator(study)), ...options });
}

/** An executor that breaks off after some runs; with `signal`, as Ctrl-C does. */
function breaking(inner: Executor, after: number, stop: () => void): Executor {
  let runs = 0;
  return {
    ...inner,
    run: (jobs, report, signal) =>
      inner.run(
        jobs,
        (pieces) => {
          for (const piece of pieces) {
            if (runs === after) return;
            report([piece]);
            if (++runs === after) stop();
          }
        },
        signal,
      ),
  };
}

describe("a study", () => {
  test("gives every candidate the figures of its runs", async () => {
    const { result } = await run("report");
    expect(result.candidates).toHaveLength(6);
    for (const { patch, kpis, refusal } of result.candidates.slice(1, 4)) {
      expect(refusal).toBeNull();
      const runs = [5, 6, 7].map(
        (seed) => runWorld(loadScenario(join(folder, "two.yaml"), { patch, seed }).world, { intervalMs: 1 }).kpis,
      );
      for (const name of NUMERIC_KPI_NAMES) {
        const values = runs.map((figures) => figures.get(name) ?? null);
        const estimate = kpis.get(name) ?? null;
        if (values.includes(null)) expect(estimate).toBeNull();
        else expect(estimate?.mean).toBeCloseTo(values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / 3, 9);
      }
    }
  });

  test("of the words of a key writes these words", async () => {
    const text = GRID.replace(
      /- \{name: small.*/,
      "- {name: excess, path: vpps.v.delta_excess, values: [redistribute, uncovered]}",
    ).replace(/constraints.*/, "");
    writeFileSync(join(folder, "study.yaml"), text);
    const { result } = await run("words");
    const rows = report("words", "study.csv").trim().split("\n");
    expect(rows.slice(1).map((row) => row.split(",").slice(2, 4).join(" "))).toEqual([
      "100 uncovered",
      ...[0, 100, 300].flatMap((weight) => [`${weight} redistribute`, `${weight} uncovered`]),
    ]);
    const { study, best } = JSON.parse(report("words", "summary.json"));
    expect(study.parameters[1].as_written).toBe("uncovered");
    const excess = ["redistribute", "uncovered"][result.best?.scored.patch["vpps.v.delta_excess"] ?? -1];
    expect(best.parameters.excess).toBe(excess);
    expect(report("words", "best.patch.yaml")).toContain(`"vpps.v.delta_excess": "${excess}"\n`);
    expect(report("words", "report.html")).toContain("redistribute");
  });

  test("writes a row per candidate, a summary, and a patch that a run takes", async () => {
    const { result, files } = await run("report");
    expect(files).toEqual(
      expect.arrayContaining(["best.patch.yaml", "results.jsonl", "run.json", "study.csv", "summary.json"]),
    );
    const rows = report("report", "study.csv").trim().split("\n");
    expect(rows).toHaveLength(1 + 1 + 6);
    expect(rows[0].split(",").slice(0, 6)).toEqual([
      "candidate",
      "kind",
      "large",
      "small",
      "feasible",
      "held_pct_soc_min_pct_at_least_1",
    ]);
    expect(rows[1].startsWith("0,as_written,100,100,")).toBe(true);
    const summary = JSON.parse(report("report", "summary.json"));
    expect(summary.candidates).toBe(6);
    const patch = readPatch(join(folder, "report", "best.patch.yaml"));
    expect(patch).toEqual(result.best?.scored.patch);
    const { kpis } = runWorld(loadScenario(join(folder, "two.yaml"), { patch, seed: 5 }).world, { intervalMs: 1 });
    expect(kpis.get("shortfall_kwh")).toBeCloseTo(result.best?.scored.objectivePerSeed?.[0] as number, 9);
    expect(existsSync(join(folder, "report.unfinished"))).toBe(false);
  });

  test("chooses the best that keeps to the constraints on every seed, the first of equals", async () => {
    const { result } = await run("report");
    const feasible = result.candidates.filter((candidate) => candidate.isFeasible);
    expect(feasible.length).toBeLessThan(result.candidates.length);
    const least = Math.min(
      ...[result.written, ...feasible].map(({ objective, isFeasible: holds }) =>
        holds ? (objective?.mean ?? 0) : Infinity,
      ),
    );
    expect(result.best?.scored.objective?.mean).toBe(least);
    expect(result.best?.scored.isFeasible).toBe(true);
    for (const { satisfiedShares, isFeasible: holds } of result.candidates)
      expect(holds).toBe(satisfiedShares[0] === 1);
  });

  test("a candidate that the scenario refuses is a result", async () => {
    writeFileSync(
      join(folder, "study.yaml"),
      GRID.replace(
        "seeds: 3",
        '  - {name: floor, path: "sites.small.components.bat.soc_op_min", values: [0, 100]}\nseeds: 1',
      ),
    );
    const { result } = await run("report");
    const refused = result.candidates.filter(({ refusal }) => refusal !== null);
    expect(refused).toHaveLength(6);
    expect(refused[0].refusal).toContain("a number below soc_op_max, 100");
    expect(result.best?.scored.refusal).toBeNull();
  });
});

describe("resume", () => {
  /** Stops after some runs, and checks that no report stands there. */
  async function stopAfter(runs: number): Promise<void> {
    const interrupt = new AbortController();
    const executor = breaking(inlineExecutor(await openEvaluator(open())), runs, () => interrupt.abort());
    await expect(run("report", { executor, signal: interrupt.signal })).rejects.toThrow(RunStopped);
    expect(existsSync(out("report"))).toBe(false);
    expect(readdirSync(out("report.unfinished"))).toEqual(["results.jsonl"]);
  }

  test("continues from the finished runs, and gives the report of an uninterrupted study", async () => {
    await run("whole");
    await stopAfter(7);
    // A crash in the middle of a line.
    appendFileSync(out("report.unfinished/results.jsonl"), '{"patch":{"weights.v.la');
    const progress: number[] = [];
    await run("report", { resume: true, onProgress: (done) => progress.push(done) });
    for (const file of ["study.csv", "summary.json", "best.patch.yaml"])
      expect(report("report", file)).toBe(report("whole", file));
    const { runs, resumed } = JSON.parse(report("report", "run.json"));
    expect([resumed, runs]).toEqual([7, JSON.parse(report("whole", "run.json")).runs]);
    const keys = sortedResults(report("report", "results.jsonl")).slice(1);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toHaveLength(runs);
  });

  test.each(["grid", "optimise"])(
    "of a race by %s, stopped anywhere, gives the same report, and no run is repeated",
    async (method) => {
      const search = GRID.replace("values: [0, 100, 300]", "range: [0, 300], steps: 3").replace(
        "seeds: 3",
        "method: optimise\nbudget: 40\nseeds: 4",
      );
      writeFileSync(join(folder, "study.yaml"), method === "grid" ? GRID.replace("seeds: 3", "seeds: 4") : search);
      await run("whole");
      const { runs } = JSON.parse(report("whole", "run.json"));
      const stream = new RandomStreams(51).getStream("stops", method);
      for (let k = 0; k < 10; k++) {
        await stopAfter(1 + Math.floor((runs - 1) * stream.nextUniform()));
        await run("report", { resume: true });
        for (const file of ["study.csv", "summary.json", "best.patch.yaml"])
          expect(report("report", file)).toBe(report("whole", file));
        expect(JSON.parse(report("report", "run.json")).runs).toBe(runs);
        const keys = sortedResults(report("report", "results.jsonl")).slice(1);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys).toHaveLength(runs);
        rmSync(out("report"), { recursive: true });
      }
    },
  );

  test("of a finished study runs nothing again", async () => {
    await run("report");
    await run("report", {
      resume: true,
      executor: {
        concurrency: 1,
        run: async (jobs) => expect(jobs).toEqual([]),
        close: async () => {},
      },
    });
    const { runs, resumed } = JSON.parse(report("report", "run.json"));
    expect(resumed).toBe(runs);
  });

  test.each<[string, () => void, string]>([
    [
      "the scenario",
      () => writeFileSync(out("two.yaml"), TWO_BATTERIES.replace("delta_kw: 280", "delta_kw: 281")),
      "found results that predate a change of the scenario, allowed --resume with unchanged inputs",
    ],
    [
      "the study",
      () => writeFileSync(out("study.yaml"), GRID.replace("seeds: 3", "seeds: 4")),
      "found results that predate a change of the study file, allowed --resume with unchanged inputs",
    ],
  ])("refuses a change of %s", async (_, change, message) => {
    await stopAfter(4);
    change();
    await expect(run("report", { resume: true })).rejects.toThrow(message);
    // What was run is still there.
    expect(report("report.unfinished", "results.jsonl").split("\n").length).toBeGreaterThan(4);
  });

  test("names the line of the results that is invalid", async () => {
    await stopAfter(4);
    appendFileSync(join(out("report.unfinished"), "results.jsonl"), "{\n");
    await expect(run("report", { resume: true })).rejects.toThrow(/results\.jsonl:6:1: found a damaged line/);
  });

  test("a new start leaves the older report until it is finished", async () => {
    await run("report");
    const before = report("report", "study.csv");
    const interrupt = new AbortController();
    const executor = breaking(inlineExecutor(await openEvaluator(open())), 2, () => interrupt.abort());
    await expect(run("report", { executor, signal: interrupt.signal })).rejects.toThrow(
      "--resume continues from there",
    );
    expect(report("report", "study.csv")).toBe(before);
  });
});

test.each([
  ["a run", ""],
  ["what a fork leaves of it", "fork_at: 2026-04-01T06:00:00Z\n"],
])("%s in slices gives the same as in one", async (_, fork) => {
  const evaluator = await openEvaluator(openStudy(`${GRID}${fork}`));
  const patches: ParameterPatch[] = [{}, { "weights.v.large": 0 }, { "weights.v.large": -1 }];
  for (const patch of patches) {
    const slices = evaluator.slices(patch, 6);
    let pauses = 0;
    let step = slices.next();
    for (; step.done !== true; step = slices.next()) pauses++;
    expect(step.value).toEqual(evaluator.run(patch, 6));
    // A run of few events is not cut, once that is known.
    expect(pauses).toBe(step.value.refusal !== null ? 0 : patch === patches[0] ? 16 : 1);
  }
});

test("a run that fails names its candidate and its seed", () => {
  const failing = {
    *slices(): Generator<null, never> {
      yield null;
      throw new Error("energy went missing");
    },
  };
  expect(() => [...runCandidate(failing, { "weights.v.large": 3 }, 7)]).toThrow(
    'candidate {"weights.v.large":3} on seed 7: energy went missing',
  );
});

describe("fork_at", () => {
  const forked = (at: string) =>
    openStudy(`${GRID.replace(", range: [0, 100], steps: 2", ", values: [0, 100]")}fork_at: ${at}\n`);
  const kpi = async (patch: Record<string, number>, at: string, name: string) => {
    const { kpis } = (await openEvaluator(forked(at))).run(patch, 5);
    return kpis?.[(NUMERIC_KPI_NAMES as readonly string[]).indexOf(name)];
  };

  test("does not change the part before the fork", async () => {
    const written = runWorld(openWorld(), { intervalMs: 1 });
    const patch = { "weights.v.large": 0 };
    // After the last award nothing can change; before the first one, everything does.
    expect(await kpi(patch, "2026-04-01T20:00:00Z", "shortfall_kwh")).toBe(written.kpis.get("shortfall_kwh"));
    const fromStart = (await openEvaluator(openStudy(GRID))).run(patch, 5).kpis;
    const shortfall = (NUMERIC_KPI_NAMES as readonly string[]).indexOf("shortfall_kwh");
    expect(await kpi(patch, "2026-04-01T01:00:00Z", "shortfall_kwh")).toBe(fromStart?.[shortfall]);
    const between = (await kpi(patch, "2026-04-01T06:00:00Z", "shortfall_kwh")) as number;
    expect(between).not.toBe(fromStart?.[shortfall]);
    expect(between).not.toBe(written.kpis.get("shortfall_kwh"));
  });

  const openWorld = () => ({ ...loadScenario(join(folder, "two.yaml")).world, seed: 5 });
});
