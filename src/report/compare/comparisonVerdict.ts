// The result of a comparison in a few sentences, for the terminal and the page.

import { textOf } from "../../texts/catalogue.ts";
import { formatCount, formatKwh, formatList, formatPct } from "../html/page/format.ts";
import type { PageLocale } from "../html/page/pageLocale.ts";
import type { AwardComparison, Difference } from "./compareAwards.ts";
import type { KpiChange, PairComparison } from "./comparisonJson.ts";
import { type ChangeGroup, groupChanges } from "./settingChanges.ts";

/** Maximum number of listed subjects; further ones are counted. */
const SUBJECTS_MAX = 4;
const DETAILS_MAX = 4;

export interface Verdict {
  /** `Mainly state of charge at its limit (−96.8 kWh)`; empty where nothing stands out. */
  readonly mainly: string;
  /** What changed in the scenario. */
  readonly changes: string;
  /** Awards and the first divergence. */
  readonly details: readonly string[];
}

export function verdictOf(comparison: PairComparison, locale: PageLocale): Verdict {
  const { awards, same_results: isSame, parted } = comparison;
  const shortfall = numericChange(comparison.kpis.find(({ name }) => name === "shortfall_kwh"));
  return {
    mainly: isSame ? locale.t("compare.equal") : mainlyText(shortfall, awards),
    changes: changesText(comparison),
    details: [
      ...(awards === null || isSame ? [] : [awardsText(awards)]),
      ...(parted === null ? [] : [`First divergence: ${locale.localise(parted.at)}, in ${parted.file}`]),
    ],
  };
}

function numericChange(change: KpiChange | undefined): Difference | undefined {
  if (change === undefined || typeof change.a === "string" || typeof change.b === "string") return undefined;
  return { a: change.a, b: change.b, difference: change.difference };
}

const signed = (value: number, unit: string): string =>
  `${value > 0 ? "+" : ""}${unit === "%" ? formatPct(value) : formatKwh(value)}`;

/** The cause, the site and the award with the largest change in the direction of the total. */
function mainlyText(shortfall: Difference | undefined, awards: AwardComparison | null): string {
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
  const parts = [
    ...(cause === null
      ? []
      : [`${lowerFirst(textOf("en", `cause.${cause.cause}`))} (${signed(cause.difference, "kWh")})`]),
    ...(site === null ? [] : [`site ${site.site} (${signed(site.difference, "kWh")})`]),
    ...(award === null ? [] : [`award ${award.award_id} (${signed(award.difference, "kWh")})`]),
  ];
  return parts.length === 0 ? "" : `Mainly ${formatList(parts)}`;
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

function changesText({ changes, same_scenario: isSameScenario }: PairComparison): string {
  if (changes === null)
    return "The scenarios differ; what changed is not in the reports, because an older version wrote one of them";
  if (changes.length === 0)
    return isSameScenario
      ? "Both runs have the same scenario"
      : "The scenarios differ in the content of a file that no setting shows";
  const groups = groupChanges(changes);
  const subjects = groups.slice(0, SUBJECTS_MAX).map(groupText);
  const more = groups.length - subjects.length;
  return `Changed: ${subjects.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** `weights of east (long 100 → 12, short 100 → 40)` */
function groupText({ subject, details }: ChangeGroup): string {
  if (details.length === 0) return subject;
  const shown = details.slice(0, DETAILS_MAX).join(", ");
  const more = details.length - DETAILS_MAX;
  const text = `${shown}${more > 0 ? ` and ${more} more` : ""}`;
  return subject === "seed" ? `seed ${text}` : `${subject} (${text})`;
}

function awardsText({ compared, improved, worsened, otherwise_changed: other, unchanged }: AwardComparison): string {
  const counts = [`${improved.length} improved`, `${worsened.length} worsened`];
  if (other.length > 0) counts.push(`${other.length} changed otherwise`);
  return `Of ${formatCount(compared, "award")} in both, ${formatList([...counts, `${unchanged} unchanged`])}`;
}
