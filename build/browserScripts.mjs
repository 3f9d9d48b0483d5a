/**
 * Bundles the scripts of report pages (src/dashboard/report) into texts that are inserted into pages: for the built package, and
 * when a page is made from the source.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const scripts = fileURLToPath(new URL("../src/dashboard/report/", import.meta.url));
const uplot = dirname(createRequire(import.meta.url).resolve("uplot/package.json"));
const { version } = JSON.parse(readFileSync(join(uplot, "package.json"), "utf8"));

/** @returns the text of a script that stands in a page */
export async function bundleScript(file) {
  const bundle = await rolldown({ input: file, platform: "browser" });
  const { output } = await bundle.generate({ format: "iife", minify: true, comments: false });
  await bundle.close();
  return output[0].code.trim();
}

/** @returns the scripts of all pages and of those with time charts, and the styles of these */
export const bundleBrowserScripts = async () => ({
  page: await bundleScript(join(scripts, "page.ts")),
  // uPlot's own notice has a URL, which would be the only one in the page.
  timeCharts: `/*! uPlot ${version}, Copyright (c) 2022 Leon Sorokin, MIT License */\n${await bundleScript(join(scripts, "timeCharts.ts"))}`,
  timeChartStyles: readFileSync(join(uplot, "dist/uPlot.min.css"), "utf8").trim(),
});
