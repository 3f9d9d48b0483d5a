/** "XML", "JSON" or "meter records" for text that is no table; `null` for any other text. */
export function structureOf(text: string): string | null {
  const head = text.slice(0, 2_000).trimStart();
  if (head.startsWith("<")) return "XML";
  if (/^[[{]/.test(head)) return "JSON";
  if (/^100,NEM1[23],/.test(head)) return "NEM12 or NEM13 records";
  return null;
}
