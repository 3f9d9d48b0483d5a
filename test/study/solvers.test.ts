import { expect, test } from "vitest";
import { batteryYear } from "../../src/datagen/batteryYear.ts";
import { buildWorld, readScenario } from "../../src/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/scenario/parse/scenarioFiles.ts";
import { boundProblems } from "../../src/study/bound/boundProblem.ts";
import { exactBoundKwh, type Solve } from "../../src/study/bound/exactBound.ts";
import { openSolvers } from "../../src/study/bound/openSolvers.ts";
import { studyBound } from "../../src/study/bound/studyBound.ts";
import { turns } from "../turns.ts";
import { openStudy, STUDY_HEAD } from "./studies.ts";

const SEEDS = [1, 2, 3, 4, 5];
const never = new AbortController().signal;

/** Two batteries, of which one is out of service at other times on every seed. */
const STUDY = `${STUDY_HEAD}parameters: [{name: large, path: "weights.v.large", values: [0]}]
objective: {minimise: shortfall_kwh}
`;
const fleet = buildWorld(openStudy(STUDY).source);

test("threads find what this thread finds, whoever is done first", async () => {
  const { solve, close } = openSolvers(2, 0);
  try {
    const backwards: Solve[] = [];
    // The later a problem is begun, the sooner it is solved.
    const shuffled: Solve = (problem) =>
      new Promise((done, fail) => {
        backwards.unshift((one) => solve(one));
        setTimeout(() => (backwards.shift() as Solve)(problem).then(done, fail), 30 - backwards.length);
      });
    const here = await studyBound(fleet, SEEDS, { solve: exactBoundKwh, signal: never });
    expect(new Set(here?.kwh).size).toBeGreaterThan(1);
    expect(await studyBound(fleet, SEEDS, { solve: shuffled, signal: never })).toEqual(here);
  } finally {
    await close();
  }
});

test("a signal is heard while problems are solved", async () => {
  const interrupt = new AbortController();
  const endless: Solve = () => new Promise(() => {});
  const bound = studyBound(fleet, SEEDS, { solve: endless, signal: interrupt.signal });
  setTimeout(() => interrupt.abort(new Error("enough")), 50);
  await expect(bound).rejects.toThrow("enough");
});

test("this thread goes on while another one solves", async () => {
  const files = new Map([...batteryYear(2)].map(([name, text]) => [`/days/${name}`, String(text)]));
  const [problem] = boundProblems(readScenario("/days/scenario.yaml", {}, memoryFiles(files)).world);
  const { solve, close } = openSolvers(1, 0);
  try {
    let solved = false;
    const kwh = solve(problem).finally(() => {
      solved = true;
    });
    let count = 0;
    for (; !solved; count++) await turns(1);
    expect(await kwh).toBeGreaterThan(0);
    expect(count).toBeGreaterThan(100);
  } finally {
    await close();
  }
});

test("a problem that has no optimum for the solver is no failure, and leaves the next one alone", async () => {
  const [problem] = boundProblems(fleet);
  const broken = { ...problem, stores: problem.stores.map((store) => ({ ...store, lowestKwh: 1e6 })) };
  const { solve, close } = openSolvers(1, 0);
  try {
    expect(await solve(broken)).toBeNull();
    expect(await solve(problem)).toBe(await exactBoundKwh(problem));
  } finally {
    await close();
  }
});
