import { setTimeout } from "node:timers/promises";
import { instantOf } from "../inputs/scenario/runFlags.ts";
import { textsIn } from "../report/html/page/pageLocale.ts";
import { type ImportResult, importVpp } from "../twin/importVpp.ts";
import { readWeather } from "../twin/restore/readWeather.ts";
import { abortOnInterrupt } from "./abortOnInterrupt.ts";
import { printWarning } from "./printWarning.ts";
import { timezoneOf } from "./timezoneFlag.ts";
import { type AccessFlags, vppAddressOf } from "./twinAccess.ts";

interface ImportFlags extends AccessFlags {
  readonly from?: string;
  readonly to?: string;
  readonly weather?: string;
  readonly timezone?: string;
  readonly replace?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

/** `vppsim twin import`. Ctrl-C keeps the answers, so that the same command continues. */
export async function twinImportCommand(baseUrl: string, flags: ImportFlags): Promise<void> {
  const address = vppAddressOf(baseUrl, flags);
  const interrupt = new AbortController();
  const release = abortOnInterrupt(interrupt);
  try {
    const result = await importVpp({
      ...address,
      fromMs: flags.from === undefined ? null : instantOf("--from", flags.from),
      toMs: flags.to === undefined ? null : instantOf("--to", flags.to),
      timezone: timezoneOf(flags.timezone, "--timezone") ?? "UTC",
      weather: flags.weather === undefined ? null : await readWeather(flags.weather),
      out: flags.out ?? "twin",
      replaces: flags.replace === true,
      signal: interrupt.signal,
      onProgress: (done, expected) => printProgress(`${done} of ${expected} requests`),
      onWait: (seconds, why) => printProgress(`waiting ${Math.ceil(seconds)} s: ${why}`),
      warn: printWarning,
      sleep: (seconds) => setTimeout(1000 * seconds, undefined, { signal: interrupt.signal }),
    });
    printProgress("");
    process.stdout.write(flags.json === true ? `${JSON.stringify(result.document)}\n` : textOf(result));
  } finally {
    release();
  }
}

/** A line that the next one replaces, where standard error is a terminal. */
function printProgress(text: string): void {
  if (process.stderr.isTTY === true) process.stderr.write(`\r\u001b[K${text}`);
}

const UNKNOWNS_SHOWN = 3;

function textOf({ scenarioFile, document }: ImportResult): string {
  const { t } = textsIn("en");
  const { sites, awards, outages, gaps, not_known } = document;
  const unknowns = not_known
    .slice(0, UNKNOWNS_SHOWN)
    .map(({ about, sites: at }) => t("twin.unknown", { about: t(`twin.unknown_${about}`), count: at.length }));
  const lines = [
    t("twin.period", { from: document.from, to: document.to, requests: document.requests }),
    t("twin.found", {
      sites: sites.length,
      awards: awards.schedules + awards.reconstructed,
      reconstructed: awards.reconstructed,
      outages: outages.length,
      gaps: gaps.length,
    }),
    t("twin.scenario", { file: scenarioFile, unknowns: unknowns.join("; ") }),
  ];
  return `${lines.join("\n")}\n`;
}
