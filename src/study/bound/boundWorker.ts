/** What a thread of `openSolvers` runs: it knows a linear programme and nothing else. */
import type { BoundProblem } from "./boundProblem.ts";
import { exactBoundKwh } from "./exactBound.ts";

export default (problem: BoundProblem): Promise<number | null> => exactBoundKwh(problem);
