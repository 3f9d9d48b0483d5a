/**
 * The browser page while a fleet runs fast: frames per second, heap and requests of the Now page, in headless Chromium.
 *
 *   npx tsx src/cli/main.ts init fleet-week --example fleet-week
 *   npx tsx bench/dashboard.ts [scenario] [speed] [simulated hours]
 *
 * The page has to be built (`npm run build`).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type CDPSession, chromium, type Page } from "playwright-core";
import { ServeProcess } from "../test/cli/serveProcess.ts";

const [scenario = "fleet-week/scenario.yaml", speed = "1000", hours = "10"] = process.argv.slice(2);
const MB = 1e6;
const FIRST_SHARE = 0.1;

/** Text, because tsx adds calls of its own to functions, which a page does not have. */
const COUNT_FRAMES = `window.frames_shown = 0;
const count = () => { window.frames_shown++; requestAnimationFrame(count); };
requestAnimationFrame(count);`;

const framesOf = (page: Page): Promise<number> => page.evaluate("window.frames_shown");

/** Bytes in use after a collection. */
async function heapBytes(devTools: CDPSession): Promise<number> {
  await devTools.send("HeapProfiler.collectGarbage");
  return (await devTools.send("Runtime.getHeapUsage")).usedSize;
}

async function measure(page: Page): Promise<void> {
  let requests = 0;
  page.on("request", () => requests++);
  const devTools = await page.context().newCDPSession(page);
  await page.evaluate(COUNT_FRAMES);
  const realS = (3_600 * Number(hours)) / Number(speed);
  await page.waitForTimeout(1_000 * realS * FIRST_SHARE);
  const firstBytes = await heapBytes(devTools);
  const [startMs, startFrames, startRequests] = [performance.now(), await framesOf(page), requests];
  await page.waitForTimeout(1_000 * realS * (1 - FIRST_SHARE));
  const seconds = (performance.now() - startMs) / 1_000;
  const frames = (await framesOf(page)) - startFrames;
  console.log(`${scenario}, ×${speed}, ${hours} simulated hours in ${realS.toFixed(0)} s`);
  console.log(`${(frames / seconds).toFixed(1)} frames a second`);
  console.log(`${((requests - startRequests) / seconds).toFixed(1)} requests a second`);
  console.log(
    `heap ${(firstBytes / MB).toFixed(1)} MB after the first tenth, ${((await heapBytes(devTools)) / MB).toFixed(1)} MB at the end`,
  );
  console.log(
    `clock ${await page.locator(".clock time").getAttribute("datetime")}, ${await page.locator(".connection").textContent()}`,
  );
}

const cwd = mkdtempSync(join(tmpdir(), "vppsim-bench-"));
const server = new ServeProcess(
  [resolve(scenario), "--no-journal", "--speed", speed, "--port", "0", "--auth-port", "0"],
  cwd,
);
const { dashboard_url } = await server.waitUntilReady();
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${dashboard_url}#/now`);
  await page.locator(".members tbody th").first().waitFor();
  await measure(page);
} finally {
  await browser.close();
  await server.stop();
  rmSync(cwd, { recursive: true, force: true });
}
