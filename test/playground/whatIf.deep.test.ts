import "../../src/playground/app/api.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LiveScenario, type LiveStep } from "../../src/browser/liveScenario.ts";
import { formatKw, formatNumber } from "../../src/dashboard/format/numbers.ts";
import { readPatch } from "../../src/inputs/scenario/patch/applyPatch.ts";
import { ScenarioSource } from "../../src/inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { copyScenario, runVppsim } from "../cli/runVppsim.ts";
import { axeViolations } from "../dashboard/pageServer.ts";
import { needingChromium } from "../needing.ts";
import { type OpenPage, PlaygroundHost } from "./playgroundPage.ts";

const QUICKSTART = join(import.meta.dirname, "../../scenarios/quickstart/scenario.yaml");
const SMALL = "weights.east.battery-small";
const LARGE = "weights.east.battery-large";
const CAPACITY = "sites.battery-small.components.bat.rated_cap";

/** The step that a patch gives outside the page. */
const stepOf = (patch: Readonly<Record<string, number>>): Promise<LiveStep> =>
  new LiveScenario(new ScenarioSource(QUICKSTART, diskFiles)).run(patch);

const kwhOf = ({ kpis }: LiveStep): string => Number(kpis.shortfall_kwh).toFixed(3);

needingChromium.describe("the what-if panel", () => {
  let host: PlaygroundHost;
  let opened: OpenPage;
  let page: Page;

  beforeAll(async () => {
    host = await PlaygroundHost.start();
    opened = await host.open();
    page = opened.page;
    await page.getByTestId(`slider-${SMALL}`).waitFor();
  });
  afterAll(() => host.stop());

  const shortfall = () => page.getByTestId("live-shortfall").getAttribute("data-kwh");
  const slide = (path: string, value: number) => page.getByTestId(`slider-${path}`).fill(String(value));
  const causes = () =>
    page
      .getByTestId("live-causes")
      .locator("li")
      .evaluateAll((items) => items.map(({ dataset }) => [dataset.cause, dataset.kwh]));
  const patchFile = async (): Promise<string> => {
    const saved = page.waitForEvent("download");
    await page.getByTestId("download-patch").click();
    return (await saved).path();
  };

  test("shows the figures of a whole run with the values of its sliders, which vppsim run --patch repeats", async () => {
    const written = await stepOf({});
    await expect.poll(shortfall).toBe(kwhOf(written));
    await slide(SMALL, 40);
    await page.getByLabel(LARGE, { exact: true }).fill("620.5");
    await page.getByRole("button", { name: "Sizes" }).click();
    await slide(CAPACITY, 750);
    const patch = { [SMALL]: 40, [LARGE]: 620.5, [CAPACITY]: 750 };
    const step = await stepOf(patch);
    await expect.poll(shortfall).toBe(kwhOf(step));
    expect(kwhOf(step)).not.toBe(kwhOf(written));
    const { uncovered_kw_peak, aggregator_margin_jpy } = step.kpis;
    const uncovered = formatKw(Number(uncovered_kw_peak));
    expect(await page.getByTestId("live-uncovered").locator("dd").textContent()).toBe(`${uncovered} kW`);
    const margin = formatNumber(Number(aggregator_margin_jpy), 0);
    expect(await page.getByTestId("live-margin").locator("dd").textContent()).toBe(`${margin} JPY`);
    const shown = Object.entries(step.causes).filter(([, kwh]) => kwh > 0);
    expect(await causes()).toEqual(shown.map(([cause, kwh]) => [cause, kwh.toFixed(3)]));

    const file = await patchFile();
    expect(readPatch(file)).toEqual(patch);
    const cwd = copyScenario("quickstart");
    const run = runVppsim(["run", "quickstart", "--patch", file, "--out", "report", "--quiet"], { cwd });
    expect(run.status).toBe(0);
    const { kpis } = JSON.parse(readFileSync(join(cwd, "report/summary.json"), "utf8"));
    expect(kpis.shortfall_kwh.toFixed(3)).toBe(await shortfall());
  });

  test("pins three variants, of which a fourth replaces the last, and goes back to each and to the values as written", async () => {
    await page.getByRole("button", { name: "Weights" }).click();
    const pinned: string[] = [];
    for (const weight of [10, 200, 0, 130]) {
      await slide(SMALL, weight);
      // It waits for the figures of the new position.
      await page.getByTestId("pin").click();
      const kwh = kwhOf(
        await stepOf({ [LARGE]: 620.5, [CAPACITY]: 750, ...(weight === 100 ? {} : { [SMALL]: weight }) }),
      );
      expect(await shortfall()).toBe(kwh);
      pinned.push(kwh);
    }
    const kwhOfVariant = (name: string) => page.getByTestId(`variant-${name}`).getAttribute("data-kwh");
    expect([await kwhOfVariant("A"), await kwhOfVariant("B"), await kwhOfVariant("C")]).toEqual([
      pinned[0],
      pinned[1],
      pinned[3],
    ]);
    expect(new Set(pinned).size).toBe(4);
    await page.getByRole("button", { name: "As written", exact: true }).click();
    await expect.poll(shortfall).toBe(kwhOf(await stepOf({})));
    expect(readFileSync(await patchFile(), "utf8")).toBe("{}\n");
    await page.getByTestId("variant-B").click();
    await expect.poll(shortfall).toBe(pinned[1]);
    expect(await kwhOfVariant("B")).toBe(pinned[1]);
  });

  test("is in the link of the page, which opens at the same values", async () => {
    const link = await page.evaluate(() => window.vppsim.permalink());
    const other = await host.open({ fragment: new URL(link).hash });
    const found = other.page.getByTestId("live-shortfall");
    await expect.poll(() => found.getAttribute("data-kwh")).toBe(await shortfall());
    expect(await other.page.getByLabel(SMALL, { exact: true }).inputValue()).toBe("200");
    await other.page.context().close();
  });

  test("ends at the newest of many positions", async () => {
    await page.getByTestId(`slider-${SMALL}`).evaluate((slider) => {
      const input = slider as HTMLInputElement;
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
      for (let weight = 1; weight <= 150; weight++) {
        set?.call(input, String(weight));
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
    await expect.poll(shortfall).toBe(kwhOf(await stepOf({ [LARGE]: 620.5, [CAPACITY]: 750, [SMALL]: 150 })));
  });

  test("says why a value cannot be run, and continues", async () => {
    await page.getByRole("button", { name: "Sizes" }).click();
    await page.getByLabel(CAPACITY, { exact: true }).fill("-5");
    await expect.poll(() => page.locator(".refusal").textContent()).toContain(`patch: ${CAPACITY}: found -5`);
    for (const button of ["pin", "download-patch"]) expect(await page.getByTestId(button).isDisabled()).toBe(true);
    await page.getByLabel(CAPACITY, { exact: true }).fill("500");
    await expect.poll(() => page.locator(".refusal").count()).toBe(0);
  });

  test("has no accessibility violation, and runs another project", async () => {
    // Of the panel: other tests have the page.
    expect((await axeViolations(page)).filter((line) => !line.includes("cm-scroller"))).toEqual([]);
    await page.getByRole("button", { name: "Weights" }).click();
    await page.getByTestId("example-bids").click();
    await expect.poll(() => page.getByTestId(`slider-${SMALL}`).count()).toBe(0);
    await expect.poll(() => page.locator('[data-testid^="slider-weights."]').count()).toBeGreaterThan(0);
    expect(opened.errors).toEqual([]);
  });
});
