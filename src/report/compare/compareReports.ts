// Compares two runs: changed figures, improved and worsened awards with their causes, and the first divergence.
import type { Language } from "../../base/language.ts";
import { createPageLocale, type PageLocale, type Reading } from "../html/page/pageLocale.ts";
import { type CsvRow, readKeyedTable, readNumberCell } from "../tables/readTable.ts";
import { compareAwards, differenceOf, shortfallOverTime } from "./compareAwards.ts";
import type {
  ComparisonJson,
  FieldChange,
  FirstDivergence,
  KpiChange,
  ReportLabel,
  SiteComparison,
} from "./comparisonJson.ts";
import { comparisonText } from "./comparisonText.ts";
import { type FirstDifference, firstDifference } from "./firstDifference.ts";
import { type ReportSummary, readReportSummary, readSettings } from "./readReport.ts";
import { settingChanges } from "./settingChanges.ts";

export interface Comparison {
  /** For the terminal, with a final line feed. */
  readonly text: string;
  readonly json: ComparisonJson;
  /** Of the text and the page. */
  readonly locale: PageLocale;
}

/**
 * Compares two report folders.
 *
 * @param reading  of the text and the page; by default that of the scenario of A
 * @throws InputErrors if one of them is not the report of a run
 */
export function compareReports(dirA: string, dirB: string, reading: Reading = {}): Comparison {
  const a = readReportSummary(dirA);
  const json = comparisonOf(dirA, dirB, a);
  const locale = comparisonLocale(json, reading.language ?? a.scenario.language, reading.timezone);
  return { text: comparisonText(json, locale), json, locale };
}

function comparisonLocale({ a, b }: ComparisonJson, language: Language, timezone: string | undefined): PageLocale {
  const [starts, ends] = [[a.start, b.start].map(Date.parse), [a.end, b.end].map(Date.parse)];
  return createPageLocale(language, timezone ?? a.timezone ?? b.timezone ?? "UTC", {
    startMs: Math.min(...starts),
    endMs: Math.max(...ends),
  });
}

function comparisonOf(dirA: string, dirB: string, a: ReportSummary): ComparisonJson {
  const b = readReportSummary(dirB);
  const notes: string[] = [];
  const both = (
    name: string,
    key: string,
  ): readonly [ReadonlyMap<string, CsvRow>, ReadonlyMap<string, CsvRow>] | null => {
    const tables = [readKeyedTable(dirA, name, key), readKeyedTable(dirB, name, key)] as const;
    const missing = [dirA, dirB].filter((_, k) => tables[k] === null);
    if (missing.length > 0) notes.push(missingNote(name, missing));
    return tables[0] === null || tables[1] === null ? null : [tables[0], tables[1]];
  };
  const awards = both("awards.csv", "award_id");
  const sites = both("sites.csv", "site");
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
    changes: settingChanges({ summary: a, settings: readSettings(dirA) }, { summary: b, settings: readSettings(dirB) }),
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
  parts: Omit<ComparisonJson, "a" | "b" | "same_scenario" | "changes" | "same_results" | "parted" | "notes">,
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
      const at = row?.at ?? row?.start;
      if (at === undefined || (first !== null && withMilliseconds(first.at) <= withMilliseconds(at))) continue;
      first = { at, file: difference.file };
    }
  }
  return first;
}

/** Adds the milliseconds, which the files omit if 0, so that times sort as text. */
const withMilliseconds = (at: string): string => (at.includes(".") ? at : at.replace("Z", ".000Z"));
