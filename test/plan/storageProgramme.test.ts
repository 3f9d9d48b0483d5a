import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PlannedConnection, planDays } from "../../src/market/plan/rollingPlan.ts";
import { type PlannedStorage, type StorageProblem, solveStorage } from "../../src/market/plan/storageProgramme.ts";
import { runs } from "../depth.ts";

/** 1 kWh in steps of 0.25 kWh: every power of a whole step is on the grid of the dynamic programme. */
const STORE: PlannedStorage = {
  storedMinKwh: 0,
  storedMaxKwh: 1,
  chargeEfficiency: 1,
  dischargeEfficiency: 1,
};

const problemOf = (pricePerKwh: readonly number[], changes: Partial<StorageProblem> = {}): StorageProblem => ({
  storage: STORE,
  pricePerKwh,
  limits: pricePerKwh.map(() => ({ importMaxKw: 1, exportMaxKw: 1 })),
  slotHours: 0.5,
  initialKwh: 0,
  feePerKwh: 0,
  wearPerKwh: 0,
  dischargeMaxKwh: null,
  daySlots: [pricePerKwh.length],
  reserve: null,
  ...changes,
});

interface InductionCase {
  readonly fee?: number;
  readonly wear?: number;
  readonly efficiency?: number;
  /** Largest energy at the grid connection by slot, in kWh. */
  readonly importKwh?: readonly number[];
  readonly exportKwh?: readonly number[];
}

/** Backward induction over the stored energy in steps of 0.25 kWh, written apart from the programme. */
function bestByInduction(prices: readonly number[], given: InductionCase = {}): number {
  const { fee = 0, wear = 0, efficiency = 1, importKwh, exportKwh } = given;
  const levels = 5;
  let value = new Array<number>(levels).fill(0);
  for (let k = prices.length - 1; k >= 0; k--) {
    const next = new Array<number>(levels).fill(Number.NEGATIVE_INFINITY);
    for (let from = 0; from < levels; from++)
      for (let to = 0; to < levels; to++) {
        const storedKwh = (to - from) * 0.25;
        const gridKwh = storedKwh > 0 ? storedKwh / efficiency : storedKwh * efficiency;
        if (gridKwh > (importKwh?.[k] ?? 0.5) + 1e-9 || -gridKwh > (exportKwh?.[k] ?? 0.5) + 1e-9) continue;
        const cash = gridKwh > 0 ? -gridKwh * (prices[k] + fee) : -gridKwh * (prices[k] - fee - wear);
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
          expect(schedule?.value).toBeCloseTo(bestByInduction(drawn, { fee, wear }), 6);
        },
      ),
      { numRuns: runs(60, 20) },
    );
  });

  test("equals backward induction on drawn limits by slot", async () => {
    const slot = fc.record({
      price: fc.integer({ min: -20, max: 60 }),
      // Whole and half steps of the grid of the induction.
      importSteps: fc.integer({ min: 0, max: 2 }),
      exportSteps: fc.integer({ min: 0, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(slot, { minLength: 2, maxLength: 12 }), async (drawn) => {
        const prices = drawn.map(({ price }) => price);
        const importKwh = drawn.map(({ importSteps }) => importSteps * 0.25);
        const exportKwh = drawn.map(({ exportSteps }) => exportSteps * 0.25);
        const limits = drawn.map((_, k) => ({ importMaxKw: 2 * importKwh[k], exportMaxKw: 2 * exportKwh[k] }));
        const schedule = await solveStorage(problemOf(prices, { limits }));
        expect(schedule?.value).toBeCloseTo(bestByInduction(prices, { importKwh, exportKwh }), 6);
      }),
      { numRuns: runs(60, 20) },
    );
  });

  test("leads from outside the operating range into it, and never out again", async () => {
    const storage = { ...STORE, storedMinKwh: 0.2, storedMaxKwh: 0.6 };
    // Selling later would pay more, and charging again most.
    const above = await solveStorage(problemOf([1, 1, 0, 50], { storage, initialKwh: 0.9 }));
    expect(above?.storedKwh[0]).toBeLessThanOrEqual(0.6 + 1e-9);
    expect(above?.storedKwh[2]).toBeCloseTo(0.6, 6);
    const below = await solveStorage(problemOf([60, 1, 1, 1], { storage, initialKwh: 0 }));
    expect(below?.storedKwh[0]).toBeGreaterThanOrEqual(0.2 - 1e-9);
    const limits = [0, 0, 1, 1].map((kw) => ({ importMaxKw: kw, exportMaxKw: kw }));
    const blocked = await solveStorage(problemOf([1, 1, 5, 5], { storage, limits, initialKwh: 0.9 }));
    expect(blocked?.storedKwh.slice(0, 2)).toEqual([0.9, 0.9].map((kwh) => expect.closeTo(kwh, 9)));
  });

  test("is never below induction with losses, whose grid holds only some of the schedules", async () => {
    const storage = { ...STORE, chargeEfficiency: 0.9, dischargeEfficiency: 0.9 };
    const price = fc.integer({ min: 0, max: 60 });
    await fc.assert(
      fc.asyncProperty(fc.array(price, { minLength: 2, maxLength: 10 }), async (drawn) => {
        const schedule = await solveStorage(problemOf(drawn, { storage }));
        expect(schedule?.value).toBeGreaterThanOrEqual(bestByInduction(drawn, { efficiency: 0.9 }) - 1e-6);
      }),
      { numRuns: runs(40, 20) },
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

  test("what awards expect after a slot is no bound of the reserve in it", async () => {
    // An award charges 0.5 kWh in the second slot: before it the store is empty.
    const free = { importMaxKw: 1, exportMaxKw: 1 };
    const limits = [
      { importMaxKw: 0, exportMaxKw: 0 },
      { importMaxKw: 0, exportMaxKw: 0, reserved: { changeKwh: 0.5, storedKwh: 0.5 } },
      free,
    ];
    const reserve = { pricePerKw: [1, 1, 1], sustainedHours: 0.5 };
    const schedule = await solveStorage(problemOf([5, 5, 5], { limits, reserve }));
    expect(schedule?.storedKwh.map((kwh) => Math.round(1e6 * kwh) / 1e6).slice(0, 2)).toEqual([0, 0.5]);
    expect(schedule?.reserveKw.slice(0, 2).every((kw) => kw < 1e-6)).toBe(true);
  });
});

/** The store at a connection of 1 kW, empty at first. */
const CONNECTION: PlannedConnection = {
  storage: {
    ...STORE,
    importMaxKw: 1,
    exportMaxKw: 1,
    ratedKwh: 1,
    initialKwh: 0,
    isAgeing: false,
    rangeKwh: () => STORE,
    advance: () => {},
  },
  limitsOver: () => ({ importMaxKw: 1, exportMaxKw: 1 }),
};
const RULES = { feePerKwh: 0, wearPerKwh: 0, cyclesPerDay: null, sustainedHours: 0.5 };

test("the day that is looked at has a limit of cycles too", async () => {
  const [today, tomorrow] = [
    [10, 10, 20, 20],
    [30, 30, 5, 40],
  ];
  const days = [
    { startMs: 0, energy: { actual: today, expected: today, expectedNext: tomorrow }, reserve: null },
    { startMs: 4 * 1_800_000, energy: { actual: tomorrow, expected: tomorrow, expectedNext: [] }, reserve: null },
  ];
  // Half a cycle is one slot. 1 kWh kept for both slots at 30 would find that only 0.5 kWh may be sold.
  const plans = await planDays(CONNECTION, days, { ...RULES, cyclesPerDay: 0.5 }, () => {});
  expect(plans.map(({ energyAmount }) => energyAmount)).toEqual([5, 17.5].map((amount) => expect.closeTo(amount, 6)));
});

test("days are planned one after the other, and valued at actual prices", async () => {
  const slotMs = 1_800_000;
  const cheap = [5, 5, 30, 30];
  const dear = [30, 30, 5, 5];
  const days = [
    { startMs: 0, energy: { actual: cheap, expected: cheap, expectedNext: cheap }, reserve: null },
    { startMs: 4 * slotMs, energy: { actual: dear, expected: cheap, expectedNext: [] }, reserve: null },
  ];
  const [first, second] = await planDays(CONNECTION, days, RULES, () => {});
  expect(first.energyAmount).toBeCloseTo(25, 6);
  // It expected the first day again: it buys at 30 and sells at 5.
  expect(second.energyAmount).toBeCloseTo(-25, 6);
  expect(second.slots.map(({ kw }) => kw)).toEqual([1, 1, -1, -1]);
});

test("reserve that is less than 1 kW or a thousandth of the export limit is not offered", async () => {
  const offered = async (exportMaxKw: number, freeKw: number) => {
    // The energy of one slot at the limit is worth more than the reserve, and is there but for what `freeKw` needs.
    const storedKwh = (exportMaxKw - freeKw) / 2;
    const storage = { ...CONNECTION.storage, importMaxKw: 0, exportMaxKw, initialKwh: storedKwh };
    const range = { storedMinKwh: 0, storedMaxKwh: storedKwh };
    const planned = { storage: { ...storage, rangeKwh: () => range }, limitsOver: () => storage };
    const prices = (price: number) => ({ actual: [price], expected: [price], expectedNext: [] });
    const day = { startMs: 0, energy: prices(90), reserve: prices(1) };
    const [{ slots }] = await planDays(planned, [day], { ...RULES, sustainedHours: 0 }, () => {});
    return slots[0].reserveKw;
  };
  expect(await offered(100, 0.8)).toBe(0);
  expect(await offered(100, 1.2)).toBe(1.2);
  expect(await offered(5000, 4.8)).toBe(0);
  expect(await offered(5000, 5.2)).toBe(5.2);
});
