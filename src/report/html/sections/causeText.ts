import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import { CAUSES, type Cause } from "../../../accounting/settlement/causes.ts";
import { PRINTED_MIN } from "../page/format.ts";
import { html, type Markup, trustedMarkup } from "../page/markup.ts";
import type { Translate } from "../page/pageLocale.ts";
import { type ColourName, causeColour } from "../page/palette.ts";

/** A small rectangle of a colour, for legends and tables. */
export const swatch = (colour: ColourName): Markup =>
  trustedMarkup(`<i class="swatch" style="--swatch:var(--${colour})"></i>`);

/** A cause with its colour, for a table. */
export const causeLabel = (cause: Cause, t: Translate): Markup =>
  html`<span class="cause">${swatch(causeColour(cause))}${t(`cause.${cause}`)}</span>`;

/** One cause of shortfall over a whole run. */
export interface CauseTotal {
  readonly cause: Cause;
  readonly shortfallKwh: number;
  /** Awards with this cause, in energy or in power at the start. */
  readonly awardCount: number;
  /** Largest uncovered power with this cause at the start of one award. */
  readonly uncoveredMaxKw: number;
}

/** Causes that occurred, in the order of CAUSES. */
export function causeTotals(awards: readonly AwardRow[]): readonly CauseTotal[] {
  const totals = CAUSES.map((cause, k) => ({ cause, k, shortfallKwh: 0, awardCount: 0, uncoveredMaxKw: 0 }));
  for (const { shortfallByCauseKwh, uncoveredByCauseKw } of awards) {
    for (const total of totals) {
      const kwh = shortfallByCauseKwh[total.k];
      const kw = Math.abs(uncoveredByCauseKw[total.k]);
      total.shortfallKwh += kwh;
      total.uncoveredMaxKw = Math.max(total.uncoveredMaxKw, kw);
      if (0 < kwh || 0 < kw) total.awardCount += 1;
    }
  }
  return totals.filter(({ awardCount: count }) => 0 < count).map(({ k: _, ...total }) => total);
}

/** The cause with the largest shortfall; `undefined` if nothing occurred. */
export const mainCause = (totals: readonly CauseTotal[]): CauseTotal | undefined =>
  totals.reduce<CauseTotal | undefined>(
    (main, total) => (main === undefined || main.shortfallKwh < total.shortfallKwh ? total : main),
    undefined,
  );

/** By shortfall, then by uncovered power, both descending, then in record order. */
export function sortByShortfall(awards: readonly AwardRow[]): readonly AwardRow[] {
  const shortfallKwh = (award: AwardRow): number => award.shortfallKwh ?? 0;
  const uncoveredKw = (award: AwardRow): number => Math.abs(award.uncoveredKwPeak ?? 0);
  return awards
    .map((award, k) => ({ award, k }))
    .sort(
      (a, b) =>
        shortfallKwh(b.award) - shortfallKwh(a.award) || uncoveredKw(b.award) - uncoveredKw(a.award) || a.k - b.k,
    )
    .map(({ award }) => award);
}

/** Whether an award had a shortfall or uncovered power that is not printed as 0.0. */
export const hasPrintedShortfall = (award: AwardRow): boolean =>
  PRINTED_MIN <= (award.shortfallKwh ?? 0) || PRINTED_MIN <= Math.abs(award.uncoveredKwPeak ?? 0);
