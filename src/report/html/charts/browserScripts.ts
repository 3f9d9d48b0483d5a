// The scripts of the charts, inserted into pages that have such charts.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);
const readText = (name: string): string => readFileSync(resolve(name), "utf8").trim();

/** A script of this folder without indentation and lines of comment. */
const readScript = (name: string): string =>
  readText(`./browser/${name}`)
    .replace(/^\s+/gm, "")
    .replace(/^(\/\/|\/\*\*|\*).*\n/gm, "");

/** Replaces the notice in the file, whose URL would be the only one in the page. */
const UPLOT_NOTICE = "/*! uPlot 1.6.32, Copyright (c) 2022 Leon Sorokin, MIT License */";

/** uPlot and the scripts that use it, in the order in which they run. */
export const readTimeChartScripts = (): readonly string[] => [
  readText("uplot/dist/uPlot.iife.min.js").replace(/^\/\*!.*?\*\//, UPLOT_NOTICE),
  readScript("chartData.js"),
  readScript("timeCharts.js"),
];

/** The script that shows values of bars, flows and points beside the pointer. */
export const readTipScript = (): string => readScript("tips.js");

export const readTimeChartStyles = (): string => readText("uplot/dist/uPlot.min.css");
