// What became of one award, in a sentence that needs no knowledge of the columns.

import type { AwardRow, FcrFigures } from "../accounting/runRecord.ts";
import { CAUSES, type Cause } from "../accounting/settlement/causes.ts";
import { MS_PER_MINUTE } from "../base/time.ts";
import { formatDuration, formatFixed, formatKw, formatKwh, formatList, formatPct } from "./html/page/format.ts";
import { CAUSE_TEXT } from "./html/sections/causeText.ts";
import { REFUSAL_TEXT } from "./html/sections/refusalText.ts";

/** Below half a printed digit there is nothing to explain. */
const PRINTED_MIN = 0.05;

interface Reason {
  readonly text: string;
  readonly amount: number;
}

/** Says what was asked, what was lacking and why: the three largest reasons, in kWh (FCR: kW at the start). */
export function awardSentence(award: AwardRow): string {
  return `${request(award)}${outcome(award)}.`;
}

function request(award: AwardRow): string {
  const duration = formatDuration(award.endMs - award.startMs);
  if (award.isFcr) return `Asked to hold ${formatKw(award.requestedKw)} of frequency response for ${duration}`;
  const width = award.fcr === null ? "" : ` and to hold ${formatKw(award.fcr.responseKw)} of frequency response`;
  return `Asked for ${formatKw(award.requestedKw)}${width} for ${duration}${activatedEnergyText(award)}`;
}

/** How much of what an award reserves was called, where that is not all of it (docs/model/report-files.md#activation). */
function activatedEnergyText({ requestedKw, requestedKwh, executedMinutes }: AwardRow): string {
  const reservedKwh = (Math.abs(requestedKw) * executedMinutes) / 60;
  const askedKwh = Math.abs(requestedKwh ?? 0);
  return requestedKwh === null || reservedKwh - askedKwh < PRINTED_MIN ? "" : `, ${formatKwh(askedKwh)} of it called`;
}

function outcome(award: AwardRow): string {
  if (award.state === "refused") {
    return award.errorType === null
      ? ": refused"
      : `: refused, because ${REFUSAL_TEXT[award.errorType]} (${award.errorType})`;
  }
  if (award.executedMinutes === 0) return `: ${notExecutedText(award)}`;
  const { fcr } = award;
  if (fcr === null) return `${energyShortfallText(award)}${ending(award)}`;
  const width = fcrShortfallText(fcr);
  if (award.isFcr) return `, ${width ?? "covered in full"}${ending(award)}`;
  return `${energyShortfallText(award)}; ${width === null ? "its width covered in full" : `of its width ${width}`}${ending(award)}`;
}

function notExecutedText(award: AwardRow): string {
  if (award.state === "deleted") return "deleted before it started";
  if (award.state !== "overwritten") return "not started when the run ended";
  const winner = award.overwrittenBy ?? "another award";
  return award.kind === "instruction"
    ? `had no effect, because ${winner} was in force`
    : `replaced by ${winner} before it started`;
}

function energyShortfallText(award: AwardRow): string {
  const shortKwh = award.shortfallKwh ?? 0;
  if (shortKwh < PRINTED_MIN) return ", delivered in full";
  const askedKwh = Math.abs(award.requestedKwh ?? 0);
  const share = askedKwh > 0 ? ` (${formatPct((100 * shortKwh) / askedKwh)})` : "";
  return `, ${formatKwh(shortKwh)}${share} short${reasonsText(energyReasons(award), shortKwh, "kWh")}`;
}

function fcrShortfallText({ responseKw, uncoveredKw, uncoveredByCauseKw }: FcrFigures): string | null {
  const lackingKw = uncoveredKw ?? 0;
  if (lackingKw < PRINTED_MIN) return null;
  const share = responseKw > 0 ? ` (${formatPct((100 * lackingKw) / responseKw)})` : "";
  return `${formatKw(lackingKw)}${share} not covered${reasonsText(reasonsByCause(uncoveredByCauseKw), lackingKw, "kW")}`;
}

/** Sites by name where the record names them, else causes alone. */
function energyReasons(award: AwardRow): readonly Reason[] {
  const up = award.requestedKw > 0;
  const named = award.topContributors
    .filter(({ kwh }) => PRINTED_MIN <= kwh)
    .map(({ site, cause, kwh }) => ({ text: CAUSE_TEXT[cause].reasonForSite(site, up), amount: kwh }));
  return named.length > 0 ? named : reasonsByCause(award.shortfallByCauseKwh);
}

function reasonsByCause(amounts: Float64Array): readonly Reason[] {
  return causesBySize(amounts)
    .filter(({ amount }) => PRINTED_MIN <= amount)
    .slice(0, 3)
    .map(({ cause, amount }) => ({ text: CAUSE_TEXT[cause].genericReason, amount }));
}

/** Causes that took part, largest first; equal ones in the order of CAUSES. */
export function causesBySize(amounts: Float64Array): readonly { readonly cause: Cause; readonly amount: number }[] {
  return CAUSES.map((cause, k) => ({ cause, amount: amounts[k], k }))
    .filter(({ amount }) => 0 < amount)
    .sort((a, b) => b.amount - a.amount || a.k - b.k)
    .map(({ cause, amount }) => ({ cause, amount }));
}

function reasonsText(reasons: readonly Reason[], total: number, unit: string): string {
  if (reasons.length === 0) return "";
  const explained = reasons.reduce((sum, { amount }) => sum + amount, 0);
  const link = total - explained < PRINTED_MIN ? " because" : ": mostly because";
  if (reasons.length === 1 && link === " because") return ` because ${reasons[0].text}`;
  return `${link} ${formatList(reasons.map(({ text: words, amount }) => `${words} (${formatFixed(amount, 1)}\u00a0${unit})`))}`;
}

function ending(award: AwardRow): string {
  const after = `after ${formatDuration(award.executedMinutes * MS_PER_MINUTE)}`;
  if (award.state === "overwritten") return `; replaced by ${award.overwrittenBy ?? "another award"} ${after}`;
  if (award.state === "deleted") return `; deleted ${after}`;
  if (award.state === "running") return `; still running when the run ended, ${after}`;
  return "";
}
