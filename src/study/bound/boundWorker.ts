/** Entry point of a thread of `openSolverPool`: solves one linear programme per call. */
import type { BoundProblem } from "./boundProblem.ts";
import { exactBoundKwh } from "./exactBoundKwh.ts";

export default (problem: BoundProblem): Promise<number | null> => exactBoundKwh(problem);
