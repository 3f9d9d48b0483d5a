// What a person expects of any page: dialogs that return the focus, addresses that show the same elsewhere, and states that say what to do.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SandboxCredentials } from "../../src/api/client/sandboxTypes.ts";
import { requestJson } from "../cli/serveProcess.ts";
import { needingChromium } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { goTo, INSTRUCTOR_TOKEN, PageServer, untilNetworkIdle } from "./pageServer.ts";

const QUICKSTART = join(import.meta.dirname, "../../scenarios/quickstart/scenario.yaml");
/** In the award morning-reserve, with battery-large out of service. */
const IN_OUTAGE = "2026-05-19T22:52:10Z";
const MAIN = "main";

const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return `${element?.tagName} ${element?.getAttribute("aria-label") ?? element?.textContent ?? ""}`;
  });

const focusIsInDialog = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.closest("[role=dialog]") !== null);

needingChromium.describe("a person's habits", () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await PageServer.start([QUICKSTART, "--paused", "--open-at", "2026-05-20T07:35:00+09:00", "--no-journal"]);
    await server.advanceTo(IN_OUTAGE);
  });
  afterAll(() => server?.stop());

  test.each(["w", "?", "t"])("the dialog of the key %s takes the focus, and gives it back", async (key) => {
    const { page, errors } = await server.open({ station: "trainee", route: "/now" });
    await page.locator(".award").first().waitFor();
    await page.getByRole("button", { name: "Run" }).and(page.locator(":enabled")).waitFor();
    const link = page.getByRole("link", { name: "battery-medium" }).first();
    await link.focus();
    const before = await focusedName(page);
    await page.keyboard.press(key);
    await page.getByRole("dialog").waitFor();
    await expect.poll(() => focusIsInDialog(page)).toBe(true);
    // The focus stays inside, however often one goes on.
    for (let k = 0; k < 12; k++) {
      await page.keyboard.press("Tab");
      expect(await focusIsInDialog(page)).toBe(true);
    }
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => focusedName(page)).toBe(before);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test.each([
    ["/now?window=4h", "[data-active], input:checked"],
    ["/now?zoom=1779229200-1779232800", ".chart-table summary"],
    ["/now?story=morning-reserve", "[role=dialog] h2"],
    ["/sites?sort=-weight&find=1", ".members tbody th"],
    ["/sites/battery-small?window=15m", "h1"],
    ["/schedules?new=1", "form"],
    ["/alarms?kind=dispatched", ".event-row"],
    ["/report?lang=ja&theme=dark", "h1"],
  ])("the address %s shows the same in another browser", async (route, ready) => {
    const textOf = async (address: string) => {
      const { page, errors } = await server.openPath(address);
      await page.locator(ready).first().waitFor({ state: "attached" });
      await untilNetworkIdle(page);
      const body = page.locator("body");
      await expect.poll(() => body.innerText()).not.toMatch(/Loading…|読み込み中…/);
      const text = await body.innerText();
      const hash = new URL(page.url()).hash;
      expect(errors).toEqual([]);
      await page.context().close();
      return { hash, text };
    };
    const first = await textOf(`/#${route}`);
    expect(first.hash).toBe(`#${route}`);
    expect(await textOf(`/${first.hash}`)).toEqual(first);
  });

  test("an id that does not exist says where to choose another one", async () => {
    const { page } = await server.open({ station: "trainee", route: "/sites/nowhere" });
    await page.getByText("No site has the name nowhere. Choose one from the list of sites.").waitFor();
    await page.evaluate(() => void (location.hash = "#/now?story=nothing"));
    await page.getByRole("dialog").getByText("No VPP has received the award nothing").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => new URL(page.url()).hash).toBe("#/now");
    await page.context().close();
  });

  test("too many requests are refused with the wait, and the page goes on", async () => {
    const { page } = await server.open({ station: "trainee", route: "/now" });
    const weight = page.getByRole("textbox", { name: "Weight of battery-small; Enter sends it" });
    await weight.waitFor();
    const { vpps, sites } = await server.call<SandboxCredentials>("GET", "/sandbox/credentials");
    const [{ vpp_id: id, refresh_token: refresh }] = vpps;
    const [, auth] = server.origins;
    const bearer = { authorization: `Bearer ${refresh}` };
    const answer = await requestJson("POST", `${auth}/auth/refresh`, { refresh_token: refresh }, bearer);
    const { access_token: token } = JSON.parse(answer.text) as { access_token: string };
    const members = `${server.url}/v1/vpp/${id}/members`;
    const headers = { authorization: `Bearer ${token}` };
    const site = sites.find(({ name }) => name === "battery-small")?.ems_id;
    let status = 200;
    while (status !== 429)
      ({ status } = await requestJson("POST", `${members}/${site}`, { allocation_weight: 100 }, headers));
    await weight.fill("90");
    await weight.press("Enter");
    await page.getByRole("alert").filter({ hasText: "200 requests per hour are used up" }).waitFor();
    expect(await page.locator(".award").first().isVisible()).toBe(true);
    await page.context().close();
  });

  test("nothing moves by itself for a person who prefers reduced motion", async () => {
    const { page } = await server.open({ station: "trainee", route: "/now" });
    await page.locator(".members tbody a").first().waitFor();
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll("*")]
        .filter((element) => {
          const { animationName, animationDuration, transitionDuration } = getComputedStyle(element);
          const seconds = [animationName === "none" ? "0s" : animationDuration, transitionDuration].join().split(",");
          return seconds.some((text) => Number.parseFloat(text) > 0.01);
        })
        .map(({ tagName, className }) => `${tagName} ${String(className)}`),
    );
    expect(moving).toEqual([]);
    await page.context().close();
  });

  test("a page that stays open while the server restarts with another token endpoint sends its commands there", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/sites" });
    const weight = page.getByRole("textbox", { name: "Weight of battery-small; Enter sends it" });
    await weight.waitFor();
    const [, authBefore] = server.origins;
    await server.end("SIGTERM");
    await page.getByText("No answer since").waitFor();
    const args = [QUICKSTART, "--paused", "--open-at", "2026-05-20T07:35:00+09:00", "--no-journal"];
    await server.restart([...args, "--instructor-token", INSTRUCTOR_TOKEN], "other");
    expect(server.origins[1]).not.toBe(authBefore);
    await expect.poll(() => page.getByText("No answer since").count()).toBe(0);
    const policyOf = async () => (await page.request.get(server.url)).headers()["content-security-policy"];
    expect(await policyOf()).toContain(server.origins[1]);
    await expect
      .poll(() => page.evaluate(() => performance.getEntriesByType("navigation")[0].toJSON().type))
      .toBe("reload");
    await weight.fill("90");
    await weight.press("Enter");
    await page.getByText("saved").waitFor();
    expect(errors.filter((text) => !/Content Security Policy/.test(text))).toEqual([]);
    await page.context().close();
  });

  test("a token that the server no longer accepts leads to the sign-in page with the reason", async () => {
    const { page } = await server.open({ station: "instructor", route: "/instructor" });
    await server.end("SIGTERM");
    await page.getByText("No answer since").waitFor();
    await server.restart([QUICKSTART, "--paused", "--no-journal", "--instructor-token", "another-one"]);
    await page.getByText("The server refuses this token").waitFor();
    await page.getByText("Enter the instructor's token").waitFor();
    await page.context().close();
  });
});

needingChromium.describe("a session with no award, no event and no member", () => {
  let server: PageServer;
  beforeAll(async () => {
    const file = join(createTemporaryFolder("empty"), "scenario.yaml");
    writeFileSync(file, EMPTY);
    server = await PageServer.start([file, "--paused", "--no-journal"]);
  });
  afterAll(() => server?.stop());

  test("says on each page what to do", async () => {
    const { page, errors } = await server.open({ station: "trainee", route: "/now" });
    for (const [route, text] of WHAT_TO_DO) {
      await goTo(page, route);
      await expect.poll(() => page.locator(MAIN).innerText()).toContain(text);
    }
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

const WHAT_TO_DO = [
  ["/now", "Run the clock, or create a schedule on the page Schedules."],
  ["/now", "This VPP has no member. Register one with POST members of the VPP API."],
  ["/now", "No event yet. Run the clock, or advance to the next award."],
  ["/schedules", "No schedule. Create one, or advance to the next award."],
  ["/alarms", "An alarm appears here when a site fails"],
  ["/report", "No award has begun"],
] as const;

const EMPTY = `
version: 1
name: empty
start: 2026-05-20T00:00:00Z
end: 2026-05-20T06:00:00Z
timezone: Asia/Tokyo
sites:
  - name: lonely
    components:
      - {component_id: bat, component_type: battery, rated_cap: 100, import_pwr_max: 50, export_pwr_max: 50, soc_op_min: 10, soc_op_max: 90}
vpps:
  - {name: bare, members: []}
`;
