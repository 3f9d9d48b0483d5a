import { expect, test } from "vitest";
import { dailyCashChart } from "../../../src/report/html/charts/cashCalendar.ts";
import { textsIn } from "../../../src/report/html/page/pageLocale.ts";

const days = (amountOf: (k: number) => number) =>
  Array.from({ length: 60 }, (_, k) => ({
    day: new Date(Date.UTC(2026, 3, 1 + k)).toISOString().slice(0, 10),
    amount: amountOf(k),
  }));

/** Colour and shade of each day, and then of the steps of the scale. */
function cellsOf(amountOf: (k: number) => number): string[] {
  const chart = dailyCashChart(days(amountOf), "JPY", textsIn("en"));
  const { text } = chart.draw(chart);
  return [...text.matchAll(/--swatch:var\(--(s\d)\);--shade:(\d+)%/g)].map(([, colour, shade]) => `${colour} ${shade}`);
}

test("a calendar shades gains and losses around 0, each day by its amount", () => {
  const cells = cellsOf((k) => 10 * (k - 20));
  expect(cells.slice(0, 60).at(-1)).toBe("s1 100");
  expect(cells[20]).toBe("s1 8");
  // −200 of 390.
  expect(cells[0]).toBe(`s2 ${Math.round(8 + (92 * 200) / 390)}`);
  expect(new Set(cells.slice(0, 60)).size).toBeGreaterThan(40);
  expect(cells.slice(60)).toEqual(["s2 100", "s2 54", "s1 8", "s1 54", "s1 100"]);
});

test("a calendar of gains alone is shaded from the smallest to the largest", () => {
  const cells = cellsOf((k) => 1_000_000 + k);
  expect([cells[0], cells[59]]).toEqual(["s1 8", "s1 100"]);
  expect(cells.slice(60)).toEqual(["s1 8", "s1 31", "s1 54", "s1 77", "s1 100"]);
});

test.each([
  ["en", "1 Apr 2026", "Apr 2026", "30 May 2026: 59 JPY"],
  ["ja", "2026年4月1日", "2026年4月", "2026年5月30日: 59 JPY"],
] as const)("days are dates of the page in %s", (language, day, month, title) => {
  const bars = dailyCashChart(days((k) => k).slice(0, 3), "JPY", textsIn(language));
  const months = dailyCashChart(
    days((k) => k),
    "JPY",
    textsIn(language),
  );
  const texts = [bars, months].map((chart) => `${chart.caption} ${chart.draw(chart).text}`);
  expect(texts[0]).toContain(`<span class="name">${day}</span>`);
  expect(texts[1]).toContain(`<th scope="row">${month}</th>`);
  expect(texts[1]).toContain(`title="${title}"`);
  for (const text of texts) {
    expect(text).toContain(day);
    expect(text).not.toMatch(/\d{4}-\d\d/);
  }
});
