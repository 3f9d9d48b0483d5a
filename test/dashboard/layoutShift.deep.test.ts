// Nothing moves on a page while values, alarms, events and awards come and go: the browser itself reports what it moved
// (docs/model/sandbox.md#dashboard-layout).
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClockRecord } from "../../src/api/client/sandboxTypes.ts";
import { needingChromium } from "../needing.ts";
import { PageServer, untilNetworkIdle } from "./pageServer.ts";

const SCENARIOS = join(import.meta.dirname, "../../scenarios");
const QUICKSTART = join(SCENARIOS, "quickstart/scenario.yaml");
const COEXISTING = join(SCENARIOS, "features/coexisting.yaml");

/**
 * From before an award to after it, with its ramp, an outage noticed, a re-dispatch, the recovery, and the next awards. Instants
 * of 20 May in UTC, or of 19 May from 22:00.
 */
const INSTANTS = [
  "22:00:30",
  "22:05:00",
  "22:40:50",
  "22:41:30",
  "22:52:10",
  "23:11:30",
  "23:30:00",
  "02:10:00",
  "06:30:00",
];

interface ShiftEntry extends PerformanceEntry {
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRect;
    readonly currentRect: DOMRect;
  }[];
}

/** Instants of 31 March in UTC: none, one, two and three awards in force, and none again. */
const COEXISTING_INSTANTS = ["15:30:00", "16:10:00", "17:10:00", "18:10:00", "20:10:00"];

/** Content that moves by its nature: text in a line, rows of a list that grows, parts of a bar, marks of a time axis. */
const FLOWING = "li, p, dd, tbody, tfoot, .time-tracks, .time-axis, .alarm-line-text, .bar-track";

/** Begins to record what the browser moves; what a person has just caused by a key or a click is none of it. */
const watch = (page: Page): Promise<void> =>
  page.evaluate((flowing) => {
    const shifts: string[] = [];
    const elementOf = (node: Node | null) => (node instanceof Element ? node : (node?.parentElement ?? null));
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as ShiftEntry[])
        if (!entry.hadRecentInput)
          for (const { node, previousRect: a, currentRect: b } of entry.sources) {
            const element = elementOf(node);
            if (element === null || element.closest(flowing) !== null) continue;
            const text = element.textContent?.slice(0, 30);
            shifts.push(`${element.tagName}.${element.className} "${text}": ${a.x},${a.y} to ${b.x},${b.y}`);
          }
    }).observe({ type: "layout-shift" });
  }, FLOWING);

const shiftsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);

const PAGES = [
  ["trainee", "/now", "en-GB", 1280],
  ["trainee", "/now", "ja-JP", 1280],
  ["trainee", "/now", "en-GB", 1920],
  ["trainee", "/now?window=run", "en-GB", 1280],
  ["trainee", "/sites", "en-GB", 1280],
  ["trainee", "/sites/battery-large", "en-GB", 1280],
  ["trainee", "/sites/factory", "ja-JP", 1280],
  ["trainee", "/schedules", "en-GB", 1280],
  ["trainee", "/instruct", "en-GB", 1280],
  ["trainee", "/alarms", "en-GB", 1280],
  ["trainee", "/report", "en-GB", 1280],
  ["instructor", "/instructor", "en-GB", 1280],
  ["instructor", "/instructor", "ja-JP", 1920],
] as const;

needingChromium.describe("a session of changes", () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await PageServer.start([QUICKSTART, "--open-at", "2026-05-19T21:59:00Z", "--paused", "--no-journal"]);
  });
  afterAll(() => server?.stop());

  // All see the same changes, so that the pages wait for them together.
  test("moves nothing on any page", async () => {
    const pages = new Map<string, Page>();
    for (const [station, route, locale, width] of PAGES) {
      const { page } = await server.open({ station, route, browser: { locale, viewport: { width, height: 1000 } } });
      await expect.poll(() => page.getByText(/^(Loading|読み込み中)/).count()).toBe(0);
      pages.set(`${station} ${route} in ${locale} at ${width} px`, page);
    }
    await Promise.all([...pages.values()].map(untilNetworkIdle));
    await Promise.all([...pages.values()].map(watch));
    for (const time of INSTANTS)
      await showInstant(server, [...pages.values()], `2026-05-${time < "22" ? 20 : 19}T${time}Z`);
    for (const [name, page] of pages) expect(await shiftsOf(page), name).toEqual([]);
  });
});

needingChromium.describe("awards of different products", () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await PageServer.start([COEXISTING, "--paused", "--no-journal"]);
  });
  afterAll(() => server?.stop());

  test("move nothing when they begin and end side by side", async () => {
    const pages: Page[] = [];
    for (const [locale, width, height] of [
      ["en-GB", 1280, 720],
      ["ja-JP", 1280, 720],
      ["en-GB", 1920, 1080],
    ] as const) {
      const { page } = await server.open({ station: "trainee", browser: { locale, viewport: { width, height } } });
      await page.locator(".chart canvas").first().waitFor();
      pages.push(page);
    }
    const chartTops = () =>
      Promise.all(pages.map(async (page) => (await page.locator(".chart").first().boundingBox())?.y));
    await Promise.all(pages.map(untilNetworkIdle));
    const tops = await chartTops();
    await Promise.all(pages.map(watch));
    for (const time of COEXISTING_INSTANTS) {
      await showInstant(server, pages, `2026-03-31T${time}Z`);
      expect(await chartTops()).toEqual(tops);
    }
    expect(await Promise.all(pages.map(shiftsOf))).toEqual([[], [], []]);
  });
});

/** Records the browser's own figures, from the first one on. */
const measure = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const measured = { scores: [] as { atMs: number; value: number }[] };
    Object.assign(window, { measured });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (ShiftEntry & { readonly value: number })[])
        if (!entry.hadRecentInput) measured.scores.push({ atMs: entry.startTime, value: entry.value });
    }).observe({ type: "layout-shift", buffered: true });
  });

/** Cumulative layout shift as browsers define it: the largest sum of at most 5 s without a gap of 1 s. */
function cumulativeShift(scores: readonly { readonly atMs: number; readonly value: number }[]): number {
  let [largest, sum, firstMs, lastMs] = [0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { atMs, value } of scores) {
    if (atMs - lastMs >= 1_000 || atMs - firstMs >= 5_000) [sum, firstMs] = [0, atMs];
    sum += value;
    lastMs = atMs;
    largest = Math.max(largest, sum);
  }
  return largest;
}

needingChromium.describe("a day at ×1000", () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await PageServer.start([
      QUICKSTART,
      "--open-at",
      "2026-05-19T21:59:00Z",
      "--speed",
      "1000",
      "--no-journal",
    ]);
  });
  afterAll(() => server?.stop());

  test("shifts its layout by less than 0.1, and its chart ends at the instant of the clock", async () => {
    const { page } = await server.open({ station: "trainee" });
    await measure(page);
    const chart = page.getByRole("group", { name: "Requested and delivered power" });
    await chart.waitFor();
    /** Seconds by which the chart's end is behind the clock. */
    const lag = async (): Promise<number> => {
      const [clock, end] = await page.evaluate(() => [
        document.querySelector(".clock time")?.getAttribute("datetime"),
        document.querySelector(".chart")?.getAttribute("data-now-s"),
      ]);
      return Math.floor(Date.parse(clock ?? "") / 1_000) - Number(end);
    };
    const lags: number[] = [];
    for (let k = 0; k < 100; k++) {
      await page.waitForTimeout(100);
      lags.push(await lag());
    }
    // While the answer for another instant is on its way, the chart has the one before; it is never ahead.
    expect(lags.filter((seconds) => seconds < 0)).toEqual([]);
    expect(lags).toContain(0);
    await server.call("POST", "/sandbox/clock/pause");
    await expect.poll(lag).toBe(0);
    const scores = await page.evaluate(
      () => (window as unknown as { measured: { scores: { atMs: number; value: number }[] } }).measured.scores,
    );
    expect(cumulativeShift(scores)).toBeLessThan(0.1);
  });
});

/** Advances the clock and waits until every page shows the instant. */
async function showInstant(server: PageServer, pages: readonly Page[], at: string): Promise<void> {
  await server.advanceTo(at);
  const { now } = await server.call<ClockRecord>("GET", "/sandbox/clock");
  await Promise.all(
    pages.map(async (page) => {
      const shown = async () => Date.parse((await page.locator(".clock time").getAttribute("datetime")) ?? "");
      await expect.poll(shown).toBe(Date.parse(now));
      await untilNetworkIdle(page);
    }),
  );
}
