// Malfunctions that the instructor plans by clicking, and what the trainee sees of them: effects alone.
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, PageServer, type Station, typeTime, untilNetworkIdle } from "./pageServer.ts";

const QUICKSTART = join(import.meta.dirname, "../../scenarios/quickstart/scenario.yaml");
/** Words of the instructor's panel; a trainee reads none of them. */
const INSTRUCTOR_WORDS = /planned|inject|on condition|link down|outage/i;

describe.skipIf(!hasChromium)("malfunctions at a time and on a condition", () => {
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
  const rowOf = (site: string): Locator => panel().getByRole("row").filter({ hasText: site });
  const textOf = (page: Page) => page.locator(".shell").innerText();

  test("are planned in the panel, and stand there alone", async () => {
    await choose("Kind", "outage");
    await choose("Site", "battery-medium");
    await choose("When", "at a time");
    await typeTime(panel(), "Time", "071020");
    await panel().getByLabel("For, min").fill("10");
    await panel().getByRole("button", { name: "Insert" }).click();
    await expect.poll(() => rowOf("battery-medium").textContent()).toContain("Planned, hidden");
    expect(await rowOf("battery-medium").textContent()).toContain("07:10 – 07:20");

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

  test("end when the instructor ends them", async () => {
    await rowOf("cold-store").getByRole("button", { name: "End now: link down at cold-store" }).click();
    await expect.poll(() => rowOf("cold-store").textContent()).toContain("Ended");
    await server.advanceTo("2026-05-19T22:15:00Z");
    await trainee.page.getByText("cold-store sends values again").first().waitFor();
    expect([...instructor.errors, ...trainee.errors]).toEqual([]);
  });
});
