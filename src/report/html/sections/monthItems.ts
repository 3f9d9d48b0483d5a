// Cash by month and item, in a table whose rows and columns add up as printed.
import { sumOf } from "../../../base/lists.ts";
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

/**
 * Cash in whole steps. The sum of all months and items up to each cell is rounded, and a cell is what that leaves for it: so every sum
 * of rows and of columns is one of printed cells, and the whole is the cash as printed. A cell is less than two steps from its amount.
 */
export function monthItems(invoice: readonly InvoiceLine[], { factor, decimals }: Scale): MonthItems {
  const lines = invoice.filter(({ counterparty }) => counterparty !== TOTAL && counterparty !== MEMO);
  const months = [...new Set(lines.map(({ month }) => month))].sort();
  const items = [...new Set(lines.flatMap(({ item, amount }) => (amount === 0 ? [] : [item])))];
  const perStep = factor * 10 ** decimals;
  const sums = months.map(() => items.map(() => 0));
  for (const { month, item, amount } of lines)
    if (amount !== 0) sums[months.indexOf(month)][items.indexOf(item)] += amount * perStep;
  let above = items.map(() => 0);
  let roundedAbove = items.map(() => 0);
  const steps = sums.map((row) => {
    let [left, roundedLeft, corner] = [0, 0, 0];
    const upTo = row.map((value, k) => (left += value) + above[k]);
    const rounded = upTo.map(Math.round);
    const cells = rounded.map((value, k) => {
      const cell = value - roundedLeft - roundedAbove[k] + corner;
      [roundedLeft, corner] = [value, roundedAbove[k]];
      return cell || 0;
    });
    [above, roundedAbove] = [upTo, rounded];
    return cells;
  });
  return { months, items, steps };
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
  const text = (value: number): string => formatFixed(value / 10 ** decimals, decimals);
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
