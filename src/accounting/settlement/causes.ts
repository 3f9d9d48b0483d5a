/**
 * Causes of a shortfall (kWh) and of uncovered power (kW), in the order of the report columns. @see
 * docs/model/accounting.md#attribution
 */
export const CAUSES = [
  "out_of_service",
  "incompatible",
  "refused",
  "delivery_failed",
  "baseline_missing",
  "direct_control",
  "power_limit",
  "energy_limit",
  "output_control",
  "other_award",
  "ramp",
  "weather",
  "load_deviation",
  "no_member",
] as const;

export type Cause = (typeof CAUSES)[number];

export const CAUSE_INDEX = Object.fromEntries(CAUSES.map((cause, index) => [cause, index])) as Readonly<
  Record<Cause, number>
>;
