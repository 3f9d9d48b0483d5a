import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClockRecord, VppBalance, VppMembersView } from "../../src/api/client/sandboxTypes.ts";
import { formatKw } from "../../src/dashboard/format/numbers.ts";
import { needingChromium } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { axeViolations, PageServer } from "./pageServer.ts";

const QUICKSTART = join(import.meta.dirname, "../../scenarios/quickstart/scenario.yaml");

const figures = (page: Page) => page.locator(".award .figure b");

needingChromium.describe("the page of a session", () => {
  const folder = createTemporaryFolder("page");
  let server: PageServer;
  beforeAll(async () => {
    const journal = ["--journal", join(folder, "page.journal")];
    const args = [QUICKSTART, "--open-at", "2026-05-19T22:40:00Z", "--paused", ...journal];
    server = await PageServer.start(args, { isSeparated: false });
    await server.call("POST", "/sandbox/faults", { kind: "outage", site: "battery-large", duration: "PT30M" });
    await server.advanceTo("2026-05-19T22:52:10Z");
  });
  afterAll(() => server?.stop());

  const open = (route = "/now", browser: BrowserContextOptions = {}) =>
    server.open({ station: "trainee", route, browser });
  const clock = () => server.call<ClockRecord>("GET", "/sandbox/clock");

  test("shows the award in force with the figures of the balance, and why by site and cause", async () => {
    const { page, requests, errors } = await open();
    const { awards } = await server.call<VppBalance>("GET", "/sandbox/vpps/east/balance");
    await figures(page).first().waitFor();
    const [award] = awards;
    const wanted = [award.requested_kw, award.delivered_kw, award.uncovered_kw, award.not_delivered_kw];
    expect(await figures(page).allTextContents()).toEqual(wanted.map(formatKw));
    expect(award.uncovered_kw).toBeGreaterThan(100);
    const why = await page.locator(".why").textContent();
    expect(why).toMatch(/^Why: 231\.3 kW are uncovered since 07:41:00: battery-large 231\.3\skW \( Out of service/);
    expect(await page.title()).toBe("Now · quickstart · vppsim");
    expect(await page.locator(".clock time").textContent()).toBe("07:52:10");
    expect(errors).toEqual([]);
    expect(requests.map(({ url }) => new URL(url).origin).filter((it) => !server.origins.includes(it))).toEqual([]);
    await page.context().close();
  });

  test("keeps the field and its place on the page that an address without a page opens", async () => {
    const { page, errors } = await open("/");
    await page.locator(".members tbody a").first().waitFor();
    await page.keyboard.press("/");
    // Letters that reached the page would be commands of the clock.
    await page.keyboard.type("battery-small");
    const field = page.getByRole("searchbox", { name: "Find a site" });
    expect(await field.inputValue()).toBe("battery-small");
    await expect.poll(() => page.locator(".members tbody tr").count()).toBe(1);
    const weight = page.getByRole("textbox", { name: "Weight of battery-small" });
    for (let k = 0; k < 20 && !(await weight.evaluate((input) => input === document.activeElement)); k++)
      await page.keyboard.press("Tab");
    const [box, banner] = [await weight.boundingBox(), await page.locator(".banner").boundingBox()];
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(banner?.y ?? 0);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("is worked with the keyboard", async () => {
    const { page } = await open();
    await page.locator(".chart canvas").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await expect.poll(() => new URL(page.url()).hash).toBe("#/sites");
    // The page before it has such a list and such a field too, and takes them with it.
    await expect.poll(() => page.title()).toMatch(/^Sites · /);
    await page.locator(".members tbody a").first().waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
    await page.keyboard.type("factory g");
    await expect.poll(() => page.getByText("No member has").count()).toBe(1);
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await expect.poll(() => page.locator(".members tbody a").allTextContents()).toEqual(["factory"]);
    expect(new URL(page.url()).hash).toBe("#/sites?filter=factory");
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("n");
    await page.locator(".chart").focus();
    await page.keyboard.press("Home");
    await expect
      .poll(() => page.locator(".chart-reading").textContent())
      .toMatch(/^07:07:10 · Requested −1,900\.0\skW/);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.locator(".chart-reading").textContent()).toMatch(/^07:07:28 · /);
    await page.keyboard.press("+");
    await expect.poll(() => new URL(page.url()).hash).toMatch(/zoom=\d+-\d+/);
    await page.keyboard.press("0");
    await expect.poll(() => new URL(page.url()).hash).not.toContain("zoom");
    await page.context().close();
  });

  test("reads and zooms the chart with the mouse, and shows it as a table", async () => {
    const { page } = await open("/now?window=4h");
    const canvas = page.locator(".chart .u-over");
    await canvas.waitFor();
    const box = await canvas.boundingBox();
    if (box === null) throw new Error("the plot has no size");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await expect.poll(() => page.locator(".chart-reading").textContent()).toMatch(/Requested −?[\d,.]+\skW/);
    await page.mouse.down();
    await page.mouse.move(x + 100, y, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/zoom=\d+-\d+/);
    await page.getByRole("button", { name: "Reset zoom" }).click();
    await expect.poll(() => new URL(page.url()).hash).not.toContain("zoom");
    await page.getByText("Values of this period as a table").click();
    const rows = page.locator(".chart-table tbody tr");
    await rows.first().waitFor();
    expect(await rows.count()).toBeGreaterThan(100);
    await page.context().close();
  });

  test("sends a weight by the VPP API on Enter, and shows its answer in the cell", async () => {
    const { page } = await open("/sites");
    const field = page.getByLabel("Weight of factory; Enter sends it");
    await field.fill("175");
    await field.press("Enter");
    await page.locator("tr", { hasText: "factory" }).getByText("saved").waitFor();
    const weightOf = async () => {
      const { members } = await server.call<VppMembersView>("GET", "/sandbox/vpps/east/members");
      return members.find(({ site }) => site === "factory")?.weight;
    };
    expect(await weightOf()).toBe(175);
    await field.fill("1000000");
    await field.press("Enter");
    expect(await page.getByRole("alert").textContent()).toMatch(/invalid_parameter.*999999\.9/);
    expect(await weightOf()).toBe(175);
    await field.press("Escape");
    await expect.poll(() => field.inputValue()).toBe("175");
    await page.context().close();
  });

  test("shows a site with its history, and holds what is no longer live", async () => {
    const { page } = await open("/sites/battery-large");
    await page.locator(".chart canvas").first().waitFor();
    const head = page.locator(".panel", { hasText: "member of east" });
    expect(await head.textContent()).toMatch(/Out of service.*held since 07:40:00/);
    expect(await page.getByText("Rated capacity").count()).toBe(1);
    await expect.poll(() => page.locator(".chart").count()).toBe(2);
    await page.getByRole("link", { name: "battery-medium ›" }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe("#/sites/battery-medium");
    await page.context().close();
  });

  test("speaks Japanese, and keeps language and theme in the address", async () => {
    const { page } = await open("/now");
    await page.getByRole("button", { name: "Change the language to Japanese" }).click();
    await page.getByRole("link", { name: "拠点", exact: true }).click();
    expect(await page.locator("html").getAttribute("lang")).toBe("ja");
    await page.getByRole("button", { name: "表示：システム設定" }).click();
    await page.getByRole("button", { name: "表示：ライト" }).click();
    expect(new URL(page.url()).hash).toBe("#/sites?lang=ja&theme=dark");
    expect(await page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark");
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });

  test("asks rarely while frozen, and at most ten times a second while the world runs fast", async () => {
    const { page, requests, errors } = await open();
    await page.locator(".members tbody a").first().waitFor();
    const countIn = async (ms: number) => {
      const before = requests.length;
      await page.waitForTimeout(ms);
      return requests.length - before;
    };
    await page.waitForTimeout(2_000);
    expect(await countIn(3_000)).toBeLessThanOrEqual(12);
    await server.call("POST", "/sandbox/clock/resume", { speed: 60 });
    expect(await countIn(3_000)).toBeLessThanOrEqual(33);
    await page.getByRole("button", { name: "Freeze" }).waitFor();
    await page.keyboard.press("Space");
    await expect.poll(async () => (await clock()).mode).toBe("paused");
    // Until the answer to the key before has arrived, the page takes no other.
    await page.getByRole("button", { name: "Run" }).and(page.locator(":enabled")).waitFor();
    await page.keyboard.press("e");
    await expect.poll(async () => (await clock()).now).toBe("2026-05-19T23:30:00Z");
    await page.getByText("No award in force").waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("says that the server is gone, holds its figures, and goes on after a restart", async () => {
    const { page, errors } = await open("/sites");
    await page.locator(".members tbody a").first().waitFor();
    const time = await page.locator(".clock time").textContent();
    await server.end("SIGTERM");
    await page.getByText("No answer since").waitFor();
    expect(await page.locator(".clock time").textContent()).toBe(time);
    expect(await page.getByLabel("Weight of factory; Enter sends it").isDisabled()).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    // It may also have come back by itself when it is pressed after the restart.
    await page.getByRole("button", { name: "Try now" }).click();
    await server.restart();
    await expect.poll(() => page.getByText("No answer since").count()).toBe(0);
    await page.getByText("The simulated time stands at").waitFor();
    await server.call("POST", "/sandbox/clock/advance", { by: "PT1M" });
    await expect.poll(() => page.locator(".clock time").textContent()).not.toBe(time);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

/** Tops of the panels and the left edges of the columns of the sites, in px. */
const placesOf = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() => {
    const places: Record<string, number> = {};
    for (const heading of document.querySelectorAll("main .panel h2"))
      places[(heading.textContent ?? "").split(":")[0]] = Math.round(heading.getBoundingClientRect().top);
    for (const cell of document.querySelectorAll(".members thead th"))
      places[`column ${cell.textContent?.replace(/[▲▼]/, "")}`] = Math.round(cell.getBoundingClientRect().left);
    return places;
  });

needingChromium.describe("values that grow", () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await PageServer.start([QUICKSTART, "--open-at", "2026-05-19T21:59:00Z", "--paused", "--no-journal"]);
  });
  afterAll(() => server?.stop());

  test.each([
    ["en-GB", 1280],
    ["ja-JP", 1280],
    ["en-GB", 1920],
  ])("move no panel and no column, in %s at %i px", async (locale, width) => {
    await server.call("POST", "/sandbox/reset");
    const { page } = await server.open({
      station: "trainee",
      route: "/now",
      browser: { locale, viewport: { width, height: 1000 } },
    });
    await page.locator(".members tbody a").first().waitFor();
    await page.locator(".chart canvas").waitFor();
    const before = await placesOf(page);
    // Before the award, its ramp, with all power, with an outage noticed, and dispatched anew.
    for (const time of ["22:00:30", "22:02:00", "22:30:00", "22:40:50", "22:41:30", "22:52:10"]) {
      await server.advanceTo(`2026-05-19T${time}Z`);
      const { awards } = await server.call<VppBalance>("GET", "/sandbox/vpps/east/balance");
      await expect.poll(() => figures(page).first().textContent()).toBe(formatKw(awards[0].requested_kw));
      await expect.poll(() => figures(page).nth(1).textContent()).toBe(formatKw(awards[0].delivered_kw));
      const places = await placesOf(page);
      const moved = Object.keys(before).filter((name) => name in places && places[name] !== before[name]);
      expect([time, moved.map((name) => `${name}: ${before[name]} to ${places[name]}`)]).toEqual([time, []]);
    }
    await page.context().close();
  });
});
