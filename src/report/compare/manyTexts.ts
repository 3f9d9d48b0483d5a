// Several reports in sentences and tables, for the terminal and the page.
import type { KpiValue } from "../../accounting/kpis/kpi.ts";
import { type KpiName, kpiOf } from "../../accounting/kpis/kpiRegistry.ts";
import { roundTo } from "../../base/rounding.ts";
import { formatFixed, formatKwh, formatPct } from "../html/page/format.ts";
import { currencyUnit, figureUnit, moneyFormat } from "../html/page/money.ts";
import type { PageLocale } from "../html/page/pageLocale.ts";
import { type ComparedReport, changeOf, type ManyReports } from "./manyReports.ts";

export const SHOWN_MAX = 10;

/** Cells of a table; numbers are printed. */
export type TextTable = readonly (readonly string[])[];

const numberIn = ({ kpis }: ComparedReport, name: KpiName): number | null => {
  const value = kpis[name];
  return typeof value === "number" ? value : null;
};

/** Whether any report says how much was delivered: without a request a shortfall of 0 says nothing. */
export const isRequested = ({ reports }: ManyReports): boolean =>
  reports.some((report) => numberIn(report, "requested_kwh") !== 0);

const withSign = (value: number, text: string): string => (value > 0 ? `+${text}` : text);

/** `plus 20 %: shortfall 674.2 kWh (−4.6 kWh, −0.7 %), margin 61,920 JPY (+125 JPY)`, a line each. */
export function verdictLines(many: ManyReports, locale: PageLocale): readonly string[] {
  const { reports } = many;
  const [first] = reports;
  return reports.map((report) => {
    const shortfall = isRequested(many) ? shortfallFact(report, first, locale) : null;
    const facts = [shortfall, marginFact(report, first, locale)].filter((fact) => fact !== null);
    const text = facts.length === 0 ? locale.t("compare.nothing") : facts.join(locale.t("list.separator"));
    return locale.t("compare.line", { name: report.name, facts: text });
  });
}

function shortfallFact(report: ComparedReport, first: ComparedReport, { t }: PageLocale): string | null {
  const [before, kwh] = [numberIn(first, "shortfall_kwh"), numberIn(report, "shortfall_kwh")];
  if (kwh === null) return null;
  const change = report === first ? null : changeOf(before, kwh);
  if (change === null) return t("compare.shortfall", { kwh: formatKwh(kwh) });
  if (change === 0) return t("compare.shortfall_same", { kwh: formatKwh(kwh) });
  const values = { kwh: formatKwh(kwh), change: withSign(change, formatKwh(change)) };
  if (before === 0 || before === null) return t("compare.shortfall_difference", values);
  const relative = (100 * change) / before;
  return t("compare.shortfall_change", { ...values, relative: withSign(relative, formatPct(relative)) });
}

function marginFact(report: ComparedReport, first: ComparedReport, locale: PageLocale): string | null {
  const [before, margin] = [numberIn(first, "aggregator_margin_jpy"), numberIn(report, "aggregator_margin_jpy")];
  if (margin === null) return null;
  const amount = moneyFormat(locale, margin).text(margin);
  const change = report === first ? null : changeOf(before, margin);
  if (change === null) return locale.t("compare.margin", { amount });
  if (change === 0) return locale.t("compare.margin_same", { amount });
  return locale.t("compare.margin_change", { amount, change: changeText(change, locale) });
}

const changeText = (change: number, locale: PageLocale): string =>
  withSign(change, moneyFormat(locale, change).text(change));

/** What more is invested and earned than by the first report, a line each; empty where nothing says what batteries cost. */
export function investmentLines({ reports, investment }: ManyReports, locale: PageLocale): readonly string[] {
  const text = (amount: number): string => changeText(amount, locale);
  return investment.map(({ name, investment_jpy, yearly_margin_jpy: margin, payback_years: years, npv_jpy: npv }) => {
    const values = { name, first: reports[0].name, investment: text(investment_jpy) };
    if (margin === null || npv === null) return locale.t("compare.invested_unpriced", values);
    const priced = { ...values, margin: text(margin), npv: text(npv) };
    return years === null
      ? locale.t("compare.invested", priced)
      : locale.t("compare.invested_paid", { ...priced, years: formatFixed(years, kpiOf("payback_years").decimals) });
  });
}

/** The same in full. */
export function investmentTable({ reports, investment }: ManyReports, locale: PageLocale): TextTable {
  const head = [
    locale.t("compare.difference_to", { name: reports[0].name }),
    locale.t("compare.unit"),
    ...investment.map(({ name }) => name),
  ];
  const rows = (["investment_jpy", "yearly_margin_jpy", "payback_years", "npv_jpy"] as const).map((name) => {
    const kpi = kpiOf(name);
    const cells = investment.map((figures) => valueText(figures[name], kpi.decimals, locale));
    return [locale.t(`kpi.${name}.label`), figureUnit(kpi, locale), ...cells];
  });
  return [head, ...rows];
}

/** `now | plus 20 %: 4.6 kWh less shortfall, 125 JPY more`; of several reports the last change is that of the last one. */
export function pageTitle(many: ManyReports, locale: PageLocale): string {
  const { reports } = many;
  const { t } = locale;
  const names = reports.map(({ name }) => name).join(" | ");
  const [first, last] = [reports[0], reports[reports.length - 1]];
  const kwh = changeOf(numberIn(first, "shortfall_kwh"), numberIn(last, "shortfall_kwh"));
  const jpy = changeOf(numberIn(first, "aggregator_margin_jpy"), numberIn(last, "aggregator_margin_jpy"));
  const facts: string[] = [];
  if (kwh !== null && isRequested(many))
    facts.push(
      kwh === 0
        ? t("compare.same_shortfall")
        : t(kwh < 0 ? "compare.less_shortfall" : "compare.more_shortfall", { kwh: formatKwh(Math.abs(kwh)) }),
    );
  if (jpy !== null && jpy !== 0) {
    const amount = moneyFormat(locale, jpy).text(Math.abs(jpy));
    facts.push(t(jpy < 0 ? "compare.less_margin" : "compare.more_margin", { amount }));
  }
  return facts.length === 0 ? names : t("compare.page_title", { names, change: facts.join(t("list.separator")) });
}

/** Key figures that differ in any report: name, unit, the first report, then each other with its difference. */
export function figureTable({ reports }: ManyReports, label: (name: KpiName) => string, locale: PageLocale): TextTable {
  const [first, ...others] = reports;
  const names = [...new Set(reports.flatMap(({ kpis }) => Object.keys(kpis) as KpiName[]))];
  const changed = names.filter((name) =>
    others.some(({ kpis }) => (kpis[name] ?? null) !== (first.kpis[name] ?? null)),
  );
  if (changed.length === 0) return [];
  const head = [
    locale.t("compare.figure"),
    locale.t("compare.unit"),
    first.name,
    ...others.flatMap(({ name }) => [name, locale.t("compare.difference")]),
  ];
  const rows = changed.map((name) => {
    const kpi = kpiOf(name);
    const decimals = kpi.kind === "number" ? (kpi.unit === "%" ? Math.max(2, kpi.decimals) : kpi.decimals) : 0;
    const cells = others.flatMap((report) => {
      const change = changeOf(numberIn(first, name), numberIn(report, name));
      return [
        valueText(report.kpis[name], decimals, locale),
        change === null ? "–" : withSign(change, formatFixed(change, decimals)),
      ];
    });
    return [
      label(name),
      kpi.kind === "number" ? figureUnit(kpi, locale) : "",
      valueText(first.kpis[name], decimals, locale),
      ...cells,
    ];
  });
  return [head, ...rows];
}

function valueText(value: KpiValue | undefined, decimals: number, locale: PageLocale): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "number" ? formatFixed(value, decimals) : locale.localise(value);
}

interface ValueRow {
  readonly id: string;
  readonly unit: string;
  readonly decimals: number;
  /** By report. */
  readonly values: readonly (number | null)[];
}

/** Rows of money and energy by report, the largest changes first. */
function valueTable(
  title: string,
  reports: readonly ComparedReport[],
  rows: readonly ValueRow[],
  { t }: PageLocale,
): TextTable {
  const [first, ...others] = reports;
  const head = [title, t("compare.unit"), first.name, ...others.flatMap(({ name }) => [name, t("compare.difference")])];
  const text = (value: number | null, decimals: number): string =>
    value === null ? "–" : formatFixed(value, decimals);
  const cells = rows.map(({ id, unit, decimals, values: [before, ...after] }) => {
    const changes = after.flatMap((value) => {
      const change = changeOf(before, value);
      return [text(value, decimals), change === null ? "–" : withSign(change, formatFixed(change, decimals))];
    });
    return [id, unit, text(before, decimals), ...changes];
  });
  return [head, ...cells];
}

/** Whether the values differ as they are printed. */
function differs({ values: [first, ...others], decimals }: ValueRow): boolean {
  const printed = (value: number | null): number | null => (value === null ? null : roundTo(value, decimals));
  return others.some((value) => printed(value) !== printed(first));
}

/** At most SHOWN_MAX awards, with their money and shortfall. */
export function awardTable({ reports, awards }: ManyReports, locale: PageLocale): TextTable {
  const rows = awards.slice(0, SHOWN_MAX).flatMap(({ award_id: id, margin_jpy, shortfall_kwh }) => [
    { id, unit: currencyUnit(locale), decimals: 0, values: margin_jpy },
    { id, unit: "kWh", decimals: 1, values: shortfall_kwh },
  ]);
  return valueTable(locale.t("compare.award"), reports, rows.filter(differs), locale);
}

/** At most SHOWN_MAX sites, with their money, import and export. */
export function siteTable({ reports, sites }: ManyReports, locale: PageLocale): TextTable {
  const rows = sites.slice(0, SHOWN_MAX).flatMap(({ site: id, margin_jpy, import_kwh, export_kwh }) => [
    { id, unit: currencyUnit(locale), decimals: 0, values: margin_jpy },
    { id, unit: locale.t("compare.import_unit"), decimals: 1, values: import_kwh },
    { id, unit: locale.t("compare.export_unit"), decimals: 1, values: export_kwh },
  ]);
  return valueTable(locale.t("compare.site"), reports, rows.filter(differs), locale);
}
