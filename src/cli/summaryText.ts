import { join, relative } from "node:path";
import { type NumericKpi, printedUnit } from "../accounting/kpis/kpi.ts";
import { type Kpis, kpiOf, kpisShownIn, kpiValue, type NumericKpiName } from "../accounting/kpis/kpiRegistry.ts";
import type { PrintedTotals, RunRecord } from "../accounting/runRecord.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";
import { formatDuration } from "../report/html/page/format.ts";
import type { PageLocale } from "../report/html/page/pageLocale.ts";
import { investmentSentence } from "../report/investmentText.ts";
import type { ScenarioRun } from "../report/runScenario.ts";
import { wrapText } from "../report/terminalText.ts";

/** Output of `vppsim run`; a figure that does not apply to the run has no line. */
export function summaryText(
  { name, world, warnings, settlement }: Scenario,
  { record, folder, files, wallSeconds }: ScenarioRun,
  locale: PageLocale,
): string {
  const sites = `${world.sites.length} ${world.sites.length === 1 ? "site" : "sites"}`;
  const lines = [
    `${name}: ${locale.formatPeriod(world.startMs, world.endMs)} ${locale.zoneText}, ${sites}, seed ${world.seed}`,
    "",
    ...figureLines(record.kpis, locale, settlement?.market.currency.toUpperCase() ?? null),
    ...wrapText("  ", investmentSentence(world, record.kpis, locale) ?? ""),
    "",
    ...sessionLines(record, locale),
    ...warningLines(warnings, record.warnings).map(locale.localise),
    ...(wallSeconds < SHOWN_SECONDS_MIN ? [] : [runningTimeLine(wallSeconds)]),
  ];
  if (folder !== null) lines.push(`  report: ${reportPlace(folder, files)}`);
  return `${lines.join("\n")}\n`;
}

/** Figures of the period before the session opened and of the session; no lines without a session within the run. */
function sessionLines({ session, startMs, endMs }: RunRecord, locale: PageLocale): string[] {
  if (session === null) return [];
  const { openedMs, before, within } = session;
  const line = (label: string, totals: PrintedTotals, period: string): string => {
    const { requestedKwh, shortfallKwh, penaltyJpy } = totals;
    const penalty = penaltyJpy === null ? "" : `, penalty ${number(penaltyJpy, 0)} JPY`;
    return `  ${label}  shortfall ${number(shortfallKwh, 1)} of ${number(requestedKwh, 1)} kWh${penalty} (${period})`;
  };
  return [
    line("before the session", before, locale.formatPeriod(startMs, openedMs)),
    line("in the session    ", within, locale.formatPeriod(openedMs, endMs)),
    "",
  ];
}

/** The warnings of the run. Those of the input were printed before the run, with their places. */
function warningLines(ofInput: readonly string[], all: readonly string[]): string[] {
  const lines = all.filter((warning) => !ofInput.includes(warning)).map((warning) => `  warning: ${warning}`);
  if (ofInput.length === 0) return lines;
  const count = ofInput.length === 1 ? "1 warning" : `${ofInput.length} warnings`;
  return [...lines, `  ${count} on the input: listed above the figures, in run.json and in the report`];
}

/** Shorter runs do not print their duration. */
const SHOWN_SECONDS_MIN = 3;

export const runningTimeLine = (seconds: number): string =>
  `  running time: ${formatDuration(1000 * seconds).replaceAll("\u00a0", " ")}`;

/** The page of a report, or its folder if it has none; relative to the working directory. */
export const reportPlace = (folder: string, files: readonly string[]): string =>
  join(relative(process.cwd(), folder) || ".", files.includes("report.html") ? "report.html" : "");

function figureLines(kpis: Kpis, locale: PageLocale, currency: string | null): string[] {
  const value = (name: NumericKpiName): number | null => kpiValue(kpis, name);
  const lines: [label: string, text: string][] = [];
  if (has(value("awards_total"))) lines.push(awardsLine(value));
  for (const name of kpisShownIn("terminal")) {
    const kpi = kpiOf(name);
    const figure = value(name);
    if (figure !== null && isApplicable(kpi, value))
      lines.push([
        lowerLabel(name),
        `${number(figure, decimalsOf(kpi))} ${printedUnit(kpi, currency)}`.trimEnd() +
          (name === "uncovered_kw_peak" ? peakText(kpis, locale) : ""),
      ]);
  }
  lines.push(gridLine(value));
  const width = 2 + Math.max(...lines.map(([label]) => label.length));
  return lines.map(([label, text]) => `  ${label.padEnd(width)}${text}`);
}

/** When the largest uncovered power was first reached, and by which award. */
function peakText(kpis: Kpis, locale: PageLocale): string {
  const atMs = kpis.get("uncovered_kw_peak_at");
  const awardId = kpis.get("uncovered_kw_peak_award");
  return typeof atMs === "number" && awardId !== null ? ` (${locale.formatShort(atMs)}, award ${awardId})` : "";
}

type KpiReader = (name: NumericKpiName) => number | null;

const has = (count: number | null): boolean => count !== null && 0 < count;
/** "largest uncovered FCR capacity": only the first letter changes. */
function lowerLabel(name: NumericKpiName): string {
  const { label } = kpiOf(name);
  return label.charAt(0).toLowerCase() + label.slice(1);
}

/** Percentages have at least two decimals, so that 99.96 % does not print as 100 %. */
const decimalsOf = ({ unit, decimals }: NumericKpi): number => (unit === "%" ? Math.max(2, decimals) : decimals);

function awardsLine(value: KpiReader): [string, string] {
  const parts = (["awards_fully_covered", "awards_met", "awards_refused"] as const).map(
    (name) => `${value(name)} ${lowerLabel(name)}`,
  );
  return [lowerLabel("awards_total"), [value("awards_total"), ...parts].join(", ")];
}

function gridLine(value: KpiReader): [string, string] {
  const names = ["import_kwh", "export_kwh"] as const;
  const texts = names.map((name) => number(value(name) ?? 0, kpiOf(name).decimals));
  return [names.map(lowerLabel).join(" / "), `${texts.join(" / ")} ${kpiOf("import_kwh").unit}`];
}

/** Whether the run has the awards that the figure is based on. */
function isApplicable({ basis }: NumericKpi, value: KpiReader): boolean {
  switch (basis) {
    case "sites":
    case "prices":
    case "EV sessions":
    case "settlement":
    case "battery ageing":
    case "investment":
      return true;
    case "awards":
    case "delta awards":
      return has(value("awards_total"));
    case "requested energy":
      return has(value("requested_kwh"));
    case "FCR awards":
      return has(value("fcr_uncovered_kw_max"));
  }
}

/** With thousands separators. */
function number(value: number, decimals: number): string {
  const [whole, fraction] = Math.abs(value).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const sign = value < 0 && Number(value.toFixed(decimals)) !== 0 ? "-" : "";
  return `${sign}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}
