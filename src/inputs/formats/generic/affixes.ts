import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import { normaliseText } from "../text/normaliseText.ts";
import { unitOfCell } from "./units.ts";

const NUMBER_WITHIN = /^([^\d.,()+-]*)([(+-]?[\d.,][^a-z€£$¥円]*?) ?([a-z€£$¥円]*)$/i;
const CURRENCY = /^(€|£|\$|¥|円|EUR|GBP|USD|JPY|CHF|PLN)$/i;

interface PlainRows {
  readonly rows: readonly CsvRecord[];
  /** Unit behind the numbers of a column. */
  readonly unitOfIndex: ReadonlyMap<number, string>;
}

/** Removes the unit or the currency beside the numbers of a column, as in `12.5 kW` or `€ 9.80`, where all its cells have the same. */
export function withoutAffixes(rows: readonly CsvRecord[], indexes: readonly number[]): PlainRows {
  const unitOfIndex = new Map<number, string>();
  const numbers = new Map<number, readonly string[]>();
  for (const index of indexes) {
    const cells = rows.map((row) => normaliseText(row.cells[index] ?? ""));
    const [, prefix, , suffix] = NUMBER_WITHIN.exec(cells.find((cell) => cell !== "") ?? "") ?? [];
    const affixes = [prefix?.trim() ?? "", suffix ?? ""].filter((affix) => affix !== "");
    const unit = unitOfCell(suffix ?? "");
    if (affixes.length === 0 || !affixes.every((affix) => affix === unit || CURRENCY.test(affix))) continue;
    const plain = cells.map((cell) => {
      const [, before, number, after] = NUMBER_WITHIN.exec(cell) ?? [];
      return before === prefix && after === suffix ? number : cell;
    });
    numbers.set(index, plain);
    if (unit !== null) unitOfIndex.set(index, unit);
  }
  if (numbers.size === 0) return { rows, unitOfIndex };
  const plainRows = rows.map(({ line, cells }, k) => ({
    line,
    cells: cells.map((cell, index) => numbers.get(index)?.[k] ?? cell),
  }));
  return { rows: plainRows, unitOfIndex };
}
