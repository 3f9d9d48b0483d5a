// Interactive charts in Chromium, if it is installed: values under the pointer, zoom, choice of a site, print, no script.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderReportHtml } from "../../../src/report/html/page/reportPage.ts";
import { CHROMIUM, needingChromium } from "../../needing.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { dayRecord, reportPageOf } from "./reportFixtures.ts";

needingChromium.describe("interactive charts", () => {
  const folder = createTemporaryFolder("charts");
  const file = join(folder, "report.html");
  let browser: Browser;
  const messages: string[] = [];

  beforeAll(async () => {
    writeFileSync(file, renderReportHtml(reportPageOf(dayRecord())));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterAll(() => browser?.close());

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    // The zone of the reader is not that of the scenario.
    const page = await browser.newPage({
      viewport: { width: 1280, height: 900 },
      timezoneId: "Europe/Paris",
      ...options,
    });
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  /** Moves the pointer to a share of the plot's width. @returns the lines of the tooltip */
  async function hover(page: Page, figure: string, share: number): Promise<string[]> {
    const over = page.locator(`${figure} .u-over`);
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    if (box === null) throw new Error("the plot is visible");
    await page.mouse.move(box.x + 1 + share * box.width, box.y + 60);
    const lines = page.locator(`${figure} .chart-tip > *`);
    return (await lines.allInnerTexts()).map((line) => line.replaceAll("\u00a0", " ").replaceAll("\n", " ").trim());
  }

  async function drag(page: Page, figure: string, from: number, to: number): Promise<void> {
    const box = await page.locator(`${figure} .u-over`).boundingBox();
    if (box === null) throw new Error("the plot is visible");
    await page.mouse.move(box.x + from * box.width, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + to * box.width, box.y + 60, { steps: 4 });
    await page.mouse.up();
  }

  const ticks = async (page: Page, figure: string): Promise<readonly number[]> =>
    page.evaluate(`(() => {
      const table = document.querySelector("${figure} .chart-table");
      table.open = true;
      return new Promise((resolve) => setTimeout(() => resolve(
        [...table.querySelectorAll("tbody tr")].map((row) => row.cells[0].textContent)), 50));
    })()`);

  test("the values under the pointer are those of the record, in the scenario's zone", async () => {
    const page = await open();
    const deliveredKw = 600 * 0.99 * (1 - 0.04 * Math.sin(36 / 3) ** 2);
    // 03:00 of 24 h: A-1 requests 600 kW, of which 99 % less a small wave are delivered.
    const lines = await hover(page, "#delivery-1", 3 / 24);
    expect(lines[0]).toMatch(/^2026-04-01 0(2:59|3:0[0-3]):00$/);
    expect(lines[1]).toBe("Requested 600.0 kW");
    expect(lines[2]).toBe(`Delivered ${deliveredKw.toFixed(1)} kW`);
    expect(lines[3]).toBe("Awards A-1 600 kW (shortfall 17.5 kWh, mainly delay and ramp)");
    // 10:48: A-2 with 120 kW uncovered, and an outage of bat-03.
    const later = await hover(page, "#delivery-1", 10.8 / 24);
    expect(later).toContain("Requested −1,500.0 kW");
    expect(later).toContain("Missing 120.0 kW (Out of service)");
    expect(later.some((line) => line.startsWith("Outage bat-03"))).toBe(true);
    await page.close();
  });

  test("a drag zooms all charts to one period, and the button resets them", async () => {
    const page = await open();
    const whole = await ticks(page, "#soc");
    await page.locator("#delivery-1").scrollIntoViewIfNeeded();
    await drag(page, "#delivery-1", 0.25, 0.5);
    const zoomed = await ticks(page, "#soc");
    expect(zoomed.length).toBeLessThan(0.4 * whole.length);
    expect(zoomed[0]).toMatch(/^2026-04-01 0(5:5|6:0)/);
    expect(zoomed.at(-1)).toMatch(/^2026-04-01 1(1:5|2:0)/);
    await page.locator("#soc .chart-reset").click();
    expect(await ticks(page, "#delivery-1")).toContain("2026-04-01 00:00:00");
    expect(await ticks(page, "#soc")).toEqual(whole);
    expect(await page.locator(".chart-reset:visible").count()).toBe(0);
    await page.close();
  });

  test("the keyboard reads values, zooms and resets", async () => {
    const page = await open();
    await page.locator("#delivery-1 .chart-plot").focus();
    await page.keyboard.press("ArrowRight");
    const status = page.locator("#delivery-1 .chart-status");
    expect(await status.innerText()).toMatch(
      /^Time 2026-04-01 12:0\d:\d\d, Requested 0.0\u00a0kW, Delivered 0.0\u00a0kW, Awards A-3/,
    );
    await page.keyboard.press("+");
    expect(await page.locator("#delivery-1 .chart-reset:visible").count()).toBe(1);
    await page.keyboard.press("0");
    expect(await page.locator("#delivery-1 .chart-reset:visible").count()).toBe(0);
    await page.close();
  });

  test("a site is chosen by name", async () => {
    const page = await open();
    expect(await page.locator("#site-power option").allInnerTexts()).toEqual(["bat-01", "bat-02", "pv-01"]);
    expect(await page.locator("#site-power h3").innerText()).toBe("Power of bat-01");
    const legend = page.locator("#site-power .legend:visible");
    expect(await legend.innerText()).toContain("State of charge (right)");
    const first = await hover(page, "#site-power", 1 / 24);
    expect(first.slice(1, 4)).toEqual(["Power −195.4 kW", "Set-point −200.0 kW", "Baseline 0.0 kW"]);
    expect(first[4]).toMatch(/^State of charge \d+\.\d %$/);
    await page.locator("#site-power select").selectOption({ label: "pv-01" });
    const second = await hover(page, "#site-power", 12 / 24);
    expect(second.filter((line) => /State of charge/.test(line))).toEqual([]);
    expect(second).toContain("Output control pv-01 ≤ 40 %");
    expect(await page.locator("#site-power h3").innerText()).toBe("Power of pv-01");
    expect(await legend.innerText()).not.toContain("State of charge");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#site-power h3").innerText()).toBe("Power of bat-01");
    expect(await legend.innerText()).toContain("State of charge (right)");
    await page.close();
  });

  test("a bar, a flow and a cell show their values beside the pointer", async () => {
    const page = await open();
    const tip = page.locator(".chart-tip.floating");
    expect(await tip.isVisible()).toBe(false);
    await page.locator("#cause-stacks .row", { hasText: "A-2" }).hover();
    expect(await tip.innerText()).toMatch(
      /^A-2, 412\.3\s*kWh\s+Out of service\s+301\.0\s*kWh\s+State of charge at its limit/,
    );
    expect(await tip.locator(".swatch").count()).toBe(3);
    await page.locator("#flow-1 svg.wide path").first().hover();
    expect(await tip.innerText()).toMatch(/^roof → Load\s+Energy\s+512\.3\s*kWh$/);
    await page.locator("h1").hover();
    expect(await tip.isVisible()).toBe(false);
    expect(await page.locator("#cause-stacks .row[title]").count()).toBe(0);
    await page.close();
    const plain = await open({ javaScriptEnabled: false });
    expect(await plain.locator("#cause-stacks .row[title]").count()).toBeGreaterThan(2);
    await plain.close();
  });

  test("print and a page without scripts show the drawings", async () => {
    const page = await open();
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#delivery-1 svg.wide:visible").count()).toBe(1);
    expect(await page.locator("canvas:visible").count()).toBe(0);
    await page.close();
    const plain = await open({ javaScriptEnabled: false });
    expect(await plain.locator("#delivery-1 svg.wide:visible").count()).toBe(1);
    expect(await plain.locator(".chart-live:visible").count()).toBe(0);
    await plain.close();
  });

  test("no script outside the policy runs, and nothing is reported", async () => {
    const page = await open();
    expect(messages).toEqual([]);
    const ran = `(() => { const s = document.createElement("script"); s.textContent = "window.ran = 1"; document.body.append(s); return window.ran; })()`;
    expect(await page.evaluate(ran)).toBeUndefined();
    await page.close();
  });
});
