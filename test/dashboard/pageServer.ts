// A served session and browsers at its pages, as a person has them.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type ReadyLine, requestJson, type ServeProcess, startServer } from "../cli/serveProcess.ts";

const CHROMIUM = "/usr/bin/chromium";
const PAGE = resolve(import.meta.dirname, "../../dist/dashboard/index.html");
/** Chromium and the built page (npm run build); tests without them skip. */
export const hasChromium = existsSync(CHROMIUM) && existsSync(PAGE);
if (!hasChromium) console.log(`skipped: no browser at ${CHROMIUM}, or no ${PAGE}; npm run build makes it`);

export const INSTRUCTOR_TOKEN = "instructor-of-the-test";
const HEADER = "x-sandbox-token";

/** A page with everything that went wrong in it. */
export interface Station {
  readonly page: Page;
  readonly errors: readonly string[];
}

export interface StationOptions {
  readonly station: "trainee" | "instructor";
  /** Hash route, such as `/alarms?theme=dark`. */
  readonly route?: string;
  readonly width?: number;
}

/** One server and one browser for the tests of a file. */
export class PageServer {
  readonly #args: readonly string[];
  readonly #browser: Browser;
  #server: ServeProcess & { readonly at: ReadyLine };

  private constructor(args: readonly string[], browser: Browser, server: ServeProcess & { readonly at: ReadyLine }) {
    this.#args = args;
    this.#browser = browser;
    this.#server = server;
  }

  /** @param args  of `vppsim serve`, without ports and token */
  static async start(...args: string[]): Promise<PageServer> {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
    const withToken = [...args, "--instructor-token", INSTRUCTOR_TOKEN];
    return new PageServer(withToken, browser, await startServer(process.cwd(), ...withToken));
  }

  get url(): string {
    return this.#server.at.base_url;
  }

  /** Ends the server at once, as a crash does. */
  async crash(): Promise<void> {
    await this.#server.stop("SIGKILL");
  }

  /** Starts it again at the same address. */
  async restart(): Promise<void> {
    const { base_url, auth_url } = this.#server.at;
    const ports = ["--port", new URL(base_url).port, "--auth-port", new URL(auth_url).port];
    this.#server = await startServer(process.cwd(), ...this.#args, ...ports);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.#server.stop("SIGKILL");
  }

  /** Opens a station in a browser of its own, as on another machine. */
  async open({ station, route = "/", width = 1280 }: StationOptions): Promise<Station> {
    const context = await this.#browser.newContext({ viewport: { width, height: 800 }, reducedMotion: "reduce" });
    if (station === "instructor") await keepToken(context);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("dialog", (dialog) => errors.push(`a dialog: ${dialog.message()}`));
    const path = station === "instructor" ? "/instructor" : "/";
    await page.goto(`${this.url}${path}#${route}`);
    await page.getByRole("timer").waitFor();
    return { page, errors };
  }

  /** Calls the sandbox as the instructor. */
  async call<T = unknown>(method: "GET" | "POST", path: string, body?: unknown): Promise<T> {
    const sent = method === "GET" ? undefined : (body ?? {});
    const { text } = await requestJson(method, `${this.url}${path}`, sent, { [HEADER]: INSTRUCTOR_TOKEN });
    return (text === "" ? null : JSON.parse(text)) as T;
  }

  advanceTo(to: string): Promise<unknown> {
    return this.call("POST", "/sandbox/clock/advance", { to });
  }
}

async function keepToken(context: BrowserContext): Promise<void> {
  const script = `sessionStorage.setItem("vppsim.token.instructor", ${JSON.stringify(INSTRUCTOR_TOKEN)})`;
  await context.addInitScript(script);
}
