import type { ErrorCollector } from "../../base/inputError.ts";
import { SKUS } from "../../base/sku.ts";
import { type MeasuredColumn, type NumberColumn, rangeOf } from "./measuredSeries.ts";

export const TIME_COLUMN = "timestamp";
export const SITE_COLUMN = "site";

/** Rows of a file of any format, in its order. */
export interface RawTable {
  readonly file: string;
  readonly header: readonly string[];
  readonly timesMs: Float64Array;
  /** Names in the order of their first rows, and the one of each row; `null`: no such column. */
  readonly sites: { readonly names: readonly string[]; readonly ofRow: Int32Array } | null;
  readonly columns: ReadonlyMap<MeasuredColumn, Float64Array>;
  /** Line, or number of the row in a file without lines. */
  readonly lines: Int32Array;
}

/** Place of a cell for an error; the column is counted in fields. */
export interface CellPlace {
  readonly file: string;
  readonly line: number;
  readonly header: readonly string[];
  readonly name: string;
}

export function reportCell(
  errors: ErrorCollector,
  { file, line, header, name }: CellPlace,
  found: string,
  allowed: string,
): void {
  errors.add({ file, keyPath: name, what: allowed }, () => ({
    file,
    line,
    column: 1 + Math.max(0, header.indexOf(name)),
    keyPath: name,
    found,
    allowed,
  }));
}

/** @returns NaN for an empty cell, or after reporting a value that the column does not allow */
export function checkedNumber(
  errors: ErrorCollector,
  place: CellPlace & { readonly name: NumberColumn },
  value: number,
): number {
  const { min, max, unit } = rangeOf(place.name);
  if (Number.isNaN(value) || (min <= value && value <= max)) return value;
  reportCell(errors, place, String(value), `${min} to ${max} (${unit})`);
  return Number.NaN;
}

const PRODUCTS: readonly string[] = SKUS;

/** Position of a product; NaN for none. */
export function skuPosition(errors: ErrorCollector, place: CellPlace, text: string): number {
  const known = PRODUCTS.indexOf(text);
  if (known >= 0) return known;
  if (text !== "") reportCell(errors, place, JSON.stringify(text), `one of ${SKUS.join(", ")}, or an empty cell`);
  return Number.NaN;
}
