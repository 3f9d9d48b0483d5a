/** What a thread of `openSolverPool` runs: it knows a linear programme and nothing else. */
import type { BoundProblem } from "./boundProblem.ts";
import { exactBoundKwh } from "./exactBoundKwh.ts";

export default (problem: BoundProblem): Promise<number | null> => exactBoundKwh(problem);
