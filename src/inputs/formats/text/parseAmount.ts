import { normaliseText } from "./normaliseText.ts";

/** The decimal separator; the other sign separates thousands. */
export type DecimalSign = "." | ",";

/** Marks of a missing value after normalisation, in lower case. */
const MISSING_MARKS: ReadonlySet<string> = new Set([
  "",
  "-",
  "*",
  "**",
  "n/a",
  "#n/a",
  "n/e",
  "///",
  "欠測",
  "null",
  "nan",
]);

/** Conversion into the unit of a column: value × 10^exponent × factor / divisor. */
export interface UnitScale {
  readonly exponent: number;
  readonly factor: number;
  readonly divisor: number;
}
export const AS_PRINTED: UnitScale = { exponent: 0, factor: 1, divisor: 1 };

export const AMOUNT_PATTERNS: Readonly<Record<DecimalSign, RegExp>> = {
  ".": /^([+-]?)([1-9]\d{0,2}(?:,\d{3})+|\d*)(?:\.(\d*))?(e[+-]?\d+)?$/i,
  ",": /^([+-]?)([1-9]\d{0,2}(?:\.\d{3})+|\d*)(?:,(\d*))?(e[+-]?\d+)?$/i,
};

export interface AmountStyle {
  readonly decimal: DecimalSign;
  /** Further marks of a missing value, normalised. */
  readonly missing: ReadonlySet<string>;
}
export const PLAIN_AMOUNTS: AmountStyle = { decimal: ".", missing: new Set() };

/**
 * A number of a cell: thousands separators in groups of three, full-width digits, `▲12.5` and `(12.5)` as minus.
 *
 * The exponent of the unit is applied to the digits as text, so that 2.345 MW is exactly 2345 kW.
 *
 * @returns NaN for a missing value, `null` for anything else
 */
export function parseAmount(cell: string, style: AmountStyle, scale: UnitScale = AS_PRINTED): number | null {
  const text = normaliseText(cell);
  if (MISSING_MARKS.has(text.toLowerCase()) || style.missing.has(text)) return Number.NaN;
  const inBrackets = /^\((.*)\)$/.exec(text);
  const match = AMOUNT_PATTERNS[style.decimal].exec(inBrackets === null ? text : `-${inBrackets[1]}`);
  if (match === null) return null;
  const [, sign, whole, decimals = "", power = "e0"] = match;
  const digits = whole.replaceAll(/[.,]/g, "");
  if (digits === "" && decimals === "") return null;
  const exponent = Number(power.slice(1)) + scale.exponent;
  const size = Number(`${digits === "" ? "0" : digits}.${decimals}e${exponent}`);
  if (!Number.isFinite(size)) return null;
  const value = (size * scale.factor) / scale.divisor;
  return sign === "-" && value !== 0 ? -value : value;
}
