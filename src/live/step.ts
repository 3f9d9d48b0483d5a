import type { WorldInput } from "./journal/entry.ts";

/**
 * One input and the way to it: the branch of a session that led to where it stands.
 *
 * Going back shortens nothing: it only takes up the way again from an earlier step.
 */
export interface Step {
  readonly input: WorldInput;
  readonly before: Step | null;
}

/** The inputs of a branch, oldest first. */
export function inputsUntil(last: Step | null): WorldInput[] {
  const inputs: WorldInput[] = [];
  for (let step = last; step !== null; step = step.before) inputs.push(step.input);
  return inputs.reverse();
}
