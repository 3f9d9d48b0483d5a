/** Texts that are inserted into pages. */
interface BrowserScripts {
  /** Of all pages. */
  readonly page: string;
  /** Of pages with interactive charts, with uPlot. */
  readonly timeCharts: string;
  readonly timeChartStyles: string;
}

/** Bundled when a page is made from the source; the built package has the texts in place of this module (build/bundle.mjs). */
export const BROWSER_SCRIPTS: BrowserScripts = await (
  await import(new URL("../../../../build/browserScripts.mjs", import.meta.url).href)
).bundleBrowserScripts();
