import { createElement, textsOf } from "./elements.ts";

const TEXTS = textsOf({
  en: {
    sort: "Sort by this column",
    sortBy: (title: string) => `Sort by ${title}`,
    filter: "Filter the rows",
    search: "Filter by text",
    none: "not applicable",
  },
  ja: {
    sort: "この列で並べ替え",
    sortBy: (title: string) => `${title}で並べ替え`,
    filter: "行の絞り込み",
    search: "文字列で絞り込み",
    none: "該当なし",
  },
});

/** Makes columns sortable, adds a filter to tables of rows with groups, and marks tables that are wider than the page. */
export function enhanceTables(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>("table.sortable")) addSorting(table);
  const hints = new ResizeObserver((entries) => {
    for (const { target } of entries) target.classList.toggle("wide", target.clientWidth < target.scrollWidth);
  });
  for (const box of document.querySelectorAll(".scroll")) hints.observe(box);
  for (const table of document.querySelectorAll("table")) addFilter(table);
  for (const dash of document.querySelectorAll<HTMLElement>(".na")) dash.title = TEXTS.none;
}

/**
 * Sorts by the exact value of `data` and `time`, otherwise by text. The sort is stable. The button covers the title
 * and does not contain it, because browsers do not print buttons in the headers that they repeat on each page.
 */
function addSorting(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  if (body.rows.length < 2) return;
  const heads = [...(table.tHead?.rows[0].cells ?? [])];
  heads.forEach((head, column) => {
    const button = createElement("button");
    button.type = "button";
    button.title = TEXTS.sort;
    button.setAttribute("aria-label", TEXTS.sortBy(head.textContent ?? ""));
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].map((row) => ({ row, key: sortKey(row.cells[column]) }));
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

function sortKey(cell: HTMLTableCellElement): number | string | null {
  const data = cell.querySelector("data");
  if (data !== null) return Number(data.value);
  if (cell.querySelector(".na") !== null) return null;
  return cell.querySelector("time")?.dateTime || cell.textContent;
}

function addFilter(table: HTMLTableElement): void {
  const rows = [...table.tBodies[0].rows];
  const groups = [...new Set(rows.map(({ dataset }) => dataset.group ?? ""))];
  if (groups[0] === "" || rows.length < 10) return;
  const bar = createElement("div", "filter");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", TEXTS.filter);
  const search = createElement("input");
  search.type = "search";
  search.placeholder = TEXTS.search;
  search.setAttribute("aria-label", search.placeholder);
  const isPressed = (button: HTMLElement) => button.getAttribute("aria-pressed") === "true";
  const buttons = groups.map((group) => {
    const count = rows.filter(({ dataset }) => dataset.group === group).length;
    const button = createElement("button", "", `${group} (${count})`);
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(!isPressed(button)));
      apply();
    });
    return button;
  });
  const apply = () => {
    const pressed = groups.filter((_, k) => isPressed(buttons[k]));
    const text = search.value.trim().toLowerCase();
    for (const row of rows)
      row.hidden = !pressed.includes(row.dataset.group ?? "") || !row.textContent?.toLowerCase().includes(text);
  };
  search.addEventListener("input", apply);
  bar.append(...buttons, search);
  table.closest(".scroll")?.before(bar);
}
