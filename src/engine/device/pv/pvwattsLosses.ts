/** Losses of a system outside modules and inverter, each in % of its own input, 0 to 100. */
export interface PvLosses {
  readonly soilingPct: number;
  readonly shadingPct: number;
  readonly mismatchPct: number;
  readonly wiringPct: number;
  readonly connectionsPct: number;
  readonly lightInducedDegradationPct: number;
  readonly nameplatePct: number;
  readonly availabilityPct: number;
}

/**
 * The usual losses: 14.1 % together.
 *
 * @param simulatesOutages  whether outages are simulated; if so, no availability loss is applied
 * @see A. P. Dobos, NREL/TP-6A20-62641 (2014), table 4; docs/model/pv.md#losses
 */
export const defaultPvLosses = (simulatesOutages: boolean): PvLosses => ({
  soilingPct: 2,
  shadingPct: 3,
  mismatchPct: 2,
  wiringPct: 2,
  connectionsPct: 0.5,
  lightInducedDegradationPct: 1.5,
  nameplatePct: 1,
  availabilityPct: simulatesOutages ? 0 : 3,
});

/** Share of the power that is left after all losses, 0..1. */
export function pvwattsLossFactor(losses: PvLosses): number {
  const left = (pct: number): number => 1 - pct / 100;
  return (
    left(losses.soilingPct) *
    left(losses.shadingPct) *
    left(losses.mismatchPct) *
    left(losses.wiringPct) *
    left(losses.connectionsPct) *
    left(losses.lightInducedDegradationPct) *
    left(losses.nameplatePct) *
    left(losses.availabilityPct)
  );
}
