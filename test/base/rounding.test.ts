import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { floorToTenths, roundKw, roundTo, toThousandths } from "../../src/base/rounding.ts";

describe("half away from zero, never -0", () => {
  test.each<[string, (value: number) => number, number, number]>([
    ["roundKw", roundKw, 0.05, 0.1],
    ["roundKw", roundKw, -0.05, -0.1],
    ["roundKw", roundKw, 12.34, 12.3],
    ["roundKw", roundKw, -12.36, -12.4],
    ["roundKw", roundKw, -0.04, 0],
    ["roundKw", roundKw, 0, 0],
    ["roundTo 2", (value) => roundTo(value, 2), 0.125, 0.13],
    ["roundTo 2", (value) => roundTo(value, 2), -0.125, -0.13],
    ["roundTo 0", (value) => roundTo(value, 0), -2.5, -3],
    ["roundTo 0", (value) => roundTo(value, 0), -0.4, 0],
    ["toThousandths", toThousandths, 0.0005, 1],
    ["toThousandths", toThousandths, -1.2345, -1235],
    ["toThousandths", toThousandths, -0.0004, 0],
  ])("%s", (_name, round, value, expected) => {
    // toBe uses Object.is, which distinguishes 0 from -0.
    expect(round(value)).toBe(expected);
  });
});

describe("whole tenths that are not above a power", () => {
  test.each([
    [0, 0],
    [0.09, 0],
    // 10 * 0.3 and 10 * 0.7 lie a hair beside 3 and 7 in binary; the share of a limit must not lose a tenth by it.
    [0.3, 3],
    [0.1 + 0.2, 3],
    [0.7, 7],
    [1.1 - 0.4, 7],
    [99.99, 999],
  ])("%d kW", (kw, tenths) => {
    expect(floorToTenths(kw)).toBe(tenths);
  });

  test("are never more than the power plus a millionth", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (kw) => {
        const tenths = floorToTenths(kw);
        expect(Number.isInteger(tenths)).toBe(true);
        expect(tenths).toBeLessThanOrEqual(10 * kw + 1e-6);
        expect(10 * kw).toBeLessThan(tenths + 1);
      }),
      { seed: 113 },
    );
  });
});
