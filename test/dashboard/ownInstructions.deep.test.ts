// What a person does with an award in force, and with instructions of their own: re-dispatch, and names in place of numbers.
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AlarmList, VppBalance } from "../../src/api/client/sandboxTypes.ts";
import { needingChromium } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { PageServer, untilNetworkIdle } from "./pageServer.ts";

const QUICKSTART = join(import.meta.dirname, "../../scenarios/quickstart/scenario.yaml");
const FCR = join(import.meta.dirname, "../../scenarios/features/frequency-containment.yaml");
const PREVIEW = "If you sent it now";

needingChromium.describe("an award in force, of which a site has failed", () => {
  let server: PageServer;
  beforeAll(async () => {
    const args = [QUICKSTART, "--open-at", "2026-05-19T22:40:00Z", "--paused", "--no-journal"];
    server = await PageServer.start(args, { isSeparated: false });
    await server.call("POST", "/sandbox/faults", { kind: "outage", site: "battery-large", duration: "PT30M" });
    await server.advanceTo("2026-05-19T22:52:10Z");
  });
  afterAll(() => server?.stop());

  const balance = () => server.call<VppBalance>("GET", "/sandbox/vpps/east/balance");

  test.each([
    ["at the award", "/now"],
    ["in its alarm", "/alarms"],
  ])("is dispatched again by a form that has its rest, product and power, and the preview: %s", async (_, route) => {
    const { page, errors } = await server.open({ station: "trainee", route });
    const [award] = (await balance()).awards;
    await page
      .getByRole("link", { name: `Re-dispatch ${award.name}` })
      .first()
      .click();
    await page.getByRole("button", { name: "Send" }).waitFor();
    const field = (name: string) => page.getByLabel(name);
    await expect.poll(() => field("Change of power, kW").inputValue()).toBe("-1,900");
    expect(await page.getByRole("radio", { name: "Scheduled" }).isChecked()).toBe(true);
    // 07:52:10 and a minute, at the next whole minute; to the end of the award.
    expect(await timeOf(page, "Start")).toBe("07:54");
    expect(await timeOf(page, "End")).toBe("08:30");
    const preview = page.getByRole("region", { name: PREVIEW });
    await preview.getByRole("table").waitFor();
    expect(await preview.textContent()).toContain(award.name);
    expect(new URL(page.url()).hash).not.toContain("redispatch");
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("says that an award has ended in place of a form that has something of it", async () => {
    const { page } = await server.open({ station: "trainee", route: "/instruct?redispatch=gone" });
    await page.getByText("The award to re-dispatch is not in force now").waitFor();
    await page.context().close();
  });
});

const timeOf = async (page: Page, label: string): Promise<string> => {
  const parts = ["hours", "minutes"].map((part) => page.getByRole("spinbutton", { name: `${label}: ${part}` }));
  return (await Promise.all(parts.map((part) => part.inputValue()))).join(":");
};

needingChromium.describe("instructions of one's own", () => {
  let server: PageServer;
  beforeAll(async () => {
    const args = [QUICKSTART, "--open-at", "2026-05-19T23:40:00Z", "--paused", "--no-journal"];
    server = await PageServer.start(args, { isSeparated: false });
  });
  afterAll(() => server?.stop());

  test("have a label that the pages show everywhere, in Schedules also while an immediate one is in force", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/instruct" });
    await page.getByText("Immediate", { exact: true }).click();
    await page.getByLabel("Change of power, kW").fill("-100");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("status").filter({ hasText: "ccepted" }).waitFor();
    await server.advanceTo("2026-05-19T23:45:00Z");
    const award = async () => (await server.call<VppBalance>("GET", "/sandbox/vpps/east/balance")).awards[0];
    expect((await award()).name).toBe("Immediate 08:40–09:10");

    await page.goto(`${server.url}/#/schedules`);
    const row = page.locator("tr[data-state=running]");
    await row.waitFor();
    expect(await row.textContent()).toContain("Immediate 08:40–09:10");
    expect(await row.textContent()).toContain("Ends by itself");
    expect(await row.getByRole("button", { name: /^Delete/ }).count()).toBe(0);
    await page.getByRole("list", { name: "By the API" }).getByText("Immediate 08:40–09:10").first().waitFor();
    await rename(page, "Label of Immediate 08:40–09:10", "second call");
    await expect.poll(async () => (await award()).name).toBe("second call");
    await expect.poll(() => row.textContent()).toContain("second call");

    await page.goto(`${server.url}/#/now`);
    await page.getByRole("heading", { name: "Instruction in force: second call" }).waitFor();
    await rename(page, "Label of second call", null);
    await page.getByRole("heading", { name: "Instruction in force: Immediate 08:40–09:10" }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("never show their number on any page", async () => {
    await server.call("POST", "/sandbox/faults", { kind: "outage", site: "battery-small", duration: "PT30M" });
    await server.advanceTo("2026-05-19T23:50:00Z");
    const { alarms } = await server.call<AlarmList>("GET", "/sandbox/alarms");
    expect(alarms.some(({ award }) => /^[0-9a-f]{32}$/.test(award ?? ""))).toBe(true);
    const [{ award_id }] = (await server.call<VppBalance>("GET", "/sandbox/vpps/east/balance")).awards;
    const { page } = await server.open({ station: "trainee" });
    const routes = ["/now", "/sites", "/sites/battery-small", "/schedules", "/alarms", "/report", "/instruct"];
    for (const route of [...routes, `/now?story=${award_id}`, `/instruct?redispatch=${award_id}`]) {
      await page.goto(`${server.url}/#${route}`);
      await untilNetworkIdle(page);
      await page.locator("details").evaluateAll((all) => {
        for (const details of all) details.setAttribute("open", "");
      });
      const shown = await page.evaluate(() => {
        // The request of the form is what is sent, with the ids of the API.
        for (const code of document.querySelectorAll<HTMLElement>("pre.mantine-Code-root")) code.style.display = "none";
        const titles = [...document.querySelectorAll("[title], [aria-label]")].map(
          (element) => `${element.getAttribute("title")} ${element.getAttribute("aria-label")}`,
        );
        return [document.title, document.body.innerText, ...titles].join("\n");
      });
      expect(shown.match(/.*[0-9a-f]{32}.*/g) ?? [], route).toEqual([]);
    }
    await page.context().close();
  });
});

needingChromium.describe("the form of a VPP whose server is gone and comes back", () => {
  const journal = join(createTemporaryFolder("again"), "again.journal");
  let server: PageServer;
  beforeAll(async () => {
    const args = [QUICKSTART, "--open-at", "2026-05-19T22:40:00Z", "--paused", "--journal", journal];
    server = await PageServer.start(args, { isSeparated: false });
  });
  afterAll(() => server?.stop());

  test("reads the baselines of the members again by itself", async () => {
    const { page, requests } = await server.open({ station: "trainee", route: "/instruct" });
    const details = () => requests.filter(({ url }) => url.endsWith("/status/details")).length;
    await expect.poll(details).toBe(1);
    const sum = page.getByText(/^Baselines of the members.*: /);
    await expect.poll(() => sum.textContent()).not.toMatch(/: 0\.0$/);
    const known = await sum.textContent();
    await server.end("SIGTERM");
    await page.getByText("No answer since").waitFor();
    await server.restart();
    await expect.poll(details).toBe(2);
    await expect.poll(() => sum.textContent()).toBe(known);
    await page.context().close();
  });
});

needingChromium.describe("an award of FCR", () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await PageServer.start([FCR, "--paused", "--no-journal"], { isSeparated: false });
  });
  afterAll(() => server?.stop());

  test("has the frequency and the response on charts, once there are values", async () => {
    const { page, errors } = await server.open({ station: "trainee" });
    const panel = page.getByRole("region", { name: "Frequency and response (FCR)" });
    await page.getByRole("region", { name: "Requested and delivered" }).locator("canvas").waitFor();
    expect(await panel.count()).toBe(0);
    await server.advanceTo("2026-03-31T15:30:00Z");
    const chart = panel.getByRole("group", { name: "Grid frequency during awards of containment" });
    await chart.waitFor();
    await chart.focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => panel.getByRole("status").first().textContent()).toMatch(/Frequency (49|50)\.\d{3}\sHz/);
    expect(await panel.locator("canvas").count()).toBe(2);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

/** @param label  `null`: it is taken away */
async function rename(page: Page, control: string, label: string | null): Promise<void> {
  await page.getByRole("button", { name: control }).click();
  if (label === null) return page.getByRole("button", { name: "Remove the label" }).click();
  const field = page.getByRole("textbox", { name: "Label" });
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await field.fill(label);
  await field.press("Enter");
}
