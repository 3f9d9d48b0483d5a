// A comparison for the terminal; long lists are cut, the JSON has all entries.
import type { KpiValue } from "../../accounting/kpis/kpi.ts";
import { moneyName } from "../../base/currency.ts";
import { roundTo } from "../../base/rounding.ts";
import type { PageLocale } from "../html/page/pageLocale.ts";
import { alignColumns, toAscii } from "../terminalText.ts";
import type { AwardChange, CauseChange, Difference } from "./compareAwards.ts";
import type { ComparisonContent, KpiChange, PairComparison } from "./comparisonJson.ts";
import { verdictOf } from "./comparisonVerdict.ts";
import type { FirstDifference } from "./firstDifference.ts";
import type { ManyReports } from "./manyReports.ts";
import {
  awardTable,
  figureTable,
  investmentLines,
  investmentTable,
  SHOWN_MAX,
  siteTable,
  type TextTable,
  verdictLines,
} from "./manyTexts.ts";

const LINES_MAX = 10;

export function comparisonText({ many, pair, assumes, locale }: ComparisonContent): string {
  const names = many.reports.map(({ name }) => name);
  const blocks = [
    [
      ...[...verdictLines(many, locale), ...investmentLines(many, locale)].map(toAscii),
      ...(pair === null ? [] : detailLines(pair, locale)),
    ],
    [...many.reports.map((report) => labelLine(report)), `Times in ${locale.zoneText}`],
    figureBlock(
      figureTable(many, (name) => moneyName(name, locale.currency), locale),
      locale,
    ),
    assumes === null
      ? []
      : [...tableBlock(locale.t("compare.investments"), investmentTable(many, locale)), toAscii(assumes)],
    tableBlock(shownTitle("compare.awards", many.awards.length, locale), awardTable(many, locale)),
    ...(pair === null ? [] : pairBlocks(pair, names, locale)),
    tableBlock(shownTitle("compare.sites", many.sites.length, locale), siteTable(many, locale)),
    ...(pair === null ? [] : divergenceBlocks(pair, names, locale)),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** What changed between two reports, and where they part. */
function detailLines(pair: PairComparison, locale: PageLocale): readonly string[] {
  const { mainly, changes, details } = verdictOf(pair, locale);
  return [mainly, changes, ...details]
    .filter((sentence) => sentence !== "")
    .map((sentence) => `${toAscii(sentence).replaceAll("→", "->")}.`);
}

const labelLine = ({ name, path, scenario, hash }: ManyReports["reports"][number]): string =>
  `${name}  ${path}: ${scenario}, hash ${hash.slice(0, 12)}`;

const tableBlock = (title: string, rows: TextTable): readonly string[] =>
  rows.length < 2 ? [] : [title, ...alignColumns(rows.map((cells) => cells.map(toAscii)))];

const figureBlock = (rows: TextTable, { t }: PageLocale): readonly string[] =>
  rows.length === 0 ? [t("compare.figures_equal")] : tableBlock(t("compare.figures"), rows);

/** Names how many are left out. */
function shownTitle(key: "compare.awards" | "compare.sites", count: number, { t }: PageLocale): string {
  return count <= SHOWN_MAX ? t(key) : `${t(key)} (${t("compare.shown_of", { shown: SHOWN_MAX, count })})`;
}

function pairBlocks(
  { awards }: PairComparison,
  names: readonly string[],
  locale: PageLocale,
): readonly (readonly string[])[] {
  if (awards === null) return [];
  const { only_in_a, only_in_b, otherwise_changed, improved, worsened } = awards;
  const changed = [...worsened, ...improved, ...otherwise_changed].map(awardLine).filter((line) => line !== "");
  return [
    [...idLine("only in the first", only_in_a), ...idLine("only in the second", only_in_b), ...limitLines(changed)],
    causeBlock(awards.causes, names, locale),
  ];
}

/** Why the shortfall of an award changed, and what else did. */
function awardLine({ award_id, uncovered_kw, fcr, state, causes, cause_unit }: AwardChange): string {
  const facts = [
    ...causes.map(({ cause, difference }) => `${cause} ${formatSigned(difference)} ${cause_unit}`),
    ...changeText("uncovered", uncovered_kw, "kW"),
    ...Object.entries(fcr)
      // For FCR alone `uncovered` has the same values.
      .filter(([, { a, b }]) => a !== uncovered_kw.a || b !== uncovered_kw.b)
      .flatMap(([column, difference]) => changeText(column, difference, "")),
    ...(state.a === state.b ? [] : [`state ${state.a} -> ${state.b}`]),
  ];
  return facts.length === 0 ? "" : `  ${award_id}: ${facts.join("; ")}`;
}

const divergenceBlocks = (
  pair: PairComparison,
  names: readonly string[],
  locale: PageLocale,
): readonly (readonly string[])[] => [
  ...[pair.first_differing_event, pair.first_differing_dispatch, pair.first_differing_energy].map((difference) =>
    rowBlock(difference, names, locale),
  ),
  pair.notes.map((note) => `Note: ${note}`),
];

function changeText(name: string, change: Difference, unit: string): readonly string[] {
  const { a, b, difference } = change;
  if (a === b) return [];
  return [
    `${name} ${formatNumber(a)} -> ${formatNumber(b)}${unit === "" ? "" : ` ${unit}`}${difference === null ? "" : ` (${formatSigned(difference)})`}`,
  ];
}

function causeBlock(causes: readonly CauseChange[], names: readonly string[], { t }: PageLocale): readonly string[] {
  const changed = causes.filter(({ difference }) => difference !== 0);
  if (changed.length === 0) return [];
  const rows = changed.map((change) => [change.cause, ...threeNumbers(change)]);
  return ["Shortfall by cause, kWh", ...alignColumns([["", ...names, t("compare.difference")], ...rows])];
}

function rowBlock(difference: FirstDifference | null, names: readonly string[], locale: PageLocale): readonly string[] {
  if (difference === null) return [];
  const { file, row, a, b, columns } = difference;
  if (row === 0) return [`${file}: the columns differ (${columns.join(", ")})`];
  const line = (cells: FirstDifference["a"]): string =>
    cells === null ? "(no more rows)" : locale.localise(Object.values(cells).join(", "));
  return [
    `${file}: the first row that differs is row ${row}, in ${columns.join(", ")}`,
    ...[a, b].map((cells, k) => `  ${names[k]}  ${line(cells)}`),
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
