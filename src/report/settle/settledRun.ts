import type { Kpis } from "../../accounting/kpis/kpiRegistry.ts";
import type { Currency } from "../../base/currency.ts";
import { type Reconciliation, reconcile } from "../../market/reconciliation.ts";
import type { Settlement } from "../../market/settlement.ts";
import type { SettlementSpec } from "../../market/settlementSpec.ts";

/** A settlement with its parameter set and currency. */
export interface SettledRun {
  readonly settlement: Settlement;
  /** Title of the parameter set. */
  readonly parameterSet: string;
  readonly area: string;
  readonly currency: Currency;
  /** Parameters by name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Names of those that are not from a primary source. */
  readonly unsure: readonly string[];
  /** With the ledger of the run; `null`: nothing is priced, or there is no run. */
  readonly reconciliation: Reconciliation | null;
}

/** The settlement of a run for its pages. */
export const settledRunOf = (
  { parameterSet, area, currency, values, unsure, retailSites }: SettlementSpec,
  settlement: Settlement,
  kpis: Kpis | null,
): SettledRun => ({
  settlement,
  parameterSet,
  area,
  currency,
  values,
  unsure,
  reconciliation: kpis === null ? null : reconcile(kpis, settlement, retailSites),
});
