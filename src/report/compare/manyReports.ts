// The figures of two to twelve reports beside each other; differences are to the first.
import type { InvestmentTerms } from "../../accounting/kpis/investment.ts";
import { type KpiValue, printedUnit } from "../../accounting/kpis/kpi.ts";
import { type KpiName, kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import { AWARD_FIGURES } from "../../accounting/settlement/awardRows.ts";
import { roundTo } from "../../base/rounding.ts";
import type { Settings } from "../../inputs/scenario/effectiveSettings.ts";
import { type CsvRow, readNumberCell } from "../tables/readTable.ts";
import { comparedInvestments, type InvestmentOfReport } from "./compareInvestments.ts";
import type { ReportSummary } from "./readReport.ts";

/** One of the compared reports. */
export interface ComparedReport {
  readonly name: string;
  /** As given. */
  readonly path: string;
  readonly scenario: string;
  readonly hash: string;
  readonly kpis: Readonly<Partial<Record<KpiName, KpiValue>>>;
}

/** A figure of a later report; the difference is to the first, `null` where one of them has none. */
interface FigureDifference {
  readonly value: number | null;
  readonly difference: number | null;
  readonly unit: string;
}

/** Values in the order of the reports; `null`: the report has none. */
interface AwardValues {
  readonly award_id: string;
  readonly shortfall_kwh: readonly (number | null)[];
  readonly margin_jpy: readonly (number | null)[];
}

interface SiteValues {
  readonly site: string;
  readonly margin_jpy: readonly (number | null)[];
  readonly import_kwh: readonly (number | null)[];
  readonly export_kwh: readonly (number | null)[];
}

export interface ManyReports {
  readonly reports: readonly ComparedReport[];
  /** Of each report but the first: every numeric key figure. */
  readonly differences: readonly {
    readonly name: string;
    readonly kpis: Readonly<Partial<Record<KpiName, FigureDifference>>>;
  }[];
  /** Those that changed: by the largest change of money, then of energy. */
  readonly awards: readonly AwardValues[];
  readonly sites: readonly SiteValues[];
  /** Of each report but the first; empty where nothing says what batteries cost. */
  readonly investment: readonly InvestmentOfReport[];
}

/** A table by its key; `null`: the report does not have it. */
type KeyedTable = ReadonlyMap<string, CsvRow> | null;

/** One report as it is read. */
export interface ReadReport {
  readonly dir: string;
  readonly summary: ReportSummary;
  /** `null` in reports of older versions. */
  readonly settings: Settings | null;
  readonly awards: KeyedTable;
  readonly sites: KeyedTable;
}

interface NamedReport extends ReadReport {
  readonly name: string;
}

export function compareMany(reports: readonly NamedReport[], terms: InvestmentTerms | null): ManyReports {
  const [first] = reports;
  return {
    reports: reports.map(({ name, dir, summary }) => ({
      name,
      path: dir,
      scenario: summary.scenario.name,
      hash: summary.scenario.hash,
      kpis: Object.fromEntries(summary.kpis),
    })),
    differences: reports.slice(1).map(({ name, summary }) => ({ name, kpis: figuresOf(summary, first.summary) })),
    awards: changedRows(
      reports.map(({ awards }) => awards),
      ["margin_jpy", AWARD_FIGURES.shortfallKwh.name],
    ).map(({ id, values: { margin_jpy, shortfall_kwh } }) => ({ award_id: id, shortfall_kwh, margin_jpy })),
    sites: changedRows(
      reports.map(({ sites }) => sites),
      ["margin_jpy", "import_kwh", "export_kwh"],
    )
      .filter(({ id }) => id !== "(none)")
      .map(({ id, values: { margin_jpy, import_kwh, export_kwh } }) => ({
        site: id,
        margin_jpy,
        import_kwh,
        export_kwh,
      })),
    investment: terms === null ? [] : comparedInvestments(terms, reports),
  };
}

function figuresOf(
  { kpis, currency }: ReportSummary,
  { kpis: first }: ReportSummary,
): ManyReports["differences"][number]["kpis"] {
  return Object.fromEntries(
    [...new Set([...first.keys(), ...kpis.keys()])].flatMap((name) => {
      const kpi = kpiOf(name);
      if (kpi.kind !== "number") return [];
      const [before, value] = [numberOf(first.get(name)), numberOf(kpis.get(name))];
      return [[name, { value, difference: changeOf(before, value), unit: printedUnit(kpi, currency) }] as const];
    }),
  );
}

const numberOf = (value: KpiValue | undefined): number | null => (typeof value === "number" ? value : null);

/** At three decimals, as in the files; `null` if either does not apply. */
export const changeOf = (first: number | null, value: number | null): number | null =>
  first === null || value === null ? null : roundTo(value - first, 3);

type Values<Column extends string> = Readonly<Record<Column, readonly (number | null)[]>>;

/** Rows of a table whose values differ, by the largest change of the first column, then of the others. */
function changedRows<Column extends string>(
  read: readonly KeyedTable[],
  columns: readonly Column[],
): readonly { readonly id: string; readonly values: Values<Column> }[] {
  const tables = read.map((table) => table ?? new Map<string, CsvRow>());
  const ids = [...new Set(tables.flatMap((table) => [...table.keys()]))];
  const rows = ids.map((id) => {
    const valuesOf = (column: Column) =>
      tables.map((table) => {
        const row = table.get(id);
        return row === undefined ? null : readNumberCell(row, column);
      });
    // One list for each of the columns.
    const values = Object.fromEntries(columns.map((column) => [column, valuesOf(column)])) as unknown as Values<Column>;
    return { id, values, changes: columns.map((column) => largestChange(values[column])) };
  });
  return rows
    .filter(({ changes }) => changes.some((change) => change > 0))
    .sort((a, b) => a.changes.map((change, k) => b.changes[k] - change).find((difference) => difference !== 0) ?? 0);
}

/** To the first value; a value that one report does not have counts as 0. */
const largestChange = ([first, ...others]: readonly (number | null)[]): number =>
  Math.max(...others.map((value) => Math.abs(roundTo((value ?? 0) - (first ?? 0), 3))));
