import { createHash } from "node:crypto";
import { join } from "node:path";
import { ELEMENTARY_NAMES, type ElementaryName, tableArguments } from "./elementaryCases.ts";

/** The bits of Node 20: for each function a digest of a thousand results, then every fiftieth with its arguments. */
export const TABLE_FILE = join(import.meta.dirname, "elementaryBits.txt");

export function tableText(resultsOf: (name: ElementaryName) => Float64Array): string {
  const lines = ELEMENTARY_NAMES.flatMap((name) => {
    const rows = tableArguments(name);
    const results = bitsOf(resultsOf(name));
    const digest = createHash("sha256").update(results.join("")).digest("hex");
    const columns = [...rows.map(bitsOf), results];
    const shown = results.flatMap((_, k) => (k % 50 === 0 ? [columns.map((bits) => bits[k]).join(" ")] : []));
    return [`${name} ${digest}`, ...shown];
  });
  return `${lines.join("\n")}\n`;
}

/** Each as 16 digits; engines choose the bits of what is not a number. */
function bitsOf(values: Float64Array): string[] {
  const view = new DataView(new ArrayBuffer(8));
  return Array.from(values, (value) => {
    view.setFloat64(0, value);
    return Number.isNaN(value) ? "nan" : view.getBigUint64(0).toString(16).padStart(16, "0");
  });
}
