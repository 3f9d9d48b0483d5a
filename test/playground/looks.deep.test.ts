import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { axeViolations } from "../dashboard/pageServer.ts";
import { needingChromium } from "../needing.ts";
import { type OpenPage, openProject, PlaygroundHost, quickstartFiles } from "./playgroundPage.ts";

const FILES = quickstartFiles();
const SCENARIOS = join(import.meta.dirname, "../../scenarios");

/** Names of the scenarios that the gallery has. */
const NAMES = ["quickstart", "mixed-week", "features", "studies"].flatMap((folder) =>
  readdirSync(join(SCENARIOS, folder))
    .filter((file) => file.endsWith(".yaml") && !file.endsWith(".study.yaml"))
    .map((file): string => parse(readFileSync(join(SCENARIOS, folder, file), "utf8")).name),
);

needingChromium.describe("the page of the playground", () => {
  let host: PlaygroundHost;
  let opened: OpenPage;
  let page: Page;

  beforeAll(async () => {
    host = await PlaygroundHost.start({
      "project.json": JSON.stringify({ entry: "given.yaml", files: { "given.yaml": "" } }),
    });
    opened = await host.open();
    page = opened.page;
  });
  afterAll(() => host.stop());

  test("opens the project that its host offers, and every example without a problem", async () => {
    expect(await page.evaluate(() => window.vppsim.project().entry)).toBe("given.yaml");
    expect(NAMES.length).toBeGreaterThan(20);
    for (const name of NAMES) {
      const found = await page.evaluate(async (example) => {
        const before = window.vppsim.project();
        (document.querySelector(`[data-testid="example-${example}"]`) as HTMLElement).click();
        while (window.vppsim.project() === before) await new Promise((next) => setTimeout(next, 5));
        // Opening it again waits for its check.
        await window.vppsim.open(window.vppsim.project());
        const { entry, files } = window.vppsim.project();
        return { text: new TextDecoder().decode(files[entry]), problems: window.vppsim.problems() };
      }, name);
      expect(found.problems, name).toEqual([]);
      expect(parse(found.text).name).toBe(name);
    }
  });

  describe.each(["en", "ja"])("in the language %s", (language) => {
    test.each(["light", "dark"])("has no violation of accessibility, in the theme %s", async (theme) => {
      const other = await host.open({ query: `?lang=${language}&theme=${theme}`, fragment: "#example=quickstart" });
      await other.page.getByTestId("run").click();
      await expect.poll(() => other.page.getByTestId("status").getAttribute("data-state")).toBe("done");
      await other.page.locator(".cm-content").click();
      await other.page.keyboard.type("no_key: 1\n");
      await other.page.getByTestId("problem").first().waitFor();
      expect(await axeViolations(other.page)).toEqual([]);
      await other.page.getByTestId("tab-pv.csv").click();
      expect(await axeViolations(other.page, "further rules")).toEqual([]);
      expect(await other.page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
      await other.page.getByTestId("language").click();
      expect(await other.page.evaluate(() => document.documentElement.lang)).toBe(language === "en" ? "ja" : "en");
      await other.page.getByTestId("theme").click();
      const scheme = await other.page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
      expect(scheme).toBe(theme === "light" ? "dark" : "light");
      expect(other.errors).toEqual([]);
      await other.page.context().close();
    });
  });

  test("is worked by keyboard alone", async () => {
    await openProject(page, { entry: "scenario.yaml", files: FILES });
    const focused = () =>
      page.evaluate(
        () => (document.activeElement as HTMLElement)?.dataset.testid ?? document.activeElement?.className ?? "",
      );
    const tabTo = async (wanted: string): Promise<void> => {
      for (let k = 0; k < 80 && !(await focused()).split(" ").includes(wanted); k++) await page.keyboard.press("Tab");
      expect((await focused()).split(" ")).toContain(wanted);
    };
    await page.evaluate(() => (document.activeElement as HTMLElement)?.blur());
    await tabTo("example-bids");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => window.vppsim.project().entry)).toBe("scenarios/features/bids.yaml");
    await tabTo("handle");
    const width = () => page.locator(".side").evaluate((element) => element.getBoundingClientRect().width);
    const before = await width();
    await page.keyboard.press("ArrowRight");
    await expect.poll(width).toBe(before + 16);
    await tabTo("cm-content");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("cm-content");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await focused()).not.toContain("cm-content");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => page.getByTestId("status").getAttribute("data-state")).toBe("done");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  test("has three tabs on a narrow screen", async () => {
    await page.setViewportSize({ width: 800, height: 900 });
    const tabs = page.locator(".columns label");
    const tops = () => tabs.evaluateAll((all) => all.map((tab) => Math.round(tab.getBoundingClientRect().top)));
    expect(new Set(await tops()).size).toBe(1);
    expect(await tabs.count()).toBe(3);
    await page.locator(".columns").getByText("Scenario").click();
    const shown = () =>
      page.evaluate(() => [...document.querySelectorAll(".work > section")].map((part) => part.checkVisibility()));
    expect(await shown()).toEqual([false, true, false]);
    await page.getByText("Examples", { exact: true }).first().click();
    await expect.poll(shown).toEqual([true, false, false]);
    await page.locator(".columns").getByText("Result").click();
    await expect.poll(shown).toEqual([false, false, true]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(800);
    await page.setViewportSize({ width: 400, height: 800 });
    const rights = () =>
      page
        .locator(":is(.top, .columns, .foot) :is(button, label, span)")
        .evaluateAll((all) => all.map((part) => part.getBoundingClientRect().right));
    // The page takes its new width some time after the call.
    await expect.poll(async () => Math.max(...(await rights()))).toBeLessThanOrEqual(400);
    await page.locator(".columns").getByText("Scenario").click();
    await page.evaluate(() => window.vppsim.run());
    await expect.poll(shown).toEqual([false, false, true]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("shows markup in names and texts as text", async () => {
    const evil = "<img src=x onerror=alert(1)>";
    const text = FILES["scenario.yaml"].replace("name: quickstart", `name: "${evil}"`);
    await openProject(page, {
      entry: "scenario.yaml",
      files: { ...FILES, "scenario.yaml": text, [`${evil}.csv`]: `${evil},b\n1,2\n` },
    });
    await page.getByTestId("problem").first().waitFor();
    await page.getByTestId(`tab-${evil}.csv`).click();
    await page.getByTestId("grid").getByText(evil).waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.getByTestId("problem").first().innerText()).toContain(evil.slice(0, 20));
  });

  test("went without an error", () => expect(opened.errors).toEqual([]));
});
