import { describe, expect, test } from "vitest";
import { MS_PER_DAY, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../src/base/time.ts";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { awardPatternKw } from "../../src/inputs/datagen/awardPattern.ts";
import { drawOutages } from "../../src/inputs/datagen/fleetFiles.ts";
import { JST_OFFSET_MS } from "../../src/inputs/datagen/timeGrid.ts";

describe("outages", () => {
  const period = { startMs: 0, endMs: 365 * MS_PER_DAY };
  const rates = { meanUptimeMs: 584 * MS_PER_HOUR, meanRepairMs: 4 * MS_PER_HOUR };
  const names = Array.from({ length: 100 }, (_, k) => `site-${k}`);

  test("come as often and last as long as their means say", () => {
    const outages = drawOutages(period, names, rates, new RandomStreams(1));
    // 100 sites · 8760 h / 588 h = 1490; its standard deviation is about 39.
    expect(Math.abs(outages.length - 1490)).toBeLessThan(4 * 39);
    const hours = outages.reduce((sum, { durationMs }) => sum + durationMs, 0) / outages.length / MS_PER_HOUR;
    expect(Math.abs(hours - 4)).toBeLessThan(0.5);
  });

  test("are in order, in whole seconds, apart from each other at a site, and end with the period", () => {
    const outages = drawOutages(period, names, { ...rates, meanUptimeMs: 20 * MS_PER_HOUR }, new RandomStreams(2));
    const freeFrom = new Map<string, number>();
    let last = 0;
    const wrong = outages.filter(({ atMs, site, durationMs }) => {
      const fits = last <= atMs && (freeFrom.get(site) ?? 0) < atMs && atMs + durationMs <= period.endMs;
      last = atMs;
      freeFrom.set(site, atMs + durationMs);
      return !fits || durationMs <= 0 || (atMs % 1000) + (durationMs % 1000) !== 0;
    });
    expect(wrong).toEqual([]);
    expect(outages.length).toBeGreaterThan(30_000);
    expect(outages.some(({ atMs, durationMs }) => atMs + durationMs === period.endMs)).toBe(true);
  });

  test("of one site do not depend on the others", () => {
    const alone = drawOutages(period, ["site-7"], rates, new RandomStreams(1));
    const among = drawOutages(period, names, rates, new RandomStreams(1)).filter(({ site }) => site === "site-7");
    expect(among).toEqual(alone);
    expect(alone.length).toBeGreaterThan(0);
  });
});

describe("award patterns", () => {
  const grid = {
    startMs: -JST_OFFSET_MS,
    endMs: 100 * MS_PER_DAY - JST_OFFSET_MS,
    stepMs: MS_PER_HALF_HOUR,
    utcOffsetMs: JST_OFFSET_MS,
  };
  const pattern = {
    name: "p",
    amplitudeKw: 1000,
    amplitudeSpreadKw: 0,
    offsetKw: -100,
    noiseKw: 0,
    minKw: 50,
    maxKw: 1050,
  };

  test("charge before dawn and after noon and discharge between", () => {
    const deltasKw = awardPatternKw(grid, pattern, new RandomStreams(1));
    // Middles of half hours, 15 minutes beside the crest: cos(7.5°) = 0.99144; 1000 · 0.99144 - 100 = 891.4.
    expect([deltasKw[2], deltasKw[3], deltasKw[26], deltasKw[27]]).toEqual([891.4, 891.4, 891.4, 891.4]);
    // At the trough -991.4 - 100, cut to the greatest size.
    expect([deltasKw[14], deltasKw[15], deltasKw[39]]).toEqual([-1050, -1050, -1050]);
  });

  test("keep to their sizes and to one decimal", () => {
    const noisy = { ...pattern, amplitudeSpreadKw: 500, noiseKw: 400 };
    const deltasKw = awardPatternKw(grid, noisy, new RandomStreams(1));
    expect(deltasKw.length).toBe(4800);
    for (const kw of deltasKw) {
      expect(Math.abs(kw)).toBeGreaterThanOrEqual(50);
      expect(Math.abs(kw)).toBeLessThanOrEqual(1050);
      expect(kw).toBe(Math.round(kw * 10) / 10);
    }
    expect(deltasKw.includes(50) || deltasKw.includes(-50)).toBe(true);
  });
});
