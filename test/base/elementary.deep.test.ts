import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { arrayBuffer } from "node:stream/consumers";
import { rolldown } from "rolldown";
import { expect } from "vitest";
import { CHROMIUM, FIREFOX, needingChromium, needingFirefox } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { ELEMENTARY_NAMES } from "./elementaryCases.ts";
import { TABLE_FILE, tableText } from "./elementaryTable.ts";

/** Bundled for a browser, as the module of a page. */
async function pageWithTable(): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, "elementaryInBrowser.ts"), platform: "browser" });
  const { output } = await bundle.generate({ format: "esm" });
  return `<!doctype html><meta charset="utf-8"><script type="module">${output[0].code}</script>`;
}

/** What the page posts in a browser. */
async function resultsIn(command: string, flags: readonly string[]): Promise<Float64Array> {
  const page = await pageWithTable();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const browser = spawn(command, [...flags, `http://127.0.0.1:${port}/`], { stdio: "ignore" });
  const ended = once(browser, "exit");
  try {
    return await Promise.race([posted(server, page), ended.then(() => Promise.reject(new Error(`${command} ended`)))]);
  } finally {
    browser.kill();
    await ended;
    server.closeAllConnections();
    server.close();
  }
}

const posted = (server: Server, page: string): Promise<Float64Array> =>
  new Promise((resolve) => {
    server.on("request", async (request, response) => {
      if (request.method === "POST") resolve(new Float64Array(await arrayBuffer(request)));
      response.setHeader("content-type", "text/html").end(page);
    });
  });

const textOf = (results: Float64Array): string => {
  const count = results.length / ELEMENTARY_NAMES.length;
  return tableText((name) => {
    const first = ELEMENTARY_NAMES.indexOf(name) * count;
    return results.subarray(first, first + count);
  });
};

needingChromium.test("elementary functions have the bits of the table in Chromium", async () => {
  const profile = createTemporaryFolder("chromium");
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`];
  expect(textOf(await resultsIn(CHROMIUM, flags))).toBe(readFileSync(TABLE_FILE, "utf8"));
});

needingFirefox.test("elementary functions have the bits of the table in Firefox", async () => {
  const flags = ["--headless", "--no-remote", "--profile", createTemporaryFolder("firefox")];
  expect(textOf(await resultsIn(FIREFOX, flags))).toBe(readFileSync(TABLE_FILE, "utf8"));
});
