// Malfunctions that the instructor plans by clicking, and what the trainee sees of them: effects alone.
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { needingChromium } from "../needing.ts";
import { PageServer, type Station, typeTime, untilNetworkIdle } from "./pageServer.ts";

const QUICKSTART = join(import.meta.dirname, "../../scenarios/quickstart/scenario.yaml");
/** Words of the instructor's panel; a trainee reads none of them. */
const INSTRUCTOR_WORDS = /planned|inject|on condition|link down|outage/i;

needingChromium.describe("malfunctions at a time and on a condition", () => {
  let server: PageServer;
  let instructor: Station;
  let trainee: Station;
  beforeAll(async () => {
    server = await PageServer.start([QUICKSTART, "--paused", "--open-at", "2026-05-20T07:05:00+09:00", "--no-journal"]);
    instructor = await server.open({ station: "instructor", route: "/instructor" });
    trainee = await server.open({ station: "trainee", route: "/alarms" });
  });
  afterAll(() => server?.stop());

  const panel = () => instructor.page.getByRole("region", { name: "Malfunctions", exact: true });
  const choose = async (field: string, option: string) => {
    await panel().getByRole("combobox", { name: field, exact: true }).click();
    await instructor.page.getByRole("option", { name: option, exact: true }).click();
  };
  /** The scenario has faults of its own in the same list. */
  const rowOf = (site: string): Locator =>
    panel().getByRole("row").filter({ hasText: site }).filter({ hasNotText: "Planned by the scenario" });
  const textOf = (page: Page) => page.locator(".shell").innerText();

  test("are planned in the panel, and stand there alone", async () => {
    await choose("Kind", "outage");
    await choose("Site", "battery-medium");
    await choose("When", "at a time");
    await typeTime(panel(), "Time", "071020");
    await panel().getByLabel("For, min").fill("10");
    await panel().getByRole("button", { name: "Insert" }).click();
    await expect.poll(() => rowOf("battery-medium").textContent()).toContain("Planned, hidden");
    expect(await rowOf("battery-medium").textContent()).toContain("07:10:20 – 07:20:20");

    await choose("Kind", "link down");
    await choose("Site", "cold-store");
    await choose("When", "when delivered below");
    await panel().getByLabel("Delivered, % of the request").fill("90");
    await panel().getByRole("button", { name: "Insert" }).click();
    await expect.poll(() => rowOf("cold-store").textContent()).toContain("delivered below 90 % of the request");
    expect(await rowOf("cold-store").textContent()).toContain("On condition");

    for (const page of ["Now", "Sites", "Schedules", "Alarms", "Report"]) {
      await trainee.page.getByRole("link", { name: page, exact: true }).click();
      await untilNetworkIdle(trainee.page);
      expect(await textOf(trainee.page)).not.toMatch(INSTRUCTOR_WORDS);
    }
  });

  test("begin at their time and with their condition; the trainee notices the effects after the notice delay", async () => {
    await trainee.page.getByRole("link", { name: "Alarms", exact: true }).click();
    await server.advanceTo("2026-05-19T22:10:10Z");
    await expect.poll(() => instructor.page.getByRole("timer").textContent()).toContain("07:10:10");
    expect(await rowOf("battery-medium").textContent()).toContain("Planned, hidden");
    expect(await rowOf("cold-store").textContent()).toContain("On condition");
    // The outage has begun, and no evaluation has found it.
    await server.advanceTo("2026-05-19T22:10:50Z");
    await expect.poll(() => rowOf("battery-medium").textContent()).toContain("In force");
    await expect.poll(() => trainee.page.getByRole("timer").textContent()).toContain("07:10:50");
    expect(await textOf(trainee.page)).not.toContain("battery-medium is out of service");

    await server.advanceTo("2026-05-19T22:13:00Z");
    await trainee.page.getByText("battery-medium is out of service").first().waitFor();
    await expect.poll(() => rowOf("cold-store").textContent()).toContain("In force");
    await trainee.page.getByText("cold-store sends no values").first().waitFor();
    expect(await textOf(trainee.page)).not.toMatch(INSTRUCTOR_WORDS);
    const hidden = trainee.requests.filter(({ url }) => /faults|injects|notes|checkpoints/.test(url));
    expect(hidden).toEqual([]);
  });

  test("that stop telemetry leave the trainee with values that are held, and not live", async () => {
    const { page } = await server.open({ station: "trainee", route: "/sites" });
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "cold-store", exact: true }) });
    await expect.poll(() => row.textContent()).toContain("No connection");
    await server.advanceTo("2026-05-19T22:14:30Z");
    await expect.poll(() => page.getByRole("timer").textContent()).toContain("07:14:30");
    await expect.poll(() => row.getAttribute("data-stale")).not.toBe(null);
    await page.evaluate(() => void (location.hash = "#/sites/cold-store"));
    const head = page.locator(".panel", { hasText: "member of east" });
    await expect.poll(() => head.textContent()).toMatch(/No connection.*held since 07:1\d:\d\d/);
    await page.evaluate(() => void (location.hash = "#/sites/battery-small"));
    await expect.poll(() => head.textContent()).toContain("In service");
    expect(await head.textContent()).not.toContain("held since");
    await page.context().close();
  });

  test("end when the instructor ends them", async () => {
    await rowOf("cold-store").getByRole("button", { name: "End now: link down at cold-store" }).click();
    await expect.poll(() => rowOf("cold-store").textContent()).toContain("Ended");
    await server.advanceTo("2026-05-19T22:15:00Z");
    await trainee.page.getByText("cold-store sends values again").first().waitFor();
    expect([...instructor.errors, ...trainee.errors]).toEqual([]);
  });

  test("of two instructors, their notes, snapshots and backtracks are seen by both without a reload", async () => {
    const second = await server.open({ station: "instructor", route: "/instructor" });
    const pages = [instructor.page, second.page];
    for (const [k, page] of pages.entries()) {
      await page.getByRole("textbox", { name: /^Note at/ }).fill(`seen by ${k}`);
      await page.getByRole("button", { name: "Add the note" }).click();
      for (const other of pages) await other.getByText(`seen by ${k}`, { exact: true }).waitFor();
    }
    await second.page.getByRole("textbox", { name: "Label" }).fill("of the second");
    await second.page.keyboard.press("Enter");
    await instructor.page.getByText("of the second", { exact: true }).waitFor();
    await choose("Kind", "outage");
    await choose("Site", "factory");
    await choose("When", "now");
    await panel().getByRole("button", { name: "Insert" }).click();
    const endNow = (page: Page) => page.getByRole("button", { name: "End now: outage at factory" });
    await endNow(second.page).click();
    await expect.poll(() => endNow(instructor.page).count()).toBe(0);
    await server.call("POST", "/sandbox/faults", { kind: "outage", site: "factory", duration: "PT30M" });
    for (const page of pages) await endNow(page).waitFor();
    await server.advanceTo("2026-05-19T22:20:00Z");
    for (const page of pages) await expect.poll(() => page.getByRole("timer").textContent()).toContain("07:20:00");
    await instructor.page.getByRole("button", { name: /^Backtrack to 07:15:00/ }).click();
    await instructor.page.getByRole("button", { name: "Go back" }).click();
    for (const page of pages) {
      await expect.poll(() => page.getByRole("timer").textContent()).toContain("07:15:00");
      // What was inserted after the snapshot is of the time that was left, notes are of the training.
      await expect.poll(() => endNow(page).count()).toBe(0);
      expect(await page.getByText("seen by 1", { exact: true }).count()).toBe(1);
    }
    expect(second.errors).toEqual([]);
    await second.page.context().close();
  });

  test("are gone from the trainee's page after a reset, which goes on from the opening", async () => {
    await trainee.page.getByRole("link", { name: "Alarms", exact: true }).click();
    await trainee.page.getByText("battery-medium is out of service").first().waitFor();
    await server.call("POST", "/sandbox/reset");
    await expect.poll(() => trainee.page.getByRole("timer").textContent()).toContain("07:05:00");
    const banner = trainee.page.getByText("Gone back").locator("..");
    await expect.poll(() => banner.textContent()).toMatch(/went back from 07:\d\d.* to 07:05/);
    await banner.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => textOf(trainee.page)).not.toContain("Gone back");
    await expect.poll(() => textOf(trainee.page)).not.toMatch(/battery-medium is out of service|cold-store sends/);
    await trainee.page.getByRole("link", { name: "Now", exact: true }).click();
    await trainee.page.getByText("Award in force: morning-reserve").waitFor();
    await server.call("POST", "/sandbox/faults", { kind: "outage", site: "pv-hill", duration: "PT10M" });
    await server.advanceTo("2026-05-19T22:06:10Z");
    const line = trainee.page.getByRole("region", { name: "Most urgent alarm" });
    await expect.poll(() => line.textContent()).toContain("pv-hill is out of service");
    expect(trainee.errors).toEqual([]);
  });

  test("an initial condition is saved at a snapshot, and loaded again", async () => {
    const { page } = instructor;
    const snapshots = page.getByRole("region", { name: "Snapshots", exact: true });
    await snapshots.getByRole("textbox", { name: "Label" }).fill("to be given away");
    await page.keyboard.press("Enter");
    const save = snapshots.getByRole("button", { name: /^Save .* to be given away as an initial condition$/ });
    const [file] = await Promise.all([page.waitForEvent("download"), save.click()]);
    await server.advanceTo("2026-05-19T22:30:00Z");
    await snapshots.locator("input[type=file]").setInputFiles(await file.path());
    await expect.poll(() => snapshots.getByText("to be given away", { exact: true }).count()).toBe(2);
    await expect.poll(() => page.getByRole("timer").textContent()).not.toContain("07:30:00");
    expect(instructor.errors).toEqual([]);
  });

  test("that are prepared are armed, kept over a return, saved and loaded as a file, and abandoned actions are marked", async () => {
    const { page } = instructor;
    const prepared = page.getByRole("region", { name: "Prepared malfunctions", exact: true });
    await choose("Kind", "derated");
    await choose("Site", "battery-medium");
    await choose("When", "after a time");
    await panel().getByLabel("After, min").fill("12");
    await panel().getByLabel("Limit, %").fill("40");
    await panel().getByRole("button", { name: "Prepare" }).click();
    const row = prepared.getByRole("row").filter({ hasText: "battery-medium" });
    await expect.poll(() => row.textContent()).toMatch(/not armed.*derated.*12\smin after arming/);
    await row.getByRole("button", { name: "Arm: derated at battery-medium" }).click();
    await row.getByRole("button", { name: "Disarm: derated at battery-medium" }).waitFor();
    await expect.poll(() => rowOf("battery-medium").first().textContent()).toMatch(/\(in 12\smin\)/);
    await server.call("POST", "/sandbox/actions", { kind: "acknowledged", text: "what was left" });
    const actions = page.getByRole("region", { name: "Trainee's actions", exact: true });
    await actions.getByText("what was left").waitFor();
    await server.call("POST", "/sandbox/reset");
    await actions.getByText(/what was left.*\(abandoned\)/).waitFor();
    await expect.poll(() => row.textContent()).toMatch(/^armed/);
    await expect.poll(() => rowOf("battery-medium").first().textContent()).toContain("07:17 –");

    const [file] = await Promise.all([
      page.waitForEvent("download"),
      prepared.getByRole("button", { name: "Save" }).click(),
    ]);
    const path = await file.path();
    await row.getByRole("button", { name: "Delete: derated at battery-medium" }).click();
    await prepared.getByText("No malfunction is prepared.").waitFor();
    await prepared.locator("input[type=file]").setInputFiles(path);
    await expect.poll(() => row.textContent()).toMatch(/^armed/);
    expect(instructor.errors).toEqual([]);
  });
});
