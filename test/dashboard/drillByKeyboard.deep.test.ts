// The first drill from its briefing to its debriefing with the keyboard alone.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionView } from "../../src/api/client/sandboxTypes.ts";
import { needingChromium } from "../needing.ts";
import { PageServer } from "./pageServer.ts";

const TABS_MAX = 80;

/** Moves the focus with Tab to the element of an accessible name. */
async function tabTo(page: Page, name: string): Promise<void> {
  const nameOfFocus = () =>
    page.evaluate(
      () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
    );
  for (let k = 0; k < TABS_MAX; k++) {
    if ((await nameOfFocus()) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${name} is not reached with ${TABS_MAX} tabs`);
}

needingChromium.describe("the first drill by keyboard", () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await PageServer.start(["first-steps", "--no-journal"], { command: ["drill", "serve"] });
  });
  afterAll(() => server?.stop());

  const doneCount = async () => {
    const { drill } = await server.call<SessionView>("GET", "/sandbox/session");
    return drill?.steps.filter(({ is_done }) => is_done).length;
  };

  async function setWeight(page: Page, weight: string): Promise<void> {
    await page.keyboard.press("/");
    await tabTo(page, "Weight of cold-store; Enter sends it");
    await page.keyboard.press("Control+A");
    await page.keyboard.type(weight);
    await page.keyboard.press("Enter");
    await page.locator("tr", { hasText: "cold-store" }).getByText("saved").waitFor();
    await page.keyboard.press("Shift+Tab");
  }

  /** Chooses an item of the menu of the clock by its first letters. */
  async function advanceBy(page: Page, item: string): Promise<void> {
    await tabTo(page, "Advance to…");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: item, exact: true }).waitFor();
    for (let k = 0; k < 12; k++) {
      const focused = await page.evaluate(() => document.activeElement?.textContent);
      // Numbers and their units are joined by a space that does not break.
      if (focused?.replaceAll("\u00a0", " ") === item) break;
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
  }

  test("from the briefing to the grade", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/now" });
    await page.getByText("What you may do").waitFor();
    const clock = page.getByRole("timer");
    // The drill's own speed is chosen before the clock runs.
    await expect.poll(() => page.getByRole("combobox", { name: "Speed" }).inputValue()).toBe("×20");
    await advanceBy(page, "5 min ahead");
    await expect.poll(() => clock.textContent()).toContain("15:25:00");
    await setWeight(page, "0");
    await page.keyboard.press(".");
    await expect.poll(() => clock.textContent()).toContain("15:30:00");
    await page.getByText("Award in force: afternoon-reserve").waitFor();
    await page.keyboard.press("e");
    await expect.poll(() => clock.textContent()).toContain("16:30:00");
    await setWeight(page, "80");
    await tabTo(page, "Advance to…");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "30 min ahead: past the end at 16:35", exact: true }).waitFor();
    const menu = page.getByRole("menu");
    // The key has no effect before the focus is in the menu.
    await expect
      .poll(async () => {
        if (await menu.isVisible()) await page.keyboard.press("Escape");
        return menu.isVisible();
      })
      .toBe(false);
    await advanceBy(page, "5 min ahead");
    await expect.poll(() => clock.textContent()).toContain("16:35:00");
    await expect.poll(doneCount).toBe(5);
    await page.getByText("The drill ended at 16:35:00.").waitFor();
    await tabTo(page, "Debriefing");
    const [debriefing] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")]);
    await debriefing.getByText("First steps").first().waitFor();
    expect(errors).toEqual([]);
  });

  test("the grade so far says of when it is, and shows no grade of a time that a reset has left", async () => {
    const { page, errors } = await server.open({ station: "instructor", route: "/instructor" });
    const grade = page.getByRole("region", { name: "Grade so far" });
    await expect.poll(() => grade.textContent()).toContain("At 16:35:00.");
    const steps = grade.locator("tbody", { hasText: "Steps not done" }).locator("tr");
    expect(await steps.allTextContents()).toEqual(["Steps not done: at most 0", "Result0100.0yes"]);
    await server.call("POST", "/sandbox/reset");
    await expect.poll(() => page.getByRole("timer").textContent()).toContain("15:20:00");
    await expect.poll(() => grade.textContent()).not.toContain("At 16:35:00.");
    await expect.poll(() => grade.textContent()).toContain("At 15:20:00.");
    // So far none is done; at the end the second one would be missed.
    expect(await steps.allTextContents()).toEqual([
      "Steps not done: at most 0",
      "So far5–no",
      "At the end without further action10.0no",
    ]);
    expect(errors).toEqual([]);
  });
});
