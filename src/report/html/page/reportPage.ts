// The report of one run as one HTML file: read it from top to bottom, here and in the browser.

import type { RunRecord, VppTimeline } from "../../../accounting/runRecord.ts";
import { assert } from "../../../base/assert.ts";
import type { EpochMs } from "../../../base/time.ts";
import { shortfallBars, uncoveredBars } from "../charts/causeBars.ts";
import { causeStacks } from "../charts/causeStacks.ts";
import { figure } from "../charts/chart.ts";
import { deliveryPicture } from "../charts/deliveryChart.ts";
import { energyPicture } from "../charts/energyChart.ts";
import { outagePicture } from "../charts/outageChart.ts";
import { awardTable, causeTable, listedAwards, refusedTable, worstAwards } from "../sections/awardSections.ts";
import { batterySection } from "../sections/batterySection.ts";
import { type CauseTotal, causeTotals } from "../sections/causeTotals.ts";
import { curtailmentSection } from "../sections/curtailmentSection.ts";
import { fcrAwards, fcrBody } from "../sections/fcrSection.ts";
import { flowSection } from "../sections/flowSection.ts";
import { reductionSection } from "../sections/reductionSection.ts";
import { siteTable } from "../sections/siteTable.ts";
import { summaryBody } from "../sections/summarySection.ts";
import { type Clock, createClock } from "./clock.ts";
import { renderDocument, type Section } from "./document.ts";
import { counted, formatFixed } from "./format.ts";
import { glossaryBody } from "./glossary.ts";
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
  const clock = createClock(scenario.timezone, record);
  const totals = causeTotals(record.awards);
  return renderDocument({
    title: `${scenario.name} – vppsim report`,
    header: headerOf(page, clock),
    sections: [
      summary(record, totals, clock),
      warnings(record.warnings, clock),
      delivery(record, clock),
      shortfall(record, totals, clock),
      frequency(record, clock),
      reductionSection(record.reductions, clock),
      batterySection(record, clock),
      flowSection(record.sites),
      energy(record),
      curtailmentSection(record.sites),
      availability(record, clock),
      awards(record, clock),
      refusals(record, clock),
      sites(record),
      glossary(),
    ].filter((section) => section !== null),
    footer: footerOf(page),
  });
}

function headerOf({ scenario, version }: ReportPage, clock: Clock): Markup {
  return html`<p class="brand">vppsim run report</p>
<h1>${scenario.name}</h1>
${scenario.description !== "" && html`<p class="muted">${scenario.description}</p>`}
<ul class="facts"><li>Period <b>${clock.short(scenario.startMs)}</b> to <b>${clock.short(scenario.endMs)}</b></li><li>Timezone <b>${clock.timezone}</b> (${clock.offsets})</li><li>Seed <b>${scenario.seed}</b></li><li>Scenario <b><code>${scenario.hash.slice(0, 12)}</code></b></li><li>Version <b>${version}</b></li></ul>`;
}

const summary = (record: RunRecord, totals: readonly CauseTotal[], clock: Clock): Section => ({
  id: "summary",
  short: "Summary",
  title: "What happened",
  intro: "",
  body: summaryBody(record, totals, clock),
});

function warnings(messages: readonly string[], clock: Clock): Section | null {
  if (messages.length === 0) return null;
  return {
    id: "warnings",
    short: `Warnings (${messages.length})`,
    title: "Warnings",
    intro: "What a reader should know before trusting the numbers.",
    body: html`<ul class="notes">${messages.map((message) => html`<li>${inLocalTime(message, clock)}</li>`)}</ul>`,
  };
}

/** A text with its UTC instants as the clock shows them. */
function inLocalTime(text: string, clock: Clock): Markup[] {
  return text
    .split(/(\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/)
    .map((part, k) =>
      k % 2 === 1 && !Number.isNaN(Date.parse(part)) ? clock.element(Date.parse(part)) : html`${part}`,
    );
}

function delivery({ timelines, startMs, endMs }: RunRecord, clock: Clock): Section | null {
  const asked = timelines.filter(hasPower);
  if (asked.length === 0) return null;
  const shown = asked.length <= TIMELINES_MAX ? asked : largestFirst(asked).slice(0, TIMELINES_MAX);
  const left = asked.length - shown.length;
  const pictures = shown.map((timeline, k) =>
    deliveryPicture(timeline, { id: `delivery-${k + 1}`, clock, span: { startMs, endMs } }),
  );
  return {
    id: "delivery",
    short: "Delivery",
    title: "Asked against delivered",
    intro: `Awards and instructions that ask for a change of power, all together; frequency response is not in this picture.${left > 0 ? ` The ${TIMELINES_MAX} power plants with the largest requests; ${left} more have no picture.` : ""}`,
    body: html`${pictures.map(figure)}`,
  };
}

/** Frequency response alone leaves both curves at 0. */
const hasPower = ({ askedKw, deliveredKw }: VppTimeline): boolean =>
  askedKw.some((kw) => kw !== 0) || deliveredKw.some((kw) => kw !== 0);

function largestFirst(timelines: readonly VppTimeline[]): readonly VppTimeline[] {
  return timelines
    .map((timeline, k) => ({ timeline, k, asked: timeline.askedKw.reduce((sum, kw) => sum + Math.abs(kw), 0) }))
    .sort((a, b) => b.asked - a.asked || a.k - b.k)
    .map(({ timeline }) => timeline);
}

function shortfall(
  { awards: rows, startMs, endMs }: RunRecord,
  totals: readonly CauseTotal[],
  clock: Clock,
): Section | null {
  if (totals.length === 0) return null;
  const stacks = causeStacks(rows, totals, { clock, span: { startMs, endMs } });
  const pictures = [shortfallBars(totals), stacks, uncoveredBars(totals)].filter((picture) => picture !== null);
  return {
    id: "shortfall",
    short: "Shortfall",
    title: "What was lacking, and why",
    intro:
      "Everything not delivered is put down to one cause for each site and moment. Uncovered power is what could not be shared out when an award started; shortfall is the energy that did not come.",
    body: html`${pictures.map(figure)}${causeTable(totals)}${worstAwards(rows, clock)}`,
  };
}

function frequency({ awards: rows, startMs, endMs }: RunRecord, clock: Clock): Section | null {
  const held = fcrAwards(rows);
  if (held.length === 0) return null;
  return {
    id: "frequency",
    short: "Frequency",
    title: "Frequency response",
    intro:
      "A width in kW that sites hold ready in both directions and give as the grid's frequency asks; it has no part in the energy asked and delivered above.",
    body: fcrBody(held, clock, { startMs, endMs }),
  };
}

function energy({ sites: rows }: RunRecord): Section | null {
  const picture = energyPicture(rows);
  if (picture === null) return null;
  return {
    id: "energy-by-site",
    short: "Energy",
    title: "Energy through the grid connections",
    intro: "",
    body: figure(picture),
  };
}

function availability({ outages, kpis, startMs, endMs }: RunRecord, clock: Clock): Section | null {
  const picture = outagePicture(outages, { clock, span: { startMs, endMs } });
  if (picture === null) return null;
  const mean = kpis.get("availability_pct") ?? null;
  return {
    id: "availability",
    short: "Availability",
    title: "Availability",
    intro:
      mean === null
        ? ""
        : `On average the member sites were in service ${formatFixed(mean, 2)} % of the time, planned maintenance counted out.`,
    body: figure(picture),
  };
}

function awards({ awards: rows }: RunRecord, clock: Clock): Section | null {
  if (rows.length === 0) return null;
  return {
    id: "awards",
    short: "Awards",
    title: listedAwards(rows).length === rows.length ? "All awards" : "Awards that lacked most",
    intro:
      "kW and kWh carry the sign of the request (− towards the grid); short and excess are always positive. A dash: does not apply.",
    body: awardTable(rows, clock),
  };
}

function refusals({ awards: rows }: RunRecord, clock: Clock): Section | null {
  const refused = rows.filter(({ state }) => state === "refused");
  if (refused.length === 0) return null;
  return {
    id: "refused",
    short: "Refused",
    title: "Refused awards",
    intro: "",
    body: refusedTable(refused, clock),
  };
}

function sites({ sites: rows }: RunRecord): Section | null {
  if (rows.length === 0) return null;
  return {
    id: "sites",
    short: "Sites",
    title: counted(rows.length, "site"),
    intro: "",
    body: siteTable(rows),
  };
}

const glossary = (): Section => ({
  id: "glossary",
  short: "Glossary",
  title: "How to read this report",
  intro: "",
  body: glossaryBody(),
});

const footerOf = ({ scenario, version }: ReportPage): Markup =>
  html`<p>Made by vppsim ${version}. The same scenario and seed give this page again, byte for byte. Scenario hash <code>${scenario.hash}</code>, seed ${scenario.seed}. The numbers stand in full in the other files of this report.</p>`;
