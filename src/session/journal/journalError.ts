/** A journal that cannot be used as it is; the message says why and what to do. */
export class JournalError extends Error {
  override name = "JournalError";
  /** `input`: another file or flag helps; `failed`: the disk or another server stands in the way. */
  readonly reason: "input" | "failed";

  constructor(reason: "input" | "failed", message: string) {
    super(message);
    this.reason = reason;
  }
}
