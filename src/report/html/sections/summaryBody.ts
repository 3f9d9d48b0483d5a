// The first screen: the outcome in sentences, then the key figures.
import { type KpiName, type Kpis, kpiOf, kpisShownIn, kpiValue } from "../../../accounting/kpis/kpiRegistry.ts";
import type { RunRecord } from "../../../accounting/runRecord.ts";
import { dataTable } from "../page/dataTable.ts";
import {
  formatCount,
  formatDuration,
  formatFixed,
  formatKw,
  formatKwh,
  formatPct,
  numberCell,
} from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { html, type Markup, trustedMarkup } from "../page/markup.ts";
import type { ColourName } from "../page/palette.ts";
import { CAUSE_TEXT } from "./causeText.ts";
import type { CauseTotal } from "./causeTotals.ts";

export function summaryBody(record: RunRecord, totals: readonly CauseTotal[], clock: LocalClock): Markup {
  return html`<div class="card lead">
<p>${periodSentence(record, clock)}</p>
<p>${deliverySentence(record.kpis, totals)}</p>
<p>${awardsSentence(record.kpis)}</p>
${shareBar(record.kpis, totals)}
</div>
<ul class="tiles">${kpisShownIn("headline")
    .filter((name) => isApplicable(name, record))
    .map((name) => tile(name, record.kpis))}</ul>
<details><summary>All key figures</summary>${kpiTable(record.kpis)}</details>`;
}

function periodSentence({ startMs, endMs, sites, awards, timelines }: RunRecord, clock: LocalClock): Markup {
  const names = [...timelines.map(({ vpp }) => vpp), ...sites.map(({ vpp }) => vpp), ...awards.map(({ vpp }) => vpp)];
  const vppCount = new Set(names.filter((name) => name !== null)).size;
  return html`From <b>${clock.formatLong(startMs)}</b> to <b>${clock.formatLong(endMs)}</b> (${clock.timezone} time, ${formatDuration(endMs - startMs)}): <b>${formatCount(sites.length, "site")}</b> in <b>${formatCount(vppCount, "virtual power plant")}</b>.`;
}

function deliverySentence(kpis: Kpis, totals: readonly CauseTotal[]): Markup {
  const requestedKwh = kpiValue(kpis, "requested_kwh");
  if (requestedKwh === null || requestedKwh === 0) return html`No energy was requested, so there is no shortfall.`;
  const shortfallKwh = kpiValue(kpis, "shortfall_kwh") ?? 0;
  const deliveredKwh = kpiValue(kpis, "delivered_kwh");
  const request = html`<b>${formatKwh(requestedKwh)}</b> requested${deliveredKwh !== null && html`, <b>${formatKwh(deliveredKwh)}</b> delivered`}.`;
  if (shortfallKwh < 0.05) return html`${request} <b>There was no shortfall.</b>`;
  const main = totals[0];
  const reason =
    main === undefined || main.shortfallKwh < 0.05
      ? null
      : html`, mainly because ${CAUSE_TEXT[main.cause].genericReason} (${formatKwh(main.shortfallKwh)})`;
  return html`${request} The shortfall was <b>${formatKwh(shortfallKwh)} (${formatPct((100 * shortfallKwh) / requestedKwh)})</b>${reason}.`;
}

function awardsSentence(kpis: Kpis): Markup {
  const total = kpiValue(kpis, "awards_total") ?? 0;
  if (total === 0) return html`There was no award and no instruction in this period.`;
  const allocated = kpiValue(kpis, "awards_fully_covered");
  const refused = kpiValue(kpis, "awards_refused") ?? 0;
  const coverage =
    allocated === null
      ? html`There were ${formatCount(total, "award")}`
      : html`<b>${formatFixed(allocated, 0)} of ${formatCount(total, "award")}</b> ${total === 1 ? "was" : "were"} fully allocated at dispatch`;
  const refusal =
    refused === 0 ? "none was refused" : `${formatFixed(refused, 0)} ${refused === 1 ? "was" : "were"} refused`;
  const fcrUncoveredKw = kpiValue(kpis, "fcr_uncovered_kw_max") ?? 0;
  const frequency =
    0.05 <= fcrUncoveredKw && html` The largest uncovered FCR capacity was <b>${formatKw(fcrUncoveredKw)}</b>.`;
  return html`${coverage}; ${refusal}.${frequency}`;
}

/** The requested energy as one bar: delivered, then the shortfall by cause. */
function shareBar(kpis: Kpis, totals: readonly CauseTotal[]): Markup | null {
  const requestedKwh = kpiValue(kpis, "requested_kwh") ?? 0;
  const shortfallKwh = kpiValue(kpis, "shortfall_kwh") ?? 0;
  if (requestedKwh <= 0 || shortfallKwh < 0.05) return null;
  const largest = totals.filter((cause) => 0.05 <= cause.shortfallKwh).slice(0, 3);
  const otherKwh = shortfallKwh - largest.reduce((sum, cause) => sum + cause.shortfallKwh, 0);
  const segments: readonly { label: string; kwh: number; colour: ColourName }[] = [
    { label: "Delivered", kwh: requestedKwh - shortfallKwh, colour: "s1" },
    ...largest.map((total, k) => ({
      label: CAUSE_TEXT[total.cause].label,
      kwh: total.shortfallKwh,
      colour: CAUSE_COLOURS[k],
    })),
    ...(0.05 <= otherKwh ? [{ label: "Other causes", kwh: otherKwh, colour: "s8" as const }] : []),
  ];
  const labelText = (segment: { label: string; kwh: number }): string =>
    `${segment.label} ${formatPct((100 * segment.kwh) / requestedKwh)}`;
  const bars = segments.map(({ kwh, colour }) =>
    trustedMarkup(`<i style="--swatch:var(--${colour});flex:${((1000 * kwh) / requestedKwh).toFixed(2)} 0 0"></i>`),
  );
  const items = segments.map(
    (segment) =>
      html`<li>${trustedMarkup(`<i class="swatch" style="--swatch:var(--${segment.colour})"></i>`)}${labelText(segment)}</li>`,
  );
  return html`<div class="share"><div class="bar" role="img" aria-label="Requested energy: ${segments.map(labelText).join(", ")}">${bars}</div></div>
<ul class="legend">${items}</ul>`;
}

const CAUSE_COLOURS: readonly ColourName[] = ["s2", "s5", "s4"];

/** Whether the run has the awards or prices that the figure is based on. */
function isApplicable(name: KpiName, { awards, kpis }: RunRecord): boolean {
  const { basis } = kpiOf(name);
  switch (basis) {
    case "sites":
    case "awards":
      return true;
    case "requested energy":
    case "delta awards":
      return awards.length === 0 || awards.some(({ isFcr }) => !isFcr);
    case "FCR awards":
      return awards.some(({ fcr }) => fcr !== null);
    case "prices":
      return kpiValue(kpis, name) !== null;
  }
}

function tile(name: KpiName, kpis: Kpis): Markup {
  const value = kpiValue(kpis, name);
  const { label, unit, decimals, meaning } = kpiOf(name);
  const total = name === "awards_fully_covered" ? kpiValue(kpis, "awards_total") : null;
  // Six digits before the point fill the tile; the table below has the decimals.
  const shown = numberCell(value, value !== null && 100_000 <= Math.abs(value) ? 0 : decimals);
  return html`<li><div class="name">${label}</div><div class="value">${shown}${total !== null && html` <small>of ${numberCell(total, 0)}</small>`}${unit !== "" && html` <small>${unit}</small>`}</div><div class="why">${value === null ? "Not applicable to this run." : meaning}</div></li>`;
}

function kpiTable(kpis: Kpis): Markup {
  return dataTable(
    "Key figures with their names in summary.json",
    [...kpis],
    [
      { title: "Figure", cell: ([name]) => kpiOf(name).label },
      {
        title: "Value",
        align: "right",
        cell: ([name, value]) =>
          numberCell(value, Math.max(kpiOf(name).decimals, value !== null && !Number.isInteger(value) ? 1 : 0)),
      },
      { title: "Unit", cell: ([name]) => kpiOf(name).unit },
      { title: "Meaning", cell: ([name]) => kpiOf(name).meaning },
      { title: "Name in the file", cell: ([name]) => html`<code>${name}</code>` },
    ],
  );
}
