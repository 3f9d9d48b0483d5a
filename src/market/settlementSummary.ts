import type { SettledFigures } from "../accounting/kpis/kpi.ts";
import type { EpochMs } from "../base/time.ts";
import { type AwardLine, type EnergyLine, netOf, type Settlement, TOTAL } from "./settlement.ts";

/** An item of the invoices over all months. */
interface ItemTotal {
  readonly item: string;
  readonly counterparty: string;
  readonly quantity: number;
  readonly unit: string;
  readonly amount: number;
}

/** Items in the order of the invoice, over all months. */
export function itemTotals({ invoice }: Settlement): readonly ItemTotal[] {
  const totals = new Map<string, ItemTotal>();
  for (const { item, counterparty, quantity, unit, amount } of invoice) {
    const known = totals.get(item) ?? { item, counterparty, quantity: 0, unit, amount: 0 };
    totals.set(item, { ...known, quantity: known.quantity + quantity, amount: known.amount + amount });
  }
  return [...totals.values()];
}

/** Sums of the invoices by part. */
export function settledFigures({ invoice }: Settlement): SettledFigures {
  const sums = { reserve: 0, activated: 0, penalties: 0, energy: 0, imbalance: 0, network: 0, capacity: 0 };
  let cash = 0;
  for (const { counterparty, part, amount } of invoice) {
    if (counterparty === TOTAL) cash += amount;
    if (part !== null) sums[part] += amount;
  }
  return { cash, ...sums };
}

/** Cash of a balancing group in a slot, without what is charged by the month. */
export const cashOf = ({
  spotAmount,
  intradayAmount,
  marketFeeAmount,
  imbalanceAmount,
  premiumAmount,
  retailAmount,
}: EnergyLine): number =>
  spotAmount + intradayAmount + marketFeeAmount + imbalanceAmount + premiumAmount + retailAmount;

/** Cash by day, without what is charged by the month, in order of time. @param dayOf  YYYY-MM-DD */
export function cashByDay(
  { awards, energy }: Settlement,
  dayOf: (atMs: EpochMs) => string,
): readonly { readonly day: string; readonly amount: number }[] {
  const days = new Map<string, number>();
  const add = (slotStartMs: EpochMs, amount: number): void => {
    const day = dayOf(slotStartMs);
    days.set(day, (days.get(day) ?? 0) + amount);
  };
  for (const line of energy) add(line.slotStartMs, cashOf(line));
  for (const line of awards) add(line.slotStartMs, netOf(line));
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, amount]) => ({ day, amount }));
}

/** Slots in which a group pays at least one unit of the currency for its imbalance, the most expensive first. */
export const worstImbalanceSlots = ({ energy }: Settlement, count: number): readonly EnergyLine[] =>
  energy
    .filter(({ imbalanceAmount }) => imbalanceAmount <= -1)
    .sort((a, b) => a.imbalanceAmount - b.imbalanceAmount || a.slotStartMs - b.slotStartMs)
    .slice(0, count);

/** Slots of awards with a penalty, the most expensive first. */
export const worstAwardSlots = ({ awards }: Settlement, count: number): readonly AwardLine[] =>
  awards
    .filter(({ penalty1Amount, penalty2Amount }) => penalty1Amount + penalty2Amount < 0)
    .sort(
      (a, b) =>
        a.penalty1Amount + a.penalty2Amount - (b.penalty1Amount + b.penalty2Amount) || a.slotStartMs - b.slotStartMs,
    )
    .slice(0, count);
