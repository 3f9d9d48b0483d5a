import { describe, expect, test } from "vitest";
import type { AwardRow } from "../../../src/accounting/runRecord.ts";
import { CAUSES } from "../../../src/accounting/settlement/causes.ts";
import { awardSentence, causesBySize } from "../../../src/report/awardSentence.ts";
import { CAUSE_TEXT } from "../../../src/report/html/sections/causeText.ts";
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
  ["delivered", {}, "Asked for −1,500.0 kW for 3 h, delivered in full."],
  [
    "a third of it called",
    { requestedKwh: -1500, shortfallKwh: 150 },
    "Asked for −1,500.0 kW for 3 h, 1,500.0 kWh of it called, 150.0 kWh (10.0 %) short.",
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
    "Asked for −1,500.0 kW for 3 h, 412.3 kWh (9.2 %) short: mostly because bat-03 was out of service (301.0 kWh) and pv-01 had too little sun or wind (80.3 kWh).",
  ],
  [
    "one member explains all",
    { shortfallKwh: 45, topContributors: [{ site: "bat-01", cause: "energy_limit", kwh: 45 }] },
    "Asked for −1,500.0 kW for 3 h, 45.0 kWh (1.0 %) short because the battery of bat-01 was empty.",
  ],
  [
    "upwards a battery is full",
    {
      requestedKw: 1500,
      requestedKwh: 4500,
      shortfallKwh: 45,
      topContributors: [{ site: "bat-01", cause: "energy_limit", kwh: 45 }],
    },
    "Asked for 1,500.0 kW for 3 h, 45.0 kWh (1.0 %) short because the battery of bat-01 was full.",
  ],
  [
    "no member named",
    { shortfallKwh: 45, shortfallByCauseKwh: amountsByCause({ ramp: 15, weather: 30 }) },
    "Asked for −1,500.0 kW for 3 h, 45.0 kWh (1.0 %) short because plants had too little sun or wind (30.0 kWh) and sites were still ramping (15.0 kWh).",
  ],
  ["no reason known", { shortfallKwh: 45 }, "Asked for −1,500.0 kW for 3 h, 45.0 kWh (1.0 %) short."],
  ["below a printed digit", { shortfallKwh: 0.04 }, "Asked for −1,500.0 kW for 3 h, delivered in full."],
  [
    "nothing asked",
    { requestedKw: 0, requestedKwh: 0, endMs: awardRow({}).startMs + 90 * 60_000 },
    "Asked for 0.0 kW for 1 h 30 min, delivered in full.",
  ],
  [
    "refused",
    { state: "refused", errorType: "no_dispatchable_members", executedMinutes: 0 },
    "Asked for −1,500.0 kW for 3 h: refused, because no member in service could take part (no_dispatchable_members).",
  ],
  [
    "FCR held",
    { ...fcr, uncoveredKw: 0, fcr: fcrFigures(800) },
    "Asked to hold 800.0 kW of frequency response for 3 h, covered in full.",
  ],
  [
    "FCR lacking",
    { ...fcr, uncoveredKw: 80, fcr: uncoveredFcrCapacity },
    "Asked to hold 800.0 kW of frequency response for 3 h, 80.0 kW (10.0 %) not covered because sites were at their power limits (60.0 kW) and sites were out of service (20.0 kW).",
  ],
  [
    "a compound that lacks of its width alone",
    { sku: "compound", fcr: uncoveredFcrCapacity },
    "Asked for −1,500.0 kW and to hold 800.0 kW of frequency response for 3 h, delivered in full; of its width 80.0 kW (10.0 %) not covered because sites were at their power limits (60.0 kW) and sites were out of service (20.0 kW).",
  ],
  [
    "a compound that lacks of its energy alone",
    { sku: "compound", shortfallKwh: 45, fcr: fcrFigures(800) },
    "Asked for −1,500.0 kW and to hold 800.0 kW of frequency response for 3 h, 45.0 kWh (1.0 %) short; its width covered in full.",
  ],
  [
    "still running",
    { state: "running", executedMinutes: 45 },
    "Asked for −1,500.0 kW for 3 h, delivered in full; still running when the run ended, after 45 min.",
  ],
  [
    "overwritten on its way",
    { state: "overwritten", overwrittenBy: "A-9", executedMinutes: 60 },
    "Asked for −1,500.0 kW for 3 h, delivered in full; replaced by A-9 after 1 h.",
  ],
  [
    "overwritten before",
    { state: "overwritten", overwrittenBy: "A-9", executedMinutes: 0 },
    "Asked for −1,500.0 kW for 3 h: replaced by A-9 before it started.",
  ],
  [
    "instruction made void",
    { kind: "instruction", state: "overwritten", overwrittenBy: "A-9", executedMinutes: 0 },
    "Asked for −1,500.0 kW for 3 h: had no effect, because A-9 was in force.",
  ],
  [
    "deleted before",
    { state: "deleted", executedMinutes: 0 },
    "Asked for −1,500.0 kW for 3 h: deleted before it started.",
  ],
  [
    "deleted on its way",
    { state: "deleted", executedMinutes: 0.5 },
    "Asked for −1,500.0 kW for 3 h, delivered in full; deleted after 30 s.",
  ],
  [
    "not started",
    { state: "pending", executedMinutes: 0 },
    "Asked for −1,500.0 kW for 3 h: not started when the run ended.",
  ],
];

describe("an award in a sentence", () => {
  test.each(table)("%s", (_, changes, sentence) => {
    expect(awardSentence(awardRow(changes)).replaceAll("\u00a0", " ")).toBe(sentence);
  });

  test("every cause has its own words", () => {
    const words = CAUSES.map((cause) => CAUSE_TEXT[cause].reasonForSite("x", true));
    expect(new Set(words).size).toBe(CAUSES.length);
  });
});

test("causes come largest first, equal ones in column order, absent ones not at all", () => {
  const causes = causesBySize(amountsByCause({ weather: 5, ramp: 7, refused: 5 })).map(({ cause }) => cause);
  expect(causes).toEqual(["ramp", "refused", "weather"]);
});
