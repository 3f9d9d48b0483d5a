// Texts that are markup, in a session of ten thousand events.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, PageServer } from "./pageServer.ts";

const EVENTS = 10_000;
const MARKUP = "<script>alert(1)</script>";
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
    name: "hostile",
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

describe.skipIf(!hasChromium)("hostile sessions", () => {
  const folder = mkdtempSync(join(tmpdir(), "vppsim-hostile-"));
  let server: PageServer;
  beforeAll(async () => {
    const file = join(folder, "scenario.yaml");
    writeFileSync(file, scenarioText());
    const journal = ["--journal", join(folder, "session.journal"), "--rate-limits", "off"];
    server = await PageServer.start(file, "--paused", "--open-at", at(11_400), ...journal);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("an award whose name is markup is shown as text on every page", async () => {
    for (const route of ["/alarms", "/schedules?hours=6", "/report", "/now"]) {
      const { page, errors } = await server.open({ station: "trainee", route });
      await expect.poll(() => page.locator("body").textContent()).toContain(MARKUP);
      expect(await page.locator("body script").count()).toBe(0);
      expect(errors).toEqual([]);
      await page.context().close();
    }
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
});
