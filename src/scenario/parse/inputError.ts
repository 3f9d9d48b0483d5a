/** One error in a file or flag: its place, the value found, and the values allowed. */
export interface InputError {
  /** Path as the user would name it; "--from" and the like for flags. */
  readonly file: string;
  /** Counted from 1; 0 where there is no position (a missing file, a flag). */
  readonly line: number;
  readonly column: number;
  /** Dotted, list positions counted from 0: `sites.0.components.1.rated_cap`. Empty for the file as a whole. */
  readonly keyPath: string;
  readonly found: string;
  readonly allowed: string;
  /** All of the above in one line. */
  readonly message: string;
}

/** Lines of the message; the list of errors is complete. */
const ERROR_LINES_MAX = 200;

/** All errors of the input files of one command. */
export class InputErrors extends Error {
  override name = "InputErrors";
  readonly errors: readonly InputError[];

  constructor(errors: readonly InputError[]) {
    const lines = errors.slice(0, ERROR_LINES_MAX).map((error) => error.message);
    if (errors.length > ERROR_LINES_MAX) lines.push(`… and ${errors.length - ERROR_LINES_MAX} more`);
    super(lines.join("\n"));
    this.errors = errors;
  }
}

export function inputError(parts: Omit<InputError, "message">): InputError {
  const { file, line, column, keyPath, found, allowed } = parts;
  const place = line > 0 ? `${file}:${line}:${column}` : file;
  const subject = keyPath === "" ? "" : `${keyPath}: `;
  if (found === NO_SUCH_FILE && line === 0) return { ...parts, message: `${found}: ${file} (${allowed})` };
  return { ...parts, message: `${place}: ${subject}${describeProblem(found, allowed)}` };
}

/** `found` of a key without a value. */
export const NO_VALUE = "nothing";
/** `found` of a missing file; a path may follow it. */
export const NO_SUCH_FILE = "file not found";

function describeProblem(found: string, allowed: string): string {
  if (found === NO_VALUE) return `a value is required (${allowed})`;
  return found.startsWith(NO_SUCH_FILE) ? `${found} (${allowed})` : `found ${found}, allowed ${allowed}`;
}

/** A value in an error: text quoted and truncated, collections by their size or keys. */
export function formatValue(value: unknown): string {
  if (value === undefined) return NO_VALUE;
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value !== null && typeof value === "object") return `a mapping (${Object.keys(value).slice(0, 5).join(", ")})`;
  return String(value);
}

/** "a, b, c", truncated after `maxCount` names. */
export function formatNameList(names: Iterable<string>, maxCount = 30): string {
  const all = [...names];
  const head = all.slice(0, maxCount).join(", ");
  return all.length > maxCount ? `${head} and ${all.length - maxCount} more` : head;
}
