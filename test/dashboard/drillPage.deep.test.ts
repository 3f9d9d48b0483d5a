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
  });
});
