import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { needingChromium } from "../needing.ts";
import { type OpenPage, openProject, PlaygroundHost, quickstartFiles } from "./playgroundPage.ts";

const FILES = quickstartFiles();
const SCENARIO = FILES["scenario.yaml"];
const withScenario = (text: string) => ({ entry: "scenario.yaml", files: { ...FILES, "scenario.yaml": text } });

needingChromium.describe("the editor of the playground", () => {
  let host: PlaygroundHost;
  let opened: OpenPage;
  let page: Page;

  beforeAll(async () => {
    host = await PlaygroundHost.start();
    opened = await host.open();
    page = opened.page;
  });
  afterAll(() => host.stop());

  const content = () => page.getByTestId("editor").locator(".cm-content");
  const problems = () => page.evaluate(() => window.vppsim.problems());
  const textOf = (path: string) =>
    page.evaluate(
      (name) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(window.vppsim.project().files[name]),
      path,
    );

  /** Puts the cursor at the end of the first line with a text. */
  async function goToLine(text: string): Promise<void> {
    const line = SCENARIO.split("\n").findIndex((each) => each.includes(text));
    await content().click();
    await page.keyboard.press("Control+Home");
    for (let k = 0; k < line; k++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
  }

  const completions = () => page.locator(".cm-tooltip-autocomplete li .cm-completionLabel").allInnerTexts();

  test("takes what is typed, and says what is wrong with it", async () => {
    await openProject(page, withScenario(SCENARIO));
    expect(await problems()).toEqual([]);
    await goToLine("import_pwr_max: 1000");
    await page.keyboard.type("x");
    await expect.poll(async () => (await problems()).length).toBe(1);
    expect(await textOf("scenario.yaml")).not.toBe(SCENARIO);
    expect(await page.getByTestId("run").isDisabled()).toBe(true);
    await expect.poll(() => page.locator(".cm-lintRange-error").count()).toBeGreaterThan(0);
    await page.keyboard.press("Backspace");
    await expect.poll(problems).toEqual([]);
    expect(await textOf("scenario.yaml")).toBe(SCENARIO);
    expect(await page.getByTestId("run").isEnabled()).toBe(true);
  });

  test("completes keys and values of the place, and explains a key", async () => {
    await openProject(page, withScenario(SCENARIO.replace("        component_type: battery\n", "")));
    await goToLine("component_id: bat");
    await page.keyboard.press("Enter");
    await page.keyboard.type("comp");
    await expect.poll(completions).toEqual(["component_type"]);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Space");
    await expect.poll(completions).toEqual(["battery", "consumer", "ev_chargers", "generator"]);
    // A list that has just opened does not take the key Enter.
    await page.getByRole("option", { name: "battery" }).click();
    await expect.poll(problems).toEqual([]);
    // Of a battery: the keys of other kinds are not offered.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Space");
    await expect.poll(completions).toContain("fcr_capable");
    expect(await completions()).not.toContain("plan");
    await page.keyboard.press("Escape");
    await page.getByText("soc_op_min").first().hover();
    await expect.poll(() => page.locator(".cm-tooltip-hover").innerText()).toMatch(/soc_op_min\s+number 0…100\s+%/);
    await page.mouse.move(0, 0);
  });

  test.each([
    ["an unknown key", SCENARIO.replace("rated_cap: 4000", "rated_capp: 4000"), "scenario.yaml"],
    ["a value out of range", SCENARIO.replace("soc_op_min: 10", "soc_op_min: -1"), "scenario.yaml"],
    ["a missing file", SCENARIO.replace("file: pv.csv", "file: none.csv"), "scenario.yaml"],
    ["faulty YAML", SCENARIO.replace("name: quickstart", "name: [quickstart"), "scenario.yaml"],
    ["nothing", "", "scenario.yaml"],
  ])("leads from the button of a problem to its place: %s", async (_, text, file) => {
    await openProject(page, withScenario(text));
    const [first] = await problems();
    expect(first.file).toBe(file);
    const button = page.getByTestId("problem").first();
    expect(await button.getAttribute("data-line")).toBe(String(first.line));
    expect(await button.getAttribute("data-column")).toBe(String(first.column));
    await button.click();
    const cursor = await page.evaluate(() => window.vppsim.cursor());
    expect(cursor).toEqual({ file, line: Math.max(1, first.line), column: Math.max(1, first.column) });
    expect(await content().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("leads to a cell of a CSV file in a folder, and marks it in the grid", async () => {
    const lines = FILES["pv.csv"].split("\n");
    lines[4] = lines[4].replace(/^[^,]*/, "2026-05-20T919");
    const files = { ...FILES, "pv.csv": lines.join("\n") };
    const inFolder = Object.fromEntries(Object.entries(files).map(([path, text]) => [`fleet/${path}`, text]));
    await openProject(page, { entry: "fleet/scenario.yaml", files: inFolder });
    expect(await problems()).toMatchObject([{ file: "pv.csv", line: 5, column: 1 }]);
    await page.getByTestId("tab-fleet/pv.csv").click();
    const bad = page.getByTestId("grid").locator("[data-bad]");
    await expect.poll(() => bad.allInnerTexts()).toEqual(["2026-05-20T919"]);
    await page.getByTestId("problem").click();
    expect(await page.evaluate(() => window.vppsim.cursor())).toEqual({ file: "fleet/pv.csv", line: 5, column: 1 });
    expect(await content().isVisible()).toBe(true);
  });

  test.each([
    ["field of a series", "load.csv", 31, 5, (row: string) => row.replace(/[^,]*,[^,]*$/, '"1,5",abc')],
    ["quoted field of a series", "load.csv", 31, 4, (row: string) => row.replace(/[^,]*,[^,]*$/, '"1,5",7')],
  ])("places an error at the %s in text and grid", async (_, file, line, field, change) => {
    const lines = FILES[file].split("\n");
    lines[line - 1] = change(lines[line - 1]);
    await openProject(page, { entry: "scenario.yaml", files: { ...FILES, [file]: lines.join("\n") } });
    const found = (await problems()).find(({ column }) => column === field);
    expect(found).toMatchObject({ file, line });
    await page.getByTestId(`tab-${file}`).click();
    const cell = page
      .getByTestId("grid")
      .locator(`tr[aria-rowindex="${line}"] td`)
      .nth(field - 1);
    await expect.poll(() => cell.getAttribute("data-bad")).toBe("");
    const button = page.locator(`[data-testid="problem"][data-column="${field}"]`);
    await button.click();
    const start = lines[line - 1].lastIndexOf(field === 5 ? "abc" : '"1,5"') + 1;
    expect(await page.evaluate(() => window.vppsim.cursor())).toEqual({ file, line, column: start });
    const marks = await page.locator(".cm-lintRange-error").allInnerTexts();
    expect(marks).toContain(field === 5 ? "abc" : '"1');
  });

  test("places an error of a table of awards, whose column counts characters, at its cell", async () => {
    const scenario = SCENARIO.replace(/^awards:$/m, "awards:\n  - {file: awards.csv}");
    expect(scenario).not.toBe(SCENARIO);
    const row = "a1,east,,never,2026-05-20T01:00:00Z,1";
    const files = {
      ...FILES,
      "scenario.yaml": scenario,
      "awards.csv": `award_id,vpp,sku,start,end,delta_kw\n${row}\n`,
    };
    await openProject(page, { entry: "scenario.yaml", files });
    const place = { file: "awards.csv", line: 2, column: row.indexOf("never") + 1 };
    expect(await problems()).toContainEqual(expect.objectContaining(place));
    await page.getByTestId("tab-awards.csv").click();
    await expect.poll(() => page.getByTestId("grid").locator("[data-bad]").allInnerTexts()).toContain("never");
    await page.locator(`[data-testid="problem"][data-column="${place.column}"]`).click();
    expect(await page.evaluate(() => window.vppsim.cursor())).toEqual(place);
  });

  test("counts the rows of a CSV file without its header, and says that its grid is for reading", async () => {
    await openProject(page, withScenario(SCENARIO));
    await page.getByTestId("tab-pv.csv").click();
    const rowCount = FILES["pv.csv"].trimEnd().split("\n").length - 1;
    await page.getByText(`${rowCount} rows, read-only · UTF-8 · LF`).waitFor();
    await page.getByRole("button", { name: "Text" }).click();
    await page.getByText(`${rowCount} rows · UTF-8 · LF`).waitFor();
  });

  test("draws the rows of a long CSV file that are in sight", async () => {
    const rows = Array.from({ length: 50_000 }, (_, k) => `row ${k},"a, ""b""",${k}`);
    const files = { ...FILES, "long.csv": ["name,note,value", ...rows].join("\r\n") };
    await openProject(page, { entry: "scenario.yaml", files });
    await page.getByTestId("tab-long.csv").click();
    const grid = page.getByTestId("grid");
    await grid.getByText("row 3", { exact: true }).waitFor();
    expect(await grid.locator("tr").nth(1).locator("td").allInnerTexts()).toEqual(["row 0", 'a, "b"', "0"]);
    expect(await grid.locator("tr").count()).toBeLessThan(200);
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await grid.getByText("row 49999", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Text" }).click();
    expect(await content().isVisible()).toBe(true);
  });

  test("keeps line ends and byte order marks where a file is changed", async () => {
    const text = `\uFEFF${SCENARIO.replaceAll("\n", "\r\n")}`;
    await openProject(page, withScenario(text));
    expect(await problems()).toEqual([]);
    await goToLine("seed: 1");
    await page.keyboard.type("2");
    await expect.poll(() => textOf("scenario.yaml")).toBe(text.replace("seed: 1\r", "seed: 12\r"));
  });

  test("shows a file in CP932 without changing it", async () => {
    const bytes = Array.from(Buffer.from([0x93, 0xfa, 0x8e, 0x9e, 0x2c, 0x31, 0x0a]));
    await page.evaluate(
      async ([files, cp932]) => {
        const all = { ...(files as Record<string, string>), "plan.txt": Uint8Array.from(cp932 as number[]) };
        await window.vppsim.open({ entry: "scenario.yaml", files: all });
      },
      [FILES, bytes],
    );
    await page.getByTestId("tab-plan.txt").click();
    expect(await page.getByTestId("tab-plan.txt").innerText()).toContain("CP932");
    await expect.poll(() => content().innerText()).toContain("日時,1");
    await content().click();
    await page.keyboard.type("abc");
    const after = await page.evaluate(() => Array.from(window.vppsim.project().files["plan.txt"]));
    expect(after).toEqual(bytes);
  });

  test("went without an error", () => expect(opened.errors).toEqual([]));
});
