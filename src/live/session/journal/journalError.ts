import { errorCode } from "../../../base/errorCode.ts";

/** A journal that cannot be used; the message gives the reason and the remedy. */
export class JournalError extends Error {
  override name = "JournalError";
  /** `input`: remedied by another file or flag; `failed`: caused by the disk or another server. */
  readonly reason: "input" | "failed";

  constructor(reason: "input" | "failed", message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The error of a journal whose disk refuses a write. */
export function unwritableError(file: string, error: unknown): JournalError {
  const found = `journal ${file} cannot be written: ${(error as Error).message}`;
  const remedy =
    errorCode(error) === "ERR_ACCESS_DENIED"
      ? "serve with --no-journal, or without Node's permission model"
      : "free space on the disk and start the server again: whatever was answered is kept";
  return new JournalError("failed", `${found}; ${remedy}`);
}

/** The error of a journal that something else has altered while its server runs. @param what  what was done to it */
export const alteredError = (file: string, what: string): JournalError =>
  new JournalError(
    "failed",
    `journal ${file} cannot be continued: another program has ${what}; what is answered from now on could not be restored`,
  );
