import { solveLinearProgramme } from "../../base/linearSolver.ts";
import { sumOf } from "../../base/lists.ts";
import type { AwardStep, BoundProblem, IdealStorage } from "./boundProblem.ts";

/** Largest problem (storages × awards) that is solved exactly, in about 2 s. A problem of 30,000 takes 7 to 20 s. */
export const EXACT_SIZE_MAX = 6000;

export const problemSize = ({ storages, steps }: BoundProblem): number => storages.length * steps.length;

/**
 * Solves a problem in this thread or in another. @returns kWh; `null` where the solver fails: the relaxed bound applies
 */
export type BoundSolver = (problem: BoundProblem) => Promise<number | null>;

/**
 * Least shortfall of a VPP over all deliveries that respect each storage's power and energy, in kWh. It is a linear
 * programme in which every award may be allocated anew, in any proportion. Solving it blocks this thread.
 */
export const exactBoundKwh: BoundSolver = async (problem) => {
  const { text, constantKwh } = programmeOf(problem);
  if (text === null) return constantKwh;
  const optimum = await solveLinearProgramme(text);
  return optimum === null ? null : Math.max(0, optimum.objective) + constantKwh;
};

/**
 * Minimise the sum of s_k subject to: s_k + Σ_i e_ik >= requested - others, Σ_i e_ik <= requested (shares add up to the
 * request), 0 <= e_ik <= power, and each storage's energy E_i after every award within its bounds. Awards that the
 * other members can cover have no s_k. Without storages there is nothing to solve.
 */
function programmeOf({ storages, steps, canOverDeliver }: BoundProblem): {
  text: string | null;
  constantKwh: number;
} {
  const objectiveTerms: string[] = [];
  const constraints: string[] = [];
  const bounds: string[] = [];
  let constantKwh = 0;
  steps.forEach((step, k) => {
    if (step.kind === "free") {
      // A free interval permits any energy within the bounds.
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
      objectiveTerms.push(`s${k}`);
      constraints.push(` d${k}: s${k} + ${shares.join(" + ")} >= ${needKwh}`);
    }
    if (!canOverDeliver) constraints.push(` a${k}: ${shares.join(" + ")} <= ${step.requestedKwh}`);
    storages.forEach((store, i) => {
      const perKwh = step.isCharging ? -store.chargeEfficiency : 1 / store.dischargeEfficiency;
      const sign = perKwh < 0 ? "-" : "+";
      const before = k === 0 ? "" : ` - E${i}_${k - 1}`;
      constraints.push(
        ` b${i}_${k}: E${i}_${k}${before} ${sign} ${Math.abs(perKwh)} e${i}_${k} = ${k === 0 ? store.initialKwh : 0}`,
      );
      bounds.push(` 0 <= e${i}_${k} <= ${step.storageMaxKwh[i]}`, boundsOf(storages, i, k));
    });
  });
  if (objectiveTerms.length === 0) return { text: null, constantKwh };
  return {
    text: `Minimize\n obj: ${objectiveTerms.join(" + ")}\nSubject To\n${constraints.join("\n")}\nBounds\n${bounds.join("\n")}\nEnd\n`,
    constantKwh,
  };
}

const boundsOf = (stores: BoundProblem["storages"], i: number, k: number): string =>
  ` ${stores[i].storedMinKwh} <= E${i}_${k} <= ${stores[i].storedMaxKwh}`;

/**
 * Lower bound of a VPP's shortfall. One aggregated storage replaces all storages: their total energy, at their best
 * efficiencies.
 *
 * Proof. Let e_k be the energy that the storages deliver to award k, and n_k the energy that the other members deliver.
 * For any weights, the shortfall of k is at least A_k - n_k - e_k, with n_k <= N_k and e_k <= C_k, the sum that the
 * storages' powers allow. When award k charges, the storages' total energy rises by at most c·e_k (c the best charging
 * efficiency). When it discharges, the total falls by at least e_k / d (d the best discharging efficiency). The total
 * lies between the sums of the lower and the upper bounds. So for the discharging awards, the shortfall is at least
 * that of a single storage which every charging award fills by c·min(A_k, C_k), up to its capacity. In that storage a
 * kWh delivered now leaves at most one kWh less for later awards. Delivering as much as possible now is therefore
 * optimal. The same argument holds for the free capacity of the storage and the charging awards, with the worst
 * charging and discharging efficiencies: these maximise the free capacity and minimise the delivery that uses it. The
 * two sums of shortfalls are bounded independently, so their sum is a bound too.
 *
 * @returns kWh
 */
export function aggregatedBoundKwh(problem: BoundProblem): number {
  const { storages, steps } = problem;
  const total = (of: (store: IdealStorage) => number) => sumOf(storages, of);
  const best = (of: (store: IdealStorage) => number) => Math.max(0, ...storages.map(of));
  const worst = (of: (store: IdealStorage) => number) => Math.min(1, ...storages.map(of));
  const storedMinKwh = total((store) => store.storedMinKwh);
  const storedMaxKwh = total((store) => store.storedMaxKwh);
  const charge = { best: best((store) => store.chargeEfficiency), worst: worst((store) => store.chargeEfficiency) };
  const discharge = {
    best: best((store) => store.dischargeEfficiency),
    worst: worst((store) => store.dischargeEfficiency),
  };
  /** Upper and lower limit of the storages' total energy. */
  let upperKwh = total((store) => store.initialKwh);
  let lowerKwh = upperKwh;
  let shortfallKwh = 0;
  for (const step of steps) {
    if (step.kind === "free") {
      upperKwh = storedMaxKwh;
      lowerKwh = storedMinKwh;
      continue;
    }
    const { needKwh, mayKwh: availableKwh } = amountsOf(step, problem);
    if (step.isCharging) {
      const deliveredKwh = Math.min(needKwh, availableKwh, (storedMaxKwh - lowerKwh) / charge.worst);
      shortfallKwh += Math.max(0, needKwh - deliveredKwh);
      lowerKwh = Math.min(storedMaxKwh, lowerKwh + charge.worst * deliveredKwh);
      upperKwh = Math.min(storedMaxKwh, upperKwh + charge.best * availableKwh);
    } else {
      const deliveredKwh = Math.min(needKwh, availableKwh, (upperKwh - storedMinKwh) * discharge.best);
      shortfallKwh += Math.max(0, needKwh - deliveredKwh);
      upperKwh = Math.max(storedMinKwh, upperKwh - (discharge.best > 0 ? deliveredKwh / discharge.best : 0));
      lowerKwh = Math.max(storedMinKwh, lowerKwh - availableKwh / discharge.worst);
    }
  }
  return shortfallKwh;
}

/** The energy that the storages must deliver to avoid a shortfall, and the energy that they could deliver, in kWh. */
function amountsOf({ requestedKwh, otherMembersMaxKwh, storageMaxKwh }: AwardStep, { canOverDeliver }: BoundProblem) {
  let powerKwh = 0;
  for (const kwh of storageMaxKwh) powerKwh += kwh;
  return {
    needKwh: Math.max(0, requestedKwh - otherMembersMaxKwh),
    mayKwh: canOverDeliver ? powerKwh : Math.min(requestedKwh, powerKwh),
  };
}
