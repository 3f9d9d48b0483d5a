import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ConsumerSpec } from "../../../src/engine/device/consumer/consumerSpec.ts";
import { RampLimitedProfile } from "../../../src/engine/device/curve/rampLimitedProfile.ts";
import { Series } from "../../../src/engine/series/model/series.ts";
import { fitConsumer } from "../../../src/twin/fit/consumer.ts";
import type { Estimate } from "../../../src/twin/fit/estimate.ts";
import { type MeasuredColumn, type MeasuredTable, measuredSite } from "../../../src/twin/measured/measuredSeries.ts";
import { FCR, fitOptions, START_MS, streamOf } from "./measuredBattery.ts";

const LOAD: ConsumerSpec = {
  kind: "consumer",
  componentId: "load",
  consumerKind: "factory",
  fcrCapable: false,
  contractKw: 1_000,
  maxDemandKw: 1_000,
  drCapable: true,
  minDrReductionKw: 0,
  maxDrReductionKw: 300,
  minDrDurationMs: 0,
  minDrCooldownMs: 0,
  loadKw: new Series("load", Float64Array.of(START_MS), Float64Array.of(600), "step", START_MS + 1e10),
  responseDelayMs: 0,
  rampKwPerS: null,
  reboundFraction: 0,
  reboundMs: 0,
  control: "drop_by",
};

interface Recording {
  readonly ratio: number;
  readonly biasKw: number;
  readonly delayMs: number;
  readonly rampKwPerS: number;
  readonly events: number;
  readonly spacingMs: number;
  readonly hours: number;
  readonly seed: number;
}

const RECORDING: Recording = {
  ratio: 0.85,
  biasKw: 12,
  delayMs: 20_000,
  rampKwPerS: 4,
  events: 8,
  spacingMs: 60_000,
  hours: 40,
  seed: 1,
};
const EVENT_MS = 3_600_000;
const REQUESTED_KW = 150;

/** A load with reductions of an hour, each five hours after the last one, which the ramp of the engine follows. */
function recorded(changes: Partial<Recording> = {}): MeasuredTable {
  const { ratio, biasKw, delayMs, rampKwPerS, events, spacingMs, hours, seed } = { ...RECORDING, ...changes };
  const stream = streamOf(seed)("load");
  const shed = new RampLimitedProfile();
  shed.begin(0, rampKwPerS / 1_000);
  shed.addRampTowards(delayMs, Number.POSITIVE_INFINITY, 0, ratio * REQUESTED_KW, 0);
  const timesMs = Float64Array.from({ length: (3_600_000 * hours) / spacingMs }, (_, k) => START_MS + k * spacingMs);
  const intoMs = (atMs: number): number => (atMs - START_MS - EVENT_MS) % (5 * EVENT_MS);
  const isIn = (atMs: number): boolean =>
    0 <= intoMs(atMs) && intoMs(atMs) < EVENT_MS && (atMs - START_MS) / (5 * EVENT_MS) < events;
  const level = timesMs.map((atMs) => 600 + 40 * Math.sin(atMs / 9e6));
  const columns = new Map<MeasuredColumn, Float64Array>([
    ["baseline_kw", level.map((kw) => kw + biasKw)],
    ["dispatched_delta_kw", timesMs.map((atMs) => (isIn(atMs) ? -REQUESTED_KW : 0))],
    [
      "current_kw",
      timesMs.map((atMs, k) => {
        const shedKw = !isIn(atMs) || intoMs(atMs) < delayMs ? 0 : shed.kwAt(intoMs(atMs));
        return level[k] - shedKw + (spacingMs < 60_000 ? 0.3 : 4) * stream.nextNormal();
      }),
    ],
  ]);
  return { label: "instant", spacingMs, timesMs, columns };
}

const rowsOf = (...tables: MeasuredTable[]): ReadonlyMap<string, Estimate> => {
  const site = { components: [LOAD], fcr: FCR, link: { lossProbability: 0, latencyMs: 0 } };
  const measured = measuredSite("site", tables);
  return new Map(
    fitConsumer({ site, spec: LOAD, pv: null, measured, options: fitOptions() }).estimates.map((row) => [
      row.parameter,
      row,
    ]),
  );
};

test("drawn delivery ratios and biases of the baseline are found", () => {
  const drawn = fc.record({
    ratio: fc.integer({ min: 50, max: 120 }).map((n) => n / 100),
    biasKw: fc.integer({ min: -30, max: 30 }),
    seed: fc.integer({ min: 1, max: 1e6 }),
  });
  fc.assert(
    fc.property(drawn, ({ ratio, biasKw, seed }) => {
      const rows = rowsOf(recorded({ ratio, biasKw, seed }));
      const delivery = rows.get("delivery_ratio");
      expect(Math.abs(Number(delivery?.value) - ratio)).toBeLessThan(0.03);
      expect(Math.abs(Number(rows.get("baseline_bias_kw")?.value) - biasKw)).toBeLessThan(1);
    }),
    { numRuns: 10 },
  );
});

test("delay and ramp of reductions are found from seconds", () => {
  const rows = rowsOf(recorded(), recorded({ spacingMs: 1_000, hours: 26 }));
  expect(Math.abs(Number(rows.get("response_delay_s")?.value) - 20)).toBeLessThan(0.6);
  expect(Math.abs(Number(rows.get("ramp_kw_per_s")?.value) - 4)).toBeLessThan(0.4);
});

describe("what is not identifiable, and the same beside it that is", () => {
  test("the delivery ratio, by the number of reductions", () => {
    expect(rowsOf(recorded({ events: 4 })).get("delivery_ratio")?.why).toContain("4 reductions");
    expect(rowsOf(recorded({ events: 5 })).get("delivery_ratio")?.status).toBe("identified");
  });

  test("the error of the baseline, by the number of half hours", () => {
    expect(rowsOf(recorded({ hours: 8 })).get("baseline_bias_kw")?.why).toMatch(/^\d+ half hours .* 24 are needed$/);
    expect(rowsOf(recorded({ hours: 20 })).get("baseline_bias_kw")?.status).toBe("identified");
  });

  test("delay and ramp, without seconds", () => {
    expect(rowsOf(recorded()).get("response_delay_s")?.why).toContain("is measured by the second");
  });
});
