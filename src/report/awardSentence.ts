// The outcome of one award in a sentence.

import type { AwardRow, FcrFigures } from "../accounting/settlement/awardRows.ts";
import { CAUSES, type Cause } from "../accounting/settlement/causes.ts";
import { sumOf } from "../base/lists.ts";
import { MS_PER_MINUTE } from "../base/time.ts";
import {
  formatDuration,
  formatFixed,
  formatKw,
  formatKwh,
  formatList,
  formatPct,
  PRINTED_MIN,
} from "./html/page/format.ts";
import { CAUSE_TEXT } from "./html/sections/causeText.ts";
import { REFUSAL_TEXT } from "./refusalText.ts";

interface Reason {
  readonly text: string;
  readonly amount: number;
}

/** Request, shortfall and its three largest causes in kWh (FCR: uncovered kW at the start). */
export function awardSentence(award: AwardRow): string {
  return `${requestText(award)}${outcomeText(award)}.`;
}

function requestText(award: AwardRow): string {
  const duration = formatDuration(award.endMs - award.startMs);
  if (award.isFcr) return `Requested ${formatKw(award.requestedKw)} of FCR capacity for ${duration}`;
  const fcr = award.fcr === null ? "" : ` and ${formatKw(award.fcr.responseKw)} of FCR capacity`;
  return `Requested ${formatKw(award.requestedKw)}${fcr} for ${duration}${activatedEnergyText(award)}`;
}

/** The activated part of the reserved energy, if it is not the whole (docs/model/report-files.md#activation). */
function activatedEnergyText({ requestedKw, requestedKwh, executedMinutes }: AwardRow): string {
  const reservedKwh = (Math.abs(requestedKw) * executedMinutes) / 60;
  const activatedKwh = Math.abs(requestedKwh ?? 0);
  return requestedKwh === null || reservedKwh - activatedKwh < PRINTED_MIN
    ? ""
    : `, ${formatKwh(activatedKwh)} of it activated`;
}

function outcomeText(award: AwardRow): string {
  if (award.state === "refused") {
    return award.errorType === null
      ? ": refused"
      : `: refused because ${REFUSAL_TEXT[award.errorType]} (${award.errorType})`;
  }
  if (award.executedMinutes === 0) return `: ${notExecutedText(award)}`;
  const { fcr } = award;
  if (fcr === null) return `; ${energyText(award)}${endText(award)}`;
  const fcrCoverage = fcrCoverageText(fcr);
  if (award.isFcr) return `; ${fcrCoverage}${endText(award)}`;
  return `; ${energyText(award)}; FCR capacity ${fcrCoverage}${endText(award)}`;
}

function notExecutedText(award: AwardRow): string {
  if (award.state === "deleted") return "deleted before it started";
  if (award.state !== "overwritten") return "not started by the end of the run";
  const replacement = award.overwrittenBy ?? "another award";
  return award.kind === "instruction"
    ? `no effect because ${replacement} was active`
    : `replaced by ${replacement} before it started`;
}

function energyText(award: AwardRow): string {
  const shortfallKwh = award.shortfallKwh ?? 0;
  if (shortfallKwh < PRINTED_MIN) return "delivered in full";
  const requestedKwh = Math.abs(award.requestedKwh ?? 0);
  return `shortfall ${formatKwh(shortfallKwh)}${shareText(shortfallKwh, requestedKwh)}${reasonsText(energyReasons(award), shortfallKwh, "kWh")}`;
}

/**
 * The share of a shortfall in the request; empty for a shortfall above the request, where the power moved against it.
 */
function shareText(shortfallKwh: number, requestedKwh: number): string {
  if (requestedKwh <= 0) return "";
  return shortfallKwh <= requestedKwh
    ? ` (${formatPct((100 * shortfallKwh) / requestedKwh)})`
    : ` (all of the ${formatKwh(requestedKwh)} requested, and ${formatKwh(shortfallKwh - requestedKwh)} against the direction of the request)`;
}

function fcrCoverageText({ responseKw, uncoveredKw: signedUncoveredKw, uncoveredByCauseKw }: FcrFigures): string {
  const uncoveredKw = signedUncoveredKw ?? 0;
  if (uncoveredKw < PRINTED_MIN) return "covered in full";
  const share = responseKw > 0 ? ` (${formatPct((100 * uncoveredKw) / responseKw)})` : "";
  return `${formatKw(uncoveredKw)}${share} uncovered${reasonsText(reasonsByCause(uncoveredByCauseKw), uncoveredKw, "kW")}`;
}

/** With site names if the record has them, otherwise causes alone. */
function energyReasons(award: AwardRow): readonly Reason[] {
  const up = award.requestedKw > 0;
  const reasons = award.topContributors
    .filter(({ kwh }) => PRINTED_MIN <= kwh)
    .map(({ site, cause, kwh }) => ({
      text: CAUSE_TEXT[cause].reasonForSite(site, up ? "full" : "empty"),
      amount: kwh,
    }));
  return reasons.length > 0 ? reasons : reasonsByCause(award.shortfallByCauseKwh);
}

function reasonsByCause(amounts: Float64Array): readonly Reason[] {
  return causesBySize(amounts)
    .filter(({ amount }) => PRINTED_MIN <= amount)
    .slice(0, 3)
    .map(({ cause, amount }) => ({ text: CAUSE_TEXT[cause].genericReason, amount }));
}

/** Causes with an amount above 0, largest first; equal amounts in the order of CAUSES. */
export function causesBySize(amounts: Float64Array): readonly { readonly cause: Cause; readonly amount: number }[] {
  return CAUSES.map((cause, k) => ({ cause, amount: amounts[k], k }))
    .filter(({ amount }) => 0 < amount)
    .sort((a, b) => b.amount - a.amount || a.k - b.k)
    .map(({ cause, amount }) => ({ cause, amount }));
}

function reasonsText(reasons: readonly Reason[], total: number, unit: string): string {
  if (reasons.length === 0) return "";
  const explained = sumOf(reasons, ({ amount }) => amount);
  const link = total - explained < PRINTED_MIN ? " because" : ", mostly because";
  if (reasons.length === 1 && link === " because") return ` because ${reasons[0].text}`;
  return `${link} ${formatList(reasons.map(({ text, amount }) => `${text} (${formatFixed(amount, 1)}\u00a0${unit})`))}`;
}

function endText(award: AwardRow): string {
  const after = `after ${formatDuration(award.executedMinutes * MS_PER_MINUTE)}`;
  if (award.state === "overwritten") return `; replaced by ${award.overwrittenBy ?? "another award"} ${after}`;
  if (award.state === "deleted") return `; deleted ${after}`;
  if (award.state === "running") return `; still running at the end of the run, ${after}`;
  return "";
}
