import type { ReconciledLine, Reconciliation } from "../../../market/reconciliation.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatFixed, numberCell } from "../page/format.ts";
import { html } from "../page/markup.ts";
import { currencyUnit } from "../page/money.ts";
import type { PageLocale } from "../page/pageLocale.ts";

/** The ledger beside the settled cash, line by line (docs/model/settlement.md#reconciliation). */
export function reconciliationSection(found: Reconciliation, locale: PageLocale): Section {
  const { t } = locale;
  const rows: readonly (Omit<ReconciledLine, "line"> & { readonly name: string })[] = [
    ...found.lines.map(({ line, ...amounts }) => ({
      name: t(line === "energy" && found.isCustomersJoined ? "reconciliation.energy_joined" : `reconciliation.${line}`),
      ...amounts,
    })),
    { name: t("reconciliation.sum"), ledger: found.ledger, settled: found.settled, difference: found.difference },
  ];
  const amount = (title: string, of: (row: (typeof rows)[number]) => number) => ({
    title,
    unit: currencyUnit(locale),
    align: "right" as const,
    cell: (row: (typeof rows)[number]) => numberCell(of(row), 3),
  });
  const memos = [
    ...(found.wear === null
      ? []
      : [t("reconciliation.wear", { amount: formatFixed(-found.wear, 3), currency: currencyUnit(locale) })]),
    ...(found.degradation === null
      ? []
      : [t("reconciliation.degradation", { amount: formatFixed(found.degradation, 3) })]),
  ];
  return {
    id: "reconciliation",
    contentsTitle: t("reconciliation.title"),
    title: t("reconciliation.title"),
    intro: t("reconciliation.intro"),
    body: html`${dataTable(t("reconciliation.title"), rows, [
      { title: t("reconciliation.line"), cell: ({ name }) => name },
      amount(t("reconciliation.ledger"), ({ ledger }) => ledger),
      amount(t("reconciliation.settled"), ({ settled }) => settled),
      amount(t("compare.difference"), ({ difference }) => difference),
    ])}${memos.map((memo) => html`<p class="muted">${memo}</p>`)}`,
  };
}
