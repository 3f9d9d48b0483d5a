import { describe, expect, test } from "vitest";
import { BugError } from "../../src/base/assert.ts";
import { RandomStream, RandomStreams } from "../../src/engine/kernel/randomStreams.ts";

const draws = (count: number, draw: () => number): number[] => Array.from({ length: count }, draw);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("xoshiro128**", () => {
  test("gives the outputs of the reference program", () => {
    // Outputs of the authors' xoshiro128starstar.c (version 1.1) from the state 1, 2, 3, 4, as published with the tests
    // of the Rust crate rand_xoshiro. The first is also quick by hand: rotl(2 * 5, 7) * 9 = 1280 * 9.
    const stream = new RandomStream([1, 2, 3, 4]);
    expect(draws(10, () => stream.nextUint32())).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  test("a unit takes 27 bits of one word and 26 of the next", () => {
    // 11520 >>> 5 = 360 and 0 >>> 6 = 0; then 5927040 >>> 5 = 185220 and 70819200 >>> 6 = 1106550.
    const stream = new RandomStream([1, 2, 3, 4]);
    expect(stream.nextUniform()).toBe(360 / 2 ** 27);
    expect(stream.nextUniform()).toBe((185_220 * 2 ** 26 + 1_106_550) / 2 ** 53);
  });

  test("refuses the state that never moves", () => {
    expect(() => new RandomStream([0, 0, 0, 0])).toThrow(BugError);
  });
});

describe("distributions", () => {
  const stream = () => new RandomStreams(4711).getStream("test", "distributions");

  test("units fall evenly into 100 classes", () => {
    const random = stream();
    const counts = new Array<number>(100).fill(0);
    for (let i = 0; i < 100_000; i++) counts[Math.floor(random.nextUniform() * 100)]++;
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // The 0.1 % and 99.9 % points of chi-square with 99 degrees of freedom are 60.3 and 149.4: too even is wrong too.
    expect(chiSquare).toBeGreaterThan(60.3);
    expect(chiSquare).toBeLessThan(149.4);
  });

  test("successive units are independent: pairs fall evenly into 10 by 10 classes", () => {
    const random = stream();
    const counts = new Array<number>(100).fill(0);
    for (let i = 0; i < 100_000; i++)
      counts[10 * Math.floor(random.nextUniform() * 10) + Math.floor(random.nextUniform() * 10)]++;
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeGreaterThan(60.3);
    expect(chiSquare).toBeLessThan(149.4);
  });

  test("exponential draws have their mean, and as standard deviation the same", () => {
    const random = stream();
    const values = draws(200_000, () => random.nextExponential(50));
    // Standard errors: 50 / sqrt(200000) = 0.112 of the mean, and 2.24 * 50^2 / sqrt(200000) * 2 = 25 of the mean square.
    expect(Math.abs(mean(values) - 50)).toBeLessThan(4 * 0.112);
    expect(Math.abs(mean(values.map((value) => value ** 2)) - 5000)).toBeLessThan(4 * 25);
    // A share exp(-1) = 0.3679 lies above the mean; standard error 0.00108.
    expect(Math.abs(values.filter((value) => value > 50).length / 200_000 - 0.3679)).toBeLessThan(4 * 0.00108);
    expect(Math.min(...values.slice(0, 50_000))).toBeGreaterThanOrEqual(0);
  });

  test("an exponential of mean 0 is 0", () => {
    expect(Math.abs(stream().nextExponential(0))).toBe(0);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("an exponential of mean %d is refused", (wrong) => {
    expect(() => stream().nextExponential(wrong)).toThrow(BugError);
  });

  test("normal draws have mean 0, variance 1 and the tails of the normal distribution", () => {
    const random = stream();
    const values = draws(200_000, () => random.nextNormal());
    // Standard errors: 1 / sqrt(n) = 0.00224 for the mean, sqrt(2 / n) = 0.00316 for the variance.
    expect(Math.abs(mean(values))).toBeLessThan(4 * 0.00224);
    expect(Math.abs(mean(values.map((value) => value ** 2)) - 1)).toBeLessThan(4 * 0.00316);
    // P(|x| > 1.96) = 0.0500; standard error 0.00049.
    expect(Math.abs(values.filter((x) => Math.abs(x) > 1.96).length / 200_000 - 0.05)).toBeLessThan(4 * 0.00049);
    // Both halves of a pair are independent: their mean product is 0.
    expect(Math.abs(mean(values.map((x, i) => (i % 2 === 0 ? x * values[i + 1] : 0))))).toBeLessThan(4 * 0.0016);
  });
});

describe("streams", () => {
  const first = (streams: RandomStreams, purpose: string, owner: string) =>
    draws(5, () => streams.getStream(purpose, owner).nextUint32());

  test("do not depend on which others exist, nor on the order of creation", () => {
    const alone = first(new RandomStreams(1), "outage", "b");
    const streams = new RandomStreams(1);
    first(streams, "outage", "a");
    first(streams, "fault", "b");
    expect(first(streams, "outage", "b")).toEqual(alone);
  });

  test("differ by seed, purpose and owner, however the two names are cut", () => {
    const names: [number, string, string][] = [
      [1, "outage", "a"],
      [2, "outage", "a"],
      [-1, "outage", "a"],
      [1, "fault", "a"],
      [1, "outage", "b"],
      [1, "outagea", ""],
      [1, "", "outagea"],
      [1, 'outage","a', ""],
    ];
    const beginnings = names.map(([seed, purpose, owner]) => first(new RandomStreams(seed), purpose, owner).join());
    expect(new Set(beginnings).size).toBe(names.length);
  });

  test("of the same name continue from their state", () => {
    const whole = first(new RandomStreams(9), "a", "b");
    const streams = new RandomStreams(9);
    expect(draws(5, () => streams.getStream("a", "b").nextUint32())).toEqual(whole);
    expect(new Set(whole).size).toBe(5);
  });

  test.each([0.5, Number.NaN, 2 ** 53])("refuse the seed %d", (seed) => {
    expect(() => new RandomStreams(seed)).toThrow(BugError);
  });

  test("restored from JSON draw the same remaining numbers, with the unused normal", () => {
    const stream = new RandomStreams(3).getStream("z", "1");
    stream.nextNormal();
    const stored = JSON.parse(JSON.stringify(stream.saveState()));
    const again = new RandomStreams(3).getStream("z", "1");
    again.restore(stored);
    expect(draws(5, () => again.nextNormal())).toEqual(draws(5, () => stream.nextNormal()));
  });
});
