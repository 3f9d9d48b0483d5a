/** Thrown when our own reasoning failed; never caught and carried on with. */
export class BugError extends Error {
  override name = "BugError";
}

/**
 * Stops the run when something that must hold does not hold.
 *
 * @param because what must hold and why; a function where building the text costs
 */
export function assert(condition: boolean, because: string | (() => string)): asserts condition {
  if (!condition) throw new BugError(typeof because === "string" ? because : because());
}
