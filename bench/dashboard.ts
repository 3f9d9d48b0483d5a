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
const HEAP_SAMPLES = 4;

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

/**
 * Least of a few samples over a period, in bytes. A single sample also has the answers that are just being read, several MB at
 * a high speed.
 */
async function leastHeapBytes(page: Page, devTools: CDPSession, seconds: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < HEAP_SAMPLES; k++) {
    await page.waitForTimeout((1_000 * seconds) / HEAP_SAMPLES);
    least = Math.min(least, await heapBytes(devTools));
  }
  return least;
}

interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly unknown[] };
  };
  readonly nodes: readonly number[];
}

/** Bytes of a heap by what they are. */
interface HeapParts {
  /** Objects, arrays and strings. */
  readonly values: number;
  /** What V8 has compiled: it adds more for as long as the page runs hot. */
  readonly code: number;
}

/** Splits the heap by a snapshot; what the browser holds for its elements is left out. */
async function heapParts(devTools: CDPSession): Promise<HeapParts> {
  const chunks: string[] = [];
  const onChunk = ({ chunk }: { readonly chunk: string }) => chunks.push(chunk);
  devTools.on("HeapProfiler.addHeapSnapshotChunk", onChunk);
  await devTools.send("HeapProfiler.takeHeapSnapshot");
  devTools.off("HeapProfiler.addHeapSnapshotChunk", onChunk);
  const { snapshot, nodes } = JSON.parse(chunks.join("")) as HeapSnapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [typeAt, sizeAt] = [fields.indexOf("type"), fields.indexOf("self_size")];
  const [codeType, nativeType] = ["code", "native"].map((name) => (types[typeAt] as readonly string[]).indexOf(name));
  let [values, code] = [0, 0];
  for (let k = 0; k < nodes.length; k += fields.length) {
    const [type, bytes] = [nodes[k + typeAt], nodes[k + sizeAt]];
    if (type === codeType) code += bytes;
    else if (type !== nativeType) values += bytes;
  }
  return { values, code };
}

/** The first hour, and the others, in which frames and requests are counted. */
async function measure(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  const hourSeconds = 3_600 / Number(speed);
  const heapMb = [await leastHeapBytes(page, devTools, hourSeconds)];
  const early = await heapParts(devTools);
  const requests = new Map<string, number>();
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname;
    requests.set(path, (requests.get(path) ?? 0) + 1);
  });
  await page.evaluate(COUNT_FRAMES);
  const [startMs, startFrames] = [performance.now(), await framesOf(page)];
  for (let hour = 1; hour < Number(hours); hour++) heapMb.push(await leastHeapBytes(page, devTools, hourSeconds));
  const seconds = (performance.now() - startMs) / 1_000;
  const frames = (await framesOf(page)) - startFrames;
  const late = await heapParts(devTools);
  const requestCount = [...requests.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${scenario}, ×${speed}, hours 2 to ${hours} in ${seconds.toFixed(0)} s`);
  console.log(`${(frames / seconds).toFixed(1)} frames a second`);
  console.log(`${requestCount} requests, ${(requestCount / seconds).toFixed(1)} a second:`);
  for (const [path, count] of [...requests].sort((a, b) => b[1] - a[1])) console.log(`  ${count} ${path}`);
  console.log(`least heap of each simulated hour, MB: ${heapMb.map((bytes) => (bytes / MB).toFixed(1)).join(" ")}`);
  for (const [name, part] of [
    ["objects, arrays and strings", "values"],
    ["compiled code", "code"],
  ] as const)
    console.log(
      `${name}, MB: ${(early[part] / MB).toFixed(2)} after the first hour, ${(late[part] / MB).toFixed(2)} at the end`,
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
