// A comparison for the terminal: differences are B − A; long lists are cut, the JSON has all entries.
import type { KpiValue } from "../../accounting/kpis/kpi.ts";
import { roundTo } from "../../base/rounding.ts";
import type { PageLocale } from "../html/page/pageLocale.ts";
import { alignColumns, toAscii } from "../terminalText.ts";
import type { AwardChange, AwardComparison, CauseChange, Difference } from "./compareAwards.ts";
import type { ComparisonJson, KpiChange, ReportLabel, SiteComparison } from "./comparisonJson.ts";
import { type Verdict, verdictOf } from "./comparisonVerdict.ts";
import type { FirstDifference } from "./firstDifference.ts";

const LINES_MAX = 10;

export function comparisonText(comparison: ComparisonJson, locale: PageLocale): string {
  const { a, b, awards, sites } = comparison;
  const blocks = [
    verdictBlock(verdictOf(comparison, locale)),
    [labelLine("A", a, locale), labelLine("B", b, locale), `Times in ${locale.zoneText}`],
    kpiBlock(comparison.kpis).map(locale.localise),
    ...(awards === null ? [] : [awardBlock(awards), causeBlock(awards.causes)]),
    ...(sites === null ? [] : [siteBlock(sites)]),
    ...[comparison.first_differing_event, comparison.first_differing_dispatch, comparison.first_differing_energy].map(
      (difference) => rowBlock(difference, locale),
    ),
    comparison.notes.map((note) => `Note: ${note}`),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function verdictBlock({ headline, changes, details }: Verdict): readonly string[] {
  return [headline, changes, ...details].map((sentence) => `${toAscii(sentence).replaceAll("→", "->")}.`);
}

const labelLine = (
  letter: string,
  { dir, scenario, hash, seed, start, end }: ReportLabel,
  locale: PageLocale,
): string =>
  `${letter}  ${dir}: ${scenario}, seed ${seed}, ${locale.formatPeriod(Date.parse(start), Date.parse(end))}, hash ${hash.slice(0, 12)}`;

function kpiBlock(kpis: readonly KpiChange[]): readonly string[] {
  const changed = kpis.filter(({ a, b }) => a !== b);
  const equal = kpis.length - changed.length;
  const equalText = equal === 0 ? "" : ` (${equal} more are equal)`;
  if (changed.length === 0) return [`Key figures: all ${kpis.length} are equal`];
  const rows = changed.map((change) => [change.name, ...threeNumbers(change)]);
  return [`Key figures that differ${equalText}`, ...alignColumns([["", "A", "B", "difference (B - A)"], ...rows])];
}

function awardBlock(awards: AwardComparison): readonly string[] {
  const { compared, unchanged, improved, worsened, otherwise_changed, only_in_a, only_in_b } = awards;
  return [
    `Awards: ${compared} in both, ${improved.length} improved, ${worsened.length} worsened, ${otherwise_changed.length} changed otherwise, ${unchanged} unchanged`,
    ...idLine("only in A", only_in_a),
    ...idLine("only in B", only_in_b),
    ...limitLines(worsened.map((change) => awardLine("worsened", change))),
    ...limitLines(improved.map((change) => awardLine("improved", change))),
    ...limitLines(otherwise_changed.map((change) => awardLine("changed ", change))),
  ];
}

function awardLine(verdict: string, change: AwardChange): string {
  const { award_id, shortfall_kwh, uncovered_kw, fcr, state, causes, cause_unit } = change;
  const facts = [
    ...changeText("shortfall", shortfall_kwh, "kWh"),
    ...changeText("uncovered", uncovered_kw, "kW"),
    ...Object.entries(fcr)
      // For FCR alone `uncovered` has the same values.
      .filter(([, { a, b }]) => a !== uncovered_kw.a || b !== uncovered_kw.b)
      .flatMap(([column, difference]) => changeText(column, difference, "")),
    ...(state.a === state.b ? [] : [`state ${state.a} -> ${state.b}`]),
  ];
  const causeText = causes.map(({ cause, difference }) => `${cause} ${formatSigned(difference)}`).join(", ");
  return `  ${verdict}  ${award_id}: ${facts.join("; ")}${causeText === "" ? "" : ` (${causeText} ${cause_unit})`}`;
}

function changeText(name: string, change: Difference, unit: string): readonly string[] {
  const { a, b, difference } = change;
  if (a === b) return [];
  return [
    `${name} ${formatNumber(a)} -> ${formatNumber(b)}${unit === "" ? "" : ` ${unit}`}${difference === null ? "" : ` (${formatSigned(difference)})`}`,
  ];
}

function causeBlock(causes: readonly CauseChange[]): readonly string[] {
  const changed = causes.filter(({ difference }) => difference !== 0);
  if (changed.length === 0) return [];
  const rows = changed.map((change) => [change.cause, ...threeNumbers(change)]);
  return ["Shortfall by cause, kWh", ...alignColumns([["", "A", "B", "difference (B - A)"], ...rows])];
}

function siteBlock({ compared, changed, only_in_a, only_in_b }: SiteComparison): readonly string[] {
  return [
    `Sites: ${compared} in both, ${changed.length} changed`,
    ...idLine("only in A", only_in_a),
    ...idLine("only in B", only_in_b),
    ...limitLines(
      changed.map(({ site, fields }) => {
        const shown = fields.slice(0, 4).map(({ name, a, b }) => `${name} ${formatNumber(a)} -> ${formatNumber(b)}`);
        return `  ${site}: ${shown.join(", ")}${fields.length > 4 ? ` and ${fields.length - 4} more` : ""}`;
      }),
    ),
  ];
}

function rowBlock(difference: FirstDifference | null, locale: PageLocale): readonly string[] {
  if (difference === null) return [];
  const { file, row, a, b, columns } = difference;
  if (row === 0) return [`${file}: the columns differ (${columns.join(", ")})`];
  const line = (cells: FirstDifference["a"]): string =>
    cells === null ? "(no more rows)" : locale.localise(Object.values(cells).join(", "));
  return [
    `${file}: the first row that differs is row ${row}, in ${columns.join(", ")}`,
    `  A  ${line(a)}`,
    `  B  ${line(b)}`,
  ];
}

const idLine = (label: string, ids: readonly string[]): readonly string[] =>
  ids.length === 0
    ? []
    : [
        `  ${label}: ${ids.slice(0, LINES_MAX).join(", ")}${ids.length > LINES_MAX ? ` and ${ids.length - LINES_MAX} more` : ""}`,
      ];

const limitLines = (lines: readonly string[]): readonly string[] =>
  lines.length <= LINES_MAX ? lines : [...lines.slice(0, LINES_MAX), `  … and ${lines.length - LINES_MAX} more`];

const threeNumbers = ({ a, b, difference }: Omit<KpiChange, "name">): readonly string[] => [
  formatNumber(a),
  formatNumber(b),
  difference === null ? "" : formatSigned(difference),
];

const formatNumber = (value: KpiValue): string =>
  value === null ? "-" : typeof value === "string" ? value : String(roundTo(value, 3));
const formatSigned = (value: number): string => `${value > 0 ? "+" : ""}${roundTo(value, 3)}`;
