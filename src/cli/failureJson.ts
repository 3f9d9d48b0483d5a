import { type InputError, InputErrors } from "../base/inputError.ts";

/** The number of errors of one kind; the list of errors contains the first of them. */
interface KindJson {
  readonly file: string;
  readonly key_path: string;
  readonly count: number;
}

/** A failed command as JSON. Failures other than input errors have only a message. */
interface FailureJson {
  readonly error_count: number;
  readonly errors: readonly (
    | (Omit<InputError, "keyPath"> & { readonly key_path: string })
    | { readonly message: string }
  )[];
  readonly kinds: readonly KindJson[];
}

export function failureJson(error: unknown): FailureJson {
  if (!(error instanceof InputErrors)) {
    const message = error instanceof Error ? error.message : String(error);
    return { error_count: 1, errors: [{ message }], kinds: [] };
  }
  const kinds = error.kinds.map(({ key, count, first }) => {
    const [file, keyPath = ""] = key.includes("\n") ? key.split("\n") : [first[0].file, key];
    return { file, key_path: keyPath, count };
  });
  const errors = error.errors.map(({ keyPath, ...rest }) => ({ ...rest, key_path: keyPath }));
  return { error_count: error.count, errors, kinds };
}
