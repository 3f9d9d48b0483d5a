// A served session and browsers at its pages, as a person has them.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type ReadyLine, requestJson, ServeProcess } from "../cli/serveProcess.ts";

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
  readonly locale?: string;
}

/** One server and one browser for the tests of a file. */
export class PageServer {
  readonly #command: readonly string[];
  readonly #args: readonly string[];
  readonly #browser: Browser;
  #process: ServeProcess;
  #at: ReadyLine;

  private constructor(command: readonly string[], args: readonly string[], browser: Browser, server: StartedServer) {
    this.#command = command;
    this.#args = args;
    this.#browser = browser;
    this.#process = server.process;
    this.#at = server.at;
  }

  /** @param args  of `vppsim serve`, without ports and token */
  static start(...args: string[]): Promise<PageServer> {
    return PageServer.#start(["serve"], args);
  }

  /** @param args  of `vppsim drill serve`, without ports and token */
  static startDrill(...args: string[]): Promise<PageServer> {
    return PageServer.#start(["drill", "serve"], args);
  }

  static async #start(command: readonly string[], args: readonly string[]): Promise<PageServer> {
    const withToken = [...args, "--instructor-token", INSTRUCTOR_TOKEN];
    const server = await startProcess(command, [...withToken, "--port", "0", "--auth-port", "0"]);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
    return new PageServer(command, withToken, browser, server);
  }

  get url(): string {
    return this.#at.base_url;
  }

  get authUrl(): string {
    return this.#at.auth_url;
  }

  /** Ends the server at once, as a crash does. */
  async crash(): Promise<void> {
    await this.#process.stop("SIGKILL");
  }

  /** Starts it again at the same address. @param args  in place of the first ones */
  async restart(args: readonly string[] = this.#args): Promise<void> {
    const { base_url, auth_url } = this.#at;
    const ports = ["--port", new URL(base_url).port, "--auth-port", new URL(auth_url).port];
    const { process, at } = await startProcess(this.#command, [...args, ...ports]);
    this.#process = process;
    this.#at = at;
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.#process.stop("SIGKILL");
  }

  /** Opens a station in a browser of its own, as on another machine. */
  async open({ station, route = "/", width = 1280, locale = "en-GB" }: StationOptions): Promise<Station> {
    const context = await this.#browser.newContext({
      viewport: { width, height: 800 },
      reducedMotion: "reduce",
      locale,
    });
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
