import type { KindTable } from "../../../accounting/runRecord.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";

type Row = KindTable["rows"][number];

const ROWS_MAX = 200;

/** The table that a kind of component adds to a report, with its figures in one sentence. */
export function kindTableSection({ layout, rows }: KindTable, locale: PageLocale): Section {
  const shown = rows.slice(0, ROWS_MAX);
  const file = `${layout.stem}.csv`;
  const caption =
    shown.length === rows.length
      ? `As in ${file}`
      : `The first ${shown.length} of ${rows.length}; all of them are in ${file}`;
  const cellOf =
    (k: number, kind: string) =>
    (row: Row): Markup => {
      const cell = row.cells[k];
      if (kind === "instant") return html`${locale.renderTime(Number(cell))}`;
      return kind === "text" ? html`<span class="id">${cell}</span>` : numberCell(Number(cell), 1);
    };
  const columns = layout.columns.map(
    ({ name, kind }, k): TableColumn<Row> => ({
      title: titleOf(name),
      ...(name.endsWith("_kwh") ? { unit: "kWh" } : {}),
      ...(kind === "thousandths" ? { align: "right" as const } : {}),
      cell: cellOf(k, kind),
    }),
  );
  const site: TableColumn<Row> = { title: "Site", cell: (row) => html`<span class="id">${row.site}</span>` };
  return {
    id: layout.stem.replaceAll("_", "-"),
    contentsTitle: layout.title,
    title: layout.title,
    intro: layout.intro,
    body: html`<p>${layout.total(rows.map(({ cells }) => cells))}</p>${dataTable(caption, shown, [site, ...columns])}`,
  };
}

/** `energy_wanted_kwh` is shown as "Energy wanted". */
function titleOf(name: string): string {
  const words = name.replace(/_kwh$/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
