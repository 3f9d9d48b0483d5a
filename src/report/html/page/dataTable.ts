import { html, type Markup, trustedMarkup } from "./markup.ts";

export interface TableColumn<Row> {
  readonly title: string;
  /** Printed under the title. */
  readonly unit?: string;
  /** For numbers. */
  readonly align?: "right";
  readonly cell: (row: Row) => Markup | string;
}

interface TableOptions<Row> {
  /** Value of the attribute `data-group` of a row. */
  readonly groupOf?: (row: Row) => string;
}

/** A table that scrolls sideways on a narrow page. The script of the page makes its columns sortable. */
export function dataTable<Row>(
  caption: string,
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  { groupOf }: TableOptions<Row> = {},
): Markup {
  const headerCells = columns.map(
    ({ title, unit, align }) =>
      html`<th scope="col"${rightClass(align)}>${title}${unit && html` <small>${unit}</small>`}</th>`,
  );
  const bodyRows = rows.map(
    (
      row,
    ) => html`<tr${groupOf !== undefined && html` data-group="${groupOf(row)}"`}>${columns.map(({ cell, align }) => html`<td${rightClass(align)}>${cell(row)}</td>`)}</tr>
`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table class="sortable"><caption>${caption}</caption><thead><tr>${headerCells}</tr></thead><tbody>
${bodyRows}</tbody></table></div>`;
}

const RIGHT = trustedMarkup(' class="n"');
const rightClass = (align: "right" | undefined): Markup | null => (align === "right" ? RIGHT : null);
