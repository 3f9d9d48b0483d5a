// Compares runs: figures of all, and of two the awards with their causes and the first divergence.
import type { KpiName } from "../../accounting/kpis/kpiRegistry.ts";
import { inputRefusal } from "../../base/inputError.ts";
import type { Language } from "../../base/language.ts";
import { roundTo } from "../../base/rounding.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import type { InvestmentFlags } from "../../inputs/scenario/build/buildInvestment.ts";
import { createPageLocale, type PageLocale, type Reading } from "../html/page/pageLocale.ts";
import { investmentSentence } from "../investmentText.ts";
import { type CsvRow, readKeyedTable, readNumberCell } from "../tables/readTable.ts";
import { compareAwards, differenceOf, shortfallOverTime } from "./compareAwards.ts";
import { comparedTerms } from "./compareInvestments.ts";
import {
  type ComparisonContent,
  type ComparisonJson,
  comparisonJson,
  type FieldChange,
  type FirstDivergence,
  type KpiChange,
  type PairComparison,
  type ReportLabel,
  type SiteComparison,
} from "./comparisonJson.ts";
import { comparisonText } from "./comparisonText.ts";
import { type FirstDifference, firstDifference } from "./firstDifference.ts";
import { compareMany, type ReadReport } from "./manyReports.ts";
import { type ReportSummary, readPatchOf, readReportSummary, readSettings } from "./readReport.ts";
import { reportNames } from "./reportNames.ts";
import { settingChanges } from "./settingChanges.ts";

export interface Comparison extends ComparisonContent {
  /** For the terminal, with a final line feed. */
  readonly text: string;
  readonly json: ComparisonJson;
}

interface ComparisonReading extends Reading {
  /** Of the reports, in their order; by default those of `reportNames`. */
  readonly names?: readonly string[];
  /** What batteries cost, in place of the keys of the first scenario. */
  readonly investment?: InvestmentFlags;
}

const REPORTS_MAX = 12;
const AWARDS_FILE = "awards.csv";
const SITES_FILE = "sites.csv";

/**
 * Compares two to twelve report folders; differences are to the first.
 *
 * @param reading  of the text and the page; by default that of the first scenario
 * @throws InputErrors if one of them is not the report of a run, or their currencies or the lengths of their periods differ
 */
export function compareReports(dirs: readonly string[], reading: ComparisonReading = {}): Comparison {
  if (dirs.length < 2) throw inputRefusal("compare", `${dirs.length} report`, "two reports at least");
  if (REPORTS_MAX < dirs.length) throw inputRefusal("compare", `${dirs.length} reports`, `at most ${REPORTS_MAX}`);
  const summaries = dirs.map(readReportSummary);
  refuseOtherSums(summaries);
  const [first] = summaries;
  const reports = dirs.map((dir, k): ReadReport => {
    const [awards, sites] = [readKeyedTable(dir, AWARDS_FILE, "award_id"), readKeyedTable(dir, SITES_FILE, "site")];
    return { dir, summary: summaries[k], settings: readSettings(dir), awards, sites };
  });
  const locale = comparisonLocale(summaries, reading.language ?? first.scenario.language, reading.timezone);
  const named = dirs.map((dir, k) => ({ dir, scenario: summaries[k].scenario.name, patch: readPatchOf(dir) }));
  const names = reportNames(named, reading.names ?? null, locale);
  const terms = comparedTerms(reports[0], reading.investment ?? {});
  const many = compareMany(
    reports.map((report, k) => ({ ...report, name: names[k] })),
    terms,
  );
  const pair = reports.length === 2 ? comparePair(reports) : null;
  const notes = pair?.notes ?? [];
  const figure = (name: KpiName) => summaries.map(({ kpis }) => kpis.get(name) ?? null).find((value) => value !== null);
  const assumes = investmentSentence({ investment: terms ?? undefined, kpis: { get: figure } }, locale);
  const content = { many, pair, assumes, locale };
  return { text: comparisonText(content), json: comparisonJson(many, pair, notes, locale.currency), ...content };
}

/** Sums in different currencies, or of periods of different lengths, say nothing. */
function refuseOtherSums(summaries: readonly ReportSummary[]): void {
  const [first, ...others] = summaries.map(({ currency }) => currency);
  const foreign = others.find((currency) => currency !== first);
  if (foreign !== undefined)
    throw inputRefusal("compare", `currency differs: ${first} and ${foreign}`, "reports in one currency");
  const lengths = summaries.map(({ period: { start, end } }) => Date.parse(end) - Date.parse(start));
  const other = lengths.find((length) => length !== lengths[0]);
  if (other === undefined) return;
  const hours = (ms: number): string => `${roundTo(ms / MS_PER_HOUR, 2)} h`;
  throw inputRefusal("compare", `period differs: ${hours(lengths[0])} and ${hours(other)}`, "reports of equal periods");
}

function comparisonLocale(
  summaries: readonly ReportSummary[],
  language: Language,
  timezone: string | undefined,
): PageLocale {
  const zones = summaries.map(({ scenario }) => scenario.timezone).filter((zone) => zone !== null);
  return createPageLocale(language, timezone ?? zones[0] ?? "UTC", {
    currency: summaries[0].currency,
    startMs: Math.min(...summaries.map(({ period }) => Date.parse(period.start))),
    endMs: Math.max(...summaries.map(({ period }) => Date.parse(period.end))),
  });
}

function comparePair(reports: readonly ReadReport[]): PairComparison {
  const [{ dir: dirA, summary: a, settings: settingsA }, { dir: dirB, summary: b, settings: settingsB }] = reports;
  const notes: string[] = [];
  const both = (name: string, of: (report: ReadReport) => Table | null): readonly [Table, Table] | null => {
    const missing = reports.filter((report) => of(report) === null).map(({ dir }) => dir);
    if (missing.length > 0) notes.push(missingNote(name, missing));
    const [tableA, tableB] = reports.map(of);
    return tableA === null || tableB === null ? null : [tableA, tableB];
  };
  const awards = both(AWARDS_FILE, (report) => report.awards);
  const sites = both(SITES_FILE, (report) => report.sites);
  const firstIn = (file: string): FirstDifference | null => {
    const difference = firstDifference(dirA, dirB, file);
    if (difference !== "absent") return difference;
    notes.push(`${file} is in only one of the reports and was not compared`);
    return null;
  };
  const parts = {
    kpis: kpiChanges(a, b),
    awards: awards === null ? null : compareAwards(...awards),
    shortfall_over_time: awards === null ? [] : shortfallOverTime(...awards, earlier(a.period.start, b.period.start)),
    sites: sites === null ? null : compareSites(...sites),
    first_differing_event: firstIn("events.csv"),
    first_differing_dispatch: firstIn("dispatch.csv"),
    first_differing_energy: firstIn("energy.csv"),
  };
  return {
    a: labelOf(dirA, a),
    b: labelOf(dirB, b),
    same_scenario: a.scenario.hash === b.scenario.hash,
    changes: settingChanges({ summary: a, settings: settingsA }, { summary: b, settings: settingsB }),
    same_results: isSame(parts),
    parted: firstDivergence([
      parts.first_differing_event,
      parts.first_differing_dispatch,
      parts.first_differing_energy,
    ]),
    ...parts,
    notes,
  };
}

const missingNote = (name: string, dirs: readonly string[]): string =>
  `${name} is not in ${dirs.join(" and ")} and was not compared; a run with --format csv writes it`;

const labelOf = (dir: string, { scenario, seed, period }: ReportSummary): ReportLabel => ({
  dir,
  scenario: scenario.name,
  hash: scenario.hash,
  seed,
  start: period.start,
  end: period.end,
  timezone: scenario.timezone,
});

const earlier = (a: string, b: string): string => (Date.parse(b) < Date.parse(a) ? b : a);

function kpiChanges(a: ReportSummary, b: ReportSummary): readonly KpiChange[] {
  const names = [...new Set([...a.kpis.keys(), ...b.kpis.keys()])];
  return names.map((name) => {
    const [before, after] = [a.kpis.get(name) ?? null, b.kpis.get(name) ?? null];
    return typeof before === "string" || typeof after === "string"
      ? { name, a: before, b: after, difference: null }
      : { name, ...differenceOf(before, after) };
  });
}

type Table = ReadonlyMap<string, CsvRow>;

function compareSites(a: Table, b: Table): SiteComparison {
  const shared = [...a.keys()].filter((site) => b.has(site));
  const changed = shared
    .map((site) => ({ site, fields: fieldChanges(a.get(site) ?? {}, b.get(site) ?? {}) }))
    .filter(({ fields }) => fields.length > 0);
  return {
    compared: shared.length,
    changed,
    only_in_a: [...a.keys()].filter((site) => !b.has(site)),
    only_in_b: [...b.keys()].filter((site) => !a.has(site)),
  };
}

/** Numeric columns that differ. */
function fieldChanges(a: CsvRow, b: CsvRow): readonly FieldChange[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names
    .map((name) => ({ name, ...differenceOf(readNumberCell(a, name), readNumberCell(b, name)) }))
    .filter(isChanged);
}

/** Also true if the figure applies to one report only. */
export const isChanged = ({ a, b }: Pick<KpiChange, "a" | "b">): boolean => a !== b;

function isSame(
  parts: Omit<PairComparison, "a" | "b" | "same_scenario" | "changes" | "same_results" | "parted" | "notes">,
): boolean {
  const { kpis, awards, sites } = parts;
  return (
    !kpis.some(isChanged) &&
    (awards === null ||
      (awards.unchanged === awards.compared && awards.only_in_a.length + awards.only_in_b.length === 0)) &&
    (sites === null || sites.changed.length + sites.only_in_a.length + sites.only_in_b.length === 0) &&
    parts.first_differing_event === null &&
    parts.first_differing_dispatch === null &&
    parts.first_differing_energy === null
  );
}

/** The earliest row; of equal instants the first in the list. */
function firstDivergence(differences: readonly (FirstDifference | null)[]): FirstDivergence | null {
  let first: FirstDivergence | null = null;
  for (const difference of differences) {
    if (difference === null) continue;
    for (const row of [difference.a, difference.b]) {
      const at = row?.timestamp ?? row?.at ?? row?.start;
      if (at === undefined || (first !== null && withMilliseconds(first.at) <= withMilliseconds(at))) continue;
      first = { at, file: difference.file };
    }
  }
  return first;
}

/** Adds the milliseconds, which the files omit if 0, so that times sort as text. */
const withMilliseconds = (at: string): string => (at.includes(".") ? at : at.replace("Z", ".000Z"));
