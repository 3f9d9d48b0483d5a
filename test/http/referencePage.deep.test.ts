// The reference page in a real browser: a token from the form, then a call of each API and of the sandbox.
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandboxAccess } from "../../src/api/http/sandbox/sandboxAccess.ts";
import { sandboxDescription } from "../../src/api/http/sandbox/sandboxDocument.ts";
import { sandboxPlugin } from "../../src/api/http/sandbox/sandboxPlugin.ts";
import type { Session } from "../../src/live/session/session.ts";
import { CHROMIUM, needingChromium } from "../needing.ts";
import { type LiveServer, startLiveServer } from "./liveServer.ts";

needingChromium.describe("the page at /docs", () => {
  let live: LiveServer;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    live = await startLiveServer((session: Session) => ({
      maySeeIds: () => true,
      descriptions: [sandboxDescription(session)],
      plugins: [
        (server, _options, done) => {
          server.register(sandboxPlugin, {
            session,
            access: createSandboxAccess({ signingKey: session.signingKey, sandboxToken: null, instructorToken: null }),
            report: null,
          });
          done();
        },
      ],
    }));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
    page = await browser.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${live.baseUrl}/docs`);
    await page.waitForSelector(".opblock");
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await live.close();
  });

  async function choose(title: string, expected: string): Promise<void> {
    await page.selectOption(".download-url-wrapper select", { label: title });
    await page.waitForSelector(expected);
  }

  async function useTokenOf(name: string): Promise<void> {
    await page.selectOption("#holder", live.refreshTokenOf(name));
    await page.click("#access button");
    await page.getByText("In use: ").waitFor();
    expect(await page.locator("#token-state").innerText()).toContain(name);
  }

  /** Executes an operation with its example as it stands. @returns the status */
  async function tryOut(operationId: string): Promise<string> {
    const block = `.opblock[id$="-${operationId}"]`;
    await page.click(`${block} .opblock-summary-control`);
    await page.click(`${block} .try-out__btn`);
    await page.click(`${block} .execute`);
    const cell = `${block} .live-responses-table .response-col_status`;
    await page.waitForSelector(`${cell}:not(:empty)`);
    return (await page.locator(cell).last().innerText()).trim();
  }

  test("gets a token and calls the VPP API with it", async () => {
    await useTokenOf("east");
    expect(await tryOut("getStatus")).toBe("200");
    expect(await tryOut("controlActivePower")).toBe("200");
    expect(await tryOut("refreshToken")).toBe("200");
  });

  test("calls the site APIs and the sandbox", async () => {
    const { credentials } = live.session;
    const site = credentials.find(({ kind }) => kind === "site");
    await choose("Site control API v2", '.opblock[id$="-getSpecifications"]');
    await useTokenOf(site?.name ?? "");
    expect(await tryOut("getSpecifications")).toBe("200");
    await choose("Site control API v1", '.opblock[id$="-getFcrConfig"]');
    await useTokenOf(site?.name ?? "");
    expect(await tryOut("getServicePlan")).toBe("200");
    await choose("Sandbox control", '.opblock[id$="-getClock"]');
    expect(await tryOut("getClock")).toBe("200");
    expect(await tryOut("postFaults")).toBe("200");
  });

  test("describes the telemetry, and logs no error", async () => {
    expect(await page.locator("#telemetry").innerText()).toContain("member_status");
    expect(errors).toEqual([]);
  });
});
