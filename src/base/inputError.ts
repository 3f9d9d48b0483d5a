import { type CountedGroup, CountedGroups } from "./countedGroups.ts";

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

/** Up to this number of errors, all are listed by position; more are grouped by kind. */
const LISTED_MAX = 20;
/** Places shown of one kind. */
const PLACES_PER_KIND = 5;

/** All errors of the input files of one command. */
export class InputErrors extends Error {
  override name = "InputErrors";
  /** By file and position; of a kind with very many errors, the first ones (docs/model/scenario-format.md#error-lists). */
  readonly errors: readonly InputError[];
  /** Number of errors, including those that are not listed. */
  readonly count: number;
  readonly kinds: readonly CountedGroup<InputError>[];

  /** @param kinds where not every error is in the list */
  constructor(errors: readonly InputError[], kinds?: readonly CountedGroup<InputError>[]) {
    const groups = kinds ?? errors.map((error) => ({ key: error.keyPath, count: 1, first: [error] }));
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    super((count <= LISTED_MAX ? errors.map(({ message }) => message) : groups.flatMap(kindLines)).join("\n"));
    this.errors = errors;
    this.count = count;
    this.kinds = groups;
  }
}

function kindLines({ key, count, first }: CountedGroup<InputError>): string[] {
  const shown = first.slice(0, PLACES_PER_KIND);
  const lines = shown.map(({ message }) => message);
  if (count === 1) return lines;
  const [, path = ""] = key.split("\n");
  const subject = key === "" ? "further kinds" : [first[0].file, path].filter((part) => part !== "").join(": ");
  const rest = count - shown.length;
  return [
    `${subject}: ${count} errors`,
    ...lines.map((line) => `  ${line}`),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ];
}

/** "1 error", "96 errors". */
export const errorCountText = ({ count }: InputErrors): string => `${count} ${count === 1 ? "error" : "errors"}`;

/** Characters of each part of an error: a header of one line can have as many as the file. */
const PART_CHARACTERS_MAX = 2000;

const cutPart = (text: string): string =>
  text.length > PART_CHARACTERS_MAX ? `${text.slice(0, PART_CHARACTERS_MAX)}...` : text;

export function inputError(whole: Omit<InputError, "message">): InputError {
  const { file, line, column } = whole;
  const [keyPath, found, allowed] = [whole.keyPath, whole.found, whole.allowed].map(cutPart);
  const parts = { file, line, column, keyPath, found, allowed };
  const place = line > 0 ? `${file}:${line}:${column}` : file;
  const subject = keyPath === "" ? "" : `${keyPath}: `;
  if (found === NO_SUCH_FILE && line === 0) return { ...parts, message: `${found}: ${file} (${allowed})` };
  if (found.startsWith("no ") && found.endsWith(` in ${file}`)) return { ...parts, message: found };
  return { ...parts, message: `${place}: ${subject}${describeProblem(found, allowed)}` };
}

/** A line of a file, or a key of a file that is read without positions. */
interface InputPlace {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  readonly keyPath?: string;
}

/** A single error: of a file as a whole, of an option such as `--out`, of a line or of a key. */
export function inputRefusal(place: string | InputPlace, found: string, allowed: string): InputErrors {
  const { file, line = 0, keyPath = "" } = typeof place === "string" ? { file: place } : place;
  return new InputErrors([inputError({ file, line, column: line === 0 ? 0 : 1, keyPath, found, allowed })]);
}

/** `found` of a key without a value. */
export const NO_VALUE = "nothing";
/** `found` of a missing file; a path may follow it. */
export const NO_SUCH_FILE = "file not found";

/** `found` of a folder, the place of the error, without its main file. */
export const missingIn = (name: string, folder: string): string => `no ${name} in ${folder}`;

/** What to do, in place of allowed values, stands as it is. */
const INSTRUCTION = /^(expected|there is|give|a year cannot|this scenario counts) /;

function describeProblem(found: string, allowed: string): string {
  if (INSTRUCTION.test(allowed)) return `found ${found}; ${allowed}`;
  if (found === NO_VALUE) return `a value is required (${allowed})`;
  return found.startsWith(NO_SUCH_FILE) ? `${found} (${allowed})` : `found ${found}, allowed ${allowed}`;
}

/** A value in an error: text quoted and truncated, collections by their size or keys. */
export function formatValue(value: unknown): string {
  if (value === undefined) return NO_VALUE;
  if (typeof value === "string") return JSON.stringify(truncateText(value));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value !== null && typeof value === "object")
    return `a mapping (${Object.keys(value).slice(0, 5).map(truncateText).join(", ")})`;
  return String(value);
}

/** At most 60 characters of a text. */
export const truncateText = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

/** "a, b, c", truncated after `maxCount` names. */
export function formatNameList(names: Iterable<string>, maxCount = 30): string {
  const all = [...names];
  const head = all.slice(0, maxCount).join(", ");
  return all.length > maxCount ? `${head} and ${all.length - maxCount} more` : head;
}

/** The common properties of errors of one kind. */
interface ErrorKind {
  readonly file: string;
  /** Path of the key; positions in lists do not distinguish kinds. */
  readonly keyPath: string;
  /** Distinguishes kinds of error at one key. */
  readonly what?: string;
}

/**
 * The errors of all files of one command. All are counted; of each kind the first ones are stored, and only those are
 * formatted and located, so that a file with a million errors takes no more time than a valid one
 * (docs/model/scenario-format.md#error-lists).
 */
export class ErrorCollector {
  // Sites of one entry repeat its errors; equal messages are counted once.
  private readonly kinds = new CountedGroups<InputError>((a, b) => a.message === b.message);

  get count(): number {
    return this.kinds.count;
  }

  /** The stored errors, in order of discovery within each kind. */
  get errors(): readonly InputError[] {
    return this.kinds.groups.flatMap(({ first }) => first);
  }

  add({ file, keyPath, what }: ErrorKind, describe: () => Omit<InputError, "message">): void {
    const path = keyPath.replace(/(?<=^|\.)\d+(?=\.|$)/g, "*");
    const subject = [path, what ?? ""].filter((part) => part !== "").join(": ");
    this.kinds.add(`${file}\n${subject}`, () => inputError(describe()));
  }

  /** Adds one error with its description. */
  report(error: Omit<InputError, "message">): void {
    this.add(error, () => error);
  }

  addAll(kinds: readonly CountedGroup<InputError>[]): void {
    for (const kind of kinds) this.kinds.addGroup(kind);
  }

  copy(): ErrorCollector {
    const copy = new ErrorCollector();
    copy.addAll(this.kinds.groups);
    return copy;
  }

  /** The errors by file, in the order in which the files were read, then by position. */
  toInputErrors(): InputErrors {
    const files = [...new Set(this.errors.map(({ file }) => file))];
    // The sort is stable: errors at one position stay in the order of their discovery.
    const byPlace = (a: InputError, b: InputError) =>
      files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column;
    const kinds = this.kinds.groups.map((kind) => ({ ...kind, first: [...kind.first].sort(byPlace) }));
    return new InputErrors(
      [...this.errors].sort(byPlace),
      kinds.sort((a, b) => byPlace(a.first[0], b.first[0])),
    );
  }
}
