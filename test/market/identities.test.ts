import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { SegmentSum } from "../../src/accounting/settlement/segmentSum.ts";
import { type AwardSlot, emptyGroupSlot, type GroupSlot } from "../../src/market/awardSlot.ts";
import { EuMarket } from "../../src/market/eu/euMarket.ts";
import type { EuParameters } from "../../src/market/eu/euParameters.ts";
import { JpMarket } from "../../src/market/jp/jpMarket.ts";
import type { JpParameters } from "../../src/market/jp/jpParameters.ts";
import { addMonths } from "../../src/market/jp/strikes.ts";
import { valuesOf } from "../../src/market/marketParameters.ts";
import { type Market, netOf, type Settlement } from "../../src/market/settlement.ts";
import { cashOf } from "../../src/market/settlementSummary.ts";
import { AwardAssessor, noRequest, type RequestInForce } from "../../src/market/slotAssessor.ts";

const shipped = (file: string, override: object) =>
  valuesOf(parse(readFileSync(`data/markets/${file}.yaml`, "utf8")), { ...override });
const jp = (override: Partial<JpParameters> = {}): Market =>
  new JpMarket(shipped("jp/fy2026", override) as JpParameters);
const eu = (override: Partial<EuParameters> = {}): Market =>
  new EuMarket(shipped("eu/plain", override) as EuParameters);

const kw = fc.double({ min: 0, max: 2000, noNaN: true });
const kwh = fc.double({ min: -1000, max: 1000, noNaN: true });
const price = fc.double({ min: -5, max: 200, noNaN: true });

const drawn = fc.array(
  fc.record({
    hasAward: fc.boolean(),
    isExport: fc.boolean(),
    awardedKw: kw,
    requestedKw: kw,
    deliveredKw: fc.double({ min: -500, max: 2500, noNaN: true }),
    availableKw: kw,
    spotKwh: kwh,
    intradayKwh: kwh,
    meteredKwh: kwh,
    prices: fc.tuple(price, price, price, price, price, price),
  }),
  { minLength: 1, maxLength: 40 },
);

type Drawn = typeof drawn extends fc.Arbitrary<readonly (infer Row)[]> ? Row : never;

function settled(market: Market, rows: readonly Drawn[]): Settlement {
  const startMs = Date.parse("2026-05-31T00:00:00Z");
  const awardSlots = rows.flatMap((row, k) => {
    if (!row.hasAward) return [];
    const award = {
      vpp: "v",
      awardId: `A-${k}`,
      sku: "frr",
      direction: row.isExport ? -1 : 1,
      awardedKw: row.awardedKw,
    } as const;
    const assessor = new AwardAssessor(award, market.samplingOf("frr"), market.slotMs, noRequest());
    const deviation = new SegmentSum();
    deviation.kw = row.requestedKw - row.deliveredKw;
    const fromMs = startMs + k * market.slotMs;
    assessor.addPiece({ fromMs, toMs: fromMs + market.slotMs, requestedKw: row.requestedKw, deviation });
    assessor.measureAvailable(fromMs, row.availableKw);
    const [capacity, up, down] = row.prices;
    return assessor.slots().map((slot: AwardSlot) => ({
      slot,
      prices: { capacityPerKwSlot: Math.abs(capacity), upPerKwh: up, downPerKwh: down },
    }));
  });
  const groupSlots = rows.map((row, k) => {
    const [, , , spot, intraday, imbalance] = row.prices;
    const slot: GroupSlot = {
      ...emptyGroupSlot(startMs + k * market.slotMs, market.slotMs, "v"),
      spotKwh: row.spotKwh,
      intradayKwh: row.intradayKwh,
      meteredKwh: row.meteredKwh,
      storageChargedKwh: Math.max(0, row.meteredKwh),
      storageDischargedKwh: Math.max(0, -row.meteredKwh),
      batteryDischargedKwh: Math.max(0, -row.meteredKwh),
    };
    const prices = {
      spotPerKwh: spot,
      intradayPerKwh: intraday,
      imbalanceSurplusPerKwh: imbalance,
      imbalanceShortagePerKwh: imbalance,
    };
    return { slot, prices: { ...prices, retailPerKwh: null, premiumReferencePerKwh: null } };
  });
  return market.settle({
    awardSlots,
    groupSlots,
    connection: { wheelingKw: 100, wheelingBasicKw: 50, receivingKw: 300, capacityKw: 10, retailKw: 0 },
    capacityCalls: [],
    monthOf: (atMs) => new Date(atMs + 9 * 3_600_000).toISOString().slice(0, 7),
  });
}

describe.each<[string, Market, readonly string[]]>([
  ["Japan", jp(), ["wheeling_basic", "wheeling_energy", "generator_basic", "generator_energy", "capacity"]],
  ["Europe", eu(), []],
])("a settlement in %s", (_name, market, monthlyItems) => {
  test("has ledgers that sum to the invoice, and energy that closes", () => {
    fc.assert(
      fc.property(drawn, (rows) => {
        const { awards, energy, invoice } = settled(market, rows);
        const ledger = [...awards.map(netOf), ...energy.map(cashOf)].reduce((sum, value) => sum + value, 0);
        const monthly = invoice
          .filter(({ item }) => monthlyItems.includes(item))
          .reduce((sum, { amount }) => sum + amount, 0);
        const total = invoice
          .filter(({ counterparty }) => counterparty === "total")
          .reduce((sum, { amount }) => sum + amount, 0);
        expect(Math.abs(ledger + monthly - total)).toBeLessThan(1e-6 * Math.max(1, Math.abs(total)));
        const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
        expect(sum(energy.map((line) => line.activatedKwh))).toBeCloseTo(
          sum(awards.map((line) => line.activatedKwh)),
          6,
        );
        for (const line of energy)
          expect(line.imbalanceKwh).toBeCloseTo(line.planKwh + line.activatedKwh - line.meteredKwh, 8);
        for (const line of awards) expect(Math.min(line.penalty1Amount, line.penalty2Amount)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 100 },
    );
  });
});

test("a missing price is an error where energy needs it, and is filled where the parameters say so", () => {
  const settle = (market: Market, spotKwh: number) =>
    market.settle({
      awardSlots: [],
      groupSlots: [0, 1].map((k) => ({
        slot: { ...EMPTY, slotStartMs: k * 86_400_000, spotKwh, meteredKwh: spotKwh },
        prices: { ...NO_PRICES, spotPerKwh: k === 0 ? 7 : null },
      })),
      connection: { wheelingKw: 0, wheelingBasicKw: 0, receivingKw: 0, capacityKw: 0, retailKw: 0 },
      capacityCalls: [],
      monthOf: () => "1970-01",
    });
  expect(() => settle(jp(), 10)).toThrow("no spot price at 1970-01-02T00:00:00.000Z");
  expect(settle(jp(), 0).energy).toHaveLength(2);
  expect(settle(jp({ price_gap: "zero" }), 10).energy[1].spotAmount).toBe(0);
  expect(() => settle(eu(), 10)).toThrow("no day-ahead price");
});

const EMPTY: GroupSlot = emptyGroupSlot(0, 1_800_000, "v");
const NO_PRICES = {
  spotPerKwh: null,
  intradayPerKwh: null,
  imbalanceSurplusPerKwh: null,
  imbalanceShortagePerKwh: null,
  retailPerKwh: null,
  premiumReferencePerKwh: null,
};

test("a product with too many failed slots is settled as refused in the following month", () => {
  const market = jp({ strike_limit: 1, suspend_months: 1 });
  const slotAt = (at: string): AwardSlot => ({
    slotStartMs: Date.parse(at),
    vpp: "v",
    awardId: at,
    sku: "frr",
    direction: -1,
    awardedKw: 100,
    coveredShare: 1,
    availableKw: 0,
    samples: 0,
    samplesBad: 0,
    worstSample: null,
    missingKw: 0,
    sampledRequestedKw: 0,
    sampledDeliveredKw: 0,
    requestedKwh: 0,
    deliveredKwh: 0,
    creditedKwh: 0,
  });
  const days = ["2026-05-02", "2026-05-03", "2026-06-02", "2026-07-02"];
  const { awards } = market.settle({
    awardSlots: days.map((day) => ({
      slot: slotAt(`${day}T00:00:00Z`),
      prices: { capacityPerKwSlot: 2, upPerKwh: 0, downPerKwh: 0 },
    })),
    groupSlots: [],
    connection: { wheelingKw: 0, wheelingBasicKw: 0, receivingKw: 0, capacityKw: 0, retailKw: 0 },
    capacityCalls: [],
    monthOf: (atMs) => new Date(atMs).toISOString().slice(0, 7),
  });
  expect(awards.map(({ capacityAmount, penalty1Amount }) => [capacityAmount, penalty1Amount])).toEqual([
    [200, -300],
    [200, -300],
    [0, 0],
    [200, -300],
  ]);
  expect(addMonths("2026-12", 1)).toBe("2027-01");
  expect(addMonths("2026-01", -1)).toBe("2025-12");
});

test("a half-covered slot counts half in every line of kW", () => {
  const market = jp();
  const award = { vpp: "v", awardId: "A", sku: "rr", direction: -1, awardedKw: 1000 } as const;
  const assessor = new AwardAssessor(award, market.samplingOf("rr"), market.slotMs, noRequest());
  assessor.cover(0, 900_000);
  assessor.measureAvailable(0, 900);
  const [slot] = assessor.slots();
  const { awards } = market.settle({
    awardSlots: [{ slot, prices: { capacityPerKwSlot: 4, upPerKwh: 0, downPerKwh: 0 } }],
    groupSlots: [],
    connection: { wheelingKw: 0, wheelingBasicKw: 0, receivingKw: 0, capacityKw: 0, retailKw: 0 },
    capacityCalls: [],
    monthOf: () => "1970-01",
  });
  expect(awards[0]).toMatchObject({ capacityAmount: 2000, feeAmount: -15, penalty1Amount: -300, penalty2Amount: 0 });
});

test("an award that continues a request starts no new grace period; a change of the request does", () => {
  const rule = { sampleMs: 60_000, graceMs: 300_000, bandKw: () => 1 };
  const award = { vpp: "v", awardId: "A", sku: "frr", direction: -1, awardedKw: 100 } as const;
  const samplesOf = (before: RequestInForce): number => {
    const assessor = new AwardAssessor(award, rule, 1_800_000, before);
    const deviation = new SegmentSum();
    assessor.addPiece({ fromMs: 0, toMs: 1_800_000, requestedKw: 100, deviation });
    return assessor.slots()[0].samples;
  };
  expect(samplesOf(noRequest())).toBe(25);
  expect(samplesOf({ kw: -100, untilMs: 0, settledFromMs: -1000 })).toBe(30);
  expect(samplesOf({ kw: -100, untilMs: 0, settledFromMs: 120_000 })).toBe(28);
  expect(samplesOf({ kw: -90, untilMs: 0, settledFromMs: -1000 })).toBe(25);
  // Interrupted, or in the other direction.
  expect(samplesOf({ kw: -100, untilMs: -60_000, settledFromMs: -120_000 })).toBe(25);
  expect(samplesOf({ kw: 100, untilMs: 0, settledFromMs: -1000 })).toBe(25);
});

test("an award that continues after another has interrupted it has the grace period of the change", () => {
  const rule = { sampleMs: 60_000, graceMs: 300_000, bandKw: () => 1 };
  const request = noRequest();
  const [first, second] = ["A", "B"].map((awardId) => {
    const award = { vpp: "v", awardId, sku: "frr", direction: -1, awardedKw: 100 } as const;
    return new AwardAssessor(award, rule, 600_000, request);
  });
  const deviation = new SegmentSum();
  first.addPiece({ fromMs: 0, toMs: 600_000, requestedKw: 100, deviation });
  second.addPiece({ fromMs: 600_000, toMs: 1_200_000, requestedKw: 100, deviation });
  second.addPiece({ fromMs: 1_200_000, toMs: 1_800_000, requestedKw: 70, deviation });
  first.addPiece({ fromMs: 1_800_000, toMs: 2_400_000, requestedKw: 100, deviation });
  expect(first.slots().map(({ samples }) => samples)).toEqual([5, 5]);
  expect(second.slots().map(({ samples }) => samples)).toEqual([10, 5]);
});
