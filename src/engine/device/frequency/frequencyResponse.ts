/** Droop settings of a device; deadbands are at least 0, droops above 0. @see docs/model/frequency-response.md#droop */
export interface FcrConfig {
  readonly freqRefHz: number;
  readonly upDeadbandHz: number;
  readonly lowDeadbandHz: number;
  /** Deviation, in % of the reference, at which the response equals the rated power. */
  readonly upDroopPct: number;
  readonly lowDroopPct: number;
}

/**
 * Response to one frequency per kW of rated power, before the limit by the FCR capacity: above 0 means more import.
 *
 * It is unbounded; at a deviation of one droop beyond the dead band it is 1.
 */
export function droopResponsePerKw(config: FcrConfig, hz: number): number {
  const { freqRefHz, upDeadbandHz, lowDeadbandHz, upDroopPct, lowDroopPct } = config;
  const aboveHz = hz - freqRefHz - upDeadbandHz;
  if (0 < aboveHz) return (aboveHz / freqRefHz) * (100 / upDroopPct);
  const belowHz = freqRefHz - lowDeadbandHz - hz;
  return 0 < belowHz ? (-belowHz / freqRefHz) * (100 / lowDroopPct) : 0;
}

/** A power limited to ±limitKw; never −0. */
export const clampSymmetric = (kw: number, limitKw: number): number => Math.max(-limitKw, Math.min(limitKw, kw)) || 0;
