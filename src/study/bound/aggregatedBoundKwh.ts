import type { AwardStep, BoundProblem } from "./boundProblem.ts";
import type { IdealStorage } from "./idealStorage.ts";

/**
 * A lower bound of a VPP's shortfall from one store that stands for all: what the fleet has, at its best efficiencies.
 *
 * Proof. Let e_k be what the stores deliver to award k, n_k what the others do. Whatever the weights, the shortfall of k
 * is at least A_k - n_k - e_k, with n_k <= N_k and e_k <= C_k, the sum of what the stores' powers allow. The stores' sum
 * of energy rises by at most c·e_k when award k charges (c the best charging efficiency) and falls by at least e_k / d
 * when it discharges (d the best discharging one), and lies between the sums of the lower and the upper bounds. So for
 * the awards that discharge, the shortfall is at least that of a single store which every charging award fills by
 * c·min(A_k, C_k), as far as it holds. In that store a kWh delivered now leaves at most one kWh less for later, and as
 * much as can be is delivered now: no other order has less shortfall. The same holds for the room in the store and the
 * awards that charge, with the worst charging and discharging efficiencies, which make the most room of the least
 * delivery. The two sums of shortfalls are bounded apart from each other, so their sum is a bound too.
 *
 * @returns kWh
 */
export function aggregatedBoundKwh({ storages, steps, canOverDeliver }: BoundProblem): number {
  const total = (of: (store: IdealStorage) => number) => storages.reduce((sum, store) => sum + of(store), 0);
  const best = (of: (store: IdealStorage) => number) => Math.max(0, ...storages.map(of));
  const worst = (of: (store: IdealStorage) => number) => Math.min(1, ...storages.map(of));
  const lowestKwh = total((store) => store.storedMinKwh);
  const highestKwh = total((store) => store.storedMaxKwh);
  const charge = { best: best((store) => store.chargeEfficiency), worst: worst((store) => store.chargeEfficiency) };
  const discharge = {
    best: best((store) => store.dischargeEfficiency),
    worst: worst((store) => store.dischargeEfficiency),
  };
  /** The most and the least that the stores could hold together. */
  let mostKwh = total((store) => store.initialKwh);
  let leastKwh = mostKwh;
  let shortfallKwh = 0;
  for (const step of steps) {
    if (step.kind === "free") {
      mostKwh = highestKwh;
      leastKwh = lowestKwh;
      continue;
    }
    const { needKwh, mayKwh } = amountsOf(step, canOverDeliver);
    if (step.isCharging) {
      const givenKwh = Math.min(needKwh, mayKwh, (highestKwh - leastKwh) / charge.worst);
      shortfallKwh += Math.max(0, needKwh - givenKwh);
      leastKwh = Math.min(highestKwh, leastKwh + charge.worst * givenKwh);
      mostKwh = Math.min(highestKwh, mostKwh + charge.best * mayKwh);
    } else {
      const givenKwh = Math.min(needKwh, mayKwh, (mostKwh - lowestKwh) * discharge.best);
      shortfallKwh += Math.max(0, needKwh - givenKwh);
      mostKwh = Math.max(lowestKwh, mostKwh - (discharge.best > 0 ? givenKwh / discharge.best : 0));
      leastKwh = Math.max(lowestKwh, leastKwh - mayKwh / discharge.worst);
    }
  }
  return shortfallKwh;
}

/** What the stores must deliver for nothing to be lacking, and what they could. */
function amountsOf({ requestedKwh, otherMembersMaxKwh, storageMaxKwh }: AwardStep, mayExceed: boolean) {
  let powerKwh = 0;
  for (const kwh of storageMaxKwh) powerKwh += kwh;
  return {
    needKwh: Math.max(0, requestedKwh - otherMembersMaxKwh),
    mayKwh: mayExceed ? powerKwh : Math.min(requestedKwh, powerKwh),
  };
}
