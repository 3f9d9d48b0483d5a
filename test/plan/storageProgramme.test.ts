import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planDays } from "../../src/plan/rollingPlan.ts";
import { type PlannedStorage, type StorageProblem, solveStorage } from "../../src/plan/storageProgramme.ts";

/** 1 kWh in steps of 0.25 kWh: every power of a whole step is on the grid of the dynamic programme. */
const STORE: PlannedStorage = {
  importMaxKw: 1,
  exportMaxKw: 1,
  storedMinKwh: 0,
  storedMaxKwh: 1,
  chargeEfficiency: 1,
  dischargeEfficiency: 1,
};

const problemOf = (pricePerKwh: readonly number[], changes: Partial<StorageProblem> = {}): StorageProblem => ({
  storage: STORE,
  pricePerKwh,
  slotHours: 0.5,
  initialKwh: 0,
  finalMinKwh: 0,
  feePerKwh: 0,
  wearPerKwh: 0,
  dischargeMaxKwh: null,
  committedSlots: pricePerKwh.length,
  reserve: null,
  ...changes,
});

/** Backward induction over the stored energy in steps of 0.25 kWh, written apart from the programme. */
function bestByInduction(prices: readonly number[], fee: number, wear: number, efficiency: number): number {
  const levels = 5;
  let value = new Array<number>(levels).fill(0);
  for (const price of [...prices].reverse()) {
    const next = new Array<number>(levels).fill(Number.NEGATIVE_INFINITY);
    for (let from = 0; from < levels; from++)
      for (let to = 0; to < levels; to++) {
        const storedKwh = (to - from) * 0.25;
        const gridKwh = storedKwh > 0 ? storedKwh / efficiency : storedKwh * efficiency;
        if (Math.abs(gridKwh) > 0.5 + 1e-9) continue;
        const cash = gridKwh > 0 ? -gridKwh * (price + fee) : -gridKwh * (price - fee - wear);
        next[from] = Math.max(next[from], cash + value[to]);
      }
    value = next;
  }
  return value[0];
}

describe("the best schedule of a battery", () => {
  test("buys low and sells high", async () => {
    const schedule = await solveStorage(problemOf([10, 5, 5, 20, 30]));
    expect(schedule?.value).toBeCloseTo(0.5 * 20 + 0.5 * 30 - 1 * 5, 6);
    expect(schedule?.importKw.map((kw) => Math.round(kw * 1e6) / 1e6)).toEqual([0, 1, 1, 0, 0]);
    expect(schedule?.storedKwh.at(-1)).toBeCloseTo(0, 9);
  });

  test("equals backward induction on drawn prices, fees and wear", async () => {
    const price = fc.integer({ min: -20, max: 60 });
    const prices = fc.array(price, { minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        prices,
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 5 }),
        async (drawn, fee, wear) => {
          const schedule = await solveStorage(problemOf(drawn, { feePerKwh: fee, wearPerKwh: wear }));
          expect(schedule?.value).toBeCloseTo(bestByInduction(drawn, fee, wear, 1), 6);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("is never below induction with losses, whose grid holds only some of the schedules", async () => {
    const storage = { ...STORE, chargeEfficiency: 0.9, dischargeEfficiency: 0.9 };
    const price = fc.integer({ min: 0, max: 60 });
    await fc.assert(
      fc.asyncProperty(fc.array(price, { minLength: 2, maxLength: 10 }), async (drawn) => {
        const schedule = await solveStorage(problemOf(drawn, { storage }));
        expect(schedule?.value).toBeGreaterThanOrEqual(bestByInduction(drawn, 0, 0, 0.9) - 1e-6);
      }),
      { numRuns: 40 },
    );
  });

  test("does not charge and discharge at once at negative prices", async () => {
    const storage = { ...STORE, chargeEfficiency: 0.5, dischargeEfficiency: 0.5 };
    const schedule = await solveStorage(problemOf([-10, -10, -10, -10], { storage }));
    schedule?.importKw.forEach((kw, k) => expect(Math.min(kw, schedule.exportKw[k])).toBeLessThan(1e-9));
  });

  test("discharges no more than its cycles allow, and holds what its reserve needs", async () => {
    const limited = await solveStorage(problemOf([1, 1, 50, 50, 1, 1, 50, 50], { dischargeMaxKwh: 0.5 }));
    expect(limited?.exportKw.reduce((sum, kw) => sum + kw * 0.5, 0)).toBeCloseTo(0.5, 9);
    const reserve = { pricePerKw: [0, 40, 40, 40], sustainedHours: 0.5 };
    const held = await solveStorage(problemOf([1, 1, 1, 20], { reserve }));
    // 40 per kW and slot is more than the 20 per kWh that selling brings.
    expect(held?.reserveKw[2]).toBeGreaterThanOrEqual(1 - 1e-6);
    expect(held?.exportKw[2]).toBeCloseTo(0, 6);
  });
});

test("days are planned one after the other, and valued at the prices that came", async () => {
  const slotMs = 1_800_000;
  const cheap = [5, 5, 30, 30];
  const dear = [30, 30, 5, 5];
  const days = [
    { startMs: 0, actual: cheap, expected: cheap, expectedNext: cheap, reserve: null },
    { startMs: 4 * slotMs, actual: dear, expected: cheap, expectedNext: [], reserve: null },
  ];
  const rules = { slotMs, initialKwh: 0, feePerKwh: 0, wearPerKwh: 0, cyclesPerDay: null, sustainedHours: 0.5 };
  const [first, second] = await planDays(STORE, days, rules, () => {});
  expect(first.energyCash).toBeCloseTo(25, 6);
  // It expected the first day again: it buys at 30 and sells at 5.
  expect(second.energyCash).toBeCloseTo(-25, 6);
  expect(second.slots.map(({ kw }) => kw)).toEqual([1, 1, -1, -1]);
});
