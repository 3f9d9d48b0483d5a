// A comparison for the terminal; long lists are cut, the JSON has all entries.
import type { KpiValue } from "../../accounting/kpis/kpi.ts";
import { moneyName } from "../../base/currency.ts";
import { roundTo } from "../../base/rounding.ts";
import { nameList, type PageLocale } from "../html/page/pageLocale.ts";
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
      ...(pair === null ? [] : detailLines(pair, names, locale)),
    ],
    [...many.reports.map((report) => labelLine(report, locale)), locale.t("compare.times", { zone: locale.zoneText })],
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
function detailLines(pair: PairComparison, names: readonly string[], locale: PageLocale): readonly string[] {
  const { mainly, changes, details } = verdictOf(pair, names, locale);
  return [mainly, changes, ...details]
    .filter((sentence) => sentence !== "")
    .map((sentence) => toAscii(sentence).replaceAll("→", "->"));
}

const labelLine = ({ name, path, scenario, hash }: ManyReports["reports"][number], { t }: PageLocale): string =>
  t("compare.report_line", { name, path, scenario, hash: hash.slice(0, 12) });

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
  const changed = [...worsened, ...improved, ...otherwise_changed]
    .map((award) => awardLine(award, locale))
    .filter((line) => line !== "");
  const lines = [
    ...idLine("compare.ids_first", only_in_a, locale),
    ...idLine("compare.ids_second", only_in_b, locale),
    ...limitLines(changed, locale),
  ];
  return [
    lines.length === 0 ? [] : [locale.t("compare.award_causes"), ...lines],
    causeBlock(awards.causes, names, locale),
  ];
}

/** Why the shortfall of an award changed, and what else did. */
function awardLine({ award_id, uncovered_kw, fcr, state, causes, cause_unit }: AwardChange, { t }: PageLocale): string {
  const facts = [
    ...causes.map(({ cause, difference }) => `${t(`cause.${cause}`)} ${formatSigned(difference)} ${cause_unit}`),
    ...changeText(t("compare.uncovered"), uncovered_kw, "kW"),
    ...Object.entries(fcr)
      // For FCR alone `uncovered` has the same values.
      .filter(([, { a, b }]) => a !== uncovered_kw.a || b !== uncovered_kw.b)
      .flatMap(([column, difference]) => changeText(column, difference, "")),
    ...(state.a === state.b ? [] : [t("compare.state", { first: state.a, second: state.b })]),
  ];
  const text = facts.join(t("clause.separator_in"));
  return facts.length === 0 ? "" : t("compare.award_line", { award: award_id, facts: text });
}

const divergenceBlocks = (
  pair: PairComparison,
  names: readonly string[],
  locale: PageLocale,
): readonly (readonly string[])[] => [
  ...[pair.first_differing_event, pair.first_differing_dispatch, pair.first_differing_energy].map((difference) =>
    rowBlock(difference, names, locale),
  ),
  pair.notes.map((note) => locale.t("compare.note", { note })),
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
  const rows = changed.map((change) => [t(`cause.${change.cause}`), ...threeNumbers(change)]);
  return [t("compare.cause_table"), ...alignColumns([["", ...names, t("compare.difference")], ...rows])];
}

function rowBlock(difference: FirstDifference | null, names: readonly string[], locale: PageLocale): readonly string[] {
  if (difference === null) return [];
  const { file, row, a, b, columns } = difference;
  const { t } = locale;
  const listed = columns.join(t("list.separator"));
  if (row === 0) return [t("compare.columns_differ", { file, columns: listed })];
  const line = (cells: FirstDifference["a"]): string =>
    cells === null ? t("compare.no_more_rows") : locale.localise(Object.values(cells).join(", "));
  return [
    t("compare.row_differs", { file, row: String(row), columns: listed }),
    ...[a, b].map((cells, k) => `  ${names[k]}  ${line(cells)}`),
  ];
}

const idLine = (
  key: "compare.ids_first" | "compare.ids_second",
  ids: readonly string[],
  locale: PageLocale,
): readonly string[] => (ids.length === 0 ? [] : [locale.t(key, { ids: nameList(ids, LINES_MAX, locale) })]);

const limitLines = (lines: readonly string[], { t }: PageLocale): readonly string[] =>
  lines.length <= LINES_MAX
    ? lines
    : [...lines.slice(0, LINES_MAX), t("compare.more_lines", { count: lines.length - LINES_MAX })];

const threeNumbers = ({ a, b, difference }: Omit<KpiChange, "name">): readonly string[] => [
  formatNumber(a),
  formatNumber(b),
  difference === null ? "" : formatSigned(difference),
];

const formatNumber = (value: KpiValue): string =>
  value === null ? "-" : typeof value === "string" ? value : String(roundTo(value, 3));
const formatSigned = (value: number): string => `${value > 0 ? "+" : ""}${roundTo(value, 3)}`;
