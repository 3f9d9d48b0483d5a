import type { Evaluator } from "./evaluator.ts";
import type { Executor } from "./executor.ts";
import { createInlineWorker, sharedExecutor } from "./sharedExecutor.ts";

/** Runs jobs sequentially in this thread. */
export const inlineExecutor = (evaluator: Pick<Evaluator, "slices">): Executor =>
  sharedExecutor([createInlineWorker(evaluator)], async () => {});
