/** Quantities common to the answers of all three APIs. A quantity that does not apply to a kind is absent or null. */
import { Type } from "../../../base/schemaType.ts";
import { SKUS } from "../../../base/sku.ts";
import { kw, nullable, oneOf, record } from "./baseSchemas.ts";

export const nullableKw = () => nullable(kw());
export const kwh = () => Type.Number({ description: "kWh" });
export const nonNegativeKwh = () => Type.Number({ minimum: 0, description: "kWh" });
export const nonNegativeKw = () => Type.Number({ minimum: 0, description: "kW" });
export const pct = () => Type.Number({ minimum: 0, maximum: 100, description: "%" });
export const integerPct = () => Type.Integer({ minimum: 0, maximum: 100, description: "%" });
export const serviceStatus = () =>
  Type.Unsafe<0 | 9>({ type: "integer", enum: [0, 9], description: "0 in service, 9 out" });
export const irradianceWm2 = () => nullable(Type.Number({ minimum: 0, description: "W/m²" }));
export const frequencyHz = () => Type.Number({ description: "Hz" });

/** A market product, or `mixed` where several are active. */
export const activeSku = () => nullable(oneOf([...SKUS, "mixed"]));

export const OUTPUT_CONTROL_REASONS = ["fit_curtailment", "non_firm_congestion", "manual", "other"] as const;

/** Result of an execution for a member. */
export const EXECUTED_STATUSES = [
  "dispatched",
  "skipped_out_of_service",
  "skipped_incompatible",
  "skipped_weight_zero",
  "skipped_baseline_missing",
  "failed",
] as const;
/** The same, or that a schedule has not been executed. */
export const DISPATCH_STATUSES = [...EXECUTED_STATUSES, "pending"] as const;

/** kW of each product in a compound award, recorded for audit. */
export const compoundBreakdown = () => Type.Record(Type.String(), Type.Number());

/** A block or record in which every key is optional. */
export const partialRecord = <P extends Parameters<typeof record>[0]>(properties: P) =>
  Type.Partial(record(properties));
