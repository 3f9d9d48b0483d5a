import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { type CallLine, type CapacityCall, type SettlementInput, withoutMinusZero } from "../settlement.ts";
import type { JpParameters } from "./jpParameters.ts";

/** Settles the calls of the capacity market, in order of time (docs/model/settlement.md#capacity). */
export function settleCapacityCalls(
  { capacityCalls, groupSlots, connection, monthOf }: SettlementInput,
  parameters: JpParameters,
): CallLine[] {
  const contract = parameters.capacity_price_kw_year * connection.capacityKw;
  const counts = new Map<string, number>();
  const penalties = new Map<string, number>();
  const calls = [...capacityCalls].sort((a, b) => a.startMs - b.startMs);
  return calls.map((call) => {
    const month = monthOf(call.startMs);
    const year = fiscalYearOf(month);
    const count = counts.get(year) ?? 0;
    const isNotified = call.notifiedMs + parameters.capacity_notice_hours * MS_PER_HOUR <= call.startMs;
    const isBinding = isNotified && count < parameters.capacity_max_calls;
    if (isBinding) counts.set(year, count + 1);
    const { requestedKwh, missedKwh } = supplyOf(call, groupSlots, connection.capacityKw, parameters);
    const missedShare = !isBinding || requestedKwh === 0 ? 0 : missedKwh / requestedKwh;
    const owed = (contract * parameters.capacity_penalty_factor * missedShare) / parameters.capacity_max_calls;
    const left = Math.min(
      (contract * parameters.capacity_month_cap_pct) / 100 - (penalties.get(month) ?? 0),
      (contract * parameters.capacity_year_cap_pct) / 100 - (penalties.get(year) ?? 0),
    );
    const penalty = Math.max(0, Math.min(owed, left));
    for (const period of [month, year]) penalties.set(period, (penalties.get(period) ?? 0) + penalty);
    return {
      month,
      startMs: call.startMs,
      isBinding,
      requestedKwh,
      missedKwh,
      penaltyAmount: withoutMinusZero(-penalty),
    };
  });
}

/** Delivery years begin in April. @param month  YYYY-MM */
function fiscalYearOf(month: string): string {
  const [year, number] = month.split("-").map(Number);
  return String(number < 4 ? year - 1 : year);
}

/** Contracted energy of a call within the run, and the part that all groups together did not supply, slot by slot. */
function supplyOf(
  { startMs }: CapacityCall,
  groupSlots: SettlementInput["groupSlots"],
  contractKw: number,
  { capacity_duration_hours }: JpParameters,
): { readonly requestedKwh: number; readonly missedKwh: number } {
  const endMs = startMs + capacity_duration_hours * MS_PER_HOUR;
  const bySlot = new Map<EpochMs, { requestedKwh: number; suppliedKwh: number }>();
  for (const { slot } of groupSlots) {
    const { slotStartMs, durationMs, capacitySupplyKwh } = slot;
    const sharedMs = Math.min(slotStartMs + durationMs, endMs) - Math.max(slotStartMs, startMs);
    if (sharedMs <= 0) continue;
    const sums = bySlot.get(slotStartMs) ?? { requestedKwh: (contractKw * sharedMs) / MS_PER_HOUR, suppliedKwh: 0 };
    sums.suppliedKwh += (capacitySupplyKwh * sharedMs) / durationMs;
    bySlot.set(slotStartMs, sums);
  }
  let requestedKwh = 0;
  let missedKwh = 0;
  for (const slot of bySlot.values()) {
    requestedKwh += slot.requestedKwh;
    missedKwh += Math.max(0, slot.requestedKwh - Math.max(0, slot.suppliedKwh));
  }
  return { requestedKwh, missedKwh };
}
