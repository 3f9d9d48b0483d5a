import { roundTo } from "../../base/rounding.ts";
import type { SitePlan } from "./planScenario.ts";

/** Sums of a plan over its days, at actual prices, with at most three decimals. */
export interface PlanTotals {
  readonly energy_cash: number;
  readonly fee_cash: number;
  readonly reserve_cash: number;
  readonly cash: number;
  readonly discharged_kwh: number;
  /** Discharge from the cells over the rated capacity of all sites, as `equivalent_full_cycles` of a run. */
  readonly full_cycles: number;
}

export function planTotals(plans: readonly SitePlan[]): PlanTotals {
  let energyAmount = 0;
  let feeAmount = 0;
  let reserveAmount = 0;
  let dischargedKwh = 0;
  let cellKwh = 0;
  let ratedKwh = 0;
  for (const { storage, days } of plans) {
    ratedKwh += storage.ratedKwh;
    for (const day of days) {
      energyAmount += day.energyAmount;
      feeAmount += day.feeAmount;
      reserveAmount += day.reserveAmount;
      dischargedKwh += day.dischargedKwh;
      cellKwh += day.dischargedKwh / storage.dischargeEfficiency;
    }
  }
  return {
    energy_cash: roundTo(energyAmount, 3),
    fee_cash: roundTo(feeAmount, 3),
    reserve_cash: roundTo(reserveAmount, 3),
    cash: roundTo(energyAmount + feeAmount + reserveAmount, 3),
    discharged_kwh: roundTo(dischargedKwh, 3),
    full_cycles: roundTo(cellKwh / ratedKwh, 3),
  };
}
