// The built playground at a static server, below a path of its own, and pages of Chromium at it.
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import "../../src/playground/app/api.ts";
import { CHROMIUM } from "../needing.ts";

/** `buildFirst.ts` builds it. */
const BUILT = join(import.meta.dirname, "../../dist/playground");

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
};

/** Where the page is below its host. */
const BELOW = "/some/where/";

export interface OpenPage {
  readonly page: Page;
  /** What went wrong in it. */
  readonly errors: readonly string[];
  /** Addresses that it requested, without those in its memory. */
  readonly requests: string[];
}

export interface OpenPageOptions {
  /** Behind the address, such as `#example=bids`. */
  readonly fragment?: string;
  /** Before it, such as `?lang=ja`. */
  readonly query?: string;
  readonly browser?: BrowserContextOptions;
}

export class PlaygroundHost {
  private readonly browser: Browser;
  private readonly server: Server;

  private constructor(browser: Browser, server: Server) {
    this.browser = browser;
    this.server = server;
  }

  static async start(files: Readonly<Record<string, string>> = {}): Promise<PlaygroundHost> {
    const server = createServer((request, reply) => {
      const path = (request.url ?? "").replace(/[?#].*$/, "");
      const name = path.startsWith(BELOW) ? path.slice(BELOW.length) || "index.html" : null;
      const content = name === null ? null : (files[name] ?? builtFile(name));
      if (content === null) reply.writeHead(404).end();
      else reply.writeHead(200, { "content-type": TYPES[extname(name ?? "")] ?? "text/plain" }).end(content);
    });
    await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
    const args = ["--no-sandbox", "--disable-gpu"];
    return new PlaygroundHost(await chromium.launch({ executablePath: CHROMIUM, args }), server);
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${BELOW}`;
  }

  /** Opens the page in a browser of its own, and waits until it is ready. */
  async open({ fragment = "", query = "", browser = {} }: OpenPageOptions = {}): Promise<OpenPage> {
    const viewport = { width: 1280, height: 800 };
    const context = await this.browser.newContext({ viewport, reducedMotion: "reduce", locale: "en-GB", ...browser });
    const page = await context.newPage();
    const errors: string[] = [];
    const requests: string[] = [];
    page.on("request", (request) => {
      if (!/^(blob|data):/.test(request.url())) requests.push(request.url());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await page.goto(`${this.url}${query}${fragment}`);
    await page.evaluate(() => window.vppsim.ready);
    return { page, errors, requests };
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.server.closeAllConnections();
    this.server.close();
  }
}

function builtFile(name: string): Buffer | null {
  try {
    return readFileSync(join(BUILT, name));
  } catch {
    return null;
  }
}

const QUICKSTART = join(import.meta.dirname, "../../scenarios/quickstart");

/** The texts of the quickstart by name. */
export const quickstartFiles = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(QUICKSTART)
      .filter((name) => /\.(yaml|csv)$/.test(name))
      .map((name) => [name, readFileSync(join(QUICKSTART, name), "utf8")]),
  );

export const openProject = (
  page: Page,
  project: { readonly entry: string; readonly files: Readonly<Record<string, string>> },
): Promise<void> => page.evaluate((given) => window.vppsim.open(given), project);
