import { describe, expect, test } from "vitest";
import type { BatterySpec } from "../../src/engine/device/battery/batterySpec.ts";
import type { DevicePlanInput } from "../../src/engine/device/curve/devicePlanInput.ts";
import {
  battery,
  formatSegments,
  HOUR,
  netKwh,
  parseTable,
  plannedTrajectory,
  registersOf,
  START,
} from "./batteries.ts";

/** Expected segments: seconds after the start, kW of the cells, kWh stored, limit. Worked out by hand. */
function checkPlan(spec: Partial<BatterySpec>, motion: Partial<DevicePlanInput>, expected: string): void {
  expect(formatSegments(plannedTrajectory(battery(spec), motion))).toEqual(parseTable(expected));
}

describe("a battery without ramp, losses and taper", () => {
  test("charges until full, at an instant that is solved for", () => {
    // 40 kWh of room at 100 kW: 0.4 h.
    checkPlan(
      {},
      { targetKw: 100 },
      `
         0 100 50 none
      1440   0 90 socBound
    `,
    );
  });

  test("stores the energy times the charge efficiency", () => {
    // 0.8 · 50 kW = 40 kW into 40 kWh: 1 h.
    checkPlan(
      { chargeEfficiency: 0.8 },
      { targetKw: 50 },
      `
         0 50 50 none
      3600  0 90 socBound
    `,
    );
  });

  test("discharges more from the cells than it delivers at the AC side", () => {
    // 40 kW / 0.8 = 50 kW out of 40 kWh: 0.8 h.
    checkPlan(
      { dischargeEfficiency: 0.8 },
      { targetKw: -40 },
      `
         0 -40 50 none
      2880   0 10 socBound
    `,
    );
  });

  test.each([
    ["rating", { targetKw: 300 }, 100],
    ["limit of import", { targetKw: 300, importLimitKw: 30 }, 30],
    ["limit of export", { targetKw: -300, exportLimitKw: 25 }, -25],
    ["limit of nothing at all", { targetKw: -300, exportLimitKw: 0 }, 0],
  ])("is cut at its %s", (_, motion, kw) => {
    const plan = plannedTrajectory(battery(), motion);
    expect([plan.cellKwAt(START), plan.limitedByOf(0)]).toEqual([kw, 2]);
  });

  test("has one segment without end when nothing is requested", () => {
    checkPlan({}, {}, "0 0 50 none");
  });

  test("follows a plan that moves, through zero", () => {
    // 20 kW falling by 40 kW/h: 0 after half an hour and 5 kWh; the 45 kWh left are out when 20·t² = 45, 1.5 h later.
    checkPlan(
      {},
      { targetKw: 20, targetSlopeKwPerMs: -40 / HOUR },
      `
         0 20 50 none
      1800  0 55 none
      7200  0 10 socBound
    `,
    );
  });
});

test("a full battery whose plan goes through zero by its last digits settles, and draws nothing", () => {
  // As a tracked site's steering left it: 1e-15 kW below zero, rising by nothing to speak of.
  const spec = battery({ ratedCapKwh: 299, importMaxKw: 172, exportMaxKw: 31, chargeEfficiency: 0.81 });
  const out = plannedTrajectory(spec, {
    storedKwh: 269.0999999998201,
    targetKw: -1.4119759492668657e-15,
    targetSlopeKwPerMs: 2.0182421529563836e-14,
    exportLimitKw: 31,
  });
  for (let k = 0; k < out.count; k++)
    expect([out.constKwOf(k), out.slopeKwPerMsOf(k), out.expKwOf(k)]).toEqual([0, 0, 0]);
});

describe("a ramp", () => {
  test("moves the power from what flowed to the target", () => {
    // 2 kW/s over 100 kW: 50 s; the triangle of 50 s · 100 kW / 2 is 0.694444 kWh; 39.305556 kWh more take 1415 s.
    checkPlan(
      { rampKwPerS: 2 },
      { targetKw: 100 },
      `
         0   0 50        ramp
        50 100 50.694444 none
      1465   0 90        socBound
    `,
    );
    const plan = plannedTrajectory(battery({ rampKwPerS: 2 }), { targetKw: 100 });
    expect(netKwh(plan, START, START + 50_000)).toBeCloseTo(25 / 36, 12);
    expect(plan.cellKwAt(START + 12_500)).toBeCloseTo(25, 12);
  });

  test("goes through zero, where the efficiency changes", () => {
    // 0.5 · 20 s · 40 kW / 3600 = 1/9 kWh each way at the AC side: − (1/9)/0.5, then + 0.5·(1/9).
    checkPlan(
      { rampKwPerS: 2, chargeEfficiency: 0.5, dischargeEfficiency: 0.5 },
      { flowingKw: -40, targetKw: 40, importLimitKw: 60 },
      `
         0 -40 50        ramp
        20   0 49.777778 ramp
        40  40 49.833333 none
      7270   0 90        socBound
    `,
    );
  });

  test("does not delay a limit", () => {
    checkPlan(
      { rampKwPerS: 1 },
      { flowingKw: -80, targetKw: -90, exportLimitKw: 36 },
      `
         0 -36 50 powerLimit
      4000   0 10 socBound
    `,
    );
  });

  test("starts from the limit when the limit had cut the power", () => {
    checkPlan(
      { rampKwPerS: 2, ratedCapKwh: 1000 },
      { storedKwh: 500, flowingKw: 80, targetKw: 0, importLimitKw: 36 },
      `
         0 36 500   ramp
        18  0 500.09 none
    `,
    );
  });

  test("never catches up with a plan that moves faster", () => {
    // The plan rises by 2 kW/s, the battery by 1 kW/s, up to its rating.
    checkPlan(
      { rampKwPerS: 1, ratedCapKwh: 1000 },
      { storedKwh: 100, targetSlopeKwPerMs: 0.002 },
      `
          0   0 100        ramp
        100 100 101.388889 powerLimit
      28850   0 900        socBound
    `,
    );
  });
});

describe("self-discharge", () => {
  const DAY = 24 * HOUR;

  test("is a rate: the stored energy halves in ln 2 / rate", () => {
    // 50 % per day as a rate: half is left after 1.386294 days, a quarter after twice that.
    const plan = plannedTrajectory(battery({ selfDischargePctPerDay: 50 }));
    const halfMs = (Math.LN2 / 0.5) * DAY;
    expect(plan.storedKwhAt(START + halfMs)).toBeCloseTo(25, 10);
    expect(plan.storedKwhAt(START + 2 * halfMs)).toBeCloseTo(12.5, 10);
    expect(netKwh(plan, START, START + DAY)).toBe(0);
  });

  test("goes on in an outage and below the window", () => {
    const plan = plannedTrajectory(battery({ selfDischargePctPerDay: 50 }), {
      storedKwh: 8,
      targetKw: 30,
      inService: false,
    });
    expect(plan.count).toBe(1);
    expect(plan.storedKwhAt(START + 2 * DAY)).toBeCloseTo(8 / Math.E, 10);
  });

  test("is compensated by a full battery with a set-point to charge", () => {
    // 90 kWh lose 90 · 0.24 / 24 = 0.9 kWh/h; at 0.9 charge efficiency that is 1 kW. In the mean the battery is full
    // when 50 e^(−kt) + (0.9·45/k)(1 − e^(−kt)) = 90 with k = 0.01 per h: e^(−kt) = 3960/4000, t = ln(400/396)/0.01 h.
    const plan = plannedTrajectory(battery({ selfDischargePctPerDay: 24, chargeEfficiency: 0.9 }), { targetKw: 45 });
    expect(plan.afterMsOf(1)).toBeCloseTo((Math.log(4000 / 3960) / 0.01) * HOUR, 5);
    expect(plan.cellKwAt(START + 5 * HOUR)).toBeCloseTo(1, 12);
    expect(plan.storedKwhAt(START + 100 * HOUR)).toBe(90);
    expect(formatSegments(plan)[1].endsWith("1 90 socBound")).toBe(true);
  });

  test("takes a full battery off its bound when the set-point is below the loss", () => {
    const plan = plannedTrajectory(battery({ selfDischargePctPerDay: 24 }), { storedKwh: 90, targetKw: 0.5 });
    // E falls towards 0.5 kW / (0.01 per h) = 50 kWh: 50 + 40 e^(−0.01·t).
    expect(plan.count).toBe(1);
    expect(plan.storedKwhAt(START + 100 * HOUR)).toBeCloseTo(50 + 40 / Math.E, 9);
  });

  test("lets a plan that sinks below the loss start the fall", () => {
    // 1.9 kW sinking by 1 kW/h: after 1 h it is below the 0.9 kW that 90 kWh lose. From then on, t in h,
    // E = 90 − 100·t + 10000·(1 − e^(−0.01·t)).
    const spec = battery({ selfDischargePctPerDay: 24 });
    const plan = plannedTrajectory(spec, { storedKwh: 90, targetKw: 1.9, targetSlopeKwPerMs: -1 / HOUR });
    const zeroKwh = 90 - 90 + 10_000 * (1 - Math.exp(-0.009));
    expect(formatSegments(plan).slice(0, 3)).toEqual(
      parseTable(`
           0 0.9 90 socBound
        3600 0.9 90 none
        6840   0 ${zeroKwh.toFixed(6)} none
      `),
    );
  });
});

describe("a battery outside its window", () => {
  test.each([
    ["above, set-point to charge", 95, 50, [0, 1]],
    ["above, set-point to discharge", 95, -50, [-50, 0]],
    ["below, set-point to discharge", 5, -50, [0, 1]],
    ["below, set-point to charge", 5, 50, [50, 0]],
    ["within 1e-6 kWh of full", 90 - 9e-7, 50, [0, 1]],
    ["within 1e-6 kWh of empty", 10 + 9e-7, -50, [0, 1]],
  ])("%s", (_, storedKwh, targetKw, expected) => {
    const plan = plannedTrajectory(battery(), { storedKwh, targetKw });
    expect([plan.cellKwAt(START), plan.limitedByOf(0)]).toEqual(expected);
  });

  test("above it waits for self-discharge, then draws what keeps it full", () => {
    // 100 e^(−0.01·t) = 90 after 100·ln(10/9) = 10.536052 h = 37929.786 s; then 90 · 0.01 = 0.9 kW.
    checkPlan(
      { selfDischargePctPerDay: 24 },
      { storedKwh: 100, targetKw: 50 },
      `
      0              0 100 socBound
      ${(Math.log(10 / 9) * 360_000).toFixed(6)} 0.9 90 socBound
    `,
    );
  });

  test("stops its flow at once when the bound forbids it", () => {
    checkPlan(
      { rampKwPerS: 1 },
      { storedKwh: 90, flowingKw: 50, targetKw: -20 },
      `
          0   0 90         ramp
         20 -20 89.944444  none
      14410   0 10         socBound
    `,
    );
  });
});

describe("a power taper", () => {
  const taper = [
    { socPct: 20, importFraction: 1, exportFraction: 0.5 },
    { socPct: 60, importFraction: 1, exportFraction: 1 },
    { socPct: 100, importFraction: 0.2, exportFraction: 1 },
  ];

  test("makes the power fall exponentially with what is stored", () => {
    // From 60 kWh on the limit is 100 − 2·(E − 60) kW: E = 110 − 50 e^(−2t), t in h. 90 kWh after ln(2.5)/2 h.
    const plan = plannedTrajectory(battery({ powerTaper: taper }), { storedKwh: 50, targetKw: 100 });
    expect(formatSegments(plan)).toEqual(
      parseTable(`
           0 100 50 none
         360 100 60 powerLimit
        ${(360 + 1800 * Math.log(2.5)).toFixed(6)} 0 90 socBound
      `),
    );
    const atMs = START + 360_000 + HOUR / 4;
    expect(plan.storedKwhAt(atMs)).toBeCloseTo(110 - 50 * Math.exp(-0.5), 10);
    expect(plan.cellKwAt(atMs)).toBeCloseTo(100 * Math.exp(-0.5), 10);
    expect(registersOf(plan, START + 360_000, atMs).cellInKwh).toBeCloseTo(50 * (1 - Math.exp(-0.5)), 10);
  });

  test("limits only from where it meets the power", () => {
    // 40 kW are allowed up to 90 kWh; 60 kW up to 80 kWh.
    checkPlan({ powerTaper: taper }, { targetKw: 40 }, "0 40 50 none\n 3600 0 90 socBound");
    // After 80 kWh: E = 110 − 30 e^(−2t); 90 kWh after ln(1.5)/2 h.
    checkPlan(
      { powerTaper: taper },
      { targetKw: 60 },
      `
         0 60 50 none
      1800 60 80 powerLimit
      ${(1800 + 1800 * Math.log(1.5)).toFixed(6)} 0 90 socBound
    `,
    );
  });

  test("is flat outside its points, and cut by a limit from outside", () => {
    // Export: 50 kW at and below 20 kWh, 25 + 1.25·E between 20 and 60 kWh; 62.5 kW at 30 kWh.
    // From 30 kWh: E + 20 = 50 e^(−1.25·t), 20 kWh after ln(1.25)/1.25 h; then 10 kWh at 50 kW take 720 s.
    const cornerS = (3600 * Math.log(1.25)) / 1.25;
    checkPlan(
      { powerTaper: taper },
      { storedKwh: 30, targetKw: -100 },
      `
      0 -62.5 30 powerLimit
      ${cornerS.toFixed(6)} -50 20 powerLimit
      ${(cornerS + 720).toFixed(6)} 0 10 socBound
    `,
    );
    checkPlan(
      { powerTaper: taper },
      { storedKwh: 30, targetKw: -100, exportLimitKw: 40 },
      `
         0 -40 30 powerLimit
      1800   0 10 socBound
    `,
    );
  });

  test("slower than the ramp hands over to it where the limit falls as fast as the ramp, without stalling", () => {
    // Lossless; above 60 kWh the export limit is E − 60 kW, which falls by 40/3600 kW/s at first: at 100 kWh as fast as
    // the ramp of 0.005 kW/s when it is 18 kW, 3600·ln(40/18) s later. From there the ramp: 3600 s to 0.
    const steep = [
      { socPct: 60, importFraction: 1, exportFraction: 0 },
      { socPct: 100, importFraction: 1, exportFraction: 0.4 },
    ];
    checkPlan(
      { powerTaper: steep, rampKwPerS: 0.005 },
      { storedKwh: 100, flowingKw: -40, targetKw: 0 },
      `
      0 -40 100 powerLimit
      ${(3600 * Math.log(40 / 18)).toFixed(6)} -18 78 ramp
      ${(3600 * Math.log(40 / 18) + 3600).toFixed(6)} 0 69 none
    `,
    );
  });

  test("that ends at nothing fills the battery in the end, to within 1e-6 kWh", () => {
    const toNothing = [
      { socPct: 50, importFraction: 1, exportFraction: 1 },
      { socPct: 90, importFraction: 0, exportFraction: 1 },
    ];
    // The limit is 2.5·(90 − E) kW: 40 e^(−2.5·t) kWh are missing, 1e-6 after ln(4e7)/2.5 h.
    const plan = plannedTrajectory(battery({ powerTaper: toNothing }), { targetKw: 100 });
    expect(plan.count).toBe(2);
    expect(plan.afterMsOf(1)).toBeCloseTo((Math.log(4e7) / 2.5) * HOUR, 0);
  });
});

test("auxiliaries come on top of the power of the cells and stop in an outage", () => {
  const spec = battery({ auxiliaryKw: 2 });
  expect(plannedTrajectory(spec, { targetKw: -50 }).kwAt(START)).toBe(-48);
  expect(plannedTrajectory(spec, { targetKw: -50 }).cellKwAt(START)).toBe(-50);
  expect(plannedTrajectory(spec, { targetKw: -50, inService: false }).kwAt(START)).toBe(0);
});
