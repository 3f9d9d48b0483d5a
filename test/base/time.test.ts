import { describe, expect, test } from "vitest";
import { ceilToMinute, floorToHalfHour, isoUtc } from "../../src/base/time.ts";

test.each([
  [0, 0],
  [1, 60_000],
  [59_999, 60_000],
  [60_000, 60_000],
  [60_000.5, 120_000],
])("the first whole minute at or after %d ms", (atMs, expected) => {
  expect(ceilToMinute(atMs)).toBe(expected);
});

test.each([
  [0, 0],
  [1_799_999, 0],
  [1_800_000, 1_800_000],
  [-1, -1_800_000],
])("the half hour that contains %d ms", (atMs, expected) => {
  expect(floorToHalfHour(atMs)).toBe(expected);
});

describe("ISO text", () => {
  test.each([
    [0, "1970-01-01T00:00:00Z"],
    [1, "1970-01-01T00:00:00.001Z"],
    // 2026 begins 20454 days after 1970: 56 years of 365 days and 14 leap days.
    [20_454 * 86_400_000 + 3_600_000, "2026-01-01T01:00:00Z"],
  ])("of %d ms", (atMs, expected) => {
    expect(isoUtc(atMs)).toBe(expected);
  });
});
