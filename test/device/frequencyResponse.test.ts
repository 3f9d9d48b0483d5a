import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FcrConfig } from "../../src/engine/device/frequency/frequencyResponse.ts";
import {
  type FrequencyProcessSpec,
  GeneratedFrequency,
  GridFrequency,
} from "../../src/engine/device/frequency/gridFrequency.ts";
import {
  type OrderResponse,
  orderResponseKw,
  ResponseProfile,
} from "../../src/engine/device/frequency/responseProfile.ts";
import { ResponseWindowCache, ResponseWindowRegistry } from "../../src/engine/device/frequency/responseWindow.ts";
import { Series } from "../../src/engine/series/model/series.ts";
import { runs } from "../depth.ts";
import { frequencyResponseKw } from "./frequencyResponseKw.ts";

const T0 = Date.UTC(2026, 3, 1);
const config = (given: Partial<FcrConfig> = {}): FcrConfig => ({
  freqRefHz: 50,
  upDeadbandHz: 0,
  lowDeadbandHz: 0,
  upDroopPct: 5,
  lowDroopPct: 5,
  ...given,
});
const DEAD = { upDeadbandHz: 0.05, lowDeadbandHz: 0.05 };
const FULL = { deadbandForm: "full" } as const;
const UNEVEN = { upDeadbandHz: 0.02, lowDeadbandHz: 0.1, upDroopPct: 2, lowDroopPct: 8 };

describe("the response to one frequency", () => {
  // kW = 1000 · (Hz / 50) / (droop / 100)
  test.each([
    ["0.2 Hz below", config(), 1000, 1e9, 49.8, -80],
    ["with a dead band", config(DEAD), 1000, 1e9, 49.8, -60],
    ["above the dead band", config(DEAD), 1000, 1e9, 50.2, 60],
    ["at the reference", config(), 1000, 1e9, 50, 0],
    ["at an edge of the dead band", config(DEAD), 1000, 1e9, 50.05, 0],
    ["within the dead band", config(DEAD), 1000, 1e9, 49.951, 0],
    ["cut at the capacity below", config(), 1000, 50, 49.8, -50],
    ["cut at the capacity above", config(), 1000, 50, 51, 50],
    ["just within the capacity", config(), 1000, 80.001, 50.2, 80],
    ["without capacity", config(), 1000, 0, 49, 0],
    // 0.18 Hz of 50 at 2 %: 180 kW; 0.1 Hz of 50 at 8 %: 25 kW.
    ["uneven, above", config(UNEVEN), 1000, 1e9, 50.2, 180],
    ["uneven, below", config(UNEVEN), 1000, 1e9, 49.8, -25],
    ["uneven, in the wide dead band", config(UNEVEN), 1000, 1e9, 49.91, 0],
    // The whole 0.2 Hz of 50 at 2 %: 200 kW; the whole 0.2 Hz of 50 at 8 %: 50 kW.
    ["full, above", config({ ...UNEVEN, ...FULL }), 1000, 1e9, 50.2, 200],
    ["full, below", config({ ...UNEVEN, ...FULL }), 1000, 1e9, 49.8, -50],
    ["full, in the dead band", config({ ...UNEVEN, ...FULL }), 1000, 1e9, 49.91, 0],
    ["full, at the upper edge", config({ ...UNEVEN, ...FULL }), 1000, 1e9, 50.02, 0],
    ["full, at the lower edge", config({ ...UNEVEN, ...FULL }), 1000, 1e9, 49.9, 0],
    // 0.021 Hz of 50 at 2 %: 21 kW.
    ["full, a millihertz beyond the edge", config({ ...UNEVEN, ...FULL }), 1000, 1e9, 50.021, 21],
    ["full, cut at the capacity", config({ ...UNEVEN, ...FULL }), 1000, 30, 49.8, -30],
    // 0.3 Hz of 60 at 5 %: a tenth of 500 kW.
    ["of 60 Hz", config({ freqRefHz: 60 }), 500, 1e9, 60.3, 50],
  ])("%s", (_, fcr, ratedKw, fcrCapacityKw, hz, kw) => {
    expect(frequencyResponseKw(fcr, ratedKw, fcrCapacityKw, hz)).toBeCloseTo(kw, 9);
    expect(Object.is(frequencyResponseKw(fcr, ratedKw, fcrCapacityKw, hz), -0)).toBe(false);
  });
});

describe("the response of a compound", () => {
  const of = (deltaKw: number, fcrCapacityKw: number, limitKw = Math.abs(deltaKw)): OrderResponse => ({
    fcrCapacityKw,
    deltaKw,
    limitKw,
  });
  test.each([
    ["up against a delta down", of(-300, 200), 150, 150],
    ["cut by its capacity", of(-300, 200), 900, 200],
    ["down beyond its delta: not at all", of(-300, 200), -150, 0],
    ["past zero up to the other end of its delta", of(-100, 500), 400, 200],
    ["half of the delta called leaves the other half", of(-50, 200, 100), -150, -50],
    ["no delta called: symmetric around zero", of(0, 200, 100), 150, 100],
    ["no delta: no response", of(0, 200, 0), 150, 0],
    ["plain", of(0, 200, Number.POSITIVE_INFINITY), -150, -150],
  ])("%s", (_, part, requestedKw, kw) => expect(orderResponseKw(part, requestedKw)).toBeCloseTo(kw, 9));
});

describe("a generated frequency", () => {
  const SPEC: FrequencyProcessSpec = { meanHz: 50, sigmaHz: 0.02, timeConstantS: 120 };
  const from = { seed: 7, startMs: T0 };
  const DAY = 86_400;
  const valuesOf = (spec: FrequencyProcessSpec, given = from) => {
    const made = new GeneratedFrequency(spec, given);
    return Float64Array.from({ length: DAY }, (_, k) => made.valueAt(T0 + 1000 * k));
  };
  const values = valuesOf(SPEC);

  test("starts at its mean and is constant within each second", () => {
    const made = new GeneratedFrequency(SPEC, from);
    expect(made.valueAt(T0)).toBe(50);
    expect(made.valueAt(T0 + 999)).toBe(50);
    expect(made.valueAt(T0 + 1000)).not.toBe(50);
  });

  test("has the specified mean, standard deviation and time constant", () => {
    const mean = values.reduce((sum, hz) => sum + hz, 0) / DAY;
    const moment = (lag: number) => {
      let sum = 0;
      for (let k = lag; k < DAY; k++) sum += (values[k] - mean) * (values[k - lag] - mean);
      return sum / (DAY - lag);
    };
    // A day has about 360 independent values: deviation to 4 %, correlations to 0.05, here for one seed.
    expect(mean).toBeCloseTo(50, 2);
    expect(Math.sqrt(moment(0)) / 0.02).toBeGreaterThan(0.92);
    expect(Math.sqrt(moment(0)) / 0.02).toBeLessThan(1.08);
    expect(Math.abs(moment(120) / moment(0) - Math.exp(-1))).toBeLessThan(0.1);
    expect(moment(1) / moment(0)).toBeCloseTo(Math.exp(-1 / 120), 2);
  });

  test("keeps its variance exactly from second to second", () => {
    let sum = 0;
    for (let k = 1; k < DAY; k++) sum += (values[k] - 50 - Math.exp(-1 / 120) * (values[k - 1] - 50)) ** 2;
    expect(sum / (DAY - 1) / (0.02 ** 2 * (1 - Math.exp(-2 / 120)))).toBeCloseTo(1, 1);
  });

  test("does not depend on the order of access, and differs for another seed", () => {
    const made = new GeneratedFrequency(SPEC, from);
    const order = [50_000, 3, 86_399, 3600, 3599, 0, 49_999, 7200];
    for (const k of order) expect(made.valueAt(T0 + 1000 * k)).toBe(values[k]);
    const { timesMs, hz, first, end } = made.samples(T0 + 3_500_000, T0 + 5_000_000);
    for (let k = first; k < end; k++) expect(hz[k]).toBe(values[(timesMs[k] - T0) / 1000]);
    expect([timesMs[first], end - first]).toEqual([T0 + 3_500_000, 1500]);
    expect(valuesOf(SPEC, { ...from, seed: 8 })[1]).not.toBe(values[1]);
  });

  test("is constant without deviation", () => {
    expect(new Set(valuesOf({ ...SPEC, sigmaHz: 0 }))).toEqual(new Set([50]));
  });
});

describe("windows of the frequency", () => {
  test("are shared by all sites of a configuration", () => {
    const responses = new ResponseWindowRegistry(new GridFrequency(50.2, { seed: 1, startMs: T0 }));
    expect(responses.windowsFor(config())).toBe(responses.windowsFor(config({})));
    expect(responses.windowsFor(config())).not.toBe(responses.windowsFor(config(DEAD)));
    const window = responses.windowsFor(config()).windowAt(T0);
    expect([window.fromMs, window.toMs, window.count]).toEqual([-Infinity, Infinity, 1]);
  });

  test("merge a dead band into one piece", () => {
    const hz = [50, 50.01, 49.99, 50.2, 50.2, 50.04, 50];
    const series = new Series(
      "f",
      Float64Array.from(hz, (_, k) => T0 + 1000 * k),
      Float64Array.from(hz),
      "step",
      T0 + 7000,
    );
    const window = new ResponseWindowCache(new GridFrequency(series, { seed: 1, startMs: T0 }), config(DEAD)).windowAt(
      T0,
    );
    const starts = Array.from(window.afterMs.subarray(0, window.count), (ms) => (ms - T0) / 1000);
    expect(starts).toEqual([0, 3, 5]);
    expect(window.isStepped).toBe(true);
  });
});

describe("pieces of the response", () => {
  const piecesOf = (fcr: FcrConfig, interpolation: "step" | "linear", hz: readonly number[], startMs = T0) => {
    const times = Float64Array.from(hz, (_, k) => T0 + 10_000 * k);
    const series = new Series("f", times, Float64Array.from(hz), interpolation, T0 + 10_000 * hz.length);
    const windows = new ResponseWindowCache(new GridFrequency(series, { seed: 1, startMs: T0 }), fcr);
    const profile = new ResponseProfile();
    const order = { fcrCapacityKw: 150, deltaKw: 0, limitKw: Number.POSITIVE_INFINITY };
    profile.fill(startMs, windows.windowAt(startMs), 1000, [order]);
    return Array.from({ length: profile.count }, (_, k) =>
      [profile.afterMs[k] / 1000, profile.kw[k], profile.kwPerMs[k] * 1000].map(
        (value) => Math.round(1e6 * value) / 1e6,
      ),
    );
  };

  // 50.0 to 50.4 Hz in 10 s is 0.04 Hz/s: the edge of 50.05 Hz after 1.25 s; 1000 kW at 5 % are 400 kW/Hz, so 20 kW at the
  // edge, 16 kW/s beyond it, and 150 kW at 50.375 Hz after 9.375 s.
  test("a line that crosses the edge of a full dead band steps there", () => {
    expect(piecesOf(config({ ...DEAD, ...FULL }), "linear", [50, 50.4])).toEqual([
      [0, 0, 0],
      [1.25, 20, 16],
      [9.375, 150, 0],
    ]);
  });

  test("a line from the edge outwards begins with the step, and one along the edge has no response", () => {
    expect(piecesOf(config({ ...DEAD, ...FULL }), "linear", [50.05, 50.05, 50.15])).toEqual([
      [0, 0, 0],
      [10, 20, 4],
      [20, 60, 0],
    ]);
  });

  test("a line through the whole dead band steps down to 0 and up from 0", () => {
    // 0.02 Hz/s: edges at 50.05 and 49.95 Hz after 2.5 and 7.5 s; 8 kW/s.
    expect(piecesOf(config({ ...DEAD, ...FULL }), "linear", [50.1, 49.9])).toEqual([
      [0, 40, -8],
      [2.5, 0, 0],
      [7.5, -20, -8],
      [10, -40, 0],
    ]);
  });

  test("a delay postpones the response, and holds the first value before it", () => {
    const delayed = config({ ...DEAD, responseDelayMs: 2000 });
    expect(piecesOf(delayed, "step", [50.1, 50, 49.9])).toEqual([
      [0, 20, 0],
      [12, 0, 0],
      [22, -20, 0],
    ]);
    expect(piecesOf(delayed, "step", [50.1, 50, 49.9], T0 + 11_000)).toEqual([
      [0, 20, 0],
      [1, 0, 0],
      [11, -20, 0],
    ]);
    // The edge 1.25 s after the start of the line, which begins after 2 s.
    expect(piecesOf(delayed, "linear", [50, 50.4])).toEqual([
      [0, 0, 0],
      [3.25, 0, 16],
      [12, 140, 0],
    ]);
  });
});

/** A few minutes of arbitrary frequency at irregular timestamps. */
const frequencies = fc
  .record({
    interpolation: fc.constantFrom("step" as const, "linear" as const),
    samples: fc.array(
      fc.record({
        gapS: fc.constantFrom(1, 2, 13, 700),
        hz: fc.oneof(fc.constantFrom(50, 50.05, 49.95, 50.02, 49.9), fc.double({ min: 49.5, max: 50.5, noNaN: true })),
      }),
      { minLength: 1, maxLength: 40 },
    ),
  })
  .map(({ interpolation, samples }) => {
    let atMs = T0 - 5000;
    const times = samples.map(({ gapS }) => (atMs += 1000 * gapS) - 1000 * samples[0].gapS);
    const values = samples.map(({ hz }) => hz);
    return new Series("f", Float64Array.from(times), Float64Array.from(values), interpolation, T0 + 40 * 700_000);
  });
const configs = fc.constantFrom(
  config(),
  config(DEAD),
  config(UNEVEN),
  config({ ...UNEVEN, ...FULL }),
  config({ ...DEAD, ...FULL, responseDelayMs: 2500 }),
  config({ ...UNEVEN, responseDelayMs: 60_000 }),
);
const parts = fc.array(
  fc.record({
    fcrCapacityKw: fc.constantFrom(1, 40, 5000),
    deltaKw: fc.constantFrom(-60, 0, 30),
    limitKw: fc.constantFrom(60, 100, Number.POSITIVE_INFINITY),
  }),
  { minLength: 1, maxLength: 3 },
);

test("a response profile is the sum of the responses of all orders at each instant", () => {
  let sloped = 0;
  fc.assert(
    fc.property(frequencies, configs, parts, fc.integer({ min: 0, max: 2_000_000 }), (series, fcr, given, offsetMs) => {
      const windows = new ResponseWindowCache(new GridFrequency(series, { seed: 1, startMs: T0 }), fcr);
      const path = new ResponseProfile();
      const startMs = T0 + offsetMs;
      path.fill(startMs, windows.windowAt(startMs), 1000, given);
      if (!path.isStepped) sloped++;
      expect(path.afterMs[0]).toBe(0);
      expect(startMs < path.untilMs && path.untilMs - startMs <= 1_800_000).toBe(true);
      for (let k = 0; k <= 60; k++) {
        // Not at the timestamps, where a step has two values.
        const atMs = startMs + ((path.untilMs - 1 - startMs) * k) / 60 + 0.4;
        const seenMs = Math.max(series.startMs, atMs - (fcr.responseDelayMs ?? 0));
        const requestedKw = frequencyResponseKw(fcr, 1000, 1e9, series.valueAt(seenMs));
        const kw = given.reduce((sum, part) => sum + orderResponseKw(part, requestedKw), 0);
        expect(Math.abs(path.kwAt(atMs) - kw)).toBeLessThan(1e-3);
      }
    }),
    { numRuns: runs(300, 300) },
  );
  expect(sloped).toBeGreaterThan(20);
});
