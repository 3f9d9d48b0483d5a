// The first screen: the outcome in sentences, then the key figures.
import { type KpiValue, printedUnit } from "../../../accounting/kpis/kpi.ts";
import {
  type KpiName,
  type Kpis,
  kpiOf,
  kpisShownIn,
  kpiValue,
  type NumericKpiName,
} from "../../../accounting/kpis/kpiRegistry.ts";
import type { RunRecord } from "../../../accounting/runRecord.ts";
import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import { sumOf } from "../../../base/lists.ts";
import { roundTo } from "../../../base/rounding.ts";
import { causesBySize } from "../../awardSentence.ts";
import { dataTable } from "../page/dataTable.ts";
import {
  formatCount,
  formatDuration,
  formatFixed,
  formatKw,
  formatKwh,
  formatPct,
  numberCell,
  PRINTED_MIN,
} from "../page/format.ts";
import { html, type Markup, trustedMarkup } from "../page/markup.ts";
import { moneyFormat } from "../page/money.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import { type ColourName, causeColour } from "../page/palette.ts";
import { complianceLevel } from "./awardTables.ts";
import { type CauseTotal, causeLabel, mainCause, sortByShortfall, swatch } from "./causeText.ts";
import { customersSentence, moneySentence, settledSentence } from "./moneyText.ts";
import { sessionSentences } from "./sessionSection.ts";

/** @param currency  code of the settlement's, or `null` without one */
export function summaryBody(
  record: RunRecord,
  totals: readonly CauseTotal[],
  locale: PageLocale,
  currency: string | null,
): Markup {
  const { kpis, awards, session } = record;
  const money = html`<p class="money">${moneySentence(record, locale, "JPY")} ${settledSentence(record, locale, currency)}</p>`;
  return html`<div class="card lead ${complianceLevel(kpiValue(kpis, "compliance_pct"))}">
${session !== null && sessionSentences(session, record, locale)}
${kpiValue(kpis, "requested_kwh") === 0 && money}
<p>${session !== null && "The whole run: "}${deliverySentence(kpis, totals, locale)}</p>
${kpiValue(kpis, "requested_kwh") !== 0 && money}
${deliveryEquation(kpis)}
${shareBar(kpis, totals, locale)}
<p class="muted">${customersSentence(record, locale, "JPY")} ${periodSentence(record, locale)}</p>
</div>
${awards.length > 0 && findings(record, locale)}
${tileRow(
  kpisShownIn("headline")
    .filter((name) => !SHOWN_ABOVE.has(name) && isApplicable(name, record))
    .map((name) => tile(name, kpis, currency)),
)}
<details><summary>All key figures</summary>${kpiTable(kpis, locale, currency)}</details>`;
}

/** Key figures that the sentence, the equation, the findings and the section on money show. */
const SHOWN_ABOVE: ReadonlySet<NumericKpiName> = new Set<NumericKpiName>([
  "requested_kwh",
  "delivered_kwh",
  "uncovered_kw_peak",
  "awards_met",
  "awards_fully_covered",
  "revenue_jpy",
  "energy_cost_jpy",
]);

function periodSentence({ startMs, endMs, sites, awards, timelines }: RunRecord, locale: PageLocale): Markup {
  const names = [...timelines.map(({ vpp }) => vpp), ...sites.map(({ vpp }) => vpp), ...awards.map(({ vpp }) => vpp)];
  const vppCount = new Set(names.filter((name) => name !== null)).size;
  return html`From <b>${locale.formatLong(startMs)}</b> to <b>${locale.formatLong(endMs)}</b> (${locale.timezone} time, ${formatDuration(endMs - startMs)}): <b>${formatCount(sites.length, "site")}</b> in <b>${formatCount(vppCount, "virtual power plant")}</b>.`;
}

function deliverySentence(kpis: Kpis, totals: readonly CauseTotal[], locale: PageLocale): Markup {
  const requestedKwh = kpiValue(kpis, "requested_kwh");
  if (kpiValue(kpis, "awards_total") === 0) return html`There was no award and no instruction in this period.`;
  if (requestedKwh === null || requestedKwh === 0) return html`No energy was requested, so there is no shortfall.`;
  const shortfallKwh = kpiValue(kpis, "shortfall_kwh") ?? 0;
  if (shortfallKwh < PRINTED_MIN)
    return html`<b>${formatKwh(requestedKwh)}</b> requested. <b>There was no shortfall.</b>`;
  const main = mainCause(totals);
  const reason =
    main === undefined || main.shortfallKwh < PRINTED_MIN
      ? null
      : html`, mainly because ${locale.t(`cause_reason.${main.cause}`)} (${formatKwh(main.shortfallKwh)})`;
  const share =
    shortfallKwh <= requestedKwh
      ? html`<b>${formatKwh(shortfallKwh)} (${formatPct((100 * shortfallKwh) / requestedKwh)})</b> of the ${formatKwh(requestedKwh)} requested`
      : html`<b>${formatKwh(shortfallKwh)}</b>, which is all of the ${formatKwh(requestedKwh)} requested and more, because power moved against the request`;
  return html`The shortfall was ${share}${reason}.`;
}

/** Requested − shortfall + over-delivery = delivered, with as many decimals as make the printed sum close. */
function deliveryEquation(kpis: Kpis): Markup | null {
  const requestedKwh = kpiValue(kpis, "requested_kwh") ?? 0;
  const deliveredKwh = kpiValue(kpis, "delivered_kwh");
  if (requestedKwh <= 0 || deliveredKwh === null) return null;
  const amounts = [requestedKwh, kpiValue(kpis, "shortfall_kwh") ?? 0, kpiValue(kpis, "excess_kwh") ?? 0, deliveredKwh];
  const decimals = [1, 2].find((digits) => closes(amounts, digits)) ?? 3;
  const [requested, shortfall, excess, delivered] = amounts.map((kwh) => formatFixed(kwh, decimals));
  const term = (sign: string, value: string, name: string): Markup =>
    html`${sign !== "" && html`<span class="sign">${sign}</span>`}<span class="term"><b>${value}</b> ${name}</span>`;
  return html`<p class="equation">${term("", requested, "requested")} ${term("−", shortfall, "shortfall")} ${term("+", excess, "over-delivery")} ${term("=", delivered, "kWh delivered")}</p>`;
}

function closes(amounts: readonly number[], decimals: number): boolean {
  const [requested, shortfall, excess, delivered] = amounts.map((kwh) =>
    Math.round(roundTo(kwh, decimals) * 10 ** decimals),
  );
  return requested - shortfall + excess === delivered;
}

/** The requested energy as one bar: what was delivered of it, then the shortfall by cause. */
function shareBar(kpis: Kpis, totals: readonly CauseTotal[], locale: PageLocale): Markup | null {
  const requestedKwh = kpiValue(kpis, "requested_kwh") ?? 0;
  const shortfallKwh = kpiValue(kpis, "shortfall_kwh") ?? 0;
  if (requestedKwh <= 0 || shortfallKwh < PRINTED_MIN) return null;
  const segments: readonly { label: string; kwh: number; colour: ColourName }[] = [
    { label: "Delivered as requested", kwh: Math.max(0, requestedKwh - shortfallKwh), colour: "s1" },
    ...totals
      .filter((total) => PRINTED_MIN <= total.shortfallKwh)
      .map((total) => ({
        label: locale.t(`cause.${total.cause}`),
        kwh: total.shortfallKwh,
        colour: causeColour(total.cause),
      })),
  ];
  const labelText = (segment: { label: string; kwh: number }): string => `${segment.label} ${formatKwh(segment.kwh)}`;
  const bars = segments.map(({ kwh, colour }) =>
    trustedMarkup(
      `<i style="--swatch:var(--${colour});flex:${((1000 * kwh) / Math.max(requestedKwh, shortfallKwh)).toFixed(2)} 0 0"></i>`,
    ),
  );
  const items = segments.map((segment) => html`<li>${swatch(segment.colour)}${labelText(segment)}</li>`);
  return html`<div class="share"><div class="bar" role="img" aria-label="Requested energy: ${segments.map(labelText).join(", ")}">${bars}</div></div>
<ul class="legend">${items}</ul>`;
}

/** Whether the run has the awards or prices that the figure is based on. */
function isApplicable(name: NumericKpiName, { awards, kpis }: RunRecord): boolean {
  const { basis } = kpiOf(name);
  switch (basis) {
    case "awards":
      return true;
    case "requested energy":
    case "delta awards":
      return awards.length === 0 || awards.some(({ isFcr }) => !isFcr);
    case "FCR awards":
      return awards.some(({ fcr }) => fcr !== null);
    case "sites":
    case "prices":
    case "EV sessions":
    case "settlement":
    case "battery ageing":
    case "investment":
      return kpiValue(kpis, name) !== null;
  }
}

/** Tiles in one row, or in two equal ones where the page is narrower. */
const tileRow = (tiles: readonly Markup[]): Markup =>
  html`<ul class="tiles kpis" style="${`--count:${tiles.length};--half:${Math.ceil(tiles.length / 2)}`}">${tiles}</ul>`;

function tile(name: NumericKpiName, kpis: Kpis, currency: string | null): Markup {
  const value = kpiValue(kpis, name);
  const { label, decimals, meaning } = kpiOf(name);
  const unit = unitOf(name, currency);
  // Six digits before the point fill the tile; the table below has the decimals.
  const shown = numberCell(value, value !== null && 100_000 <= Math.abs(value) ? 0 : decimals);
  return html`<li><div class="name">${label}</div><div class="value">${shown}${unit !== "" && html` <small>${unit}</small>`}</div><div class="why">${value === null ? "Not applicable to this run." : meaning}</div></li>`;
}

function kpiTable(kpis: Kpis, locale: PageLocale, currency: string | null): Markup {
  return dataTable(
    "Key figures with their names in summary.json",
    [...kpis],
    [
      { title: "Figure", cell: ([name]) => kpiOf(name).label },
      {
        title: "Value",
        align: "right",
        cell: ([name, value]) => valueCell(name, value, locale),
      },
      { title: "Unit", cell: ([name]) => unitOf(name, currency) },
      { title: "Meaning", cell: ([name]) => kpiOf(name).meaning },
      { title: "Name in the file", cell: ([name]) => html`<code>${name}</code>` },
    ],
  );
}

function valueCell(name: KpiName, value: KpiValue, locale: PageLocale): Markup | string {
  const kpi = kpiOf(name);
  if (typeof value === "string") return value;
  if (kpi.kind === "instant" && value !== null) return locale.renderTime(value);
  const decimals = kpi.kind === "number" ? kpi.decimals : 0;
  return numberCell(value, Math.max(decimals, value !== null && !Number.isInteger(value) ? 1 : 0));
}

function unitOf(name: KpiName, currency: string | null): string {
  const kpi = kpiOf(name);
  return kpi.kind === "number" ? printedUnit(kpi, currency) : "";
}

// The findings of the first screen: when, which award, which site.

const RANKED_MAX = 3;
/** Largest uncovered power, awards in band, and the awards and sites with the largest shortfall. */
export function findings(record: RunRecord, locale: PageLocale): Markup {
  return html`<ul class="tiles findings"><li class="pair">${uncoveredFinding(record, locale)}${awardsFinding(record)}</li>${awardRanking(record, locale)}${siteRanking(record, locale)}${penaltyRanking(record, locale)}${marginRanking(record, locale)}</ul>`;
}

const finding = (name: string, body: Markup): Markup =>
  html`<div class="tile"><div class="name">${name}</div>${body}</div>`;
const ranking = (name: string, items: readonly Markup[]): Markup =>
  html`<li><div class="name">${name}</div><ol class="ranking">${items}</ol></li>`;

function uncoveredFinding({ kpis, awards, session }: RunRecord, locale: PageLocale): Markup | null {
  if (!awards.some(({ isFcr }) => !isFcr)) return null;
  const kw = kpiValue(kpis, "uncovered_kw_peak") ?? 0;
  const atMs = kpis.get("uncovered_kw_peak_at");
  const awardId = kpis.get("uncovered_kw_peak_award");
  const place =
    typeof atMs === "number" && typeof awardId === "string"
      ? html`<div class="where"><span class="id">${awardId}</span>, from ${locale.renderTime(atMs)}${session !== null && atMs < session.openedMs && ", before the session"}</div><div class="why">Largest part of a request that was allocated to no site at any instant, re-dispatches included.</div>`
      : html`<div class="why">Every request was allocated in full at every instant.</div>`;
  return finding(
    "Largest uncovered power",
    html`<div class="value">${formatFixed(kw, 1)} <small>kW</small></div>${place}`,
  );
}

function awardsFinding({ kpis, awards }: RunRecord): Markup {
  const assessed = awards.filter(({ compliancePct }) => compliancePct !== null).length;
  const total = kpiValue(kpis, "awards_total") ?? 0;
  const refused = kpiValue(kpis, "awards_refused") ?? 0;
  const met = kpiValue(kpis, "awards_met");
  const fcrUncoveredKw = kpiValue(kpis, "fcr_uncovered_kw_max") ?? 0;
  const lines = [
    html`<b>${formatFixed(kpiValue(kpis, "awards_fully_covered") ?? 0, 0)} of ${formatFixed(total, 0)}</b> fully allocated at dispatch`,
    html`<b>${formatFixed(refused, 0)}</b> refused`,
    ...(PRINTED_MIN <= fcrUncoveredKw
      ? [html`<b>${formatKw(fcrUncoveredKw)}</b> of FCR capacity uncovered at most`]
      : []),
  ];
  const value =
    assessed === 0 || met === null
      ? html`<div class="value">${formatFixed(total, 0)}</div>`
      : html`<div class="value">${formatFixed(met, 0)} <small>of ${formatFixed(assessed, 0)} in band throughout</small></div>`;
  return finding("Awards", html`${value}${lines.map((line) => html`<div class="where">${line}</div>`)}`);
}

function awardRanking({ awards, session }: RunRecord, locale: PageLocale): Markup | null {
  const ranked = sortByShortfall(awards.filter(({ shortfallKwh }) => PRINTED_MIN <= (shortfallKwh ?? 0)));
  if (ranked.length === 0) return null;
  const item = (award: AwardRow): Markup =>
    html`<li><span class="id">${award.awardId}</span> <b>${formatKwh(award.shortfallKwh ?? 0)}</b>${shareOf(award)}<div class="why">${locale.formatPeriod(award.startMs, award.endMs)}${session !== null && award.endMs <= session.openedMs && ", before the session"}${mainCauseOf(award.shortfallByCauseKwh, locale)}</div></li>`;
  return ranking(
    ranked.length === 1 ? "Award with a shortfall" : "Awards with the largest shortfall",
    ranked.slice(0, RANKED_MAX).map(item),
  );
}

function shareOf({ shortfallKwh, requestedKwh }: AwardRow): string {
  const shares = Math.abs(requestedKwh ?? 0);
  const pct = (100 * (shortfallKwh ?? 0)) / shares;
  return shares === 0 || 100 < pct ? "" : ` (${formatPct(pct)})`;
}

function siteRanking({ siteShortfalls }: RunRecord, locale: PageLocale): Markup | null {
  const ranked = siteShortfalls
    .map(({ site, byCauseKwh }, k) => ({ site, byCauseKwh, k, kwh: sumOf(byCauseKwh) }))
    .filter(({ kwh }) => PRINTED_MIN <= kwh)
    .sort((a, b) => b.kwh - a.kwh || a.k - b.k);
  if (ranked.length === 0) return null;
  const items = ranked
    .slice(0, RANKED_MAX)
    .map(
      ({ site, byCauseKwh, kwh }) =>
        html`<li><span class="id">${site}</span> <b>${formatKwh(kwh)}</b><div class="why">${mainCauseOf(byCauseKwh, locale)}</div></li>`,
    );
  return ranking(ranked.length === 1 ? "Site with a shortfall" : "Sites with the largest shortfall", items);
}

/** The awards with the largest penalties; `null` without any. */
function penaltyRanking({ awards }: RunRecord, locale: PageLocale): Markup | null {
  const ranked = awards
    .map(({ awardId, penaltyJpy, marginJpy }) => ({ awardId, penaltyJpy: penaltyJpy ?? 0, marginJpy: marginJpy ?? 0 }))
    .filter(({ penaltyJpy }) => MONEY_MIN <= penaltyJpy)
    .sort((a, b) => b.penaltyJpy - a.penaltyJpy)
    .slice(0, RANKED_MAX);
  if (ranked.length === 0) return null;
  const items = ranked.map(
    ({ awardId, penaltyJpy, marginJpy }) =>
      html`<li><span class="id">${awardId}</span> <b>${amountText(penaltyJpy, locale)}</b><div class="why">${locale.t("money.margin_of", { amount: amountText(marginJpy, locale) })}</div></li>`,
  );
  return ranking(locale.t(ranked.length === 1 ? "money.worst_award" : "money.worst_awards"), items);
}

/** The sites that earn least; `null` without prices, or with a single site. */
function marginRanking({ sites }: RunRecord, locale: PageLocale): Markup | null {
  const ranked = sites
    .flatMap(({ site, money }) =>
      money === null || money.marginJpy === null ? [] : [{ site, ...money, marginJpy: money.marginJpy }],
    )
    .sort((a, b) => a.marginJpy - b.marginJpy)
    .slice(0, RANKED_MAX);
  if (ranked.length < 2) return null;
  const items = ranked.map(
    ({ site, marginJpy, penaltyJpy }) =>
      html`<li><span class="id">${site}</span> <b>${amountText(marginJpy, locale)}</b><div class="why">${MONEY_MIN <= (penaltyJpy ?? 0) && locale.t("money.penalty_of", { amount: amountText(penaltyJpy ?? 0, locale) })}</div></li>`,
  );
  return ranking(locale.t("money.worst_sites"), items);
}

/** Smaller amounts print as 0. */
const MONEY_MIN = 0.5;

const amountText = (amount: number, locale: PageLocale): string => moneyFormat(locale, "JPY", amount).text(amount);

/** The largest cause, with its share if it is not the only one. */
function mainCauseOf(byCauseKwh: Float64Array, locale: PageLocale): Markup | null {
  const [main] = causesBySize(byCauseKwh);
  if (main === undefined) return null;
  const sum = sumOf(byCauseKwh);
  const share = sum - main.amount < PRINTED_MIN ? "" : ` (${formatKwh(main.amount)})`;
  return html`<div>${causeLabel(main.cause, locale.t)}${share}</div>`;
}
