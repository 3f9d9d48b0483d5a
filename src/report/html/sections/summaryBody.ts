// The first screen: what happened, in words, then the key figures.
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
  return html`From <b>${clock.formatLong(startMs)}</b> to <b>${clock.formatLong(endMs)}</b> (${clock.timezone} time, ${formatDuration(endMs - startMs)}) this run simulated <b>${formatCount(sites.length, "site")}</b> in <b>${formatCount(vppCount, "virtual power plant")}</b>.`;
}

function deliverySentence(kpis: Kpis, totals: readonly CauseTotal[]): Markup {
  const asked = kpiValue(kpis, "requested_kwh");
  if (asked === null || asked === 0) return html`No energy was asked for, so there is nothing that could fall short.`;
  const short = kpiValue(kpis, "shortfall_kwh") ?? 0;
  const delivered = kpiValue(kpis, "delivered_kwh");
  const request = html`They were asked for <b>${formatKwh(asked)}</b>${delivered !== null && html` and delivered <b>${formatKwh(delivered)}</b>`}.`;
  if (short < 0.05) return html`${request} <b>Nothing fell short.</b>`;
  const main = totals[0];
  const reason =
    main === undefined || main.shortfallKwh < 0.05
      ? null
      : html`, above all because ${CAUSE_TEXT[main.cause].genericReason} (${formatKwh(main.shortfallKwh)})`;
  return html`${request} <b>${formatKwh(short)} (${formatPct((100 * short) / asked)}) fell short</b>${reason}.`;
}

function awardsSentence(kpis: Kpis): Markup {
  const total = kpiValue(kpis, "awards_total") ?? 0;
  if (total === 0) return html`No award and no instruction fell into this period.`;
  const covered = kpiValue(kpis, "awards_fully_covered");
  const refused = kpiValue(kpis, "awards_refused") ?? 0;
  const coverage =
    covered === null
      ? html`There were ${formatCount(total, "award")}`
      : html`<b>${formatFixed(covered, 0)} of ${formatCount(total, "award")}</b> could be shared out in full when they started`;
  const refusal =
    refused === 0 ? "none was refused" : `${formatFixed(refused, 0)} ${refused === 1 ? "was" : "were"} refused`;
  const lackingKw = kpiValue(kpis, "fcr_uncovered_kw_max") ?? 0;
  const frequency =
    0.05 <= lackingKw && html` Frequency response lacked up to <b>${formatKw(lackingKw)}</b> of its width.`;
  return html`${coverage}; ${refusal}.${frequency}`;
}

/** The energy asked for as one bar: what was met, then what each cause took. */
function shareBar(kpis: Kpis, totals: readonly CauseTotal[]): Markup | null {
  const asked = kpiValue(kpis, "requested_kwh") ?? 0;
  const short = kpiValue(kpis, "shortfall_kwh") ?? 0;
  if (asked <= 0 || short < 0.05) return null;
  const largest = totals.filter(({ shortfallKwh }) => 0.05 <= shortfallKwh).slice(0, 3);
  const rest = short - largest.reduce((sum, { shortfallKwh }) => sum + shortfallKwh, 0);
  const pieces: readonly { label: string; kwh: number; colour: ColourName }[] = [
    { label: "Met", kwh: asked - short, colour: "s1" },
    ...largest.map(({ cause, shortfallKwh }, k) => ({
      label: CAUSE_TEXT[cause].label,
      kwh: shortfallKwh,
      colour: CAUSE_COLOURS[k],
    })),
    ...(0.05 <= rest ? [{ label: "Other causes", kwh: rest, colour: "s8" as const }] : []),
  ];
  const words = (piece: { label: string; kwh: number }): string =>
    `${piece.label} ${formatPct((100 * piece.kwh) / asked)}`;
  const bars = pieces.map(({ kwh, colour }) =>
    trustedMarkup(`<i style="--swatch:var(--${colour});flex:${((1000 * kwh) / asked).toFixed(2)} 0 0"></i>`),
  );
  const items = pieces.map(
    (piece) =>
      html`<li>${trustedMarkup(`<i class="swatch" style="--swatch:var(--${piece.colour})"></i>`)}${words(piece)}</li>`,
  );
  return html`<div class="share"><div class="bar" role="img" aria-label="Energy asked for: ${pieces.map(words).join(", ")}">${bars}</div></div>
<ul class="legend">${items}</ul>`;
}

const CAUSE_COLOURS: readonly ColourName[] = ["s2", "s5", "s4"];

/** A run without FCR has no tile of it, one of FCR alone none of requested energy, one without prices none of money. */
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
  // Beyond six digits before the point, decimals only make a tile hard to read; the table below keeps them.
  const shown = numberCell(value, value !== null && 100_000 <= Math.abs(value) ? 0 : decimals);
  return html`<li><div class="name">${label}</div><div class="value">${shown}${total !== null && html` <small>of ${numberCell(total, 0)}</small>`}${unit !== "" && html` <small>${unit}</small>`}</div><div class="why">${value === null ? "Nothing in this run to judge it by." : meaning}</div></li>`;
}

function kpiTable(kpis: Kpis): Markup {
  return dataTable(
    "Key figures, named as in summary.json",
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
