/** An error in the program itself; a caller that catches it must not continue the run. */
export class BugError extends Error {
  override name = "BugError";
}

/**
 * Throws a `BugError` if an invariant does not hold.
 *
 * @param because the invariant and its reason; a function if building the text is expensive
 */
export function assert(condition: boolean, because: string | (() => string)): asserts condition {
  if (!condition) throw new BugError(typeof because === "string" ? because : because());
}
