import { BugError } from "../../base/assert.ts";
import type { CountedGroup } from "../../base/countedGroups.ts";
import { type InputError, InputErrors } from "../../base/inputError.ts";
import { TableWriteError } from "../../platform/files.ts";

/** An error as data, because the class of an error is lost between threads. */
interface ThreadFailure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code?: string;
  readonly syscall?: string;
  readonly errors?: readonly InputError[];
  readonly kinds?: readonly CountedGroup<InputError>[];
}

export type ThreadOutcome<T> = { readonly value: T } | { readonly failure: ThreadFailure };

/** @returns the error as data */
export function failureOf(error: Error & { readonly code?: string; readonly syscall?: string }): ThreadFailure {
  const { name, message, stack, code, syscall } = error;
  return {
    name,
    message,
    stack,
    ...(code === undefined ? {} : { code }),
    ...(syscall === undefined ? {} : { syscall }),
    ...(error instanceof InputErrors ? { errors: error.errors, kinds: error.kinds } : {}),
  };
}

/** The error of a thread, with its class where callers distinguish classes. */
export function errorOf({ name, message, stack, code, syscall, errors, kinds }: ThreadFailure): Error {
  if (errors !== undefined) return new InputErrors(errors, kinds);
  const error =
    name === "BugError"
      ? new BugError(message)
      : name === "TableWriteError"
        ? new TableWriteError(message)
        : new Error(message);
  error.stack = stack;
  return Object.assign(error, code === undefined ? {} : { code }, syscall === undefined ? {} : { syscall });
}
