/** How a device answers grid frequency; deadbands are at least 0, droops above 0. @see docs/model/frequency-response.md#droop */
export interface FcrConfig {
  readonly freqRefHz: number;
  readonly upDeadbandHz: number;
  readonly lowDeadbandHz: number;
  /** Deviation, in % of the reference, at which the whole rated power answers. */
  readonly upDroopPct: number;
  readonly lowDroopPct: number;
}

/**
 * Response to one frequency per kW of rated power, before the width cuts it: above 0 means more import.
 *
 * It has no bound of its own; at a deviation of one droop beyond the dead band it is 1.
 */
export function droopResponsePerKw(config: FcrConfig, hz: number): number {
  const { freqRefHz, upDeadbandHz, lowDeadbandHz, upDroopPct, lowDroopPct } = config;
  const aboveHz = hz - freqRefHz - upDeadbandHz;
  if (0 < aboveHz) return (aboveHz / freqRefHz) * (100 / upDroopPct);
  const belowHz = freqRefHz - lowDeadbandHz - hz;
  return 0 < belowHz ? (-belowHz / freqRefHz) * (100 / lowDroopPct) : 0;
}

/**
 * What a device with a width adds to its power at one frequency, in kW, import positive.
 *
 * @param ratedKw  of the site (`ratedPowerKw`)
 * @param widthKw  at least 0; the response never leaves ±widthKw
 * @see docs/model/frequency-response.md#droop
 */
export const frequencyResponseKw = (config: FcrConfig, ratedKw: number, widthKw: number, hz: number): number =>
  clampSymmetric(ratedKw * droopResponsePerKw(config, hz), widthKw);

/** A power cut at ±limitKw, without minus nothing. */
export const clampSymmetric = (kw: number, limitKw: number): number => Math.max(-limitKw, Math.min(limitKw, kw)) || 0;
