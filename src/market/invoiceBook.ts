import { type CashPart, type InvoiceLine, MEMO, TOTAL } from "./settlement.ts";

export interface InvoiceItem {
  readonly item: string;
  readonly counterparty: string;
  readonly part: CashPart;
  readonly unit: string;
}

/** Rounding of the amounts of an invoice to whole units of the currency. */
type InvoiceRounding = "floor" | "half_up";

/** Sums amounts by month and item, in the order in which they are added. */
export class InvoiceBook {
  private readonly items: readonly InvoiceItem[];
  private readonly itemsByMonth = new Map<string, Map<string, { quantity: number; amount: number }>>();

  /** @param items  all items, in the order of the invoice */
  constructor(items: readonly InvoiceItem[]) {
    this.items = items;
  }

  add(month: string, item: string, quantity: number, amount: number): void {
    const sums = this.itemsByMonth.get(month) ?? new Map<string, { quantity: number; amount: number }>();
    this.itemsByMonth.set(month, sums);
    const sum = sums.get(item) ?? { quantity: 0, amount: 0 };
    sums.set(item, { quantity: sum.quantity + quantity, amount: sum.amount + amount });
  }

  months(): string[] {
    return [...this.itemsByMonth.keys()].sort();
  }

  /** Sums of one item in a month; zeros where nothing was added. */
  sum(month: string, item: string): { readonly quantity: number; readonly amount: number } {
    return this.itemsByMonth.get(month)?.get(item) ?? { quantity: 0, amount: 0 };
  }

  /** Amounts of all items but memos, in a month. */
  cash(month: string): number {
    let total = 0;
    for (const { item, counterparty } of this.items)
      if (counterparty !== MEMO && counterparty !== TOTAL) total += this.sum(month, item).amount;
    return total;
  }

  /**
   * Lines by month, in the order of the items, without items that have no amount and no quantity.
   *
   * @param totalItem  item of the sum of cash
   */
  lines(totalItem: string, rounding: InvoiceRounding, taxPct: number): InvoiceLine[] {
    const out: InvoiceLine[] = [];
    for (const month of this.months())
      for (const { item, counterparty, part, unit } of this.items) {
        const { quantity, amount } =
          item === totalItem ? { quantity: 0, amount: this.cash(month) } : this.sum(month, item);
        if (item !== totalItem && quantity === 0 && amount === 0) continue;
        const tax = counterparty === MEMO || item === totalItem ? 0 : (amount * taxPct) / 100;
        const amountRounded = roundAmount(amount, rounding);
        out.push({
          month,
          counterparty,
          item,
          part,
          quantity,
          unit,
          amount,
          amountRounded,
          taxAmount: roundAmount(tax, rounding),
        });
      }
    return out;
  }
}

/** Rounds the magnitude, so that payments and receipts are rounded in the same way. */
function roundAmount(amount: number, rounding: InvoiceRounding): number {
  const magnitude = Math.abs(amount);
  // A sum of exact thousandths may lie a last digit below a whole number.
  const rounded = rounding === "floor" ? Math.floor(magnitude + 1e-9 * Math.max(1, magnitude)) : Math.round(magnitude);
  return rounded === 0 ? 0 : Math.sign(amount) * rounded;
}
