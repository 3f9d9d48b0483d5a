// The page of a drill: steps that have their time, and what a person can do when the drill is over.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClockRecord, SessionView } from "../../src/api/client/sandboxTypes.ts";
import { needingChromium } from "../needing.ts";
import { PageServer } from "./pageServer.ts";

needingChromium.describe("the page of a guided drill without an instructor", () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await PageServer.start(["first-steps", "--no-journal"], {
      command: ["drill", "serve"],
      isSeparated: false,
    });
  });
  afterAll(() => server?.stop());

  const clock = () => server.call<ClockRecord>("GET", "/sandbox/clock");
  const advance = (time: string) => server.call("POST", "/sandbox/clock/advance", { to: `2026-05-20T${time}+09:00` });

  test("its keys and Next event stop a minute before a step has to be done, and it says why", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/now" });
    const timer = page.getByRole("timer");
    await page.getByText("What you may do").waitFor();
    await page.keyboard.press(".");
    await expect.poll(() => timer.textContent()).toContain("15:29:00");
    await page.getByText("Step 2 is to be done before 15:30:00").waitFor();
    await page.keyboard.press("e");
    await page.getByRole("button", { name: "Advance to…" }).click();
    const next = page.getByRole("menuitem", { name: /Next event/ });
    await expect.poll(() => next.textContent()).toContain("step 2 is due before 15:30");
    await next.click();
    await page.getByRole("button", { name: "Advance to…" }).waitFor();
    expect((await clock()).now).toBe("2026-05-20T06:29:00Z");
    await advance("15:30:00");
    const steps = page.locator("ol > li");
    await expect.poll(() => steps.nth(1).textContent()).toContain("Missed: ");
    await expect.poll(() => steps.nth(3).getAttribute("aria-current")).toBe("step");
    await page.keyboard.press("e");
    await expect.poll(() => timer.textContent()).toContain("16:30:00");
    expect(errors).toEqual([]);
    const { drill } = await server.call<SessionView>("GET", "/sandbox/session");
    expect(drill?.steps[1].state).toBe("missed");
    await page.close();
  });

  test("during the drill Try again asks first; after the end one click opens the debriefing, and another starts again", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/now" });
    const timer = page.getByRole("timer");
    const again = page.getByRole("button", { name: "Try again" });
    await again.click();
    await page.getByRole("button", { name: "Stay" }).click();
    expect((await clock()).now).toBe("2026-05-20T07:30:00Z");
    await advance("16:35:00");
    await page.getByText("The drill ended at 16:35:00.").waitFor();
    for (const name of ["Run", "Advance to…"])
      await expect.poll(() => page.getByRole("button", { name, exact: true }).isDisabled()).toBe(true);
    const next = page.getByRole("region", { name: "Next", exact: true });
    await expect.poll(() => next.textContent()).toBe("NextNothing comes any more.");
    const debriefing = page.getByRole("button", { name: "Debriefing", exact: true });
    const [tab] = await Promise.all([page.waitForEvent("popup"), debriefing.click()]);
    await tab.getByText("First steps: Not passed").waitFor();
    await again.click();
    await expect.poll(() => timer.textContent()).toContain("15:20:00");
    expect((await clock()).mode).toBe("paused");
    await expect.poll(() => page.locator("ol > li").nth(1).textContent()).not.toContain("Missed: ");
    const { may } = await server.call<SessionView>("GET", "/sandbox/session");
    expect(may).toEqual(["clock", "weights", "schedules", "reset"]);
    expect(errors).toEqual([]);
  });
});
