/** Signs that NFKC leaves as they are: wave dash, minus, horizontal bar, and the triangles of Japanese accounts. */
const SIGNS: Readonly<Record<string, string>> = {
  "\u301C": "~",
  "\u2212": "-",
  "\u2015": "-",
  "\u25B2": "-",
  "\u25B3": "-",
};
const NOT_ASCII = /[^\t-~]/;

/** Full-width forms as ASCII, Japanese minus signs as `-`, wave dashes as `~`, blanks trimmed (docs/model/formats.md#cells). */
export function normaliseText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.trim();
  return text
    .normalize("NFKC")
    .replace(/[\u301C\u2212\u2015\u25B2\u25B3]/g, (sign) => SIGNS[sign])
    .trim();
}

/** The same without any blanks, for the comparison of column names. */
export const normaliseName = (text: string): string => normaliseText(text).replaceAll(/\s+/g, "");

/** "XML", "JSON" or "meter records" for text that is no table; `null` for any other text. */
export function structureOf(text: string): string | null {
  const head = text.slice(0, 2_000).trimStart();
  if (head.startsWith("<")) return "XML";
  if (/^[[{]/.test(head)) return "JSON";
  if (/^100,NEM1[23],/.test(head)) return "NEM12 or NEM13 records";
  return null;
}
