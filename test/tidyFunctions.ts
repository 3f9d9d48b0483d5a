// Rules about functions, read from the text of a formatted source: a syntax tree of all files would take seconds.
import type { SourceFile } from "./tidySource.ts";

/** Folders whose hot paths pass flags and numbers one by one, and the page, whose components are long. */
const EXEMPT_FOLDERS = [
  "src/engine/site/",
  "src/engine/vpp/",
  "src/engine/device/",
  "src/engine/simulation/",
  "src/study/batch/",
  "src/dashboard/",
];

export const FUNCTION_LINES_MAX = 60;

const isExempt = ({ path }: SourceFile): boolean => EXEMPT_FOLDERS.some((folder) => path.startsWith(folder));

const BOOLEAN = /\b(\w+)\??: boolean(?=,|\)| = (?:true|false))|\b(\w+) = (?:true|false)(?=,|\))/g;

/** A call with `true` says nothing: two functions, a named option, or the object that has the flag. */
export function booleanParameters(source: SourceFile): string[] {
  if (isExempt(source)) return [];
  const { path, text } = source;
  return [...text.matchAll(BOOLEAN)].flatMap(({ index, 1: typed, 2: preset }) =>
    openBracketBefore(text, index) === "(" ? [`${path}: boolean parameter ${typed ?? preset}`] : [],
  );
}

/** The innermost bracket that is open at a place. */
function openBracketBefore(text: string, place: number): string {
  let depth = 0;
  for (let k = place - 1; k >= 0; k--) {
    if (")]}".includes(text[k])) depth++;
    else if ("([{".includes(text[k]) && depth-- === 0) return text[k];
  }
  return "";
}

/** Functions of a file, functions in constants, and methods of classes: their indent, and their names. */
const FUNCTION_STARTS: readonly RegExp[] = [
  /^()(?:export )?(?:default )?(?:async )?function\*? (\w+)/,
  /^()(?:export )?const (\w+)\b.*(?:=>|\($|= \()/,
  /^( {2})(?:(?:private|protected|static|override|async|get|set) )*(\*?#?\w+)(?:<.*>)?\(/,
];

export function longFunctions(source: SourceFile): string[] {
  if (isExempt(source)) return [];
  const lines = source.text.split("\n");
  return lines.flatMap((line, first) => {
    const [, indent, name] = FUNCTION_STARTS.map((start) => start.exec(line)).find((match) => match !== null) ?? [];
    if (name === undefined || line.endsWith(";")) return [];
    const count = lineCount(lines.slice(first), indent);
    return count > FUNCTION_LINES_MAX
      ? [`${source.path}: ${name} has ${count} lines, at most ${FUNCTION_LINES_MAX}`]
      : [];
  });
}

/** Lines of a function that begins with a text; 0 if it has no block of its own. */
function lineCount(lines: readonly string[], indent: string): number {
  const end = lines.findIndex(
    (line, k) => k > 0 && line.startsWith(indent) && /^[^\s)\]]/.test(line.slice(indent.length)),
  );
  return end > 0 && lines[end].startsWith(`${indent}}`) ? end + 1 : 0;
}
