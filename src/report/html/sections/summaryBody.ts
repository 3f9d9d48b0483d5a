// The first screen: the outcome in sentences, then the key figures.
import { isMoney, type KpiValue } from "../../../accounting/kpis/kpi.ts";
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
import { moneyName } from "../../../base/currency.ts";
import { sumOf } from "../../../base/lists.ts";
import { POWERS_OF_TEN, roundTo } from "../../../base/rounding.ts";
import { causesBySize } from "../../awardSentence.ts";
import { dataTable } from "../page/dataTable.ts";
import { formatFixed, formatKw, formatKwh, formatPct, numberCell, PRINTED_MIN } from "../page/format.ts";
import { html, type Markup, trustedMarkup } from "../page/markup.ts";
import { figureUnit, moneyFormat, moneyScale } from "../page/money.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import { type ColourName, causeColour } from "../page/palette.ts";
import { complianceLevel } from "./awardTables.ts";
import { type CauseTotal, causeLabel, mainCause, sortByShortfall, swatch } from "./causeText.ts";
import { customersSentence, investedSentence, moneySentence, settledSentence } from "./moneyText.ts";
import { saidAmounts } from "./printedAccount.ts";
import { sessionSentences } from "./sessionSection.ts";

/** @param never  sentences on what never happens */
export function summaryBody(
  record: RunRecord,
  { totals, never }: { readonly totals: readonly CauseTotal[]; readonly never: readonly string[] },
  locale: PageLocale,
): Markup {
  const { kpis, awards, session } = record;
  const delivery = deliverySentence(kpis, totals, locale);
  const invested = investedSentence(record, locale);
  const money = html`<p class="money">${moneySentence(record, locale)} ${settledSentence(record, locale)}</p>`;
  return html`<div class="card lead ${complianceLevel(kpiValue(kpis, "compliance_pct"))}">
${session !== null && sessionSentences(session, record, locale)}
${kpiValue(kpis, "requested_kwh") === 0 && money}
<p>${session === null ? delivery : locale.rich("summary.whole_run", { text: delivery })}</p>
${kpiValue(kpis, "requested_kwh") !== 0 && money}
${invested !== null && html`<p>${invested}</p>`}
${never.map((sentence) => html`<p>${sentence}</p>`)}
${deliveryEquation(kpis, locale)}
${shareBar(kpis, totals, locale)}
<p class="muted">${customersSentence(record, locale)} ${periodSentence(record, locale)}</p>
</div>
${awards.length > 0 && findings(record, locale)}
${tileRow(
  kpisShownIn("headline")
    .filter((name) => !SHOWN_ABOVE.has(name) && isApplicable(name, record))
    .map((name) => tile(name, kpis, locale)),
)}
<details><summary>${locale.t("summary.all_figures")}</summary>${kpiTable(kpis, locale)}</details>`;
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
  const { t, rich, formatLong, formatDuration, timezone: zone } = locale;
  return rich("summary.period", {
    start: html`<b>${formatLong(startMs)}</b>`,
    end: html`<b>${formatLong(endMs)}</b>`,
    zone,
    duration: formatDuration(endMs - startMs),
    sites: html`<b>${t("summary.sites", { count: sites.length })}</b>`,
    vpps: html`<b>${t("summary.vpps", { count: vppCount })}</b>`,
  });
}

function deliverySentence(kpis: Kpis, totals: readonly CauseTotal[], locale: PageLocale): Markup {
  const requestedKwh = kpiValue(kpis, "requested_kwh");
  const { t, rich } = locale;
  if (kpiValue(kpis, "awards_total") === 0) return rich("summary.no_award");
  if (requestedKwh === null || requestedKwh === 0) return rich("summary.no_energy");
  const shortfallKwh = kpiValue(kpis, "shortfall_kwh") ?? 0;
  if (shortfallKwh < PRINTED_MIN)
    return rich("summary.no_shortfall", {
      requested: html`<b>${formatKwh(requestedKwh)}</b>`,
      none: html`<b>${t("summary.none")}</b>`,
    });
  const isAbove = requestedKwh < shortfallKwh;
  const share = isAbove ? "" : ` (${formatPct((100 * shortfallKwh) / requestedKwh)})`;
  const values = { shortfall: html`<b>${formatKwh(shortfallKwh)}${share}</b>`, requested: formatKwh(requestedKwh) };
  const main = mainCause(totals);
  if (main === undefined || main.shortfallKwh < PRINTED_MIN)
    return rich(isAbove ? "summary.above" : "summary.shortfall", values);
  const reason = t(`cause_reason.${main.cause}`);
  return rich(isAbove ? "summary.above_because" : "summary.shortfall_because", {
    ...values,
    reason,
    kwh: formatKwh(main.shortfallKwh),
  });
}

/** Requested − shortfall + over-delivery = delivered, with as many decimals as make the printed sum close. */
function deliveryEquation(kpis: Kpis, { t }: PageLocale): Markup | null {
  const requestedKwh = kpiValue(kpis, "requested_kwh") ?? 0;
  const deliveredKwh = kpiValue(kpis, "delivered_kwh");
  if (requestedKwh <= 0 || deliveredKwh === null) return null;
  const amounts = [requestedKwh, kpiValue(kpis, "shortfall_kwh") ?? 0, kpiValue(kpis, "excess_kwh") ?? 0, deliveredKwh];
  const decimals = [1, 2].find((digits) => closes(amounts, digits)) ?? 3;
  const [requested, shortfall, excess, delivered] = amounts.map((kwh) => formatFixed(kwh, decimals));
  const term = (sign: string, value: string, name: string): Markup =>
    html`${sign !== "" && html`<span class="sign">${sign}</span>`}<span class="term"><b>${value}</b> ${name}</span>`;
  return html`<p class="equation">${term("", requested, t("summary.requested"))} ${term("−", shortfall, t("summary.shortfall_term"))} ${term("+", excess, t("summary.excess"))} ${term("=", delivered, t("summary.delivered"))}</p>`;
}

function closes(amounts: readonly number[], decimals: number): boolean {
  const [requested, shortfall, excess, delivered] = amounts.map((kwh) =>
    Math.round(roundTo(kwh, decimals) * POWERS_OF_TEN[decimals]),
  );
  return requested - shortfall + excess === delivered;
}

/** The requested energy as one bar: what was delivered of it, then the shortfall by cause. */
function shareBar(kpis: Kpis, totals: readonly CauseTotal[], locale: PageLocale): Markup | null {
  const requestedKwh = kpiValue(kpis, "requested_kwh") ?? 0;
  const shortfallKwh = kpiValue(kpis, "shortfall_kwh") ?? 0;
  if (requestedKwh <= 0 || shortfallKwh < PRINTED_MIN) return null;
  const segments: readonly { label: string; kwh: number; colour: ColourName }[] = [
    { label: locale.t("summary.as_requested"), kwh: Math.max(0, requestedKwh - shortfallKwh), colour: "s1" },
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
  return html`<div class="share"><div class="bar" role="img" aria-label="${locale.t("summary.requested_energy", { parts: segments.map(labelText).join(locale.t("list.separator")) })}">${bars}</div></div>
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

function tile(name: NumericKpiName, kpis: Kpis, locale: PageLocale): Markup {
  const { t } = locale;
  const kpi = kpiOf(name);
  const given = kpiValue(kpis, name);
  const value = given !== null && isMoney(kpi) ? saidAmounts(kpis, locale)(name) : given;
  const scale = value !== null && isMoney(kpi) ? moneyScale([value], locale) : null;
  const unit = scale?.unit ?? unitOf(name, locale);
  // Six digits before the point fill the tile; the table below has the decimals.
  const shown =
    value === null || scale === null
      ? numberCell(value, value !== null && 100_000 <= Math.abs(value) ? 0 : kpi.decimals)
      : formatFixed(value * scale.factor, scale.factor === 1 ? 0 : 1);
  return html`<li><div class="name">${t(`kpi.${name}.label`)}</div><div class="value">${shown}${unit !== "" && html` <small>${unit}</small>`}</div><div class="why">${t(value === null ? "summary.not_applicable" : `kpi.${name}.meaning`)}</div></li>`;
}

function kpiTable(kpis: Kpis, locale: PageLocale): Markup {
  return dataTable(
    locale.t("summary.table"),
    [...kpis],
    [
      { title: locale.t("head.figure"), cell: ([name]) => locale.t(`kpi.${name}.label`) },
      {
        title: locale.t("head.value"),
        align: "right",
        cell: ([name, value]) => valueCell(name, value, locale),
      },
      { title: locale.t("head.unit"), cell: ([name]) => unitOf(name, locale) },
      { title: locale.t("head.meaning"), cell: ([name]) => locale.t(`kpi.${name}.meaning`) },
      {
        title: locale.t("head.name_in_file"),
        cell: ([name]) => html`<code>${moneyName(name, locale.currency)}</code>`,
      },
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

function unitOf(name: KpiName, locale: PageLocale): string {
  const kpi = kpiOf(name);
  return kpi.kind === "number" ? figureUnit(kpi, locale) : "";
}

// The findings of the first screen: when, which award, which site.

const RANKED_MAX = 3;
/** Largest uncovered power, awards in band, and the awards and sites with the largest shortfall. */
export function findings(record: RunRecord, locale: PageLocale): Markup {
  return html`<ul class="tiles findings"><li class="stack">${uncoveredFinding(record, locale)}${awardsFinding(record, locale)}</li>${awardRanking(record, locale)}${siteRanking(record, locale)}${penaltyRanking(record, locale)}${marginRanking(record, locale)}</ul>`;
}

const finding = (name: string, body: Markup): Markup =>
  html`<div class="tile"><div class="name">${name}</div>${body}</div>`;
const ranking = (name: string, items: readonly Markup[]): Markup =>
  html`<li><div class="name">${name}</div><ol class="ranking">${items}</ol></li>`;

function uncoveredFinding({ kpis, awards, session }: RunRecord, locale: PageLocale): Markup | null {
  if (!awards.some(({ isFcr }) => !isFcr)) return null;
  const { t, rich } = locale;
  const kw = kpiValue(kpis, "uncovered_kw_peak") ?? 0;
  const atMs = kpis.get("uncovered_kw_peak_at");
  const awardId = kpis.get("uncovered_kw_peak_award");
  const place =
    typeof atMs === "number" && typeof awardId === "string"
      ? html`<div class="where">${untilSession(rich("summary.uncovered_at", { award: html`<span class="id">${awardId}</span>`, at: locale.renderTime(atMs) }), { session, endMs: atMs + 1 }, locale)}</div><div class="why">${t("summary.uncovered_why")}</div>`
      : html`<div class="why">${t("summary.allocated")}</div>`;
  return finding(
    t("summary.uncovered"),
    html`<div class="value">${formatFixed(kw, 1)} <small>kW</small></div>${place}`,
  );
}

function awardsFinding({ kpis, awards }: RunRecord, { t, rich }: PageLocale): Markup {
  const assessed = awards.filter(({ compliancePct }) => compliancePct !== null).length;
  const total = kpiValue(kpis, "awards_total") ?? 0;
  const refused = kpiValue(kpis, "awards_refused") ?? 0;
  const met = kpiValue(kpis, "awards_met");
  const fcrUncoveredKw = kpiValue(kpis, "fcr_uncovered_kw_max") ?? 0;
  const lines = [
    rich("summary.fully_allocated", {
      count: html`<b>${t("summary.of", { count: kpiValue(kpis, "awards_fully_covered") ?? 0, total })}</b>`,
    }),
    rich("summary.refused", { count: html`<b>${formatFixed(refused, 0)}</b>` }),
    ...(PRINTED_MIN <= fcrUncoveredKw
      ? [rich("summary.fcr_uncovered", { kw: html`<b>${formatKw(fcrUncoveredKw)}</b>` })]
      : []),
  ];
  const value =
    assessed === 0 || met === null
      ? html`<div class="value">${formatFixed(total, 0)}</div>`
      : html`<div class="value">${formatFixed(met, 0)} <small>${t("summary.in_band", { total: assessed })}</small></div>`;
  return finding(t("summary.awards"), html`${value}${lines.map((line) => html`<div class="where">${line}</div>`)}`);
}

function awardRanking({ awards, session }: RunRecord, locale: PageLocale): Markup | null {
  const ranked = sortByShortfall(awards.filter(({ shortfallKwh }) => PRINTED_MIN <= (shortfallKwh ?? 0)));
  if (ranked.length === 0) return null;
  const item = (award: AwardRow): Markup =>
    html`<li><span class="id">${award.awardId}</span> <b>${formatKwh(award.shortfallKwh ?? 0)}</b>${shareOf(award)}<div class="why">${untilSession(html`${locale.formatPeriod(award.startMs, award.endMs)}`, { session, endMs: award.endMs }, locale)}${mainCauseOf(award.shortfallByCauseKwh, locale)}</div></li>`;
  return ranking(
    locale.t(ranked.length === 1 ? "summary.worst_award" : "summary.worst_awards"),
    ranked.slice(0, RANKED_MAX).map(item),
  );
}

/** What had ended when the session opened says so. */
const untilSession = (
  text: Markup,
  { session, endMs }: Pick<RunRecord, "session" | "endMs">,
  { rich }: PageLocale,
): Markup => (session !== null && endMs <= session.openedMs ? rich("summary.before_session", { text }) : text);

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
  return ranking(locale.t(ranked.length === 1 ? "summary.worst_site" : "summary.worst_sites"), items);
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

const amountText = (amount: number, locale: PageLocale): string => moneyFormat(locale, amount).text(amount);

/** The largest cause, with its share if it is not the only one. */
function mainCauseOf(byCauseKwh: Float64Array, locale: PageLocale): Markup | null {
  const [main] = causesBySize(byCauseKwh);
  if (main === undefined) return null;
  const sum = sumOf(byCauseKwh);
  const share = sum - main.amount < PRINTED_MIN ? "" : ` (${formatKwh(main.amount)})`;
  return html`<div>${causeLabel(main.cause, locale.t)}${share}</div>`;
}
