// Items of a settlement in Japan beside the worked example, each by hand.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../src/base/time.ts";
import { emptyGroupSlot, type GroupSlot, type GroupSlotPrices } from "../../src/market/awardSlot.ts";
import { JpMarket } from "../../src/market/jp/jpMarket.ts";
import type { JpParameters } from "../../src/market/jp/jpParameters.ts";
import { valuesOf } from "../../src/market/marketParameters.ts";
import type { CapacityCall, ConnectionTerms, Settlement } from "../../src/market/settlement.ts";

const SET = parse(readFileSync("data/markets/jp/fy2026.yaml", "utf8"));
const PRICES: GroupSlotPrices = {
  spotPerKwh: 10,
  intradayPerKwh: 12,
  imbalanceSurplusPerKwh: 8,
  imbalanceShortagePerKwh: 15,
  retailPerKwh: 16,
  premiumReferencePerKwh: 9,
};
const NO_CONNECTION = { wheelingKw: 0, wheelingBasicKw: 0, receivingKw: 0, capacityKw: 0, retailKw: 0 };
const monthOf = (atMs: number): string => new Date(atMs + 9 * MS_PER_HOUR).toISOString().slice(0, 7);

interface Drawn {
  readonly slots: readonly (Partial<GroupSlot> & { readonly at: string })[];
  readonly prices?: Partial<GroupSlotPrices>;
  readonly connection?: Partial<ConnectionTerms>;
  readonly calls?: readonly CapacityCall[];
}

function settle(values: Partial<JpParameters>, { slots, prices, connection, calls }: Drawn): Settlement {
  const market = new JpMarket(valuesOf(SET, { ...values }) as JpParameters);
  return market.settle({
    awardSlots: [],
    groupSlots: slots.map(({ at, ...keys }) => ({
      slot: { ...emptyGroupSlot(Date.parse(at), MS_PER_HALF_HOUR, "v"), ...keys },
      prices: { ...PRICES, ...prices },
    })),
    connection: { ...NO_CONNECTION, ...connection },
    capacityCalls: calls ?? [],
    monthOf,
  });
}

const amount = ({ invoice }: Settlement, item: string, month = "2026-06"): number | undefined =>
  invoice.find((line) => line.item === item && line.month === month)?.amount;

const JUNE = "2026-06-01T00:00:00+09:00";

test("rates of the network hold from their month on", () => {
  const settled = settle(
    {},
    {
      slots: ["2026-10-31T23:30:00+09:00", "2026-11-01T00:00:00+09:00"].map((at) => ({ at, otherExportKwh: 100 })),
      connection: { wheelingBasicKw: 10, receivingKw: 100, wheelingKw: 80 },
    },
  );
  expect(amount(settled, "wheeling_basic", "2026-10")).toBeCloseTo(-6538.7, 9);
  expect(amount(settled, "wheeling_basic", "2026-11")).toBeCloseTo(-7624.4, 9);
  expect(amount(settled, "generator_basic", "2026-10")).toBeCloseTo(-20 * 87.01, 9);
  expect(amount(settled, "generator_basic", "2026-11")).toBeCloseTo(-20 * 100.12, 9);
  expect(amount(settled, "generator_energy", "2026-11")).toBeCloseTo(-32, 9);
});

test("items whose rates contain the tax are settled without it", () => {
  const slots = [{ at: JUNE, otherImportKwh: 1000, meteredKwh: 1000, spotKwh: 1000, retailKwh: 110 }];
  const values = { tax_included: ["wheeling_energy", "retail"] as JpParameters["tax_included"], levy_kwh: 4 };
  const { invoice } = settle(values, { slots });
  const line = (item: string) => invoice.find((each) => each.item === item);
  // 1,000 · 1.84 and 110 · (16 + 4), each over 1.1.
  expect(line("wheeling_energy")?.amount).toBeCloseTo(-1672.727, 3);
  expect(line("wheeling_energy")?.taxAmount).toBe(-167);
  expect(line("retail")?.amount).toBeCloseTo(-2000, 9);
  expect(line("retail")?.taxAmount).toBe(-200);
});

test("demand is settled at the grid side, and a plan that is met closes there", () => {
  const demand = { at: JUNE, spotKwh: 963, otherBaselineKwh: 963, meteredKwh: 963, otherImportKwh: 963 };
  const [line] = settle({ at_loss: true }, { slots: [demand] }).energy;
  expect(line.spotKwh).toBeCloseTo(1000, 9);
  expect(line.meteredKwh).toBeCloseTo(1000, 9);
  expect(line.imbalanceKwh).toBe(0);
  // 96.3 kWh more at the meter are 100 kWh more at the grid side.
  const more = { ...demand, meteredKwh: 1059.3, otherImportKwh: 1059.3 };
  expect(settle({ at_loss: true }, { slots: [more] }).energy[0].imbalanceKwh).toBeCloseTo(-100, 9);
});

test.each([
  // 100 kWh · (12 − 9)
  ["above the reference", { premium_base_kwh: 12 }, {}, 300],
  ["of nothing where the reference is above the base", { premium_base_kwh: 8 }, {}, undefined],
  ["below zero without a least premium", { premium_base_kwh: 8, premium_min_kwh: null }, {}, -100],
  ["of nothing at the lowest spot price", { premium_base_kwh: 12 }, { spotPerKwh: 0.01 }, undefined],
])("a feed-in premium %s", (_what, values, prices, expected) => {
  const slots = [{ at: JUNE, premiumExportKwh: 100 }];
  const premium = settle(values, { slots, prices }).energy[0].premiumAmount;
  expect(premium).toBeCloseTo(expected ?? 0, 9);
});

test("a premium needs the spot price that it depends on", () => {
  const slots = [{ at: JUNE, premiumExportKwh: 100 }];
  expect(() => settle({ premium_base_kwh: 12 }, { slots, prices: { spotPerKwh: null } })).toThrow("no spot price");
});

test("a retail site pays its demand by the month, and a sold reduction its compensation", () => {
  const values = { retail_basic_kw_month: 1500, negawatt_compensation_kwh: 9.5 };
  const settled = settle(values, { slots: [{ at: JUNE, negawattKwh: 40 }], connection: { retailKw: 200 } });
  expect(amount(settled, "retail_basic")).toBe(-300_000);
  expect(amount(settled, "negawatt")).toBe(-380);
  expect(amount(settled, "total_cash")).toBe(-300_380);
});

/** Slots of a call of three hours, each with a supply in kWh. */
const callSlots = (at: string, supplies: readonly number[]) =>
  supplies.map((capacitySupplyKwh, k) => ({
    at: new Date(Date.parse(at) + k * MS_PER_HALF_HOUR).toISOString(),
    capacitySupplyKwh,
  }));

const callAt = (at: string, noticeHours = 3): CapacityCall => ({
  startMs: Date.parse(at),
  notifiedMs: Date.parse(at) - noticeHours * MS_PER_HOUR,
});

const NOON = "2026-06-01T12:00:00+09:00";

test("a call that is missed in part costs its share of a twelfth of the contract, and a tenth more", () => {
  // 100 kW: 50 kWh each half hour. Missed: 0, 10, 50, 0 (more does not make up for it), 50 (charging), 0: 110 of 300 kWh.
  const slots = callSlots(NOON, [50, 40, 0, 80, -20, 50]);
  const settled = settle({}, { slots, connection: { capacityKw: 100 }, calls: [callAt(NOON)] });
  expect(settled.calls).toMatchObject([{ month: "2026-06", isBinding: true, requestedKwh: 300, missedKwh: 110 }]);
  const penalty = (-5834 * 100 * 1.1 * (110 / 300)) / 12;
  expect(settled.calls[0].penaltyAmount).toBeCloseTo(penalty, 6);
  expect(amount(settled, "capacity_penalty")).toBeCloseTo(penalty, 6);
  expect(amount(settled, "total_cash")).toBeCloseTo((5834 * 100) / 12 + penalty, 6);
});

test("a call that was notified too late need not be followed", () => {
  const slots = callSlots(NOON, [0, 0, 0, 0, 0, 0]);
  const settled = settle({}, { slots, connection: { capacityKw: 100 }, calls: [callAt(NOON, 2.5)] });
  expect(settled.calls).toMatchObject([{ isBinding: false, penaltyAmount: 0 }]);
});

test("penalties of a month and of a year are limited, and calls beyond their number are not binding", () => {
  // One missed call a day: 9.1667 % of the contract each.
  const days = Array.from(
    { length: 14 },
    (_, k) => `2026-0${k < 3 ? 6 : 7}-${String(k + 1).padStart(2, "0")}T12:00:00+09:00`,
  );
  const slots = days.flatMap((at) => callSlots(at, [0, 0, 0, 0, 0, 0]));
  const calls = days.map((at) => callAt(at));
  const contract = 5834 * 100;
  const settled = settle({}, { slots, connection: { capacityKw: 100 }, calls });
  expect(settled.calls.map(({ isBinding }) => isBinding)).toEqual(days.map((_, k) => k < 12));
  expect(amount(settled, "capacity_penalty")).toBeCloseTo(-0.183 * contract, 6);
  expect(amount(settled, "capacity_penalty", "2026-07")).toBeCloseTo(-0.183 * contract, 6);
  const unlimited = settle(
    { capacity_month_cap_pct: 1000, capacity_year_cap_pct: 100 },
    { slots, connection: { capacityKw: 100 }, calls },
  );
  expect(unlimited.calls.reduce((sum, { penaltyAmount }) => sum + penaltyAmount, 0)).toBeCloseTo(-contract, 6);
});

test("penalties of calls lie between nothing and their limits, and sum to the invoice", () => {
  const supply = fc.double({ min: -50, max: 120, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.array(supply, { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 16 }),
      (supplies) => {
        const days = supplies.map((_, k) => new Date(Date.parse(NOON) + k * 24 * MS_PER_HOUR).toISOString());
        const slots = supplies.flatMap((each, k) => callSlots(days[k], each));
        const calls = days.map((at) => callAt(at));
        const settled = settle({}, { slots, connection: { capacityKw: 100 }, calls });
        const sum = settled.calls.reduce((total, { penaltyAmount }) => total + penaltyAmount, 0);
        for (const { penaltyAmount, missedKwh, requestedKwh } of settled.calls) {
          expect(penaltyAmount).toBeLessThanOrEqual(0);
          expect(missedKwh).toBeLessThanOrEqual(requestedKwh + 1e-9);
        }
        expect(sum).toBeGreaterThanOrEqual(-0.183 * 583_400 - 1e-6);
        expect(amount(settled, "capacity_penalty") ?? 0).toBeCloseTo(sum, 6);
      },
    ),
    { numRuns: 50 },
  );
});
