import { describe, expect, test } from "vitest";
import { type Bins, binsOf, envelope, unitOfBin } from "../../src/accounting/recorders/envelope.ts";
import { type Polyline, PolylineRecorder } from "../../src/accounting/recorders/polyline.ts";
import { EnergySummer } from "../../src/accounting/recorders/powerSums.ts";
import { CAUSE_INDEX, CAUSES } from "../../src/accounting/settlement/causes.ts";
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../src/base/time.ts";

/** Repeatable numbers from 0 to below 1. */
function drawsOf(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** Lines, jumps and plateaus at whole seconds. */
function drawnCurve(draw: () => number, spanMs: number): Polyline {
  const atMs = [0];
  const values = [100 * draw()];
  while (atMs[atMs.length - 1] < spanMs) {
    const kind = draw();
    const last = atMs[atMs.length - 1];
    const next = kind < 0.3 ? last : Math.min(spanMs, last + 1000 * Math.ceil(draw() ** 4 * 20_000));
    atMs.push(next);
    values.push(kind > 0.8 ? values[values.length - 1] : 200 * draw() - 100);
  }
  return { atMs: Float64Array.from(atMs), values: Float64Array.from(values), thinnedMs: 0 };
}

/** Lowest, mean and highest value of one bin, line by line. */
function bruteForce({ atMs, values }: Polyline, { startMs, binMs }: Bins, bin: number): number[] {
  const [from, to] = [startMs + bin * binMs, startMs + (bin + 1) * binMs];
  let [min, max, area, covered] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (let k = 1; k < atMs.length; k++) {
    const [a, b] = [Math.max(from, atMs[k - 1]), Math.min(to, atMs[k])];
    if (b <= a) continue;
    const valueAt = (at: number) =>
      at === atMs[k]
        ? values[k]
        : values[k - 1] + ((values[k] - values[k - 1]) * (at - atMs[k - 1])) / (atMs[k] - atMs[k - 1]);
    min = Math.min(min, valueAt(a), valueAt(b));
    max = Math.max(max, valueAt(a), valueAt(b));
    area += 0.5 * (valueAt(a) + valueAt(b)) * (b - a);
    covered += b - a;
  }
  return [min, area / covered, max];
}

test.each(Array.from({ length: 200 }, (_, seed) => seed + 1))("the envelope of drawn curve %i", (seed) => {
  const draw = drawsOf(seed);
  const spanMs = Math.ceil(draw() * 40 * 24) * MS_PER_HOUR;
  const curve = drawnCurve(draw, spanMs);
  const bins = binsOf({ startMs: 0, endMs: spanMs }, -Math.floor(24 * draw()) * MS_PER_HOUR);
  expect(bins.count).toBeLessThanOrEqual(960);
  const found = envelope(curve, bins);
  for (let bin = 0; bin < bins.count; bin++) {
    const [min, mean, max] = bruteForce(curve, bins, bin);
    expect(found.min[bin]).toBeCloseTo(min, 9);
    expect(found.mean[bin]).toBeCloseTo(mean, 6);
    expect(found.max[bin]).toBeCloseTo(max, 9);
  }
  // A thinned curve has the same envelope, as long as its periods divide the bins.
  const recorder = new PolylineRecorder(bins.startMs, 400);
  curve.atMs.forEach((at, k) => recorder.add(at, curve.values[k]));
  const thinner = recorder.finish();
  if (thinner.thinnedMs === 0 || bins.binMs % thinner.thinnedMs !== 0) return;
  const again = envelope(thinner, bins);
  for (const side of ["min", "max"] as const)
    again[side].forEach((value, bin) => expect(value).toBeCloseTo(found[side][bin], 9));
});

describe("bins are whole minutes from midnight, at most 960", () => {
  const midnightMs = Date.parse("2026-03-31T15:00:00Z");
  test.each([
    [0.5, 1],
    [1, 5],
    [10, 15],
    [20, 30],
    [40, 60],
    [41, 120],
    [100, 180],
    [200, 360],
    [365, 720],
    [700, 1440],
    [1920, 3 * 1440],
  ])("%d days: %d minutes", (days, minutes) => {
    const bins = binsOf({ startMs: midnightMs, endMs: midnightMs + days * MS_PER_DAY }, midnightMs);
    expect(bins.binMs).toBe(minutes * MS_PER_MINUTE);
    expect(bins.count).toBeLessThanOrEqual(960);
    expect(bins.startMs).toBe(midnightMs);
  });

  test("a run from 10:20 begins within its first bin", () => {
    const startMs = midnightMs + 10 * MS_PER_HOUR + 20 * MS_PER_MINUTE;
    const bins = binsOf({ startMs, endMs: startMs + 365 * MS_PER_DAY }, midnightMs);
    expect(bins).toEqual({ startMs: midnightMs, binMs: 12 * MS_PER_HOUR, count: 731 });
  });

  test("units of time divide a bin and an hour", () => {
    const unitMinutes = [1, 5, 15, 30, 60, 120, 180, 360, 720, 1440].map(
      (minutes) => unitOfBin(minutes * MS_PER_MINUTE) / MS_PER_MINUTE,
    );
    expect(unitMinutes).toEqual([1, 1, 1, 1, 5, 5, 15, 30, 60, 60]);
  });
});

describe("energy of the hours", () => {
  const piece = { uncoveredKw: 0, penaltyPerKwh: 30, pieceHours: 2 };

  test("a ramp has its shortfall where its power is missing", () => {
    const summer = new EnergySummer({ startMs: 0, binMs: MS_PER_HOUR, count: 3 });
    const gaps = new Float64Array(CAUSES.length);
    gaps[CAUSE_INDEX.ramp] = 30;
    gaps[CAUSE_INDEX.weather] = 10;
    // -100 kW requested for two hours from 00:30; delivery goes from 0 to -80 kW: 200 − 80 = 120 kWh are missing.
    const [fromMs, toMs] = [0.5 * MS_PER_HOUR, 2.5 * MS_PER_HOUR];
    summer.add({ ...piece, fromMs, toMs, requestedKw: -100, fromKw: 0, toKw: -80, shortfallKwh: 120 }, gaps, 40);
    const { requestedKwh, deliveredKwh, changeKwh, shortfallKwh, penaltyJpy, causesKwh } = summer.finish();
    expect([...requestedKwh]).toEqual([50, 100, 50]);
    // 0 to 20 kW, 20 to 60 kW, 60 to 80 kW.
    expect([...deliveredKwh].map((kwh) => Math.round(1e9 * kwh) / 1e9)).toEqual([5, 40, 35]);
    expect([...changeKwh].map((kwh) => Math.round(1e9 * kwh) / 1e9)).toEqual([-5, -40, -35]);
    expect([...penaltyJpy].map(Math.round)).toEqual([1350, 1800, 450]);
    expect([...shortfallKwh].map((kwh) => Math.round(1e9 * kwh) / 1e9)).toEqual([45, 60, 15]);
    expect([...(causesKwh.get(CAUSE_INDEX.ramp) ?? [])].map(Math.round)).toEqual([34, 45, 11]);
    expect([...causesKwh.keys()].sort()).toEqual([CAUSE_INDEX.ramp, CAUSE_INDEX.weather].sort());
  });
});
