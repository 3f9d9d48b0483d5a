import type { EpochMs } from "../../base/time.ts";
import type { StoredEnergyVisitor, Trajectory } from "./trajectory.ts";

/** Battery totals of a trajectory; kW·ms at the AC side, without auxiliaries. */
interface SteppedTotals {
  importKwMs: number;
  exportKwMs: number;
  storedMinKwh: number;
  storedMaxKwh: number;
  storedKwhMs: number;
  atMaxMs: number;
  atMinMs: number;
}

export const newSteppedTotals = (): SteppedTotals => ({
  importKwMs: 0,
  exportKwMs: 0,
  storedMinKwh: Number.POSITIVE_INFINITY,
  storedMaxKwh: Number.NEGATIVE_INFINITY,
  storedKwhMs: 0,
  atMaxMs: 0,
  atMinMs: 0,
});

/**
 * Integrates a stepped trajectory (`Trajectory.isStepped`) from its start to an instant in one pass. Frequency response
 * makes one segment per second, so a pass per total would be slow.
 *
 * @param bounds stored energies from which the storage counts as full, and as empty
 * @param turns receives every local extremum of the stored energy in order, with start and end; may be `null`
 * @param totals added to; created by `newSteppedTotals`
 */
export function integrateSteppedTrajectory(
  trajectory: Trajectory,
  untilMs: EpochMs,
  bounds: { readonly fullKwh: number; readonly emptyKwh: number },
  turns: StoredEnergyVisitor | null,
  totals: SteppedTotals,
): void {
  const { count, auxiliaryKw } = trajectory;
  const { fullKwh, emptyKwh } = bounds;
  const endMs = untilMs - trajectory.originMs;
  let inKwMs = 0;
  let outKwMs = 0;
  let low = trajectory.storedKwhOf(0);
  let high = low;
  let storedKwhMs = 0;
  let direction = 0;
  turns?.add(trajectory.storedKwhOf(0));
  for (let k = 0; k < count && trajectory.afterMsOf(k) < endMs; k++) {
    const spanMs =
      (k + 1 < count && trajectory.afterMsOf(k + 1) < endMs ? trajectory.afterMsOf(k + 1) : endMs) -
      trajectory.afterMsOf(k);
    const kwMs = (trajectory.constKwOf(k) - auxiliaryKw) * spanMs;
    if (0 < kwMs) inKwMs += kwMs;
    else outKwMs -= kwMs;
    const slope = trajectory.storedKwhPerMsOf(k);
    const fromKwh = trajectory.storedKwhOf(k);
    const toKwh = fromKwh + slope * spanMs;
    storedKwhMs += 0.5 * (fromKwh + toKwh) * spanMs;
    if (slope !== 0) {
      if (slope * direction < 0) turns?.add(fromKwh);
      direction = slope;
    }
    if (toKwh < low) low = toKwh;
    if (high < toKwh) high = toKwh;
    if (fullKwh <= fromKwh || fullKwh <= toKwh)
      totals.atMaxMs += fractionBeyond(Math.max(fromKwh, toKwh) - fullKwh, Math.abs(toKwh - fromKwh)) * spanMs;
    if (fromKwh <= emptyKwh || toKwh <= emptyKwh)
      totals.atMinMs += fractionBeyond(emptyKwh - Math.min(fromKwh, toKwh), Math.abs(toKwh - fromKwh)) * spanMs;
  }
  turns?.add(trajectory.storedKwhAt(untilMs));
  totals.importKwMs += inKwMs;
  totals.exportKwMs += outKwMs;
  totals.storedMinKwh = Math.min(totals.storedMinKwh, low);
  totals.storedMaxKwh = Math.max(totals.storedMaxKwh, high);
  totals.storedKwhMs += storedKwhMs;
}

/** Share of a linear change by `range` that is beyond a bound, which its end exceeds by `over`. */
export const fractionBeyond = (over: number, range: number): number => (over >= range ? 1 : over / range);
