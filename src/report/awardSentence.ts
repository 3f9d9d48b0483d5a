// The outcome of one award in a sentence.

import type { AwardRow, FcrFigures } from "../accounting/settlement/awardRows.ts";
import { CAUSES, type Cause } from "../accounting/settlement/causes.ts";
import { sumOf } from "../base/lists.ts";
import { MS_PER_MINUTE } from "../base/time.ts";
import { formatFixed, formatKw, formatKwh, formatPct, PRINTED_MIN } from "./html/page/format.ts";
import type { PageTexts, Translate } from "./html/page/pageLocale.ts";

interface Reason {
  readonly text: string;
  readonly amount: number;
}

/** Request, shortfall and its three largest causes in kWh (FCR: uncovered kW at the start). */
export function awardSentence(award: AwardRow, texts: PageTexts): string {
  const { t } = texts;
  const request = requestText(award, texts);
  const what = notRunText(award, t);
  const clauses =
    what === null
      ? [request, ...deliveryClauses(award, texts), ...endClause(award, texts)]
      : [t("outcome.not_run", { request, what })];
  return `${clauses.join(t("clause.separator"))}${t("clause.end")}`;
}

function requestText(award: AwardRow, { t, formatDuration }: PageTexts): string {
  const values = { kw: formatKw(award.requestedKw), duration: formatDuration(award.endMs - award.startMs) };
  if (award.isFcr) return t("outcome.request_fcr", values);
  const request =
    award.fcr === null
      ? t("outcome.request", values)
      : t("outcome.request_both", { ...values, fcr: formatKw(award.fcr.responseKw) });
  const activatedKwh = partlyActivatedKwh(award);
  return activatedKwh === null ? request : t("outcome.activated", { request, kwh: formatKwh(activatedKwh) });
}

/** The activated part of the reserved energy; `null`: it is the whole (docs/model/report-files.md#activation). */
function partlyActivatedKwh({ requestedKw, requestedKwh, executedMinutes }: AwardRow): number | null {
  const reservedKwh = (Math.abs(requestedKw) * executedMinutes) / 60;
  const activatedKwh = Math.abs(requestedKwh ?? 0);
  return requestedKwh === null || reservedKwh - activatedKwh < PRINTED_MIN ? null : activatedKwh;
}

/** Why an award was not executed; `null`: it was. */
function notRunText({ state, errorType, executedMinutes, overwrittenBy, kind }: AwardRow, t: Translate): string | null {
  if (state === "refused")
    return errorType === null
      ? t("outcome.refused")
      : t("outcome.refused_because", { reason: t(`refusal.${errorType}`), type: errorType });
  if (executedMinutes > 0) return null;
  if (state === "deleted") return t("outcome.deleted_before");
  if (state !== "overwritten") return t("outcome.not_started");
  const award = overwrittenBy ?? t("outcome.another_award");
  return t(kind === "instruction" ? "outcome.no_effect" : "outcome.replaced_before", { award });
}

function deliveryClauses(award: AwardRow, texts: PageTexts): readonly string[] {
  const { fcr, isFcr } = award;
  if (fcr === null) return [energyText(award, texts)];
  const coverage = fcrCoverageText(fcr, texts);
  return isFcr ? [coverage] : [energyText(award, texts), texts.t("outcome.fcr", { coverage })];
}

function energyText(award: AwardRow, texts: PageTexts): string {
  const { t } = texts;
  const shortfallKwh = award.shortfallKwh ?? 0;
  if (shortfallKwh < PRINTED_MIN) return t("outcome.delivered");
  const what = shortfallText(shortfallKwh, Math.abs(award.requestedKwh ?? 0), t);
  return withReasons(what, energyReasons(award, t), { total: shortfallKwh, unit: "kWh" }, texts);
}

/** With its share in the request, unless it is above the request, where the power moved against it. */
function shortfallText(shortfallKwh: number, requestedKwh: number, t: Translate): string {
  const kwh = formatKwh(shortfallKwh);
  if (requestedKwh <= 0) return t("outcome.shortfall", { kwh });
  if (shortfallKwh <= requestedKwh)
    return t("outcome.shortfall_share", { kwh, share: formatPct((100 * shortfallKwh) / requestedKwh) });
  const against = formatKwh(shortfallKwh - requestedKwh);
  return t("outcome.shortfall_above", { kwh, requested: formatKwh(requestedKwh), against });
}

function fcrCoverageText(
  { responseKw, uncoveredKw: signedUncoveredKw, uncoveredByCauseKw }: FcrFigures,
  texts: PageTexts,
): string {
  const { t } = texts;
  const uncoveredKw = signedUncoveredKw ?? 0;
  if (uncoveredKw < PRINTED_MIN) return t("outcome.fcr_covered");
  const kw = formatKw(uncoveredKw);
  const what =
    responseKw > 0
      ? t("outcome.fcr_uncovered_share", { kw, share: formatPct((100 * uncoveredKw) / responseKw) })
      : t("outcome.fcr_uncovered", { kw });
  return withReasons(what, reasonsByCause(uncoveredByCauseKw, t), { total: uncoveredKw, unit: "kW" }, texts);
}

/** With site names if the record has them, otherwise causes alone. */
function energyReasons(award: AwardRow, t: Translate): readonly Reason[] {
  const storage = award.requestedKw > 0 ? "full" : "empty";
  const reasons = award.topContributors
    .filter(({ kwh }) => PRINTED_MIN <= kwh)
    .map(({ site, cause, kwh }) => ({ text: causeOfSite(cause, site, storage, t), amount: kwh }));
  return reasons.length > 0 ? reasons : reasonsByCause(award.shortfallByCauseKwh, t);
}

/** A cause at a site as a reason. @param storage  what a battery is when it cannot deliver more in this direction */
export function causeOfSite(cause: Cause, site: string, storage: "full" | "empty", t: Translate): string {
  if (cause === "no_member") return t("cause_reason.no_member");
  return t(`cause_of_site.${cause === "energy_limit" ? (`energy_limit_${storage}` as const) : cause}`, { site });
}

function reasonsByCause(amounts: Float64Array, t: Translate): readonly Reason[] {
  return causesBySize(amounts)
    .filter(({ amount }) => PRINTED_MIN <= amount)
    .slice(0, 3)
    .map(({ cause, amount }) => ({ text: t(`cause_reason.${cause}`), amount }));
}

function withReasons(
  what: string,
  reasons: readonly Reason[],
  { total, unit }: { readonly total: number; readonly unit: string },
  { t, formatList }: PageTexts,
): string {
  if (reasons.length === 0) return what;
  const isWhole = total - sumOf(reasons, ({ amount }) => amount) < PRINTED_MIN;
  const texts =
    reasons.length === 1 && isWhole
      ? [reasons[0].text]
      : reasons.map(({ text, amount }) =>
          t("outcome.reason", { reason: text, amount: `${formatFixed(amount, 1)}\u00a0${unit}` }),
        );
  return t(isWhole ? "outcome.because" : "outcome.mostly_because", { what, reasons: formatList(texts) });
}

function endClause(award: AwardRow, { t, formatDuration }: PageTexts): readonly string[] {
  const duration = formatDuration(award.executedMinutes * MS_PER_MINUTE);
  switch (award.state) {
    case "overwritten":
      return [t("outcome.replaced", { award: award.overwrittenBy ?? t("outcome.another_award"), duration })];
    case "deleted":
      return [t("outcome.deleted", { duration })];
    case "running":
      return [t("outcome.running", { duration })];
    default:
      return [];
  }
}

/** Causes with an amount above 0, largest first; equal amounts in the order of CAUSES. */
export function causesBySize(amounts: Float64Array): readonly { readonly cause: Cause; readonly amount: number }[] {
  return CAUSES.map((cause, k) => ({ cause, amount: amounts[k], k }))
    .filter(({ amount }) => 0 < amount)
    .sort((a, b) => b.amount - a.amount || a.k - b.k)
    .map(({ cause, amount }) => ({ cause, amount }));
}
