import type { KindTable } from "../../../accounting/runRecord.ts";
import { knownKey } from "../../../texts/catalogue.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale, Translate } from "../page/pageLocale.ts";

type Row = KindTable["rows"][number];

const ROWS_MAX = 200;

/** The table that a kind of component adds to a report, with its figures in one sentence. */
export function kindTableSection({ layout, rows }: KindTable, locale: PageLocale): Section {
  const { t } = locale;
  const { stem } = layout;
  const shown = rows.slice(0, ROWS_MAX);
  const file = `${stem}.csv`;
  const caption =
    shown.length === rows.length
      ? t("table.as_in", { file })
      : t("table.excerpt", { shown: shown.length, count: rows.length, file });
  const cellOf =
    (k: number, kind: string) =>
    (row: Row): Markup => {
      const cell = row.cells[k];
      if (kind === "instant") return html`${locale.renderTime(Number(cell))}`;
      return kind === "text" ? html`<span class="id">${cell}</span>` : numberCell(Number(cell), 1);
    };
  const columns = layout.columns.map(
    ({ name, kind }, k): TableColumn<Row> => ({
      title: headOf(name, t),
      ...(name.endsWith("_kwh") ? { unit: "kWh" } : {}),
      ...(kind === "thousandths" ? { align: "right" as const } : {}),
      cell: cellOf(k, kind),
    }),
  );
  const site: TableColumn<Row> = { title: t("head.site"), cell: (row) => html`<span class="id">${row.site}</span>` };
  return {
    id: stem.replaceAll("_", "-"),
    contentsTitle: t(`table.${stem}.title`),
    title: t(`table.${stem}.title`),
    intro: t(`table.${stem}.intro`),
    body: html`<p>${t(`table.${stem}.total`, layout.totals(rows.map(({ cells }) => cells)))}</p>${dataTable(caption, shown, [site, ...columns])}`,
  };
}

function headOf(name: string, t: Translate): string {
  const key = knownKey(`table.column.${name}`);
  return key === null ? name : t(key);
}
