import { describe, expect, test } from "vitest";
import type { DevicePlanInput } from "../../src/engine/device/curve/devicePlanInput.ts";
import {
  outputCapabilityKw,
  pumpCapabilityKw,
  upwardCapabilityKw,
} from "../../src/engine/device/dispatchable/dispatchableCapability.ts";
import type { DispatchableSpec } from "../../src/engine/device/dispatchable/dispatchableSpec.ts";
import { formatSegments, HOUR, parseTable, START } from "./batteries.ts";
import { plannedPlantTrajectory, plant, reservoir } from "./plants.ts";

/** Expected segments: seconds after the start, kW, kWh stored, limit. Worked out by hand. */
function checkPlan(spec: Partial<DispatchableSpec>, motion: Partial<DevicePlanInput>, expected: string): void {
  expect(formatSegments(plannedPlantTrajectory(plant(spec), motion))).toEqual(parseTable(expected));
}

describe("a plant without ramp and reservoir", () => {
  test.each<[string, number, number]>([
    ["follows its set-point", -70, -70],
    ["gives at most its rating", -130, -100],
    ["gives at least its least output", -35, -40],
    ["runs from half of the least output on", -20, -40],
    ["is off below half of the least output", -19.9, 0],
    ["is off at 0", 0, 0],
    ["cannot take power in", 30, 0],
  ])("%s", (_, targetKw, kw) => {
    const plan = plannedPlantTrajectory(plant(), { targetKw });
    expect([plan.count, plan.kwAt(START), plan.kwAt(START + HOUR)]).toEqual([1, kw, kw]);
  });

  test.each<[string, Partial<DevicePlanInput>, number]>([
    ["an export limit above the least output cuts it", { targetKw: -90, exportLimitKw: 60 }, -60],
    ["an export limit at the least output lets it run", { targetKw: -90, exportLimitKw: 40 }, -40],
    ["an export limit below the least output stops it", { targetKw: -90, flowingKw: -90, exportLimitKw: 39 }, 0],
    ["out of service it stands still", { targetKw: -90, flowingKw: -90, inService: false }, 0],
  ])("%s", (_, motion, kw) => {
    expect(plannedPlantTrajectory(plant({ rampKwPerMin: 1 }), motion).kwAt(START + 100 * HOUR)).toBe(kw);
    expect(plannedPlantTrajectory(plant(), motion).kwAt(START)).toBe(kw);
  });

  test("follows a plan that moves through all its thresholds", () => {
    // Output wanted 120 kW, falling by 60 kW/h: 100 at 1200 s, 40 at 4800 s, 20 at 6000 s, 0 at 7200 s.
    checkPlan(
      {},
      { targetKw: -120, targetSlopeKwPerMs: 60 / HOUR },
      `
         0 -100 0 powerLimit
      1200 -100 0 none
      4800  -40 0 powerLimit
      6000    0 0 powerLimit
      7200    0 0 powerLimit
    `,
    );
  });
});

describe("ramps", () => {
  test("start at the least output, which is there at once", () => {
    // From 40 to 100 kW at 20 kW/min: 3 min.
    checkPlan(
      { rampKwPerMin: 20 },
      { targetKw: -100 },
      `
        0  -40 0 ramp
      180 -100 0 none
    `,
    );
  });

  test("lead down to the least output before the plant stops", () => {
    checkPlan(
      { rampKwPerMin: 20 },
      { targetKw: 0, flowingKw: -70 },
      `
       0 -70 0 ramp
      90   0 0 none
    `,
    );
  });

  test("lead to the least output where less is requested", () => {
    checkPlan(
      { rampKwPerMin: 30 },
      { targetKw: -25, flowingKw: -70 },
      `
       0 -70 0 ramp
      60 -40 0 powerLimit
    `,
    );
  });

  test("go down to 0 where there is no least output", () => {
    checkPlan(
      { rampKwPerMin: 30, minOutputKw: 0 },
      { targetKw: 0, flowingKw: -60 },
      `
        0 -60 0 ramp
      120   0 0 none
    `,
    );
  });

  test("chase a moving target and then follow it", () => {
    // 50 kW behind 80 kW that falls by 1 kW/min; the plant rises by 9 kW/min: they meet after 3 min at 77 kW. 37 min
    // later the target is at the least output, after 20 more at half of it.
    checkPlan(
      { rampKwPerMin: 9 },
      { targetKw: -80, flowingKw: -50, targetSlopeKwPerMs: 1 / 60_000 },
      `
         0 -50 0 ramp
       180 -77 0 none
      2400 -40 0 powerLimit
      3600   0 0 powerLimit
      4800   0 0 powerLimit
    `,
    );
  });

  test("fall behind a target that moves faster, until it stands at the rating", () => {
    // The target rises by 6 kW/min from 40 kW, the plant by 2: the rating is wanted after 10 min and reached after 30.
    checkPlan(
      { rampKwPerMin: 2 },
      { targetKw: -40, flowingKw: -40, targetSlopeKwPerMs: -6 / 60_000 },
      `
         0  -40 0 ramp
       600  -60 0 ramp
      1800 -100 0 powerLimit
    `,
    );
  });

  test("do not hold back a limit", () => {
    checkPlan({ rampKwPerMin: 1 }, { targetKw: -100, flowingKw: -100, exportLimitKw: 70 }, "0 -70 0 powerLimit");
  });
});

describe("pumped storage", () => {
  const pumped = { generatorKind: "pumped_storage", minOutputKw: 0, reservoir: reservoir() } as const;

  test("pumps at most what its pump takes, until the reservoir is full", () => {
    // 100 kWh of room at 80 kW: 1.25 h.
    checkPlan(
      pumped,
      { targetKw: 90 },
      `
         0 80 100 powerLimit
      4500  0 200 socBound
    `,
    );
  });

  test("loses on the way up and on the way down", () => {
    // 0.8·50 kW = 40 kW into 100 kWh of room: 2.5 h.
    checkPlan(
      { ...pumped, reservoir: reservoir({ pumpingEfficiency: 0.8 }) },
      { targetKw: 50 },
      `
         0 50 100 none
      9000  0 200 socBound
    `,
    );
    // 40 kW / 0.8 = 50 kW out of 100 kWh: 2 h.
    checkPlan(
      { ...pumped, reservoir: reservoir({ generatingEfficiency: 0.8 }) },
      { targetKw: -40 },
      `
         0 -40 100 none
      7200   0   0 socBound
    `,
    );
  });

  test("comes down to its least output before it pumps, and pumps at once", () => {
    // From 100 to 40 kW in 6 min at 10 kW/min: 7 kWh; the pump then has 107 kWh of room at 60 kW.
    checkPlan(
      { ...pumped, minOutputKw: 40, rampKwPerMin: 10 },
      { targetKw: 60, flowingKw: -100 },
      `
         0 -100 100 ramp
       360   60  93 none
      6780    0 200 socBound
    `,
    );
  });

  test("is emptied on its way up a ramp", () => {
    // 60 kW/h·t² / 2 = 1 kWh after 1/√30 h = 657.267 s.
    checkPlan(
      { ...pumped, rampKwPerMin: 1 },
      { targetKw: -100, storedKwh: 1 },
      `
              0 0 1 ramp
      657.267069 0 0 socBound
    `,
    );
  });

  test("waits full until its plan turns, then generates", () => {
    // 20 kW into nothing, falling by 40 kW/h: the plan turns after half an hour and wants the rating 2.5 h later, when
    // 125 kWh are gone; the 75 kWh left last 45 min.
    checkPlan(
      pumped,
      { targetKw: 20, targetSlopeKwPerMs: -40 / HOUR, storedKwh: 200 },
      `
          0    0 200 socBound
       1800    0 200 none
      10800 -100  75 powerLimit
      13500    0   0 socBound
    `,
    );
  });

  test("an import limit cuts the pump", () => {
    expect(plannedPlantTrajectory(plant(pumped), { targetKw: 70, importLimitKw: 15 }).kwAt(START)).toBe(15);
  });
});

describe("what a plant can do", () => {
  const pumped = plant({ generatorKind: "pumped_storage", minOutputKw: 10, reservoir: reservoir() });
  test("depends on its reservoir", () => {
    const states = [0, 100, 200].map((kwh) => [outputCapabilityKw(pumped, kwh), pumpCapabilityKw(pumped, kwh)]);
    expect(states).toEqual([
      [0, 80],
      [100, 80],
      [100, 0],
    ]);
    expect([outputCapabilityKw(plant(), 0), pumpCapabilityKw(plant(), 0)]).toEqual([100, 0]);
  });

  test.each<[string, DispatchableSpec, number, number]>([
    ["a running plant", plant(), -70, 30],
    ["a plant at its minimum output", plant(), -40, 0],
    ["a plant at standstill", plant(), 0, 0],
    ["a generating pumped storage", pumped, -30, 110],
    ["a pumping pumped storage", pumped, 50, 30],
  ])("%s has an upward headroom from its baseline", (_, spec, baselineKw, upKw) => {
    expect(upwardCapabilityKw(spec, baselineKw)).toBe(upKw);
  });
});
