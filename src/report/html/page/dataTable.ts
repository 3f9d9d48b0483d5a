import { html, type Markup, trustedMarkup } from "./markup.ts";

export interface TableColumn<Row> {
  readonly title: string;
  /** Printed under the title. */
  readonly unit?: string;
  /** For numbers. */
  readonly align?: "right";
  readonly cell: (row: Row) => Markup | string;
}

/** A table that scrolls sideways on a narrow page. TABLE_SCRIPT makes its columns sortable. */
export function dataTable<Row>(caption: string, rows: readonly Row[], columns: readonly TableColumn<Row>[]): Markup {
  const headerCells = columns.map(
    ({ title, unit, align }) =>
      html`<th scope="col"${rightClass(align)}>${title}${unit && html` <small>${unit}</small>`}</th>`,
  );
  const bodyRows = rows.map(
    (row) => html`<tr>${columns.map(({ cell, align }) => html`<td${rightClass(align)}>${cell(row)}</td>`)}</tr>
`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table class="sortable"><caption>${caption}</caption><thead><tr>${headerCells}</tr></thead><tbody>
${bodyRows}</tbody></table></div>`;
}

const RIGHT = trustedMarkup(' class="n"');
const rightClass = (align: "right" | undefined): Markup | null => (align === "right" ? RIGHT : null);

/**
 * Sorts by the exact value of `data` and `time`, otherwise by text. The sort is stable. Adds the class `wide` to tables
 * that are wider than the page; the stylesheet adds a hint to them.
 */
export const TABLE_SCRIPT = `for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  if (body.rows.length < 2) continue;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Sort by this column";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => {
        const cell = row.cells[column];
        const data = cell.querySelector("data");
        if (data) return Number(data.value);
        if (cell.querySelector(".na")) return null;
        return (cell.querySelector("time") || {}).dateTime || cell.textContent;
      };
      const rows = [...body.rows].map((row) => ({ row, key: key(row) }));
      rows.sort((a, b) => {
        if (a.key === b.key) return 0;
        if (a.key === null) return 1;
        if (b.key === null) return -1;
        return (a.key < b.key ? -1 : 1) * (down ? -1 : 1);
      });
      body.append(...rows.map(({ row }) => row));
    });
  });
}
const hints = new ResizeObserver((entries) => {
  for (const { target } of entries) target.classList.toggle("wide", target.clientWidth < target.scrollWidth);
});
for (const box of document.querySelectorAll(".scroll")) hints.observe(box);`;
