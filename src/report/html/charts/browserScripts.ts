// The scripts of the interactive charts, inserted into pages that have such charts.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);
const readText = (name: string): string => readFileSync(resolve(name), "utf8").trim();

/** In place of the notice in the file, whose address would be the only one in the page. */
const UPLOT_NOTICE = "/*! uPlot 1.6.32, Copyright (c) 2022 Leon Sorokin, MIT License */";

/** uPlot and the script that uses it, in the order in which they run. */
export const readChartScripts = (): readonly string[] => [
  readText("uplot/dist/uPlot.iife.min.js").replace(/^\/\*!.*?\*\//, UPLOT_NOTICE),
  readText("./browser/timeCharts.js"),
];

export const readChartStyles = (): string => readText("uplot/dist/uPlot.min.css");
