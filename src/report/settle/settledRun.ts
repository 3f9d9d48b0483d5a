import type { Settlement } from "../../market/settlement.ts";
import type { SettlementSpec } from "../../market/settlementSpec.ts";

/** A settlement with its parameter set and currency. */
export interface SettledRun {
  readonly settlement: Settlement;
  /** Title of the parameter set. */
  readonly parameterSet: string;
  readonly area: string;
  /** Upper-case code. */
  readonly currency: string;
  /** Values that are not from a primary source. */
  readonly unsure: readonly string[];
}

/** The settlement of a run for its pages. */
export const settledRunOf = (
  { parameterSet, area, market, unsure }: SettlementSpec,
  settlement: Settlement,
): SettledRun => ({ settlement, parameterSet, area, currency: market.currency.toUpperCase(), unsure });
