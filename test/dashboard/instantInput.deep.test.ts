// Date and time fields: typed on the keyboard, on the 24-hour clock of the scenario's zone, in both languages.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ClockRecord } from "../../src/api/client/sandboxTypes.ts";
import { needingChromium } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { axeViolations, PageServer, typeTime } from "./pageServer.ts";

const QUICKSTART = join(import.meta.dirname, "../../scenarios/quickstart/scenario.yaml");

needingChromium.describe("a time to advance to", () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await PageServer.start([QUICKSTART, "--open-at", "2026-05-19T21:55:00Z", "--paused", "--no-journal"]);
  });
  beforeEach(() => server.call("POST", "/sandbox/reset"));
  afterAll(() => server?.stop());

  const now = async () => (await server.call<ClockRecord>("GET", "/sandbox/clock")).now;

  test.each([
    ["en-GB", "Asia/Tokyo"],
    ["ja-JP", "Asia/Tokyo"],
    // The browser's own zone has no part in it, nor has its clock of twelve hours.
    ["en-US", "America/New_York"],
  ])("is typed to the second, in %s in a browser of %s", async (locale, timezoneId) => {
    const { page, errors } = await server.open({ station: "trainee", browser: { locale, timezoneId } });
    // Keys of the clock work once it is read.
    await page
      .getByRole("button", { name: /^(Run|再開)/ })
      .and(page.locator(":enabled"))
      .waitFor();
    await page.keyboard.press("t");
    const hours = page.getByRole("dialog").getByRole("spinbutton").first();
    await expect.poll(() => hours.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await hours.inputValue()).toBe("07");
    await page.keyboard.type("183045");
    await page.keyboard.press("Enter");
    await expect.poll(now).toBe("2026-05-20T09:30:45Z");
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test.each(["18", "07", "7"])(
    "takes the minutes after a click on them, whatever hours were typed: %s",
    async (typed) => {
      const { page, errors } = await server.open({ station: "trainee" });
      await page.getByRole("button", { name: "Run" }).and(page.locator(":enabled")).waitFor();
      await page.keyboard.press("t");
      const field = (part: string) => page.getByRole("spinbutton", { name: `Time: ${part}` });
      await expect.poll(() => field("hours").evaluate((element) => element === document.activeElement)).toBe(true);
      await field("hours").click();
      await page.keyboard.type(typed);
      await field("minutes").click();
      await page.keyboard.type("15");
      expect([await field("hours").inputValue(), await field("minutes").inputValue()]).toEqual([
        typed.padStart(2, "0"),
        "15",
      ]);
      expect(errors).toEqual([]);
      await page.context().close();
    },
  );

  test("is on a day that is typed or chosen, and an impossible one is refused in place", async () => {
    const { page, errors } = await server.open({ station: "trainee" });
    await page.getByRole("button", { name: "Run" }).and(page.locator(":enabled")).waitFor();
    await page.keyboard.press("t");
    const day = page.getByRole("textbox", { name: "Time: date" });
    await day.fill("2026/05/21");
    await page.keyboard.press("Enter");
    await page.getByText("The time must be after now and at most 21 May 00:00").waitFor();
    expect(await now()).toBe("2026-05-19T21:55:00Z");
    await day.click();
    await page.getByRole("button", { name: "Next month" }).waitFor();
    // The library shows it outside of the landmarks, as all that opens over a page.
    expect((await axeViolations(page)).filter((text) => !text.startsWith("region:"))).toEqual([]);
    await page.getByRole("button", { name: "20 May 2026" }).click();
    expect(await day.inputValue()).toBe("2026-05-20");
    // Not complete: no time is taken for it.
    await page.getByRole("spinbutton", { name: "Time: minutes" }).press("Backspace");
    await page.getByText("Enter a date and a time").waitFor();
    await page.getByRole("spinbutton", { name: "Time: minutes" }).pressSequentially("30");
    await page.getByRole("button", { name: "Advance", exact: true }).click();
    await expect.poll(now).toBe("2026-05-19T22:30:00Z");
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

/** The clocks of Berlin go back at 03:00 of 25 October. */
const BERLIN = `
version: 1
name: autumn
start: 2026-10-25T00:00:00+02:00
end: 2026-10-25T06:00:00+01:00
timezone: Europe/Berlin
sites:
  - name: lonely
    components:
      - {component_id: bat, component_type: battery, rated_cap: 100, import_pwr_max: 50, export_pwr_max: 50, soc_op_min: 10, soc_op_max: 90}
vpps:
  - name: east
    members:
      - {site: lonely, resource_type: battery, allocation_weight: 100}
`;

needingChromium.describe("an hour that comes twice", () => {
  let server: PageServer;
  beforeAll(async () => {
    const file = join(createTemporaryFolder("autumn"), "scenario.yaml");
    writeFileSync(file, BERLIN);
    server = await PageServer.start([file, "--paused", "--no-journal"], { isSeparated: false });
  });
  afterAll(() => server?.stop());

  test("is chosen by the name of the zone", async () => {
    const { page, errors } = await server.open({ station: "trainee" });
    await page.getByRole("button", { name: "Run" }).and(page.locator(":enabled")).waitFor();
    await page.keyboard.press("t");
    const dialog = page.getByRole("dialog");
    const choice = dialog.getByRole("radiogroup", { name: "Time: this hour comes twice" });
    await typeTime(dialog, "Time", "033000");
    expect(await choice.count()).toBe(0);
    await typeTime(dialog, "Time", "023000");
    expect(await choice.getByRole("radio", { name: "CEST" }).isChecked()).toBe(true);
    await choice.getByText("CET", { exact: true }).click();
    await dialog.getByText("Time (CET)").waitFor();
    await page.getByRole("button", { name: "Advance", exact: true }).click();
    await expect
      .poll(async () => (await server.call<ClockRecord>("GET", "/sandbox/clock")).now)
      .toBe("2026-10-25T01:30:00Z");
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
