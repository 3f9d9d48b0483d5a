import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { SegmentSum } from "../../src/accounting/settlement/segmentSum.ts";
import { emptyGroupSlot } from "../../src/market/awardSlot.ts";
import { EuMarket } from "../../src/market/eu/euMarket.ts";
import type { EuParameters } from "../../src/market/eu/euParameters.ts";
import { valuesOf } from "../../src/market/marketParameters.ts";
import { AwardAssessor, noRequest } from "../../src/market/slotAssessor.ts";

const START_MS = Date.parse("2026-06-01T00:00:00Z");

/** 4 MW of upward reserve at 20 EUR per MW and hour, requested in full; 3.8 MW delivered, 3 MW available. */
function settledQuarter(override: Partial<EuParameters> = {}, meteredKwh = -1900) {
  const values = valuesOf(parse(readFileSync("data/markets/eu/plain.yaml", "utf8")), { ...override });
  const market = new EuMarket(values as EuParameters);
  const award = { vpp: "v", awardId: "A-1", sku: "frr", direction: -1, awardedKw: 4000 } as const;
  const assessor = new AwardAssessor(award, market.samplingOf("frr"), market.slotMs, noRequest());
  const deviation = new SegmentSum();
  deviation.kw = 4000 - 3800;
  const toMs = START_MS + market.slotMs;
  assessor.addPiece({ fromMs: START_MS, toMs, requestedKw: 4000, deviation });
  assessor.measureAvailable(START_MS, 3000);
  const prices = { capacityPerKwSlot: 20 / 1000 / 4, upPerKwh: 0.12, downPerKwh: 0.03 };
  const group = {
    ...emptyGroupSlot(START_MS, market.slotMs, "v"),
    spotKwh: -1000,
    intradayKwh: 100,
    meteredKwh,
  };
  const groupPrices = {
    spotPerKwh: 0.08,
    intradayPerKwh: 0.1,
    imbalanceSurplusPerKwh: 0.06,
    imbalanceShortagePerKwh: 0.2,
  };
  const { awards, energy, invoice } = market.settle({
    awardSlots: assessor.slots().map((slot) => ({ slot, prices })),
    groupSlots: [{ slot: group, prices: { ...groupPrices, retailPerKwh: null, premiumReferencePerKwh: null } }],
    connection: { wheelingKw: 0, wheelingBasicKw: 0, receivingKw: 0, capacityKw: 0, retailKw: 0 },
    capacityCalls: [],
    monthOf: () => "2026-06",
  });
  const amounts = Object.fromEntries(invoice.map(({ item, amount }) => [item, Number(amount.toFixed(6))]));
  return { award: awards[0], energy: energy[0], amounts };
}

test("a quarter hour in Europe, worked by hand", () => {
  const { award, energy, amounts } = settledQuarter();
  // 3.8 MW over a quarter are 950 kWh, within 10 % of 4 MW after the 5 minutes of grace.
  expect([award.activatedKwh, award.assessment1, award.assessment2, award.missingKw]).toEqual([
    -950,
    "fail",
    "ok",
    1000,
  ]);
  // Sold 1,000 kWh day-ahead, bought back 100, activated 950, and fed in 1,900: 50 kWh more than sold.
  expect(energy.imbalanceKwh).toBe(50);
  expect(amounts).toMatchObject({
    capacity: 20,
    non_availability: -5,
    activated: 114,
    day_ahead: 80,
    intraday: -10,
    exchange_fee: -0.11,
    imbalance: 3,
    total_cash: 201.89,
  });
});

test("a shortage in Europe is charged at its own price", () => {
  // Fed in 1,700 kWh, 150 less than sold and activated.
  const { energy, amounts } = settledQuarter({}, -1700);
  expect(energy).toMatchObject({ imbalanceKwh: -150, imbalancePricePerKwh: 0.2 });
  expect(amounts.imbalance).toBe(-30);
});

test.each<[string, Partial<EuParameters>, string, object]>([
  ["requested energy at the price of activation", { activated_energy: "requested" }, "ok", { activated: 120 }],
  [
    "twice the capacity price for what was not available",
    { non_availability_factor: 2 },
    "ok",
    { non_availability: -10 },
  ],
  ["a narrower band, which fails and pays the same", { band_pct: 4 }, "fail", { activated: 114, non_availability: -5 }],
])("a parameter of Europe: %s", (_, override, assessment2, amounts) => {
  const settled = settledQuarter(override);
  expect(settled.award.assessment2).toBe(assessment2);
  expect(settled.amounts).toMatchObject(amounts);
});
