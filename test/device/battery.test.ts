import { describe, expect, test } from "vitest";
import type { BatteryMotion } from "../../src/device/battery.ts";
import type { BatterySpec } from "../../src/device/batterySpec.ts";
import { battery, HOUR, planned, START, table, told } from "./batteries.ts";

/** Expected stretches: seconds after the start, kW of the cells, kWh stored, what binds. Worked out by hand. */
function checkPlan(spec: Partial<BatterySpec>, motion: Partial<BatteryMotion>, expected: string): void {
  expect(told(planned(battery(spec), motion))).toEqual(table(expected));
}

describe("a battery without ramp, losses and taper", () => {
  test("charges until full, at an instant that is solved for", () => {
    // 40 kWh of room at 100 kW: 0.4 h.
    checkPlan(
      {},
      { targetKw: 100 },
      `
         0 100 50 free
      1440   0 90 socBound
    `,
    );
  });

  test("takes in the charge efficiency's share", () => {
    // 0.8 · 50 kW = 40 kW into 40 kWh: 1 h.
    checkPlan(
      { chargeEfficiency: 0.8 },
      { targetKw: 50 },
      `
         0 50 50 free
      3600  0 90 socBound
    `,
    );
  });

  test("gives more out of the cells than arrives at the AC side", () => {
    // 40 kW / 0.8 = 50 kW out of 40 kWh: 0.8 h.
    checkPlan(
      { dischargeEfficiency: 0.8 },
      { targetKw: -40 },
      `
         0 -40 50 free
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
    const plan = planned(battery(), motion);
    expect([plan.cellKwAt(START), plan.binds[0]]).toEqual([kw, 2]);
  });

  test("has one stretch without end when nothing is asked", () => {
    checkPlan({}, {}, "0 0 50 free");
  });

  test("follows a plan that moves, through zero", () => {
    // 20 kW falling by 40 kW/h: 0 after half an hour and 5 kWh; the 45 kWh left are out when 20·t² = 45, 1.5 h later.
    checkPlan(
      {},
      { targetKw: 20, targetSlopeKwPerMs: -40 / HOUR },
      `
         0 20 50 free
      1800  0 55 free
      7200  0 10 socBound
    `,
    );
  });
});

test("auxiliaries come on top of the power of the cells and stop in an outage", () => {
  const spec = battery({ auxiliaryKw: 2 });
  expect(planned(spec, { targetKw: -50 }).kwAt(START)).toBe(-48);
  expect(planned(spec, { targetKw: -50 }).cellKwAt(START)).toBe(-50);
  expect(planned(spec, { targetKw: -50, inService: false }).kwAt(START)).toBe(0);
});
