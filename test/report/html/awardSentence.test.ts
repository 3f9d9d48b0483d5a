import { describe, expect, test } from "vitest";
import type { AwardRow } from "../../../src/accounting/settlement/awardRows.ts";
import { CAUSES } from "../../../src/accounting/settlement/causes.ts";
import { awardSentence, causeOfSite, causesBySize } from "../../../src/report/awardSentence.ts";
import { textsIn } from "../../../src/report/html/page/pageLocale.ts";
import { amountsByCause, awardRow, fcrFigures } from "./reportFixtures.ts";

const fcr = {
  sku: "fcr",
  isFcr: true,
  requestedKw: 800,
  requestedKwh: null,
  deliveredKwh: null,
  shortfallKwh: null,
} as const;

const uncoveredFcrCapacity = fcrFigures(800, {
  uncoveredKw: 80,
  uncoveredByCauseKw: amountsByCause({ power_limit: 60, out_of_service: 20 }),
});

const table: readonly (readonly [string, Partial<AwardRow>, string])[] = [
  ["delivered", {}, "Requested −1,500.0 kW for 3 h; delivered in full."],
  [
    "a third of it activated",
    { requestedKwh: -1500, shortfallKwh: 150 },
    "Requested −1,500.0 kW for 3 h, 1,500.0 kWh of it activated; shortfall 150.0 kWh (10.0 %).",
  ],
  [
    "several members",
    {
      shortfallKwh: 412.3,
      topContributors: [
        { site: "bat-03", cause: "out_of_service", kwh: 301 },
        { site: "pv-01", cause: "weather", kwh: 80.3 },
      ],
    },
    "Requested −1,500.0 kW for 3 h; shortfall 412.3 kWh (9.2 %), mostly because bat-03 was out of service (301.0 kWh) and pv-01 had too little sun or wind (80.3 kWh).",
  ],
  [
    "one member explains the whole shortfall",
    { shortfallKwh: 45, topContributors: [{ site: "bat-01", cause: "energy_limit", kwh: 45 }] },
    "Requested −1,500.0 kW for 3 h; shortfall 45.0 kWh (1.0 %) because the battery of bat-01 was empty.",
  ],
  [
    "for more import a battery is full",
    {
      requestedKw: 1500,
      requestedKwh: 4500,
      shortfallKwh: 45,
      topContributors: [{ site: "bat-01", cause: "energy_limit", kwh: 45 }],
    },
    "Requested 1,500.0 kW for 3 h; shortfall 45.0 kWh (1.0 %) because the battery of bat-01 was full.",
  ],
  [
    "no member named",
    { shortfallKwh: 45, shortfallByCauseKwh: amountsByCause({ ramp: 15, weather: 30 }) },
    "Requested −1,500.0 kW for 3 h; shortfall 45.0 kWh (1.0 %) because plants had too little sun or wind (30.0 kWh) and sites were still ramping (15.0 kWh).",
  ],
  ["no cause in the record", { shortfallKwh: 45 }, "Requested −1,500.0 kW for 3 h; shortfall 45.0 kWh (1.0 %)."],
  ["below a printed digit", { shortfallKwh: 0.04 }, "Requested −1,500.0 kW for 3 h; delivered in full."],
  [
    "a request of 0 kW",
    { requestedKw: 0, requestedKwh: 0, endMs: awardRow({}).startMs + 90 * 60_000 },
    "Requested 0.0 kW for 1 h 30 min; delivered in full.",
  ],
  [
    "refused",
    { state: "refused", errorType: "no_dispatchable_members", executedMinutes: 0 },
    "Requested −1,500.0 kW for 3 h: refused because no dispatchable member was in service (no_dispatchable_members).",
  ],
  [
    "FCR covered",
    { ...fcr, uncoveredKw: 0, fcr: fcrFigures(800) },
    "Requested 800.0 kW of FCR capacity for 3 h; covered in full.",
  ],
  [
    "FCR uncovered in part",
    { ...fcr, uncoveredKw: 80, fcr: uncoveredFcrCapacity },
    "Requested 800.0 kW of FCR capacity for 3 h; 80.0 kW (10.0 %) uncovered because sites were at their power limits (60.0 kW) and sites were out of service (20.0 kW).",
  ],
  [
    "a compound with uncovered FCR capacity alone",
    { sku: "compound", fcr: uncoveredFcrCapacity },
    "Requested −1,500.0 kW and 800.0 kW of FCR capacity for 3 h; delivered in full; FCR capacity 80.0 kW (10.0 %) uncovered because sites were at their power limits (60.0 kW) and sites were out of service (20.0 kW).",
  ],
  [
    "a compound with a shortfall of energy alone",
    { sku: "compound", shortfallKwh: 45, fcr: fcrFigures(800) },
    "Requested −1,500.0 kW and 800.0 kW of FCR capacity for 3 h; shortfall 45.0 kWh (1.0 %); FCR capacity covered in full.",
  ],
  [
    "still running",
    { state: "running", executedMinutes: 45 },
    "Requested −1,500.0 kW for 3 h; delivered in full; still running at the end of the run, after 45 min.",
  ],
  [
    "overwritten while running",
    { state: "overwritten", overwrittenBy: "A-9", executedMinutes: 60 },
    "Requested −1,500.0 kW for 3 h; delivered in full; replaced by A-9 after 1 h.",
  ],
  [
    "overwritten before its start",
    { state: "overwritten", overwrittenBy: "A-9", executedMinutes: 0 },
    "Requested −1,500.0 kW for 3 h: replaced by A-9 before it started.",
  ],
  [
    "an instruction without effect",
    { kind: "instruction", state: "overwritten", overwrittenBy: "A-9", executedMinutes: 0 },
    "Requested −1,500.0 kW for 3 h: no effect because A-9 was active.",
  ],
  [
    "deleted before its start",
    { state: "deleted", executedMinutes: 0 },
    "Requested −1,500.0 kW for 3 h: deleted before it started.",
  ],
  [
    "deleted while running",
    { state: "deleted", executedMinutes: 0.5 },
    "Requested −1,500.0 kW for 3 h; delivered in full; deleted after 30 s.",
  ],
  [
    "not started",
    { state: "pending", executedMinutes: 0 },
    "Requested −1,500.0 kW for 3 h: not started by the end of the run.",
  ],
];

describe("the outcome of an award as a sentence", () => {
  test.each(table)("%s", (_, changes, sentence) => {
    expect(awardSentence(awardRow(changes), textsIn("en")).replaceAll("\u00a0", " ")).toBe(sentence);
  });

  test("every cause has a text of its own", () => {
    const texts = CAUSES.map((cause) => causeOfSite(cause, "x", "full", textsIn("en").t));
    expect(new Set(texts).size).toBe(CAUSES.length);
  });
});

test("causes are sorted by amount, equal ones in column order, without amounts of 0", () => {
  const causes = causesBySize(amountsByCause({ weather: 5, ramp: 7, refused: 5 })).map(({ cause }) => cause);
  expect(causes).toEqual(["ramp", "refused", "weather"]);
});
