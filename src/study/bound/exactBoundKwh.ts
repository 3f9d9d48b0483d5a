import { createRequire } from "node:module";
import type { Highs } from "highs";
import type { BoundProblem } from "./boundProblem.ts";

/** Stores times awards up to which the linear programme is solved, in some 2 s; one of 30,000 takes 7 to 20 s. */
export const EXACT_SIZE_MAX = 6000;

export const problemSize = ({ storages, steps }: BoundProblem): number => storages.length * steps.length;

/** Finds that optimum somewhere. @returns kWh; `null` where there is none to be found: there is another bound */
export type BoundSolver = (problem: BoundProblem) => Promise<number | null>;

/**
 * The least shortfall of a VPP over all that its stores could deliver, each within its own power and energy: a linear
 * programme in which every award may share anew, in any proportion. This thread hears nothing while it is solved.
 */
export const exactBoundKwh: BoundSolver = async (problem) => {
  const { text, constantKwh } = programmeOf(problem);
  if (text === null) return constantKwh;
  const objective = await optimumOf(text);
  return objective === null ? null : Math.max(0, objective) + constantKwh;
};

/** A solver is out of its memory sooner after others' problems: what a problem comes to must not hang on these. */
async function optimumOf(text: string): Promise<number | null> {
  for (const isNew of [loadedSolver === null, true]) {
    const highs = await solver();
    try {
      const solution = highs.solve(text, { output_flag: false });
      return solution.Status === "Optimal" ? solution.ObjectiveValue : null;
    } catch {
      loadedSolver = null;
      if (isNew) return null;
    }
  }
  return null;
}

let loadedSolver: Promise<Highs> | null = null;
/** Its types are written for `require`: under `import` they say that the package cannot be called. */
const solver = (): Promise<Highs> => {
  const load: () => Promise<Highs> = createRequire(import.meta.url)("highs");
  loadedSolver ??= load();
  return loadedSolver;
};

/**
 * Minimise the sum of s_k over: s_k + Σ_i e_ik >= asked - others, Σ_i e_ik <= asked (shares add up to the request),
 * 0 <= e_ik <= power, and each store's energy E_i after every award within its bounds. Awards that the others can serve
 * alone have no s_k; without stores there is nothing to solve.
 */
function programmeOf({ storages, steps, canOverDeliver }: BoundProblem): {
  text: string | null;
  constantKwh: number;
} {
  const goal: string[] = [];
  const rules: string[] = [];
  const bounds: string[] = [];
  let constantKwh = 0;
  steps.forEach((step, k) => {
    if (step.kind === "free") {
      // Nothing is known of what happens here: energies after it are free within their bounds.
      storages.forEach((_, i) => bounds.push(boundsOf(storages, i, k)));
      return;
    }
    const needKwh = Math.max(0, step.requestedKwh - step.otherMembersMaxKwh);
    if (storages.length === 0) {
      constantKwh += needKwh;
      return;
    }
    const shares = storages.map((_, i) => `e${i}_${k}`);
    if (needKwh > 0) {
      goal.push(`s${k}`);
      rules.push(` d${k}: s${k} + ${shares.join(" + ")} >= ${needKwh}`);
    }
    if (!canOverDeliver) rules.push(` a${k}: ${shares.join(" + ")} <= ${step.requestedKwh}`);
    storages.forEach((store, i) => {
      const perKwh = step.isCharging ? -store.chargeEfficiency : 1 / store.dischargeEfficiency;
      const sign = perKwh < 0 ? "-" : "+";
      const before = k === 0 ? "" : ` - E${i}_${k - 1}`;
      rules.push(
        ` b${i}_${k}: E${i}_${k}${before} ${sign} ${Math.abs(perKwh)} e${i}_${k} = ${k === 0 ? store.initialKwh : 0}`,
      );
      bounds.push(` 0 <= e${i}_${k} <= ${step.storageMaxKwh[i]}`, boundsOf(storages, i, k));
    });
  });
  if (goal.length === 0) return { text: null, constantKwh };
  return {
    text: `Minimize\n obj: ${goal.join(" + ")}\nSubject To\n${rules.join("\n")}\nBounds\n${bounds.join("\n")}\nEnd\n`,
    constantKwh,
  };
}

const boundsOf = (stores: BoundProblem["storages"], i: number, k: number): string =>
  ` ${stores[i].storedMinKwh} <= E${i}_${k} <= ${stores[i].storedMaxKwh}`;
