// Every drill that ships has three scripts: what its briefing teaches, the opposite, and no action.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { isoUtc } from "../../src/base/time.ts";
import { readDrillScript } from "../../src/live/drill/drillScript.ts";
import { gradeJson } from "../../src/live/drill/gradeJson.ts";
import { gradeScript } from "../../src/live/drill/gradeScript.ts";
import { readDrill, shippedDrills } from "../../src/live/drill/readDrill.ts";
import type { AlarmList } from "../../src/live/session/alarms/alarmSchema.ts";
import { SandboxServer } from "../http/sandbox/sandboxServer.ts";
import { openTinySession } from "../session/openTinySession.ts";

/** A short search: what it finds is no part of these tests. */
const BUDGET = 24;
const drills = shippedDrills().map((file) => readDrill(file));
const scripts = join(dirname(drills[0].file), "scripts");
const OUTCOMES = ["fail", "nothing", "pass"] as const;

test("a drill per exercise, each with three scripts, and no other scripts", () => {
  expect(drills.map(({ name }) => name)).toEqual([
    "battery-runs-empty",
    "factory-that-refuses",
    "first-steps",
    "integrator",
    "outage-in-an-award",
    "storm",
    "sun-that-does-not-come",
  ]);
  const expected = drills.flatMap(({ name }) => OUTCOMES.map((outcome) => `${name}.${outcome}.yaml`));
  expect(readdirSync(scripts).sort()).toEqual(expected.sort());
});

describe.each(drills)("$name", (drill) => {
  const graded = (outcome: (typeof OUTCOMES)[number]) =>
    gradeScript(
      { ...drill, searchBudget: Math.min(BUDGET, drill.searchBudget) },
      readDrillScript(join(scripts, `${drill.name}.${outcome}.yaml`), drill),
    );
  let passed: ReturnType<typeof graded>;
  beforeAll(() => {
    passed = graded("pass");
  });

  test("passes by what it teaches, and not by the opposite or by nothing; all to the end, without a refused request", async () => {
    const [pass, fail, nothing] = [await passed, await graded("fail"), await graded("nothing")];
    expect([pass.isPassed, fail.isPassed, nothing.isPassed]).toEqual([true, false, false]);
    for (const { isComplete, measures } of [pass, fail, nothing]) {
      expect(isComplete).toBe(true);
      expect(measures.refused_requests).toBe(0);
    }
    expect(nothing.attempt.inputs).toEqual([]);
    expect(fail.score).toBeLessThan(pass.score);
    // The opposite of the lesson is no better than nothing.
    expect(fail.measures.shortfall_kwh).toBeGreaterThanOrEqual(0.97 * nothing.measures.shortfall_kwh);
    expect(pass.best.measures.shortfall_jpy).toBeLessThanOrEqual(pass.measures.shortfall_jpy);
  });

  test("the same actions give the same grade, to the byte", async () => {
    const texts = [await passed, await graded("pass")].map((grade) => JSON.stringify(gradeJson(grade)));
    expect(texts[0]).toBe(texts[1]);
  });

  test("says above which share of the promise a gap counts", () => {
    expect(drill.uncoveredAbovePct).toBe(5);
    for (const { measure, text } of drill.goals)
      if (measure === "uncovered_minutes") expect(text.en).toContain("above 5 % of the promise");
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

test.each(drills)("$name opens with an empty alarm list", async ({ served, startMs }) => {
  const server = await SandboxServer.start(await openTinySession({ openAtMs: startMs }, served));
  const { at, alarms } = (await server.get("/sandbox/alarms")).body as unknown as AlarmList;
  expect([at, alarms.map(({ text }) => text)]).toEqual([isoUtc(startMs), []]);
  await server.stop();
});

test("all four failures of the storm come at instants, whatever the trainee does", async () => {
  const storm = drills.find(({ name }) => name === "storm");
  if (storm === undefined) throw new Error("the storm ships");
  expect(storm.served.drill?.injects.map(({ at, when }) => [typeof at, when])).toEqual(
    Array.from({ length: 3 }, () => ["number", undefined]),
  );
  const begun = await Promise.all(
    OUTCOMES.map(async (outcome) => {
      const script = readDrillScript(join(scripts, `storm.${outcome}.yaml`), storm);
      const { run } = await gradeScript({ ...storm, searchBudget: 4 }, script);
      return run.injects.map(({ beganMs }) => beganMs);
    }),
  );
  expect(begun[0]).toEqual(storm.served.drill?.injects.map(({ at }) => at));
  expect(begun[1]).toEqual(begun[0]);
  expect(begun[2]).toEqual(begun[0]);
});
