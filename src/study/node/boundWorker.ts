/** Entry point of a thread of `openSolverPool`: solves one linear programme per call. */
import type { BoundProblem } from "../bound/boundProblem.ts";
import { exactBoundKwh } from "../bound/exactBoundKwh.ts";

export default (problem: BoundProblem): Promise<number | null> => exactBoundKwh(problem);
