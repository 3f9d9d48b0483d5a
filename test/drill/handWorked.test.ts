// Drills so small that a person can compute every figure of their grades. Batteries without ramp and delay.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { executeScript, readDrillScript } from "../../src/live/drill/drillScript.ts";
import { gradeDrill } from "../../src/live/drill/gradeDrill.ts";
import type { GradedDrill } from "../../src/live/drill/gradedDrill.ts";
import { gradeJson } from "../../src/live/drill/gradeJson.ts";
import { readDrill } from "../../src/live/drill/readDrill.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const battery = (name: string, exportKw: number, soc: string): string =>
  `  - {name: ${name}, components: [{component_id: bat, component_type: battery, rated_cap: 1000, import_pwr_max: 100, export_pwr_max: ${exportKw}, soc_op_max: 100, ${soc}}]}`;

interface SmallDrill {
  readonly sites: readonly string[];
  readonly award: string;
  readonly drill: string;
}

/** Executes the actions of a script in a drill on a VPP of batteries, from 09:50 to 12:30 UTC. */
function grade(
  { sites, award, drill }: SmallDrill,
  actions: readonly string[],
  reached = "2026-04-01T12:30:00Z",
): Promise<GradedDrill> {
  const folder = createTemporaryFolder("hand-worked");
  const write = (name: string, lines: readonly string[]): string => {
    writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
    return join(folder, name);
  };
  const names = sites.map((site) => /name: ([a-z]+)/.exec(site)?.[1]);
  write("scenario.yaml", [
    "version: 1\nname: small\nstart: 2026-04-01T09:00:00Z\nend: 2026-04-01T13:00:00Z\nseed: 1\nsites:",
    ...sites,
    `vpps:\n  - {name: east, members: [${names.map((name) => `{site: ${name}, resource_type: battery, allocation_weight: 1}`).join(", ")}]}`,
    `awards:\n  - {award_id: A, vpp: east, sku: frr, start: 2026-04-01T10:00:00Z, end: 2026-04-01T12:00:00Z, penalty_jpy_per_kwh: 50, ${award}}`,
  ]);
  const file = write("drill.yaml", [
    "version: 1\nname: small\ntitle: {en: Small}\nbriefing: {en: Small}\nscenario: scenario.yaml",
    "start: 2026-04-01T09:50:00Z\nend: 2026-04-01T12:30:00Z\nsearch_budget: 12",
    drill,
  ]);
  const read = readDrill(file);
  const listed = actions.length === 0 ? " []" : `\n${actions.map((action) => `  - ${action}`).join("\n")}`;
  const script = write("script.yaml", ["version: 1\ndrill: small", `actions:${listed}`]);
  const attempt = executeScript(read, readDrillScript(script, read));
  return gradeDrill(read, { ...attempt, reachedMs: Date.parse(reached) });
}

/**
 * A and B deliver 50 kW each. A fails at 10:30. B has no more than 50 kW, so that 50 kW are missing until A is back. The owner
 * needs 20 minutes, and A is dispatched at the whole minute after its return.
 */
const OUTAGE: SmallDrill = {
  sites: [battery("a", 100, "soc_op_min: 0"), battery("b", 50, "soc_op_min: 0")],
  award: "delta_kw: -100",
  drill: `may: [weights, schedules, owner_calls]
injects:
  - {kind: outage, site: a, at: 2026-04-01T10:30:00Z}
owner_calls: {delay: PT20M}
goals:
  - {measure: shortfall_kwh, min_points: 50, weight: 3}
  - {measure: reaction_minutes, at_most: 10}
  - {measure: refused_requests, at_most: 0}`,
};
const CALL = "{at: 2026-04-01T10:40:00Z, owner_call: a}";

describe("an outage of half the power from 10:30 to the end of the award", () => {
  test("is 50 kW for 90 min without actions", async () => {
    const { measures, score, isPassed, reactions } = await grade(OUTAGE, []);
    expect(measures).toEqual({
      shortfall_kwh: 75,
      shortfall_jpy: 75 * 50,
      uncovered_minutes: 90,
      over_delivery_kwh: 0,
      // From the notice at 10:31 to the end of the drill.
      reaction_minutes: 119,
      needless_instructions: 0,
      constraint_violations: 0,
      refused_requests: 0,
      open_steps: 0,
      client_mistakes: 0,
    });
    expect(reactions).toHaveLength(1);
    expect([score, isPassed]).toEqual([0, false]);
  });

  test("is 50 kW for 31 min with a call at 10:40, where the best is a call at the notice", async () => {
    const { measures, best, goals, score, isPassed, effects } = await grade(OUTAGE, [CALL]);
    // Back at 11:00, dispatched at 11:01.
    expect(measures).toMatchObject({
      shortfall_kwh: 25.833,
      shortfall_jpy: 1292,
      uncovered_minutes: 31,
      reaction_minutes: 9,
      needless_instructions: 0,
    });
    // Called at 10:31, back at 10:51, dispatched at 10:52.
    expect(best.measures).toMatchObject({ shortfall_kwh: 18.333, shortfall_jpy: 917, uncovered_minutes: 22 });
    // (75 − 25.833) / (75 − 18.333), and (119 − 9) / 119.
    expect(goals.map(({ points }) => points)).toEqual([86.8, 92.4, null]);
    expect([score, isPassed]).toEqual([88.2, true]);
    expect(effects.map(({ avoidedKwh, avoidedJpy }) => [avoidedKwh, avoidedJpy])).toEqual([[49.167, 2458]]);
  });

  test("counts an instruction that changes nothing, and one that is refused", async () => {
    const idle = "{at: 2026-04-01T10:50:00Z, weights: {b: 1}}";
    // It has begun.
    const refused = "{at: 2026-04-01T10:55:00Z, delete_schedule_of: A}";
    const { measures, isPassed } = await grade(OUTAGE, [CALL, idle, refused]);
    expect(measures).toMatchObject({ shortfall_kwh: 25.833, needless_instructions: 1, refused_requests: 1 });
    expect(isPassed).toBe(false);
  });

  test("counts power without a request as over-delivery: 30 kW for 20 min", async () => {
    const extra =
      "{at: 2026-04-01T11:50:00Z, schedule: {sku: frr, delta_kw: -30, start: 2026-04-01T12:05:00Z, end: 2026-04-01T12:25:00Z}}";
    const { measures } = await grade(OUTAGE, [CALL, extra]);
    expect(measures).toMatchObject({ over_delivery_kwh: 10, shortfall_kwh: 25.833, needless_instructions: 1 });
  });
});

test.each([
  ["0", 90],
  ["49", 90],
  ["50", 0],
  ["100", 0],
])("50 of 100 kW missing for 90 min are uncovered above %s %%: %i min", async (pct, minutes) => {
  const { measures, drill } = await grade(
    { ...OUTAGE, drill: `${OUTAGE.drill}\n  - {measure: uncovered_minutes, at_most: 5}\nuncovered_above_pct: ${pct}` },
    [],
  );
  expect(measures).toMatchObject({ uncovered_minutes: minutes, shortfall_kwh: 75 });
  expect(drill.goals.at(-1)?.text.en).toBe(`Time with a shortfall above ${pct} % of the promise: at most 5 min`);
});

describe("half an hour after the outage, at 11:00", () => {
  test("a grade says what has come about, and what would be at the end without further action", async () => {
    const json = gradeJson(await grade(OUTAGE, [], "2026-04-01T11:00:00Z"));
    expect(json.so_far).toMatchObject({
      at: "2026-04-01T11:00:00Z",
      // From the notice at 10:31 on.
      measures: { shortfall_kwh: 25, shortfall_jpy: 1250, uncovered_minutes: 30, reaction_minutes: 29 },
      goals: [
        { measure: "shortfall_kwh", value: 25, value_text: "25.0 kWh", at_most: null, met: null },
        { measure: "reaction_minutes", value: 29, at_most: 10, met: false },
        { measure: "refused_requests", value: 0, at_most: 0, met: true },
      ],
    });
    expect(json.at_end_without_action).toMatchObject({
      score: 0,
      passed: false,
      measures: { shortfall_kwh: 75, reaction_minutes: 119 },
      goals: json.goals,
    });
    expect(json).toMatchObject({ complete: false, measures: { shortfall_kwh: 75 }, steps: [] });
  });

  test("a call at 10:40 would pass at the end, which has not come", async () => {
    const json = gradeJson(await grade(OUTAGE, [CALL], "2026-04-01T11:00:00Z"));
    expect(json.so_far.measures).toMatchObject({ shortfall_kwh: 25, reaction_minutes: 9 });
    expect(json.at_end_without_action).toMatchObject({ score: 88.2, passed: true });
    expect([json.passed, json.complete]).toEqual([false, false]);
  });

  test("after the end there is only what has come about", async () => {
    const json = gradeJson(await grade(OUTAGE, [CALL]));
    expect(json.at_end_without_action).toBeNull();
    expect(json.so_far).toMatchObject({ at: "2026-04-01T12:30:00Z", measures: json.measures });
    expect([json.passed, json.uncovered_above_pct]).toEqual([true, 1]);
  });
});

/** 20 kW from 500 kWh down to 490 kWh, without losses: empty after 30 min. */
const EMPTY: SmallDrill = {
  sites: [battery("a", 100, "soc_op_min: 49, model: {initial_soc: 50, discharge_efficiency: 1}")],
  award: "delta_kw: -20",
  drill: "goals:\n  - {measure: shortfall_jpy, min_points: 0}",
};

test("a battery that is empty at 10:30 reaches its limit once, and 20 kW are missing for 90 min", async () => {
  const { measures, score, best } = await grade(EMPTY, []);
  expect(measures).toMatchObject({
    shortfall_kwh: 30,
    shortfall_jpy: 1500,
    uncovered_minutes: 90,
    constraint_violations: 1,
    reaction_minutes: 0,
  });
  // Nothing can help: no member has more energy. Doing nothing is as good as the best.
  expect(best.measures.shortfall_kwh).toBe(30);
  expect(score).toBe(100);
});

/** Weights of b decide: the first step counts from 10:10 to 10:20, the second to 10:15, the third at any time. */
const STEPS: SmallDrill = {
  ...OUTAGE,
  drill: `may: [weights]
goals:
  - {measure: open_steps, at_most: 0}
steps:
  - {text: {en: First}, done_when: {weight: {site: b, above: 1}}, from: 2026-04-01T10:10:00Z, until: 2026-04-01T10:20:00Z}
  - {text: {en: Second}, done_when: {weight: {site: b, above: 2}}, until: 2026-04-01T10:15:30Z}
  - {text: {en: Third}, done_when: {weight: {site: b, above: 2}, for: PT2M}}`,
};

describe("steps with their time", () => {
  const statesOf = async (actions: readonly string[], reached?: string) =>
    gradeJson(await grade(STEPS, actions, reached)).steps.map(({ state, done_at }) => [state, done_at]);

  test("a step counts from its instant on, also by what was done before", async () => {
    const early = ["{at: 2026-04-01T10:05:00Z, weights: {b: 2}}"];
    expect(await statesOf(early, "2026-04-01T10:09:00Z")).toEqual([
      ["waiting", null],
      ["waiting", null],
      ["waiting", null],
    ]);
    expect(await statesOf(early, "2026-04-01T10:15:00Z")).toEqual([
      ["done", "2026-04-01T10:10:00Z"],
      ["open", null],
      ["waiting", null],
    ]);
  });

  test("one that opens after its time is missed at once, and the next one is judged from then on", async () => {
    const late = ["{at: 2026-04-01T10:16:00Z, weights: {b: 3}}"];
    // The second one was over at 10:15:30, before the first one was done.
    expect(await statesOf(late)).toEqual([
      ["done", "2026-04-01T10:16:00Z"],
      ["missed", null],
      ["done", "2026-04-01T10:18:00Z"],
    ]);
  });

  test("a step that is missed between two minutes opens the next one", async () => {
    const first = ["{at: 2026-04-01T10:12:00Z, weights: {b: 2}}"];
    const states = async (reached: string) => (await statesOf(first, reached)).map(([state]) => state);
    expect(await states("2026-04-01T10:15:29Z")).toEqual(["done", "open", "waiting"]);
    expect(await states("2026-04-01T10:15:30Z")).toEqual(["done", "missed", "open"]);
    expect((await grade(STEPS, first)).measures.open_steps).toBe(2);
  });
});
