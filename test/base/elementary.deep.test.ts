import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { expect } from "vitest";
import { BROWSERS, PageHost } from "../browser/browserHost.ts";
import { ELEMENTARY_NAMES } from "./elementaryCases.ts";
import { TABLE_FILE, tableText } from "./elementaryTable.ts";

/** Bundled for a browser, as the module of a page. */
async function pageWithTable(): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, "elementaryInBrowser.ts"), platform: "browser" });
  const { output } = await bundle.generate({ format: "esm" });
  return `<!doctype html><meta charset="utf-8"><script type="module">${output[0].code}</script>`;
}

/** What the page posts in a browser. */
async function resultsIn(command: string): Promise<Float64Array> {
  const host = new PageHost({}, { "page.html": await pageWithTable() });
  await host.listen();
  try {
    return new Float64Array(Uint8Array.from(await host.askBytes(command, "page.html")).buffer);
  } finally {
    host.close();
  }
}

const textOf = (results: Float64Array): string => {
  const count = results.length / ELEMENTARY_NAMES.length;
  return tableText((name) => {
    const first = ELEMENTARY_NAMES.indexOf(name) * count;
    return results.subarray(first, first + count);
  });
};

for (const [name, executable, needed] of BROWSERS)
  needed.test(`elementary functions have the bits of the table in ${name}`, async () => {
    expect(textOf(await resultsIn(executable))).toBe(readFileSync(TABLE_FILE, "utf8"));
  });
