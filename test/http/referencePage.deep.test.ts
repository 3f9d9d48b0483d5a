// The reference page in a real browser: a token from the form, then a call of each API and of the sandbox.
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandboxAccess } from "../../src/api/http/sandbox/sandboxAccess.ts";
import { sandboxDescription } from "../../src/api/http/sandbox/sandboxDocument.ts";
import { sandboxPlugin, sandboxRole } from "../../src/api/http/sandbox/sandboxPlugin.ts";
import type { ServerOptions } from "../../src/api/http/server.ts";
import type { Session } from "../../src/live/session/session.ts";
import { CHROMIUM, needingChromium } from "../needing.ts";
import { type LiveServer, startLiveServer } from "./liveServer.ts";

/** @param instructorToken  `null`: the session is not separated */
const faceOf =
  (instructorToken: string | null) =>
  (session: Session): Partial<ServerOptions> => {
    const access = createSandboxAccess({ signingKey: session.signingKey, sandboxToken: null, instructorToken });
    return {
      readerOf: (request) => sandboxRole(request, access),
      descriptions: [sandboxDescription(session)],
      plugins: [
        (server, _options, done) => {
          server.register(sandboxPlugin, { session, access, report: null });
          done();
        },
      ],
    };
  };

needingChromium.describe("the page at /docs", () => {
  let live: LiveServer;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    live = await startLiveServer(faceOf(null));
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

  test("makes a new idempotency key for each request", async () => {
    const block = '.opblock[id$="-controlActivePower"]';
    const before = live.session.requestLog.lastSeq;
    const posted = () => live.session.requestLog.list({ method: "POST" }, before, 10);
    for (let k = 1; k <= 2; k++) {
      await page.click(`${block} .execute`);
      await expect.poll(() => posted().length).toBe(k);
    }
    const keys = posted().map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(new Set(keys).size).toBe(2);
  });

  test("calls the site APIs and the sandbox", async () => {
    const { credentials } = live.session;
    const site = credentials.find(({ kind }) => kind === "site");
    await choose("Site control API v2", '.opblock[id$="-getSpecifications"]');
    await useTokenOf(site?.name ?? "");
    expect(await tryOut("getSpecifications")).toBe("200");
    // The token stays in use.
    await choose("Site control API v1", '.opblock[id$="-getFcrConfig"]');
    expect(await tryOut("getServicePlan")).toBe("200");
    await choose("Sandbox control", '.opblock[id$="-getClock"]');
    expect(await tryOut("getClock")).toBe("200");
    expect(await tryOut("postFaults")).toBe("200");
  });

  test("describes the telemetry and how to resume it, and logs no error", async () => {
    const text = await page.locator("#telemetry").innerText();
    expect(text).toContain("member_status");
    expect(text).toMatch(/session=\w+…&last_seq=42/);
    expect(errors).toEqual([]);
  });

  test("of a separated session has the ids of the session, and with the instructor's token calls what is his", async () => {
    const separated = await startLiveServer(faceOf("teacher"));
    await separated.session.beginFault({ kind: "outage", site: "plant", durationMs: null });
    const own = await browser.newPage();
    await own.goto(`${separated.baseUrl}/docs`);
    await own.waitForSelector(".opblock");
    const example = async (name: string) => {
      const { paths } = (await (await own.request.get(`${separated.baseUrl}/openapi/vpp-v1.json`)).json()) as {
        readonly paths: Record<string, { get: { parameters: { name: string; example: string }[] } }>;
      };
      return paths["/v1/vpp/{vpp_id}/status"].get.parameters.find((each) => each.name === name)?.example;
    };
    expect(await example("vpp_id")).toBe(separated.idOf("east"));
    await own.fill("#sandbox-token", "pupil");
    await own.click("#sandbox button");
    await own.getByText("does not accept this token").waitFor();
    await own.fill("#sandbox-token", "teacher");
    await own.click("#sandbox button");
    await own.getByText("In use", { exact: true }).waitFor();
    await own.selectOption(".download-url-wrapper select", { label: "Sandbox control" });
    const block = '.opblock[id$="-deleteFaults"]';
    await own.click(`${block} .opblock-summary-control`);
    await own.click(`${block} .try-out__btn`);
    expect(await own.inputValue(`${block} .parameters input`)).toBe(separated.session.faults[0].fault_id);
    await own.click(`${block} .execute`);
    await expect.poll(() => separated.session.faults).toEqual([]);
    await separated.close();
  });
});
