import { type CountedGroup, CountedGroups } from "../../../base/countedGroups.ts";
import { type InputError, InputErrors, inputError } from "./inputError.ts";

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
