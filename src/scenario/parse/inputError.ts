/** One mistake in a file or flag: where it is, what stands there and what would be right. */
export interface InputError {
  /** Path as the user would name it; "--from" and the like for flags. */
  readonly file: string;
  /** Counted from 1; 0 where a place within the file means nothing (a missing file, a flag). */
  readonly line: number;
  readonly column: number;
  /** Dotted, list positions counted from 0: `sites.0.components.1.rated_cap`. Empty for the file as a whole. */
  readonly keyPath: string;
  readonly found: string;
  readonly allowed: string;
  /** All of the above in one line. */
  readonly message: string;
}

/** More lines than this help nobody; the list itself stays complete. */
const ERROR_LINES_MAX = 200;

/** Every mistake of a scenario at once. */
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
  return { ...parts, message: `${place}: ${subject}found ${found}, allowed ${allowed}` };
}

/** A value as an error shows it: text in quotes and cut, collections by what they hold. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value !== null && typeof value === "object") return `a mapping (${Object.keys(value).slice(0, 5).join(", ")})`;
  return String(value);
}

/** "a, b, c", cut after a number of names. */
export function formatNameList(names: Iterable<string>, most = 30): string {
  const all = [...names];
  const head = all.slice(0, most).join(", ");
  return all.length > most ? `${head} and ${all.length - most} more` : head;
}
