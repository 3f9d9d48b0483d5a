import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import type { FileContent } from "../fileFormat.ts";
import { normaliseText } from "../text/normaliseText.ts";
import type { TableLayout } from "./tableLayout.ts";

const VALUES_SHOWN = 8;

/**
 * The rows that have the cells of the option `where`.
 *
 * @returns `null` after reporting a column or a value that the file does not have
 */
export function chooseRows(
  { options, problems }: FileContent,
  { header, rows }: TableLayout,
): readonly CsvRecord[] | null {
  let chosen = rows;
  for (const [name, value] of Object.entries(options.where ?? {})) {
    const index = header.require(name);
    if (index < 0) return null;
    const cellOf = ({ cells }: CsvRecord) => normaliseText(cells[index] ?? "");
    const found = chosen.filter((row) => cellOf(row) === normaliseText(value));
    if (found.length === 0) {
      const known = [...new Set(chosen.map(cellOf))].slice(0, VALUES_SHOWN);
      problems.refuse(`no row with ${JSON.stringify(value)} in ${name}`, `one of ${known.join(", ")}`, "where");
      return null;
    }
    chosen = found;
  }
  return chosen;
}

/** Columns beside times and values in which two rows differ, with both cells: "Type (Gas, Water)". */
export function differingColumns(
  { header, times }: TableLayout,
  used: ReadonlySet<number>,
  [first, second]: readonly (CsvRecord | undefined)[],
): string[] {
  if (first === undefined || second === undefined) return [];
  return header.names.flatMap((name, index) => {
    const [a, b] = [first, second].map(({ cells }) => normaliseText(cells[index] ?? ""));
    const isKey = name !== "" && !used.has(index) && !Object.values(times).includes(index) && a !== b;
    return isKey ? [`${name} (${a}, ${b})`] : [];
  });
}
