// Every page and dialog in both themes: the rules of axe-core, the least size of type, and nothing wider than its place in both languages.
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needingChromium } from "../needing.ts";
import { axeViolations, goTo, INSTRUCTOR_TOKEN, PageServer, type Station, THEMES } from "./pageServer.ts";

const QUICKSTART = join(import.meta.dirname, "../../scenarios/quickstart/scenario.yaml");
/** In the award morning-reserve, with battery-large out of service. */
const IN_OUTAGE = "2026-05-19T22:52:10Z";
/** CSS pixels. */
const TYPE_MIN_PX = 12;

/** Texts in smaller type, one line each. */
const smallTexts = (page: Page): Promise<string[]> =>
  page.evaluate((leastPx) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement: element, textContent: text } = node;
      if (element === null || text === null || text.trim() === "" || element.getClientRects().length === 0) continue;
      const px = Number.parseFloat(getComputedStyle(element).fontSize);
      if (px < leastPx) found.push(`${px} px: ${text.slice(0, 60)}`);
    }
    return found;
  }, TYPE_MIN_PX);

/** Parts whose content is wider than they are: the page, the table of sites, and heads of columns, which would lie over the next. */
const wideParts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll(".members, thead th")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, textContent, scrollWidth, clientWidth }) => {
        const name = tagName === "TH" ? textContent : tagName;
        return `${name}: ${scrollWidth} px wide in ${clientWidth} px`;
      }),
  );

/** What is wrong with a page, one line each. */
const faultsOf = async (page: Page): Promise<string[]> => [
  ...(await axeViolations(page)),
  ...(await smallTexts(page)),
  ...(await wideParts(page)),
];

/** A page, and an element that shows that its values are there. */
interface View {
  readonly name: string;
  readonly station: "trainee" | "instructor";
  readonly route: string;
  readonly ready: string;
  /** Keys that open a dialog. */
  readonly keys?: readonly string[];
}

const trainee = (name: string, route: string, ready: string, keys?: readonly string[]): View => ({
  name,
  station: "trainee",
  route,
  ready,
  keys,
});

const VIEWS: readonly View[] = [
  trainee("now", "/now", ".members tbody a"),
  trainee("the story of an award", "/now", "[role=dialog] tbody td", ["w"]),
  trainee("the keys", "/now", "[role=dialog] kbd", ["?"]),
  trainee("an instant to advance to", "/now", "[role=dialog] input", ["t"]),
  trainee("sites", "/sites", ".members tbody a"),
  trainee("a battery", "/sites/battery-large", ".chart canvas"),
  trainee("a load", "/sites/factory", ".chart canvas"),
  trainee("a site that is none", "/sites/nowhere", ".panel"),
  trainee("schedules", "/schedules", ".time-bar"),
  trainee("a new schedule", "/schedules?new=1", "form"),
  trainee("instruct", "/instruct", "form"),
  trainee("alarms", "/alarms", ".event-row"),
  trainee("report", "/report", "tbody td"),
  { name: "the instructor's page", station: "instructor", route: "/instructor", ready: ".time-bar" },
];

needingChromium.describe("what everybody can use", () => {
  let server: PageServer;
  let drill: PageServer;
  beforeAll(async () => {
    server = await PageServer.start([QUICKSTART, "--paused", "--open-at", "2026-05-20T07:35:00+09:00", "--no-journal"]);
    await server.advanceTo(IN_OUTAGE);
    drill = await PageServer.start(["first-steps", "--no-journal"], { command: ["drill", "serve"] });
  });
  afterAll(async () => {
    await server?.stop();
    await drill?.stop();
  });

  describe.each(THEMES)("%s", (theme) => {
    const stations = new Map<View["station"], Station>();
    const stationOf = async (station: View["station"], route: string): Promise<Station> => {
      const opened = stations.get(station) ?? (await server.open({ station, route }));
      stations.set(station, opened);
      await goTo(opened.page, route);
      return opened;
    };
    afterAll(async () => {
      for (const { page } of stations.values()) await page.context().close();
    });

    test.each(VIEWS)("$name", async ({ station, route, ready, keys = [] }) => {
      const { page, errors } = await stationOf(
        station,
        `${route}${route.includes("?") ? "&" : "?"}theme=${theme}&lang=en`,
      );
      if (keys.length > 0) await page.locator(".award").first().waitFor();
      for (const key of keys) await page.keyboard.press(key);
      await page.locator(ready).first().waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.evaluate(() => {
        location.hash = location.hash.replace("lang=en", "lang=ja");
      });
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("ja");
      expect(await wideParts(page)).toEqual([]);
      expect(errors).toEqual([]);
      if (keys.length === 0) return;
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    });

    test("the sign-in page, and what it says of a wrong token", async () => {
      const { page } = await server.openPath(`/instructor#/?theme=${theme}`);
      await page.getByLabel("Token").first().fill("guessed");
      expect(await faultsOf(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.context().close();
    });

    test("a drill with its briefing and permissions", async () => {
      const { page } = await drill.open({ station: "trainee", route: `/now?theme=${theme}` });
      await page.getByText("What you may do").waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.context().close();
    });
  });

  // The colours and headings are those of Swagger UI.
  test("the reference page, by the rules of targets, labels and landmarks", async () => {
    const { page } = await server.openPath("/docs");
    await page.locator(".opblock").first().waitFor();
    expect(await axeViolations(page, "further rules")).toEqual([]);
    await page.context().close();
  });

  test("the debriefing of a drill, in both themes", async () => {
    for (const colorScheme of THEMES) {
      const { page } = await drill.openPath("/sandbox/debriefing", {
        browser: { colorScheme, extraHTTPHeaders: { "x-sandbox-token": INSTRUCTOR_TOKEN } },
      });
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.context().close();
    }
  });
});
