// A server of the quickstart scenario, and its page in Chromium.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { PROJECT } from "../cli/runVppsim.ts";
import { type ReadyLine, requestJson, ServeProcess } from "../cli/serveProcess.ts";

const CHROMIUM = "/usr/bin/chromium";
export const hasBrowser = existsSync(CHROMIUM);
if (!hasBrowser) console.log(`skipped: no browser at ${CHROMIUM}`);

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });

/** Builds the page from the sources that are tested. */
export function buildPage(): void {
  const vite = join(PROJECT, "node_modules/vite/bin/vite.js");
  // Vitest's own NODE_ENV would build React's development version.
  const env = { ...process.env, NODE_ENV: "production" };
  execFileSync(process.execPath, [vite, "build", "--logLevel", "warn"], { cwd: PROJECT, stdio: "inherit", env });
}

/** One server; it can be ended and started again at its ports, with its journal. */
export class StationServer {
  readonly cwd = mkdtempSync(join(tmpdir(), "vppsim-page-"));
  at: ReadyLine | null = null;
  #process: ServeProcess | null = null;
  readonly #args: readonly string[];

  constructor(...args: string[]) {
    this.#args = args;
  }

  get url(): string {
    if (this.at === null) throw new Error("the server is not started");
    return this.at.base_url;
  }

  async start(): Promise<void> {
    const [port, authPort] =
      this.at === null ? ["0", "0"] : [this.at.base_url, this.at.auth_url].map((url) => new URL(url).port);
    const scenario = join(PROJECT, "scenarios/quickstart/scenario.yaml");
    const args = [scenario, "--journal", "page.journal", "--port", port, "--auth-port", authPort, ...this.#args];
    this.#process = new ServeProcess(args, this.cwd);
    this.at = await this.#process.waitUntilReady();
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  remove(): void {
    rmSync(this.cwd, { recursive: true, force: true });
  }

  async read<T>(path: string): Promise<T> {
    return JSON.parse((await requestJson("GET", `${this.url}${path}`)).text) as T;
  }

  async post<T>(path: string, body: unknown = {}): Promise<T> {
    return JSON.parse((await requestJson("POST", `${this.url}${path}`, body)).text) as T;
  }
}

/** A page with what it asked for and what it complained about. */
export interface OpenPage {
  readonly page: Page;
  readonly requests: { readonly url: string; readonly method: string; readonly atMs: number }[];
  readonly complaints: string[];
}

export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB", ...options });
  const page = await context.newPage();
  const requests: { url: string; method: string; atMs: number }[] = [];
  const complaints: string[] = [];
  page.on("request", (request) =>
    requests.push({ url: request.url(), method: request.method(), atMs: performance.now() }),
  );
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // What the server refuses, and what does not answer, the browser notes by itself.
    if (message.type() === "error" && !/Failed to load resource|WebSocket connection/.test(message.text()))
      complaints.push(message.text());
  });
  await page.goto(url);
  await page.locator(".shell").waitFor();
  return { page, requests, complaints };
}

/** What axe-core finds wrong with a page, one line each. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Evaluated by the browser's debugger: the page's own policy admits no other script.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    interface AxeResults {
      violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
    }
    const { axe } = window as unknown as { axe: { run: () => Promise<AxeResults> } };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`),
    );
  });
}
