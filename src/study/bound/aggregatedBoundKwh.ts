import { sumOf } from "../../base/sums.ts";
import type { AwardStep, BoundProblem, IdealStorage } from "./boundProblem.ts";

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
