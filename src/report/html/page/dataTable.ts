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

/** A table that scrolls sideways on a narrow page. TABLE_SCRIPT makes its columns sortable. */
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

/**
 * Sorts by the exact value of `data` and `time`, otherwise by text. The sort is stable. The button covers the title
 * and does not contain it, because browsers do not print buttons in the headers that they repeat on each page. Adds the class `wide` to tables
 * that are wider than the page; the stylesheet adds a hint to them. A table of rows with groups gets a filter.
 */
export const TABLE_SCRIPT = `const TABLE_TEXTS = document.documentElement.lang === "ja"
  ? { sort: "この列で並べ替え", sortBy: (title) => title + "で並べ替え", filter: "行の絞り込み", search: "文字列で絞り込み" }
  : { sort: "Sort by this column", sortBy: (title) => "Sort by " + title, filter: "Filter the rows", search: "Filter by text" };
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  if (body.rows.length < 2) continue;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.title = TABLE_TEXTS.sort;
    button.setAttribute("aria-label", TABLE_TEXTS.sortBy(head.textContent));
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
for (const box of document.querySelectorAll(".scroll")) hints.observe(box);
for (const table of document.querySelectorAll("table")) {
  const rows = [...table.tBodies[0].rows];
  const groups = [...new Set(rows.map((row) => row.dataset.group))];
  if (!groups[0] || rows.length < 10) continue;
  const bar = document.createElement("div");
  bar.className = "filter";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", TABLE_TEXTS.filter);
  const search = document.createElement("input");
  search.type = "search";
  search.placeholder = TABLE_TEXTS.search;
  search.setAttribute("aria-label", search.placeholder);
  const buttons = groups.map((group) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = group + " (" + rows.filter((row) => row.dataset.group === group).length + ")";
    button.setAttribute("aria-pressed", "true");
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      apply();
    });
    return button;
  });
  const apply = () => {
    const pressed = groups.filter((_, k) => buttons[k].getAttribute("aria-pressed") === "true");
    const text = search.value.trim().toLowerCase();
    for (const row of rows)
      row.hidden = !pressed.includes(row.dataset.group) || !row.textContent.toLowerCase().includes(text);
  };
  search.addEventListener("input", apply);
  bar.append(...buttons, search);
  table.closest(".scroll").before(bar);
}`;
