import type { Evaluator } from "./evaluate.ts";
import type { Executor } from "./executor.ts";
import { ownLane, sharedExecutor } from "./sharedExecutor.ts";

/** One run after the other in this very thread. */
export const inlineExecutor = (evaluator: Pick<Evaluator, "slices">): Executor =>
  sharedExecutor([ownLane(evaluator)], async () => {});
