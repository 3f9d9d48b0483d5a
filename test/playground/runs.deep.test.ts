import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { needingChromium } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { type OpenPage, openProject, PlaygroundHost, quickstartFiles } from "./playgroundPage.ts";

const QUICKSTART = join(import.meta.dirname, "../../scenarios/quickstart/scenario.yaml");

needingChromium.describe("the playground", () => {
  let host: PlaygroundHost;
  let opened: OpenPage;
  let page: Page;
  /** Until the page was ready. */
  let requestCount: number;

  beforeAll(async () => {
    host = await PlaygroundHost.start();
    opened = await host.open();
    page = opened.page;
    requestCount = opened.requests.length;
  });
  afterAll(() => host.stop());

  const status = () => page.getByTestId("status").getAttribute("data-state");

  test("runs the first example to the bytes of the command, without a network", async () => {
    await page.context().setOffline(true);
    await page.getByTestId("run").click();
    await expect.poll(status).toBe("done");
    const found = await page.evaluate(() =>
      Object.entries(window.vppsim.result()?.files ?? {}).map(([name, bytes]) => [name, Array.from(bytes)] as const),
    );
    const out = join(createTemporaryFolder("run"), "report");
    await runScenario(loadScenario(QUICKSTART), { out });
    for (const [name, bytes] of found.filter(([name]) => name !== "run.json"))
      expect(Buffer.from(bytes).equals(readFileSync(join(out, name))), name).toBe(true);
    expect(found.length).toBeGreaterThan(10);
    const report = page.frameLocator('[data-testid="report-frame"]');
    await report.locator("h1").first().waitFor();
    expect(await report.locator("canvas").count()).toBeGreaterThan(0);
    await report.locator("nav details").evaluate((details) => details.setAttribute("open", ""));
    const link = report.locator('nav a[href^="#"]').last();
    const target = report.locator((await link.getAttribute("href")) ?? "");
    expect(await target.evaluate((each) => each.getBoundingClientRect().top)).toBeGreaterThan(1000);
    await link.click();
    await expect.poll(() => target.evaluate((each) => each.getBoundingClientRect().top)).toBeLessThan(1000);
    expect(opened.errors).toEqual([]);
  });

  test("stops a run at any instant, and runs again", async () => {
    await page.getByTestId("example-mixed-week").click();
    for (const waitMs of [0, 40, 200]) {
      await page.getByTestId("run").click();
      await page.waitForTimeout(waitMs);
      await page.evaluate(() => window.vppsim.cancel());
      await expect.poll(status).toBe("stopped");
    }
    await page.getByTestId("run").click();
    const progress = page.getByRole("progressbar");
    await progress.waitFor();
    expect(Number(await progress.getAttribute("aria-valuenow"))).toBeLessThanOrEqual(100);
    await expect.poll(status).toBe("done");
    expect(await progress.count()).toBe(0);
    expect(opened.errors).toEqual([]);
  });

  test("checks what changes while a run lasts", async () => {
    await page.getByTestId("run").click();
    await page.locator(".cm-content").click();
    await page.keyboard.type("no_key: 1\n");
    await page.getByTestId("problem").first().waitFor();
    await expect.poll(status).toMatch(/done|running/);
    await page.evaluate(() => window.vppsim.cancel());
    await expect.poll(status).not.toBe("running");
  });

  test("compares a run with the one that was kept, as the command does", async () => {
    const files = quickstartFiles();
    const other = files["scenario.yaml"].replace("rated_cap: 4000", "rated_cap: 3000");
    await openProject(page, { entry: "scenario.yaml", files });
    expect(await page.getByTestId("compare").isDisabled()).toBe(true);
    await page.evaluate(() => window.vppsim.run());
    await page.getByTestId("keep").click();
    await openProject(page, { entry: "scenario.yaml", files: { ...files, "scenario.yaml": other } });
    await page.evaluate(() => window.vppsim.run());
    await page.getByTestId("compare").click();
    const comparison = page.frameLocator('[data-testid="comparison"]').locator("main");
    await expect
      .poll(async () => (await comparison.innerText()).replace(/\s/g, " "))
      .toContain("Of 9 awards in both, 0 improved, 1 worsened and 8 unchanged.");
    expect(opened.errors).toEqual([]);
  });

  test("says that the scenario is not the one that was run", async () => {
    const stale = page.getByTestId("stale");
    await openProject(page, { entry: "scenario.yaml", files: quickstartFiles() });
    await page.evaluate(() => window.vppsim.run());
    expect(await stale.innerText()).toBe("");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("# later\n");
    await expect.poll(() => stale.innerText()).toBe("The scenario has changed since this run.");
    await page.getByTestId("language").click();
    expect(await stale.innerText()).toBe("この実行のあとにシナリオが変わりました。");
    await page.getByTestId("language").click();
    await page.getByTestId("compare").click();
    await page.getByTestId("comparison").waitFor();
    expect(await stale.innerText()).toBe("The scenario has changed since this run.");
    await page.evaluate(() => window.vppsim.run());
    await expect.poll(() => stale.innerText()).toBe("");
  });

  test("requested nothing of another host, and nothing at all after it was ready", () => {
    expect(opened.requests.length).toBe(requestCount);
    expect(opened.requests.filter((url) => !url.startsWith(host.url))).toEqual([]);
  });
});
