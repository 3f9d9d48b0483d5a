import type { SitePlan } from "./planScenario.ts";

/** Sums of a plan over its days, at actual prices. */
interface PlanTotals {
  readonly energy_cash: number;
  readonly fee_cash: number;
  readonly reserve_cash: number;
  readonly cash: number;
  readonly discharged_kwh: number;
  /** Discharge from the cells over the usable capacity of all sites at the start of the run. */
  readonly full_cycles: number;
}

export function planTotals(plans: readonly SitePlan[]): PlanTotals {
  let energyCash = 0;
  let feeCash = 0;
  let reserveCash = 0;
  let dischargedKwh = 0;
  let cellKwh = 0;
  let usableKwh = 0;
  for (const { storage, days } of plans) {
    usableKwh += days[0].usableKwh;
    for (const day of days) {
      energyCash += day.energyCash;
      feeCash += day.feeCash;
      reserveCash += day.reserveCash;
      dischargedKwh += day.dischargedKwh;
      cellKwh += day.dischargedKwh / storage.dischargeEfficiency;
    }
  }
  return {
    energy_cash: energyCash,
    fee_cash: feeCash,
    reserve_cash: reserveCash,
    cash: energyCash + feeCash + reserveCash,
    discharged_kwh: dischargedKwh,
    full_cycles: cellKwh / usableKwh,
  };
}
