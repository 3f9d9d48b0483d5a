import type { FormatOptions } from "../fileFormat.ts";
import { normaliseText } from "./normaliseText.ts";
import { AMOUNT_PATTERNS, type DecimalSign } from "./parseAmount.ts";
import type { TextTable } from "./textTable.ts";

interface DecimalReading {
  readonly decimal: DecimalSign;
  readonly notes: readonly string[];
}

/**
 * The decimal sign of a table of numbers (docs/model/formats.md#decimal). In a file that commas separate it is the dot. In others
 * `0,125` or `1.018,375` shows a decimal comma and `12.5` a dot; `120,037` or `120.037` alone may be either.
 *
 * @param cellsOf cells that may be numbers
 * @returns `null` after asking for the option
 */
export function decimalSign(
  { delimiter, problems }: TextTable,
  { decimal }: FormatOptions,
  cellsOf: () => Iterable<string>,
): DecimalReading | null {
  if (decimal !== undefined) return { decimal, notes: [] };
  if (delimiter === ",") return { decimal: ".", notes: [] };
  let comma: string | null = null;
  let either: string | null = null;
  for (const cell of cellsOf()) {
    if (!/[.,]/.test(cell)) continue;
    const text = normaliseText(cell);
    const [byDot, byComma] = [AMOUNT_PATTERNS["."].test(text), AMOUNT_PATTERNS[","].test(text)];
    if (byDot && byComma) either ??= text;
    else if (byDot) return { decimal: ".", notes: [] };
    else if (byComma) comma ??= text;
  }
  if (comma !== null) return { decimal: ",", notes: [`decimal commas, as in ${comma}`] };
  if (either === null) return { decimal: ".", notes: [] };
  problems.refuse(
    `numbers such as ${either}, which are ${either.replace(/[.,]/, ".")} or ${either.replaceAll(/[.,]/g, "")}`,
    'the option decimal: "," or "."',
    "decimal",
  );
  return null;
}
