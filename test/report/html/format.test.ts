import { describe, expect, test } from "vitest";
import { MS_PER_DAY, MS_PER_HOUR } from "../../../src/base/time.ts";
import { formatCount, formatDuration, formatFixed, formatList } from "../../../src/report/html/page/format.ts";
import { html } from "../../../src/report/html/page/markup.ts";
import { createPageLocale } from "../../../src/report/html/page/pageLocale.ts";

test.each([
  [0, 1, "0.0"],
  [-0.04, 1, "0.0"],
  [-0.05, 1, "−0.1"],
  [1234.56, 1, "1,234.6"],
  [-1234567, 0, "−1,234,567"],
  [999.95, 1, "1,000.0"],
  [100, 0, "100"],
  [0.1234, 3, "0.123"],
])("%d with %d decimals is %s", (value, decimals, text) => {
  expect(formatFixed(value, decimals)).toBe(text);
});

test.each([
  [0, "0 s"],
  [45_000, "45 s"],
  [60_000, "1 min"],
  [90_000, "1 min 30 s"],
  [3 * MS_PER_HOUR, "3 h"],
  [1.5 * MS_PER_HOUR, "1 h 30 min"],
  [MS_PER_DAY, "24 h"],
  [2 * MS_PER_DAY, "2 d"],
  [52 * MS_PER_HOUR, "2 d 4 h"],
])("%d ms is %s", (durationMs, text) => {
  expect(formatDuration(durationMs).replaceAll("\u00a0", " ")).toBe(text);
});

test("words", () => {
  expect(formatCount(1, "site")).toBe("1\u00a0site");
  expect(formatCount(1200, "battery", "batteries")).toBe("1,200\u00a0batteries");
  expect([formatList([]), formatList(["a"]), formatList(["a", "b"]), formatList(["a", "b", "c"])]).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
});

test("markup escapes what is not markup", () => {
  expect(html`<p title="${`"'`}">${"<&>"}${html`<b>${1}</b>`}${[html`x`, "y"]}${null}${false}</p>`.text).toBe(
    '<p title="&quot;&#39;">&lt;&amp;&gt;<b>1</b>xy</p>',
  );
});

describe("instants in a time zone", () => {
  const clockOf = (timezone: string, start: string, end: string) =>
    createPageLocale("en", timezone, { startMs: Date.parse(start), endMs: Date.parse(end) });
  const tokyo = clockOf("Asia/Tokyo", "2026-03-31T15:00:00Z", "2026-04-01T15:00:00Z");

  test("seconds and milliseconds are printed where there are any", () => {
    const texts = ["00:00:00", "00:00:05", "00:00:05.040", "00:00:00.250"].map((time) =>
      tokyo.formatExact(Date.parse(`2026-04-01T${time}Z`)),
    );
    expect(texts).toEqual([
      "1 Apr 2026 09:00",
      "1 Apr 2026 09:00:05",
      "1 Apr 2026 09:00:05.040",
      "1 Apr 2026 09:00:00.250",
    ]);
  });

  test("a period repeats the date only where it changes", () => {
    const [a, b, c] = ["2026-04-01T00:00Z", "2026-04-01T01:30Z", "2026-04-01T15:00Z"].map(Date.parse);
    expect(tokyo.formatPeriod(a, b)).toBe("1 Apr 2026 09:00 to 10:30");
    expect(tokyo.formatPeriod(a, c)).toBe("1 Apr 2026 09:00 to 2 Apr 2026 00:00");
  });

  test("instants inside a text are converted, and nothing else", () => {
    expect(tokyo.localise("from 2026-04-01T00:00:00Z to 2026-04-01T00:00:00.500Z, A-2026-04-01T")).toBe(
      "from 1 Apr 2026 09:00 to 1 Apr 2026 09:00:00.500, A-2026-04-01T",
    );
  });

  test("the zone is named with its offsets, also if an offset applies in the middle of the run alone", () => {
    expect(tokyo.zoneText).toBe("Asia/Tokyo (UTC+09:00)");
    expect(clockOf("UTC", "2026-01-01T00:00Z", "2026-01-02T00:00Z").zoneText).toBe("UTC");
    const year = clockOf("Europe/Berlin", "2026-01-01T00:00Z", "2027-01-01T00:00Z");
    expect(year.zoneText).toBe("Europe/Berlin (UTC+01:00 and UTC+02:00)");
    expect(year.formatExact(Date.parse("2026-10-25T01:30:00.500Z"))).toBe("25 Oct 2026 02:30:00.500 +01:00");
  });
});

describe("ticks of a time axis", () => {
  const ticks = (timezone: string, start: string, end: string): string[] => {
    const period = { startMs: Date.parse(start), endMs: Date.parse(end) };
    return createPageLocale("en", timezone, period)
      .ticksBetween(period.startMs, period.endMs)
      .map(({ label }) => label);
  };
  test("a day", () => {
    const labels = ticks("Asia/Tokyo", "2026-03-31T15:00:00Z", "2026-04-01T15:00:00Z");
    expect(labels.join(" ")).toBe("1 Apr 02:00 04:00 06:00 08:00 10:00 12:00 14:00 16:00 18:00 20:00 22:00 2 Apr");
  });
  test("a day that is an hour short keeps its round local times", () => {
    const labels = ticks("Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z");
    expect(labels.join(" ")).toBe("29 Mar 03:00 04:00 06:00 08:00 10:00 12:00 14:00 16:00 18:00 20:00 22:00 30 Mar");
  });
  test("two weeks", () => {
    expect(ticks("UTC", "2026-01-01T06:00:00Z", "2026-01-15T06:00:00Z").join(" ")).toBe(
      "3 Jan 5 Jan 7 Jan 9 Jan 11 Jan 13 Jan 15 Jan",
    );
  });
  test("a year", () => {
    const labels = ticks("UTC", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z");
    expect(labels.join(" ")).toBe("Jan 2026 Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Jan 2027");
  });
  test("ten minutes", () => {
    expect(ticks("UTC", "2026-01-01T00:30:00Z", "2026-01-01T00:34:00Z").join(" ")).toBe(
      "00:30 00:31 00:32 00:33 00:34",
    );
  });
});
