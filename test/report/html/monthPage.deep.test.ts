// The pages of a month and a year in Chromium: no text on another, nothing wider than the page, few printed pages, true data.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { largestOf, smallestOf } from "../../../src/base/lists.ts";
import { MS_PER_DAY } from "../../../src/base/time.ts";
import type { BinsJson } from "../../../src/report/html/charts/chartJson.ts";
import { renderReportHtml } from "../../../src/report/html/page/reportPage.ts";
import { CHROMIUM, needingChromium } from "../../needing.ts";
import { at, batterySites, eastVpp, parseAwards, parseEvents, runSites } from "../../simulation/smallWorld.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { reportPageOf, yearRecord } from "./reportFixtures.ts";

/** Evaluated in the page: pairs of texts in one figure or table whose boxes overlap. */
const OVERLAPS = `(() => {
  const found = [];
  for (const box of document.querySelectorAll("figure, .card, .tiles > li, table")) {
    const texts = [];
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!node.data.trim() || !parent.checkVisibility() || parent.closest(".chart-tip, .chart-status, svg, select, script, th button")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { left, right, top, bottom } of range.getClientRects())
        if (right - left > 1 && bottom - top > 1) texts.push({ text: node.data.trim(), left, right, top, bottom });
    }
    texts.forEach((a, k) => texts.slice(k + 1).forEach((b) => {
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 1 && height > 3) found.push(a.text + " | " + b.text);
    }));
  }
  return found;
})()`;

/** Evaluated in the page: open tables that must be scrolled sideways. */
const SCROLLED = `[...document.querySelectorAll(".scroll")]
  .filter((box) => box.checkVisibility() && box.clientWidth + 1 < box.scrollWidth)
  .map((box) => box.getAttribute("aria-label"))`;

/** Evaluated in the page: labels of axes that reach out of their chart. */
const OUTSIDE = `[...document.querySelectorAll(".plot .rows span")]
  .filter((label) => label.getBoundingClientRect().left + 1 < label.closest(".plot").getBoundingClientRect().left)
  .map((label) => label.textContent)`;

/** Forty days of a real world with awards, an outage and a shortfall. */
function monthRecord() {
  const sites = [...batterySites(200, 150).map((site, k) => ({ ...site, name: `bat-${k + 1}` }))];
  const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;
  const hours = Array.from({ length: 20 }, (_, k) => `${clock(k + 1)}-${clock(k + 2)} ${k % 2 === 0 ? -330 : 300}`);
  const { record } = runSites(sites, {
    endMs: at("00:00") + 31 * MS_PER_DAY,
    vpps: [eastVpp(sites, [100, 100])],
    awards: parseAwards(...hours).map((award) => ({ ...award, penaltyJpyPerKwh: 30, priceJpyPerKwh: 12 })),
    events: parseEvents("outage 0 05:30-07:15"),
  });
  return record;
}

needingChromium.describe("pages of long runs", () => {
  const folder = createTemporaryFolder("months");
  const month = monthRecord();
  const files = { month: join(folder, "month.html"), year: join(folder, "year.html") };
  let browser: Browser;

  beforeAll(async () => {
    writeFileSync(files.month, renderReportHtml(reportPageOf(month, { timezone: "UTC" })));
    writeFileSync(files.year, renderReportHtml(reportPageOf(yearRecord())));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterAll(() => browser?.close());

  test.each([
    ["month", 1280, "light"],
    ["month", 1920, "dark"],
    ["year", 1280, "dark"],
    ["year", 1920, "light"],
  ] as const)(
    "%s at %i pixels, %s: no text lies on another, nothing is scrolled sideways",
    async (span, width, scheme) => {
      const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height: 900 } });
      const messages: string[] = [];
      page.on("console", (message) => messages.push(message.text()));
      page.on("pageerror", (error) => messages.push(error.message));
      await page.goto(pathToFileURL(files[span]).href);
      await page.waitForTimeout(200);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await page.evaluate(SCROLLED)).toEqual([]);
      expect(await page.evaluate(OVERLAPS)).toEqual([]);
      expect(await page.evaluate(OUTSIDE)).toEqual([]);
      expect(messages).toEqual([]);
      await page.close();
    },
  );

  test.each([
    ["month", 10],
    ["year", 12],
  ] as const)("%s on at most %i printed pages", async (span, pagesMax) => {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(files[span]).href);
    const pdf = (await page.pdf({ format: "A4", printBackground: true })).toString("latin1");
    expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(pagesMax);
    await page.close();
  });

  test("the bins in the page reach the extremes of sites.csv", async () => {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(files.month).href);
    const text = await page.locator('script[data-series="soc"]').first().textContent();
    const { bin_ms, series } = JSON.parse(text ?? "") as BinsJson;
    expect(bin_ms).toBe(3_600_000);
    for (const { site, socMinPct, socMaxPct } of month.sites) {
      const own = series.find(({ name }) => name === site);
      expect(Math.abs(largestOf(own?.max.map(Number) ?? []) - (socMaxPct ?? 0))).toBeLessThanOrEqual(0.1);
      expect(Math.abs(smallestOf(own?.min.map(Number) ?? []) - (socMinPct ?? 0))).toBeLessThanOrEqual(0.1);
    }
    await page.close();
  });

  test("a zoom to ten days or less shows the curves, a longer one the band", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(pathToFileURL(files.month).href);
    const heads = () =>
      page.evaluate(`(() => {
        const table = document.querySelector("#delivery-1 .chart-table");
        table.open = true;
        return new Promise((resolve) => setTimeout(() => resolve([...table.querySelectorAll("th")].map((cell) => cell.textContent)), 50));
      })()`);
    expect(await heads()).toEqual(["Time", "Lowest (kW)", "Mean (kW)", "Highest (kW)"]);
    const plot = page.locator("#delivery-1 .chart-plot");
    await plot.focus();
    for (let k = 0; k < 2; k++) await page.keyboard.press("+");
    expect(await heads()).toEqual(["Time", "Requested (kW)", "Delivered (kW)"]);
    await page.keyboard.press("0");
    expect(await heads()).toEqual(["Time", "Lowest (kW)", "Mean (kW)", "Highest (kW)"]);
    await page.close();
  });
});
