// The findings of the first screen: when, which award, which site.

import { kpiValue } from "../../../accounting/kpis/kpiRegistry.ts";
import type { AwardRow, RunRecord } from "../../../accounting/runRecord.ts";
import { sumOf } from "../../../base/sums.ts";
import { causesBySize } from "../../awardSentence.ts";
import { formatFixed, formatKw, formatKwh, formatPct, PRINTED_MIN } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { html, type Markup } from "../page/markup.ts";
import { causeLabel } from "./causeText.ts";
import { sortByShortfall } from "./causeTotals.ts";

const RANKED_MAX = 3;
/** Largest uncovered power, awards in band, and the awards and sites with the largest shortfall. */
export function findings(record: RunRecord, clock: LocalClock): Markup {
  return html`<ul class="tiles findings"><li class="pair">${uncoveredFinding(record, clock)}${awardsFinding(record)}</li>${awardRanking(record, clock)}${siteRanking(record)}</ul>`;
}

const finding = (name: string, body: Markup): Markup =>
  html`<div class="tile"><div class="name">${name}</div>${body}</div>`;
const ranking = (name: string, items: readonly Markup[]): Markup =>
  html`<li><div class="name">${name}</div><ol class="ranking">${items}</ol></li>`;

function uncoveredFinding({ kpis, awards, session }: RunRecord, clock: LocalClock): Markup | null {
  if (!awards.some(({ isFcr }) => !isFcr)) return null;
  const kw = kpiValue(kpis, "uncovered_kw_peak") ?? 0;
  const atMs = kpis.get("uncovered_kw_peak_at");
  const awardId = kpis.get("uncovered_kw_peak_award");
  const place =
    typeof atMs === "number" && typeof awardId === "string"
      ? html`<div class="where"><span class="id">${awardId}</span>, from ${clock.renderTime(atMs)}${session !== null && atMs < session.openedMs && ", before the session"}</div><div class="why">Largest part of a request that was allocated to no site at any instant, re-dispatches included.</div>`
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

function awardRanking({ awards, session }: RunRecord, clock: LocalClock): Markup | null {
  const ranked = sortByShortfall(awards.filter(({ shortfallKwh }) => PRINTED_MIN <= (shortfallKwh ?? 0)));
  if (ranked.length === 0) return null;
  const item = (award: AwardRow): Markup =>
    html`<li><span class="id">${award.awardId}</span> <b>${formatKwh(award.shortfallKwh ?? 0)}</b>${shareOf(award)}<div class="why">${clock.formatPeriod(award.startMs, award.endMs)}${session !== null && award.endMs <= session.openedMs && ", before the session"}${mainCauseOf(award.shortfallByCauseKwh)}</div></li>`;
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

function siteRanking({ siteShortfalls }: RunRecord): Markup | null {
  const ranked = siteShortfalls
    .map(({ site, byCauseKwh }, k) => ({ site, byCauseKwh, k, kwh: sumOf(byCauseKwh) }))
    .filter(({ kwh }) => PRINTED_MIN <= kwh)
    .sort((a, b) => b.kwh - a.kwh || a.k - b.k);
  if (ranked.length === 0) return null;
  const items = ranked
    .slice(0, RANKED_MAX)
    .map(
      ({ site, byCauseKwh, kwh }) =>
        html`<li><span class="id">${site}</span> <b>${formatKwh(kwh)}</b><div class="why">${mainCauseOf(byCauseKwh)}</div></li>`,
    );
  return ranking(ranked.length === 1 ? "Site with a shortfall" : "Sites with the largest shortfall", items);
}

/** The largest cause, with its share if it is not the only one. */
function mainCauseOf(byCauseKwh: Float64Array): Markup | null {
  const [main] = causesBySize(byCauseKwh);
  if (main === undefined) return null;
  const sum = sumOf(byCauseKwh);
  const share = sum - main.amount < PRINTED_MIN ? "" : ` (${formatKwh(main.amount)})`;
  return html`<div>${causeLabel(main.cause)}${share}</div>`;
}
