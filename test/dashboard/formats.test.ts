import { describe, expect, test } from "vitest";
import type { Texts } from "../../src/dashboard/app/preferences.tsx";
import { curlText } from "../../src/dashboard/format/curl.ts";
import { formatDuration, formatMinutes } from "../../src/dashboard/format/durations.ts";
import { formatChange, formatKw, formatNumber, roundParts, tickDecimals } from "../../src/dashboard/format/numbers.ts";
import { instantsInZone, parseDay } from "../../src/dashboard/format/parseTime.ts";
import { isoOf, TimeFormats } from "../../src/dashboard/format/times.ts";
import { textOf } from "../../src/texts/catalogue.ts";

const AT_MS = Date.UTC(2026, 4, 19, 22, 52, 10);
const tokyo = new TimeFormats("Asia/Tokyo", "en");

const english: Texts["t"] = (key, values) => textOf("en", key, values);

describe("numbers", () => {
  test.each([
    [-1628.34, 1, "−1,628.3"],
    [1234567.05, 0, "1,234,567"],
    [-0.04, 1, "0.0"],
    [999.96, 1, "1,000.0"],
  ])("%d with %i decimals is %s", (value, decimals, text) => expect(formatNumber(value, decimals)).toBe(text));

  test("parts sum to their total as it is shown", () => {
    expect(roundParts([100.04, 50.04, 0.04], 150.12)).toEqual([100.1, 50, 0]);
    expect(roundParts([0.25, 0.25], 0.5)).toEqual([0.3, 0.2]);
    expect(roundParts([], 0)).toEqual([]);
  });

  test("only changes have a plus, and none at 0", () => {
    expect([formatKw(5), formatChange(5), formatChange(-5), formatChange(0.04)]).toEqual([
      "5.0",
      "+5.0",
      "−5.0",
      "0.0",
    ]);
  });

  test("ticks have the decimals that they need", () => {
    expect([tickDecimals([0, 500]), tickDecimals([0, 0.5]), tickDecimals([0.25])]).toEqual([0, 1, 2]);
  });
});

describe("instants", () => {
  test("are in the scenario's zone", () => {
    expect(tokyo.clock(AT_MS)).toBe("07:52:10");
    expect(tokyo.day(AT_MS)).toBe("Wed 20 May 2026");
    expect(tokyo.iso(AT_MS)).toBe("2026-05-20T07:52:10+09:00");
    expect(tokyo.zoneName(AT_MS)).toBe("JST");
    expect(new TimeFormats("Asia/Tokyo", "ja").day(AT_MS)).toContain("2026年5月20日");
  });

  test("name the day where it is another one", () => {
    expect(tokyo.instant(AT_MS, AT_MS + 3_600_000)).toBe("07:52");
    expect(tokyo.instant(AT_MS - 86_400_000, AT_MS)).toBe("19 May 07:52");
    expect(tokyo.exactInstant(AT_MS - 86_400_000, AT_MS)).toBe("19 May 07:52:10");
    expect(tokyo.exactInstant(AT_MS - 10_000, AT_MS)).toBe("07:52");
  });

  test("go to the APIs in whole UTC seconds", () => expect(isoOf(AT_MS + 900)).toBe("2026-05-19T22:52:10Z"));

  test.each([
    ["Asia/Tokyo", "2026-05-20T07:52", Date.UTC(2026, 4, 19, 22, 52)],
    ["Europe/Berlin", "2026-03-29T01:30", Date.UTC(2026, 2, 29, 0, 30)],
    ["Europe/Berlin", "2026-03-29T03:30", Date.UTC(2026, 2, 29, 1, 30)],
    // An hour that is skipped, and one that comes twice: at 02:30 in summer time, and again in winter time.
    ["Europe/Berlin", "2026-03-29T02:30", Date.UTC(2026, 2, 29, 1, 30)],
    ["Europe/Berlin", "2026-10-25T02:30", Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)],
    ["Europe/Berlin", "2026-10-25T03:00", Date.UTC(2026, 9, 25, 2, 0)],
    ["UTC", "2026-01-01T00:00:05", Date.UTC(2026, 0, 1, 0, 0, 5)],
  ])("are read in %s from %s", (zone, text, ...instants) => {
    expect(instantsInZone(text, new TimeFormats(zone, "en"))).toEqual(instants);
  });

  test("are not read from other text", () => expect(instantsInZone("soon", tokyo)).toEqual([]));

  test.each([
    ["2026-05-20", "2026-05-20"],
    ["2026/05/20", "2026-05-20"],
    ["20260520", "2026-05-20"],
    ["2026-05-2", null],
    ["2026-02-30", null],
    ["20 May", null],
  ])("a typed day %s is %s", (text, day) => expect(parseDay(text)).toBe(day));

  test("last seconds, minutes or hours", () => {
    const texts = [60, 90, 660, 3_540, 3_600, 9_540].map((seconds) => formatDuration(seconds, english));
    expect([...texts, formatMinutes(200, english)]).toEqual([
      "1\u00a0min",
      "90\u00a0s",
      "11\u00a0min",
      "59\u00a0min",
      "1\u00a0h",
      "2\u00a0h 39\u00a0min",
      "3\u00a0h 20\u00a0min",
    ]);
  });
});

test("curl shows no token, and quotes for a shell", () => {
  const text = curlText({
    method: "POST",
    url: "http://127.0.0.1:8080/sandbox/notes",
    headers: { Authorization: "Bearer abc", "x-sandbox-token": "s3cret", "content-type": "application/json" },
    body: { text: "it's" },
  });
  expect(text).not.toMatch(/abc|s3cret/);
  expect(text.split(" \\\n  ")).toEqual([
    "curl -X POST 'http://127.0.0.1:8080/sandbox/notes'",
    '-H "Authorization: Bearer $ACCESS_TOKEN"',
    '-H "x-sandbox-token: $SANDBOX_TOKEN"',
    "-H 'content-type: application/json'",
    `-d '{"text":"it'\\''s"}'`,
  ]);
});
