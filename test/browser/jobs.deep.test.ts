import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import type { LiveStep } from "../../src/browser/liveScenario.ts";
import { type LoadOptions, loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { compareReports } from "../../src/report/compare/compareReports.ts";
import { explainAward } from "../../src/report/explain/explainAward.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import type { Certificate } from "../../src/verify/verifyReport.ts";
import { VERSION } from "../../src/version.ts";
import { CHROMIUM, needingChromium } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { BROWSER_BUNDLE, PageHost } from "./browserHost.ts";

const FOLDER = join(import.meta.dirname, "../../scenarios/quickstart");
const FILES = Object.fromEntries(
  readdirSync(FOLDER)
    .filter((name) => /\.(yaml|csv)$/.test(name))
    .map((name) => [name, readFileSync(join(FOLDER, name), "utf8")]),
);
/** A number that is too small, and a file that is missing. */
const FAULTY = FILES["scenario.yaml"]
  .replace(/soc_op_min: .*/, "soc_op_min: -1")
  .replace("file: pv.csv", "file: none.csv");

const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
import { checkProject, compareRuns, explainAward, InputErrors, openLive, runProject, RunStopped, verifyProject, VERSION } from "./browser/index.js";
const { files, faulty } = await (await fetch("./input.json")).json();
const project = { entry: "scenario.yaml", files };
const inFolder = Object.fromEntries(Object.entries({ ...files, "scenario.yaml": faulty }).map(([path, text]) => ["a/b/" + path, text]));
const failure = (act) => act.then(() => null, (error) => [error.name, error instanceof InputErrors, error instanceof RunStopped, error.message]);
const text = (bytes) => new TextDecoder().decode(bytes);
const answer = { version: VERSION };
try {
  answer.fine = await checkProject(project);
  answer.faulty = await checkProject({ entry: "a/b/scenario.yaml", files: inFolder });
  answer.refused = await failure(runProject({ entry: "a/b/scenario.yaml", files: inFolder }));
  answer.flag = await failure(runProject(project, { from: "yesterday" }));
  const stop = new AbortController();
  answer.stopped = await failure(runProject(project, { signal: stop.signal, onProgress: () => stop.abort() }));
  const progress = [];
  const plain = await runProject(project, { formats: ["csv"], onProgress: (done) => progress.push(done) });
  answer.progress = [progress.length > 1, progress.at(-1), progress.every((done, k) => k === 0 || progress[k - 1] <= done)];
  answer.files = Object.keys(plain.files);
  const patched = await runProject(project, { formats: ["csv"], patch: { "sites.*.components.*.rated_cap": "*1.2" }, seed: 3 });
  answer.patched = JSON.parse(text(patched.files["run.json"])).options.patch;
  const live = await openLive(project);
  const patch = { "sites.*.components.*.rated_cap": "*1.2" };
  const steps = [await live.run(patch), await live.run({ ...patch, "weights.east.*": 1 }), await live.run()];
  answer.live = await Promise.all([patch, { ...patch, "weights.east.*": 1 }, {}].map(async (patch, k) => {
    const { kpis } = await runProject(project, { formats: ["csv"], patch });
    return { kpis, step: steps[k] };
  }));
  answer.refusedStep = await failure(live.run({ "weights.none": 1 }));
  live.close();
  answer.closed = await failure(live.run());
  answer.honest = await verifyProject(patched, project);
  answer.forged = await verifyProject({ files: { ...patched.files, "sites.csv": new TextEncoder().encode("site\\n") } }, project);
  answer.comparison = Object.fromEntries(Object.entries((await compareRuns(plain, patched)).files).map(([name, bytes]) => [name, text(bytes)]));
  const [, award] = /\\n([^,]+),/.exec(text(plain.files["awards.csv"]));
  answer.award = award;
  answer.explained = (await explainAward(plain, award)).text;
} catch (error) {
  answer.error = error.stack;
}
await fetch("./answer", { method: "POST", body: JSON.stringify(answer) });
</script>`;

interface Answer {
  readonly error?: string;
  readonly version: string;
  readonly fine: unknown;
  readonly faulty: readonly { readonly file: string; readonly message: string }[];
  readonly refused: unknown;
  readonly flag: unknown;
  readonly stopped: unknown;
  readonly progress: unknown;
  readonly files: readonly string[];
  readonly patched: unknown;
  readonly live: readonly { readonly kpis: object; readonly step: LiveStep }[];
  readonly refusedStep: unknown;
  readonly closed: unknown;
  readonly honest: Certificate;
  readonly forged: Certificate;
  readonly comparison: Readonly<Record<string, string>>;
  readonly award: string;
  readonly explained: string;
}

needingChromium.describe("a job in a browser", () => {
  let host: PageHost;
  let answer: Answer;

  beforeAll(async () => {
    const input = JSON.stringify({ files: FILES, faulty: FAULTY });
    host = new PageHost({ browser: BROWSER_BUNDLE }, { "page.html": PAGE, "input.json": input });
    await host.listen();
    answer = (await host.ask(CHROMIUM, "page.html")) as Answer;
  });
  afterAll(() => host.close());

  test("ends without an error", () => expect([answer.error, answer.version]).toEqual([undefined, VERSION]));

  test("checks a scenario as the command does in its folder", () => {
    expect(answer.fine).toEqual([]);
    const errors = errorsOf(FAULTY);
    expect(answer.faulty).toEqual(errors.errors);
    expect(answer.faulty.map(({ file }) => file)).toEqual(["scenario.yaml", "scenario.yaml"]);
    expect(answer.refused).toEqual(["InputErrors", true, false, errors.message]);
    expect(answer.flag).toEqual(["InputErrors", true, false, expect.stringContaining('--from: found "yesterday"')]);
  });

  test("stops by its signal, and says how far it is", () => {
    expect(answer.stopped).toEqual(["RunStopped", false, true, expect.stringContaining("stopped")]);
    expect(answer.progress).toEqual([true, 1, true]);
  });

  test("steps a what-if to the key figures of runs with its patches", () => {
    const shortfalls = answer.live.map(({ step }) => step.kpis.shortfall_kwh);
    expect(new Set(shortfalls).size).toBe(3);
    for (const { kpis, step } of answer.live) {
      expect(step.kpis).toEqual(kpis);
      const causesKwh = Object.values(step.causes).reduce((sum, kwh) => sum + kwh);
      expect(causesKwh).toBeCloseTo(Number(step.kpis.shortfall_kwh), 1);
    }
    expect(answer.refusedStep).toEqual(["InputErrors", true, false, expect.stringMatching(/^patch: weights\.none: /)]);
    expect(answer.closed).toEqual(["Error", false, false, "the scenario is closed"]);
  });

  test("takes formats, a seed and a patch, and compares and explains reports", async () => {
    const patch = { "sites.*.components.*.rated_cap": "*1.2" };
    const plain = await reportOf({ formats: ["csv"] });
    const patched = await reportOf({ formats: ["csv"], patch, seed: 3 });
    expect(answer.files).toEqual(readdirSync(plain).sort());
    expect(answer.patched).toEqual(patch);
    expect(answer.honest).toMatchObject({ verified: true, engine: expect.stringMatching(/^Chromium \d+$/) });
    expect(answer.honest.files.length).toBeGreaterThan(8);
    expect(answer.forged.files.filter(({ same }) => !same).map(({ file }) => file)).toEqual(["sites.csv"]);
    const { text, json } = compareReports([plain, patched]);
    const inMemory = (given: string): string => given.replaceAll(plain, "/run 1").replaceAll(patched, "/run 2");
    expect(answer.comparison["comparison.txt"]).toBe(inMemory(text));
    expect(JSON.parse(answer.comparison["comparison.json"])).toEqual(JSON.parse(inMemory(JSON.stringify(json))));
    expect(answer.comparison["comparison.html"]).toContain("<!DOCTYPE html>");
    expect(answer.explained).toBe(inMemory(explainAward(plain, answer.award).text));
  });
});

/** The errors of a scenario, as if it lay in the working directory. */
function errorsOf(text: string): InputErrors {
  const folder = createTemporaryFolder("faulty");
  for (const [name, content] of Object.entries({ ...FILES, "scenario.yaml": text }))
    writeFileSync(join(folder, name), content);
  const before = process.cwd();
  process.chdir(folder);
  try {
    loadScenario("scenario.yaml");
  } catch (error) {
    if (error instanceof InputErrors) return error;
    throw error;
  } finally {
    process.chdir(before);
  }
  throw new Error("the scenario has no errors");
}

async function reportOf(options: LoadOptions): Promise<string> {
  const out = join(createTemporaryFolder("run"), "report");
  await runScenario(loadScenario(join(FOLDER, "scenario.yaml"), options), { out });
  return out;
}
