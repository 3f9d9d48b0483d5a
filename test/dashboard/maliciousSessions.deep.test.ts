// Texts that are markup, ten thousand events, a crash of the server, other origins, and tokens of the other role.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SandboxEvents } from "../../src/api/client/sandboxTypes.ts";
import { needingChromium } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { goTo, INSTRUCTOR_TOKEN, PageServer } from "./pageServer.ts";

const EVENTS = 10_000;
const MARKUP = "<script>alert(1)</script>";
/** An award with thousands of events between it and the next one. */
const LONG_AGO = "long-ago";
const START_MS = Date.parse("2026-05-20T00:00:00Z");
const at = (seconds: number): string => new Date(START_MS + 1000 * seconds).toISOString().replace(".000Z", "Z");

/** Two batteries whose labels are markup, an award named by markup, and a weight that changes every second. */
function scenarioText(): string {
  const batteryOf = (name: string) => ({
    name,
    components: [
      {
        component_id: "bat",
        component_type: "battery",
        rated_cap: 2000,
        import_pwr_max: 500,
        export_pwr_max: 500,
        soc_op_min: 10,
        soc_op_max: 90,
        model: { initial_soc: 50 },
      },
    ],
  });
  const weights = Array.from({ length: EVENTS }, (_, k) => ({
    at: at(k + 1),
    kind: "set_weight",
    vpp: "east",
    site: "plain",
    allocation_weight: 100 + (k % 2),
  }));
  const scenario = {
    version: 1,
    name: "malicious",
    description: "<script>alert(2)</script>",
    timezone: "Asia/Tokyo",
    start: at(0),
    end: at(8 * 3600),
    seed: 1,
    sites: [batteryOf("failing"), batteryOf("plain")],
    vpps: [
      {
        name: "east",
        members: ["failing", "plain"].map((site) => ({
          site,
          resource_type: "battery",
          allocation_weight: 100,
          label: MARKUP,
        })),
      },
    ],
    awards: [
      { award_id: LONG_AGO, vpp: "east", sku: "rr", start: at(60), end: at(120), delta_kw: -10 },
      {
        award_id: MARKUP,
        vpp: "east",
        sku: "frr",
        start: at(10_800),
        end: at(21_600),
        delta_kw: -900,
      },
    ],
    events: [...weights, { at: at(11_000), kind: "outage", site: "failing", duration: "PT2H" }],
  };
  // JSON is YAML.
  return JSON.stringify(scenario);
}

needingChromium.describe("sessions with malicious or excessive input", () => {
  const folder = createTemporaryFolder("malicious");
  let server: PageServer;
  beforeAll(async () => {
    const file = join(folder, "scenario.yaml");
    writeFileSync(file, scenarioText());
    const journal = ["--journal", join(folder, "session.journal"), "--rate-limits", "off"];
    server = await PageServer.start([file, "--paused", "--open-at", at(11_400), ...journal]);
  });
  afterAll(() => server?.stop());

  test("an award whose name is markup is shown as text on every page", async () => {
    const trainee = await server.open({ station: "trainee", route: "/now" });
    for (const route of ["/alarms", "/schedules?hours=6", "/report", "/now"]) {
      await goTo(trainee.page, route);
      await expect.poll(() => trainee.page.locator("main").textContent()).toContain(MARKUP);
      expect(await trainee.page.locator("body script").count()).toBe(0);
    }
    expect(trainee.errors).toEqual([]);
    await trainee.page.context().close();
    const { page, errors } = await server.open({ station: "instructor", route: "/instructor" });
    await page.getByRole("textbox", { name: "Label" }).fill(MARKUP);
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: MARKUP }).first().waitFor();
    await page.getByRole("textbox", { name: /^Note at/ }).fill(MARKUP);
    await page.getByRole("button", { name: "Add the note" }).click();
    await page.getByRole("listitem").filter({ hasText: MARKUP }).first().waitFor();
    expect(await page.locator("body script").count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test("ten thousand events are a list of few elements that scrolls to its end and can be filtered", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/alarms" });
    const events = page.getByRole("region", { name: "All events" });
    const { last_seq } = await server.call<SandboxEvents>("GET", "/sandbox/events?limit=1");
    expect(last_seq).toBeGreaterThan(EVENTS);
    await expect.poll(() => listed(page)).toBe(`${last_seq} of ${last_seq}`);
    expect(await events.getByRole("listitem").count()).toBeLessThan(100);
    await events.press("End");
    await expect.poll(() => events.locator("li").last().getAttribute("aria-posinset")).toBe(String(last_seq));
    expect(await events.getByRole("listitem").count()).toBeLessThan(100);
    await page.getByRole("combobox", { name: "Kind" }).click();
    await page.getByRole("option", { name: "Status changed" }).click();
    await expect.poll(() => events.getByRole("listitem").count()).toBe(1);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("W opens the story of the last award, however many events came after it", async () => {
    const file = join(folder, "scenario.yaml");
    const later = await PageServer.start([file, "--paused", "--open-at", at(EVENTS), "--no-journal"]);
    const { page } = await later.open({ station: "trainee", route: "/sites" });
    await page.locator(".members tbody a").first().waitFor();
    await page.keyboard.press("w");
    await page.getByRole("dialog", { name: new RegExp(LONG_AGO) }).waitFor();
    await later.stop();
  });

  test("a crash in the middle: values are shown as held, the page comes back by itself, and misses no event", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/alarms" });
    const line = page.getByRole("region", { name: "Most urgent alarm" });
    await expect.poll(() => line.textContent()).toContain("failing is out of service");
    const before = await server.call<SandboxEvents>("GET", "/sandbox/events?limit=1");
    await expect.poll(() => listed(page)).toBe(`${before.last_seq} of ${before.last_seq}`);
    await server.end("SIGKILL");
    await page.getByText("No answer since").waitFor();
    // A lost connection is a banner, not an alarm.
    expect(await line.textContent()).toContain("failing is out of service");
    expect(await page.locator(".shell").getAttribute("data-connection")).toBe("disconnected");
    await goTo(page, "/now");
    await expect.poll(() => page.getByLabel("Weight of plain; Enter sends it").isDisabled()).toBe(true);
    await goTo(page, "/instruct");
    await page.getByText("Sending is disabled while the connection is lost.").waitFor();
    await goTo(page, "/alarms");
    await server.restart();
    await expect.poll(() => page.getByText("No answer since").count()).toBe(0);
    await server.call("POST", "/sandbox/faults", { kind: "outage", site: "plain", duration: "PT30M" });
    await server.call("POST", "/sandbox/clock/advance", { by: "PT60S" });
    await expect.poll(() => line.textContent()).toContain("plain is out of service");
    // Each event once, and none is missing: as many as the last number says.
    const { last_seq } = await server.call<SandboxEvents>("GET", "/sandbox/events?limit=1");
    expect(last_seq).toBeGreaterThan(before.last_seq);
    await expect.poll(() => listed(page)).toBe(`${last_seq} of ${last_seq}`);
    expect(await page.locator(".connection").getAttribute("title")).toContain("0 messages missed");
    await goTo(page, "/alarms?kind=status_changed");
    await expect.poll(() => page.getByRole("region", { name: "All events" }).getByRole("listitem").count()).toBe(2);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("a server that starts anew without the session: the page starts anew too, and its alarms are live", async () => {
    const { page } = await server.open({ station: "trainee", route: "/alarms" });
    const line = page.getByRole("region", { name: "Most urgent alarm" });
    await expect.poll(() => line.textContent()).toContain("is out of service");
    await server.end("SIGKILL");
    await page.getByText("No answer since").waitFor();
    const file = join(folder, "scenario.yaml");
    const args = [file, "--paused", "--open-at", at(10_900), "--no-journal", "--rate-limits", "off"];
    await server.restart([...args, "--instructor-token", INSTRUCTOR_TOKEN]);
    await expect.poll(() => page.getByRole("timer").textContent()).toContain("12:01:40");
    await server.call("POST", "/sandbox/faults", { kind: "outage", site: "plain", duration: "PT30M" });
    await server.call("POST", "/sandbox/clock/advance", { by: "PT60S" });
    await expect.poll(() => line.textContent()).toContain("plain is out of service");
    await page.context().close();
  });
});

/** How many events the list says that it has, such as `9 of 10`. */
const listed = (page: Page): Promise<string | null> =>
  page
    .locator(".panel", { has: page.getByRole("heading", { name: "Events" }) })
    .locator(".panel-head .muted")
    .textContent();
