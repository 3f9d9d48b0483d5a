import { describe, expect, test } from "vitest";
import { CAUSES } from "../../../src/accounting/settlement/causes.ts";
import { largestOf, sumOf } from "../../../src/base/lists.ts";
import { MS_PER_DAY, MS_PER_HOUR } from "../../../src/base/time.ts";
import { durationCurve } from "../../../src/report/html/charts/durationCurve.ts";
import { isSolid } from "../../../src/report/html/charts/envelopeData.ts";
import { coloursOf, quantileBounds, stepOf } from "../../../src/report/html/charts/heatMap.ts";
import { hourCells, hourSums, sumOfDays } from "../../../src/report/html/charts/hourSums.ts";
import { outageCalendar } from "../../../src/report/html/charts/outageCalendar.ts";
import { energyScale, formatEnergy, formatScaled } from "../../../src/report/html/page/format.ts";
import { groupDays, localDays } from "../../../src/report/html/page/localDays.ts";
import { createPageLocale } from "../../../src/report/html/page/pageLocale.ts";
import { renderReportHtml } from "../../../src/report/html/page/reportPage.ts";
import { at, batterySites, eastVpp, parseAwards, parseEvents, runSites } from "../../simulation/smallWorld.ts";
import { dayRecord, reportPageOf, START_MS, yearRecord } from "./reportFixtures.ts";

const tokyo = (record: { startMs: number; endMs: number }) => createPageLocale("en", "Asia/Tokyo", record);

describe("units", () => {
  test.each([
    [412.34, "412.3\u00a0kWh"],
    [99_999, "99,999\u00a0kWh"],
    [4_116_000, "4,116\u00a0MWh"],
    [95_680_000, "95.68\u00a0GWh"],
    [0, "0\u00a0kWh"],
  ])("%d kWh", (kwh, text) => expect(formatEnergy(kwh)).toBe(text));

  test("a sum and its parts have the unit and the decimals of the largest", () => {
    const scale = energyScale([13_646_239, 678_761, 14_325_000]);
    expect([13_646_239, 678_761, 14_325_000].map((kwh) => formatScaled(kwh, scale))).toEqual([
      "13.65",
      "0.68",
      "14.33",
    ]);
  });
});

describe("energy of the hours of the clock", () => {
  const sites = batterySites(100);
  const ran = runSites(sites, {
    endMs: at("00:00") + 12 * MS_PER_DAY,
    vpps: [eastVpp(sites, [100])],
    awards: parseAwards("01:30-04:15 -150", "05:00-06:00 -40"),
    events: parseEvents("outage 0 02:00-03:30"),
  });
  const locale = createPageLocale("en", "UTC", ran.record);
  const sums = hourSums(ran.record, locale);

  test("sums to the awards, cause by cause", () => {
    const { awards } = ran.record;
    const total = (of: (award: (typeof awards)[number]) => number | null) =>
      sumOf(awards, (award) => Math.abs(of(award) ?? 0));
    expect(sumOf(sums.requestedKwh)).toBeCloseTo(
      total(({ requestedKwh }) => requestedKwh),
      6,
    );
    expect(sumOf(sums.deliveredKwh)).toBeCloseTo(
      total(({ deliveredKwh }) => deliveredKwh),
      2,
    );
    expect(sumOf(sums.shortfallKwh)).toBeCloseTo(
      total(({ shortfallKwh }) => shortfallKwh),
      2,
    );
    CAUSES.forEach((_, cause) =>
      expect(sumOf(sums.causesKwh[cause] ?? [])).toBeCloseTo(
        total((award) => award.shortfallByCauseKwh[cause]),
        2,
      ),
    );
  });

  test("is that of each hour: 50 kW lack from 01:30 on, all from 02:00 to 03:30", () => {
    const hours = [...sums.shortfallKwh.subarray(0, 6)].map(Math.round);
    expect(hours.slice(0, 3)).toEqual([0, 25, 150]);
    expect(hours[3]).toBeGreaterThanOrEqual(100);
    const days = localDays(ran.record, locale);
    expect(sumOfDays(sums.shortfallKwh, sums.hours, days[0])).toBeCloseTo(sumOf(sums.shortfallKwh), 9);
    expect(sumOfDays(sums.shortfallKwh, sums.hours, days[1])).toBe(0);
  });
});

test("a day of 23 and one of 25 hours: the hours of the clock", () => {
  const startMs = Date.parse("2026-03-28T23:00:00Z");
  const record = { startMs, endMs: Date.parse("2026-03-30T22:00:00Z") };
  const locale = createPageLocale("en", "Europe/Berlin", record);
  const days = localDays(record, locale);
  expect(days.map(({ day, startMs, endMs }) => [day, (endMs - startMs) / MS_PER_HOUR])).toEqual([
    [29, 23],
    [30, 24],
  ]);
  const hours = { startMs, binMs: MS_PER_HOUR, count: 47 };
  const cells = hourCells(new Float64Array(47).fill(1), hours, days, { locale, combine: (a, b) => a + b });
  expect(cells.filter(({ day }) => day === 0).map(({ hour }) => hour)).toEqual([
    0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
  ]);
  // The hour from 02:00 comes twice in autumn, and is one cell with both.
  const autumn = { startMs: Date.parse("2026-10-24T22:00:00Z"), endMs: Date.parse("2026-10-25T23:00:00Z") };
  const autumnLocale = createPageLocale("en", "Europe/Berlin", autumn);
  const twice = hourCells(
    new Float64Array(25).fill(1),
    { startMs: autumn.startMs, binMs: MS_PER_HOUR, count: 25 },
    localDays(autumn, autumnLocale),
    { locale: autumnLocale, combine: (a, b) => a + b },
  );
  expect(twice).toHaveLength(24);
  expect(twice[2]).toMatchObject({ hour: 2, value: 2 });
});

test("days are grouped by months from 63 days on", () => {
  const groups = (days: number) => {
    const record = { startMs: START_MS, endMs: START_MS + days * MS_PER_DAY };
    return groupDays(localDays(record, tokyo(record)), tokyo(record)).map(({ label }) => label);
  };
  expect(groups(62)).toHaveLength(62);
  expect(groups(63)).toEqual(["Apr", "May", "Jun"]);
});

describe("steps of a map", () => {
  test("hold equal numbers of the values above 0", () => {
    const bounds = quantileBounds([0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 5, 0);
    expect(bounds).toEqual([3, 5, 7, 9]);
    expect([1, 3, 4, 10].map((value) => stepOf(value, bounds))).toEqual([0, 0, 1, 4]);
  });

  test("are fewer where values repeat, and reach the strongest colour", () => {
    const bounds = quantileBounds([5, 10, 10, 10], 3, 0);
    expect(bounds).toEqual([]);
    expect(coloursOf(bounds, ["h1", "h2", "h3"])).toEqual(["h3"]);
    expect(coloursOf([1], ["h1", "h2", "h3"])).toEqual(["h1", "h3"]);
  });
});

test("a band that fills four fifths of the window on four fifths of the days is solid", () => {
  const bins = { startMs: 0, binMs: MS_PER_DAY / 2, count: 20 };
  const band = (fullDays: number) => ({
    bins,
    min: Float64Array.from({ length: 20 }, (_, k) => (k % 2 === 0 ? 5 : 60)),
    mean: new Float64Array(20),
    max: Float64Array.from({ length: 20 }, (_, k) => (k >= 2 * fullDays ? 70 : k % 2 === 0 ? 40 : 95)),
  });
  expect(isSolid(band(9), [0, 100])).toBe(true);
  expect(isSolid(band(8), [0, 100])).toBe(false);
});

describe("duration curves", () => {
  const curve = (valuesKw: number[]) =>
    durationCurve({ id: "d", title: "Power", valuesKw: Float64Array.from(valuesKw), locale: tokyo(dayRecord()) });
  const drawn = (valuesKw: number[]) => curve(valuesKw)?.draw({ id: "d", altText: "" }).text ?? "";

  test("fall from the largest hour, and mark 1 and 10 % of the time", () => {
    const text = drawn(Array.from({ length: 100 }, (_, k) => k + 1));
    expect(text).toContain("1 % of the time: over 99\u00a0kW");
    expect(text).toContain("10 % of the time: over 90\u00a0kW");
    // From 100 kW, the end of the axis, to 1 kW at the end.
    expect(text).toMatch(/class="line" d="M0 0L10 10L20 20L.*L990 990L1000 990"/);
    expect(curve([0, 0])).toBeNull();
  });

  test("have a logarithmic axis only where the largest is over 100 times the median", () => {
    expect(curve([100, 1, 1])?.caption).not.toContain("logarithmic");
    expect(curve([101, 1, 1])?.caption).toContain("logarithmic");
    expect(curve([101, 0, 0])?.caption).not.toContain("logarithmic");
  });
});

test("a day of the calendar has the hours of all sites, beyond midnight too", () => {
  const record = { startMs: START_MS, endMs: START_MS + 40 * MS_PER_DAY };
  const outage = (site: string, fromHour: number, toHour: number) => ({
    site,
    startMs: START_MS + fromHour * MS_PER_HOUR,
    endMs: START_MS + toHour * MS_PER_HOUR,
    planned: false,
  });
  const chart = outageCalendar([outage("a", 22, 27), outage("b", 0, 1.5)], { locale: tokyo(record), span: record });
  const text = chart?.draw({ id: "outages", altText: "" }).text ?? "";
  expect(chart?.caption).toContain("7 h in 2 outages");
  // 1 April 2026 is a Wednesday.
  expect(text).toContain('style="grid-area:3/1" title="1 Apr 2026\n3.5\u00a0h"');
  expect(text).toContain('style="grid-area:4/1" title="2 Apr 2026\n3.0\u00a0h"');
  expect(text.match(/<i /g)).toHaveLength(40);
});

describe("money", () => {
  const sites = batterySites(100);
  const ran = runSites(sites, {
    endMs: at("00:00") + 12 * MS_PER_DAY,
    vpps: [eastVpp(sites, [100])],
    awards: parseAwards("01:30-04:15 -150", "05:00-06:00 -40").map((award) => ({ ...award, penaltyJpyPerKwh: 30 })),
  });
  const locale = createPageLocale("en", "UTC", ran.record);

  test("the penalties of the hours sum to the key figure", () => {
    const { penaltyJpy, shortfallKwh } = hourSums(ran.record, locale);
    // 50 kW lack for 2.75 h, at 30 JPY/kWh.
    expect(sumOf(penaltyJpy)).toBeCloseTo(2.75 * 50 * 30, 6);
    penaltyJpy.forEach((jpy, hour) => expect(jpy).toBeCloseTo(30 * shortfallKwh[hour], 9));
    expect(ran.record.kpis.get("penalty_jpy")).toBeCloseTo(2.75 * 50 * 30, 6);
  });

  test("the page has the worst awards by money, and margins by day", () => {
    const page = renderReportHtml(reportPageOf(ran.record, { timezone: "UTC" }));
    expect(page).toContain("By penalty. All 2 awards: awards.csv");
    expect(page).toContain("Margin of awards by day");
    expect(page).toMatch(/<title>[^<]*\n50\.00\u00a0kWh\n1,500\u00a0JPY<\/title>/);
  });
});

describe("the page of a year", () => {
  const record = yearRecord();
  const page = renderReportHtml(reportPageOf(record));
  const positionOf = (id: string) => page.indexOf(`<section id="${id}"`);

  test("has its sections in order, and what is read seldom folded", () => {
    const ids = [
      "summary",
      "by-month",
      "day-hour",
      "worst",
      "duration",
      "delivery",
      "site-chart",
      "charge",
      "availability",
      "sites",
      "glossary",
    ];
    const places = ids.map(positionOf);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(page.slice(positionOf("chronology"), positionOf("glossary"))).toContain('<details class="folded">');
  });

  test("names the months, and has a cell for each hour with a shortfall", () => {
    const heat = page.slice(positionOf("day-hour"), positionOf("worst"));
    expect(heat).toContain(">Apr</span>");
    const cells =
      heat.match(/<rect y="\d+" class="h[1-5]"><title>\d+ \w{3} 202[67] \d\d:00\n[\d,.]+\u00a0kWh<\/title>/g) ?? [];
    const { shortfallKwh } = hourSums(record, tokyo(record));
    expect(cells).toHaveLength(shortfallKwh.filter((kwh) => kwh >= 0.05).length);
    expect(largestOf(shortfallKwh)).toBeGreaterThan(0);
  });

  test("lists the 20 worst sites and names the file with all", () => {
    const table = page.slice(positionOf("sites"), page.indexOf("</section>", positionOf("sites")));
    expect(table.match(/<tr>/g)).toHaveLength(21);
    expect(table).toContain("sites.csv has all");
  });
});
