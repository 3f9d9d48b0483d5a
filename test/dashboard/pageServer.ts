// A served session and browsers at its pages, as a person has them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from "playwright-core";
import { expect } from "vitest";
import { type ReadyLine, requestJson, ServeProcess } from "../cli/serveProcess.ts";
import { CHROMIUM } from "../needing.ts";

export const INSTRUCTOR_TOKEN = "instructor-of-the-test";
const HEADER = "x-sandbox-token";
export const THEMES = ["light", "dark"] as const;

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const IDLE_MS = 600;

/**
 * Waits until the page has neither begun nor ended a request for 600 ms. Playwright's "networkidle" returns at once when
 * the page was idle before.
 */
export async function untilNetworkIdle(page: Page): Promise<void> {
  const pending = new Set<Request>();
  let changedMs = performance.now();
  const begin = (request: Request): void => {
    pending.add(request);
    changedMs = performance.now();
  };
  const end = (request: Request): void => {
    pending.delete(request);
    changedMs = performance.now();
  };
  page.on("request", begin).on("requestfinished", end).on("requestfailed", end);
  await expect.poll(() => pending.size === 0 && performance.now() - changedMs > IDLE_MS).toBe(true);
  page.off("request", begin).off("requestfinished", end).off("requestfailed", end);
}

/** A page with what it requested, and everything that went wrong in it. */
export interface Station {
  readonly page: Page;
  readonly errors: readonly string[];
  readonly requests: readonly { readonly url: string; readonly method: string }[];
}

export interface StationOptions {
  readonly station: "trainee" | "instructor";
  /** Hash route, such as `/alarms?theme=dark`. */
  readonly route?: string;
  readonly browser?: BrowserContextOptions;
}

/** How a server is started. */
export interface PageServerOptions {
  /** Words after `vppsim`. */
  readonly command?: readonly string[];
  /** Whether it has an instructor's token, so that the roles are separated; otherwise who has no token may do everything. */
  readonly isSeparated?: boolean;
}

/** One server and one browser for the tests of a file. */
export class PageServer {
  private readonly command: readonly string[];
  private readonly args: readonly string[];
  private readonly isSeparated: boolean;
  private readonly browser: Browser;
  private process: ServeProcess;
  private at: ReadyLine;

  private constructor(
    { command, isSeparated }: Required<PageServerOptions>,
    args: readonly string[],
    browser: Browser,
    server: StartedServer,
  ) {
    this.command = command;
    this.isSeparated = isSeparated;
    this.args = args;
    this.browser = browser;
    this.process = server.process;
    this.at = server.at;
  }

  /** @param args  of `vppsim serve`, without ports and token */
  static async start(
    args: readonly string[],
    { command = ["serve"], isSeparated = true }: PageServerOptions = {},
  ): Promise<PageServer> {
    const withToken = isSeparated ? [...args, "--instructor-token", INSTRUCTOR_TOKEN] : args;
    const server = await startProcess(command, [...withToken, "--port", "0", "--auth-port", "0"]);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
    return new PageServer({ command, isSeparated }, withToken, browser, server);
  }

  get url(): string {
    return this.at.base_url;
  }

  /** Both origins that its pages may call. */
  get origins(): readonly string[] {
    return [this.at.base_url, this.at.auth_url];
  }

  /** Ends the server, and leaves its pages open. @param signal  `SIGKILL`: as a crash does */
  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await this.process.stop(signal);
  }

  /**
   * Starts it again at the same address.
   *
   * @param args  in place of the first ones, with the token
   * @param authPort  of the token endpoint: the same one, or any other that is free
   */
  async restart(args: readonly string[] = this.args, authPort: "same" | "other" = "same"): Promise<void> {
    const { base_url, auth_url } = this.at;
    const ports = ["--port", new URL(base_url).port, "--auth-port", authPort === "same" ? new URL(auth_url).port : "0"];
    const { process, at } = await startProcess(this.command, [...args, ...ports]);
    this.process = process;
    this.at = at;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.end("SIGKILL");
  }

  /** Opens a station in a browser of its own, as on another machine, and waits for its clock. */
  async open({ station, route = "/", browser = {} }: StationOptions): Promise<Station> {
    const opened = await this.openPath(`${station === "instructor" ? "/instructor" : "/"}#${route}`, {
      browser,
      hasInstructorToken: station === "instructor",
    });
    await opened.page.getByRole("timer").waitFor();
    return opened;
  }

  /** Opens an address in a browser of its own. */
  async openPath(
    path: string,
    {
      browser = {},
      hasInstructorToken = false,
    }: { browser?: BrowserContextOptions; hasInstructorToken?: boolean } = {},
  ): Promise<Station> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      locale: "en-GB",
      ...browser,
    });
    if (hasInstructorToken) await keepToken(context);
    const page = await context.newPage();
    const errors: string[] = [];
    const requests: { url: string; method: string }[] = [];
    page.on("request", (request) => requests.push({ url: request.url(), method: request.method() }));
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("dialog", (dialog) => errors.push(`a dialog: ${dialog.message()}`));
    page.on("console", (message) => {
      // The browser itself reports what the server refuses, and that it does not answer.
      if (message.type() === "error" && !/Failed to load resource|WebSocket connection/.test(message.text()))
        errors.push(message.text());
    });
    await page.goto(`${this.url}${path}`);
    return { page, errors, requests };
  }

  /** Calls the sandbox as the instructor. */
  async call<T = unknown>(method: "GET" | "POST", path: string, body?: unknown): Promise<T> {
    const sent = method === "GET" ? undefined : (body ?? {});
    const headers: Record<string, string> = this.isSeparated ? { [HEADER]: INSTRUCTOR_TOKEN } : {};
    const { text } = await requestJson(method, `${this.url}${path}`, sent, headers);
    return (text === "" ? null : JSON.parse(text)) as T;
  }

  advanceTo(to: string): Promise<unknown> {
    return this.call("POST", "/sandbox/clock/advance", { to });
  }
}

interface StartedServer {
  readonly process: ServeProcess;
  readonly at: ReadyLine;
}

async function startProcess(command: readonly string[], args: readonly string[]): Promise<StartedServer> {
  const server = new ServeProcess(args, process.cwd(), undefined, command);
  return { process: server, at: await server.waitUntilReady() };
}

async function keepToken(context: BrowserContext): Promise<void> {
  const script = `sessionStorage.setItem("vppsim.token.instructor", ${JSON.stringify(INSTRUCTOR_TOKEN)})`;
  await context.addInitScript(script);
}

/** Another page of the same document, in a tenth of the time that a new one takes. */
export const goTo = (page: Page, route: string): Promise<void> =>
  page.evaluate(
    (hash) =>
      new Promise<void>((shown) => {
        if (location.hash === hash) return shown();
        // The page's own listener was there before: when this one hears of it, the page is another.
        addEventListener("hashchange", () => setTimeout(shown), { once: true });
        location.hash = hash;
      }),
    `#${route}`,
  );

/** Types a time of day into a field of an instant. @param digits  such as `0730`, with seconds where the field has them */
export async function typeTime(where: Page | Locator, label: string, digits: string): Promise<void> {
  await where.getByRole("spinbutton", { name: `${label}: hours` }).click();
  await where.getByRole("spinbutton", { name: `${label}: hours` }).pressSequentially(digits.slice(0, 2));
  await where.getByRole("spinbutton", { name: `${label}: minutes` }).pressSequentially(digits.slice(2, 4));
  if (digits.length > 4)
    await where.getByRole("spinbutton", { name: `${label}: seconds` }).pressSequentially(digits.slice(4));
}

/** What axe-core finds wrong with a page, one line each. */
export async function axeViolations(page: Page, rules: "all rules" | "further rules" = "all rules"): Promise<string[]> {
  // Evaluated by the browser's debugger: the page's own policy admits no other script.
  await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    interface AxeResults {
      violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
    }
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    // Not all of them run by default.
    const further = ["target-size", "label-content-name-mismatch", "landmark-unique"];
    const { violations } = await axe.run({
      rules: Object.fromEntries(further.map((id) => [id, { enabled: true }])),
      ...(runOnly ? { runOnly: further } : {}),
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`),
    );
  }, rules === "further rules");
}
