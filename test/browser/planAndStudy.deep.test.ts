import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyScenario, runVppsim } from "../cli/runVppsim.ts";
import { CHROMIUM, needingChromium } from "../needing.ts";
import { BROWSER_BUNDLE, PageHost } from "./browserHost.ts";

/** Of few candidates: weights, seeds, a bound that is solved exactly, and rounding. */
const STUDY = `version: 1
name: two-weights
scenario: scenario.yaml
parameters:
  - {name: small, path: weights.east.battery-small, range: [0, 300]}
  - {name: large, path: sites.battery-large.components.bat.rated_cap, scale: [0.8, 1.2]}
seeds: 3
method: lhs
samples: 6
objective: {minimise: shortfall_kwh}
`;

const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
import { planProject, RunStopped, runStudyProject } from "./browser/index.js";
const files = await (await fetch("./files.json")).json();
const texts = ({ files }) => Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]));
const failure = (act) => act.then(() => null, (error) => [error.name, error.message]);
const answer = {};
try {
  const project = { entry: "quickstart/scenario.yaml", files };
  const planned = [];
  answer.plan = texts(await planProject(project, { reserve: "frr", reservePrice: 1, onProgress: (done) => planned.push(done) }));
  answer.planned = planned.at(-1);
  answer.refusedPlan = await failure(planProject(project, { forecast: "perhaps" }));
  const study = { entry: "quickstart/study.yaml", files };
  const done = [];
  answer.study = texts(await runStudyProject(study, { workers: 2, onProgress: (share) => done.push(share) }));
  answer.done = done.length > 1 && done.every((share) => 0 < share && share <= 1);
  answer.refusedStudy = await failure(runStudyProject(project));
  const stop = new AbortController();
  answer.stopped = await failure(runStudyProject(study, { signal: stop.signal, onProgress: () => stop.abort() }));
} catch (error) {
  answer.error = error.stack;
}
await fetch("./answer", { method: "POST", body: JSON.stringify(answer) });
</script>`;

type Texts = Readonly<Record<string, string>>;

interface Answer {
  readonly error?: string;
  readonly plan: Texts;
  readonly planned: number;
  readonly refusedPlan: unknown;
  readonly study: Texts;
  readonly done: boolean;
  readonly refusedStudy: unknown;
  readonly stopped: unknown;
}

needingChromium.describe("in a browser", () => {
  let host: PageHost;
  let cwd: string;
  let answer: Answer;

  beforeAll(async () => {
    cwd = join(copyScenario("quickstart"), "quickstart");
    writeFileSync(join(cwd, "study.yaml"), STUDY);
    const texts = Object.entries(textsIn(cwd)).map(([name, text]) => [`quickstart/${name}`, text]);
    const files = JSON.stringify(Object.fromEntries(texts));
    host = new PageHost({ browser: BROWSER_BUNDLE }, { "page.html": PAGE, "files.json": files });
    await host.listen();
    answer = (await host.ask(CHROMIUM, "page.html")) as Answer;
    expect(answer.error).toBeUndefined();
  });
  afterAll(() => host.close());

  test("a plan has the files of the command", () => {
    const words = ["plan", "scenario.yaml", "--reserve", "frr", "--reserve-price", "1", "--quiet"];
    expect(runVppsim(words, { cwd })).toMatchObject({ status: 0 });
    const { "run.json": own, ...files } = textsIn(join(cwd, "plans/quickstart-plan"));
    const { "run.json": found, ...others } = answer.plan;
    expect(others).toEqual(files);
    expect({ ...JSON.parse(found), node: "" }).toEqual({ ...JSON.parse(own), node: "" });
    expect(Object.keys(files)).toContain("reserve.csv");
    expect(answer.planned).toBe(1);
    expect(answer.refusedPlan).toEqual(["InputErrors", expect.stringContaining('--forecast: found "perhaps"')]);
  });

  test("a study has the files of the command, but for the finished runs", () => {
    expect(runVppsim(["study", "study.yaml", "--workers", "1", "--quiet"], { cwd })).toMatchObject({ status: 0 });
    const { "run.json": own, "results.jsonl": _, ...files } = textsIn(join(cwd, "reports/two-weights"));
    const { "run.json": found, ...others } = answer.study;
    expect(others).toEqual(files);
    expect(JSON.parse(found).files).toEqual(JSON.parse(own).files);
    expect(JSON.parse(files["summary.json"]).best).not.toBeNull();
    expect(answer.done).toBe(true);
    expect(answer.refusedStudy).toEqual(["InputErrors", expect.stringContaining("found a scenario, allowed a study")]);
    expect(answer.stopped).toEqual(["RunStopped", expect.any(String)]);
  });
});

/** Files of a folder by name. */
const textsIn = (folder: string): Texts =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name), "utf8")]),
  );
