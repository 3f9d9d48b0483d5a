import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import { CAUSES, type Cause } from "../../../accounting/settlement/causes.ts";
import { PRINTED_MIN } from "../page/format.ts";
import { html, type Markup, trustedMarkup } from "../page/markup.ts";
import { type ColourName, causeColour } from "../page/palette.ts";

interface CauseText {
  /** For an axis or a table. */
  readonly label: string;
  /** One sentence for a reader who does not know the simulator. */
  readonly meaning: string;
  /** The end of a sentence with "because". @param storage  what a battery is when it cannot deliver more in this direction */
  readonly reasonForSite: (site: string, storage: "full" | "empty") => string;
  /** The same without naming a site. */
  readonly genericReason: string;
}

export const CAUSE_TEXT: Readonly<Record<Cause, CauseText>> = {
  out_of_service: {
    label: "Out of service",
    meaning: "A site was unavailable: outage, maintenance, or back in service but not yet re-dispatched.",
    reasonForSite: (site) => `${site} was out of service`,
    genericReason: "sites were out of service",
  },
  incompatible: {
    label: "Incompatible",
    meaning: "No member with a weight can serve this product or direction.",
    reasonForSite: (site) => `${site} cannot serve this product or direction`,
    genericReason: "no member can serve this product or direction",
  },
  refused: {
    label: "Refused",
    meaning: "A rule refused the award as a whole, or one site's share of it.",
    reasonForSite: (site) => `${site} refused its share`,
    genericReason: "it was refused",
  },
  delivery_failed: {
    label: "Message lost",
    meaning: "The instruction did not reach a site, even after retries.",
    reasonForSite: (site) => `the instruction did not reach ${site}`,
    genericReason: "instructions did not reach their sites",
  },
  baseline_missing: {
    label: "No baseline",
    meaning: "A site had no baseline as a reference for its change of power.",
    reasonForSite: (site) => `${site} had no baseline`,
    genericReason: "sites had no baseline",
  },
  direct_control: {
    label: "Direct control",
    meaning: "A site was executing a direct order of its own operator.",
    reasonForSite: (site) => `${site} was under direct control`,
    genericReason: "sites were under direct control",
  },
  power_limit: {
    label: "Power limit",
    meaning: "A site had no headroom left: rated power, grid limit or taper.",
    reasonForSite: (site) => `${site} was at its power limit`,
    genericReason: "sites were at their power limits",
  },
  energy_limit: {
    label: "Battery empty or full",
    meaning: "A battery had reached a limit of its state of charge.",
    reasonForSite: (site, storage) => `the battery of ${site} was ${storage}`,
    genericReason: "batteries were empty or full",
  },
  output_control: {
    label: "Output control",
    meaning: "The grid operator limited a site's output.",
    reasonForSite: (site) => `the output of ${site} was limited`,
    genericReason: "the output of sites was limited",
  },
  other_award: {
    label: "Other award",
    meaning: "The site's capability was committed to another award at the same time.",
    reasonForSite: (site) => `${site} was committed to another award`,
    genericReason: "sites were committed to another award",
  },
  ramp: {
    label: "Delay and ramp",
    meaning: "A site had not reached its set-point yet: response delay, message latency or ramp.",
    reasonForSite: (site) => `${site} was still ramping`,
    genericReason: "sites were still ramping",
  },
  weather: {
    label: "Weather",
    meaning: "A PV or wind plant had less sun or wind than its set-point required.",
    reasonForSite: (site) => `${site} had too little sun or wind`,
    genericReason: "plants had too little sun or wind",
  },
  load_deviation: {
    label: "Load deviation",
    meaning: "The load, auxiliaries or another component of a site deviated from its baseline.",
    reasonForSite: (site) => `load or auxiliaries of ${site} deviated from its baseline`,
    genericReason: "loads deviated from their baselines",
  },
  no_member: {
    label: "No member",
    meaning: "The VPP had no member with an allocation weight above 0.",
    reasonForSite: () => "no member had a weight above 0",
    genericReason: "no member had a weight above 0",
  },
};

/** A small rectangle of a colour, for legends and tables. */
export const swatch = (colour: ColourName): Markup =>
  trustedMarkup(`<i class="swatch" style="--swatch:var(--${colour})"></i>`);

/** A cause with its colour, for a table. */
export const causeLabel = (cause: Cause): Markup =>
  html`<span class="cause">${swatch(causeColour(cause))}${CAUSE_TEXT[cause].label}</span>`;

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
