/**
 * The playground in headless Chromium beside `vppsim run` of the same scenario, in turn: first and second result, a step of a slider,
 * a cancellation, a year of 100 members in the tab, and the sizes of its scripts.
 *
 *   npx tsx bench/playground.ts [rounds]
 *
 * Needs `npm run build`, and Linux for the memory. Each figure is a median; a ratio is that of the two halves of a round.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { ServeProcess } from "../test/cli/serveProcess.ts";
import { fleetYearFolder, runFolder } from "./fleetYear.ts";

const PROJECT = fileURLToPath(new URL("../", import.meta.url));
const rounds = Number(process.argv[2] ?? 3);
const SLIDER_STEPS = 40;

const medianOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Runs the project of a page until its report, if it has one, is shown; text, because tsx adds calls of its own to functions. */
const RUN = `(async () => {
  await window.vppsim.ready;
  const shown = new Promise((resolve) =>
    document.addEventListener("load", ({ target }) => target.dataset.testid === "report-frame" && resolve(), true));
  const startMs = performance.now();
  const { files } = await window.vppsim.run();
  const seconds = (performance.now() - startMs) / 1000;
  if ("report.html" in files) await shown;
  return { seconds, shownS: performance.now() / 1000, digests: new TextDecoder().decode(files["run.json"]) };
})()`;

/** Seconds of a run, and from the request of the page to the shown report. @throws when the answer is not that of the command */
async function runInPage(
  page: Page,
  wantedHash: string,
): Promise<{ readonly seconds: number; readonly shownS: number }> {
  const { digests, ...times } = (await page.evaluate(RUN)) as { seconds: number; shownS: number; digests: string };
  const { files } = JSON.parse(digests) as { files: object };
  const hash = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
  if (hash !== wantedHash) throw new Error(`the page answers ${hash}, the command ${wantedHash}`);
  return times;
}

/** From a move of a slider to the frame with the figures of its position, in ms. */
const STEP = `new Promise((resolve) => {
  const slider = document.querySelector('[data-testid^="slider-"]');
  const figures = document.querySelector('[data-testid="live-shortfall"]').closest("[aria-busy]");
  const value = Number(slider.value) + 5 > Number(slider.max) ? slider.min : Number(slider.value) + 5;
  new MutationObserver((_, watch) => {
    if (figures.getAttribute("aria-busy") === "true") return;
    watch.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - startMs)));
  }).observe(figures, { attributeFilter: ["aria-busy"] });
  const startMs = performance.now();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(slider, String(value));
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})`;

/** From a cancellation to the state that says so, and the longest task of the page meanwhile, in ms. */
const CANCEL = `(async () => {
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
  const run = window.vppsim.run().catch(() => null);
  await new Promise((resolve) => setTimeout(resolve, 1000 + 1000 * Math.random()));
  const startMs = performance.now();
  window.vppsim.cancel();
  const status = document.querySelector('[data-testid="status"]');
  while (status.dataset.state !== "stopped") await new Promise((resolve) => setTimeout(resolve, 2));
  const stopMs = performance.now() - startMs;
  await run;
  return { stopMs, pauseMs: Math.max(0, ...tasks) };
})()`;

/** Resident memory of the largest renderer of a browser, in MB. */
function rendererMb(): number {
  const sizes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")) return 0;
        return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
      } catch {
        return 0;
      }
    });
  return Math.max(...sizes);
}

/** Opens a page in a new tab of an open window, with an empty cache. */
async function withPage<T>(window: BrowserContext, url: string, work: (page: Page) => Promise<T>): Promise<T> {
  const page = await window.newPage();
  try {
    await (await window.newCDPSession(page)).send("Network.clearBrowserCache");
    await page.goto(url);
    return await work(page);
  } finally {
    await page.close();
  }
}

/** Serves a scenario in the playground while a piece of work lasts. */
async function withPlayground<T>(folder: string, work: (url: string) => Promise<T>): Promise<T> {
  const server = new ServeProcess([folder, "--port", "0"], PROJECT, undefined, ["playground"]);
  try {
    const line: object = await server.waitUntilReady();
    return await work((line as { readonly playground_url: string }).playground_url);
  } finally {
    await server.stop();
  }
}

const row = (what: string, value: string): void => console.log(`${what.padEnd(58)}${value}`);
const ratio = (values: readonly number[]): string =>
  `${medianOf(values).toFixed(2)} × (${values.map((it) => it.toFixed(2)).join(", ")})`;

async function quickstart(window: BrowserContext): Promise<void> {
  const folder = join(PROJECT, "scenarios/quickstart");
  const [first, second, steps]: number[][] = [[], [], []];
  await withPlayground(folder, async (url) => {
    for (let k = 0; k < rounds; k++) {
      const command = runFolder(folder);
      await withPage(window, url, async (page) => {
        first.push((await runInPage(page, command.hash)).shownS / command.wallS);
        second.push((await runInPage(page, command.hash)).seconds / command.wallS);
        await page.getByRole("button", { name: "What if" }).click();
        await page.locator('[aria-busy="false"] [data-testid="live-shortfall"]').waitFor();
        for (let step = 0; step < SLIDER_STEPS; step++) steps.push((await page.evaluate(STEP)) as number);
      });
    }
  });
  row("first result, empty cache to shown report, quickstart", ratio(first));
  row("second run of a loaded page", ratio(second));
  row(
    "a step of a slider, quickstart, figures drawn",
    `median ${medianOf(steps).toFixed(0)} ms, worst ${Math.max(...steps).toFixed(0)} ms`,
  );
}

async function fleet(window: BrowserContext): Promise<void> {
  const folder = fleetYearFolder();
  const runs: number[] = [];
  const cancels: { readonly stopMs: number; readonly pauseMs: number }[] = [];
  const memory: string[] = [];
  await withPlayground(folder, async (url) => {
    for (let k = 0; k < rounds; k++) {
      const command = runFolder(folder);
      await withPage(window, url, async (page) => {
        await page.evaluate("window.vppsim.ready");
        cancels.push((await page.evaluate(CANCEL)) as (typeof cancels)[number]);
        runs.push((await runInPage(page, command.hash)).seconds / command.wallS);
        memory.push(`${rendererMb().toFixed(0)} MB (command ${command.peakMb.toFixed(0)})`);
      });
    }
  });
  row("cancel to stopped, a year of 100 members", `${medianOf(cancels.map(({ stopMs }) => stopMs)).toFixed(0)} ms`);
  row("longest pause of the page during a run", `${Math.max(...cancels.map(({ pauseMs }) => pauseMs)).toFixed(0)} ms`);
  row("a year of 100 members in a tab", `${ratio(runs)}, ${memory.join(", ")}`);
}

function sizes(): void {
  const folder = join(PROJECT, "dist/playground");
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (!/\.(js|css|json|html|wasm)$/.test(path)) continue;
    const bytes = readFileSync(join(folder, path));
    row(`  ${path}`, `${(bytes.length / 1024).toFixed(0)} KiB, gzip ${(gzipSync(bytes).length / 1024).toFixed(0)} KiB`);
  }
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const window = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await window.newPage();
  await quickstart(window);
  await fleet(window);
} finally {
  await browser.close();
}
sizes();
