import type { Highs } from "highs";
import { platform } from "#platform";

/** Optimum of a linear programme. */
export interface LinearOptimum {
  readonly objective: number;
  /** Value of a variable by its name; 0 for a variable that does not occur. */
  amountOf(name: string): number;
}

/**
 * Solves a programme in the LP format with HiGHS; `null` where it has no optimum.
 *
 * Earlier problems fragment the solver's memory, so it may run out sooner. A new solver gets a second attempt: the
 * result of a problem must not depend on the problems before it.
 */
export async function solveLinearProgramme(text: string): Promise<LinearOptimum | null> {
  for (const isNew of [loadedSolver === null, true]) {
    const highs = await loadSolver();
    try {
      const solution = highs.solve(text, { output_flag: false });
      if (solution.Status !== "Optimal") return null;
      const columns = solution.Columns as Readonly<Record<string, { readonly Primal?: number }>>;
      return { objective: solution.ObjectiveValue, amountOf: (name) => columns[name]?.Primal ?? 0 };
    } catch {
      loadedSolver = null;
      if (isNew) return null;
    }
  }
  return null;
}

let loadedSolver: Promise<Highs> | null = null;
const loadSolver = (): Promise<Highs> => {
  loadedSolver ??= platform.loadHighs();
  return loadedSolver;
};
