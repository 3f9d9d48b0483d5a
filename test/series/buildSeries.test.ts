import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../src/base/time.ts";
import { buildSeries } from "../../src/engine/series/model/buildSeries.ts";
import type { RawSamples, SeriesOptions } from "../../src/engine/series/model/seriesOptions.ts";

const PLAIN: SeriesOptions = {
  name: "s",
  interpolation: "step",
  label: "instant",
  shiftMs: 0,
  repeat: "none",
  maxGapMs: null,
  onGap: "error",
};

/** Samples from "minute:value" pairs, an empty value for an empty cell; lines count from 2. */
function raw(text: string): RawSamples {
  const pairs = text.split(" ").map((pair) => pair.split(":"));
  return {
    timesMs: Float64Array.from(pairs, ([minute]) => Number(minute) * MS_PER_MINUTE),
    values: Float64Array.from(pairs, ([, value]) => (value === "" ? Number.NaN : Number(value))),
    lines: Int32Array.from(pairs, (_, k) => k + 2),
  };
}

const inMinutes = (ms: number): number => ms / MS_PER_MINUTE;

/** Prepares over a window of minutes; stamps, values and gaps come back as "minute:value" and "from-to@line". */
function prepared(text: string, recipe: Partial<SeriesOptions>, [from, to]: [number, number]) {
  const window = { fromMs: from * MS_PER_MINUTE, toMs: to * MS_PER_MINUTE };
  const { series, gaps, filledGaps } = buildSeries(raw(text), { ...PLAIN, ...recipe }, window);
  if (series === null) throw new Error("no series");
  const period = (gap: (typeof gaps)[number]) => `${inMinutes(gap.fromMs)}-${inMinutes(gap.toMs)}@${gap.line}`;
  return {
    samples: [...series.timesMs].map((ms, k) => `${inMinutes(ms)}:${series.values[k]}`).join(" "),
    until: inMinutes(series.untilMs),
    gaps: gaps.map(period).join(" "),
    filledGaps: filledGaps.map(period).join(" "),
    series,
  };
}

describe("labels", () => {
  const EVEN = "0:1 30:2 60:3";
  test.each([
    ["step", "instant", EVEN, "0:1 30:2 60:3", 90],
    ["step", "start", EVEN, "0:1 30:2 60:3", 90],
    ["step", "middle", EVEN, "-15:1 15:2 45:3", 75],
    ["step", "end", EVEN, "-30:1 0:2 30:3", 60],
    ["linear", "instant", EVEN, "0:1 30:2 60:3", 90],
    ["linear", "start", EVEN, "0:1 15:1 45:2 75:3", 105],
    ["linear", "middle", EVEN, "-15:1 0:1 30:2 60:3", 90],
    ["linear", "end", EVEN, "-30:1 -15:1 15:2 45:3", 75],
    // One stamp is missing: the value after it still covers half an hour only.
    ["step", "end", "0:1 30:2 60:3 120:4 150:5", "-30:1 0:2 30:3 90:4 120:5", 150],
    // Spacings 30, 20, 30, 90 (two stamps missing), 30; the median is 30.
    ["step", "end", "0:1 30:2 50:3 80:4 170:5 200:6", "-30:1 0:2 30:3 50:4 140:5 170:6", 200],
    // The step changes from 20 to 5 min: each value covers the interval before its stamp.
    ["step", "end", "20:1 40:2 60:3 80:4 85:5 90:6 95:7 100:8", "0:1 20:2 40:3 60:4 80:5 85:6 90:7 95:8", 100],
    ["linear", "start", "0:1 30:2 50:3 80:4 170:5 200:6", "0:1 15:1 40:2 65:3 95:4 185:5 215:6", 245],
  ] as const)("%s, %s (%s)", (interpolation, label, text, samples, until) => {
    const result = prepared(text, { interpolation, label, maxGapMs: MS_PER_DAY }, [60, 60]);
    expect([result.samples, result.until]).toEqual([samples, until]);
  });

  test("a line of means begins with the record, and zero fills what comes before it", () => {
    const means = { interpolation: "linear", label: "start" } as const;
    expect(prepared(EVEN, means, [0, 90]).gaps).toBe("");
    const { series } = prepared(EVEN, { ...means, onGap: "zero" }, [-30, 90]);
    expect([-30, -1, 0, 10, 15, 30].map((minute) => series.valueAt(minute * MS_PER_MINUTE))).toEqual([
      0, 0, 1, 1, 1, 1.5,
    ]);
  });

  test("a record that is repeated has samples before its first one", () => {
    const repeated = prepared("0:1 720:3", { interpolation: "linear", label: "start", repeat: "day" }, [0, 720]).series;
    expect(repeated.valueAt(0)).toBe(2);
  });

  test("a shift moves stamps on top of the label", () => {
    const shift = { label: "end", shiftMs: 60 * MS_PER_MINUTE } as const;
    expect(prepared(EVEN, shift, [60, 60]).samples).toBe("30:1 60:2 90:3");
  });
});

describe("gaps", () => {
  test.each([
    ["none in an even record", "0:1 10:2 20:3", {}, [0, 30], ""],
    ["three spacings are still bridged", "0:1 10:2 20:3 50:4 60:5", {}, [0, 70], ""],
    ["more than three are not", "0:1 10:2 20:3 51:4 61:5", {}, [0, 70], "30-51@4"],
    ["empty cells are absent rows", "0:1 10:2 20: 30: 40: 50:3 60:4 70:5", {}, [0, 80], "20-50@3"],
    ["max_gap widens", "0:1 10:2 20:3 100:4", { maxGapMs: 80 * MS_PER_MINUTE }, [0, 110], ""],
    ["max_gap narrows below the spacing", "0:1 10:2", { maxGapMs: 4 * MS_PER_MINUTE }, [0, 10], "4-10@2"],
    ["before the record", "60:1 70:2", {}, [0, 80], "0-60@2"],
    ["after the last sample's spacing", "0:1 10:2", {}, [0, 60], "20-60@3"],
    ["outside the window they do not count", "0:1 10:2 20:3 90:4 100:5", {}, [90, 110], ""],
    ["a single sample holds for no time", "0:1", {}, [0, 60], "0-60@2"],
  ] as const)("%s", (_, text, recipe, window, gaps) => {
    const result = prepared(text, recipe, [window[0], window[1]]);
    expect([result.gaps, result.filledGaps]).toEqual([gaps, ""]);
  });

  test("a column without any value is missing throughout", () => {
    const result = buildSeries(raw("0: 10:"), { ...PLAIN, onGap: "zero" }, { fromMs: 0, toMs: MS_PER_HOUR });
    expect(result).toMatchObject({ series: null, gaps: [{ fromMs: 0, toMs: MS_PER_HOUR, line: 2 }], filledGaps: [] });
  });

  test.each([
    ["step", "hold", "10:1 20:2 80:3 90:4", "10:1 20:2 80:3 90:4"],
    ["step", "zero", "10:1 20:2 80:3 90:4", "0:0 10:1 20:2 30:0 80:3 90:4 100:0"],
  ] as const)("%s and %s", (interpolation, onGap, text, samples) => {
    const result = prepared(text, { interpolation, onGap }, [0, 150]);
    expect([result.samples, result.until]).toEqual([samples, 150]);
    expect(result.gaps).toBe(onGap === "hold" ? "0-10@2" : "");
    expect(result.filledGaps).toBe(`${onGap === "hold" ? "" : "0-10@2 "}30-80@3 100-150@5`);
  });

  test.each([
    ["hold", [4, 8, 8, 8, 8, 20, 30, 30]],
    ["zero", [4, 8, 8, 0, 0, 20, 30, 0]],
  ] as const)("a line jumps within a millisecond at a gap filled with %s", (onGap, expected) => {
    const { series } = prepared("0:0 20:8 110:20 130:30", { interpolation: "linear", onGap }, [0, 200]);
    const at = [10, 20, 39, 40, 109, 110, 130, 180].map((minute) => series.valueAt(minute * MS_PER_MINUTE));
    expect(at.map((value) => Math.round(value * 100) / 100)).toEqual(expected);
  });
});

describe("repetition", () => {
  const HALF_DAYS = "0:1 720:2";

  test("a day is laid out over the window and no further than it needs", () => {
    const result = prepared(HALF_DAYS, { repeat: "day" }, [-1000, 2000]);
    expect(result.samples).toBe("-1440:1 -720:2 0:1 720:2 1440:1 2160:2");
    expect(result.gaps).toBe("");
  });

  test("a record longer than its period goes by whole periods and stands inside itself", () => {
    // Five half days: the third day's first half belongs to the record, its second half to the cycle of two days.
    const result = prepared("0:1 720:2 1440:3 2160:4 2880:5", { repeat: "day" }, [2160, 5760]);
    expect(result.samples).toBe("2160:4 2880:5 3600:2 4320:3 5040:4 5760:1");
  });

  test("a record shorter than its period leaves a gap in every one", () => {
    const result = prepared("0:1 360:2", { repeat: "day", maxGapMs: 6 * MS_PER_HOUR }, [0, 2880]);
    expect(result.gaps).toBe("720-1440@3 2160-2880@3");
  });

  test("a single sample repeated by the day is a constant", () => {
    expect(prepared("600:7", { repeat: "day" }, [0, 2880])).toMatchObject({
      samples: "-840:7 600:7 2040:7 3480:7",
      gaps: "",
    });
  });

  test.each(["day", "week"] as const)("by %s, an instant has the value of its place in the period", (repeat) => {
    const periodMs = repeat === "day" ? MS_PER_DAY : 7 * MS_PER_DAY;
    const spacingMs = periodMs / 28;
    const timesMs = Float64Array.from({ length: 28 }, (_, k) => MS_PER_HOUR + k * spacingMs);
    const record = { timesMs, values: timesMs.map((_, k) => k), lines: new Int32Array(28) };
    const window = { fromMs: -20 * MS_PER_DAY, toMs: 20 * MS_PER_DAY };
    const { series, gaps } = buildSeries(record, { ...PLAIN, repeat }, window);
    expect(gaps).toEqual([]);
    fc.assert(
      fc.property(fc.integer({ min: window.fromMs, max: window.toMs }), (atMs) => {
        const place = (((atMs - MS_PER_HOUR) % periodMs) + periodMs) % periodMs;
        expect(series?.valueAt(atMs)).toBe(Math.floor(place / spacingMs));
      }),
    );
  });
});

describe("repetition by the year", () => {
  const day = (text: string): number => Date.parse(`${text}Z`);

  /** One sample every twelve hours whose value is its own date as a number, such as 20250401.5 for noon. */
  function halfDays(from: string, to: string): RawSamples {
    const count = (day(to) - day(from)) / (MS_PER_DAY / 2);
    const timesMs = Float64Array.from({ length: count }, (_, k) => day(from) + (k * MS_PER_DAY) / 2);
    const values = timesMs.map((ms) => {
      const iso = new Date(ms).toISOString();
      return Number(iso.slice(0, 10).replaceAll("-", "")) + (iso.slice(11, 13) >= "12" ? 0.5 : 0);
    });
    return { timesMs, values, lines: new Int32Array(count) };
  }

  test.each([
    ["2025-01-01", "2026-01-01", "2027-06-15T13:00", 20250615.5],
    ["2025-01-01", "2026-01-01", "2023-06-15T13:00", 20250615.5],
    ["2025-01-01", "2026-01-01", "2025-06-15T03:00", 20250615],
    ["2025-01-01", "2026-01-01", "2028-02-28T00:00", 20250228],
    ["2025-01-01", "2026-01-01", "2028-02-29T12:00", 20250228.5],
    ["2025-01-01", "2026-01-01", "2028-03-01T00:00", 20250301],
    ["2024-01-01", "2025-01-01", "2028-02-29T00:00", 20240229],
    ["2024-01-01", "2025-01-01", "2026-03-01T00:00", 20240301],
    ["2024-02-29", "2025-02-28", "2028-02-29T12:00", 20240229.5],
    // A fiscal year: January to March come from the record's second calendar year.
    ["2025-04-01", "2026-04-01", "2028-03-31T00:00", 20260331],
    ["2025-04-01", "2026-04-01", "2027-12-31T12:00", 20251231.5],
    ["2023-04-01", "2024-04-01", "2027-03-31T12:00", 20240331.5],
    // It starts at noon: that day's morning comes from a year later.
    ["2025-04-01T12:00", "2026-04-01T12:00", "2027-04-01T00:00", 20260401],
    ["2025-04-01T12:00", "2026-04-01T12:00", "2027-04-01T12:00", 20250401.5],
    // Three years: the window's own year stands; a later one takes the first.
    ["2024-01-01", "2027-01-01", "2026-05-05T00:00", 20260505],
    ["2024-01-01", "2027-01-01", "2029-05-05T00:00", 20240505],
  ])("%s to %s gives for %s the value of %d", (from, to, at, expected) => {
    const window = { fromMs: day("2023-01-01"), toMs: day("2030-01-01") };
    const { series, gaps } = buildSeries(halfDays(from, to), { ...PLAIN, repeat: "year" }, window);
    expect(gaps).toEqual([]);
    expect(series?.valueAt(day(at))).toBe(expected);
  });
});
