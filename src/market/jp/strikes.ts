import type { Sku } from "../../base/sku.ts";
import type { AwardLine } from "../settlement.ts";
import type { JpParameters } from "./jpParameters.ts";

/** Counts failed slots of each product and month, and determines in which months a product is suspended. */
export class StrikeCounter {
  private readonly parameters: JpParameters;
  private readonly failures = new Map<string, number>();
  private readonly suspended = new Set<string>();

  constructor(parameters: JpParameters) {
    this.parameters = parameters;
  }

  isSuspended(vpp: string, sku: Sku | null, month: string): boolean {
    return this.suspended.has(keyOf(vpp, sku, month));
  }

  /** Lines come in order of time. */
  add(line: AwardLine, month: string): void {
    const { strike_limit: limit, strike_window_months: window, suspend_months: length } = this.parameters;
    if (line.assessment1 !== "fail" && line.assessment2 !== "fail") return;
    const key = keyOf(line.vpp, line.sku, month);
    this.failures.set(key, (this.failures.get(key) ?? 0) + 1);
    if (limit === null) return;
    let strikes = 0;
    for (let back = 0; back < window; back++)
      strikes += this.failures.get(keyOf(line.vpp, line.sku, addMonths(month, -back))) ?? 0;
    if (strikes <= limit) return;
    for (let ahead = 1; ahead <= length; ahead++)
      this.suspended.add(keyOf(line.vpp, line.sku, addMonths(month, ahead)));
  }
}

const keyOf = (vpp: string, sku: Sku | null, month: string): string => `${vpp} ${sku ?? "none"} ${month}`;

/** @param month  YYYY-MM */
export function addMonths(month: string, count: number): string {
  const [year, number] = month.split("-").map(Number);
  const index = year * 12 + number - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, "0")}-${String((index % 12) + 1).padStart(2, "0")}`;
}
