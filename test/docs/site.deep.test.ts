// The web site of the documents: built once, then served below a path as a static host does, and read in Chromium.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROJECT } from "../cli/runVppsim.ts";
import { CHROMIUM, needing, needingChromium } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { readDocument } from "./documents.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TOOLS = join(PROJECT, "site");
const BASE = "/vppsim/";

/** Some forty seconds of work, in processes of their own. */
const HANGS_MS = 900_000;

const canBuild =
  needingChromium.isThere &&
  ["dist/index.js", "dist/playground/index.html"].every((path) => existsSync(join(PROJECT, path))) &&
  (existsSync(join(TOOLS, "node_modules")) || spawnSync("npm", ["ci", "--offline"], { cwd: TOOLS }).status === 0);

const DOCUMENTS = [
  ...readdirSync(PROJECT).filter((name) => name.endsWith(".md")),
  ...["bench/README.md", "test/README.md"],
  ...readdirSync(join(PROJECT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path)),
];

const SCENARIOS = ["quickstart", "mixed-week", "features", "studies"].flatMap((folder) =>
  readdirSync(join(PROJECT, "scenarios", folder))
    .filter((file) => file.endsWith(".yaml") && !file.endsWith(".study.yaml"))
    .map((file) => /^name: (.+)$/m.exec(readDocument(join("scenarios", folder, file)))?.[1]),
);

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Where the page of a document is. */
function pageOf(document: string): string {
  if (document === "README.ja.md") return "ja/index.html";
  return document.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html");
}

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, "").replaceAll("&amp;", "&");

needing("Chromium, npm run build, and the packages of site/", canBuild).describe("the web site", () => {
  const out = createTemporaryFolder("site");
  const server = createServer((request, reply): void => {
    const path = decodeURIComponent(new URL(request.url ?? "", "http://site").pathname);
    const named = path.startsWith(BASE) ? join(out, path.slice(BASE.length)) : "";
    const file = existsSync(named) && statSync(named).isDirectory() ? join(named, "index.html") : named;
    if (!existsSync(file)) {
      reply.writeHead(404).end();
      return;
    }
    reply
      .writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" })
      .end(readFileSync(file));
  });
  let origin = "";
  let browser: Browser;
  const opened: Page[] = [];
  const problems: string[] = [];

  async function open(path: string, colorScheme: "light" | "dark" = "light"): Promise<Page> {
    const page = await browser.newPage({
      colorScheme,
      reducedMotion: "reduce",
      viewport: { width: 1280, height: 800 },
    });
    opened.push(page);
    page.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${origin}${BASE}`))
        problems.push(`${path} asks for ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) problems.push(`${path}: ${response.status()} for ${response.url()}`);
    });
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(`${path}: ${message.text()}`);
    });
    page.on("pageerror", (error) => problems.push(`${path}: ${error.message}`));
    await page.goto(`${origin}${BASE}${path}`);
    return page;
  }

  beforeAll(async () => {
    execFileSync(process.execPath, ["build/site.mjs", "--base", BASE, "--out", out], { cwd: PROJECT });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  }, HANGS_MS);

  afterAll(async () => {
    await browser?.close();
    server.close();
  });

  test.each(DOCUMENTS)("%s has its page, with its title and its anchors", (document) => {
    const html = readFileSync(join(out, pageOf(document)), "utf8");
    const text = readDocument(document);
    const [, title] = /^# (.+)$/m.exec(text) ?? [];
    expect(textOf(/<h1[^>]*>.*?<\/h1>/s.exec(html)?.[0] ?? "")).toContain(title);
    const anchors = [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id);
    expect(anchors.filter((id) => !html.includes(`id="${id}"`))).toEqual([]);
  });

  test("no page shows Markdown that was not read", () => {
    const unread = DOCUMENTS.filter((document) => {
      const html = readFileSync(join(out, pageOf(document)), "utf8");
      const prose = textOf(html.replaceAll(/<(script|style|code|pre)\b.*?<\/\1>/gs, ""));
      return /\]\(|^\| ---|\*\*\S/m.test(prose);
    });
    expect(unread).toEqual([]);
  });

  test("the search finds a term by keyboard, and leads to its place", async () => {
    const page = await open("");
    await page.getByRole("button", { name: "Search" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").fill("controlled rounding");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/docs\/model\/\w+\.html/);
    await page.locator("main", { hasText: /controlled rounding/i }).waitFor();
  });

  test("each example has a picture and opens in the playground", async () => {
    const page = await open("examples/");
    const links = page.locator(".examples a");
    const names = await Promise.all((await links.all()).map((link) => link.getAttribute("href")));
    expect(names.sort()).toEqual(SCENARIOS.map((name) => `../playground/index.html#example=${name}`).sort());
    for (const picture of await links.locator("img").all()) {
      await picture.scrollIntoViewIfNeeded();
      await expect
        .poll(() => picture.evaluate((image: { readonly naturalWidth: number }) => image.naturalWidth))
        .toBeGreaterThan(500);
    }
    await links.first().click();
    await page.waitForURL(/\/vppsim\/playground\/index\.html#example=quickstart$/);
    await page.locator(".cm-content", { hasText: "name: quickstart" }).waitFor();
    await page.getByRole("link", { name: "Documentation" }).click();
    await page.getByRole("heading", { name: "vppsim", level: 1 }).waitFor();
  });

  test("the reference of the library has what its modules export", async () => {
    const page = await open("api/index.html");
    for (const module of ["vppsim", "vppsim/browser", "vppsim/client"])
      await page.locator(".col-content").getByRole("link", { name: module, exact: true }).waitFor();
    await page.goto(`${origin}${BASE}api/functions/vppsim.runScenario.html`);
    expect(await page.locator("body").innerText()).toContain("RunScenarioOptions");
    await page.getByRole("link", { name: "Documentation" }).click();
    await page.getByRole("heading", { name: "vppsim", level: 1 }).waitFor();
  });

  test("a language is marked where it is not English", async () => {
    const page = await open("ja/");
    expect(await page.locator("[lang=ja] h1").innerText()).toContain("vppsim");
  });

  test.each(["light", "dark"] as const)("text is readable in the %s theme", async (theme) => {
    for (const path of ["", "docs/commands.html", "api/index.html"]) {
      const page = await open(path, theme);
      await page.evaluate(AXE);
      const run =
        "axe.run({ runOnly: ['color-contrast'] }).then(({ violations }) => violations.map(({ nodes }) => nodes[0].html))";
      expect(await page.evaluate(run), path).toEqual([]);
    }
  });

  test("no page missed a file, or asked elsewhere", () => {
    expect(opened).toHaveLength(10);
    expect(problems).toEqual([]);
  });
});
