import { setImmediate } from "node:timers/promises";
import type { Evaluator } from "./evaluate.ts";
import { type Executor, runJob } from "./executor.ts";

/** One job after the other in this very thread. */
export function inlineExecutor(evaluator: Evaluator): Executor {
  return {
    width: 1,
    async run(jobs, done, signal) {
      for (let k = 0; k < jobs.length; k++) {
        signal.throwIfAborted();
        done(k, runJob(evaluator, jobs[k]));
        // not simulated: lets signals in between two jobs.
        await setImmediate();
      }
    },
    close: async () => {},
  };
}
