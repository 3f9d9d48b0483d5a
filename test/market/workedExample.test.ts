import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { SegmentSum } from "../../src/accounting/settlement/segmentSum.ts";
import type { Sku } from "../../src/base/sku.ts";
import { type AwardSlot, emptyGroupSlot, type GroupSlot } from "../../src/market/awardSlot.ts";
import { JpMarket } from "../../src/market/jp/jpMarket.ts";
import type { JpParameters } from "../../src/market/jp/jpParameters.ts";
import { valuesOf } from "../../src/market/marketParameters.ts";
import { netOf, type Settlement } from "../../src/market/settlement.ts";
import { AwardAssessor } from "../../src/market/slotAssessor.ts";

// A battery of 1,200 kW in and 1,000 kW out in Tokyo, two awards and two purchases, worked by hand.
const SET = parse(readFileSync("data/markets/jp/fy2026.yaml", "utf8"));
const SLOT_MS = 1_800_000;

interface ExampleSlot {
  readonly at: string;
  readonly plan: number;
  readonly request: number | null;
  readonly delivered: number;
  readonly available: number | null;
  readonly metered: number;
  readonly spot: number;
  readonly imbalance: number;
  readonly award: "A-1" | "A-2" | null;
}

// biome-ignore format: a table
const SLOTS: readonly ExampleSlot[] = [
  { at: "2026-06-01T09:00:00Z", plan: 0, request: 1000, delivered: 1000, available: 1000, metered: -500, spot: 21, imbalance: 26, award: "A-1" },
  { at: "2026-06-01T09:30:00Z", plan: 0, request: 1000, delivered: 800, available: 1000, metered: -400, spot: 22, imbalance: 28, award: "A-1" },
  { at: "2026-06-01T10:00:00Z", plan: 0, request: null, delivered: 0, available: 900, metered: 25, spot: 23, imbalance: 30, award: "A-1" },
  { at: "2026-06-01T17:00:00Z", plan: 600, request: null, delivered: 0, available: null, metered: 590, spot: 8.5, imbalance: 9, award: null },
  { at: "2026-06-01T17:30:00Z", plan: 600, request: null, delivered: 0, available: null, metered: 600, spot: 8.2, imbalance: 9, award: null },
  { at: "2026-06-02T00:00:00Z", plan: 0, request: null, delivered: 0, available: 500, metered: 0, spot: 12, imbalance: 11, award: "A-2" },
];

const AWARDS: Readonly<Record<string, { readonly sku: Sku; readonly kw: number; readonly price: number }>> = {
  "A-1": { sku: "rr", kw: 1000, price: 4 },
  "A-2": { sku: "compound", kw: 500, price: 16.45 },
};

/** As in the example: the grace period is over before the first slot. */
function awardSlots(market: JpMarket): AwardSlot[] {
  return SLOTS.flatMap(({ at, award: awardId, request, delivered, available }) => {
    if (awardId === null) return [];
    const { sku, kw } = AWARDS[awardId];
    const award = { vpp: "tokyo", awardId, sku, direction: -1, awardedKw: kw } as const;
    const fromMs = Date.parse(at);
    const settled = { kw: -(request ?? 0), untilMs: fromMs, settledFromMs: Number.NEGATIVE_INFINITY };
    const assessor = new AwardAssessor(award, market.samplingOf(sku), market.slotMs, settled);
    const deviation = new SegmentSum();
    deviation.kw = (request ?? 0) - delivered;
    assessor.addPiece({ fromMs, toMs: fromMs + SLOT_MS, requestedKw: request ?? 0, deviation });
    if (available !== null) assessor.measureAvailable(fromMs, available);
    return assessor.slots();
  });
}

const groupSlot = ({ at, plan, metered }: ExampleSlot): GroupSlot => ({
  ...emptyGroupSlot(Date.parse(at), SLOT_MS, "tokyo"),
  spotKwh: plan,
  meteredKwh: metered,
  storageChargedKwh: Math.max(0, metered),
  storageDischargedKwh: Math.max(0, -metered),
  batteryDischargedKwh: Math.max(0, -metered),
});

function settled(override: Partial<JpParameters> = {}, capacityKw = 0): Settlement {
  const defaults: Partial<JpParameters> = { wheeling_charging: "loss_only" };
  const market = new JpMarket(valuesOf(SET, { ...defaults, ...override }) as JpParameters);
  return market.settle({
    awardSlots: awardSlots(market).map((slot) => ({
      slot,
      prices: { capacityPerKwSlot: AWARDS[slot.awardId].price, upPerKwh: 24, downPerKwh: 0 },
    })),
    groupSlots: SLOTS.map((slot) => ({
      slot: groupSlot(slot),
      prices: {
        spotPerKwh: slot.spot,
        intradayPerKwh: null,
        imbalanceSurplusPerKwh: slot.imbalance,
        imbalanceShortagePerKwh: slot.imbalance,
        retailPerKwh: null,
        premiumReferencePerKwh: null,
      },
    })),
    connection: { wheelingKw: 1200, wheelingBasicKw: 0, receivingKw: 1000, capacityKw, retailKw: 0 },
    capacityCalls: [],
    monthOf: (atMs) => new Date(atMs + 9 * 3_600_000).toISOString().slice(0, 7),
  });
}

const itemsOf = ({ invoice }: Settlement) =>
  Object.fromEntries(invoice.map(({ item, amount }) => [item, Number(amount.toFixed(3))]));

describe("the worked example of June 2026", () => {
  test("has the invoice to the digit", () => {
    expect(itemsOf(settled())).toEqual({
      dkw: 19_500,
      eprx_fee: -105,
      activated: 21_600,
      penalty_1: -600,
      penalty_2: -6_000,
      imbalance: -660,
      spot: -10_020,
      jepx_fee: -36,
      wheeling_energy: -579.6,
      total_cash: 23_099.4,
      degradation: -7_200,
      spot_value: 8_790,
      margin: 15_899.4,
    });
  });

  test("has the lines of the awards", () => {
    const { awards } = settled();
    // biome-ignore format: a table
    expect(awards.map((line) => [line.capacityAmount, line.feeAmount, line.assessment1, line.samples, line.assessment2, line.penalty1Amount + line.penalty2Amount, line.activatedKwh, line.activatedAmount])).toEqual([
      [4000, -30, "ok", 30, "ok", 0, -500, 12_000],
      [4000, -30, "ok", 30, "fail", -6000, -400, 9600],
      [4000, -30, "fail", 0, "none", -600, 0, 0],
      [7500, -15, "ok", 0, "none", 0, 0, 0],
    ]);
  });

  test("has the lines of the balancing group", () => {
    // biome-ignore format: a table
    expect(settled().energy.map((line) => [line.imbalanceKwh, line.imbalanceAmount, line.spotAmount, line.marketFeeAmount])).toEqual([
      [0, 0, 0, 0], [0, 0, 0, 0], [-25, -750, 0, 0], [10, 90, -5100, -18], [0, 0, -4920, -18], [0, 0, 0, 0],
    ]);
  });

  test.each<[string, Partial<JpParameters>, number]>([
    ["activated energy as requested", { activated_kwh: "requested" }, 22_699.4],
    ["capacity paid where available", { dkw_paid_on: "available" }, 22_699.4],
    ["a penalty on the missing kW", { penalty_base_2: "missing_kw" }, 27_899.4],
    ["no cap on the capacity price", { dkw_cap_30min: { default: null } }, 23_824.4],
    ["wheeling on all that is charged", { wheeling_charging: "full" }, 21_443.4],
    ["a band of 20 %", { band_pct: 20 }, 29_099.4],
  ])("with %s", (_name, override, total) => {
    expect(itemsOf(settled(override)).total_cash).toBe(total);
  });

  test("has a payment of the capacity market by the month", () => {
    const line = settled({}, 500).invoice.find(({ item }) => item === "capacity");
    expect(line?.amount).toBeCloseTo(243_083.333, 3);
    expect(line?.amountRounded).toBe(243_083);
  });

  test("has ledgers that sum to the invoice", () => {
    const settlement = settled();
    const cash = settlement.awards.reduce((sum, line) => sum + netOf(line), 0);
    const energy = settlement.energy.reduce(
      (sum, line) => sum + line.spotAmount + line.marketFeeAmount + line.imbalanceAmount,
      0,
    );
    const items = itemsOf(settlement);
    expect(cash + energy + items.wheeling_energy).toBeCloseTo(items.total_cash, 9);
    const activated = settlement.awards.reduce((sum, line) => sum + line.activatedKwh, 0);
    expect(settlement.energy.reduce((sum, line) => sum + line.activatedKwh, 0)).toBe(activated);
  });
});
