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
