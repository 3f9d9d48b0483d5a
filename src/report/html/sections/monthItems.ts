// Cash by month and item, in a table whose rows and columns add up as printed.
import { sumOf } from "../../../base/lists.ts";
import { POWERS_OF_TEN } from "../../../base/rounding.ts";
import { roundTable } from "../../../base/roundTable.ts";
import { type InvoiceLine, MEMO, TOTAL } from "../../../market/settlement.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import { formatFixed, type Scale } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageTexts } from "../page/pageLocale.ts";

interface MonthItems {
  readonly months: readonly string[];
  readonly items: readonly string[];
  /** Whole steps of the last printed decimal, by month, then by item. */
  readonly steps: readonly (readonly number[])[];
}

/** Cash in whole steps, so that rows and columns sum to the cash as printed, and each cell is its amount rounded down or up. */
export function monthItems(invoice: readonly InvoiceLine[], { factor, decimals }: Scale): MonthItems {
  const lines = invoice.filter(({ counterparty }) => counterparty !== TOTAL && counterparty !== MEMO);
  const months = [...new Set(lines.map(({ month }) => month))].sort();
  const items = [...new Set(lines.flatMap(({ item, amount }) => (amount === 0 ? [] : [item])))];
  const perStep = factor * POWERS_OF_TEN[decimals];
  const sums = months.map(() => items.map(() => 0));
  for (const { month, item, amount } of lines)
    if (amount !== 0) sums[months.indexOf(month)][items.indexOf(item)] += amount * perStep;
  return { months, items, steps: months.length === 0 ? [] : roundTable(sums) };
}

/** Months are rows where there are more months than items, else columns; sums are at the end of both. */
export function monthItemTable(
  { months, items, steps }: MonthItems,
  { unit, decimals }: Scale,
  { t, itemLabel }: { readonly t: PageTexts["t"]; readonly itemLabel: (item: string) => string },
): Markup {
  const labels = items.map(itemLabel);
  const isLong = items.length < months.length;
  const columns = items.map((_, k) => steps.map((row) => row[k]));
  const [heads, names, cells, across] = isLong ? [labels, months, steps, columns] : [months, labels, columns, steps];
  const withSum = (values: readonly number[]): readonly number[] =>
    values.length === 1 ? values : [...values, sumOf(values)];
  const rows = names.map((name, k) => ({ name, cells: withSum(cells[k]) }));
  if (names.length > 1) rows.push({ name: t("settlement.sum"), cells: withSum(across.map((values) => sumOf(values))) });
  const text = (value: number): string => formatFixed(value / POWERS_OF_TEN[decimals], decimals);
  return dataTable(t("settlement.by_month"), rows, [
    { title: t(isLong ? "settlement.month" : "settlement.item"), cell: ({ name }) => name },
    ...(heads.length === 1 ? heads : [...heads, t("settlement.sum")]).map(
      (title, k): TableColumn<(typeof rows)[number]> => ({
        title,
        unit,
        align: "right",
        cell: (row) => html`<data value="${row.cells[k]}">${text(row.cells[k])}</data>`,
      }),
    ),
  ]);
}
