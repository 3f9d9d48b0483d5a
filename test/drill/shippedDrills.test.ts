// Every drill that ships has a script that passes it and one that fails it.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { executeScript, readDrillScript } from "../../src/live/drill/drillScript.ts";
import { gradeDrill } from "../../src/live/drill/gradeDrill.ts";
import { gradeJson } from "../../src/live/drill/gradeJson.ts";
import { readDrill, shippedDrills } from "../../src/live/drill/readDrill.ts";

/** A short search: what it finds is no part of these tests. */
const BUDGET = 24;
const drills = shippedDrills()
  .map((file) => readDrill(file))
  .filter(({ isForClients }) => !isForClients);
const scripts = join(dirname(drills[0].file), "scripts");

test("a drill per exercise, each with two scripts, and no other scripts", () => {
  expect(drills.map(({ name }) => name)).toEqual([
    "battery-runs-empty",
    "factory-that-refuses",
    "first-steps",
    "outage-in-an-award",
    "storm",
    "sun-that-does-not-come",
  ]);
  const expected = drills.flatMap(({ name }) => [`${name}.fail.yaml`, `${name}.pass.yaml`]);
  expect(readdirSync(scripts).sort()).toEqual(expected.sort());
});

describe.each(drills)("$name", (drill) => {
  const graded = (outcome: "pass" | "fail") => {
    const script = readDrillScript(join(scripts, `${drill.name}.${outcome}.yaml`), drill);
    return gradeDrill({ ...drill, searchBudget: BUDGET }, executeScript(drill, script));
  };
  let passed: ReturnType<typeof graded>;
  beforeAll(() => {
    passed = graded("pass");
  });

  test("its scripts pass and fail, both to the end and without a refused request", async () => {
    const [pass, fail] = [await passed, await graded("fail")];
    expect([pass.isPassed, fail.isPassed]).toEqual([true, false]);
    expect([pass.isComplete, fail.isComplete]).toEqual([true, true]);
    expect([pass.measures.refused_requests, fail.measures.refused_requests]).toEqual([0, 0]);
    expect(fail.score).toBeLessThan(pass.score);
    expect(pass.best.measures.shortfall_jpy).toBeLessThanOrEqual(pass.measures.shortfall_jpy);
  });

  test("the same actions give the same grade, to the byte", async () => {
    const texts = [await passed, await graded("pass")].map((grade) => JSON.stringify(gradeJson(grade)));
    expect(texts[0]).toBe(texts[1]);
  });

  test("has its briefing, goals and steps in both languages", () => {
    const texts = [
      drill.title,
      drill.briefing,
      ...drill.goals.map(({ text }) => text),
      ...drill.steps.map(({ text }) => text),
    ];
    for (const { en, ja } of texts) {
      expect(en).not.toBe("");
      expect(ja).toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
    }
  });
});
