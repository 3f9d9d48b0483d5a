/** Droop settings of a device; deadbands are at least 0, droops above 0. @see docs/model/frequency-response.md#droop */
export interface FcrConfig {
  readonly freqRefHz: number;
  readonly upDeadbandHz: number;
  readonly lowDeadbandHz: number;
  /** Deviation, in % of the reference, at which the response equals the rated power. */
  readonly upDroopPct: number;
  readonly lowDroopPct: number;
  /** `full`: the response of the whole deviation outside the dead band. Absent: `subtract`, of the deviation beyond it. */
  readonly deadbandForm?: "full" | undefined;
  /** The response follows the frequency of so long ago. Absent: 0. */
  readonly responseDelayMs?: number | undefined;
}

/**
 * Response to one frequency, without its delay, per kW of rated power, before the limit by the FCR capacity: above 0 means more import.
 *
 * It is unbounded; at a deviation of one droop (beyond the dead band, if that is subtracted) it is 1.
 */
export const droopResponsePerKw = (config: FcrConfig, hz: number): number =>
  beyondDeadbandPerKw(config, hz) + deadbandStepPerKw(config, hz);

/** Response per kW to the deviation beyond the dead band. */
export function beyondDeadbandPerKw(config: FcrConfig, hz: number): number {
  const { freqRefHz, upDeadbandHz, lowDeadbandHz, upDroopPct, lowDroopPct } = config;
  const aboveHz = hz - freqRefHz - upDeadbandHz;
  if (0 < aboveHz) return (aboveHz / freqRefHz) * (100 / upDroopPct);
  const belowHz = freqRefHz - lowDeadbandHz - hz;
  return 0 < belowHz ? (-belowHz / freqRefHz) * (100 / lowDroopPct) : 0;
}

/** Frequencies in files have a few decimals, whose sums with a dead band are inexact. */
const EDGE_TOLERANCE_HZ = 1e-9;

/** Response per kW at the edge of the dead band that `hz` is beyond, with the form `full`; else 0. */
export function deadbandStepPerKw(config: FcrConfig, hz: number): number {
  const { freqRefHz, upDeadbandHz, lowDeadbandHz, upDroopPct, lowDroopPct, deadbandForm } = config;
  if (deadbandForm !== "full") return 0;
  const deviationHz = hz - freqRefHz;
  if (upDeadbandHz + EDGE_TOLERANCE_HZ < deviationHz) return (upDeadbandHz / freqRefHz) * (100 / upDroopPct);
  return deviationHz < -lowDeadbandHz - EDGE_TOLERANCE_HZ ? (-lowDeadbandHz / freqRefHz) * (100 / lowDroopPct) : 0;
}

/** A power limited to ±limitKw; never −0. */
export const clampSymmetric = (kw: number, limitKw: number): number => Math.max(-limitKw, Math.min(limitKw, kw)) || 0;
