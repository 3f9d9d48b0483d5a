/**
 * What a path of a patch gets: a number, a text that changes each value as it is written, `"*1.2"`, `"+20%"` or `"-500"`
 * (docs/model/studies.md#scaling), or a word of a key that has words.
 */
export type PatchValue = number | string;

/** Values by study path. */
export type Patch = Readonly<Record<string, PatchValue>>;

/** The texts of changes, for the schema of studies and the documents. */
export const CHANGE_ALLOWED = 'expected a number, "*factor", "+20%", "-500" or a word of the key';
export const NOTHING_TO_SCALE = "there is no value to scale; set one";

const CHANGE = /^([*+-])(\d+(?:\.\d+)?)(%?)$/;

export const isPatchValue = (value: unknown): value is PatchValue =>
  typeof value === "number"
    ? Number.isFinite(value)
    : typeof value === "string" && (changeOf(value) !== null || isWord(value));

export const isWord = (value: PatchValue): value is string => typeof value === "string" && WORD.test(value);
const WORD = /^[A-Za-z][\w-]*$/;

/** @returns `null` for a text that is no change; a factor has no percentage */
function changeOf(text: string): ((written: number) => number) | null {
  const [, sign, digits, percent] = CHANGE.exec(text) ?? [];
  const amount = Number(digits);
  if (sign === "*") return percent === "" ? (written) => written * amount : null;
  if (sign === undefined) return null;
  const signed = sign === "-" ? -amount : amount;
  return percent === "" ? (written) => written + signed : (written) => written * (1 + signed / 100);
}

/** Of a changed value; twelve digits leave out what double precision adds, so that 2000 · 1.2 is 2400. */
const SIGNIFICANT_DIGITS = 12;

/** The number that a patch sets. @param written  the value before; @returns `null` where there is none to change */
export function patchedNumber(value: PatchValue, written: unknown): number | null {
  if (typeof value === "number") return value;
  const change = changeOf(value);
  return change === null || typeof written !== "number"
    ? null
    : Number(change(written).toPrecision(SIGNIFICANT_DIGITS));
}

/** The change by a factor as the text of a patch, without an exponent. */
export const factorText = (factor: number): string => `*${decimalText(factor)}`;

const decimalText = (value: number): string => {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : text;
};
