import { describe, test } from "vitest";
import { at, consumer, evenSeries, flat, losslessBattery, site } from "../simulation/smallWorld.ts";
import { checkWorldCase, type WorldCase } from "../simulation/worldCases.ts";

/** A factory of 500 kW whose slots are its own load. */
const factorySite = (given: Parameters<typeof consumer>[1] = {}, loadKw = 500) =>
  site("a", consumer(flat(loadKw), given), { baseline: { method: "perfect" } });
const MINUTE = 60_000;
const SHARED_LOAD = flat(500);

const CASES: readonly WorldCase[] = [
  {
    title: "a reduction sheds from the load and ends at once",
    sites: [factorySite()],
    awards: ["00:00-01:00 -200"],
    powerKw: { a: ["00:00 300", "01:00 500"] },
    expectedAwards: { A1: { deliveredKwh: -200, shortfallKwh: 0 } },
    expectedSites: { a: { importKwh: 800, exportKwh: 0, drDeliveredKwh: 200 } },
  },
  {
    title: "after the delay the shed ramps up; at the end it ramps back without delay",
    sites: [factorySite({ responseDelayMs: MINUTE, rampKwPerS: 2 })],
    awards: ["00:00-01:00 -200"],
    powerKw: { a: ["00:00 500", "00:02 380", "00:03 300", "01:01 420", "01:02 500"] },
    // 200 kW × 60 s and a triangle of 200 kW × 100 s.
    expectedAwards: { A1: { shortfallKwh: 6.111, shortfallByCauseKwh: { ramp: 6.111 }, deliveredKwh: -193.889 } },
    expectedSites: { a: { importKwh: 1000 - 193.889 - 2.778, drDeliveredKwh: 193.889 } },
  },
  {
    title: "the rebound returns its share of the shed energy at constant power",
    sites: [factorySite({ reboundFraction: 0.5, reboundMs: 60 * MINUTE })],
    awards: ["00:00-00:30 -200"],
    powerKw: { a: ["00:00 300", "00:30 550", "01:30 500"] },
    expectedSites: { a: { importKwh: 150 + 550 + 250, drDeliveredKwh: 100 } },
  },
  {
    title: "the rebound is capped at the maximum demand and the rest is lost",
    sites: [factorySite({ reboundFraction: 0.5, reboundMs: 60 * MINUTE, maxDemandKw: 520 })],
    awards: ["00:00-00:30 -200"],
    powerKw: { a: ["00:00 300", "00:30 520", "01:30 500"] },
    expectedSites: { a: { importKwh: 150 + 520 + 250 } },
  },
  {
    title: "the rebound continues during a new reduction",
    sites: [factorySite({ reboundFraction: 0.5, reboundMs: 60 * MINUTE })],
    awards: ["00:00-00:30 -200 frr", "00:45-01:00 -100 frr"],
    // 100 kWh shed give 50 kW; another 25 kWh shed give 12.5 kW from 01:00 to the end.
    powerKw: { a: ["00:00 300", "00:30 550", "00:45 450", "01:00 562.5", "01:30 512.5"] },
  },
  {
    title: "contiguous awards of one product are one reduction with one rebound",
    sites: [factorySite({ reboundFraction: 0.5, reboundMs: 60 * MINUTE, minDrCooldownMs: 10 * MINUTE })],
    awards: ["00:00-00:30 -200 frr", "00:30-01:00 -100 frr"],
    dispatches: { A2: ["00:30 a -100"] },
    powerKw: { a: ["00:00 300", "00:30 400", "01:00 575"] },
  },
  {
    title: "a change of the amount over the boundary waits the delay",
    sites: [factorySite({ responseDelayMs: 2 * MINUTE })],
    awards: ["00:00-00:30 -200 frr", "00:30-01:00 -100 frr"],
    powerKw: { a: ["00:00 500", "00:02 300", "00:32 400", "01:00 500"] },
    expectedAwards: { A2: { excessKwh: 3.333, shortfallKwh: 0 } },
  },
  {
    title: "another product is another reduction: the first one's end drops the shed until the delay is over",
    sites: [factorySite({ responseDelayMs: 2 * MINUTE })],
    awards: ["00:00-00:30 -200 frr", "00:30-01:00 -100 rr"],
    powerKw: { a: ["00:00 500", "00:02 300", "00:30 500", "00:32 400", "01:00 500"] },
  },
  {
    title: "the end drops what waits: an award as short as the delay sheds nothing",
    sites: [factorySite({ responseDelayMs: 2 * MINUTE })],
    awards: ["00:00-00:02 -200"],
    powerKw: { a: ["00:00 500"] },
    expectedAwards: { A1: { shortfallKwh: 6.667, shortfallByCauseKwh: { ramp: 6.667 } } },
  },
  {
    title: "too little load is a deviation of the load",
    sites: [factorySite({}, 100)],
    awards: ["00:00-01:00 -300"],
    dispatches: { A1: ["00:00 a -300"] },
    powerKw: { a: ["00:00 0", "01:00 100"] },
    expectedAwards: {
      A1: { uncoveredKw: 0, deliveredKwh: -100, shortfallKwh: 200, shortfallByCauseKwh: { load_deviation: 200 } },
    },
  },
  {
    // 160 kW at 2 kW/s take 80 s: 2.667 kWh are missing on the way, and then 40 kW for 3520 s.
    title: "a delivery ratio scales what is shed; the ramp is that of the meter",
    sites: [factorySite({ deliveryRatio: 0.8, rampKwPerS: 2 })],
    awards: ["00:00-01:00 -200"],
    powerKw: { a: ["00:00 500", "00:01 380", "00:02 340", "01:01 460", "01:02 500"] },
    expectedAwards: {
      A1: {
        deliveredKwh: -158.222,
        shortfallKwh: 41.778,
        shortfallByCauseKwh: { ramp: 2.667, load_deviation: 39.111 },
      },
    },
  },
  {
    // 1.5 · 200 kW exceed max_dr_reduction_kw; half of 150 kWh comes back.
    title: "a delivery ratio above 1 delivers more, and its rebound is of what was shed",
    sites: [factorySite({ deliveryRatio: 1.5, maxDrReductionKw: 200, reboundFraction: 0.5, reboundMs: 60 * MINUTE })],
    awards: ["00:00-00:30 -200"],
    powerKw: { a: ["00:00 200", "00:30 575", "01:30 500"] },
    expectedAwards: { A1: { deliveredKwh: -150, shortfallKwh: 0, excessKwh: 50 } },
  },
  {
    title: "loads of one series with different delivery ratios differ",
    sites: [
      site("a", consumer(SHARED_LOAD), { baseline: { method: "constant", kw: 500 } }),
      site("b", consumer(SHARED_LOAD, { deliveryRatio: 0.5 }), { baseline: { method: "constant", kw: 500 } }),
      site("c", consumer(SHARED_LOAD, { deliveryRatio: 0 }), { baseline: { method: "constant", kw: 500 } }),
    ],
    awards: ["00:00-01:00 -300"],
    powerKw: {
      a: ["00:00 400", "01:00 500"],
      b: ["00:00 450", "01:00 500"],
      c: ["00:00 500"],
    },
    expectedAwards: { A1: { deliveredKwh: -150, shortfallByCauseKwh: { load_deviation: 150 } } },
  },
  {
    // The slot asks 200 kW of the load of 600 kW, of which half is shed.
    title: "with track the ratio is of what the goal would shed",
    sites: [
      site("a", consumer(flat(600), { control: "track", deliveryRatio: 0.5 }), {
        baseline: { method: "constant", kw: 500 },
      }),
    ],
    awards: ["00:00-01:00 -100"],
    powerKw: { a: ["00:00 500", "01:00 600"] },
    expectedAwards: { A1: { deliveredKwh: 0, shortfallKwh: 100, shortfallByCauseKwh: { load_deviation: 100 } } },
  },
  {
    title: "drop_by sheds from the actual load, whatever the slots say",
    sites: [site("a", consumer(flat(600)), { baseline: { method: "constant", kw: 500 } })],
    awards: ["00:00-01:00 -100"],
    powerKw: { a: ["00:00 500", "01:00 600"] },
    expectedAwards: { A1: { deliveredKwh: 0, shortfallKwh: 100, shortfallByCauseKwh: { load_deviation: 100 } } },
  },
  {
    title: "track sheds what brings the power to slot plus delta",
    sites: [site("a", consumer(flat(600), { control: "track" }), { baseline: { method: "constant", kw: 500 } })],
    awards: ["00:00-01:00 -100"],
    powerKw: { a: ["00:00 400", "01:00 600"] },
    expectedAwards: { A1: { deliveredKwh: -100, shortfallKwh: 0 } },
  },
  {
    title: "track sheds nothing where the load is low already, and never more than it may",
    sites: [
      site(
        "a",
        consumer(evenSeries("load", 30, [300, 900, 600, 600, 600]), { control: "track", maxDrReductionKw: 250 }),
        {
          baseline: { method: "constant", kw: 500 },
        },
      ),
    ],
    awards: ["00:00-01:30 -100"],
    // Wanted: 300 − 400 < 0, 900 − 400 = 500 > 250, 600 − 400 = 200.
    powerKw: { a: ["00:00 300", "00:30 650", "01:00 400", "01:30 600"] },
    expectedAwards: {
      A1: { deliveredKwh: round(-(200 * 0.5 - 150 * 0.5 + 100 * 0.5)), shortfallKwh: 125, excessKwh: 50 },
    },
  },
  {
    title: "a linear load meets its reduction inside: the power stops at 0",
    sites: [
      site("a", consumer(evenSeries("load", 60, [400, 0, 0, 0], "linear")), {
        baseline: { method: "constant", kw: 400 },
      }),
    ],
    awards: ["00:00-01:00 -200"],
    // max(0, 400 − 400 t − 200): a triangle of 200 kW × 30 min.
    expectedSites: { a: { importKwh: 50 } },
  },
  {
    title: "cooldown: too early is refused, equal is accepted",
    sites: [factorySite({ minDrCooldownMs: 30 * MINUTE })],
    awards: ["00:00-00:15 -100 frr", "00:30-00:45 -100 frr", "00:45-01:00 -100 frr", "01:30-01:45 -100 frr"],
    dispatches: {
      A1: ["00:00 a -100"],
      A2: ["00:30 a skipped_incompatible dr_cooldown_active"],
      A3: ["00:45 a -100"],
      A4: ["01:30 a -100"],
    },
    expectedAwards: {
      A2: { uncoveredKw: -100, deliveredKwh: 0, shortfallKwh: 25, shortfallByCauseKwh: { refused: 25 } },
    },
  },
  {
    title: "another product right after counts as a new reduction: its cooldown is 0 minutes old",
    sites: [factorySite({ minDrCooldownMs: 10 * MINUTE })],
    awards: ["00:00-00:30 -100 frr", "00:30-01:00 -100 rr"],
    dispatches: { A2: ["00:30 a skipped_incompatible dr_cooldown_active"] },
    powerKw: { a: ["00:00 400", "00:30 500"] },
  },
  {
    title: "a noticed outage ends the reduction at the outage's start: the cooldown counts from there",
    sites: [factorySite({ minDrCooldownMs: 10 * MINUTE })],
    awards: ["00:00-01:00 -100"],
    events: ["outage 0 00:05:30-00:12"],
    dispatches: {
      A1: ["00:00 a -100", "00:06 a skipped_out_of_service", "00:12 a skipped_incompatible dr_cooldown_active"],
    },
    powerKw: { a: ["00:00 400", "00:06 null", "00:12 500"] },
    expectedAwards: {
      A1: {
        shortfallKwh: round(100 * (54.5 / 60)),
        shortfallByCauseKwh: { out_of_service: round((100 * 6.5) / 60), refused: 80 },
      },
    },
  },
  {
    title: "after the cooldown a member back from an outage is dispatched again",
    sites: [factorySite({ minDrCooldownMs: 10 * MINUTE })],
    awards: ["00:00-01:00 -100"],
    events: ["outage 0 00:05:30-00:15:30"],
    dispatches: { A1: ["00:00 a -100", "00:06 a skipped_out_of_service", "00:16 a -100"] },
  },
  {
    title: "an outage between two evaluations does not end the reduction",
    sites: [factorySite({ minDrCooldownMs: 10 * MINUTE })],
    awards: ["00:00-01:00 -100"],
    events: ["outage 0 00:05:10-00:05:50"],
    dispatches: { A1: ["00:00 a -100"] },
    expectedSites: { a: { drDeliveredKwh: round(100 - (100 * 40) / 3600) } },
  },
  {
    title:
      "the shed runs on by the clock through an outage that is not noticed: 70 kW when it goes, 100 kW when it is back",
    sites: [factorySite({ rampKwPerS: 1 })],
    awards: ["00:00-01:00 -200"],
    events: ["outage 0 00:01:10-00:01:40"],
    dispatches: { A1: ["00:00 a -200"] },
    powerKw: {
      a: [
        "00:00 500",
        "00:01 440",
        "00:02 380",
        "00:03 320",
        "00:04 300",
        "01:01 360",
        "01:02 420",
        "01:03 480",
        "01:04 500",
      ],
    },
    // Ramps: a triangle of 200 kW × 200 s on the way up, in which 85 kW × 30 s are lost.
    expectedSites: { a: { drDeliveredKwh: round(200 - (200 * 100 + 85 * 30) / 3600) } },
  },
  {
    title: "a notice releases the shed at its evaluation: it ramps back by the clock, and up again from there",
    sites: [factorySite({ rampKwPerS: 1 })],
    awards: ["00:00-01:00 -200"],
    events: ["outage 0 00:01:30-00:02:30"],
    dispatches: { A1: ["00:00 a -200", "00:02 a skipped_out_of_service", "00:03 a -200"] },
    // 120 kW at 00:02, 90 kW when it is back, 60 kW at 00:03 when it is dispatched again.
    powerKw: {
      a: [
        ...["00:00 500", "00:01 440", "00:02 null", "00:03 440", "00:04 380", "00:05 320", "00:06 300"],
        ...["01:01 360", "01:02 420", "01:03 480", "01:04 500"],
      ],
    },
  },
  {
    title: "the delay of a reduction runs on through an outage",
    sites: [factorySite({ responseDelayMs: 2 * MINUTE })],
    awards: ["00:00-01:00 -200"],
    events: ["outage 0 00:01:10-00:01:50"],
    powerKw: { a: ["00:00 500", "00:02 300", "01:00 500"] },
  },
  {
    title:
      "an outage that no evaluation noticed before the award's end ends nothing: the reduction ends with the award",
    sites: [factorySite({ rampKwPerS: 1, minDrCooldownMs: 10 * MINUTE })],
    awards: ["00:00-00:30 -200 frr", "00:39:30-00:50 -100 frr", "00:40-00:50 -100 rr"],
    events: ["outage 0 00:29:10-00:30:40"],
    dispatches: {
      A1: ["00:00 a -200"],
      A2: ["00:39:30 a skipped_incompatible dr_cooldown_active"],
      A3: ["00:40 a -100"],
    },
    // 200 kW at 00:30, 140 kW a minute later.
    powerKw: {
      a: [
        ...["00:00 500", "00:01 440", "00:02 380", "00:03 320", "00:04 300", "00:30 null", "00:31 360", "00:32 420"],
        ...["00:33 480", "00:34 500", "00:41 440", "00:42 400", "00:51 460", "00:52 500"],
      ],
    },
  },
  {
    title: "a direct request of the owner is cut to the largest reduction too",
    sites: [factorySite({ maxDrReductionKw: 100 })],
    world: {
      events: [
        {
          ...{ kind: "direct_schedule", site: 0, settled: false, atMs: at("00:00") },
          ...{ startMs: at("00:10"), endMs: at("00:40"), deltaKw: -300 },
        } as const,
      ],
    },
    powerKw: { a: ["00:00 500", "00:10 400", "00:40 500"] },
  },
  {
    title: "the rebound after a noticed outage starts at the outage and loses what falls into it",
    sites: [factorySite({ reboundFraction: 1, reboundMs: 60 * MINUTE })],
    awards: ["00:00-00:20 -120"],
    events: ["outage 0 00:10-00:40"],
    // 20 kWh shed come back as 20 kW from 00:10 to 01:10, of which half an hour is dark.
    powerKw: { a: ["00:00 380", "00:10 null", "00:40 520", "01:10 500"] },
  },
  {
    title: "a share of 0.0 is no reduction and starts no cooldown",
    sites: [factorySite({ minDrCooldownMs: 60 * MINUTE, minDrReductionKw: 50 })],
    awards: ["00:00-00:30 0 frr", "00:40-01:00 -100 frr"],
    dispatches: { A1: ["00:00 a 0"], A2: ["00:40 a -100"] },
  },
  {
    title: "the range of an immediate counts the present capability of consumers",
    sites: [factorySite({ maxDrReductionKw: 150 })],
    instructions: ["00:10 -150 10min", "00:30 -150.1 10min"],
    expectedAwards: { I1: { state: "completed" }, I2: { state: "refused", errorType: "invalid_parameter" } },
  },
  {
    title: "strict_availability_check restores the literal rule: consumers alone are never dispatchable",
    sites: [factorySite()],
    options: { strictAvailabilityCheck: true },
    instructions: ["00:10 -1 10min"],
    expectedAwards: { I1: { state: "refused", errorType: "invalid_parameter" } },
  },
  {
    title: "in cooldown a consumer can give nothing now",
    sites: [factorySite({ minDrCooldownMs: 60 * MINUTE })],
    awards: ["00:00-00:10 -100"],
    instructions: ["00:30 -100 10min", "01:10 -100 10min"],
    expectedAwards: {
      I1: { state: "refused", errorType: "invalid_parameter" },
      I2: { state: "completed", uncoveredKw: 0 },
    },
  },
  {
    title: "beside a battery: the shortfall of the load has its own cause",
    sites: [factorySite({}, 50), site("b", losslessBattery())],
    awards: ["00:00-01:00 -200"],
    expectedAwards: { A1: { shortfallKwh: 50, shortfallByCauseKwh: { load_deviation: 50 } } },
  },
];

describe("demand response", () => {
  test.each(CASES)("$title", checkWorldCase);
});

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
