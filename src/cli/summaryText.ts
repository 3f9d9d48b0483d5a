import { join, relative } from "node:path";
import type { NumericKpi } from "../accounting/kpis/kpi.ts";
import { type Kpis, kpiOf, kpisShownIn, kpiValue, type NumericKpiName } from "../accounting/kpis/kpiRegistry.ts";
import type { PrintedTotals, RunRecord } from "../accounting/runRecord.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";
import { currencyUnit, figureUnit } from "../report/html/page/money.ts";
import type { PageLocale, PageTexts, Translate } from "../report/html/page/pageLocale.ts";
import { investmentSentence } from "../report/investmentText.ts";
import { neverFacts, neverSentences } from "../report/neverText.ts";
import type { ScenarioRun } from "../report/runScenario.ts";
import { padEndColumns, toAscii, widestColumns, wrapText } from "../report/terminalText.ts";

/** Output of `vppsim run`; a figure that does not apply to the run has no line. */
export function summaryText(
  scenario: Scenario,
  { record, folder, files, wallSeconds }: ScenarioRun,
  locale: PageLocale,
): string {
  const { t } = locale;
  const { name, world, warnings } = scenario;
  const invested = investmentSentence(record, locale);
  const period = locale.formatPeriod(world.startMs, world.endMs);
  const { length: count } = world.sites;
  const lines = [
    t("print.run", { scenario: name, period, zone: locale.zoneText, count, seed: String(world.seed) }),
    "",
    ...figureLines(record.kpis, locale),
    ...[...(invested === null ? [] : [invested]), ...neverSentences(neverFacts(scenario), record, locale)].flatMap(
      (sentence) => wrapText("  ", toAscii(sentence)),
    ),
    "",
    ...sessionLines(record, locale),
    ...warningLines(warnings, record.warnings, t).map(locale.localise),
    ...(wallSeconds < SHOWN_SECONDS_MIN ? [] : [runningTimeLine(wallSeconds, locale)]),
  ];
  if (folder !== null) lines.push(t("print.report", { place: reportPlace(folder, files) }));
  return `${lines.join("\n")}\n`;
}

/** Figures of the period before the session opened and of the session; no lines without a session within the run. */
function sessionLines({ session, startMs, endMs }: RunRecord, locale: PageLocale): string[] {
  if (session === null) return [];
  const { t, formatPeriod } = locale;
  const { openedMs, before, within } = session;
  const line = (label: string, totals: PrintedTotals, period: string): string => {
    const { requestedKwh, shortfallKwh, penaltyJpy } = totals;
    const values = { label, shortfall: number(shortfallKwh, 1), requested: number(requestedKwh, 1), period };
    return penaltyJpy === null
      ? t("print.session", values)
      : t("print.session_penalty", { ...values, penalty: number(penaltyJpy, 0), currency: currencyUnit(locale) });
  };
  return [
    line(t("print.before_session"), before, formatPeriod(startMs, openedMs)),
    line(t("print.in_session"), within, formatPeriod(openedMs, endMs)),
    "",
  ];
}

/** The warnings of the run. Those of the input were printed before the run, with their places. */
function warningLines(ofInput: readonly string[], all: readonly string[], t: Translate): string[] {
  const lines = all.filter((warning) => !ofInput.includes(warning)).map((warning) => t("print.warning", { warning }));
  return ofInput.length === 0 ? lines : [...lines, t("print.warnings_on_input", { count: ofInput.length })];
}

/** Shorter runs do not print their duration. */
const SHOWN_SECONDS_MIN = 3;

export const runningTimeLine = (seconds: number, { t, formatDuration }: PageTexts): string =>
  toAscii(t("print.running_time", { duration: formatDuration(1000 * seconds) }));

/** The page of a report, or its folder if it has none; relative to the working directory. */
export const reportPlace = (folder: string, files: readonly string[]): string =>
  join(relative(process.cwd(), folder) || ".", files.includes("report.html") ? "report.html" : "");

function figureLines(kpis: Kpis, locale: PageLocale): string[] {
  const value = (name: NumericKpiName): number | null => kpiValue(kpis, name);
  const { t } = locale;
  const lines: [label: string, text: string][] = [];
  if (has(value("awards_total"))) lines.push(awardsLine(value, t));
  for (const name of kpisShownIn("terminal")) {
    const kpi = kpiOf(name);
    const figure = value(name);
    if (figure !== null && isApplicable(kpi, value))
      lines.push([
        lowerLabel(name, t),
        `${number(figure, decimalsOf(kpi))} ${figureUnit(kpi, locale)}`.trimEnd() +
          (name === "uncovered_kw_peak" ? peakText(kpis, locale) : ""),
      ]);
  }
  lines.push(gridLine(value, t));
  const width = 2 + widestColumns(lines.map(([label]) => label));
  return lines.map(([label, text]) => `  ${padEndColumns(label, width)}${text}`);
}

/** When the largest uncovered power was first reached, and by which award. */
function peakText(kpis: Kpis, locale: PageLocale): string {
  const atMs = kpis.get("uncovered_kw_peak_at");
  const awardId = kpis.get("uncovered_kw_peak_award");
  return typeof atMs === "number" && awardId !== null
    ? locale.t("print.peak", { at: locale.formatShort(atMs), award: String(awardId) })
    : "";
}

type KpiReader = (name: NumericKpiName) => number | null;

const has = (count: number | null): boolean => count !== null && 0 < count;
/** "largest uncovered FCR capacity": only the first letter changes. */
function lowerLabel(name: NumericKpiName, t: Translate): string {
  const label = t(`kpi.${name}.label`);
  return label.charAt(0).toLowerCase() + label.slice(1);
}

/** Percentages have at least two decimals, so that 99.96 % does not print as 100 %. */
const decimalsOf = ({ unit, decimals }: NumericKpi): number => (unit === "%" ? Math.max(2, decimals) : decimals);

function awardsLine(value: KpiReader, t: Translate): [string, string] {
  const parts = (["awards_fully_covered", "awards_met", "awards_refused"] as const).map((name) =>
    t("print.count", { count: String(value(name)), what: lowerLabel(name, t) }),
  );
  return [lowerLabel("awards_total", t), [value("awards_total"), ...parts].join(t("list.separator"))];
}

function gridLine(value: KpiReader, t: Translate): [string, string] {
  const names = ["import_kwh", "export_kwh"] as const;
  const texts = names.map((name) => number(value(name) ?? 0, kpiOf(name).decimals));
  return [names.map((name) => lowerLabel(name, t)).join(" / "), `${texts.join(" / ")} ${kpiOf("import_kwh").unit}`];
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
