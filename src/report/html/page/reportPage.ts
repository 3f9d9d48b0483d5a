// The report of one run as one HTML file; the functions are in the order of the page.

import { kpiOf, kpiValue } from "../../../accounting/kpis/kpiRegistry.ts";
import type { RunRecord, VppTimeline } from "../../../accounting/runRecord.ts";
import { assert } from "../../../base/assert.ts";
import type { Language } from "../../../base/language.ts";
import { type EpochMs, MS_PER_DAY } from "../../../base/time.ts";
import type { Series } from "../../../engine/series/model/series.ts";
import type { BidSlot } from "../../../market/clearBid.ts";
import type { AlarmRow } from "../../alarmRow.ts";
import { type NeverFacts, neverSentences } from "../../neverText.ts";
import type { SettledRun } from "../../settle/settledRun.ts";
import { causeStackChart, shortfallByCauseChart, uncoveredByAwardChart } from "../charts/causeStackChart.ts";
import { renderFigure, renderFigures, withHeat } from "../charts/chart.ts";
import { deliveryChart } from "../charts/deliveryChart.ts";
import { energyChart } from "../charts/energyChart.ts";
import { isLong } from "../charts/envelopeData.ts";
import { hourSums } from "../charts/hourSums.ts";
import { outageChart } from "../charts/outageChart.ts";
import { type AwardRows, siteChart } from "../charts/siteChart.ts";
import { awardRows } from "../charts/timeBlocks.ts";
import { alarmsSection } from "../sections/alarmsSection.ts";
import {
  awardTable,
  causeTable,
  largestShortfalls,
  refusedAwardsTable,
  selectListedAwards,
} from "../sections/awardTables.ts";
import { batterySection } from "../sections/batterySection.ts";
import { bidSection } from "../sections/bidSection.ts";
import { type CauseTotal, causeTotals } from "../sections/causeText.ts";
import { chronologySection } from "../sections/chronologySection.ts";
import { curtailmentSection } from "../sections/curtailmentSection.ts";
import { fcrBody, filterFcrAwards } from "../sections/fcrSection.ts";
import { flowSection } from "../sections/flowSection.ts";
import { kindTableSection } from "../sections/kindTableSection.ts";
import { moneySection } from "../sections/moneySection.ts";
import {
  durationSection,
  energyByMonthSection,
  outagesSection,
  shortfallHeatSection,
  worstAwardsSection,
} from "../sections/monthSections.ts";
import { reconciliationSection } from "../sections/reconciliationSection.ts";
import { reductionSection } from "../sections/reductionSection.ts";
import { sessionSection } from "../sections/sessionSection.ts";
import { settlementSection } from "../sections/settlementSection.ts";
import { siteTable } from "../sections/siteTable.ts";
import { summaryBody } from "../sections/summaryBody.ts";
import { renderDocument, type Section } from "./document.ts";
import { formatFixed } from "./format.ts";
import { type Content, html, type Markup } from "./markup.ts";
import { createPageLocale, type PageLocale, type PageTexts } from "./pageLocale.ts";

export interface ReportPage {
  readonly scenario: {
    readonly name: string;
    readonly description: string;
    /** IANA name. */
    readonly timezone: string;
    readonly language: Language;
    readonly hash: string;
    readonly seed: number;
    readonly startMs: EpochMs;
    readonly endMs: EpochMs;
  };
  readonly record: RunRecord;
  /** Market price of energy per kWh; `null`: none. */
  readonly energyPrice: Series | null;
  /** Results of the bids; empty without any. */
  readonly bids: readonly BidSlot[];
  /** Journal of the session whose export was run; `null`: it is none. */
  readonly alarms: readonly AlarmRow[] | null;
  /** `null`: the run is not settled. */
  readonly settled: SettledRun | null;
  readonly never: NeverFacts;
  /** Of vppsim. */
  readonly version: string;
}

/** VPPs with a chart; if there are more, those with the largest requests. */
const TIMELINES_MAX = 12;

/** A self-contained page: equal input gives equal bytes, and no external resource is loaded. */
export function renderReportHtml(page: ReportPage): string {
  const { scenario, record } = page;
  assert(record.startMs < record.endMs, "a run lasts longer than an instant");
  const locale = createPageLocale(scenario.language, scenario.timezone, record);
  const totals = causeTotals(record.awards);
  return renderDocument({
    title: locale.t("run_report.title", { scenario: scenario.name }),
    locale,
    header: headerOf(page, locale, locale.t("run_report.brand")),
    sections: [
      summarySection(page, totals, locale),
      sessionSection(record, locale),
      warningsSection(record.warnings, locale),
      ...(isLong(record) ? longSections(page, { locale, totals }) : shortSections(page, { locale, totals })),
      glossarySection(locale),
    ].filter((section) => section !== null),
    footer: footerOf(page, locale),
  });
}

interface PageParts {
  readonly locale: PageLocale;
  readonly totals: readonly CauseTotal[];
}

const DAYS_BY_HOUR = 2;

/** Up to ten days: curves, awards one by one, the chronology; energy by quarters of a day from the third day on. */
function shortSections(page: ReportPage, { locale, totals }: PageParts): readonly (Section | null)[] {
  const { record } = page;
  const timelines = shownTimelines(record);
  const rows = awardRowFinder(record, timelines, locale);
  const isDays = DAYS_BY_HOUR * MS_PER_DAY < record.endMs - record.startMs;
  return [
    deliverySection(timelines, rows, { record, locale }),
    siteChartSection(rows, { record, locale }),
    isDays ? energyByMonthSection({ record, locale, sums: hourSums(record, locale) }) : null,
    shortfallSection(record, totals, locale),
    chronologySection(record, locale),
    alarmsSection(page.alarms, locale),
    frequencySection(record, locale),
    reductionSection(record.reductions, locale),
    batterySection(record, locale),
    ...record.componentTables.map((table) => kindTableSection(table, locale)),
    flowSection(record.sites, locale),
    energySection(record, locale),
    moneySection(page, locale),
    bidSection(page.bids, locale),
    page.settled === null ? null : settlementSection(page.settled, locale),
    reconciliationOf(page.settled, locale),
    curtailmentSection(record.sites, locale),
    availabilitySection(record, locale),
    awardsSection(record, locale),
    refusalsSection(record, locale),
    sitesSection(record, locale),
  ];
}

/** Over ten days (docs/model/report-files.md#layout); what is read seldom is folded. */
function longSections(page: ReportPage, { locale, totals }: PageParts): readonly (Section | null)[] {
  const { record } = page;
  const timelines = shownTimelines(record);
  const rows = awardRowFinder(record, timelines, locale);
  const context = { record, locale, sums: hourSums(record, locale) };
  return [
    energyByMonthSection(context),
    shortfallHeatSection(context),
    worstAwardsSection(context),
    durationSection(context),
    deliverySection(timelines, rows, { record, locale }),
    siteChartSection(rows, { record, locale }),
    batterySection(record, locale),
    outagesSection(context),
    moneySection(page, locale),
    page.settled === null ? null : settlementSection(page.settled, locale),
    reconciliationOf(page.settled, locale),
    sitesSection(record, locale),
    ...[
      causesSection(totals, locale),
      alarmsSection(page.alarms, locale),
      frequencySection(record, locale),
      reductionSection(record.reductions, locale),
      ...record.componentTables.map((table) => kindTableSection(table, locale)),
      flowSection(record.sites, locale),
      energySection(record, locale),
      bidSection(page.bids, locale),
      curtailmentSection(record.sites, locale),
      refusalsSection(record, locale),
      chronologySection(record, locale),
    ].map(folded),
  ];
}

/** A section whose body opens on click; paper has its title alone. */
const folded = (section: Section | null): Section | null =>
  section === null
    ? null
    : {
        ...section,
        intro: "",
        body: html`<details class="folded"><summary>${section.title}</summary>${section.intro !== "" && html`<p class="muted">${section.intro}</p>`}${section.body}</details>`,
      };

function causesSection(totals: readonly CauseTotal[], { t }: PageLocale): Section | null {
  if (totals.length === 0) return null;
  const title = t("months.causes");
  return { id: "shortfall", contentsTitle: title, title, intro: "", body: causeTable(totals, t) };
}

/** Scenario and program version of a page. */
type PageOrigin = Pick<ReportPage, "scenario" | "version">;

/** @param brand  kind of the page, such as "vppsim run report" */
export function headerOf({ scenario, version }: PageOrigin, locale: PageLocale, brand: string): Markup {
  const { rich, formatShort } = locale;
  const bold = (content: Content): Markup => html`<b>${content}</b>`;
  const facts = [
    rich("page.period", { start: bold(formatShort(scenario.startMs)), end: bold(formatShort(scenario.endMs)) }),
    rich("page.timezone", { zone: bold(locale.timezone), offsets: locale.utcOffsets }),
    rich("page.seed", { seed: bold(String(scenario.seed)) }),
    rich("page.scenario", { hash: bold(html`<code>${scenario.hash.slice(0, 12)}</code>`) }),
    rich("page.version", { version: bold(version) }),
  ];
  return html`<p class="brand">${brand}</p>
<h1>${scenario.name}</h1>
${scenario.description !== "" && html`<p class="muted">${scenario.description}</p>`}
<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>`;
}

const summarySection = ({ record, never }: ReportPage, totals: readonly CauseTotal[], locale: PageLocale): Section => ({
  id: "summary",
  contentsTitle: locale.t("run_report.summary"),
  title: locale.t("run_report.summary"),
  intro: "",
  body: summaryBody(record, { totals, never: neverSentences(never, record, locale) }, locale),
});

function warningsSection(messages: readonly string[], locale: PageLocale): Section | null {
  if (messages.length === 0) return null;
  return {
    id: "warnings",
    contentsTitle: locale.t("run_report.warnings_contents", { count: messages.length }),
    title: locale.t("run_report.warnings"),
    intro: locale.t("run_report.warnings_intro"),
    body: html`<ul class="notes">${messages.map((message) => html`<li>${inLocalTime(message, locale)}</li>`)}</ul>`,
  };
}

/** Replaces the UTC instants of a text by local times. */
function inLocalTime(text: string, locale: PageLocale): Markup[] {
  return text
    .split(/(\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/)
    .map((part, k) =>
      k % 2 === 1 && !Number.isNaN(Date.parse(part)) ? locale.renderTime(Date.parse(part)) : html`${part}`,
    );
}

function deliverySection(
  shown: readonly VppTimeline[],
  rows: AwardRowFinder,
  { record, locale }: PageContext,
): Section | null {
  if (shown.length === 0) return null;
  const count = record.timelines.filter(hasPower).length - shown.length;
  const charts = shown.map((timeline, k) =>
    deliveryChart(timeline, record, { id: figureId(k), locale, awards: rows(timeline.vpp).rows }),
  );
  return {
    id: "delivery",
    contentsTitle: locale.t("run_report.delivery_contents"),
    title: locale.t("run_report.delivery"),
    intro: locale.t(count > 0 ? "run_report.delivery_excerpt" : "run_report.delivery_intro", {
      shown: TIMELINES_MAX,
      count,
    }),
    body: html`${charts.map(renderFigure)}`,
  };
}

interface PageContext {
  readonly record: RunRecord;
  readonly locale: PageLocale;
}

const figureId = (k: number): string => `delivery-${k + 1}`;

/** VPPs with a chart, in their order, or the largest first. */
function shownTimelines({ timelines }: RunRecord): readonly VppTimeline[] {
  const active = timelines.filter(hasPower);
  return active.length <= TIMELINES_MAX ? active : largestFirst(active).slice(0, TIMELINES_MAX);
}

type AwardRowFinder = (vpp: string | null) => AwardRows;

/** The rows of awards of each VPP: the same objects for its chart and for those of its sites. */
function awardRowFinder(record: RunRecord, shown: readonly VppTimeline[], texts: PageTexts): AwardRowFinder {
  const found = new Map<string | null, AwardRows>();
  return (vpp) => {
    let rows = found.get(vpp);
    if (rows === undefined) {
      const k = shown.findIndex((timeline) => timeline.vpp === vpp);
      found.set(vpp, (rows = { figure: k < 0 ? null : figureId(k), rows: awardRows(record, vpp, texts) }));
    }
    return rows;
  };
}

/** Both curves are 0 for a VPP with frequency response alone. */
const hasPower = ({ requestedKw, deliveredKw }: VppTimeline): boolean =>
  requestedKw.values.some((kw) => kw !== 0) || deliveredKw.values.some((kw) => kw !== 0);

function largestFirst(timelines: readonly VppTimeline[]): readonly VppTimeline[] {
  return timelines
    .map((timeline, k) => ({ timeline, k, peakKw: peakOf(timeline) }))
    .sort((a, b) => b.peakKw - a.peakKw || a.k - b.k)
    .map(({ timeline }) => timeline);
}

const peakOf = ({ requestedKw }: VppTimeline): number =>
  requestedKw.values.reduce((most, kw) => Math.max(most, Math.abs(kw)), 0);

function siteChartSection(rows: AwardRowFinder, { record, locale }: PageContext): Section | null {
  const found = siteChart(record, locale, rows);
  if (found === null) return null;
  const { chart, heat } = found;
  return {
    id: "site-chart",
    contentsTitle: locale.t("run_report.site_contents"),
    title: locale.t("run_report.site"),
    intro: "",
    body: withHeat(heat, chart, locale),
  };
}

function shortfallSection(
  { awards: rows, startMs, endMs }: RunRecord,
  totals: readonly CauseTotal[],
  locale: PageLocale,
): Section | null {
  if (totals.length === 0) return null;
  const stackChart = causeStackChart(rows, totals, { locale, span: { startMs, endMs } });
  const charts = [shortfallByCauseChart(totals, locale.t), stackChart, uncoveredByAwardChart(rows, locale)].filter(
    (chart) => chart !== null,
  );
  return {
    id: "shortfall",
    contentsTitle: locale.t("run_report.shortfall_contents"),
    title: locale.t("run_report.shortfall"),
    intro: locale.t("run_report.shortfall_intro"),
    body: html`${renderFigures(charts)}${causeTable(totals, locale.t)}${largestShortfalls(rows, locale)}`,
  };
}

function frequencySection({ awards: rows, startMs, endMs }: RunRecord, locale: PageLocale): Section | null {
  const fcrAwards = filterFcrAwards(rows);
  if (fcrAwards.length === 0) return null;
  return {
    id: "frequency",
    contentsTitle: locale.t("run_report.frequency_contents"),
    title: locale.t("run_report.frequency"),
    intro: locale.t("run_report.frequency_intro"),
    body: fcrBody(fcrAwards, locale, { startMs, endMs }),
  };
}

function energySection({ sites: rows }: RunRecord, { t }: PageLocale): Section | null {
  const chart = energyChart(rows, t);
  if (chart === null) return null;
  return {
    id: "energy-by-site",
    contentsTitle: t("run_report.energy_contents"),
    title: t("run_report.energy"),
    intro: "",
    body: renderFigure(chart),
  };
}

function availabilitySection({ outages, kpis, startMs, endMs }: RunRecord, locale: PageLocale): Section | null {
  const chart = outageChart(outages, { locale, span: { startMs, endMs } });
  if (chart === null) return null;
  const mean = kpiValue(kpis, "availability_pct");
  return {
    id: "availability",
    contentsTitle: locale.t("run_report.availability"),
    title: locale.t("run_report.availability"),
    intro:
      mean === null
        ? ""
        : locale.t("run_report.availability_intro", { pct: formatFixed(mean, kpiOf("availability_pct").decimals) }),
    body: renderFigure(chart),
  };
}

function awardsSection({ awards: rows }: RunRecord, locale: PageLocale): Section | null {
  if (rows.length === 0) return null;
  return {
    id: "awards",
    contentsTitle: locale.t("run_report.awards_contents"),
    title: locale.t(
      selectListedAwards(rows).length === rows.length ? "run_report.awards" : "run_report.awards_largest",
    ),
    intro: locale.t("run_report.awards_intro"),
    body: awardTable(rows, locale),
  };
}

function refusalsSection({ awards: rows }: RunRecord, locale: PageLocale): Section | null {
  const refused = rows.filter(({ state }) => state === "refused");
  if (refused.length === 0) return null;
  return {
    id: "refused",
    contentsTitle: locale.t("run_report.refused_contents"),
    title: locale.t("run_report.refused"),
    intro: "",
    body: refusedAwardsTable(refused, locale),
  };
}

function sitesSection(record: RunRecord, locale: PageLocale): Section | null {
  const { sites: rows } = record;
  if (rows.length === 0) return null;
  return {
    id: "sites",
    contentsTitle: locale.t("run_report.sites_contents"),
    title: locale.t("run_report.sites", { count: rows.length }),
    intro: "",
    body: siteTable(record, locale),
  };
}

const reconciliationOf = (settled: SettledRun | null, locale: PageLocale): Section | null =>
  settled === null || settled.reconciliation === null ? null : reconciliationSection(settled.reconciliation, locale);

const glossarySection = ({ t }: PageLocale): Section => ({
  id: "glossary",
  contentsTitle: t("run_report.glossary_contents"),
  title: t("run_report.glossary"),
  intro: "",
  body: html`<div class="card"><dl class="words">${GLOSSARY_TERMS.map((term) => html`<dt>${t(`glossary.${term}.term`)}</dt><dd>${t(`glossary.${term}.meaning`)}</dd>`)}</dl></div>`,
});

const GLOSSARY_TERMS = [
  "sign",
  "vpp",
  "site",
  "award",
  "baseline",
  "uncovered",
  "shortfall",
  "excess",
  "compliance",
  "fcr",
  "compound",
  "soc",
  "cycles",
  "availability",
  "curtailed",
] as const;

export const footerOf = ({ scenario, version }: PageOrigin, { rich }: PageLocale): Markup =>
  html`<p>${rich("page.footer", {
    version,
    hash: html`<code>${scenario.hash}</code>`,
    seed: String(scenario.seed),
  })}</p>`;
