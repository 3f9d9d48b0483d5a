// Opens the page in Chromium if it is installed: no requests, no horizontal overflow, and tables can be sorted.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderReportHtml } from "../../../src/report/html/page/reportPage.ts";
import { dayRecord, reportPageOf } from "./reportFixtures.ts";

const CHROMIUM = "/usr/bin/chromium";
const present = existsSync(CHROMIUM);
if (!present) console.log(`skipped: no browser at ${CHROMIUM}`);

describe.skipIf(!present)("in a browser", () => {
  // The environment variable SCREENSHOT_DIR keeps the screenshots.
  const folder = process.env.SCREENSHOT_DIR ?? mkdtempSync(join(tmpdir(), "vppsim-report-"));
  const file = join(folder, "report.html");
  let browser: Browser;

  beforeAll(async () => {
    writeFileSync(file, renderReportHtml(reportPageOf(dayRecord())));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterAll(async () => {
    await browser?.close();
    if (process.env.SCREENSHOT_DIR === undefined) rmSync(folder, { recursive: true });
  });

  test.each([
    ["light", 1280, "wide"],
    ["dark", 1280, "wide"],
    ["light", 390, "narrow"],
  ] as const)("%s, %i pixels", async (colorScheme, width, drawing) => {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    const messages: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await page.screenshot({ path: join(folder, `${colorScheme}-${width}.png`), fullPage: true });
    expect(messages).toEqual([]);
    expect(requests).toEqual([pathToFileURL(file).href]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await page.locator(`svg.${drawing}:visible`).count()).toBe(13);
    expect(await page.locator("svg.chart:visible").count()).toBe(13);
    const background = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(background).toBe(colorScheme === "dark" ? "rgb(15, 20, 26)" : "rgb(245, 247, 249)");
    await page.close();
  });

  test("a click sorts a column by value, with empty cells last", async () => {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    const column = "#awards tbody td:nth-child(10)";
    const button = page.locator("#awards th:nth-child(10) button");
    await button.click();
    expect(await page.locator(column).allTextContents()).toEqual(["412.3", "318.6", "17.5", "0.0", "0.0", "–", "–"]);
    await button.click();
    expect(await page.locator(column).allTextContents()).toEqual(["0.0", "0.0", "17.5", "318.6", "412.3", "–", "–"]);
    await page.close();
  });
});
