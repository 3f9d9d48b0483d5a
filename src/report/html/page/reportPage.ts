// The report of one run as one HTML file: read it from top to bottom, here and in the browser.

import { kpiOf, kpiValue } from "../../../accounting/kpis/kpiRegistry.ts";
import type { RunRecord, VppTimeline } from "../../../accounting/runRecord.ts";
import { assert } from "../../../base/assert.ts";
import type { EpochMs } from "../../../base/time.ts";
import { shortfallByCauseChart, uncoveredByCauseChart } from "../charts/causeCharts.ts";
import { causeStackChart } from "../charts/causeStackChart.ts";
import { renderFigure } from "../charts/chart.ts";
import { deliveryChart } from "../charts/deliveryChart.ts";
import { energyChart } from "../charts/energyChart.ts";
import { outageChart } from "../charts/outageChart.ts";
import {
  awardTable,
  causeTable,
  largestShortfalls,
  refusedAwardsTable,
  selectListedAwards,
} from "../sections/awardTables.ts";
import { batterySection } from "../sections/batterySection.ts";
import { type CauseTotal, causeTotals } from "../sections/causeTotals.ts";
import { curtailmentSection } from "../sections/curtailmentSection.ts";
import { fcrBody, filterFcrAwards } from "../sections/fcrSection.ts";
import { flowSection } from "../sections/flowSection.ts";
import { reductionSection } from "../sections/reductionSection.ts";
import { siteTable } from "../sections/siteTable.ts";
import { summaryBody } from "../sections/summaryBody.ts";
import { renderDocument, type Section } from "./document.ts";
import { formatCount, formatFixed } from "./format.ts";
import { glossaryBody } from "./glossary.ts";
import { createLocalClock, type LocalClock } from "./localClock.ts";
import { html, type Markup } from "./markup.ts";

export interface ReportPage {
  readonly scenario: {
    readonly name: string;
    readonly description: string;
    /** IANA name. */
    readonly timezone: string;
    readonly hash: string;
    readonly seed: number;
    readonly startMs: EpochMs;
    readonly endMs: EpochMs;
  };
  readonly record: RunRecord;
  /** Of vppsim. */
  readonly version: string;
}

/** Power plants with a picture of their own; the largest requests come first where there are more. */
const TIMELINES_MAX = 12;

/** A self-contained page: equal input gives equal bytes, nothing is loaded from elsewhere. */
export function renderReportHtml(page: ReportPage): string {
  const { scenario, record } = page;
  assert(record.startMs < record.endMs, "a run lasts longer than an instant");
  const clock = createLocalClock(scenario.timezone, record);
  const totals = causeTotals(record.awards);
  return renderDocument({
    title: `${scenario.name} – vppsim report`,
    header: headerOf(page, clock),
    sections: [
      summarySection(record, totals, clock),
      warningsSection(record.warnings, clock),
      deliverySection(record, clock),
      shortfallSection(record, totals, clock),
      frequencySection(record, clock),
      reductionSection(record.reductions, clock),
      batterySection(record, clock),
      flowSection(record.sites),
      energySection(record),
      curtailmentSection(record.sites),
      availabilitySection(record, clock),
      awardsSection(record, clock),
      refusalsSection(record, clock),
      sitesSection(record),
      glossarySection(),
    ].filter((section) => section !== null),
    footer: footerOf(page),
  });
}

function headerOf({ scenario, version }: ReportPage, clock: LocalClock): Markup {
  return html`<p class="brand">vppsim run report</p>
<h1>${scenario.name}</h1>
${scenario.description !== "" && html`<p class="muted">${scenario.description}</p>`}
<ul class="facts"><li>Period <b>${clock.formatShort(scenario.startMs)}</b> to <b>${clock.formatShort(scenario.endMs)}</b></li><li>Timezone <b>${clock.timezone}</b> (${clock.utcOffsets})</li><li>Seed <b>${scenario.seed}</b></li><li>Scenario <b><code>${scenario.hash.slice(0, 12)}</code></b></li><li>Version <b>${version}</b></li></ul>`;
}

const summarySection = (record: RunRecord, totals: readonly CauseTotal[], clock: LocalClock): Section => ({
  id: "summary",
  contentsTitle: "Summary",
  title: "What happened",
  intro: "",
  body: summaryBody(record, totals, clock),
});

function warningsSection(messages: readonly string[], clock: LocalClock): Section | null {
  if (messages.length === 0) return null;
  return {
    id: "warnings",
    contentsTitle: `Warnings (${messages.length})`,
    title: "Warnings",
    intro: "What a reader should know before trusting the numbers.",
    body: html`<ul class="notes">${messages.map((message) => html`<li>${inLocalTime(message, clock)}</li>`)}</ul>`,
  };
}

/** A text with its UTC instants as the clock shows them. */
function inLocalTime(text: string, clock: LocalClock): Markup[] {
  return text
    .split(/(\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/)
    .map((part, k) =>
      k % 2 === 1 && !Number.isNaN(Date.parse(part)) ? clock.renderTime(Date.parse(part)) : html`${part}`,
    );
}

function deliverySection({ timelines, startMs, endMs }: RunRecord, clock: LocalClock): Section | null {
  const asked = timelines.filter(hasPower);
  if (asked.length === 0) return null;
  const shown = asked.length <= TIMELINES_MAX ? asked : largestFirst(asked).slice(0, TIMELINES_MAX);
  const left = asked.length - shown.length;
  const pictures = shown.map((timeline, k) =>
    deliveryChart(timeline, { id: `delivery-${k + 1}`, clock, span: { startMs, endMs } }),
  );
  return {
    id: "delivery",
    contentsTitle: "Delivery",
    title: "Asked against delivered",
    intro: `Awards and instructions that ask for a change of power, all together; frequency response is not in this picture.${left > 0 ? ` The ${TIMELINES_MAX} power plants with the largest requests; ${left} more have no picture.` : ""}`,
    body: html`${pictures.map(renderFigure)}`,
  };
}

/** Frequency response alone leaves both curves at 0. */
const hasPower = ({ requestedKw: askedKw, deliveredKw }: VppTimeline): boolean =>
  askedKw.some((kw) => kw !== 0) || deliveredKw.some((kw) => kw !== 0);

function largestFirst(timelines: readonly VppTimeline[]): readonly VppTimeline[] {
  return timelines
    .map((timeline, k) => ({ timeline, k, asked: timeline.requestedKw.reduce((sum, kw) => sum + Math.abs(kw), 0) }))
    .sort((a, b) => b.asked - a.asked || a.k - b.k)
    .map(({ timeline }) => timeline);
}

function shortfallSection(
  { awards: rows, startMs, endMs }: RunRecord,
  totals: readonly CauseTotal[],
  clock: LocalClock,
): Section | null {
  if (totals.length === 0) return null;
  const stacks = causeStackChart(rows, totals, { clock, span: { startMs, endMs } });
  const pictures = [shortfallByCauseChart(totals), stacks, uncoveredByCauseChart(totals)].filter(
    (picture) => picture !== null,
  );
  return {
    id: "shortfall",
    contentsTitle: "Shortfall",
    title: "What was lacking, and why",
    intro:
      "Everything not delivered is put down to one cause for each site and moment. Uncovered power is what could not be shared out when an award started; shortfall is the energy that did not come.",
    body: html`${pictures.map(renderFigure)}${causeTable(totals)}${largestShortfalls(rows, clock)}`,
  };
}

function frequencySection({ awards: rows, startMs, endMs }: RunRecord, clock: LocalClock): Section | null {
  const held = filterFcrAwards(rows);
  if (held.length === 0) return null;
  return {
    id: "frequency",
    contentsTitle: "Frequency",
    title: "Frequency response",
    intro:
      "A width in kW that sites hold ready in both directions and give as the grid's frequency asks; it has no part in the energy asked and delivered above.",
    body: fcrBody(held, clock, { startMs, endMs }),
  };
}

function energySection({ sites: rows }: RunRecord): Section | null {
  const picture = energyChart(rows);
  if (picture === null) return null;
  return {
    id: "energy-by-site",
    contentsTitle: "Energy",
    title: "Energy through the grid connections",
    intro: "",
    body: renderFigure(picture),
  };
}

function availabilitySection({ outages, kpis, startMs, endMs }: RunRecord, clock: LocalClock): Section | null {
  const picture = outageChart(outages, { clock, span: { startMs, endMs } });
  if (picture === null) return null;
  const mean = kpiValue(kpis, "availability_pct");
  return {
    id: "availability",
    contentsTitle: "Availability",
    title: "Availability",
    intro:
      mean === null
        ? ""
        : `On average the member sites were in service ${formatFixed(mean, kpiOf("availability_pct").decimals)} % of the time, planned maintenance counted out.`,
    body: renderFigure(picture),
  };
}

function awardsSection({ awards: rows }: RunRecord, clock: LocalClock): Section | null {
  if (rows.length === 0) return null;
  return {
    id: "awards",
    contentsTitle: "Awards",
    title: selectListedAwards(rows).length === rows.length ? "All awards" : "Awards that lacked most",
    intro:
      "kW and kWh carry the sign of the request (− towards the grid); short and excess are always positive. A dash: does not apply.",
    body: awardTable(rows, clock),
  };
}

function refusalsSection({ awards: rows }: RunRecord, clock: LocalClock): Section | null {
  const refused = rows.filter(({ state }) => state === "refused");
  if (refused.length === 0) return null;
  return {
    id: "refused",
    contentsTitle: "Refused",
    title: "Refused awards",
    intro: "",
    body: refusedAwardsTable(refused, clock),
  };
}

function sitesSection({ sites: rows }: RunRecord): Section | null {
  if (rows.length === 0) return null;
  return {
    id: "sites",
    contentsTitle: "Sites",
    title: formatCount(rows.length, "site"),
    intro: "",
    body: siteTable(rows),
  };
}

const glossarySection = (): Section => ({
  id: "glossary",
  contentsTitle: "Glossary",
  title: "How to read this report",
  intro: "",
  body: glossaryBody(),
});

const footerOf = ({ scenario, version }: ReportPage): Markup =>
  html`<p>Made by vppsim ${version}. The same scenario and seed give this page again, byte for byte. Scenario hash <code>${scenario.hash}</code>, seed ${scenario.seed}. The numbers stand in full in the other files of this report.</p>`;
