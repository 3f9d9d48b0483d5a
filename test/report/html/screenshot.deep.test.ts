// Opens the page in Chromium if it is installed: no requests, no horizontal overflow, and tables can be sorted.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inflateSync } from "node:zlib";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderFigure, svgInSizes } from "../../../src/report/html/charts/chart.ts";
import { dataTable } from "../../../src/report/html/page/dataTable.ts";
import { renderDocument } from "../../../src/report/html/page/document.ts";
import { html } from "../../../src/report/html/page/markup.ts";
import { textsIn } from "../../../src/report/html/page/pageLocale.ts";
import { renderReportHtml } from "../../../src/report/html/page/reportPage.ts";
import { CHROMIUM, needingChromium } from "../../needing.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { dayRecord, reportPageOf } from "./reportFixtures.ts";

/** Pages of a PDF by Chromium, and how often a letter is painted. */
function readPdf(pdf: Buffer): { readonly pageCount: number; readonly countLetter: (letter: string) => number } {
  const text = pdf.toString("latin1");
  const streams = [...text.matchAll(/stream\r?\n/g)].flatMap(({ 0: mark, index }) => {
    const start = index + mark.length;
    try {
      return [inflateSync(pdf.subarray(start, text.indexOf("endstream", start))).toString("latin1")];
    } catch {
      return [];
    }
  });
  const countLetter = (letter: string): number => {
    const code = letter.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase();
    // Lines `<glyph> <character>` of the maps from glyphs to characters.
    const glyphs = new Set(
      streams
        .flatMap((stream) => [...stream.matchAll(/^<(\w{4})> <(\w{4})>$/gm)])
        .filter(([, , character]) => character === code)
        .map(([, glyph]) => glyph),
    );
    const painted = streams.flatMap((stream) => [...stream.matchAll(/<(\w+)> Tj/g)]).map(([, hex]) => hex);
    return painted.flatMap((hex) => hex.match(/\w{4}/g) ?? []).filter((glyph) => glyphs.has(glyph)).length;
  };
  return { pageCount: text.match(/\/Type \/Page\b/g)?.length ?? 0, countLetter };
}

/** Evaluated in the page: texts of table cells that take more than three lines. */
const TALL_CELLS = `[...document.querySelectorAll("thead th, td time, td .nb")].filter((node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 3;
}).map((node) => node.textContent)`;

needingChromium.describe("in a browser", () => {
  // The environment variable SCREENSHOT_DIR keeps the screenshots.
  const folder = process.env.SCREENSHOT_DIR ?? createTemporaryFolder("report");
  const file = join(folder, "report.html");
  let browser: Browser;

  beforeAll(async () => {
    writeFileSync(file, renderReportHtml(reportPageOf(dayRecord())));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterAll(() => browser?.close());

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
    // Two VPPs, one site, FCR capacity and state of charge are interactive.
    expect(await page.locator(".chart-plot canvas:visible").count()).toBe(5);
    // The flows of one site are drawn, eight charts are bars.
    expect(await page.locator(`svg.${drawing}:visible`).count()).toBe(1);
    expect(await page.locator("svg.chart:visible").count()).toBe(1);
    expect(await page.locator(".bars:visible").count()).toBe(8);
    const background = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(background).toBe(colorScheme === "dark" ? "rgb(15, 20, 26)" : "rgb(245, 247, 249)");
    await page.close();
  });

  test.each([
    [1280, 800],
    [1280, 400],
    [1920, 1080],
    [390, 844],
    [844, 390],
  ])("every entry of the contents can be reached from the end of the page: %i × %i", async (width, height) => {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.goto(pathToFileURL(file).href);
    await page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })");
    if (width <= 1100) await page.locator("nav summary").click();
    const links = page.locator("nav a");
    expect(await links.count()).toBeGreaterThan(12);
    for (const link of await links.all()) {
      await link.hover();
      const box = await link.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height + 0.5);
    }
    const last = links.last();
    await last.click();
    const target = await page.locator((await last.getAttribute("href")) ?? "").boundingBox();
    expect(target?.y).toBeLessThan(height);
    await page.close();
  });

  test("without scripts the contents stand open and cover nothing", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(pathToFileURL(file).href);
    expect(await page.locator("nav a:visible").count()).toBeGreaterThan(12);
    const navigation = await page.locator("nav").boundingBox();
    const title = await page.locator("h1").boundingBox();
    expect(title?.y).toBeGreaterThanOrEqual((navigation?.y ?? 0) + (navigation?.height ?? 0));
    await context.close();
  });

  test("a page of 1920 pixels is used over its whole breadth", async () => {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    await page.goto(pathToFileURL(file).href);
    const main = await page.locator("main").boundingBox();
    expect(main?.width).toBeGreaterThan(1600);
    await page.close();
  });

  test.each([
    [1920, "broad", 1600],
    [1280, "wide", 960],
    [390, "narrow", 300],
  ])("a lone drawing has the breadth of a page of %i pixels", async (width, name, drawnPx) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const figure = renderFigure({
      id: "lone",
      title: "",
      caption: "",
      altText: "",
      legend: [],
      draw: (chart) => svgInSizes(chart, 300, () => ({ className: "drawn", elements: "" })),
    });
    const section = { id: "s", contentsTitle: "", title: "", intro: "", body: figure };
    await page.setContent(
      renderDocument({ title: "", locale: textsIn("en"), header: html``, sections: [section], footer: html`` }),
    );
    const drawing = page.locator("svg.chart:visible");
    expect(await drawing.getAttribute("class")).toContain(name);
    expect((await drawing.boundingBox())?.width).toBeGreaterThan(drawnPx);
    await page.close();
  });

  test("no table and no figure is cut on an A4 page", async () => {
    const page = await browser.newPage({ viewport: { width: 718, height: 1000 } });
    await page.emulateMedia({ media: "print" });
    await page.goto(pathToFileURL(file).href);
    for (const kind of ["table", "figure", "svg.chart", "ul.tiles"]) {
      for (const part of await page.locator(`${kind}:visible`).all()) {
        const box = await part.boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0), kind).toBeLessThanOrEqual(718.5);
      }
    }
    // No word of a header, no short name and no time is broken into letters: three lines at most.
    expect(await page.evaluate(TALL_CELLS)).toEqual([]);
    await page.close();
  });

  test("a printed table repeats its header on every page", async () => {
    const page = await browser.newPage();
    // Only the header has the letter Q.
    const table = dataTable("rows", Array(215).fill("x"), [{ title: "Q", cell: (row) => row }]);
    await page.setContent(
      renderDocument({
        title: "",
        locale: textsIn("en"),
        header: table,
        sections: [],
        footer: html``,
      }),
    );
    const pdf = readPdf(await page.pdf({ format: "A4" }));
    expect(pdf.pageCount).toBeGreaterThan(3);
    expect(pdf.countLetter("Q")).toBe(pdf.pageCount);
    await page.close();
  });

  test("the chronology is filtered by kind and by text", async () => {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    const rows = page.locator("#chronology tbody tr:visible");
    expect(await rows.count()).toBe(10);
    await page.getByRole("button", { name: "Command (5)" }).click();
    expect(await rows.count()).toBe(5);
    await page.getByRole("searchbox").fill("bat-03");
    expect(await rows.count()).toBe(2);
    await page.emulateMedia({ media: "print" });
    expect(await rows.count()).toBe(10);
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
