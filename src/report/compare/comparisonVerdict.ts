// The result of a comparison in a few sentences, for the terminal and the page.

import { formatKwh } from "../html/page/format.ts";
import { nameList, type PageLocale } from "../html/page/pageLocale.ts";
import type { AwardComparison, Difference } from "./compareAwards.ts";
import type { KpiChange, PairComparison } from "./comparisonJson.ts";
import { type ChangeGroup, groupChanges } from "./settingChanges.ts";

/** Maximum number of listed subjects; further ones are counted. */
const SUBJECTS_MAX = 4;
const DETAILS_MAX = 4;

export interface Verdict {
  /** `Mainly state of charge at its limit (−96.8 kWh).`; empty where nothing stands out. */
  readonly mainly: string;
  /** What changed in the scenario. */
  readonly changes: string;
  /** Awards and the first divergence. */
  readonly details: readonly string[];
}

export function verdictOf(comparison: PairComparison, names: readonly string[], locale: PageLocale): Verdict {
  const { awards, same_results: isSame, parted } = comparison;
  const { t } = locale;
  const shortfall = numericChange(comparison.kpis.find(({ name }) => name === "shortfall_kwh"));
  return {
    mainly: isSame ? t("compare.equal") : mainlyText(shortfall, awards, locale),
    changes: changesText(comparison, names, locale),
    details: [
      ...(awards === null || isSame ? [] : [awardsText(awards, locale)]),
      ...(parted === null ? [] : [t("compare.parted", { at: locale.localise(parted.at), file: parted.file })]),
    ],
  };
}

function numericChange(change: KpiChange | undefined): Difference | undefined {
  if (change === undefined || typeof change.a === "string" || typeof change.b === "string") return undefined;
  return { a: change.a, b: change.b, difference: change.difference };
}

const signedKwh = (kwh: number): string => `${kwh > 0 ? "+" : ""}${formatKwh(kwh)}`;

/** The cause, the site and the award with the largest change in the direction of the total. */
function mainlyText(
  shortfall: Difference | undefined,
  awards: AwardComparison | null,
  { t, formatList }: PageLocale,
): string {
  const change = shortfall?.difference ?? 0;
  if (awards === null || change === 0) return "";
  const cause = largestInDirection(awards.causes, change);
  const site = largestInDirection(awards.sites, change);
  const award = largestInDirection(
    [...awards.improved, ...awards.worsened].map(({ award_id, shortfall_kwh }) => ({
      award_id,
      difference: (shortfall_kwh.b ?? 0) - (shortfall_kwh.a ?? 0),
    })),
    change,
  );
  const changeOf = ({ difference }: { readonly difference: number }) => ({ change: signedKwh(difference) });
  const parts = [
    ...(cause === null
      ? []
      : [t("compare.mainly_cause", { cause: lowerFirst(t(`cause.${cause.cause}`)), ...changeOf(cause) })]),
    ...(site === null ? [] : [t("compare.mainly_site", { site: site.site, ...changeOf(site) })]),
    ...(award === null ? [] : [t("compare.mainly_award", { award: award.award_id, ...changeOf(award) })]),
  ];
  return parts.length === 0 ? "" : t("compare.mainly", { parts: formatList(parts) });
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** `null`: nothing changed by a fifth of the total in its direction. */
function largestInDirection<Row extends { readonly difference: number }>(
  rows: readonly Row[],
  change: number,
): Row | null {
  let largest: Row | null = null;
  for (const row of rows)
    if (Math.abs(change) / 5 <= row.difference * Math.sign(change))
      if (largest === null || Math.abs(largest.difference) < Math.abs(row.difference)) largest = row;
  return largest;
}

function changesText(
  { changes, same_scenario: isSameScenario }: PairComparison,
  names: readonly string[],
  locale: PageLocale,
): string {
  const { t } = locale;
  if (changes === null) return t("compare.unknown_changes");
  if (changes.length === 0) return t(isSameScenario ? "compare.same_scenario" : "compare.hidden_changes");
  const subjects = groupChanges(changes, names, locale).map((group) => groupText(group, locale));
  return t("compare.changed", { subjects: nameList(subjects, SUBJECTS_MAX, locale, t("clause.separator_in")) });
}

/** `weights of east (long 100 → 12, short 100 → 40)` */
function groupText({ subject, details }: ChangeGroup, locale: PageLocale): string {
  if (details.length === 0) return subject;
  return locale.t("compare.subject_details", { subject, details: nameList(details, DETAILS_MAX, locale) });
}

function awardsText(
  { compared, only_in_a, only_in_b, improved, worsened, otherwise_changed: other, unchanged }: AwardComparison,
  { t, formatList }: PageLocale,
): string {
  if (compared === 0) return only_in_a.length + only_in_b.length === 0 ? t("compare.none_requested") : "";
  const counts = [
    t("compare.improved", { count: improved.length }),
    t("compare.worsened", { count: worsened.length }),
    ...(other.length > 0 ? [t("compare.otherwise", { count: other.length })] : []),
    t("compare.unchanged", { count: unchanged }),
  ];
  return t("compare.award_counts", { count: compared, counts: formatList(counts) });
}
