import { describe, expect, test } from "vitest";
import { languageOf } from "../../src/cli/languageFlag.ts";
import { createPageLocale } from "../../src/report/html/page/pageLocale.ts";

const DAY = { startMs: Date.parse("2026-05-19T15:00:00Z"), endMs: Date.parse("2026-05-20T15:00:00Z") };
const en = createPageLocale("en", "Asia/Tokyo", DAY);
const ja = createPageLocale("ja", "Asia/Tokyo", DAY);
const MINUTE = 60_000;

describe("the locale of a page", () => {
  test.each([
    [0, "0 s", "0秒"],
    [45_000, "45 s", "45秒"],
    [90 * MINUTE, "1 h 30 min", "1時間30分"],
    [180 * MINUTE, "3 h", "3時間"],
    [47 * 60 * MINUTE, "47 h", "47時間"],
    [52 * 60 * MINUTE, "2 d 4 h", "2日4時間"],
  ])("writes a duration of %i ms", (durationMs, english, japanese) => {
    expect(en.formatDuration(durationMs).replaceAll("\u00a0", " ")).toBe(english);
    expect(ja.formatDuration(durationMs)).toBe(japanese);
  });

  test("writes instants, periods and lists", () => {
    const atMs = Date.parse("2026-05-19T22:41:00Z");
    expect(en.formatLong(atMs)).toBe("Wed 20 May 2026, 07:41");
    expect(ja.formatLong(atMs)).toBe("2026年5月20日（水）7:41");
    expect(ja.formatShort(atMs)).toBe("2026年5月20日 7:41");
    expect(en.formatPeriod(DAY.startMs, atMs)).toBe("20 May 2026 00:00 to 07:41");
    expect(ja.formatPeriod(DAY.startMs, atMs)).toBe("2026年5月20日 0:00～7:41");
    expect([en, ja].map(({ formatList }) => formatList(["a", "b", "c"]))).toEqual(["a, b and c", "a、b、c"]);
    const year = { startMs: DAY.startMs, endMs: DAY.startMs + 400 * 1440 * MINUTE };
    const ticks = createPageLocale("ja", "Asia/Tokyo", year).ticksBetween(year.startMs, year.endMs);
    expect(ticks.slice(0, 2).map(({ label }) => label)).toEqual(["2026年6月", "7月"]);
    expect(ja.ticksBetween(DAY.startMs, DAY.endMs)[0].label).toBe("5月20日");
  });

  test("escapes the values of a text, and not its words", () => {
    expect(en.rich("time.period", { start: "<b>", end: en.renderTime(DAY.startMs) }).text).toBe(
      '&lt;b&gt; to <time datetime="2026-05-19T15:00:00Z">20 May 2026 00:00</time>',
    );
  });
});

test("--lang is en or ja", () => {
  expect([undefined, "en", "ja"].map(languageOf)).toEqual([undefined, "en", "ja"]);
  expect(() => languageOf("fr")).toThrow('--lang: found "fr", allowed en or ja');
});
