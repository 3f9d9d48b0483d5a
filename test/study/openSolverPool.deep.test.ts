import { expect, test } from "vitest";
import { batteryYearFiles } from "../../bench/batteryYearFiles.ts";
import { buildWorld, readScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { createBoundProblems } from "../../src/study/bound/boundProblem.ts";
import { type BoundSolver, exactBoundKwh } from "../../src/study/bound/exactBoundKwh.ts";
import { studyBound } from "../../src/study/bound/studyBound.ts";
import { openSolverPool } from "../../src/study/node/openSolverPool.ts";
import { turns } from "../turns.ts";
import { openStudy, STUDY_HEAD } from "./studyFixtures.ts";

const SEEDS = [1, 2, 3, 4, 5];
const never = new AbortController().signal;

/** Two batteries, of which one is out of service at other times on every seed. */
const STUDY = `${STUDY_HEAD}parameters: [{name: large, path: "weights.v.large", values: [0]}]
objective: {minimise: shortfall_kwh}
`;
const fleet = buildWorld(openStudy(STUDY).source);

test("threads have the results of this thread, in any order of completion", async () => {
  const { solve, close } = openSolverPool(2, 0);
  try {
    const backwards: BoundSolver[] = [];
    // The later a problem is begun, the sooner it is solved.
    const shuffled: BoundSolver = (problem) =>
      new Promise((done, fail) => {
        backwards.unshift((one) => solve(one));
        setTimeout(() => (backwards.shift() as BoundSolver)(problem).then(done, fail), 30 - backwards.length);
      });
    const here = await studyBound(fleet, SEEDS, { solve: exactBoundKwh, signal: never });
    expect(new Set(here?.boundKwh).size).toBeGreaterThan(1);
    expect(await studyBound(fleet, SEEDS, { solve: shuffled, signal: never })).toEqual(here);
  } finally {
    await close();
  }
});

test("a signal stops the solving of problems", async () => {
  const interrupt = new AbortController();
  const endless: BoundSolver = () => new Promise(() => {});
  const bound = studyBound(fleet, SEEDS, { solve: endless, signal: interrupt.signal });
  setTimeout(() => interrupt.abort(new Error("enough")), 50);
  await expect(bound).rejects.toThrow("enough");
});

test("this thread continues while another one solves", async () => {
  const files = new Map([...batteryYearFiles(2)].map(([name, text]) => [`/days/${name}`, text] as const));
  const [problem] = createBoundProblems(readScenario("/days/scenario.yaml", {}, memoryFiles(files)).world);
  const { solve, close } = openSolverPool(1, 0);
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
  const [problem] = createBoundProblems(fleet);
  const broken = { ...problem, storages: problem.storages.map((store) => ({ ...store, storedMinKwh: 1e6 })) };
  const { solve, close } = openSolverPool(1, 0);
  try {
    expect(await solve(broken)).toBeNull();
    expect(await solve(problem)).toBe(await exactBoundKwh(problem));
  } finally {
    await close();
  }
});
